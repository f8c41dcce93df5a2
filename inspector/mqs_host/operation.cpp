#include "inspector/mqs_host/operation.h"

#include <cstring>
#include <limits>

namespace mqinspect::mqs_host {

namespace {

using model::Operation;
using model::Queue;

/// MPI_ANY_SOURCE as Open MPI and as MPICH store it; the interface asks for -1.
constexpr long kAnySource = -1;
constexpr long kAnySourceOfMpich = -2;

std::optional<Queue> queue_of(int queue) {
    switch (queue) {
        case mqs_pending_sends:
            return Queue::PendingSend;
        case mqs_pending_receives:
            return Queue::PostedReceive;
        case mqs_unexpected_messages:
            return Queue::UnexpectedMessage;
        case mqs_pending_collectives:
            return Queue::Collective;
        default:
            return std::nullopt;
    }
}

model::OperationState state_of(int status) {
    if (status == mqs_st_complete) return model::OperationState::Complete;
    return status == mqs_st_matched ? model::OperationState::Matched
                                    : model::OperationState::Pending;
}

model::SendMode mode_of(int kind) {
    switch (kind) {
        case mqs_op_send:
            return model::SendMode::Standard;
        case mqs_op_synchronous_send:
            return model::SendMode::Synchronous;
        case mqs_op_ready_send:
            return model::SendMode::Ready;
        case mqs_op_buffered_send:
            return model::SendMode::Buffered;
        default:
            return model::SendMode::Unknown;
    }
}

model::Protocol protocol_of(int protocol) {
    switch (protocol) {
        case mqs_protocol_eager:
            return model::Protocol::Eager;
        case mqs_protocol_rendezvous:
            return model::Protocol::Rendezvous;
        case mqs_protocol_self:
            return model::Protocol::Self;
        default:
            return model::Protocol::Unknown;
    }
}

std::optional<std::uint64_t> length_from(long long length) {
    if (length < 0) return std::nullopt;
    return static_cast<std::uint64_t>(length);
}

std::optional<int> tag_from(long tag) {
    if (tag < 0 || tag > std::numeric_limits<int>::max()) return std::nullopt;
    return static_cast<int>(tag);
}

/// `world` counts only where the group is not known, Open MPI's DLL gives the
/// communicator's rank there, and for a peer that has no rank in the group: traffic
/// inside one group of an intercommunicator.
void set_peer(Operation& operation, long local, long world, const PeerGroup& peers) {
    const bool can_be = local >= 0 && local <= std::numeric_limits<int>::max() &&
                        (peers.size == 0 || static_cast<std::size_t>(local) < peers.size);
    if (can_be) operation.comm_peer = model::CommRank(static_cast<int>(local));
    if (peers.members != nullptr && local >= 0) {
        if (!can_be) return;
        const auto member = (*peers.members)[static_cast<std::size_t>(local)];
        if (member != model::kUnknownRank) operation.world_peer = member;
    } else if (world >= 0 && static_cast<std::size_t>(world) < peers.world_size) {
        operation.world_peer = model::WorldRank(static_cast<int>(world));
    }
}

void set_envelope(Operation& operation, const mqs_pending_operation& from, const PeerGroup& peers) {
    const bool is_receive = operation.queue == Queue::PostedReceive;
    const bool has_met = operation.state != model::OperationState::Pending;
    // A message has a sender and a tag from the start.
    const bool use_actual = operation.queue == Queue::UnexpectedMessage || (is_receive && has_met);
    if (use_actual) {
        set_peer(operation, from.actual_local_rank, from.actual_global_rank, peers);
        operation.tag = tag_from(from.actual_tag);
    }
    if (!operation.comm_peer) {
        const long source = from.desired_local_rank;
        // A known process without a rank in the communicator is no wildcard: traffic
        // inside one group of an intercommunicator.
        operation.any_source = is_receive && from.desired_global_rank < 0 &&
                               (source == kAnySource || source == kAnySourceOfMpich);
        if (!operation.any_source) {
            set_peer(operation, source, from.desired_global_rank, peers);
        }
    }
    if (!operation.tag) {
        operation.any_tag = is_receive && from.tag_wild != 0;
        if (!operation.any_tag) operation.tag = tag_from(from.desired_tag);
    }
}

void set_details(Operation& operation, const mqs_operation_details& details) {
    operation.mode = mode_of(details.kind);
    operation.protocol = protocol_of(details.protocol);
    operation.persistent = details.persistent != 0;
    operation.collective = details.collective != 0;
    operation.synchronous = operation.queue == Queue::UnexpectedMessage && details.synchronous != 0;
    if (operation.queue == Queue::Collective) {
        operation.bytes = length_from(details.count);
    } else {
        operation.count = length_from(details.count);
    }
    operation.datatype = printable(
        {details.datatype_name, strnlen(details.datatype_name, sizeof details.datatype_name)});
    if (operation.queue == Queue::Collective && details.sequence >= 0) {
        operation.sequence = details.sequence;
    }
    if (details.request != 0) operation.request = details.request;
    if (details.part_of != 0) operation.part_of = details.part_of;
    if (operation.queue == Queue::Collective && details.kind == mqs_op_sendrecv) {
        operation.function = "MPI_Isendrecv";
    } else {
        operation.function =
            printable({details.function, strnlen(details.function, sizeof details.function)});
    }
    operation.address = details.request_address;
    operation.active_address = details.active_address;
}

/// World ranks of members; empty if one of them is none, or is not known.
std::vector<model::WorldRank> members_of(const std::vector<int>& ranks, const PeerGroup& peers) {
    std::vector<model::WorldRank> members;
    if (peers.members == nullptr) return members;
    for (const int rank : ranks) {
        if (rank < 0 || static_cast<std::size_t>(rank) >= peers.members->size()) return {};
        members.push_back((*peers.members)[static_cast<std::size_t>(rank)]);
        if (members.back() == model::kUnknownRank) return {};
    }
    return members;
}

/// Bytes of the well-formed UTF-8 sequence at the start of `text`, 0 if there is
/// none (Unicode 15, table 3-7, without the finer bounds of the second byte for
/// overlong forms of three and four bytes, which are checked by value).
std::size_t sequence_length(std::string_view text) {
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = at(0);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
    unsigned value = first & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((at(i) & 0xC0U) != 0x80) return 0;
        value = (value << 6U) | (at(i) & 0x3FU);
    }
    const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
    const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
    return overlong || surrogate || value > 0x10FFFF ? 0 : length;
}

}  // namespace

std::string printable(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = sequence_length(text);
        const auto first = static_cast<unsigned char>(text.front());
        const bool is_control = length == 1 && (first < 0x20 || first == 0x7F);
        if (length == 0 || is_control) {
            result += '?';
        } else {
            result += text.substr(0, length);
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return result;
}

std::optional<Operation> convert(const HostedOperation& hosted,
                                 model::WorldRank rank,
                                 model::CommunicatorId communicator,
                                 const PeerGroup& peers) {
    const auto queue = queue_of(hosted.queue);
    if (!queue) return std::nullopt;
    const mqs_pending_operation& from = hosted.operation;
    Operation operation;
    operation.rank = rank;
    operation.communicator = communicator;
    operation.queue = *queue;
    operation.state = state_of(from.status);
    operation.buffer = from.buffer;
    if (*queue != Queue::Collective) {
        set_envelope(operation, from, peers);
        operation.bytes = length_from(*queue == Queue::UnexpectedMessage ? from.actual_length
                                                                         : from.desired_length);
    }
    if (hosted.has_details) set_details(operation, hosted.details);
    if (*queue == Queue::Collective) {
        operation.receives_from = members_of(hosted.receives_from, peers);
        operation.sends_to = members_of(hosted.sends_to, peers);
    }
    operation.doubtful = hosted.doubtful;
    for (const auto& line : from.extra_text) {
        if (line[0] == '\0') break;
        operation.extra_text.push_back(printable({line, strnlen(line, sizeof line)}));
    }
    return operation;
}

}  // namespace mqinspect::mqs_host
