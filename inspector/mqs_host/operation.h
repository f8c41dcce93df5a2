/// From what a DLL says of an operation to the model's Operation.
#pragma once

#include <cstddef>
#include <string>

#include "inspector/mqs_host/mqs_host.h"
#include "model/communicator.h"
#include "model/operation.h"

namespace mqinspect::mqs_host {

/// What the peer of an operation is checked against.
struct PeerGroup {
    /// World ranks by rank in the peer's group; null: not known.
    const std::vector<model::WorldRank>* members = nullptr;
    /// Number of members, 0 if not known.
    std::size_t size = 0;
    /// Ranks in MPI_COMM_WORLD.
    std::size_t world_size = 0;
};

/// A number that cannot be true becomes unknown. A receive that has met its
/// message names the sender and its tag, whatever it was posted with. `function`
/// is empty where the DLL does not tell: whether a call blocks does not show in a queue.
/// Empty: the queue is none that the model knows.
std::optional<model::Operation> convert(const HostedOperation& hosted,
                                        model::WorldRank rank,
                                        model::CommunicatorId communicator,
                                        const PeerGroup& peers);

/// Text of a DLL for a reader: without control characters, and valid UTF-8.
std::string printable(std::string_view text);

}  // namespace mqinspect::mqs_host
