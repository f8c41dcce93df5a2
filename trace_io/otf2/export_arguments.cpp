// Arguments and results that OTF2 has no records for.
#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "trace_io/otf2/event_export.h"

namespace mqinspect::trace_io {
namespace {

using model::Direction;
using model::Role;

constexpr std::string_view kToldByArguments[] = {"Cancel",
                                                 "Improbe",
                                                 "Imrecv",
                                                 "Iprobe",
                                                 "Mprobe",
                                                 "Mrecv",
                                                 "Neighbor_allgather",
                                                 "Neighbor_allgatherv",
                                                 "Neighbor_alltoall",
                                                 "Neighbor_alltoallv",
                                                 "Neighbor_alltoallw",
                                                 "Probe",
                                                 "Request_free",
                                                 "Win_complete",
                                                 "Win_fence",
                                                 "Win_flush",
                                                 "Win_flush_all",
                                                 "Win_flush_local",
                                                 "Win_flush_local_all",
                                                 "Win_lock",
                                                 "Win_lock_all",
                                                 "Win_post",
                                                 "Win_start",
                                                 "Win_sync",
                                                 "Win_test",
                                                 "Win_unlock",
                                                 "Win_unlock_all",
                                                 "Win_wait"};

/// As the archive numbers it.
std::int64_t number_of(const model::Execution& execution, Role role, std::int64_t value) {
    if (role == Role::LockType) {
        const bool shared = value == execution.constant("MPI_LOCK_SHARED", kSharedLock);
        return shared ? kSharedLock : kExclusiveLock;
    }
    if (role != Role::Assertion) return value;
    std::int64_t assertions = 0;
    for (const auto& [name, number] : kAssertions)
        if ((value & execution.constant(name, number)) != 0) assertions |= number;
    return assertions;
}

}  // namespace

bool EventExport::keeps_arguments(const Context& context) {
    const bool of_file = context.kind.space == analysis::WaveSpace::File && context.kind.blocking;
    return of_file || context.kind.name == "File_open" ||
           std::ranges::binary_search(kToldByArguments, context.kind.name);
}

OTF2_StringRef EventExport::arguments(const Context& context) {
    const bool returned = context.call.leave_event.has_value();
    if (returned && !keeps_arguments(context)) return OTF2_UNDEFINED_STRING;
    const bool of_file = context.kind.space == analysis::WaveSpace::File;
    std::string text;
    const auto& parameters = context.procedure.parameters;
    for (std::size_t at = 0; at < parameters.size() && at < context.call.before.size(); ++at) {
        const model::Parameter& parameter = parameters[at];
        if (model::is_of_recorder(parameter.kind) || parameter.direction == Direction::Out ||
            (returned && !is_kept(parameter.kind) && !(of_file && parameter.role == Role::Count)))
            continue;
        append(text, parameter, context.call.before[at]);
    }
    const auto has = [&](Role role) { return model::subscript_of(context.procedure, role) >= 0; };
    if (!returned && has(Role::Count))
        text += " bytes=" + std::to_string(context.bytes(execution_, Role::Count, Role::Datatype));
    if (!returned && has(Role::ReceiveCount)) {
        text += " recvbytes=" + std::to_string(context.bytes(
                                    execution_, Role::ReceiveCount, Role::ReceiveDatatype));
    }
    return definitions_.text(text);
}

OTF2_StringRef EventExport::results(const Context& context) {
    if (!context.call.leave_event || !keeps_arguments(context)) return OTF2_UNDEFINED_STRING;
    std::string text;
    const auto& parameters = context.procedure.parameters;
    for (std::size_t at = 0; at < parameters.size() && at < context.call.after.size(); ++at) {
        const model::Parameter& parameter = parameters[at];
        if (!model::is_of_recorder(parameter.kind) && parameter.direction == Direction::Out)
            append(text, parameter, context.call.after[at]);
    }
    return text.empty() ? OTF2_UNDEFINED_STRING : definitions_.text(text);
}

void EventExport::append(std::string& text,
                         const model::Parameter& parameter,
                         const model::Value& value) const {
    // One name for what MPI calls comm, comm_old and local_comm.
    const std::string name = parameter.role == Role::Communicator ? "comm" : parameter.name;
    text += (text.empty() ? "" : " ") + name + "=";
    if (parameter.role == Role::Request) {
        text += std::to_string(known_request(value.number).second);
    } else if (!model::is_list(parameter.kind)) {
        text += std::to_string(number_of(execution_, parameter.role, value.number));
    }
    std::vector<std::int64_t> list;
    for (const std::int64_t each : value.list) {
        if (parameter.role != Role::Requests) {
            list.push_back(each);
            continue;
        }
        const auto [first, second] = known_request(each);
        list.push_back(first);
        if (second != first) list.push_back(second);
    }
    text += fmt::format("{}", fmt::join(list, ","));
}

// The archive's numbers of a request: two of MPI_Isendrecv.
std::pair<std::int64_t, std::int64_t> EventExport::known_request(std::int64_t id) const {
    const auto known = requests_.find(id);
    if (known == requests_.end() || !known->second.receive) return {id, id};
    const auto second = static_cast<std::int64_t>(number_of_receive(id, known->second));
    return {known->second.send ? id : second, second};
}

}  // namespace mqinspect::trace_io
