#include "inspector/snapshot/from_calls.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/mpi_function.h"

namespace mqinspect::snapshot {

namespace {

using model::Operation;
using model::Queue;

std::string started_by(const Operation& operation) {
    const bool persistent = operation.persistent;
    if (operation.queue == Queue::PostedReceive) {
        return persistent ? "MPI_Recv_init" : "MPI_Irecv";
    }
    if (operation.queue != Queue::PendingSend) return {};
    switch (operation.mode) {
        case model::SendMode::Standard:
            return persistent ? "MPI_Send_init" : "MPI_Isend";
        case model::SendMode::Synchronous:
            return persistent ? "MPI_Ssend_init" : "MPI_Issend";
        case model::SendMode::Ready:
            return persistent ? "MPI_Rsend_init" : "MPI_Irsend";
        case model::SendMode::Buffered:
        case model::SendMode::Unknown:
            return {};  // MPI_Bsend and MPI_Ibsend leave the same traces
    }
    return {};
}

model::SendMode mode_of(std::string_view function) {
    if (function == "MPI_Ssend") return model::SendMode::Synchronous;
    if (function == "MPI_Rsend") return model::SendMode::Ready;
    if (function == "MPI_Bsend") return model::SendMode::Buffered;
    return model::SendMode::Standard;
}

void take_peer(const std::optional<model::Peer>& peer, Operation& operation) {
    if (!peer || operation.comm_peer || operation.world_peer || operation.any_source) return;
    const bool receives = operation.queue == Queue::PostedReceive;
    if (peer->kind == model::Peer::Kind::AnySource) operation.any_source = receives;
    if (peer->kind != model::Peer::Kind::Rank) return;
    operation.comm_peer = peer->rank;
    operation.world_peer = peer->world_rank;
}

void complete_from(const model::Call& call, Operation& operation) {
    // Another communicator: the part of some other call.
    if (operation.persistent || call.communicator != operation.communicator) return;
    if (operation.queue == Queue::PendingSend) {
        take_peer(call.destination, operation);
        if (!operation.tag) operation.tag = call.send_tag;
        if (operation.mode == model::SendMode::Unknown) operation.mode = mode_of(call.function);
    } else if (operation.queue == Queue::PostedReceive) {
        take_peer(call.source, operation);
        if (operation.tag || operation.any_tag) return;
        operation.tag = call.receive_tag;
        operation.any_tag = call.any_tag;
    }
}

/// A send that no handle of the user names belongs to the only call that its rank is in. One
/// of which only the communicator is known may, which leaves open whom the call waits for.
void claim_parts(const model::Call& call, model::WorldRank rank, model::JobSnapshot& snapshot) {
    const auto function = model::find_mpi_function(call.function);
    if (!function || !model::is_collective(function->call_class) || !call.communicator) return;
    for (Operation& operation : snapshot.operations) {
        const bool unclear = operation.mode == model::SendMode::Unknown && !operation.tag &&
                             (!operation.request || !operation.comm_peer);
        if (operation.rank == rank && operation.queue == Queue::PendingSend && unclear &&
            !operation.persistent && operation.communicator == *call.communicator) {
            operation.collective = true;
        }
    }
}

bool makes_own_operations(const model::Call& call) {
    const auto function = model::find_mpi_function(call.function);
    if (!function) return true;
    using enum model::CallClass;
    return function->call_class == Send || function->call_class == Receive ||
           function->call_class == Sendrecv;
}

/// False while an operation of the rank may belong to a blocking call that could
/// not be tied to it.
bool calls_are_understood(const model::RankSnapshot& rank) {
    if (rank.state != model::RankState::Blocked && rank.state != model::RankState::Running) {
        return false;
    }
    const auto understood = [](const model::Call& call) {
        return !call.operations.empty() || !makes_own_operations(call);
    };
    return (!rank.call || understood(*rank.call)) &&
           std::ranges::all_of(rank.more_calls, understood);
}

}  // namespace

void complete_operations(model::JobSnapshot& snapshot) {
    for (const model::RankSnapshot& rank : snapshot.ranks) {
        const auto complete = [&](const model::Call& call) {
            if (!makes_own_operations(call)) {
                if (rank.more_calls.empty()) claim_parts(call, rank.rank, snapshot);
                return;
            }
            for (const std::size_t i : call.operations)
                complete_from(call, snapshot.operations[i]);
        };
        if (rank.call) complete(*rank.call);
        std::ranges::for_each(rank.more_calls, complete);
    }
}

void name_functions(model::JobSnapshot& snapshot) {
    for (const model::RankSnapshot& rank : snapshot.ranks) {
        const auto name = [&](const model::Call& call) {
            for (const std::size_t i : call.operations) {
                snapshot.operations[i].function = call.function;
            }
        };
        if (rank.call) name(*rank.call);
        std::ranges::for_each(rank.more_calls, name);
    }
    std::vector<bool> understood;
    for (const model::RankSnapshot& rank : snapshot.ranks) {
        understood.push_back(calls_are_understood(rank));
    }
    // What travels on a window's communicator is the library's own.
    std::vector<bool> of_window(snapshot.communicators.size());
    for (const model::Window& window : snapshot.windows)
        of_window[window.communicator.index()] = true;
    const auto is_internal = [&](const Operation& operation) {
        const std::size_t communicator = operation.communicator.index();
        return operation.collective || (communicator < of_window.size() && of_window[communicator]);
    };
    for (Operation& operation : snapshot.operations) {
        if (operation.function.empty() && !is_internal(operation) &&
            operation.rank.index() < understood.size() && understood[operation.rank.index()]) {
            operation.function = started_by(operation);
        }
    }
}

}  // namespace mqinspect::snapshot
