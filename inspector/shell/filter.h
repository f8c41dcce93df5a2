/// Which operations `queues` shows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/job_snapshot.h"

namespace mqinspect::shell {

/// Conditions that an operation must all meet; what is not set does not matter.
struct OperationFilter {
    enum class Compare { Equal, Less, More };

    std::vector<model::CommunicatorId> communicators;  ///< one of these; empty: any
    /// Ranks in the job or, with local_ranks, in the communicator; ascending.
    std::optional<std::vector<int>> ranks;
    std::optional<int> tag;  ///< a receive from any tag fits, too
    bool wildcard_tag = false;
    std::optional<model::Queue> queue;
    std::optional<model::OperationState> state;
    std::optional<std::uint64_t> bytes;
    Compare compare = Compare::Equal;
    bool local_ranks = false;
    /// Fold nothing, and show the MPI library's own operations.
    bool all = false;

    bool fits(const model::JobSnapshot& snapshot, const model::Operation& operation) const;
};

/// The words of `queues` that stand before a value, and the other ones.
std::span<const std::string_view> filter_keys();
std::span<const std::string_view> filter_flags();
/// What may stand behind a key whose values are fixed: "queue", "state"; else empty.
std::span<const std::string_view> filter_values(std::string_view key);

/// From the words behind `queues`. InvalidArgument with a line for the user.
Result<OperationFilter> parse_filter(std::span<const std::string> words,
                                     const model::JobSnapshot& snapshot);

/// Those of that name, of which there may be several; "#3" is the one with this id.
/// InvalidArgument: there is none.
Result<std::vector<model::CommunicatorId>> find_communicators(const model::JobSnapshot& snapshot,
                                                              std::string_view name);

}  // namespace mqinspect::shell
