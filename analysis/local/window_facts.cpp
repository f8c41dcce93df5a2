#include "analysis/local/window_facts.h"

#include <algorithm>
#include <cstddef>
#include <set>

namespace mqinspect::analysis {

using model::ProcessId;
using model::Role;

const std::vector<ProcessId>* WindowFacts::members(std::int64_t window) const {
    const auto at = static_cast<std::size_t>(window);
    if (window < 0 || at >= execution_.windows.size()) return nullptr;
    const model::CommunicatorId id = execution_.windows[at].communicator;
    if (id.value < 0 || id.index() >= execution_.communicators.size()) return nullptr;
    return &execution_.communicators[id.index()].members;
}

bool WindowFacts::covers(std::int64_t communicator, std::int64_t window) {
    const auto [entry, added] = covers_.try_emplace({communicator, window}, false);
    if (!added) return entry->second;
    const auto at = static_cast<std::size_t>(communicator);
    const std::vector<ProcessId>* const inner = members(window);
    if (communicator < 0 || at >= execution_.communicators.size() || inner == nullptr) return false;
    const auto& all = execution_.communicators[at].members;
    const std::set<ProcessId> outer(all.begin(), all.end());
    return entry->second = std::ranges::all_of(
               *inner, [&outer](ProcessId one) { return outer.count(one) != 0; });
}

std::vector<ProcessId> WindowFacts::named_by(const CallView& view, std::int64_t window) const {
    std::vector<ProcessId> result;
    const model::Value* const group = view.in(Role::Group);
    if (group == nullptr) return result;
    for (const ProcessId member : *members(window)) {
        if (member.value < 0) continue;
        const std::int64_t rank = execution_.processes[member.index()].rank.value;
        if (std::ranges::find(group->list, rank) != group->list.end()) result.push_back(member);
    }
    return result;
}

bool WindowFacts::is_exclusive(std::int64_t lock_type) const {
    const auto found = execution_.constants.find("MPI_LOCK_EXCLUSIVE");
    if (found != execution_.constants.end()) return lock_type == found->second;
    // MPICH's and Open MPI's numbers of MPI_LOCK_SHARED.
    return lock_type != 235 && lock_type != 2;
}

}  // namespace mqinspect::analysis
