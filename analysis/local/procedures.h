/// What the checks of single processes know about each MPI procedure, worked out once per run,
/// and a view of a call through it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "model/execution.h"

namespace mqinspect::analysis {

/// Which buffers a procedure reads and writes.
enum class BufferRule : std::uint8_t {
    None,
    Send,
    Receive,
    SendReceive,         ///< two buffers
    SendReceiveReplace,  ///< one that is both
    PartitionedSend,
    PartitionedReceive,
    Broadcast,
    Gather,  ///< with MPI_Gatherv, by the kind of the count
    Scatter,
    Allgather,
    Alltoall,  ///< with its v and w forms
    NeighborAllgather,
    NeighborAlltoall,
    Reduce,
    Allreduce,  ///< with MPI_Scan, MPI_Exscan
    ReduceScatter,
    ReduceScatterBlock,
    ReduceLocal,
    FileRead,
    FileWrite,
    Pack,
    Unpack,
    Put,
    Get,
    Accumulate,  ///< with MPI_Rput's kin, as MPI_Put
    GetAccumulate,
    FetchAndOp,
    CompareAndSwap,
};

/// What a procedure does to requests that exist.
enum class RequestAction : std::uint8_t {
    None,
    Wait,
    Waitall,
    Waitany,
    Waitsome,
    Test,
    Testall,
    Testany,
    Testsome,
    Start,
    Startall,
    Free,
    Cancel,
    Ask,        ///< MPI_Request_get_status: tells that it is complete, and leaves it there
    Partition,  ///< MPI_Pready, MPI_Parrived: needs a started one
};

/// What a procedure does to the epochs of a window.
enum class WindowAction : std::uint8_t {
    None,
    Fence,
    Start,
    Complete,
    Post,
    Wait,
    Test,
    Lock,
    Unlock,
    LockAll,
    UnlockAll,
    Flush,
    FlushAll,
    FlushLocal,
    FlushLocalAll,
    Access,
    Sync,
    Free,
};

/// What the arguments of a procedure must say that defines something, or asks about it.
enum class DefinitionRule : std::uint8_t {
    None,
    Color,              ///< MPI_Comm_split
    Intercommunicator,  ///< needs one
    Members,            ///< ranks of a group
    Grid,
    Neighbors,    ///< as ranks, with their weights
    Graph,        ///< of MPI_Graph_create: nodes and edges
    OfCartesian,  ///< needs a communicator with this topology
    OfGraph,
    OfDistributedGraph,
    OfAnyTopology,
    Subarray,
    DistributedArray,
    ThreadLevel,
    WindowMemory,
    DynamicWindow,  ///< needs one of MPI_Win_create_dynamic
    FreedMemory,    ///< must not be a window's
    FreedDatatype,  ///< must not be a predefined one
    Packing,
    Info,          ///< needs one
    ErrorHandler,  ///< needs one
    FileMode,      ///< MPI_File_open
    FileView,
    Contents,  ///< MPI_Type_get_contents
};

/// What a handle names. Attribute keys are numbers, memory is known by its address and ports by
/// their names, but they are made, used and freed like handles.
enum class HandleKind : std::uint8_t {
    Communicator,
    Datatype,
    Operator,
    Window,
    File,
    Group,
    Message,  ///< of a matched probe; receiving it ends the handle
    Info,
    ErrorHandler,
    AttributeKey,
    Memory,  ///< of MPI_Alloc_mem
    Port,
};
inline constexpr std::size_t kHandleKinds = 12;

/// True: the record has the handle as the MPI library's own number, or an address or text, which
/// it may use again, and not as an id.
constexpr bool is_raw(HandleKind kind) {
    return kind >= HandleKind::Info;
}

enum class Phase : std::uint8_t {
    Communication,  ///< between MPI_Init and MPI_Finalize
    Any,            ///< allowed at any time (MPI 4.0, 11.4.1), also by any thread
    Initialize,
    Finalize,
    Abort,
};

struct LocalProcedure {
    const model::Procedure* procedure = nullptr;
    BufferRule buffers = BufferRule::None;
    RequestAction requests = RequestAction::None;
    WindowAction window = WindowAction::None;
    DefinitionRule definition = DefinitionRule::None;
    Phase phase = Phase::Communication;
    bool makes_request = false;
    bool persistent = false;    ///< the request that it makes is to be started
    bool collective = false;    ///< of its communicator, in any form
    bool lends_handle = false;  ///< gives handles that may be given back
    bool frees = false;         ///< gives back the handle that it is given
    bool makes_handle = false;  ///< gives a handle that is to be given back
    bool commits = false;       ///< MPI_Type_commit
    bool session = false;       ///< of the sessions model
    bool info = false;          ///< MPI_Info_set and its kin
    bool refusable = false;     ///< it matters to Refusals
    bool reads_status = false;  ///< its parameter "status"
    bool relates = false;       ///< is given and gives communicators, groups, windows, files, or
                                ///< sessions: two of these at least

    /// It must not be given a file, or a communicator, on which operations are pending (MPI 4.0,
    /// 14.2.2, 14.2.4, 14.3, 14.6.1 and 11.10.4).
    bool takes_none_pending = false;

    /// Of MPI_Win_create, MPI_Win_attach, MPI_Buffer_attach: the parameter with the memory that MPI
    /// uses from then on.
    std::optional<std::size_t> lent;

    /// Subscripts of parameters that a handle goes in or out by.
    struct Handle {
        std::uint8_t at = 0;
        HandleKind kind{};
        bool list = false;
        bool in = false;
        bool out = false;
    };
    std::vector<Handle> handles;  ///< without requests and sessions

    bool is(model::Role role) const { return model::subscript_of(*procedure, role) >= 0; }
};

/// By ProcedureId.
std::vector<LocalProcedure> local_procedures(const model::Execution& execution);

/// A call, and what is known about its procedure.
struct CallView {
    const model::RecordedCall& call;
    const LocalProcedure& local;

    const model::Value* in(model::Role role) const {
        return model::value_of(*local.procedure, call.before, role);
    }
    const model::Value* out(model::Role role) const {
        return call.leave_event ? model::value_of(*local.procedure, call.after, role) : nullptr;
    }
    /// The number given, or `otherwise` if the procedure has no such parameter.
    std::int64_t number(model::Role role, std::int64_t otherwise = 0) const {
        const model::Value* const value = in(role);
        return value != nullptr ? value->number : otherwise;
    }
    std::int64_t result(model::Role role, std::int64_t otherwise = 0) const {
        const model::Value* const value = out(role);
        return value != nullptr ? value->number : otherwise;
    }
    /// The requests that it is given, or the one; empty: it is given none.
    std::span<const std::int64_t> requests() const;
    /// A parameter of a name that has no role of its own; null: it has none of that name.
    const model::Value* named(std::string_view name) const;

    const std::string& name() const { return local.procedure->name; }
    /// It returned MPI_SUCCESS.
    bool succeeded() const { return call.leave_event && call.error_code == 0; }
};

/// Of a parameter of kind Text; empty: there is none. `value` may be null.
std::string text_of(const model::Execution& execution, const model::Value* value);

}  // namespace mqinspect::analysis
