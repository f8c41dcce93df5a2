/// What every caller of a function holds while it calls.
#pragma once

#include <array>
#include <vector>

#include "thread_level/analysis/contexts.h"
#include "thread_level/analysis/summaries.h"

namespace mqinspect::thread_level {

class EntryLocks {
public:
    EntryLocks(const Program& program, const Contexts& contexts, Summaries& summaries);

    /// In each of `states` in which `node` is entered.
    ExclusionSet held(Node node, StateSet states);
    /// The same, counting those that are held only where a condition holds.
    ExclusionSet perhaps_held(Node node, StateSet states);

private:
    struct Entry {
        bool is_known = false;
        ExclusionSet held = 0;
        ExclusionSet perhaps = 0;
    };

    bool pass_on(Node node);
    bool lower(Entry& entry, ExclusionSet held, ExclusionSet perhaps);
    bool pass_on(Node node, int state, const CallEdge& edge);

    const Program& program_;
    const Contexts& contexts_;
    Summaries& summaries_;
    std::vector<std::array<Entry, kAllStates>> entries_;
};

}  // namespace mqinspect::thread_level
