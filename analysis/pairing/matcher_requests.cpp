#include "analysis/pairing/matcher.h"

namespace mqinspect::analysis {

using model::Role;

namespace {

std::int64_t named(const model::Procedure& procedure,
                   const model::RecordedCall& call,
                   std::string_view name) {
    const model::Value* const value = model::value_of(procedure, call.before, name);
    return value != nullptr ? value->number : 0;
}

std::int64_t ready_partitions(const model::Procedure& procedure,
                              const model::RecordedCall& call,
                              std::string_view name) {
    if (name == "Pready") return 1;
    if (name == "Pready_list") return named(procedure, call, "length");
    return named(procedure, call, "partition_high") - named(procedure, call, "partition_low") + 1;
}

}  // namespace

void Matcher::feed_completion(const Context& context) {
    if (track_waits_) collect_waits(context);
    for_each_completed(
        context.procedure,
        context.kind,
        context.call,
        [&](std::int64_t request, const std::int64_t* status, std::size_t, std::size_t place) {
            complete(context, request, status, place);
        });
}

void Matcher::complete(const Context& context,
                       std::int64_t id,
                       const std::int64_t* status,
                       std::size_t place) {
    if (id < 0) return;
    auto& requests = requests_[context.call.process.index()];
    Request* request = requests.find(static_cast<std::uint64_t>(id));
    if (request == nullptr) return;
    const OperationIndex first = std::exchange(request->first, kNoOperation);
    const OperationIndex second = std::exchange(request->second, kNoOperation);
    const WaveIndex wave = std::exchange(request->wave, kNoWave);
    const std::uint32_t member = request->member;
    if (!request->made_from) requests.erase(static_cast<std::uint64_t>(id));
    for (const OperationIndex index : {first, second}) {
        if (index == kNoOperation) continue;
        Operation& operation = operations_[index];
        if (!operation.is_send) {
            if (status != nullptr) operation.bytes = status[3];
            const model::Value* checksums = context.out(Role::Checksums);
            if (checksums != nullptr && place < checksums->list.size()) {
                operation.checksum = static_cast<std::uint64_t>(checksums->list[place]);
            }
        }
        finish(index);
    }
    if (wave != kNoWave) complete_wave(wave, member);
}

void Matcher::finish(OperationIndex index) {
    Operation& operation = operations_[index];
    operation.completed = true;
    if (visitor_ != nullptr && operation.synchronous && operation.matched)
        visitor_->on_acknowledged(index, operation);
    if (operation.delivered) return release(index);
    if (operation.matched && !operation.is_send) deliver(index);
}

void Matcher::collect_waits(const Context& context) {
    waits_.polling = context.kind.probes_only;
    if (context.call.leave_event) {
        for_each_completed(context.procedure,
                           context.kind,
                           context.call,
                           [&](std::int64_t request, const std::int64_t*, auto, auto) {
                               wait_for_request(context.call.process, request);
                           });
        return;
    }
    if (context.kind.probes_only) return;
    waits_.any =
        context.kind.completed == Completed::Any || context.kind.completed == Completed::Some;
    if (context.kind.completed == Completed::One) {
        return wait_for_request(context.call.process,
                                context.in(Role::Request, model::kNullHandle));
    }
    const model::Value* requests =
        model::value_of(context.procedure, context.call.before, Role::Requests);
    if (requests == nullptr) return;
    for (const std::int64_t request : requests->list)
        wait_for_request(context.call.process, request);
}

void Matcher::await_any(model::ProcessId process, std::span<const std::int64_t> requests) {
    waits_.clear();
    waits_.any = true;
    for (const std::int64_t request : requests)
        wait_for_request(process, request);
}

void Matcher::wait_for_request(model::ProcessId process, std::int64_t id) {
    if (id < 0) return;
    const Request* request = requests_[process.index()].find(static_cast<std::uint64_t>(id));
    if (request == nullptr) return;
    for (const OperationIndex index : {request->first, request->second}) {
        if (index == kNoOperation) continue;
        if (waits_.polling && operations_[index].is_send) {
            go_on_by_test(operations_[index]);
        } else {
            wait_for(index);
        }
    }
    if (request->missing_partitions > 0) waits_.not_ready = true;
    if (request->wave == kNoWave || waits_.polling) return;
    if (passable(request->wave)) {
        waits_.satisfied = true;
    } else {
        waits_.waves.push_back(request->wave);
    }
}

/// What a Test has found to be sent may have been buffered: the program just went on.
void Matcher::go_on_by_test(Operation& send) {
    if (!track_waits_ || send.site.process.value < 0 || send.matched || send.buffered) return;
    if (send.tested) return;  // MPI_Request_get_status may tell it again and again
    send.tested = true;
    ++tested_sends_[send.site.process.index()];
}

void Matcher::feed_start(const Context& context) {
    if (const model::Value* one =
            model::value_of(context.procedure, context.call.before, Role::Request)) {
        return start_request(context, one->number, 0);
    }
    const model::Value* all =
        model::value_of(context.procedure, context.call.before, Role::Requests);
    if (all == nullptr) return;
    for (std::size_t place = 0; place < all->list.size(); ++place)
        start_request(context, all->list[place], place);
}

void Matcher::start_request(const Context& context, std::int64_t id, std::size_t place) {
    if (id < 0) return;
    Request* request = requests_[context.call.process.index()].find(static_cast<std::uint64_t>(id));
    if (request == nullptr || !request->made_from) return;
    Template& made = *request->made_from;
    const std::uint32_t number = request->starts++;
    const EventSite site = event_site_of(context.call);
    if (made.collective) {
        Contribution contribution = made.contribution;
        contribution.site = site;
        contribution.completed = false;
        const auto member = request->member;
        const WaveIndex wave = arrive(made.order, member, contribution);
        request->wave = wave;
        return;
    }
    if (made.has_receive) {
        Operation receive = made.receive;
        receive.site = site;
        std::optional<Outcome> outcome;
        if (receive.any_source || outcomes_.may_cancel()) {
            outcome = outcomes_.take(context.call.process, id, number);
        }
        request->first = start(context, receive, outcome ? &*outcome : nullptr);
        return;
    }
    Operation send = made.send;
    send.site = site;
    send.checksum = static_cast<std::uint64_t>(context.in(Role::SendChecksum));
    const model::Value* checksums =
        model::value_of(context.procedure, context.call.before, Role::Checksums);
    if (checksums != nullptr && place < checksums->list.size()) {
        send.checksum = static_cast<std::uint64_t>(checksums->list[place]);
    }
    if (send.partitioned) {
        request->missing_partitions = made.partitions;
        request->first = allocate(send);
        if (visitor_ != nullptr) visitor_->on_start(request->first, send);
        return release_partitions(*request);
    }
    if (outcomes_.may_cancel()) {
        const auto outcome = outcomes_.take(context.call.process, id, number);
        if (outcome && outcome->cancelled) return;
    }
    request->first = start(context, send, nullptr);
}

void Matcher::feed_ready(const Context& context) {
    const std::int64_t id = context.in(Role::Request, model::kNullHandle);
    if (id < 0) return;
    Request* request = requests_[context.call.process.index()].find(static_cast<std::uint64_t>(id));
    if (request == nullptr || request->missing_partitions <= 0) return;
    request->missing_partitions -=
        ready_partitions(context.procedure, context.call, context.kind.name);
    release_partitions(*request);
}

// A partitioned send is under way once all of its partitions are (MPI 4.0, 4.2.1).
void Matcher::release_partitions(Request& request) {
    if (request.missing_partitions > 0 || request.first == kNoOperation) return;
    request.missing_partitions = 0;
    post(request.first);
}

void Matcher::feed_free(const Context& context) {
    const std::int64_t id = context.in(Role::Request, model::kNullHandle);
    if (id < 0) return;
    auto& requests = requests_[context.call.process.index()];
    Request* request = requests.find(static_cast<std::uint64_t>(id));
    if (request == nullptr) return;
    const OperationIndex first = request->first;
    const OperationIndex second = request->second;
    if (request->made_from) drop_origin(request->made_from->send.origin);
    requests.erase(static_cast<std::uint64_t>(id));
    for (const OperationIndex index : {first, second})
        if (index != kNoOperation) finish(index);
}

}  // namespace mqinspect::analysis
