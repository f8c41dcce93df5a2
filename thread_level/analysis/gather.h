/// From the steps of one function, and the summaries of what it calls, to its own summaries.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "thread_level/analysis/call_cases.h"
#include "thread_level/analysis/flow.h"
#include "thread_level/analysis/program.h"
#include "thread_level/analysis/started_numbers.h"
#include "thread_level/analysis/summary.h"

namespace mqinspect::thread_level {

/// What the calls of `function` do to its flow, if it is called with `arguments`.
std::unordered_map<StepId, CallEffect> effects_of_calls(const Program& program,
                                                        FunctionId function,
                                                        const AllSummaries& summaries,
                                                        Exclusions& exclusions,
                                                        CallCases& cases,
                                                        const Arguments& arguments = {});

class Gather {
public:
    Gather(const Program& program,
           const Shape& shape,
           Flow& flow,
           const AllSummaries& summaries,
           Exclusions& exclusions,
           CallCases& cases,
           const std::vector<ExclusionSet>& presumed)
        : program_(program),
          shape_(shape),
          flow_(flow),
          summaries_(summaries),
          exclusions_(exclusions),
          cases_(cases),
          presumed_(presumed) {}

    /// By scope.
    std::vector<Summary> run();

private:
    void gather(std::uint32_t scope);
    void add_procedure(StepId id, Summary& into);
    void place_called(Group& group, StepId id, Async outlives, bool is_start);
    OnlyStart only_start_at(StepId id) const;
    void add_called(StepId id, Summary& into);
    const CallCase* case_of(const CallEdge& edge);
    void add_nested(StepId id, std::uint32_t inner, Summary& into);
    bool is_of_other_thread(const CallEdge& edge, const Group& group) const;
    Group lifted(const CallEdge& edge, const Group& group) const;
    void place(Group& group, StepId id);
    void note_depends(Group& group, StepId id);
    Rounds rounds_at(StepId id, const Group& group) const;
    void add(Group group, const Origin& origin, Summary& into);
    void finish(std::uint32_t scope, Summary& summary);
    void find_returning();

    const Program& program_;
    const Shape& shape_;
    Flow& flow_;
    const AllSummaries& summaries_;
    Exclusions& exclusions_;
    CallCases& cases_;
    const std::vector<ExclusionSet>& presumed_;  // as presumed_locks()
    std::vector<bool> may_return_;  // by step: the function may come back to its caller from there
    std::vector<Summary> scopes_;
    std::unordered_multimap<std::uint64_t, std::uint32_t> by_hash_;  // groups of one scope
};

/// Which of the threads that a step starts, or what it calls, makes what `asked` has asked for.
void note_started(Group& group, const Asked& asked, Handing handing, bool is_start);

/// Of what Group::is_equal() compares; equal groups have the same.
std::uint64_t hash_of(const Group& group);
/// Of what is called, and has its executor `inside` of the call: the path to that comes around it.
void narrow_called(Group& group, const Path& path, Executor inside);
/// Group::at_entry and at_exit, of calls of the group at `step`.
bool is_at_entry(const Group& group, StepId step, const Flow& flow);
bool is_at_exit(const Group& group, StepId step, Flow& flow);

/// A summary of all that an indirect call may mean.
Summary united(Node node,
               const Program& program,
               const AllSummaries& summaries,
               Exclusions& exclusions);

}  // namespace mqinspect::thread_level
