#include "analysis/local/window_facts.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <tuple>

namespace mqinspect::analysis {

using model::ProcessId;
using model::Role;

WindowFacts::WindowFacts(const model::Execution& execution)
    : execution_(execution),
      shares_addresses_(std::ranges::any_of(execution.procedures, [](const auto& procedure) {
          return procedure.name == "MPI_Win_shared_query" || procedure.name == "MPI_Win_sync";
      })) {
    find_shared_memory();
}

void WindowFacts::find_shared_memory() {
    struct Placed {
        ProcessId process;
        std::uint64_t low = 0;
        std::uint64_t high = 0;
        std::int64_t window = 0;
    };
    std::vector<Placed> all;
    for (std::size_t id = 0; id < execution_.windows.size(); ++id) {
        const model::RecordedWindow& window = execution_.windows[id];
        if (window.kind != "MPI_Win_create") continue;
        for (const model::RecordedWindow::Part& part : window.parts) {
            const std::uint64_t high = part.base + static_cast<std::uint64_t>(part.bytes);
            if (part.bytes > 0 && high > part.base)
                all.push_back({part.process, part.base, high, static_cast<std::int64_t>(id)});
        }
    }
    std::sort(all.begin(), all.end(), [](const Placed& a, const Placed& b) {
        return std::tie(a.process, a.low) < std::tie(b.process, b.low);
    });
    const auto root_of = [this](std::int64_t window) {
        for (auto at = first_sharing_.find(window);
             at != first_sharing_.end() && at->second != window;
             at = first_sharing_.find(window))
            window = at->second;
        return window;
    };
    const Placed* before = nullptr;
    for (const Placed& one : all) {
        if (before != nullptr && before->process == one.process && one.low < before->high) {
            const auto* const left = members(before->window);
            const auto* const right = members(one.window);
            if (left != nullptr && right != nullptr && *left == *right) {
                const std::int64_t first = std::min(root_of(before->window), root_of(one.window));
                for (const std::int64_t window : {root_of(before->window), root_of(one.window)})
                    first_sharing_[window] = first;
                first_sharing_[before->window] = first_sharing_[one.window] = first;
            }
        }
        if (before == nullptr || before->process != one.process || one.high > before->high)
            before = &one;
    }
    for (auto& [window, first] : first_sharing_)
        first = root_of(window);
}

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
