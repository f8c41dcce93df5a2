#include "model/execution.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>

namespace mqinspect::model {
namespace {

// Parameter names of MPI 4.0 that mean the same in every procedure.
const std::unordered_map<std::string_view, Role>& roles_by_name() {
    static const std::unordered_map<std::string_view, Role> table = {
        {"buf", Role::Buffer},
        {"buffer", Role::Buffer},
        {"origin_addr", Role::Buffer},
        {"inbuf", Role::Buffer},
        {"count", Role::Count},
        {"origin_count", Role::Count},
        {"datatype", Role::Datatype},
        {"origin_datatype", Role::Datatype},
        {"sendbuf", Role::SendBuffer},
        {"sendcount", Role::SendCount},
        {"sendcounts", Role::SendCount},
        {"sendtype", Role::SendDatatype},
        {"sendtypes", Role::SendDatatype},
        {"sdispls", Role::SendDisplacements},
        {"recvbuf", Role::ReceiveBuffer},
        {"recvcount", Role::ReceiveCount},
        {"recvcounts", Role::ReceiveCount},
        {"recvtype", Role::ReceiveDatatype},
        {"recvtypes", Role::ReceiveDatatype},
        {"rdispls", Role::ReceiveDisplacements},
        {"dest", Role::Destination},
        {"source", Role::Source},
        {"tag", Role::Tag},
        {"sendtag", Role::SendTag},
        {"recvtag", Role::ReceiveTag},
        {"comm", Role::Communicator},
        {"comm_old", Role::Communicator},
        {"local_comm", Role::Communicator},
        {"newcomm", Role::NewCommunicator},
        {"comm_cart", Role::NewCommunicator},
        {"comm_graph", Role::NewCommunicator},
        {"comm_dist_graph", Role::NewCommunicator},
        {"newintercomm", Role::NewCommunicator},
        {"newintracomm", Role::NewCommunicator},
        {"root", Role::Root},
        {"op", Role::Operator},
        {"request", Role::Request},
        {"array_of_requests", Role::Requests},
        {"array_of_indices", Role::Indices},
        {"outcount", Role::OutCount},
        {"flag", Role::Flag},
        {"status", Role::Status},
        {"array_of_statuses", Role::Statuses},
        {"message", Role::Message},
        {"win", Role::Window},
        {"target_rank", Role::TargetRank},
        {"target_disp", Role::TargetDisplacement},
        {"target_count", Role::TargetCount},
        {"target_datatype", Role::TargetDatatype},
        {"result_addr", Role::ResultBuffer},
        {"lock_type", Role::LockType},
        {"assert", Role::Assertion},
        {"group", Role::Group},
        {"fh", Role::File},
        {"partitions", Role::Partitions},
        {"newtype", Role::NewDatatype},
        {"send_checksum", Role::SendChecksum},
        {"receive_checksum", Role::ReceiveChecksum},
        {"checksums", Role::Checksums},
    };
    return table;
}

std::string_view without_large_suffix(std::string_view procedure) {
    if (procedure.ends_with("_c")) procedure.remove_suffix(2);
    return procedure;
}

// "scatterv" in MPI_Scatterv, MPI_Iscatterv, MPI_Scatterv_init.
bool scatters_parts(std::string_view procedure) {
    return procedure.find("catterv") != std::string_view::npos;
}

bool locks_one_target(std::string_view procedure) {
    procedure = without_large_suffix(procedure);
    return procedure == "MPI_Win_lock" || procedure == "MPI_Win_unlock" ||
           procedure == "MPI_Win_flush" || procedure == "MPI_Win_flush_local";
}

// The recorder's own parameters, whatever their names.
Role checksum_role(const Parameter& parameter) {
    if (parameter.kind == ParameterKind::ChecksumList) return Role::Checksums;
    return parameter.direction == Direction::In ? Role::SendChecksum : Role::ReceiveChecksum;
}

}  // namespace

Role role_of(std::string_view procedure, std::string_view parameter, Direction direction) {
    // MPI_Intercomm_merge is given one, MPI_Comm_spawn makes one.
    if (parameter == "intercomm") {
        return direction == Direction::Out ? Role::NewCommunicator : Role::Communicator;
    }
    if (parameter == "displs") {
        return scatters_parts(procedure) ? Role::SendDisplacements : Role::ReceiveDisplacements;
    }
    // The lists of MPI_Graph_create and MPI_Graph_get bear these names, too.
    if (parameter == "index" || parameter == "indx") {
        const std::string_view plain = without_large_suffix(procedure);
        return plain == "MPI_Waitany" || plain == "MPI_Testany" ? Role::Index : Role::Other;
    }
    if (parameter == "rank") return locks_one_target(procedure) ? Role::TargetRank : Role::Other;
    // What MPI_Get_count and MPI_Get_elements answer is not how much a call was given.
    if (parameter == "count" && direction == Direction::Out) return Role::Other;
    const auto found = roles_by_name().find(parameter);
    return found == roles_by_name().end() ? Role::Other : found->second;
}

void assign_roles(Procedure& procedure) {
    procedure.by_role.fill(-1);
    std::int8_t at = 0;
    for (Parameter& parameter : procedure.parameters) {
        parameter.role = is_checksum(parameter.kind)
                             ? checksum_role(parameter)
                             : role_of(procedure.name, parameter.name, parameter.direction);
        if (parameter.role != Role::Other) {
            std::int8_t& place = procedure.by_role[static_cast<std::size_t>(parameter.role)];
            if (place < 0) place = at;
        }
        if (at++ == INT8_MAX - 1) return;  // no procedure of MPI has as many
    }
}

const RecordedWindow::Part* RecordedWindow::part_of(ProcessId process) const {
    const auto part = std::ranges::find(parts, process, &Part::process);
    return part == parts.end() ? nullptr : &*part;
}

}  // namespace mqinspect::model
