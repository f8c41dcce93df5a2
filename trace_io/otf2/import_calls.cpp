// Calls of an imported process, from the events between their entry and their return.
#include <algorithm>
#include <charconv>
#include <sstream>
#include <utility>

#include "model/execution.h"

#include "trace_io/otf2/event_import.h"
#include "trace_io/otf2/import_layouts.h"

namespace mqinspect::trace_io {
namespace {

using model::Direction;
using model::ParameterKind;
using Kind = ImportedEvent::Kind;

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40;

std::int64_t count_of(std::uint64_t bytes) {
    return static_cast<std::int64_t>(std::min(bytes, kMostBytes));
}

LoggedList status_of(const ImportedEvent& event) {
    return {event.peer, event.tag, 0, count_of(event.bytes), event.kind == Kind::Cancelled ? 1 : 0};
}

/// "source=0 array_of_requests=3,4", as the export writes it.
std::map<std::string, LoggedList, std::less<>> parse_arguments(const std::string& text) {
    std::map<std::string, LoggedList, std::less<>> values;
    std::istringstream words(text);
    std::string word;
    while (words >> word) {
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos) continue;
        LoggedList& list = values[word.substr(0, equals)];
        const char* at = word.data() + equals + 1;
        const char* const end = word.data() + word.size();
        while (at < end) {
            std::int64_t number = 0;
            const auto parsed = std::from_chars(at, end, number);
            if (parsed.ec != std::errc{}) break;
            list.push_back(number);
            at = parsed.ptr + 1;  // behind the comma
        }
    }
    return values;
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
    values["source"] = event.peer;
    values[tag] = event.tag;
    const std::int64_t known = communicator(event.communicator);
    values["comm"] = known < 0 ? 0 : known;
    values["status"] = status_of(event);
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
        if (direction == Direction::InOut && kind == ParameterKind::Request)
            value = std::int64_t{model::kNullHandle};
        if (direction != Direction::In) after.push_back(std::move(value));
    }
    const std::int64_t number = procedure(name, parameters);
    log_.enter(thread_, number, call.stack, call.enter, before);
    if (call.returned) log_.leave(thread_, leave, after);
}

bool ProcessImport::write_message(Call& call, std::string_view name, std::uint64_t leave) {
    if (is_blocking_send(name)) {
        write_blocking_send(call, leave);
        return true;
    }
    if (is_nonblocking_send(name)) return write_nonblocking_send(call, leave);
    if (name == "Recv" || name == "Irecv") return write_receive(call, name == "Irecv", leave);
    if (name != "Sendrecv") return false;
    write_exchange(call, leave);
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
    if (event) values["count"] = count_of(event->bytes);
    values["buf"] = buffer(event ? event->bytes : 0);
    if (nonblocking) values["request"] = new_request(event->request);
    write(call, call.name, message_parameters("source", nonblocking, !nonblocking), values, leave);
    return true;
}

void ProcessImport::write_exchange(Call& call, std::uint64_t leave) {
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
    write(call, call.name, exchange_parameters(), values, leave);
}

bool ProcessImport::write_completion(Call& call, std::string_view name, std::uint64_t leave) {
    if (!is_completion(name)) return false;
    LoggedList requests;
    LoggedList statuses;
    std::vector<ImportedEvent> others;
    for (const ImportedEvent& event : call.events) {
        const bool done = event.kind == Kind::SendDone || event.kind == Kind::ReceiveDone ||
                          event.kind == Kind::Cancelled;
        const auto known = requests_.find(event.request);
        if (!done || known == requests_.end()) {
            if (!done) others.push_back(event);
            continue;
        }
        requests.push_back(known->second);
        const LoggedList status = status_of(event);
        statuses.insert(statuses.end(), status.begin(), status.end());
        requests_.erase(known);
    }
    call.events = std::move(others);
    Values values;
    const bool any = !requests.empty();
    values["request"] = any ? requests.front() : std::int64_t{model::kNullHandle};
    values["count"] = static_cast<std::int64_t>(requests.size());
    values["index"] = any ? std::int64_t{0} : std::int64_t{model::kUndefined};
    values["outcount"] = static_cast<std::int64_t>(requests.size());
    LoggedList indices(requests.size());
    for (std::size_t at = 0; at < indices.size(); ++at)
        indices[at] = static_cast<std::int64_t>(at);
    values["array_of_indices"] = std::move(indices);
    values["flag"] = std::int64_t{any ? 1 : 0};
    values["status"] = any ? LoggedList(statuses.begin(), statuses.begin() + 5) : LoggedList(5);
    values["array_of_requests"] = std::move(requests);
    values["array_of_statuses"] = std::move(statuses);
    write(call, call.name, completion_parameters(name), values, leave);
    return true;
}

bool ProcessImport::write_collective(const Call& call, std::string_view name, std::uint64_t leave) {
    const auto end = std::ranges::find(call.events, Kind::End, &ImportedEvent::kind);
    const ImportedParameters parameters = collective_parameters(name);
    const std::int64_t id = end == call.events.end() ? -1 : communicator(end->communicator);
    if (parameters.empty() || id < 0) return false;
    Values values;
    values["comm"] = id;
    values["root"] = end->peer;
    write(call, call.name, parameters, values, leave);
    return true;
}

// With the arguments that our own export keeps.
bool ProcessImport::write_unfinished(const Call& call, std::string_view name) {
    const auto arguments = parse_arguments(call.arguments);
    if (arguments.empty()) return false;
    ImportedParameters parameters = collective_parameters(name);
    if (is_blocking_send(name)) parameters = message_parameters("dest", false, false);
    if (name == "Recv") parameters = message_parameters("source", false, true);
    if (name == "Sendrecv") parameters = exchange_parameters();
    if (is_completion(name)) parameters = completion_parameters(name);
    if (parameters.empty()) return false;
    Values values;
    for (const auto& [parameter, kind, direction] : parameters) {
        const auto found = arguments.find(std::string_view(parameter));
        if (direction == Direction::Out || found == arguments.end() || found->second.empty())
            continue;
        LoggedList list = found->second;
        for (std::int64_t& each : list)
            each = number_of(kind, each);
        if (model::is_list(kind)) {
            values[parameter] = std::move(list);
        } else {
            values[parameter] = list.front();
        }
    }
    const auto sent = std::ranges::find(call.events, Kind::Send, &ImportedEvent::kind);
    if (sent != call.events.end()) values["count"] = count_of(sent->bytes);
    write(call, call.name, parameters, values, 0);
    return true;
}

// What the exported number of a thing is here.
std::int64_t ProcessImport::number_of(ParameterKind kind, std::int64_t exported) const {
    switch (kind) {
        case ParameterKind::Communicator:
            return communicator(static_cast<OTF2_CommRef>(exported));
        case ParameterKind::Datatype:
            return 0;
        case ParameterKind::Request:
        case ParameterKind::RequestList: {
            const auto known = requests_.find(static_cast<std::uint64_t>(exported));
            return known == requests_.end() ? model::kNullHandle : known->second;
        }
        default:
            return exported;
    }
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
            made.name = "MPI_Wait";
            break;
        case Kind::End:
            return;
    }
    const std::string_view name = std::string_view(made.name).substr(4);
    if (!write_message(made, name, time)) write_completion(made, name, time);
}

void ProcessImport::write(Call call, std::uint64_t leave) {
    const std::string_view name = std::string_view(call.name).substr(4);
    const bool begins = name == "Init" || name == "Init_thread";
    if (!initialized_ && !begins) {
        Call init;
        init.name = "MPI_Init";
        init.enter = call.enter;
        init.stack = define_stack({});
        init.returned = true;
        write(init, init.name, {}, {}, call.enter);
    }
    initialized_ = true;
    const bool plain = begins || name == "Finalize" || name == "Abort";
    const bool written = call.returned ? write_message(call, name, leave) ||
                                             write_completion(call, name, leave) ||
                                             write_collective(call, name, leave)
                                       : write_unfinished(call, name);
    if (!written) write(call, plain ? call.name : std::string(name), {}, {}, leave);
    if (!call.returned) return;
    for (const ImportedEvent& event : call.events)
        write_event(call, event, leave);
    if (name == "Finalize")
        log_.event(thread_, model::EventKind::Exit, leave, LogFields().number(0));
}

}  // namespace mqinspect::trace_io
