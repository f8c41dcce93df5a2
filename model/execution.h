/// A recorded run: what the analysis of a finished, killed or crashed job reads.
///
/// The definitions are all in memory; the calls come one after another from CallStream, so that
/// memory is bounded by what is open in the program and not by how long it ran. What the
/// processes number each for themselves (record_format.h) has one number here for all.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/call.h"
#include "model/ids.h"
#include "model/mpi_function.h"
#include "model/record_format.h"

namespace mqinspect::model {

/// The subscript of a process in Execution::processes: the world rank in a job of one world.
using ProcessId = StrongInt<struct ProcessIdTag>;
using ProcedureId = StrongInt<struct ProcedureIdTag>;
using StackId = StrongInt<struct StackIdTag>;
using DatatypeId = StrongInt<struct DatatypeIdTag>;

/// Numbers for what each MPI library numbers differently, in all values of kind Rank and Tag,
/// and for addresses that are none.
inline constexpr std::int64_t kProcNull = -1;
inline constexpr std::int64_t kAnySource = -2;
inline constexpr std::int64_t kRoot = -3;
inline constexpr std::int64_t kAnyTag = -1;
inline constexpr std::int64_t kUndefined = INT32_MIN;
inline constexpr std::int64_t kBottom = 0;    ///< a buffer: displacements are addresses
inline constexpr std::int64_t kInPlace = -1;  ///< a buffer

/// What a parameter is for, by its name in the standard; so that MPI_Send's and MPI_Isend's
/// `dest` are asked for by one word. Names that are not here are Role::Other.
enum class Role : std::uint8_t {
    Buffer,                ///< buf, buffer, origin_addr, inbuf
    Count,                 ///< count, origin_count
    Datatype,              ///< datatype, origin_datatype
    SendBuffer,            ///< sendbuf
    SendCount,             ///< sendcount, sendcounts
    SendDatatype,          ///< sendtype, sendtypes
    SendDisplacements,     ///< sdispls
    ReceiveBuffer,         ///< recvbuf
    ReceiveCount,          ///< recvcount, recvcounts
    ReceiveDatatype,       ///< recvtype, recvtypes
    ReceiveDisplacements,  ///< rdispls, displs of MPI_Gatherv and MPI_Allgatherv
    Destination,           ///< dest
    Source,                ///< source
    Tag,                   ///< tag
    SendTag,               ///< sendtag
    ReceiveTag,            ///< recvtag
    Communicator,          ///< comm, comm_old, local_comm, intercomm
    NewCommunicator,       ///< newcomm, comm_cart, comm_graph, comm_dist_graph, newintercomm,
                           ///< newintracomm, intercomm (out)
    Root,                  ///< root
    Operator,              ///< op
    Request,               ///< request
    Requests,              ///< array_of_requests
    Index,                 ///< index, indx
    Indices,               ///< array_of_indices
    OutCount,              ///< outcount
    Flag,                  ///< flag
    Status,                ///< status
    Statuses,              ///< array_of_statuses
    Message,               ///< message
    Window,                ///< win
    TargetRank,            ///< target_rank; rank of MPI_Win_lock, _unlock, _flush, _flush_local
    TargetDisplacement,    ///< target_disp
    TargetCount,           ///< target_count
    TargetDatatype,        ///< target_datatype
    ResultBuffer,          ///< result_addr
    LockType,              ///< lock_type
    Assertion,             ///< assert
    Group,                 ///< group
    File,                  ///< fh
    Partitions,            ///< partitions
    NewDatatype,           ///< newtype
    SendChecksum,          ///< the recorder's: of what is sent, at the call
    ReceiveChecksum,       ///< the recorder's: of what was received, at the return
    Checksums,             ///< the recorder's: of completed requests' buffers
    Other,
};
inline constexpr std::size_t kRoles = static_cast<std::size_t>(Role::Other);

struct Parameter {
    std::string name;
    ParameterKind kind = ParameterKind::Integer;
    Direction direction = Direction::In;
    Role role = Role::Other;
};

/// A procedure that the run has called. `function` is Local for names that are not MPI's.
struct Procedure {
    std::string name;  ///< "MPI_Isend"; large-count ones with their "_c"
    MpiFunction function;
    std::vector<Parameter> parameters;
    /// The subscript in `parameters` of each role, -1 if it has none.
    std::array<std::int8_t, kRoles> by_role{};
};

/// A number or a list; which of them, the ParameterKind says.
struct Value {
    std::int64_t number = 0;
    std::span<const std::int64_t> list{};
};

/// One call of an MPI procedure, with what it was given and what it gave back. Spans are valid
/// until the next call is read from the same stream. Ids in values are those of Execution.
struct RecordedCall {
    ProcessId process;
    int thread = 0;
    ProcedureId procedure;
    StackId stack;
    std::uint64_t event = 0;                   ///< number of the entry, in its thread
    std::optional<std::uint64_t> leave_event;  ///< empty: it has not returned
    std::int64_t enter_ns = 0;                 ///< since the start of the run
    std::int64_t leave_ns = 0;
    std::int64_t error_code = 0;  ///< what it returned; 0 is MPI_SUCCESS
    /// By subscript in Procedure::parameters: In and InOut values at the entry, Out and InOut
    /// values at the return. The others are 0 and empty.
    std::span<const Value> before;
    std::span<const Value> after;
};

/// What is neither a call nor a return: EventKind with its payload.
struct RecordedEvent {
    ProcessId process;
    int thread = 0;
    EventKind kind = EventKind::Limit;
    std::uint64_t event = 0;  ///< number of the last entry or return before it
    std::int64_t time_ns = 0;
    std::vector<std::int64_t> numbers;  ///< the payload's, in order
    std::string text;                   ///< the payload's
    std::optional<StackId> stack;
    /// Of EventKind::Overwritten: further ones behind it that say the same stand for themselves up
    /// to a certain number only.
    std::uint64_t count = 1;
};

/// The calls of one process in the order of their entries (by time, where threads differ).
class CallStream {
public:
    CallStream() = default;
    CallStream(const CallStream&) = delete;
    CallStream& operator=(const CallStream&) = delete;
    virtual ~CallStream() = default;

    /// False: there are no more.
    virtual bool next(RecordedCall& call) = 0;
};

/// A communicator as its process describes it in DefinitionKind::Communicator, in this order.
struct CommunicatorRecord {
    std::int64_t id = 0;
    std::int64_t parent = kNullHandle;  ///< kNullHandle: MPI_COMM_WORLD, MPI_COMM_SELF, spawn
    std::string constructor;            ///< "MPI_Comm_split"; "MPI_COMM_WORLD" for itself
    /// How many constructors of communicators this process has called on the parent before;
    /// MPI_Comm_create_group and MPI_Intercomm_create count only those with the same members and
    /// tag. The same in all members, so that it tells communicators apart.
    std::int64_t ordinal = 0;
    std::int64_t tag = 0;  ///< MPI_Comm_create_group, MPI_Intercomm_create
    std::int64_t comm_rank = 0;
    /// World ranks as triplets: first, last, step (the seed's init, last, step). Processes of
    /// other worlds by their world keys in `foreign`, and as -1 - subscript here.
    std::vector<std::array<std::int64_t, 3>> members;
    std::vector<std::array<std::int64_t, 3>> remote_members;
    std::vector<std::uint64_t> foreign;  ///< world key, rank in that world; in turn
    std::string topology;                ///< "", "cartesian", "graph", "distributed graph"
    /// Neighbours, as ranks of the communicator: who is received from, who is sent to.
    std::vector<std::int64_t> sources;
    std::vector<std::int64_t> destinations;
};

/// One communicator, whatever the number of processes that have described it.
struct RecordedCommunicator {
    CommunicatorId id;
    std::optional<CommunicatorId> parent;
    std::string name;  ///< MPI_Comm_set_name, or "MPI_COMM_WORLD"; else empty
    std::string constructor;
    bool inter = false;
    std::vector<ProcessId> members;  ///< by rank; unknown ones -1
    /// Of an intercommunicator: `members` are the group whose first process has the lower id.
    std::vector<ProcessId> remote_members;
    std::string topology;
    /// By rank, for a topology: neighbours as ranks. Empty for those who have not told.
    std::vector<std::vector<std::int64_t>> sources;
    std::vector<std::vector<std::int64_t>> destinations;
    std::vector<ProcessId> freed_by;  ///< sorted
};

/// A datatype; equal ones of all processes are one.
struct RecordedDatatype {
    DatatypeId id;
    std::string name;                    ///< "MPI_INT"; MPI_Type_set_name; else empty
    std::string combiner;                ///< "MPI_COMBINER_NAMED", "MPI_COMBINER_VECTOR"
    std::vector<std::int64_t> integers;  ///< as MPI_Type_get_contents gives them
    std::vector<std::int64_t> addresses;
    std::vector<DatatypeId> types;
    std::int64_t size = 0;
    std::int64_t lower_bound = 0;
    std::int64_t extent = 0;
    std::int64_t true_lower_bound = 0;
    std::int64_t true_extent = 0;
};

struct RecordedOperator {
    std::string name;  ///< "MPI_SUM"; empty for the user's
    bool commutes = true;
    std::string function;  ///< of the user's: "image+0x1234", equal where the program is
};

struct RecordedWindow {
    CommunicatorId communicator;
    std::string kind;  ///< "MPI_Win_create"
    struct Part {
        ProcessId process;
        std::uint64_t base = 0;
        std::int64_t bytes = 0;
        std::int64_t displacement_unit = 1;
    };
    std::vector<Part> parts;  ///< of the processes that have told

    /// Its memory comes with MPI_Win_attach.
    bool is_dynamic() const { return kind == "MPI_Win_create_dynamic"; }
    /// Processes load from, and store to, each other's parts.
    bool is_shared() const { return kind.starts_with("MPI_Win_allocate_shared"); }
    /// Null: the process has not told.
    const Part* part_of(ProcessId process) const;
};

/// A place in the machine code, which inspector/target turns into source lines, or in a script.
struct CodePlace {
    int image = -1;            ///< subscript in Execution::images, -1: unknown
    std::uint64_t offset = 0;  ///< of a script the line, 0: not known

    friend bool operator==(const CodePlace&, const CodePlace&) = default;
};

struct RecordedImage {
    std::string path;
    std::string build_id;
    /// Of a function that an interpreter executes, whose source file is `path`; else empty.
    std::string script_function = {};
};

/// How a process ended.
struct Termination {
    enum class Kind {
        Finalized,  ///< returned from MPI_Finalize
        Exited,     ///< exit without MPI_Finalize
        Crashed,    ///< a signal of its own making
        Aborted,    ///< called MPI_Abort
        Killed,     ///< nothing was recorded of its end
    } kind = Kind::Killed;
    bool recorded = true;          ///< false: the record tells of no ends at all
    bool running = false;          ///< Killed: it has not ended yet
    std::int64_t code = 0;         ///< exit code, signal, or MPI_Abort's argument
    std::optional<StackId> stack;  ///< of a crash, or of what has ended the process
    std::uint64_t address = 0;     ///< of a crash
};

/// What a process's MPI library says of an error code. Codes are not the same in all processes.
struct RecordedErrorCode {
    ProcessId process;
    std::int64_t code = 0;
    std::string error_class;  ///< "MPI_ERR_TRUNCATE"
    std::string text;
};

struct RecordedProcess {
    ProcessId id;
    WorldRank rank;  ///< in its world
    int world = 0;   ///< subscript of the world; 0 for most jobs
    int world_size = 0;
    std::string host;
    std::int64_t pid = 0;
    std::string executable;
    std::string mpi_library;
    std::string thread_required;  ///< "MPI_THREAD_SINGLE"
    std::string thread_provided;
    Termination termination;
    /// Parts are missing: of what is not there nothing follows, and a call at the end of a thread
    /// that has not returned may well have.
    bool incomplete = false;
    bool threads_communicate = false;  ///< two at least, whatever is allowed

    /// Other threads than the main one may call MPI, or do.
    bool threads_may_call() const {
        return threads_communicate || thread_provided == "MPI_THREAD_MULTIPLE" ||
               thread_provided == "MPI_THREAD_SERIALIZED";
    }
};

/// What one collective MPI_File_open has opened.
struct RecordedFile {
    CommunicatorId communicator{-1};  ///< -1: not known
    std::string name;
    /// Host, device, number and path: another file has another one. Empty: not known.
    std::string place;
};

/// Of a file's name as programs give it: what is behind the folder, and behind the name of a file
/// system, which MPI libraries take in front of it.
inline std::string_view without_folder(std::string_view name) {
    return name.substr(name.find_last_of("/:") + 1);
}

/// What every part of the analysis can ask of a recorded run.
struct Execution {
    std::vector<RecordedProcess> processes;  ///< by world, then by rank
    std::vector<Procedure> procedures;
    std::vector<RecordedCommunicator> communicators;  ///< by CommunicatorId; parents first
    std::vector<RecordedDatatype> datatypes;          ///< by DatatypeId
    std::vector<RecordedOperator> operators;
    std::vector<RecordedWindow> windows;
    std::vector<RecordedFile> files;
    std::vector<std::string> texts;
    std::vector<RecordedImage> images;
    std::vector<std::vector<CodePlace>> stacks;  ///< by StackId, innermost first
    std::vector<RecordedEvent> events;           ///< by process, then by time
    std::vector<RecordedErrorCode> error_codes;  ///< by process, then by code
    /// What the MPI library of the run calls MPI_LOCK_SHARED, MPI_TAG_UB and others that have
    /// no number of ours above.
    std::map<std::string, std::int64_t, std::less<>> constants;

    /// The library's own number, if the run tells it.
    std::int64_t constant(std::string_view name, std::int64_t otherwise) const {
        const auto found = constants.find(name);
        return found == constants.end() ? otherwise : found->second;
    }
    /// Null: a null handle, or none that the run has.
    const RecordedDatatype* datatype(std::int64_t id) const {
        const auto place = static_cast<std::size_t>(id);
        return id < 0 || place >= datatypes.size() ? nullptr : &datatypes[place];
    }
    /// Null: unknown.
    const RecordedErrorCode* error_code(ProcessId process, std::int64_t code) const {
        const auto found =
            std::find_if(error_codes.begin(), error_codes.end(), [&](const auto& one) {
                return one.process == process && one.code == code;
            });
        return found == error_codes.end() ? nullptr : &*found;
    }

    /// When the command that was recorded has ended, on the clock of the events; now, if some of
    /// its processes run on.
    std::optional<std::int64_t> end_ns;

    /// One line for each thing that could not be read: file, offset, what it means.
    std::vector<std::string> problems;
};

/// A recorded run that is open for reading.
class Recording {
public:
    Recording() = default;
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;
    virtual ~Recording() = default;

    virtual const Execution& execution() const = 0;
    /// A new stream from the first call on; several may be read at a time, also by threads.
    virtual std::unique_ptr<CallStream> calls(ProcessId process) const = 0;
};

/// Of the parameter with the role; -1: the procedure has none.
inline int subscript_of(const Procedure& procedure, Role role) {
    return procedure.by_role[static_cast<std::size_t>(role)];
}

/// The same of a name, for parameters that have no role of their own.
inline int subscript_of(const Procedure& procedure, std::string_view name) {
    for (std::size_t at = 0; at < procedure.parameters.size(); ++at)
        if (procedure.parameters[at].name == name) return static_cast<int>(at);
    return -1;
}

/// The value of a role, or of a parameter of this name, at the entry or at the return; null: the
/// procedure has no such parameter.
template <class RoleOrName>
const Value* value_of(const Procedure& procedure, std::span<const Value> values, RoleOrName which) {
    const int at = subscript_of(procedure, which);
    return at < 0 || static_cast<std::size_t>(at) >= values.size()
               ? nullptr
               : &values[static_cast<std::size_t>(at)];
}

/// The role that a parameter of this name has in this procedure.
Role role_of(std::string_view procedure, std::string_view parameter, Direction direction);

/// Fills `role` of the parameters and `by_role`.
void assign_roles(Procedure& procedure);

}  // namespace mqinspect::model
