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

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
    return std::ranges::find(names, name) != names.end();
}

ImportedParameters buffer_parameters() {
    return {{"buf", ParameterKind::Buffer, kIn},
            {"count", ParameterKind::Count, kIn},
            {"datatype", ParameterKind::Datatype, kIn}};
}

bool is_rooted(std::string_view name) {
    return is_one_of(name, {"Bcast", "Gather", "Gatherv", "Scatter", "Scatterv", "Reduce"});
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

ImportedParameters exchange_parameters() {
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

bool is_completion(std::string_view name) {
    return is_one_of(
        name, {"Wait", "Waitall", "Waitany", "Waitsome", "Test", "Testall", "Testany", "Testsome"});
}

bool is_nonblocking_send(std::string_view name) {
    return is_one_of(name, {"Isend", "Issend", "Ibsend", "Irsend"});
}

ImportedParameters collective_parameters(std::string_view name) {
    const auto op = collective_op(name);
    const bool imported =
        op && *op <= OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK && !name.starts_with('I');
    if (!imported) return {};
    if (!is_rooted(name)) return {{"comm", ParameterKind::Communicator, kIn}};
    return {{"root", ParameterKind::Rank, kIn}, {"comm", ParameterKind::Communicator, kIn}};
}

}  // namespace mqinspect::trace_io
