// Calls of which our own export keeps arguments and results, as OTF2 has no records for them.
#include <algorithm>
#include <charconv>
#include <sstream>
#include <utility>

#include "model/execution.h"

#include "trace_io/otf2/definitions.h"
#include "trace_io/otf2/event_import.h"
#include "trace_io/otf2/import_layouts.h"

namespace mqinspect::trace_io {
namespace {

using model::Direction;
using model::ParameterKind;
using Kind = ImportedEvent::Kind;

using Told = std::map<std::string, LoggedList, std::less<>>;

/// "source=0 array_of_requests=3,4", as the export writes it.
Told parse(const std::string& text) {
    Told values;
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

// False: something is missing.
bool ProcessImport::take_told(const ImportedParameters& parameters,
                              OTF2_StringRef told,
                              Values& values) const {
    const Told arguments = parse(definitions_.text(told));
    for (const auto& [parameter, kind, direction] : parameters) {
        if (direction == Direction::Out) continue;
        const auto found = arguments.find(std::string_view(parameter));
        const bool has =
            found != arguments.end() && (model::is_list(kind) || !found->second.empty());
        if (!has && is_kept(kind)) return false;
        if (!has) continue;
        LoggedList list = found->second;
        for (std::int64_t& each : list) {
            const auto number = number_of(kind, each);
            if (!number) return false;
            each = *number;
        }
        if (model::is_list(kind)) {
            values[parameter] = std::move(list);
        } else {
            values[parameter] = list.front();
        }
    }
    return true;
}

void ProcessImport::take_results(const ImportedParameters& parameters,
                                 OTF2_StringRef told,
                                 Values& values) {
    Told results = parse(definitions_.text(told));
    for (const auto& [parameter, kind, direction] : parameters) {
        const auto found = results.find(std::string_view(parameter));
        if (direction != Direction::Out || found == results.end() || found->second.empty())
            continue;
        const auto number = static_cast<std::uint64_t>(found->second.front());
        if (model::is_list(kind)) {
            if (kind == ParameterKind::Status) found->second.resize(model::kStatusValues);
            values[parameter] = std::move(found->second);
        } else if (kind == ParameterKind::Request && found->second.front() >= 0) {
            values[parameter] = new_request(number);
        } else if (kind == ParameterKind::Message && found->second.front() >= 0) {
            values[parameter] = messages_[number] = next_request_++;
        } else if (kind == ParameterKind::File && found->second.front() >= 0) {
            values[parameter] = define_file(found->second.front(), values);
        } else {
            values[parameter] = found->second.front();
        }
    }
}

// Opened by a call with these arguments. The archive has one number for it in all processes.
std::int64_t ProcessImport::define_file(std::int64_t exported, const Values& arguments) {
    const auto [known, added] =
        files_.try_emplace(exported, static_cast<std::int64_t>(files_.size()));
    if (!added) return known->second;
    const auto opener = arguments.find(std::string_view("comm"));
    const std::int64_t communicator = opener == arguments.end()
                                          ? std::int64_t{model::kNullHandle}
                                          : std::get<std::int64_t>(opener->second);
    LogFields fields;
    fields.number(known->second).number(communicator).text("file " + std::to_string(exported));
    fields.number(0).text("").number(0).number(0);
    log_.define(model::DefinitionKind::File, fields);
    return known->second;
}

bool ProcessImport::write_told(Call& call, std::string_view name, std::uint64_t leave) {
    if (call.arguments == OTF2_UNDEFINED_STRING) return false;
    const ImportedParameters parameters = parameters_of(name);
    Values values;
    if (parameters.empty() || !take_told(parameters, call.arguments, values)) return false;
    take_results(parameters, call.results, values);
    std::int64_t bytes = 0;
    if (const auto asked = take_event(call, Kind::ReceiveAsked))
        bytes = static_cast<std::int64_t>(asked->bytes);
    if (const auto received = take_event(call, Kind::Receive))
        bytes = static_cast<std::int64_t>(received->bytes);
    values.try_emplace("count", bytes);
    values["buf"] = buffer(static_cast<std::uint64_t>(bytes));
    write(call, call.name, parameters, values, leave);
    if (name == "Request_free") {
        const auto freed = std::get<std::int64_t>(values["request"]);
        std::erase_if(requests_, [&](const auto& request) { return request.second == freed; });
    }
    call.events.clear();
    return true;
}

bool ProcessImport::write_unfinished(Call& call, std::string_view name) {
    const ImportedParameters parameters = parameters_of(name);
    Values values;
    if (parameters.empty()) return false;
    if (call.arguments == OTF2_UNDEFINED_STRING) {
        const bool sends =
            is_blocking_send(name) &&
            std::ranges::find(call.events, Kind::Send, &ImportedEvent::kind) != call.events.end();
        if (!sends) return write_window(call, name, 0);
        write_blocking_send(call, 0);
        return true;
    }
    if (!take_told(parameters, call.arguments, values)) return false;
    if (!is_completion(name)) take_sizes(call, values);
    write(call, call.name, parameters, values, 0);
    return true;
}

// In bytes, as there are no datatypes. What is not known has room for anything.
void ProcessImport::take_sizes(const Call& call, Values& values) {
    const Told told = parse(definitions_.text(call.arguments));
    const auto size = [&](std::string_view name, std::uint64_t otherwise) {
        const auto found = told.find(name);
        const bool known = found != told.end() && !found->second.empty() && found->second[0] >= 0;
        return known ? static_cast<std::uint64_t>(found->second[0]) : otherwise;
    };
    const auto sent = std::ranges::find(call.events, Kind::Send, &ImportedEvent::kind);
    const std::uint64_t sends = sent != call.events.end() ? sent->bytes : 0;
    const std::tuple<const char*, const char*, std::uint64_t> buffers[] = {
        {"buf", "count", size("bytes", sent != call.events.end() ? sends : kMostMessageBytes)},
        {"sendbuf", "sendcount", sends},
        {"recvbuf", "recvcount", size("recvbytes", kMostMessageBytes)}};
    for (const auto& [address, count, bytes] : buffers) {
        values[address] = buffer(bytes);
        values[count] = static_cast<std::int64_t>(std::min(bytes, kMostMessageBytes));
    }
}

// What the exported number of a thing is here. Empty: it is not known.
std::optional<std::int64_t> ProcessImport::number_of(ParameterKind kind,
                                                     std::int64_t exported) const {
    const auto key = static_cast<std::uint64_t>(exported);
    switch (kind) {
        case ParameterKind::Communicator: {
            const std::int64_t known = communicator(static_cast<OTF2_CommRef>(exported));
            if (known < 0 && exported >= 0) return std::nullopt;
            return known;
        }
        case ParameterKind::Window: {
            const std::int64_t known = window(static_cast<OTF2_RmaWinRef>(exported));
            if (known < 0 && exported >= 0) return std::nullopt;
            return known;
        }
        case ParameterKind::File: {
            const auto known = files_.find(exported);
            if (known == files_.end()) return std::nullopt;
            return known->second;
        }
        case ParameterKind::Datatype:
            return 0;
        case ParameterKind::Request:
        case ParameterKind::RequestList: {
            const auto known = requests_.find(key);
            if (known != requests_.end()) return known->second;
            const bool one = kind == ParameterKind::Request && exported >= 0;
            return one ? std::nullopt : std::optional<std::int64_t>(model::kNullHandle);
        }
        case ParameterKind::Message: {
            const auto known = messages_.find(key);
            if (known == messages_.end()) return std::nullopt;
            return known->second;
        }
        default:
            return exported;
    }
}

}  // namespace mqinspect::trace_io
