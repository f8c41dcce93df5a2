#include "inspector/snapshot/decode.h"

#include <algorithm>
#include <utility>

#include "include/mpich_handles.h"
#include "model/worlds.h"

namespace mqinspect::snapshot {

namespace {

using model::Operation;
using model::Queue;

class Decoder {
public:
    Decoder(const RawCall& raw,
            const model::JobSnapshot& snapshot,
            const model::RankSnapshot& rank,
            const RankOperations& operations)
        : raw_(raw), snapshot_(snapshot), rank_(rank), operations_(operations) {}

    model::Call decode() const {
        model::Call call;
        call.function = raw_.site.function.name;
        call.communicator = communicator();
        if (window() != nullptr) call.communicator = window()->communicator;
        if (!call.communicator && raw_.file_comm) call.communicator = by_handle(*raw_.file_comm);
        for (const RawArgument& argument : raw_.arguments) {
            call.arguments.push_back({argument.name, show(argument)});
        }
        decode_envelope(call);
        call.moved_bytes = raw_.moved_bytes;
        if (raw_.requests) call.requests = waited_requests();
        call.operations = own_operations(call);
        if (raw_.site.function.call_class == model::CallClass::Probe)
            call.source ? add_probe(call) : complete_probe(call);
        return call;
    }

private:
    const model::Membership* membership(std::int64_t handle) const {
        // MPICH's handle is an int, Open MPI's the address of an object, which may be as small.
        const bool may_be_int =
            std::in_range<std::int32_t>(handle) || std::in_range<std::uint32_t>(handle);
        const auto found = std::ranges::find_if(rank_.memberships, [&](const auto& membership) {
            return membership.handle != 0 && may_be_int
                       ? membership.handle == static_cast<std::uint32_t>(handle)
                       : std::cmp_equal(membership.address, handle);
        });
        return found != rank_.memberships.end() ? &*found : nullptr;
    }

    /// The one that the call works on, whatever its procedure calls it (MPI 4.0, A.3).
    std::optional<model::CommunicatorId> communicator() const {
        for (const std::string_view name : {"comm", "comm_old", "local_comm", "intercomm"}) {
            const auto handle = raw_.value(name);
            if (!handle || *handle == 0) continue;
            return by_handle(*handle);
        }
        return std::nullopt;
    }

    std::optional<model::CommunicatorId> by_handle(std::int64_t handle) const {
        const model::Membership* found = membership(handle);
        return found != nullptr ? std::optional(found->communicator) : std::nullopt;
    }

    /// The window that the call names. Its communicator stands for it.
    const model::Window* window() const {
        if (!raw_.window) return nullptr;
        const auto found = std::ranges::find_if(snapshot_.windows, [&](const auto& each) {
            return each.rank == rank_.rank && each.handle == *raw_.window;
        });
        return found != snapshot_.windows.end() ? &*found : nullptr;
    }

    std::string show(const RawArgument& argument) const {
        if (argument.name == "win" && window() != nullptr) return window()->name;
        if (argument.type != "MPI_Comm" || !argument.value) return show_argument(argument);
        if (static_cast<std::uint32_t>(*argument.value) == mpich::kCommNull) return "MPI_COMM_NULL";
        const model::Membership* found = membership(*argument.value);
        if (found == nullptr) return show_argument(argument);
        return model::communicator_name(model::Worlds(snapshot_),
                                        snapshot_.communicators[found->communicator.index()]);
    }

    std::optional<model::Peer> peer(std::string_view argument, const model::Call& call) const {
        const auto value = raw_.value(argument);
        if (!value) return std::nullopt;
        model::Peer result;
        switch (*value) {
            case mpich::kAnySource:
                result.kind = model::Peer::Kind::AnySource;
                return result;
            case mpich::kProcNull:
                result.kind = model::Peer::Kind::ProcNull;
                return result;
            case mpich::kRoot:
                result.kind = model::Peer::Kind::Root;
                return result;
            default:
                break;
        }
        if (*value < 0) return std::nullopt;
        result.rank = model::CommRank{static_cast<int>(*value)};
        if (!call.communicator) return result;
        const auto& group =
            model::peer_group(snapshot_.communicators[call.communicator->index()], rank_.rank);
        if (result.rank.index() >= group.size()) return std::nullopt;
        if (group[result.rank.index()] != model::kUnknownRank) {
            result.world_rank = group[result.rank.index()];
        }
        return result;
    }

    void decode_envelope(model::Call& call) const {
        using enum model::CallClass;
        const model::CallClass call_class = raw_.site.function.call_class;
        const bool both = call_class == Sendrecv;
        if (call_class == Send || both) {
            call.destination = peer("dest", call);
            call.send_tag = tag(both ? "sendtag" : "tag");
        }
        if (call_class == Receive || call_class == Probe || both) {
            call.source = peer("source", call);
            const auto receive_tag = tag(both ? "recvtag" : "tag");
            call.any_tag = receive_tag == mpich::kAnyTag;
            if (!call.any_tag) call.receive_tag = receive_tag;
        }
        if (call_class == WindowTarget) call.destination = peer("rank", call);
        if (model::is_collective(call_class)) call.root = peer("root", call);
    }

    std::optional<int> tag(std::string_view argument) const {
        const auto value = raw_.value(argument);
        return value ? std::optional(static_cast<int>(*value)) : std::nullopt;
    }

    std::vector<model::WaitedRequest> waited_requests() const {
        std::vector<model::WaitedRequest> result;
        result.reserve(raw_.requests->size());
        for (std::size_t i = 0; i < raw_.requests->size(); ++i) {
            const std::uint32_t handle = (*raw_.requests)[i];
            model::WaitedRequest request;
            request.handle = handle;
            request.null = handle == mpich::kRequestNull;
            // MPICH hands out a builtin request for what finished at once.
            request.finished = mpich::handle_kind(handle) == mpich::HandleKind::Builtin;
            if (!request.null && !request.finished) {
                request.operation = operations_.by_handle(handle);
                if (!request.operation && i < raw_.request_objects.size()) {
                    request.operation = operations_.by_address(raw_.request_objects[i]);
                }
                const bool over = i < raw_.request_complete.size() && raw_.request_complete[i];
                if (!request.operation && !over && i < raw_.request_comms.size()) {
                    request.operation = collective_on(raw_.request_comms[i], number_of(i));
                }
                request.finished = !request.operation && over;
            }
            result.push_back(request);
        }
        return result;
    }

    std::int64_t number_of(std::size_t request) const {
        return request < raw_.request_numbers.size() ? raw_.request_numbers[request] : -1;
    }

    /// Open MPI's requests of nonblocking collective operations have no address in the lists:
    /// the operation is that with the number or, if the request does not say it, the only one
    /// that is under way there.
    std::optional<std::size_t> collective_on(std::uint64_t comm, std::int64_t number) const {
        const model::Membership* where =
            comm == 0 ? nullptr : membership(static_cast<std::int64_t>(comm));
        std::optional<std::size_t> found;
        for (const std::size_t index : operations_.all()) {
            const Operation& operation = snapshot_.operations[index];
            if (where == nullptr || operation.queue != Queue::Collective ||
                operation.communicator != where->communicator) {
                continue;
            }
            if (number >= 0) {
                if (operation.sequence == number) return index;
                continue;
            }
            if (found) return std::nullopt;
            found = index;
        }
        return found;
    }

    std::vector<std::size_t> own_operations(const model::Call& call) const {
        std::vector<std::size_t> found;
        for (const std::uint64_t address : raw_.own_requests) {
            const auto operation = operations_.by_address(address);
            if (operation && std::ranges::find(found, *operation) == found.end()) {
                found.push_back(*operation);
            }
        }
        if (!found.empty()) return found;
        using enum model::CallClass;
        const model::CallClass call_class = raw_.site.function.call_class;
        if (call_class == Send || call_class == Sendrecv) {
            add_by_envelope(Queue::PendingSend, call, found);
        }
        if (call_class == Receive || call_class == Sendrecv) {
            add_by_envelope(Queue::PostedReceive, call, found);
        }
        return found;
    }

    /// In Open MPI, MPI_Mprobe is a receive of nothing into no buffer
    /// (ompi/mca/pml/ob1/pml_ob1_iprobe.c).
    static bool takes_nothing(const Operation& operation) {
        return operation.buffer == 0 && operation.count == 0U;
    }

    static bool has_peer(const Operation& operation, const model::Peer& peer) {
        return peer.kind == model::Peer::Kind::AnySource ? operation.any_source
                                                         : operation.comm_peer == peer.rank;
    }

    /// What a call of Open MPI waits for is in its lists as long as it waits, whatever is known of
    /// its arguments without debug information: if there is just one such operation that has not
    /// completed, it is the call's.
    std::optional<std::size_t> only_pending(Queue queue, bool probes) const {
        std::optional<std::size_t> found;
        for (const std::size_t index : operations_.all()) {
            const Operation& operation = snapshot_.operations[index];
            if (operation.queue != queue || operation.state != model::OperationState::Pending ||
                operation.persistent || operation.collective ||
                (probes && !takes_nothing(operation)) || !is_of_open_mpi(operation))
                continue;
            if (found) return std::nullopt;
            found = index;
        }
        return found;
    }

    /// The youngest, as in add_by_envelope().
    void add_probe(model::Call& call) const {
        for (auto index = operations_.all().rbegin(); index != operations_.all().rend(); ++index) {
            const Operation& operation = snapshot_.operations[*index];
            const bool looks = takes_nothing(operation) &&
                               operation.queue == Queue::PostedReceive && !operation.persistent &&
                               !operation.collective && is_of_open_mpi(operation);
            if (!looks || !has_peer(operation, *call.source) ||
                operation.communicator != call.communicator)
                continue;
            call.operations = {*index};
            return;
        }
    }

    void complete_probe(model::Call& call) const {
        const auto found = only_pending(Queue::PostedReceive, true);
        if (!found) return;
        const Operation& looks = snapshot_.operations[*found];
        if (!looks.any_source && !looks.comm_peer) return;
        model::Peer source;
        source.kind = looks.any_source ? model::Peer::Kind::AnySource : model::Peer::Kind::Rank;
        if (looks.comm_peer) source.rank = *looks.comm_peer;
        source.world_rank = looks.world_peer;
        call.source = source;
        call.communicator = looks.communicator;
        call.any_tag = looks.any_tag;
        call.receive_tag = looks.tag;
        call.operations = {*found};
    }

    /// Its communicators are known by the addresses of their objects alone.
    bool is_of_open_mpi(const Operation& operation) const {
        const auto found = std::ranges::find(
            rank_.memberships, operation.communicator, &model::Membership::communicator);
        return found != rank_.memberships.end() && found->handle == 0 && found->address != 0;
    }

    std::optional<std::int64_t> buffer_of(Queue queue) const {
        const bool both = raw_.site.function.call_class == model::CallClass::Sendrecv;
        const auto of_part = raw_.value(queue == Queue::PendingSend ? "sendbuf" : "recvbuf");
        // MPI_Sendrecv_replace has one for both.
        return both && of_part ? of_part : raw_.value("buf");
    }

    /// What a recorder has noted for a call has the call's name, and no request: that takes no
    /// arguments but to tell the calls of threads apart.
    bool add_recorded(Queue queue, const model::Call& call, std::vector<std::size_t>& found) const {
        const auto buffer = buffer_of(queue);
        for (const std::size_t index : operations_.all()) {
            const Operation& operation = snapshot_.operations[index];
            const bool is_other =
                (buffer && operation.buffer != static_cast<std::uint64_t>(*buffer)) ||
                (call.communicator && operation.communicator != *call.communicator);
            if (operation.queue != queue || operation.request || operation.persistent ||
                operation.function != call.function || is_other) {
                continue;
            }
            found.push_back(index);
            return true;
        }
        return false;
    }

    /// Without the library's variables: the youngest operation with the call's
    /// buffer and envelope is the call's own, as it was started last.
    void add_by_envelope(Queue queue,
                         const model::Call& call,
                         std::vector<std::size_t>& found) const {
        if (add_recorded(queue, call, found)) return;
        const auto buffer = buffer_of(queue);
        const auto& wanted = queue == Queue::PendingSend ? call.destination : call.source;
        if (!buffer && !wanted && !call.communicator) {
            if (const auto only = only_pending(queue, false)) found.push_back(*only);
            return;
        }
        if (!buffer || !wanted || !call.communicator) return;
        for (auto index = operations_.all().rbegin(); index != operations_.all().rend(); ++index) {
            const Operation& operation = snapshot_.operations[*index];
            const bool unknown_peer = !operation.comm_peer && !operation.any_source;
            if (operation.queue == queue && operation.communicator == *call.communicator &&
                operation.buffer == static_cast<std::uint64_t>(*buffer) &&
                (has_peer(operation, *wanted) || unknown_peer) && !operation.collective &&
                !operation.persistent) {
                found.push_back(*index);
                return;
            }
        }
    }

    const RawCall& raw_;
    const model::JobSnapshot& snapshot_;
    const model::RankSnapshot& rank_;
    const RankOperations& operations_;
};

}  // namespace

std::vector<RankOperations> RankOperations::index(const model::JobSnapshot& snapshot) {
    std::vector<RankOperations> ranks(snapshot.ranks.size());
    for (std::size_t i = 0; i < snapshot.operations.size(); ++i) {
        const Operation& operation = snapshot.operations[i];
        if (operation.rank.value < 0 || operation.rank.index() >= ranks.size()) continue;
        RankOperations& rank = ranks[operation.rank.index()];
        rank.all_.push_back(i);
        if (operation.request) rank.by_handle_.try_emplace(*operation.request, i);
        if (operation.address != 0) rank.by_address_.try_emplace(operation.address, i);
        if (operation.active_address != 0)
            rank.by_address_.try_emplace(operation.active_address, i);
    }
    return ranks;
}

std::optional<std::size_t> RankOperations::by_handle(std::uint32_t handle) const {
    const auto found = by_handle_.find(handle);
    return found != by_handle_.end() ? std::optional(found->second) : std::nullopt;
}

std::optional<std::size_t> RankOperations::by_address(std::uint64_t address) const {
    const auto found = by_address_.find(address);
    return found != by_address_.end() ? std::optional(found->second) : std::nullopt;
}

model::Call decode_call(const RawCall& raw,
                        const model::JobSnapshot& snapshot,
                        const model::RankSnapshot& rank,
                        const RankOperations& operations) {
    return Decoder(raw, snapshot, rank, operations).decode();
}

}  // namespace mqinspect::snapshot
