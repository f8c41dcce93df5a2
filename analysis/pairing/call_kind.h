/// What a recorded procedure does to messages, requests and collective operations.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/execution.h"

namespace mqinspect::analysis {

enum class Action : std::uint8_t {
    None,  ///< nothing that concerns other processes
    Send,
    Receive,
    SendReceive,
    SendReceiveReplace,
    Probe,
    MatchedProbe,
    MatchedReceive,
    Complete,  ///< Wait, Test and their kin
    Start,     ///< of persistent requests
    Ready,     ///< MPI_Pready and its kin
    Free,      ///< MPI_Request_free
    Collective,
    Initialize,
    Finalize,
    Abort,
    WindowPost,
    WindowStart,
    WindowComplete,
    WindowWait,
    WindowLock,
    WindowFlush,
    WindowUnlock,
};

/// Of completion calls: which of their requests have completed at the return.
enum class Completed : std::uint8_t { One, All, Any, Some };

/// What carries the order of collective calls (MPI 4.0, 6.13; 12.2; 14.6.4).
enum class WaveSpace : std::uint8_t { Communicator, Group, Window, File };

/// Who sends how much to whom in a collective operation.
enum class Pattern : std::uint8_t {
    None,       ///< no data, or none that can be compared
    Broadcast,  ///< the root to all
    Gather,
    Gatherv,
    Scatter,
    Scatterv,
    Allgather,  ///< the same amount from all to all: Allgather, Alltoall
    Allgatherv,
    Alltoallv,  ///< also Alltoallw
    Reduce,     ///< one count, datatype and operator
    Reducev,    ///< Reduce_scatter: a list of counts
    Neighbor,   ///< Neighbor_*, along the edges of the topology
};

struct CallKind {
    Action action = Action::None;
    bool blocking = true;      ///< false: it hands out a request
    bool persistent = false;   ///< the request is started later
    bool partitioned = false;  ///< Psend_init, Precv_init
    bool probes_only = false;  ///< Test, Iprobe: returns whether or not there is something
    Completed completed = Completed::One;
    model::SendMode mode = model::SendMode::Unknown;
    // Of collective calls.
    WaveSpace space = WaveSpace::Communicator;
    Pattern pattern = Pattern::None;
    bool rooted = false;
    bool by_groups = false;     ///< MPI_Comm_create: members may give different groups
    bool by_lists = false;      ///< topologies: all give the same dimensions, edges
    bool by_number = false;     ///< all give the same split_type, or assertions of a fence
    bool by_edges = false;      ///< each gives the edges that begin or end at it
    bool by_neighbors = false;  ///< MPI_Dist_graph_create and its kin: all with weights, or none
    bool sets_view = false;     ///< MPI_File_set_view
    bool opens_file = false;    ///< MPI_File_open
    bool by_values = false;     ///< MPI_File_set_size and its kin: all give the same numbers
    /// MPI_Intercomm_create, and of WaveSpace::Group MPI_Intercomm_create_from_groups: each group
    /// gives both leaders.
    bool by_leaders = false;
    bool gives_back = false;  ///< MPI_Comm_free and its kin: nothing can follow
    /// The same in procedures that may be called by different processes of one operation:
    /// without "MPI_" and a large count's "_c".
    std::string_view name;
    /// What MPI libraries tell operations apart by: the name, but a file's data is accessed at
    /// explicit offsets and at individual file pointers in one operation.
    std::string_view matched_by;
};

/// By ProcedureId. The names refer to `execution`.
std::vector<CallKind> classify_procedures(const model::Execution& execution);
/// A procedure among them starts sends in this mode, or makes requests for them.
bool has_sends(const std::vector<CallKind>& kinds, model::SendMode mode);

}  // namespace mqinspect::analysis
