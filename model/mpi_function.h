/// What each MPI procedure is, by name: enough to say when a call waits.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/operation.h"

namespace mqinspect::model {

/// What a call can wait for (reference: MPI 4.0, 2.4.2 and 3.7; chapter 6).
enum class CallClass {
    Local,          ///< never waits for another rank (MPI_Isend, MPI_Test, MPI_Comm_rank)
    Send,           ///< one destination
    Receive,        ///< one source, or any
    Probe,          ///< one source, or any; leaves the message
    Sendrecv,       ///< a send and a receive, both
    WaitOne,        ///< one request
    WaitAll,        ///< all requests
    WaitAny,        ///< one of the requests
    WaitSome,       ///< at least one of the requests
    AllToAll,       ///< collective: nobody returns before all have entered
    FromRoot,       ///< collective: non-roots wait for the root (Bcast, Scatter)
    ToRoot,         ///< collective: the root waits for all (Reduce, Gather)
    Prefix,         ///< collective: waits for the lower ranks (Scan, Exscan)
    Neighborhood,   ///< collective on a topology: waits for its neighbors
    WindowStart,    ///< waits for MPI_Win_post of a group (MPI_Win_start, MPI_Win_complete)
    WindowWait,     ///< waits for MPI_Win_complete of a group (MPI_Win_wait)
    WindowTarget,   ///< lock, unlock and flush: one member's lock and progress
    WindowTargets,  ///< the same for all members of the window's group
    FileAccess,     ///< collective on a file; members may leave before others enter
    Connect,        ///< collective, and then waits for processes of another world
    Disconnect,     ///< waits for what is pending on the communicator, and for other worlds
    Finalize,       ///< MPI_Finalize: all of the job, and no return to MPI after it
    OtherBlocking,  ///< may wait in a way not modelled (MPI_Comm_join)
};

struct MpiFunction {
    std::string_view name;  ///< the C binding's name, MPI_Ssend
    CallClass call_class = CallClass::Local;
    /// Sends, also nonblocking and persistent ones, and Sendrecv: the mode.
    SendMode mode = SendMode::Unknown;
};

/// Finds a procedure by C name, PMPI name or Fortran symbol ("MPI_Recv",
/// "PMPI_Recv", "mpi_recv_", "pmpi_recv__", "MPI_RECV", "mpi_recv_f08ts_"). The
/// large-count form ("MPI_Recv_c") is found under the plain name.
///
/// A name that the table does not list is a Local procedure if it is written as
/// the C binding writes names ("MPIX_Grequest_start"); anything else is empty, so
/// that a user's mpi_exchange_halo is not taken for MPI. The name in the result
/// lives as long as the program. Safe to call from several threads.
std::optional<MpiFunction> find_mpi_function(std::string_view symbol);

/// True for AllToAll, FromRoot, ToRoot, Prefix, Neighborhood, FileAccess and Connect.
bool is_collective(CallClass call_class);

}  // namespace mqinspect::model
