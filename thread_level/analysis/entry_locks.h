/// Whether every caller of a function holds a lock while it calls.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "thread_level/analysis/contexts.h"
#include "thread_level/analysis/handles.h"
#include "thread_level/analysis/summaries.h"

namespace mqinspect::thread_level {

/// What is held, by all: nothing, something if that is a lock, something that depends on
/// conditions, something.
enum class Hold : std::uint8_t { None, Presumed, Perhaps, Sure };

/// `or_assured`: or has found MPI_THREAD_MULTIPLE to be provided, which is as good as a lock.
///
/// Threads that enter a function by one and the same call hold the same lock there, so it does not
/// matter which one it is.
class EntryLocks {
public:
    EntryLocks(const Program& program,
               const Contexts& contexts,
               Summaries& summaries,
               const Handles& handles,
               bool or_assured);

    /// In each of `states` in which `node` is entered.
    Hold held(Node node, StateSet states) const;

private:
    void pass_on(Node node);
    void pass_on(Node node, int state, const CallEdge& edge);
    Hold held_at(Node node, int state, StepId step) const;
    Hold strength_of(ExclusionSet exclusions, Node node, int state) const;

    const Program& program_;
    const Contexts& contexts_;
    Summaries& summaries_;
    const Handles& handles_;
    bool or_assured_;
    std::vector<std::array<Hold, kAllStates>> entries_;
    std::deque<Node> open_;  // whose callees may hold less than they are known to
    std::vector<bool> is_open_;
};

}  // namespace mqinspect::thread_level
