#include "trace_io/otf2/event_export.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "analysis/pairing/outcomes.h"

#include "trace_io/otf2/collectives.h"

namespace mqinspect::trace_io {
namespace {

using analysis::Action;
using analysis::CallKind;
using model::RecordedCall;
using model::Role;

// Requests of a test that has found nothing.
constexpr std::size_t kMostTested = 64;
constexpr std::uint64_t kSecondOfRequest = std::uint64_t{1} << 62;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 50;

std::uint64_t time_of(std::int64_t ns) {
    return ns < 0 ? 0 : static_cast<std::uint64_t>(ns);
}

std::int64_t sum_of(const model::Value& value, model::ParameterKind kind) {
    if (!model::is_list(kind)) return value.number;
    std::int64_t sum = 0;
    for (const std::int64_t each : value.list)
        sum += each > 0 && each < kMostBytes ? each : 0;
    return sum;
}

}  // namespace

bool EventExport::Context::is(Role role, model::Direction direction) const {
    const int at = model::subscript_of(procedure, role);
    return at >= 0 && procedure.parameters[static_cast<std::size_t>(at)].direction == direction;
}

std::int64_t EventExport::Context::in(Role role, std::int64_t otherwise) const {
    const model::Value* value = model::value_of(procedure, call.before, role);
    return value == nullptr || is(role, model::Direction::Out) ? otherwise : value->number;
}

std::int64_t EventExport::Context::out(Role role, std::int64_t otherwise) const {
    const model::Value* value = model::value_of(procedure, call.after, role);
    const bool has = value != nullptr && call.leave_event && !is(role, model::Direction::In);
    return has ? value->number : otherwise;
}

std::uint64_t EventExport::Context::bytes(const model::Execution& execution,
                                          Role count,
                                          Role type) const {
    const int at = model::subscript_of(procedure, count);
    const std::int64_t datatype = in(type, -1);
    if (at < 0 || datatype < 0 ||
        static_cast<std::size_t>(datatype) >= execution.datatypes.size() ||
        static_cast<std::size_t>(at) >= call.before.size())
        return 0;
    const auto place = static_cast<std::size_t>(at);
    const std::int64_t elements = sum_of(call.before[place], procedure.parameters[place].kind);
    const std::int64_t size = execution.datatypes[static_cast<std::size_t>(datatype)].size;
    if (elements <= 0 || size <= 0 || elements > kMostBytes / size) return 0;
    return static_cast<std::uint64_t>(elements * size);
}

EventExport::EventExport(const model::Execution& execution,
                         const std::vector<CallKind>& kinds,
                         OtfDefinitions& definitions,
                         OTF2_Archive* archive,
                         model::ProcessId process,
                         OtfStatus& status)
    : execution_(execution),
      kinds_(kinds),
      definitions_(definitions),
      archive_(archive),
      process_(process),
      status_(status),
      attributes_(OTF2_AttributeList_New()) {
    thread(0);
    for (const model::RecordedEvent& event : execution.events)
        if (event.process == process) thread(event.thread).events.push_back(&event);
}

EventExport::~EventExport() {
    OTF2_AttributeList_Delete(attributes_);
}

EventExport::Thread& EventExport::thread(int number) {
    const auto known = threads_.find(number);
    if (known != threads_.end()) return known->second;
    Thread& added = threads_[number];
    added.location.process = process_.value;
    added.location.thread = number;
    added.location.location = (static_cast<std::uint64_t>(number) << 32U) | process_.index();
    added.writer = OTF2_Archive_GetEvtWriter(archive_, added.location.location);
    if (added.writer == nullptr) status_.take(OTF2_ERROR_INTEGRITY_FAULT);
    return added;
}

void EventExport::leave_until(Thread& thread, std::uint64_t time) {
    while (!thread.open.empty() && thread.open.back().returned &&
           thread.open.back().leave <= time) {
        const OpenCall& call = thread.open.back();
        write_events(thread, call.leave_event);
        thread.last = std::max(thread.last, call.leave);
        if (call.refused != OTF2_UNDEFINED_STRING) write_text(thread, call.refused);
        for (const Item& item : call.items)
            write(thread, item);
        if (call.results != OTF2_UNDEFINED_STRING)
            status_.take(OTF2_AttributeList_AddStringRef(attributes_, kResultsRef, call.results));
        status_.take(OTF2_EvtWriter_Leave(thread.writer, attributes_, thread.last, call.region));
        thread.open.pop_back();
    }
}

void EventExport::enter(Thread& thread, const Context& context) {
    const RecordedCall& call = context.call;
    leave_until(thread, time_of(call.enter_ns));
    write_events(thread, call.event);
    thread.last = std::max(thread.last, time_of(call.enter_ns));
    const OTF2_CallingContextRef stack = definitions_.context(call.stack);
    if (stack != OTF2_UNDEFINED_CALLING_CONTEXT)
        status_.take(OTF2_AttributeList_AddCallingContextRef(attributes_, kStackRef, stack));
    const OTF2_StringRef told = arguments(context);
    if (told != OTF2_UNDEFINED_STRING)
        status_.take(OTF2_AttributeList_AddStringRef(attributes_, kArgumentsRef, told));
    const auto region = static_cast<OTF2_RegionRef>(call.procedure.value);
    status_.take(OTF2_EvtWriter_Enter(thread.writer, attributes_, thread.last, region));
    OpenCall open;
    open.region = region;
    open.returned = call.leave_event.has_value();
    open.leave = std::max(thread.last, time_of(call.leave_ns));
    open.leave_event = call.leave_event.value_or(0);
    open.refused = refused(call);
    open.results = results(context);
    thread.open.push_back(std::move(open));
}

void EventExport::start(Thread& thread, std::int64_t id, const Request& request) {
    const auto number = static_cast<std::uint64_t>(id);
    const Item& operation = request.operation;
    if (request.send) {
        status_.take(OTF2_EvtWriter_MpiIsend(thread.writer,
                                             nullptr,
                                             thread.last,
                                             operation.peer,
                                             operation.communicator,
                                             operation.tag,
                                             operation.bytes,
                                             number));
    }
    if (request.receive) {
        // What the receive asked for has no place in the record.
        const Item& asked = request.asked;
        status_.take(OTF2_AttributeList_AddInt64(attributes_, kSourceRef, asked.source));
        status_.take(OTF2_AttributeList_AddInt64(attributes_, kTagRef, asked.asked_tag));
        status_.take(
            OTF2_AttributeList_AddCommRef(attributes_, kCommunicatorRef, asked.communicator));
        status_.take(OTF2_AttributeList_AddUint64(attributes_, kBytesRef, asked.bytes));
        status_.take(OTF2_EvtWriter_MpiIrecvRequest(
            thread.writer, attributes_, thread.last, number_of_receive(id, request)));
    }
    if (request.collective) {
        status_.take(OTF2_AttributeList_AddStringRef(attributes_, kOperationRef, request.name));
        status_.take(OTF2_AttributeList_AddInt64(attributes_, kRootRef, request.root));
        status_.take(
            OTF2_AttributeList_AddCommRef(attributes_, kCommunicatorRef, operation.communicator));
        status_.take(OTF2_EvtWriter_NonBlockingCollectiveRequest(
            thread.writer, attributes_, thread.last, number));
    }
}

// MPI_Isendrecv has one request, OTF2 needs two.
std::uint64_t EventExport::number_of_receive(std::int64_t id, const Request& request) {
    const auto number = static_cast<std::uint64_t>(id);
    return request.send ? number | kSecondOfRequest : number;
}

EventExport::Item EventExport::received(const Context& context, const std::int64_t* status) const {
    Item item;
    item.communicator = definitions_.communicator(context.in(Role::Communicator, -1));
    item.peer = static_cast<std::uint32_t>(status != nullptr ? status[0] : 0);
    item.tag = static_cast<std::uint32_t>(status != nullptr ? status[1] : 0);
    item.bytes = status != nullptr && status[3] > 0 ? static_cast<std::uint64_t>(status[3]) : 0;
    const bool both = context.kind.action == Action::SendReceive ||
                      context.kind.action == Action::SendReceiveReplace;
    item.source = context.in(Role::Source, model::kAnySource);
    item.asked_tag = context.in(both ? Role::ReceiveTag : Role::Tag, model::kAnyTag);
    item.wildcard = item.source == model::kAnySource || item.asked_tag == model::kAnyTag;
    return item;
}

// What a matched probe has found has its communicator.
void EventExport::matched(const Context& context, Item& item) {
    if (context.kind.action != Action::MatchedReceive) return;
    const auto found = messages_.find(context.in(Role::Message, model::kNullHandle));
    if (found == messages_.end()) return;
    item.communicator = found->second;
    messages_.erase(found);
}

void EventExport::send(Thread& thread, const Context& context, std::int64_t tag) {
    const std::int64_t peer = context.in(Role::Destination, model::kProcNull);
    const OTF2_CommRef communicator = definitions_.communicator(context.in(Role::Communicator, -1));
    if (peer < 0 || communicator == OTF2_UNDEFINED_COMM) return;
    const bool both = context.kind.action == Action::SendReceive;
    const std::uint64_t bytes = both
                                    ? context.bytes(execution_, Role::SendCount, Role::SendDatatype)
                                    : context.bytes(execution_, Role::Count, Role::Datatype);
    status_.take(OTF2_EvtWriter_MpiSend(thread.writer,
                                        nullptr,
                                        thread.last,
                                        static_cast<std::uint32_t>(peer),
                                        communicator,
                                        static_cast<std::uint32_t>(tag),
                                        bytes));
}

void EventExport::message(Thread& thread, const Context& context, OpenCall& open) {
    const Action action = context.kind.action;
    const bool both = action == Action::SendReceive || action == Action::SendReceiveReplace;
    const bool sends = both || action == Action::Send;
    if (context.kind.blocking) {
        if (sends) send(thread, context, context.in(both ? Role::SendTag : Role::Tag));
        if (action == Action::Send || !context.call.leave_event || context.call.error_code != 0 ||
            context.in(Role::Source) == model::kProcNull)
            return;
        const model::Value* status =
            model::value_of(context.procedure, context.call.after, Role::Status);
        const std::int64_t* values = analysis::status_at(status, 0);
        Item item = received(context, values);
        matched(context, item);
        if (values != nullptr && values[0] >= 0 && item.communicator != OTF2_UNDEFINED_COMM)
            open.items.push_back(item);
        return;
    }
    const std::int64_t id = context.out(Role::Request, model::kNullHandle);
    if (id < 0) return;
    Request request;
    request.persistent = context.kind.persistent;
    if (sends) describe_send(context, request);
    if (action != Action::Send) describe_receive(context, request);
    if (!request.send && !request.receive) return;
    requests_[id] = request;
    if (!request.persistent) start(thread, id, request);
}

void EventExport::describe_send(const Context& context, Request& request) const {
    const bool both = context.kind.action == Action::SendReceive;
    Item& operation = request.operation;
    operation.communicator = definitions_.communicator(context.in(Role::Communicator, -1));
    operation.tag = static_cast<std::uint32_t>(
        context.in(context.kind.action == Action::Send ? Role::Tag : Role::SendTag));
    operation.bytes = both ? context.bytes(execution_, Role::SendCount, Role::SendDatatype)
                           : context.bytes(execution_, Role::Count, Role::Datatype);
    const std::int64_t peer = context.in(Role::Destination, model::kProcNull);
    operation.peer = static_cast<std::uint32_t>(peer);
    request.send = peer >= 0 && operation.communicator != OTF2_UNDEFINED_COMM;
}

void EventExport::describe_receive(const Context& context, Request& request) {
    const bool both = context.kind.action == Action::SendReceive;
    Item& asked = request.asked;
    asked = received(context, nullptr);
    matched(context, asked);
    asked.bytes = both ? context.bytes(execution_, Role::ReceiveCount, Role::ReceiveDatatype)
                       : context.bytes(execution_, Role::Count, Role::Datatype);
    request.receive = asked.source != model::kProcNull && asked.communicator != OTF2_UNDEFINED_COMM;
}

// A test that has found nothing. Programs may make very many of them.
void EventExport::tested(const Context& context, OpenCall& open) const {
    const model::Value* all =
        model::value_of(context.procedure, context.call.before, Role::Requests);
    const std::int64_t one[] = {context.in(Role::Request, model::kNullHandle)};
    const auto requests = all != nullptr ? all->list : std::span<const std::int64_t>(one);
    if (requests.size() > kMostTested) return;
    Item item;
    item.kind = Item::Kind::Tested;
    for (const std::int64_t id : requests) {
        item.request = static_cast<std::uint64_t>(id);
        if (id >= 0 && requests_.contains(id)) open.items.push_back(item);
    }
}

void EventExport::completion(const Context& context, OpenCall& open) {
    const model::Value* flag = model::value_of(context.procedure, context.call.after, Role::Flag);
    if (context.kind.probes_only && flag != nullptr && flag->number == 0)
        return tested(context, open);
    const auto complete =
        [&](std::int64_t id, const std::int64_t* status, std::size_t, std::size_t) {
            const auto found = requests_.find(id);
            if (found == requests_.end()) return;
            const Request& request = found->second;
            const bool cancelled = status != nullptr && status[4] != 0;
            Item item = request.operation;
            item.request = static_cast<std::uint64_t>(id);
            item.kind = request.send ? Item::Kind::SendComplete : Item::Kind::CollectiveComplete;
            if (request.access) {
                item.kind = Item::Kind::AccessComplete;
                item.request = *request.access;
                complete_access(item);
            }
            if (cancelled) item.kind = Item::Kind::Cancelled;
            if (request.send || !request.receive) open.items.push_back(item);
            if (request.receive) {
                item = received(context, status);
                item.kind = cancelled ? Item::Kind::Cancelled : Item::Kind::ReceiveComplete;
                item.communicator = request.asked.communicator;
                item.request = number_of_receive(id, request);
                open.items.push_back(item);
            }
            if (!request.persistent) requests_.erase(found);
        };
    analysis::for_each_completed(context.procedure, context.kind, context.call, complete);
}

void EventExport::collective(Thread& thread, const Context& context, OpenCall& open) {
    const auto op = collective_op(context.kind.name);
    const OTF2_CommRef communicator = definitions_.communicator(context.in(Role::Communicator, -1));
    if (!op || communicator == OTF2_UNDEFINED_COMM) return;
    Item item;
    item.op = *op;
    item.kind = Item::Kind::CollectiveEnd;
    item.communicator = communicator;
    const std::int64_t root = context.in(Role::Root, model::kUndefined);
    item.peer = OTF2_COLLECTIVE_ROOT_NONE;
    if (root >= 0) item.peer = static_cast<std::uint32_t>(root);
    if (root == model::kRoot) item.peer = OTF2_COLLECTIVE_ROOT_SELF;
    if (root == model::kProcNull) item.peer = OTF2_COLLECTIVE_ROOT_THIS_GROUP;
    const std::uint64_t one = context.bytes(execution_, Role::Count, Role::Datatype);
    item.bytes = one + context.bytes(execution_, Role::SendCount, Role::SendDatatype);
    item.received = one + context.bytes(execution_, Role::ReceiveCount, Role::ReceiveDatatype);
    if (!context.kind.blocking) return nonblocking(thread, context, item);
    status_.take(OTF2_EvtWriter_MpiCollectiveBegin(thread.writer, nullptr, thread.last));
    if (!context.call.leave_event) return;
    end_of_communicator(context, item, open);
    open.items.push_back(item);
}

void EventExport::nonblocking(Thread& thread, const Context& context, const Item& operation) {
    const std::int64_t id = context.out(Role::Request, model::kNullHandle);
    if (id < 0 || !is_data_collective(operation.op)) return;
    Request request;
    request.collective = true;
    request.persistent = context.kind.persistent;
    request.name = definitions_.text(collective_name(operation.op));
    request.root = context.in(Role::Root);
    request.operation = operation;
    requests_[id] = request;
    if (!request.persistent) start(thread, id, request);
}

// The making of a communicator, and its end.
void EventExport::end_of_communicator(const Context& context,
                                      const Item& end,
                                      OpenCall& open) const {
    Item item = end;
    if (end.op == OTF2_COLLECTIVE_OP_CREATE_HANDLE) {
        item.kind = Item::Kind::CommCreate;
        item.communicator = definitions_.communicator(context.out(Role::NewCommunicator, -1));
    } else if (end.op == OTF2_COLLECTIVE_OP_DESTROY_HANDLE) {
        item.kind = Item::Kind::CommDestroy;
    }
    if (item.kind == end.kind || !definitions_.has_events(item.communicator)) return;
    open.items.push_back(item);
}

void EventExport::feed(const RecordedCall& call) {
    const Context context{
        call, execution_.procedures[call.procedure.index()], kinds_[call.procedure.index()]};
    Thread& thread = this->thread(call.thread);
    if (thread.writer == nullptr || !status_.good()) return;
    enter(thread, context);
    OpenCall& open = thread.open.back();
    switch (context.kind.action) {
        case Action::Send:
        case Action::Receive:
        case Action::MatchedReceive:
        case Action::SendReceive:
        case Action::SendReceiveReplace:
            message(thread, context, open);
            break;
        case Action::Complete:
            if (call.leave_event) completion(context, open);
            break;
        case Action::Start: {
            const auto begin = [&](std::int64_t id) {
                const auto found = requests_.find(id);
                if (found != requests_.end()) start(thread, id, found->second);
            };
            begin(context.in(Role::Request, model::kNullHandle));
            const model::Value* all =
                model::value_of(context.procedure, call.before, Role::Requests);
            for (std::size_t at = 0; all != nullptr && at < all->list.size(); ++at)
                begin(all->list[at]);
            break;
        }
        case Action::Free:
            requests_.erase(context.in(Role::Request, model::kNullHandle));
            break;
        case Action::Collective:
            if (model::subscript_of(context.procedure, Role::Window) >= 0) {
                window_collective(thread, context, open);
            } else {
                collective(thread, context, open);
            }
            break;
        case Action::MatchedProbe:
            messages_[context.out(Role::Message, model::kNullHandle)] =
                definitions_.communicator(context.in(Role::Communicator, -1));
            break;
        default:
            if (context.in(Role::Window, -1) >= 0) synchronize(thread, context, open);
            break;
    }
}

std::uint64_t EventExport::finish() {
    std::uint64_t last = 0;
    for (auto& [number, thread] : threads_) {
        if (thread.writer == nullptr) continue;
        leave_until(thread, ~std::uint64_t{0});
        write_events(thread, ~std::uint64_t{0});
        last = std::max(last, thread.last);
        status_.take(OTF2_EvtWriter_GetNumberOfEvents(thread.writer, &thread.location.events));
        status_.take(OTF2_Archive_CloseEvtWriter(archive_, thread.writer));
        definitions_.add(thread.location);
    }
    return last;
}

}  // namespace mqinspect::trace_io
