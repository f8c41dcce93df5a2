#include "trace_io/otf2/import_layouts.h"

#include <algorithm>
#include <initializer_list>

#include "trace_io/otf2/collectives.h"

namespace mqinspect::trace_io {
namespace {

using model::Direction;
using model::ParameterKind;

constexpr Direction kIn = Direction::In;
constexpr Direction kOut = Direction::Out;

constexpr ImportedParameter kCommunicator{"comm", ParameterKind::Communicator, kIn};
constexpr ImportedParameter kWindow{"win", ParameterKind::Window, kIn};
constexpr ImportedParameter kNewRequest{"request", ParameterKind::Request, kOut};
constexpr ImportedParameter kFlag{"flag", ParameterKind::Flag, kOut};
constexpr ImportedParameter kStatus{"status", ParameterKind::Status, kOut};

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
}

ImportedParameters buffer_parameters() {
    return {{"buf", ParameterKind::Buffer, kIn},
            {"count", ParameterKind::Count, kIn},
            {"datatype", ParameterKind::Datatype, kIn}};
}

bool is_rooted(OTF2_CollectiveOp op) {
    return op == OTF2_COLLECTIVE_OP_REDUCE ||
           (op >= OTF2_COLLECTIVE_OP_BCAST && op <= OTF2_COLLECTIVE_OP_SCATTERV);
}

}  // namespace

ImportedParameters message_parameters(const char* peer, bool request, bool status) {
    ImportedParameters parameters = buffer_parameters();
    parameters.insert(parameters.end(),
                      {{peer, ParameterKind::Rank, kIn},
                       {"tag", ParameterKind::Tag, kIn},
                       {"comm", ParameterKind::Communicator, kIn}});
    if (request) parameters.emplace_back("request", ParameterKind::Request, kOut);
    if (status) parameters.emplace_back("status", ParameterKind::Status, kOut);
    return parameters;
}

ImportedParameters exchange_parameters(bool replaces) {
    if (replaces) {
        ImportedParameters parameters = buffer_parameters();
        parameters.insert(parameters.end(),
                          {{"dest", ParameterKind::Rank, kIn},
                           {"sendtag", ParameterKind::Tag, kIn},
                           {"source", ParameterKind::Rank, kIn},
                           {"recvtag", ParameterKind::Tag, kIn},
                           kCommunicator,
                           kStatus});
        return parameters;
    }
    return {{"sendbuf", ParameterKind::Buffer, kIn},
            {"sendcount", ParameterKind::Count, kIn},
            {"sendtype", ParameterKind::Datatype, kIn},
            {"dest", ParameterKind::Rank, kIn},
            {"sendtag", ParameterKind::Tag, kIn},
            {"recvbuf", ParameterKind::Buffer, kIn},
            {"recvcount", ParameterKind::Count, kIn},
            {"recvtype", ParameterKind::Datatype, kIn},
            {"source", ParameterKind::Rank, kIn},
            {"recvtag", ParameterKind::Tag, kIn},
            {"comm", ParameterKind::Communicator, kIn},
            {"status", ParameterKind::Status, kOut}};
}

ImportedParameters completion_parameters(std::string_view name) {
    ImportedParameters parameters;
    const bool one = name == "Wait" || name == "Test";
    if (one) {
        parameters = {{"request", ParameterKind::Request, Direction::InOut}};
    } else {
        parameters = {{"count", ParameterKind::Count, kIn},
                      {"array_of_requests", ParameterKind::RequestList, Direction::InOut}};
    }
    if (name.ends_with("any")) parameters.emplace_back("index", ParameterKind::Integer, kOut);
    if (name.ends_with("some")) {
        parameters.emplace_back("outcount", ParameterKind::Integer, kOut);
        parameters.emplace_back("array_of_indices", ParameterKind::IntegerList, kOut);
    }
    const bool tests = name.starts_with("Test") && name != "Testsome";
    if (tests) parameters.emplace_back("flag", ParameterKind::Flag, kOut);
    if (one || name.ends_with("any")) {
        parameters.emplace_back("status", ParameterKind::Status, kOut);
    } else {
        parameters.emplace_back("array_of_statuses", ParameterKind::StatusList, kOut);
    }
    return parameters;
}

bool is_blocking_send(std::string_view name) {
    return is_one_of(name, {"Send", "Ssend", "Bsend", "Rsend"});
}

bool is_exchange(std::string_view name) {
    return name == "Sendrecv" || name == "Sendrecv_replace";
}

bool is_completion(std::string_view name) {
    return is_one_of(
        name, {"Wait", "Waitall", "Waitany", "Waitsome", "Test", "Testall", "Testany", "Testsome"});
}

bool is_nonblocking_send(std::string_view name) {
    return is_one_of(name, {"Isend", "Issend", "Ibsend", "Irsend"});
}

ImportedParameters collective_parameters(std::string_view name) {
    const auto op = collective_op(name);
    // Of MPI_Cart_sub nothing is left without the topology, which archives do not hold.
    if (!op || name == "Cart_sub") return {};
    if (*op == OTF2_COLLECTIVE_OP_CREATE_HANDLE)
        return {kCommunicator, {"newcomm", ParameterKind::Communicator, kOut}};
    if (*op == OTF2_COLLECTIVE_OP_DESTROY_HANDLE)
        return {{"comm", ParameterKind::Communicator, Direction::InOut}};
    ImportedParameters parameters;
    if (is_rooted(*op)) parameters.emplace_back("root", ParameterKind::Rank, kIn);
    parameters.push_back(kCommunicator);
    if (name.starts_with('I')) parameters.push_back(kNewRequest);
    return parameters;
}

bool opens_epoch(std::string_view name) {
    return is_one_of(name, {"Win_fence", "Win_start", "Win_lock", "Win_lock_all"});
}

bool is_access(std::string_view name) {
    return is_one_of(name,
                     {"Put",
                      "Get",
                      "Accumulate",
                      "Get_accumulate",
                      "Fetch_and_op",
                      "Compare_and_swap",
                      "Rput",
                      "Rget",
                      "Raccumulate",
                      "Rget_accumulate"});
}

ImportedParameters window_parameters(std::string_view name) {
    if (is_access(name)) {
        ImportedParameters parameters{{"target_rank", ParameterKind::Rank, kIn}, kWindow};
        if (name.starts_with('R')) parameters.push_back(kNewRequest);
        return parameters;
    }
    if (!name.starts_with("Win_")) return {};
    name.remove_prefix(4);
    const ImportedParameter rank{"rank", ParameterKind::Rank, kIn};
    const ImportedParameter assertion{"assert", ParameterKind::Integer, kIn};
    if (is_one_of(name, {"create", "allocate", "allocate_shared", "create_dynamic"}))
        return {kCommunicator, {"win", ParameterKind::Window, kOut}};
    if (name == "free") return {{"win", ParameterKind::Window, Direction::InOut}};
    if (is_one_of(name, {"fence", "lock_all"})) return {assertion, kWindow};
    if (is_one_of(name, {"start", "post"}))
        return {{"group", ParameterKind::Group, kIn}, assertion, kWindow};
    if (name == "lock")
        return {{"lock_type", ParameterKind::Integer, kIn}, rank, assertion, kWindow};
    if (is_one_of(name, {"unlock", "flush", "flush_local"})) return {rank, kWindow};
    if (name == "test") return {kWindow, kFlag};
    if (is_one_of(name, {"complete", "wait", "sync", "unlock_all", "flush_all", "flush_local_all"}))
        return {kWindow};
    return {};
}

namespace {

/// Of probes, of what is done with the messages and requests of others, of files, and of
/// neighbourhood collectives.
ImportedParameters other_parameters(std::string_view name) {
    const ImportedParameter message{"message", ParameterKind::Message, Direction::InOut};
    if (is_one_of(name, {"Mrecv", "Imrecv"})) {
        ImportedParameters parameters = buffer_parameters();
        parameters.push_back(message);
        parameters.push_back(name == "Mrecv" ? kStatus : kNewRequest);
        return parameters;
    }
    // Of what they read and write archives say only how many elements there are.
    const ImportedParameter file{"fh", ParameterKind::File, kIn};
    if (name == "File_open") return {kCommunicator, {"fh", ParameterKind::File, kOut}};
    if (name == "File_close") return {{"fh", ParameterKind::File, Direction::InOut}};
    if (name.starts_with("File_")) {
        const bool accesses = name.find("read") != name.npos || name.find("write") != name.npos;
        if (!accesses || name.ends_with("_end")) return {file};
        return {file, {"count", ParameterKind::Count, kIn}};
    }
    // Between which neighbours archives do not say.
    if (name.starts_with("Neighbor_")) return {kCommunicator};
    if (name == "Request_free") return {{"request", ParameterKind::Request, Direction::InOut}};
    if (name == "Cancel") return {{"request", ParameterKind::Request, kIn}};
    if (!is_one_of(name, {"Probe", "Iprobe", "Mprobe", "Improbe"})) return {};
    ImportedParameters parameters{
        {"source", ParameterKind::Rank, kIn}, {"tag", ParameterKind::Tag, kIn}, kCommunicator};
    if (name.starts_with('I')) parameters.push_back(kFlag);
    if (name.ends_with("mprobe") || name == "Mprobe")
        parameters.emplace_back("message", ParameterKind::Message, kOut);
    parameters.push_back(kStatus);
    return parameters;
}

}  // namespace

ImportedParameters parameters_of(std::string_view name) {
    if (is_blocking_send(name)) return message_parameters("dest", false, false);
    if (is_nonblocking_send(name)) return message_parameters("dest", true, false);
    if (name == "Recv") return message_parameters("source", false, true);
    if (name == "Irecv") return message_parameters("source", true, false);
    if (is_exchange(name)) return exchange_parameters(name != "Sendrecv");
    if (is_completion(name)) return completion_parameters(name);
    for (const auto& find : {collective_parameters, window_parameters, other_parameters}) {
        ImportedParameters parameters = find(name);
        if (!parameters.empty()) return parameters;
    }
    return {};
}

}  // namespace mqinspect::trace_io
