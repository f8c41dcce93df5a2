#include "inspector/snapshot/mpi_signature.h"

#include <algorithm>
#include <array>

namespace mqinspect::snapshot {

namespace {

struct Signature {
    std::string_view function;
    std::string_view parameters;
};

/// MPI 4.0, A.3. Procedures with the same parameters share a row.
constexpr std::array kSignatures{
    Signature{
        "MPI_Send MPI_Ssend MPI_Rsend MPI_Bsend",
        "const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm"},
    Signature{"MPI_Recv",
              "void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, "
              "MPI_Status *status"},
    Signature{"MPI_Mrecv",
              "void *buf, int count, MPI_Datatype datatype, MPI_Message *message, "
              "MPI_Status *status"},
    Signature{"MPI_Probe", "int source, int tag, MPI_Comm comm, MPI_Status *status"},
    Signature{"MPI_Mprobe",
              "int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status"},
    Signature{"MPI_Sendrecv",
              "const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag, "
              "void *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag, "
              "MPI_Comm comm, MPI_Status *status"},
    Signature{"MPI_Sendrecv_replace",
              "void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, "
              "int recvtag, MPI_Comm comm, MPI_Status *status"},
    Signature{"MPI_Wait", "MPI_Request *request, MPI_Status *status"},
    Signature{"MPI_Waitall",
              "int count, MPI_Request *array_of_requests, MPI_Status *array_of_statuses"},
    Signature{"MPI_Waitany",
              "int count, MPI_Request *array_of_requests, int *index, MPI_Status *status"},
    Signature{"MPI_Waitsome",
              "int incount, MPI_Request *array_of_requests, int *outcount, int *array_of_indices, "
              "MPI_Status *array_of_statuses"},
    Signature{"MPI_Barrier", "MPI_Comm comm"},
    Signature{"MPI_Win_fence", "int assert, MPI_Win win"},
    Signature{"MPI_Win_start", "MPI_Group group, int assert, MPI_Win win"},
    Signature{"MPI_Win_complete MPI_Win_wait MPI_Win_unlock_all MPI_Win_flush_all "
              "MPI_Win_flush_local_all",
              "MPI_Win win"},
    Signature{"MPI_Win_lock", "int lock_type, int rank, int assert, MPI_Win win"},
    Signature{"MPI_Win_lock_all", "int assert, MPI_Win win"},
    Signature{"MPI_Win_unlock MPI_Win_flush MPI_Win_flush_local", "int rank, MPI_Win win"},
    Signature{"MPI_Win_free", "MPI_Win *win"},
    Signature{"MPI_Bcast",
              "void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm"},
    Signature{"MPI_Gather MPI_Scatter",
              "const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, "
              "int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm"},
    Signature{"MPI_Gatherv",
              "const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, "
              "const int *recvcounts, const int *displs, MPI_Datatype recvtype, int root, "
              "MPI_Comm comm"},
    Signature{"MPI_Scatterv",
              "const void *sendbuf, const int *sendcounts, const int *displs, "
              "MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype, "
              "int root, MPI_Comm comm"},
    Signature{"MPI_Reduce",
              "const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, "
              "int root, MPI_Comm comm"},
    Signature{"MPI_Allreduce MPI_Scan MPI_Exscan MPI_Reduce_scatter_block",
              "const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, "
              "MPI_Comm comm"},
    Signature{"MPI_Reduce_scatter",
              "const void *sendbuf, void *recvbuf, const int *recvcounts, MPI_Datatype datatype, "
              "MPI_Op op, MPI_Comm comm"},
    Signature{"MPI_Allgather MPI_Alltoall MPI_Neighbor_allgather MPI_Neighbor_alltoall",
              "const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, "
              "int recvcount, MPI_Datatype recvtype, MPI_Comm comm"},
    Signature{"MPI_Allgatherv",
              "const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, "
              "const int *recvcounts, const int *displs, MPI_Datatype recvtype, MPI_Comm comm"},
    Signature{"MPI_Alltoallv",
              "const void *sendbuf, const int *sendcounts, const int *sdispls, "
              "MPI_Datatype sendtype, void *recvbuf, const int *recvcounts, const int *rdispls, "
              "MPI_Datatype recvtype, MPI_Comm comm"},
    Signature{"MPI_Comm_dup", "MPI_Comm comm, MPI_Comm *newcomm"},
    Signature{"MPI_Comm_split", "MPI_Comm comm, int color, int key, MPI_Comm *newcomm"},
    Signature{"MPI_Comm_create", "MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm"},
    Signature{"MPI_Cart_create",
              "MPI_Comm comm_old, int ndims, const int *dims, const int *periods, int reorder, "
              "MPI_Comm *comm_cart"},
    Signature{"MPI_Intercomm_create",
              "MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader, "
              "int tag, MPI_Comm *newintercomm"},
    Signature{"MPI_Comm_create_group",
              "MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm"},
    Signature{"MPI_Intercomm_merge", "MPI_Comm intercomm, int high, MPI_Comm *newintracomm"},
};

bool lists(std::string_view names, std::string_view function) {
    for (std::size_t at = 0; at < names.size();) {
        const std::size_t end = std::min(names.find(' ', at), names.size());
        if (names.substr(at, end - at) == function) return true;
        at = end + 1;
    }
    return false;
}

/// "const void *buf" is of type "const void *".
Parameter parameter_from(std::string_view text) {
    const std::size_t name = text.find_last_of(" *") + 1;
    std::string type(text.substr(0, name));
    while (type.ends_with(' '))
        type.pop_back();
    return {std::move(type), std::string(text.substr(name))};
}

}  // namespace

std::vector<Parameter> parameters_of(std::string_view function) {
    const auto row = std::ranges::find_if(kSignatures, [&](const Signature& signature) {
        return lists(signature.function, function);
    });
    std::vector<Parameter> parameters;
    if (row == kSignatures.end()) return parameters;
    for (std::string_view rest = row->parameters; !rest.empty();) {
        const std::size_t end = std::min(rest.find(", "), rest.size());
        parameters.push_back(parameter_from(rest.substr(0, end)));
        rest.remove_prefix(std::min(end + 2, rest.size()));
    }
    return parameters;
}

}  // namespace mqinspect::snapshot
