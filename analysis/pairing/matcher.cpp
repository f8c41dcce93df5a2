#include "analysis/pairing/matcher.h"

#include <algorithm>

namespace mqinspect::analysis {

using model::ProcessId;
using model::RecordedCall;
using model::Role;

namespace {

constexpr std::uint64_t call_key(ProcessId process, int thread, std::uint64_t event) {
    return static_cast<std::uint64_t>(process.value) << 44 |
           (static_cast<std::uint64_t>(thread) & 0xff) << 36 | (event & 0xf'ffff'ffffULL);
}

constexpr std::size_t kMaxProcesses = std::size_t{1} << 20;

}  // namespace

InvolvedCall EventSite::involved(std::string_view part, bool anomalous) const {
    return {process, thread, event, procedure, stack, returned, std::string(part), anomalous};
}

EventSite event_site_of(const RecordedCall& call) {
    return {call.process,
            call.thread,
            call.procedure,
            call.stack,
            call.event,
            call.enter_ns,
            call.leave_event.has_value()};
}

void Matcher::Waits::clear() {
    operations.clear();
    waves.clear();
    any = satisfied = polling = not_ready = probe = false;
}

std::int64_t Matcher::Context::in(Role role, std::int64_t otherwise) const {
    const model::Value* value = model::value_of(procedure, call.before, role);
    return value == nullptr ? otherwise : value->number;
}

const model::Value* Matcher::Context::out(Role role) const {
    return call.leave_event ? model::value_of(procedure, call.after, role) : nullptr;
}

Matcher::Matcher(const model::Recording& recording,
                 const std::vector<CallKind>& kinds,
                 Members& members,
                 MatchVisitor* visitor)
    : recording_(recording),
      execution_(recording.execution()),
      kinds_(kinds),
      members_(members),
      visitor_(visitor),
      outcomes_(recording, kinds),
      requests_(execution_.processes.size()),
      order_of_communicator_(execution_.communicators.size(), ~std::uint32_t{0}),
      tested_sends_(execution_.processes.size()),
      finalizing_(execution_.processes.size()) {
    for (const model::RecordedEvent& event : execution_.events) {
        if (event.kind != model::EventKind::MpiError || event.numbers.empty()) continue;
        if (!arrived_wrong(event.process, event.numbers[0])) {
            refused_.push_back(call_key(event.process, event.thread, event.event));
        } else {
            truncated_.push_back(event.process);
        }
    }
    std::ranges::sort(truncated_);
    std::sort(refused_.begin(), refused_.end());
}

// The error is one of what came: the call has done its part. MPICH reports sizes that do not
// match in collective operations as MPI_ERR_OTHER.
bool Matcher::arrived_wrong(ProcessId process, std::int64_t code) const {
    const model::RecordedErrorCode* const known = execution_.error_code(process, code);
    return known != nullptr &&
           (known->error_class == "MPI_ERR_TRUNCATE" || known->error_class == "MPI_ERR_IN_STATUS" ||
            known->error_class == "MPI_ERR_OTHER");
}

void Matcher::feed(const RecordedCall& call) {
    const CallKind& kind = kinds_[call.procedure.index()];
    waits_.clear();
    if (kind.action == Action::None) return;
    if (call.process.index() >= kMaxProcesses) return;
    const Context context{call, execution_.procedures[call.procedure.index()], kind};
    switch (kind.action) {
        case Action::Send:
            return feed_send(context);
        case Action::Receive:
            return feed_receive(context);
        case Action::SendReceive:
        case Action::SendReceiveReplace:
            return feed_both(context);
        case Action::Probe:
        case Action::MatchedProbe:
            return feed_probe(context);
        case Action::MatchedReceive:
            return feed_matched_receive(context);
        case Action::Complete:
            return feed_completion(context);
        case Action::Start:
            return feed_start(context);
        case Action::Ready:
            return feed_ready(context);
        case Action::Free:
            return feed_free(context);
        case Action::Collective:
            return feed_collective(context);
        case Action::Finalize:
            finalizing_[call.process.index()] = true;
            return;
        default:
            return;
    }
}

// False: it meets nobody (MPI_PROC_NULL), or the library has refused it.
bool Matcher::make_send(const Context& context, Operation& send) const {
    const RecordedCall& call = context.call;
    const std::int64_t communicator = context.in(Role::Communicator, model::kNullHandle);
    if (!members_.valid(communicator)) return false;
    if (call.error_code != 0 && !arrived_wrong(call.process, call.error_code)) return false;
    if (!refused_.empty() &&
        std::binary_search(
            refused_.begin(), refused_.end(), call_key(call.process, call.thread, call.event))) {
        return false;
    }
    const bool both = context.kind.action == Action::SendReceive;
    const bool replace = context.kind.action == Action::SendReceiveReplace;
    send.site = event_site_of(call);
    send.communicator = model::CommunicatorId{static_cast<int>(communicator)};
    send.peer_rank = context.in(Role::Destination, model::kProcNull);
    const auto peer = members_.process_of(send.communicator, call.process, send.peer_rank);
    if (!peer) return false;
    send.peer = *peer;
    send.tag = context.in(both || replace ? Role::SendTag : Role::Tag);
    send.count = context.in(both ? Role::SendCount : Role::Count);
    send.datatype = model::DatatypeId{
        static_cast<int>(context.in(both ? Role::SendDatatype : Role::Datatype, -1))};
    send.checksum = static_cast<std::uint64_t>(context.in(Role::SendChecksum));
    send.is_send = true;
    send.buffered = context.kind.mode == model::SendMode::Buffered;
    send.synchronous = context.kind.mode == model::SendMode::Synchronous;
    send.partitioned = context.kind.partitioned;
    if (send.partitioned) send.count *= context.in(Role::Partitions, 1);
    return true;
}

bool Matcher::make_receive(const Context& context, Operation& receive) const {
    const RecordedCall& call = context.call;
    const std::int64_t communicator = context.in(Role::Communicator, model::kNullHandle);
    if (!members_.valid(communicator)) return false;
    const bool both = context.kind.action == Action::SendReceive;
    const bool replace = context.kind.action == Action::SendReceiveReplace;
    receive.site = event_site_of(call);
    receive.communicator = model::CommunicatorId{static_cast<int>(communicator)};
    receive.peer_rank = context.in(Role::Source, model::kProcNull);
    receive.any_source = receive.peer_rank == model::kAnySource;
    if (!receive.any_source) {
        const auto peer =
            members_.process_of(receive.communicator, call.process, receive.peer_rank);
        if (!peer) return false;
        receive.peer = *peer;
    }
    receive.tag = context.in(both || replace ? Role::ReceiveTag : Role::Tag);
    receive.any_tag = receive.tag == model::kAnyTag;
    receive.count = context.in(both ? Role::ReceiveCount : Role::Count);
    receive.datatype = model::DatatypeId{
        static_cast<int>(context.in(both ? Role::ReceiveDatatype : Role::Datatype, -1))};
    receive.partitioned = context.kind.partitioned;
    if (receive.partitioned) receive.count *= context.in(Role::Partitions, 1);
    return true;
}

void Matcher::feed_send(const Context& context) {
    Operation send;
    if (!make_send(context, send)) return add_request(context, kNoOperation, kNoOperation);
    if (context.kind.persistent) {
        Template made;
        made.has_send = true;
        made.send = send;
        made.partitions = context.in(Role::Partitions, 0);
        return add_template(context, std::move(made));
    }
    if (context.kind.blocking) {
        send.completed = true;
        wait_for(start(context, send, nullptr));
        return;
    }
    if (outcomes_.may_cancel()) {
        if (const model::Value* request = context.out(Role::Request)) {
            const auto outcome = outcomes_.take(context.call.process, request->number, 0);
            if (outcome && outcome->cancelled) {
                return add_request(context, kNoOperation, kNoOperation);
            }
        }
    }
    send.completed = context.out(Role::Request) == nullptr;
    add_request(context, start(context, send, nullptr), kNoOperation);
}

void Matcher::feed_receive(const Context& context) {
    Operation receive;
    if (!make_receive(context, receive)) return add_request(context, kNoOperation, kNoOperation);
    if (context.kind.persistent) {
        Template made;
        made.has_receive = true;
        made.receive = receive;
        made.partitions = context.in(Role::Partitions, 0);
        return add_template(context, std::move(made));
    }
    if (!context.kind.blocking) {
        receive.completed = context.out(Role::Request) == nullptr;
        return add_request(context, start_receive(context, receive, nullptr), kNoOperation);
    }
    std::optional<Outcome> outcome;
    const model::Value* status = context.out(Role::Status);
    if (status != nullptr && status->list.size() >= model::kStatusValues) {
        outcome = Outcome{false, status->list[0], status->list[1]};
        receive.bytes = status->list[3];
    }
    if (const model::Value* checksum = context.out(Role::ReceiveChecksum)) {
        receive.checksum = static_cast<std::uint64_t>(checksum->number);
    }
    receive.completed = true;
    wait_for(start(context, receive, outcome ? &*outcome : nullptr));
}

void Matcher::feed_both(const Context& context) {
    Operation send;
    Operation receive;
    const bool sends = make_send(context, send);
    const bool receives = make_receive(context, receive);
    const bool blocking = context.kind.blocking || context.out(Role::Request) == nullptr;
    send.completed = receive.completed = blocking;
    OperationIndex first = kNoOperation;
    OperationIndex second = kNoOperation;
    if (receives && context.kind.blocking) {
        std::optional<Outcome> outcome;
        const model::Value* status = context.out(Role::Status);
        if (status != nullptr && status->list.size() >= model::kStatusValues) {
            outcome = Outcome{false, status->list[0], status->list[1]};
            receive.bytes = status->list[3];
        }
        if (const model::Value* checksum = context.out(Role::ReceiveChecksum)) {
            receive.checksum = static_cast<std::uint64_t>(checksum->number);
        }
        second = start(context, receive, outcome ? &*outcome : nullptr);
    } else if (receives) {
        second = start_receive(context, receive, nullptr);
    }
    // A message to itself: the receive is there already, so that it is never seen twice.
    const bool second_met = second != kNoOperation && operations_[second].matched;
    if (sends) first = start(context, send, nullptr);
    if (!context.kind.blocking) return add_request(context, first, second);
    wait_for(first);
    if (!second_met) wait_for(second);
}

void Matcher::feed_probe(const Context& context) {
    const bool found = !context.kind.probes_only ||
                       (context.out(Role::Flag) != nullptr && context.out(Role::Flag)->number != 0);
    Operation receive;
    if (!found || !make_receive(context, receive)) return;
    std::optional<Outcome> outcome;
    const model::Value* status = context.out(Role::Status);
    if (status != nullptr && status->list.size() >= model::kStatusValues) {
        outcome = Outcome{false, status->list[0], status->list[1]};
    }
    waits_.polling = context.kind.probes_only;
    if (context.kind.action == Action::MatchedProbe) {
        const model::Value* message = context.out(Role::Message);
        receive.has_buffer = false;
        receive.completed = message == nullptr;
        const OperationIndex index = start(context, receive, outcome ? &*outcome : nullptr);
        if (message != nullptr && message->number >= 0) {
            Request request;
            request.first = index;
            requests_[context.call.process.index()][static_cast<std::uint64_t>(message->number)] =
                std::move(request);
        }
        wait_for(index);
        return;
    }
    if (!track_waits_) return;
    waits_.probe = true;
    waits_.communicator = receive.communicator;
    waits_.probed = receive.peer;
    waits_.tag = receive.tag;
    if (outcome) {
        const auto source =
            members_.process_of(receive.communicator, context.call.process, outcome->source);
        if (source) waits_.probed = *source;
        waits_.tag = outcome->tag;
    }
}

void Matcher::feed_matched_receive(const Context& context) {
    auto& requests = requests_[context.call.process.index()];
    const std::int64_t message = context.in(Role::Message, model::kNullHandle);
    Request* known = message < 0 ? nullptr : requests.find(static_cast<std::uint64_t>(message));
    if (known == nullptr) return add_request(context, kNoOperation, kNoOperation);
    const OperationIndex index = known->first;
    requests.erase(static_cast<std::uint64_t>(message));
    Operation& receive = operations_[index];
    receive.has_buffer = true;
    receive.count = context.in(Role::Count);
    receive.datatype = model::DatatypeId{static_cast<int>(context.in(Role::Datatype, -1))};
    receive.origin = add_origin(event_site_of(context.call));
    if (!context.kind.blocking) return add_request(context, index, kNoOperation);
    const model::Value* status = context.out(Role::Status);
    if (status != nullptr && status->list.size() >= model::kStatusValues) {
        receive.bytes = status->list[3];
    }
    if (const model::Value* checksum = context.out(Role::ReceiveChecksum)) {
        receive.checksum = static_cast<std::uint64_t>(checksum->number);
    }
    finish(index);
}

// Nonblocking and persistent receives: the outcome is read ahead where it matters.
OperationIndex Matcher::start_receive(const Context& context,
                                      Operation& receive,
                                      const Outcome* outcome) {
    std::optional<Outcome> ahead;
    const model::Value* request = context.out(Role::Request);
    if ((receive.any_source || outcomes_.may_cancel()) && request != nullptr &&
        outcome == nullptr) {
        ahead = outcomes_.take(context.call.process, request->number, 0);
        if (ahead) outcome = &*ahead;
    }
    return start(context, receive, outcome);
}

// What the outcome tells is noted in the operation.
OperationIndex Matcher::start(const Context& context,
                              Operation& operation,
                              const Outcome* outcome) {
    if (outcome != nullptr && outcome->cancelled) return kNoOperation;
    if (!operation.is_send && outcome != nullptr) {
        if (operation.any_source) {
            const std::int64_t source = forced_source(operation.site).value_or(outcome->source);
            const auto peer =
                members_.process_of(operation.communicator, context.call.process, source);
            if (peer && !freed_by_force(operation, source)) operation.peer = *peer;
        }
        if (operation.any_tag && outcome->tag >= 0 && forced_.empty()) operation.tag = outcome->tag;
    }
    const OperationIndex index = allocate(operation);
    if (visitor_ != nullptr) visitor_->on_start(index, operation);
    if (operation.peer.value >= 0) {
        post(index);
    } else {
        unresolved_.push_back(index);
    }
    return index;
}

std::optional<std::int64_t> Matcher::forced_source(const EventSite& site) const {
    for (const Forced& forced : forced_)
        if (forced.is(site)) return forced.source;
    return std::nullopt;
}

void Matcher::note_forced(const EventSite& receive) {
    for (Forced& forced : forced_)
        if (forced.is(receive)) forced.met = true;
}

// Later wildcards of the same thread took what an earlier one is forced to take: they take what
// is left.
bool Matcher::freed_by_force(const Operation& receive, std::int64_t source) const {
    return std::any_of(forced_.begin(), forced_.end(), [&](const Forced& forced) {
        return forced.process == receive.site.process && forced.thread == receive.site.thread &&
               forced.event < receive.site.event && forced.source == source;
    });
}

void Matcher::add_request(const Context& context, OperationIndex first, OperationIndex second) {
    if (context.kind.blocking || (first == kNoOperation && second == kNoOperation)) return;
    const model::Value* value = context.out(Role::Request);
    if (value == nullptr || value->number < 0) return;
    Request request;
    request.first = first;
    request.second = second;
    requests_[context.call.process.index()][static_cast<std::uint64_t>(value->number)] =
        std::move(request);
}

void Matcher::add_template(const Context& context, Template made) {
    const model::Value* value = context.out(Role::Request);
    if (value == nullptr || value->number < 0) return;
    made.send.origin = made.receive.origin = add_origin(event_site_of(context.call));
    Request request;
    request.made_from = std::make_unique<Template>(std::move(made));
    requests_[context.call.process.index()][static_cast<std::uint64_t>(value->number)] =
        std::move(request);
}

}  // namespace mqinspect::analysis
