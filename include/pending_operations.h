/// What a recorder in a process says of its pending operations, for debuggers.
///
/// A recorder (libmqtrace.so) exports one variable, `mqi_pending`, of type Head. From there a
/// debugger finds the communicators of the process, the requests that are not complete as far as
/// the program has been told, and the blocking calls that each thread is in; libmqs_mpich.so
/// reads them where the MPI library itself shows nothing.
///
/// Everything is plain memory of the process, read from outside while it stands still. Addresses
/// are numbers of 64 bits, 0 is none. Structures say their sizes in Head, so that a newer recorder
/// may append members; one that changes the meaning of a member changes kVersion. While a table
/// is being changed, Head::changing is not 0; lists are whole at every instruction.
///
/// An operation that is complete inside of the MPI library is listed until the program has seen
/// that. MessageCounts tell how many messages there are between two processes that were sent and
/// not received, so that who sees both sides can tell what is still under way.
#pragma once

#include <cstdint>

namespace mqinspect::pending {

inline constexpr std::uint64_t kMagic = 0x0044'4e45'5049'514dULL;  ///< "MQIPEND"
inline constexpr std::uint32_t kVersion = 2;
inline constexpr char kSymbol[] = "mqi_pending";

enum class State : std::uint32_t {
    None = 0,  ///< nothing is recorded: before the first MPI call, or given up
    Recording = 1,
    Incomplete = 2,  ///< a call was not recorded: what follows is known in part only
    Finalized = 3,   ///< MPI_Finalize was called: nothing is pending
};

enum class Kind : std::uint8_t {
    None = 0,   ///< the place is empty
    Other = 1,  ///< a generalized request, file access, one-sided communication
    Receive = 2,
    MatchedReceive = 3,  ///< of a message that a matched probe has found
    Send = 4,            ///< standard mode
    SynchronousSend = 5,
    ReadySend = 6,
    BufferedSend = 7,
    SendReceive = 8,  ///< MPI_Isendrecv: its send, see Request
    Collective = 9,
    PartitionedSend = 10,
    PartitionedReceive = 11,
};

constexpr bool is_send(Kind kind) {
    return kind >= Kind::Send && kind <= Kind::BufferedSend;
}
constexpr bool is_receive(Kind kind) {
    return kind == Kind::Receive || kind == Kind::MatchedReceive;
}

/// One operation: a request, or the blocking call of a thread.
struct Operation {
    std::uint64_t handle = 0;  ///< the MPI_Request; 0 of a blocking call
    std::uint64_t place = 0;   ///< where the program keeps the handle, 0: not known
    std::int64_t id = 0;       ///< no other request of the process has had it
    std::int64_t order = 0;    ///< rises with each operation that is started; 0 of a blocking call
    std::uint64_t communicator = 0;  ///< the MPI_Comm
    std::uint64_t datatype = 0;      ///< the MPI_Datatype
    std::uint64_t buffer = 0;
    std::int64_t count = 0;  ///< of the datatype
    /// MPI_Type_size; of a collective operation what one process gives or gets at most; -1: not
    /// known.
    std::int64_t element_bytes = -1;
    std::uint64_t function = 0;  ///< the procedure's name, a text that ends with NUL
    std::int64_t sequence =
        -1;                 ///< of a collective operation on its communicator, from 0; -1: none
    std::int32_t peer = 0;  ///< source or destination, as the program gave it
    std::int32_t tag = 0;
    Kind kind = Kind::None;
    std::uint8_t persistent = 0;
    std::uint8_t active = 0;  ///< a persistent one: started, and not seen to complete
    std::uint8_t reserved[5] = {};
};
static_assert(sizeof(Operation) == 104);

/// What a receive takes.
struct Envelope {
    std::int32_t peer = 0;  ///< the source, as the program gave it
    std::int32_t tag = 0;
    std::int64_t count = 0;           ///< of the datatype
    std::uint64_t datatype = 0;       ///< the MPI_Datatype
    std::int64_t element_bytes = -1;  ///< MPI_Type_size; -1: not known
};

/// An entry of Head::requests.
struct Request {
    Operation operation;
    Envelope received;  ///< of Kind::SendReceive
};
static_assert(sizeof(Request) == 136);

/// Of a hash table: `places` requests, Head::request_bytes apart, those with Kind::None empty.
struct Table {
    std::uint64_t entries = 0;
    std::uint64_t places = 0;
};

/// A thread that has called MPI.
struct Thread {
    std::uint64_t next = 0;   ///< an older one
    std::uint64_t id = 0;     ///< the operating system's
    std::uint64_t calls = 0;  ///< of MPI procedures, counted as they begin
    Operation send;           ///< of the blocking call that it is in
    Operation receive;        ///< likewise; both: MPI_Sendrecv
};

/// World ranks first, first + step, ..., last. Negative ones are processes of other worlds.
struct Ranks {
    std::int32_t first = 0;
    std::int32_t last = 0;
    std::int32_t step = 1;
};

/// Of the user's messages between this process and one peer. Sums wrap around.
struct MessageCounts {
    std::uint64_t sent = 0;         ///< sends that were started
    std::uint64_t sent_tags = 0;    ///< the sum of their tags
    std::uint64_t sent_hashes = 0;  ///< the sum of hash_of_tag of them
    std::uint64_t received = 0;     ///< receives that the program has seen complete
    std::uint64_t received_tags = 0;
    std::uint64_t received_hashes = 0;
};

/// Sums of it tell sets of tags apart that have the same size and sum.
constexpr std::uint64_t hash_of_tag(std::int32_t tag) {
    std::uint64_t hash = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(tag)) + 1) *
                         0x9e37'79b9'7f4a'7c15ULL;
    hash ^= hash >> 32U;
    return hash * 0xd6e8'feb8'6659'fd93ULL;
}

struct Communicator {
    std::uint64_t next = 0;            ///< an older one
    std::uint64_t handle = 0;          ///< the MPI_Comm
    std::uint64_t id = 0;              ///< equal in all its processes, positive, less than 2^62
    std::uint64_t members = 0;         ///< Ranks: the group of this process
    std::uint64_t remote_members = 0;  ///< of an intercommunicator
    std::uint64_t counts = 0;          ///< MessageCounts of each peer; 0: no message yet
    std::int64_t collectives = 0;      ///< nonblocking ones that were started
    std::uint32_t member_ranges = 0;
    std::uint32_t remote_ranges = 0;
    std::int32_t rank = 0;
    std::int32_t size = 0;
    std::int32_t remote_size = 0;  ///< 0: an intracommunicator
    /// Not 0: a message was not counted, because a call has failed, or a request was freed.
    std::uint32_t uncounted = 0;
    char name[64] = {};  ///< empty: the program has not named it
};
static_assert(sizeof(Communicator) == 144);

struct Head {
    std::uint64_t magic = kMagic;
    std::uint32_t version = kVersion;
    std::uint32_t head_bytes = sizeof(Head);
    std::uint32_t communicator_bytes = sizeof(Communicator);
    std::uint32_t thread_bytes = sizeof(Thread);
    std::uint32_t operation_bytes = sizeof(Operation);
    std::uint32_t request_bytes = 0;  ///< from one entry of `requests` to the next
    State state = State::None;
    std::uint32_t changing = 0;  ///< a table is being changed
    std::int32_t world_rank = -1;
    std::int32_t world_size = 0;
    std::uint64_t communicators = 0;  ///< the newest
    std::uint64_t threads = 0;        ///< the newest
    Table requests;
    /// What matched probes have found and nobody has received: handles are MPI_Message, `count` is
    /// in bytes.
    Table messages;
};
static_assert(sizeof(Head) == 96);

}  // namespace mqinspect::pending
