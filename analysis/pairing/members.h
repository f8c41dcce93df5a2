/// Ranks and processes of communicators, both ways.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "model/execution.h"

namespace mqinspect::analysis {

/// Members of a communicator count from 0: `members`, and then, of an intercommunicator,
/// `remote_members`.
class Members {
public:
    explicit Members(const model::Execution& execution);

    /// The process that `process` means by a rank; empty: no such rank, or not known.
    std::optional<model::ProcessId> process_of(model::CommunicatorId communicator,
                                               model::ProcessId process,
                                               std::int64_t rank) const;
    /// Empty: it is none.
    std::optional<std::uint32_t> member_of(model::CommunicatorId communicator,
                                           model::ProcessId process);
    /// A member's rank in its group.
    std::int64_t rank_of(model::CommunicatorId communicator, std::uint32_t member) const;
    std::uint32_t size(model::CommunicatorId communicator) const;
    model::ProcessId process(model::CommunicatorId communicator, std::uint32_t member) const;
    bool valid(std::int64_t communicator) const {
        return communicator >= 0 &&
               static_cast<std::size_t>(communicator) < execution_.communicators.size();
    }
    bool inter(model::CommunicatorId communicator) const {
        return execution_.communicators[communicator.index()].inter;
    }
    /// "MPI_COMM_WORLD", a name, or "a communicator of MPI_Comm_split".
    std::string name(model::CommunicatorId communicator) const;

private:
    struct Index {
        bool made = false;
        bool identity = false;  ///< member N is process N
        std::vector<std::pair<model::ProcessId, std::uint32_t>> sorted;
    };

    const Index& index(model::CommunicatorId communicator);
    bool in_remote_group(const model::RecordedCommunicator& communicator,
                         model::ProcessId process) const;

    const model::Execution& execution_;
    std::vector<Index> indices_;
};

}  // namespace mqinspect::analysis
