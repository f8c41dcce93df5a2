/// Summaries of all functions that threads may execute, callees first, and what meets in them.
#pragma once

#include <unordered_map>
#include <vector>

#include "thread_level/analysis/call_cases.h"
#include "thread_level/analysis/contexts.h"
#include "thread_level/analysis/exclusion.h"
#include "thread_level/analysis/meetings.h"
#include "thread_level/analysis/outer_locks.h"
#include "thread_level/analysis/program.h"
#include "thread_level/analysis/summary.h"

namespace mqinspect::thread_level {

/// What a caller holds around a call.
struct HeldAtCall {
    ExclusionSet exclusions = 0;
    ExclusionSet perhaps = 0;
    ExclusionSet presumed = 0;
    /// What holds where the caller was called does not hold here: a team or task lies between.
    bool is_reset = false;
};

class Summaries {
public:
    Summaries(const Program& program, const Contexts& contexts);

    /// By scope; empty: no other thread can come near the function.
    const std::vector<Summary>& scopes(Node node) const { return scopes_[node]; }
    const std::vector<Pair>& pairs() const { return pairs_; }
    Exclusions& exclusions() { return exclusions_; }
    const OuterLocks& outer_locks() const { return outer_locks_; }
    HeldAtCall held_at(Node node, StepId step) const;
    /// The region whose body is the scope.
    RegionId region_of(Node node, std::uint32_t scope) const { return regions_[node][scope]; }

private:
    bool is_needed(Node node) const;
    void summarize(const std::vector<Node>& component);
    bool refresh(Node node);
    void summarize(Node node, bool is_final);
    void summarize_function(FunctionId function, bool is_final);
    HeldAtCall held_around(const Shape& shape, const Flow& flow, StepId step);
    void find_pairs(Shape& shape, Flow& flow);

    const Program& program_;
    const Contexts& contexts_;
    Exclusions exclusions_;
    OuterLocks outer_locks_;
    std::vector<std::vector<Summary>> scopes_;
    std::vector<bool> is_stale_;  ///< something that the node calls has changed
    CallCases call_cases_;
    std::vector<std::vector<RegionId>> regions_;
    std::vector<std::unordered_map<StepId, HeldAtCall>> held_;
    std::vector<Pair> pairs_;
};

}  // namespace mqinspect::thread_level
