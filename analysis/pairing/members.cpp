#include "analysis/pairing/members.h"

#include <algorithm>

namespace mqinspect::analysis {

using model::CommunicatorId;
using model::ProcessId;

Members::Members(const model::Execution& execution)
    : execution_(execution), indices_(execution.communicators.size()) {}

const Members::Index& Members::index(CommunicatorId communicator) {
    Index& index = indices_[communicator.index()];
    if (index.made) return index;
    index.made = true;
    const model::RecordedCommunicator& recorded = execution_.communicators[communicator.index()];
    const std::uint32_t count = size(communicator);
    index.identity = !recorded.inter;
    for (std::uint32_t member = 0; member < count; ++member) {
        const ProcessId id = process(communicator, member);
        index.identity = index.identity && id.value == static_cast<int>(member);
        index.sorted.emplace_back(id, member);
    }
    if (index.identity) {
        index.sorted = {};
    } else {
        std::sort(index.sorted.begin(), index.sorted.end());
    }
    return index;
}

bool Members::in_remote_group(const model::RecordedCommunicator& communicator,
                              ProcessId process) const {
    const auto& remote = communicator.remote_members;
    return std::find(remote.begin(), remote.end(), process) != remote.end();
}

std::optional<ProcessId> Members::process_of(CommunicatorId communicator,
                                             ProcessId process,
                                             std::int64_t rank) const {
    const model::RecordedCommunicator& recorded = execution_.communicators[communicator.index()];
    const bool other = recorded.inter && !in_remote_group(recorded, process);
    const std::vector<ProcessId>& group = other ? recorded.remote_members : recorded.members;
    if (rank < 0 || static_cast<std::size_t>(rank) >= group.size()) return std::nullopt;
    const ProcessId found = group[static_cast<std::size_t>(rank)];
    if (found.value < 0 || found.index() >= execution_.processes.size()) return std::nullopt;
    return found;
}

std::optional<std::uint32_t> Members::member_of(CommunicatorId communicator, ProcessId process) {
    const Index& known = index(communicator);
    if (known.identity) {
        if (process.index() >= size(communicator)) return std::nullopt;
        return static_cast<std::uint32_t>(process.value);
    }
    const auto found = std::lower_bound(
        known.sorted.begin(), known.sorted.end(), std::pair{process, std::uint32_t{0}});
    if (found == known.sorted.end() || found->first != process) return std::nullopt;
    return found->second;
}

std::int64_t Members::rank_of(CommunicatorId communicator, std::uint32_t member) const {
    const std::size_t local = execution_.communicators[communicator.index()].members.size();
    return member < local ? std::int64_t{member} : static_cast<std::int64_t>(member - local);
}

std::uint32_t Members::size(CommunicatorId communicator) const {
    const model::RecordedCommunicator& recorded = execution_.communicators[communicator.index()];
    return static_cast<std::uint32_t>(recorded.members.size() + recorded.remote_members.size());
}

ProcessId Members::process(CommunicatorId communicator, std::uint32_t member) const {
    const model::RecordedCommunicator& recorded = execution_.communicators[communicator.index()];
    const std::size_t local = recorded.members.size();
    return member < local ? recorded.members[member] : recorded.remote_members[member - local];
}

std::string Members::name(CommunicatorId communicator) const {
    if (!valid(communicator.value)) return "an unknown communicator";
    const model::RecordedCommunicator& recorded = execution_.communicators[communicator.index()];
    if (!recorded.name.empty()) return recorded.name;
    return "a communicator of " + recorded.constructor;
}

}  // namespace mqinspect::analysis
