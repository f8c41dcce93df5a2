// Calls of an imported process, from the events between their entry and their return.
#include <algorithm>
#include <utility>

#include "model/execution.h"

#include "trace_io/otf2/collectives.h"
#include "trace_io/otf2/event_import.h"
#include "trace_io/otf2/import_layouts.h"

namespace mqinspect::trace_io {
namespace {

using model::Direction;
using model::ParameterKind;
using Kind = ImportedEvent::Kind;

// Blocks of a log hold no longer lists.
constexpr std::size_t kMostCompletions = 512;

std::int64_t count_of(std::uint64_t bytes) {
    return static_cast<std::int64_t>(std::min(bytes, kMostMessageBytes));
}

LoggedList status_of(const ImportedEvent& event) {
    // That of MPI 4.0, 3.7.3: nothing was received.
    if (event.kind == Kind::CollectiveDone || event.kind == Kind::AccessDone)
        return {model::kAnySource, model::kAnyTag, 0, 0, 0};
    return {event.peer, event.tag, 0, count_of(event.bytes), event.kind == Kind::Cancelled ? 1 : 0};
}

/// Handles that calls set to null; of lists of requests archives do not say it.
bool is_nulled(ParameterKind kind) {
    return kind == ParameterKind::Request || kind == ParameterKind::Window ||
           kind == ParameterKind::Communicator || kind == ParameterKind::Message ||
           kind == ParameterKind::File;
}

bool is_completion_event(Kind kind) {
    return kind == Kind::SendDone || kind == Kind::ReceiveDone || kind == Kind::Cancelled ||
           kind == Kind::CollectiveDone || kind == Kind::AccessDone;
}

}  // namespace

std::int64_t ProcessImport::new_request(std::uint64_t request) {
    return requests_[request] = next_request_++;
}

// Of no known buffer; no two overlap.
std::int64_t ProcessImport::buffer(std::uint64_t bytes) {
    const std::int64_t address = next_buffer_;
    next_buffer_ += count_of(bytes) + 64;
    if (next_buffer_ > (std::int64_t{1} << 62)) next_buffer_ = std::int64_t{1} << 40;
    return address;
}

std::optional<ImportedEvent> ProcessImport::take_event(Call& call, Kind kind) const {
    const auto found = std::ranges::find(call.events, kind, &ImportedEvent::kind);
    if (found == call.events.end()) return std::nullopt;
    const ImportedEvent event = *found;
    call.events.erase(found);
    return event;
}

void ProcessImport::take_send(Values& values, const ImportedEvent& event, const char* tag) {
    values["dest"] = event.peer;
    values[tag] = event.tag;
    values["comm"] = communicator(event.communicator);
}

void ProcessImport::take_receive(Values& values, const ImportedEvent& event, const char* tag) {
    values["source"] = event.asked ? event.asked->first : event.peer;
    values[tag] = event.asked ? event.asked->second : event.tag;
    const std::int64_t known = communicator(event.communicator);
    values["comm"] = known < 0 ? 0 : known;
    values["status"] = status_of(event);
}

// A test that has found nothing.
bool ProcessImport::leaves_handle(const Values& values) {
    const auto flag = values.find(std::string_view("flag"));
    return flag != values.end() && flag->second == LoggedValue(std::int64_t{0});
}

void ProcessImport::write(const Call& call,
                          const std::string& name,
                          const ImportedParameters& parameters,
                          const Values& values,
                          std::uint64_t leave) {
    LoggedValues before;
    LoggedValues after{LoggedValue(std::int64_t{0})};
    for (const auto& [parameter, kind, direction] : parameters) {
        const auto found = values.find(std::string_view(parameter));
        LoggedValue value = found != values.end()  ? found->second
                            : model::is_list(kind) ? LoggedValue(LoggedList{})
                                                   : LoggedValue(std::int64_t{0});
        if (direction != Direction::Out) before.push_back(value);
        if (direction == Direction::InOut && is_nulled(kind) && !leaves_handle(values))
            value = std::int64_t{model::kNullHandle};
        if (direction != Direction::In) after.push_back(std::move(value));
    }
    const std::int64_t number = procedure(name, parameters);
    log_.enter(thread_, number, call.stack, call.enter, before);
    for (Call& inner : std::exchange(inside_, {})) {
        const std::uint64_t inner_leave = inner.leave;
        write(std::move(inner), inner_leave);
    }
    for (const ToldEvent& event : call.told)
        after.front() = write_told(event);
    if (call.returned) log_.leave(thread_, leave, after);
}

// False: of one it is not known who is in it.
bool ProcessImport::knows_communicators(const Call& call) const {
    return std::ranges::none_of(call.events, [&](const ImportedEvent& event) {
        const bool message = event.kind == Kind::Send || event.kind == Kind::Isend ||
                             event.kind == Kind::Receive || event.kind == Kind::ReceiveDone;
        return message && communicator(event.communicator) < 0;
    });
}

bool ProcessImport::write_message(Call& call, std::string_view name, std::uint64_t leave) {
    if (!knows_communicators(call)) return false;
    if (is_blocking_send(name)) {
        write_blocking_send(call, leave);
        return true;
    }
    if (is_nonblocking_send(name)) return write_nonblocking_send(call, leave);
    if (name == "Recv" || name == "Irecv") return write_receive(call, name == "Irecv", leave);
    if (!is_exchange(name)) return false;
    write_exchange(call, name != "Sendrecv", leave);
    return true;
}

void ProcessImport::write_blocking_send(Call& call, std::uint64_t leave) {
    Values values;
    const auto event = take_event(call, Kind::Send);
    values["dest"] = std::int64_t{model::kProcNull};
    if (event) take_send(values, *event, "tag");
    if (event) values["count"] = count_of(event->bytes);
    values["buf"] = buffer(event ? event->bytes : 0);
    write(call, call.name, message_parameters("dest", false, false), values, leave);
}

bool ProcessImport::write_nonblocking_send(Call& call, std::uint64_t leave) {
    Values values;
    const auto event = take_event(call, Kind::Isend);
    if (!event) return false;
    take_send(values, *event, "tag");
    values["count"] = count_of(event->bytes);
    values["buf"] = buffer(event->bytes);
    values["request"] = new_request(event->request);
    write(call, call.name, message_parameters("dest", true, false), values, leave);
    return true;
}

bool ProcessImport::write_receive(Call& call, bool nonblocking, std::uint64_t leave) {
    Values values;
    const auto event = take_event(call, nonblocking ? Kind::ReceiveAsked : Kind::Receive);
    if (!event && nonblocking) return false;
    values["source"] = std::int64_t{model::kProcNull};
    if (event) take_receive(values, *event, "tag");
    values["count"] = event ? count_of(event->bytes) : 0;
    values["buf"] = buffer(event ? event->bytes : 0);
    if (event && event->bytes >= kMostMessageBytes) values["datatype"] = kUnknownDatatype;
    if (nonblocking) values["request"] = new_request(event->request);
    write(call, call.name, message_parameters("source", nonblocking, !nonblocking), values, leave);
    return true;
}

void ProcessImport::write_exchange(Call& call, bool replaces, std::uint64_t leave) {
    Values values;
    const auto sent = take_event(call, Kind::Send);
    const auto received = take_event(call, Kind::Receive);
    values["dest"] = values["source"] = std::int64_t{model::kProcNull};
    if (sent) take_send(values, *sent, "sendtag");
    if (sent) values["sendcount"] = count_of(sent->bytes);
    if (received) take_receive(values, *received, "recvtag");
    if (received) values["recvcount"] = count_of(received->bytes);
    values["sendbuf"] = buffer(sent ? sent->bytes : 0);
    values["recvbuf"] = buffer(received ? received->bytes : 0);
    values["buf"] = values["sendbuf"];
    values["count"] = count_of(std::max(sent ? sent->bytes : 0, received ? received->bytes : 0));
    write(call, call.name, exchange_parameters(replaces), values, leave);
}

bool ProcessImport::write_completion(Call& call, std::string_view name, std::uint64_t leave) {
    if (!is_completion(name)) return false;
    std::vector<Completion> completions;
    std::vector<std::int64_t> tested;
    std::erase_if(call.events, [&](const ImportedEvent& event) {
        if (event.kind == Kind::Tested) {
            const auto known = requests_.find(event.request);
            if (known != requests_.end()) tested.push_back(known->second);
        }
        if (const auto completion = completed_by(event)) completions.push_back(*completion);
        return event.kind == Kind::Tested || is_completion_event(event.kind);
    });
    if (completions.empty()) {
        write_fruitless(call, name, std::move(tested), leave);
        return true;
    }
    // Where the archive has two for the one request of MPI_Isendrecv, it takes two calls.
    const bool takes_one = name == "Wait" || name == "Test" || name.ends_with("any");
    const std::size_t most = takes_one ? 1 : kMostCompletions;
    const std::span<const Completion> all(completions);
    for (std::size_t first = 0; first < all.size(); first += most)
        write_completed(call, name, all.subspan(first, std::min(most, all.size() - first)), leave);
    return true;
}

// Empty: the event completes no request that is known.
std::optional<ProcessImport::Completion> ProcessImport::completed_by(const ImportedEvent& event) {
    if (!is_completion_event(event.kind)) return std::nullopt;
    std::uint64_t request = event.request;
    if (event.kind == Kind::AccessDone) {
        const auto access = access_requests_.find(request);
        if (access == access_requests_.end()) return std::nullopt;
        request = access->second;
        access_requests_.erase(access);
    }
    const auto known = requests_.find(request);
    if (known == requests_.end()) return std::nullopt;
    Completion completion{known->second, status_of(event)};
    requests_.erase(known);
    return completion;
}

void ProcessImport::write_completed(const Call& call,
                                    std::string_view name,
                                    std::span<const Completion> completions,
                                    std::uint64_t leave) {
    LoggedList requests;
    LoggedList statuses;
    LoggedList indices;
    for (const Completion& completion : completions) {
        indices.push_back(static_cast<std::int64_t>(indices.size()));
        requests.push_back(completion.request);
        statuses.insert(statuses.end(), completion.status.begin(), completion.status.end());
    }
    Values values;
    values["request"] = requests.front();
    values["count"] = values["outcount"] = static_cast<std::int64_t>(requests.size());
    values["flag"] = std::int64_t{1};
    values["array_of_indices"] = std::move(indices);
    values["status"] = completions.front().status;
    values["array_of_requests"] = std::move(requests);
    values["array_of_statuses"] = std::move(statuses);
    write(call, call.name, completion_parameters(name), values, leave);
}

// It has completed nothing that the archive tells of.
void ProcessImport::write_fruitless(const Call& call,
                                    std::string_view name,
                                    LoggedList tested,
                                    std::uint64_t leave) {
    Values values;
    values["request"] = tested.empty() ? std::int64_t{model::kNullHandle} : tested.front();
    values["count"] = static_cast<std::int64_t>(tested.size());
    values["index"] = std::int64_t{model::kUndefined};
    values["flag"] = std::int64_t{0};
    values["status"] = LoggedList(model::kStatusValues);
    values["array_of_requests"] = std::move(tested);
    write(call, call.name, completion_parameters(name), values, leave);
}

bool ProcessImport::write_collective(const Call& call, std::string_view name, std::uint64_t leave) {
    const auto end = std::ranges::find(call.events, Kind::CollectiveEnd, &ImportedEvent::kind);
    if (end == call.events.end()) return false;
    const ImportedParameters parameters = collective_parameters(name);
    const std::int64_t id = communicator(end->communicator);
    if (parameters.empty() || id < 0) return false;
    Values values;
    values["comm"] = id;
    values["root"] = end->peer;
    const auto made = std::ranges::find(call.events, Kind::CommCreate, &ImportedEvent::kind);
    values["newcomm"] = made != call.events.end() ? communicator(made->communicator)
                                                  : std::int64_t{model::kNullHandle};
    write(call, call.name, parameters, values, leave);
    return true;
}

bool ProcessImport::write_nonblocking_collective(Call& call, std::uint64_t leave) {
    const auto event = take_event(call, Kind::CollectiveAsked);
    if (!event) return false;
    const std::int64_t id = communicator(event->communicator);
    if (id < 0 || !is_data_collective(event->op)) return false;
    Values values;
    values["comm"] = id;
    values["root"] = event->peer;
    values["request"] = new_request(event->request);
    const std::string name = nonblocking_procedure(event->op);
    write(call, name, collective_parameters(std::string_view(name).substr(4)), values, leave);
    return true;
}

// Where the call's name does not say what it does with the message.
void ProcessImport::write_event(const Call& call, const ImportedEvent& event, std::uint64_t time) {
    Call made;
    made.stack = call.stack;
    made.enter = time;
    made.returned = true;
    made.events = {event};
    switch (event.kind) {
        case Kind::Send:
            made.name = "MPI_Send";
            break;
        case Kind::Isend:
            made.name = "MPI_Isend";
            break;
        case Kind::Receive:
            made.name = "MPI_Recv";
            break;
        case Kind::ReceiveAsked:
            made.name = "MPI_Irecv";
            break;
        case Kind::SendDone:
        case Kind::ReceiveDone:
        case Kind::Cancelled:
        case Kind::CollectiveDone:
            made.name = "MPI_Wait";
            break;
        case Kind::CollectiveAsked:
            write_nonblocking_collective(made, time);
            return;
        default:
            return;
    }
    const std::string_view name = std::string_view(made.name).substr(4);
    if (!write_message(made, name, time)) write_completion(made, name, time);
}

void ProcessImport::write(Call call, std::uint64_t leave) {
    std::string_view name = std::string_view(call.name).substr(4);
    if (name.ends_with("_c")) name.remove_suffix(2);
    const bool session = name == "Session_init" || name == "Session_finalize";
    const bool begins = name == "Init" || name == "Init_thread" || name == "Session_init";
    if (!initialized_ && !begins) {
        Call init;
        init.name = "MPI_Init";
        init.enter = call.enter;
        init.stack = define_stack({});
        init.returned = true;
        write(init, init.name, {}, {}, call.enter);
    }
    initialized_ = true;
    inside_ = std::move(call.inside);
    const bool plain = begins || session || name == "Finalize" || name == "Abort";
    const bool written =
        call.returned ? write_told(call, name, leave) || write_message(call, name, leave) ||
                            write_completion(call, name, leave) ||
                            write_nonblocking_collective(call, leave) ||
                            write_collective(call, name, leave) || write_window(call, name, leave)
                      : write_unfinished(call, name);
    // With a flag among its results it is not taken for one that returns at once.
    const ImportedParameters unknown{{"flag", ParameterKind::Flag, Direction::Out}};
    if (!written && !plain)
        write(call, std::string(name), call.returned ? ImportedParameters{} : unknown, {}, leave);
    if (!written && plain) write(call, call.name, {}, {}, leave);
    if (opens_epoch(name) && call.returned && !written) untold_epochs_ = true;
    if (!call.returned) return;
    for (const ImportedEvent& event : call.events)
        write_event(call, event, leave);
    if (name == "Finalize" && !says_ends_)
        log_.event(thread_, model::EventKind::Exit, leave, LogFields().number(0));
}

}  // namespace mqinspect::trace_io
