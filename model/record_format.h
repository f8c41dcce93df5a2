/// The record log of one process, as the recorder writes it and trace_io reads it.
/// docs/record-log.md describes it for others. Numbers are little-endian.
///
/// A recorded run is a folder. Each process of it has two files there, which it alone writes,
/// through shared mappings, so that what was written survives any end of the process:
///
/// NAME.mqdef  FileHeader, then definitions, each of them once and before its first use.
///             FileHeader::committed counts the bytes that are complete.
/// NAME.mqlog  FileHeader, padding up to kBlockBytes, then blocks of kBlockBytes. Each begins
///             with a BlockHeader, whose `used` counts the bytes that are complete, and can be
///             read without the others. A thread fills always the same block; a full one is
///             copied behind the last one of the file, or in a ring, where the size of the file
///             is limited, over the oldest one. BlockHeader::sequence says which block of a
///             thread comes first. Of two with the same, which an end of the process while it
///             copied has left, the one with more bytes counts.
///
/// NAME is HOST.PID.START (host name, process id, start in nanoseconds of the epoch, hex).
///
/// A definition is: varint of its payload's bytes, one byte DefinitionKind, payload. Readers
/// skip kinds that they do not know. Texts are a varint length and bytes; integers varints in
/// zigzag form, also those that are never negative; lists a varint length and the elements.
///
/// A record begins with a varint: RecordKind in the lowest two bits, above them a number that
/// depends on the kind; then the ticks since the record before it in the block (the block's
/// `ticks` for the first), shifted right by FileHeader::tick_shift, as a varint.
///
/// Enter   number: ProcedureId. Then varint: StackId; then a Values list of the parameters with
///         Direction In and InOut, in the order of the procedure's definition.
/// Leave   ends the innermost call of the thread that is open; number: 0. Then a Values list:
///         the MPI error code, then the parameters with Direction Out and InOut.
/// Event   number: an EventKind; then varint: bytes of payload, and the payload, in the form of
///         a definition's.
/// Resume  number: ProcedureId; the first record of a block that begins inside a call, one for
///         each open call, outermost first. Then varints: its StackId, the number of its Enter.
///
/// Values: a varint `changed`, whose bit i is set if value i differs from value i of the record
/// of the same RecordKind, ProcedureId and StackId before it in the same block (all values are 0
/// or empty before the first); bits from 63 on stand together in bit 63. Then each changed
/// value: a number as the zigzag difference from that earlier value (modulo 2^64); a list as a
/// varint length and the zigzag differences of each element from the one before it (0 before the
/// first).
///
/// Each thread numbers its Enters and Leaves from 0, in one sequence.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace mqinspect::model {

inline constexpr std::uint64_t kDefinitionsMagic = 0x3146'4544'4951'4dULL;  ///< "MQIDEF1"
inline constexpr std::uint64_t kLogMagic = 0x3147'4f4c'4951'4dULL;          ///< "MQILOG1"
inline constexpr std::uint32_t kBlockMagic = 0x4b4c'4251;                   ///< "QBLK"
inline constexpr std::uint32_t kRecordFormat = 1;
inline constexpr std::size_t kBlockBytes = std::size_t{64} * 1024;

/// At the beginning of both files.
struct FileHeader {
    std::uint64_t magic = 0;
    std::uint32_t format = kRecordFormat;
    std::uint32_t tick_shift = 0;  ///< of the log
    std::uint64_t pid = 0;
    std::uint64_t start_ns = 0;                 ///< CLOCK_REALTIME; the same in both files
    std::atomic<std::uint64_t> committed{0};    ///< of the definitions, without this header
    std::atomic<std::uint64_t> blocks{0};       ///< of the log, in the file
    std::atomic<std::uint64_t> lost_blocks{0};  ///< of the log: given up for newer ones
    std::atomic<std::uint32_t> full{0};         ///< errno of what ended the writing, or 0
    std::uint32_t reserved = 0;
};
static_assert(sizeof(FileHeader) == 64);

/// At the beginning of each block of the log.
struct BlockHeader {
    std::uint32_t magic = 0;
    std::uint32_t thread = 0;            ///< of DefinitionKind::Thread
    std::uint64_t sequence = 0;          ///< of this thread, from 0
    std::uint64_t ticks = 0;             ///< at its first record
    std::uint64_t first_event = 0;       ///< number of its first Enter or Leave in this thread
    std::atomic<std::uint32_t> used{0};  ///< bytes of records behind this header
    std::uint32_t open_calls = 0;        ///< Resume records at its beginning
};
static_assert(sizeof(BlockHeader) == 40);

enum class RecordKind : std::uint8_t { Enter = 0, Leave = 1, Event = 2, Resume = 3 };

/// Payloads of RecordKind::Event.
enum class EventKind : std::uint8_t {
    Signal = 1,    ///< number, si_code, address, StackId: a crash, if no record of the process
                   ///< follows; the innermost address is one more than that of the instruction
    MpiError = 2,  ///< error code, error class, text: the error handler was called
    UserData = 3,  ///< text (name), address, bytes, checksum, StackId: what an annotation watches
    Overwritten = 4,  ///< request id (kNullHandle: of a one-sided operation), address, bytes,
                      ///< StackId, 1 for an array of arguments, 0 for a buffer: since its last
                      ///< call the program has changed what a pending operation was given (-1), or
                      ///< has touched it there
    Limit = 5,        ///< text: something is not recorded from here on
    Exit = 6,         ///< exit code, StackId (-1: not known): exit or _exit was called, or main
                      ///< returned, whose return instruction is then the stack
    Abort = 7,        ///< MPI error code: MPI_Abort was called
    LocalAccess = 8,  ///< address, bytes, 1 for a store or 0 for a load, StackId: the program has
                      ///< used the memory of a window of its own there (-1: since its last call)
    MemoryFreed = 9,  ///< address, bytes, StackId: the program gives this block back to the heap
    HeapBlock = 10,  ///< address, begin, bytes, 1 if it is given back, else 0: of the heap's blocks
                     ///< that one has the address, a buffer's of the Enter behind it
};

/// What a definition describes. In order: the payload's fields. Ids count from 0 in a process.
enum class DefinitionKind : std::uint8_t {
    Process = 1,       ///< host, executable's path, command line (list of texts), MPI library's
                       ///< version text, recorder's version text
    Clock = 2,         ///< ticks, CLOCK_REALTIME in nanoseconds: at the start, now and then, and at
                       ///< the end; the ticks between two of them are even
    World = 3,         ///< rank in MPI_COMM_WORLD, its size, world key (equal in its processes,
                       ///< else different), thread level provided, thread level required
    Constant = 4,      ///< name (MPI_ANY_SOURCE), value
    Procedure = 5,     ///< id, name, list of: name, ParameterKind, Direction
    Image = 6,         ///< id, path, build-id as hex, address at which it is loaded, bytes; of a
                       ///< function that an interpreter executes, the path is that of its source
                       ///< file, and its name follows
    Stack = 7,         ///< id, list of: Image id + 1 (0: none), offset in it: return addresses,
                       ///< innermost first, without frames of the recorder. In an interpreter's
                       ///< function the line stands for the offset, 0: not known
    Communicator = 8,  ///< see CommunicatorRecord of model/execution.h for the fields, in order
    Datatype = 9,      ///< id, name (of a predefined one, else empty), combiner's name, list of
                       ///< integers, list of addresses, list of Datatype ids, size, lower bound,
                       ///< extent, true lower bound, true extent
    Operator = 10,   ///< id, name (of a predefined one), commutes, function (Image id + 1, offset)
    Window = 11,     ///< id, Communicator id, kind's name, base, bytes, displacement unit
    File = 12,       ///< id, Communicator id, name, access mode, path, device, number (an empty
                     ///< path: not known)
    Text = 13,       ///< id, text: a string argument
    Thread = 14,     ///< id, operating system's id, 1 for the thread of MPI_Init
    ErrorCode = 15,  ///< MPI error code, its class's name, its text
    Name = 16,       ///< DefinitionKind of a named thing, its id, name: MPI_Comm_set_name, ...
    Freed = 17,      ///< DefinitionKind of a thing, its id: its last handle was given back
    Job = 18,        ///< equal in all worlds that one launcher has started on a host
    Spawn = 19,  ///< Communicator id that MPI_Comm_spawn has made; CLOCK_REALTIME in nanoseconds
                 ///< before and after the call
};

enum class Direction : std::uint8_t { In = 0, Out = 1, InOut = 2 };

/// What the values of a parameter mean. Handles are recorded as ids of definitions or requests;
/// kNullHandle: a null handle; kInvalidHandle: no handle that the process has ever had.
/// Ranks, tags and addresses are recorded as the program gave them: see DefinitionKind::Constant.
enum class ParameterKind : std::uint8_t {
    Integer = 1,  ///< any C integer type
    Count = 2,    ///< of elements: int or MPI_Count
    Rank = 3,
    Tag = 4,
    Buffer = 5,  ///< an address
    Communicator = 6,
    Datatype = 7,
    Operator = 8,
    Request = 9,  ///< a number that no other request of the process has had
    Window = 10,
    File = 11,
    Group = 12,   ///< a list: the world ranks of its members; others as -1. MPI_GROUP_NULL is the
                  ///< list of kNullGroup alone, what is no group that of kInvalidHandle
    Status = 13,  ///< a list of kStatusValues numbers
    Flag = 14,
    Text = 15,         ///< DefinitionKind::Text
    Address = 16,      ///< any pointer, function or MPI_Aint
    Other = 17,        ///< handles without definitions: info, error handlers, keyvals, sessions
    Message = 18,      ///< of matched probes; numbered as requests are
    Checksum = 19,     ///< of a buffer, by the recorder; 0: not taken. No parameter of MPI's own,
                       ///< named send_checksum (In) or receive_checksum (Out)
    GroupHandle = 20,  ///< the library's own number of the group of the parameter whose name comes
                       ///< before "_handle", by the recorder. No parameter of MPI's own
    DatatypeHandle = 21,  ///< the same of a datatype, where it is made or freed
    IntegerList = 32,     ///< lists of the above
    CountList = 33,
    RankList = 34,
    DatatypeList = 37,
    RequestList = 39,
    StatusList = 43,  ///< kStatusValues numbers for each
    AddressList = 46,
    ChecksumList = 49,  ///< "checksums" of completion calls (Out): for each request that completed,
                        ///< in their order; of MPI_Startall (In): for each request
};

/// True for the kinds whose values are lists.
constexpr bool is_list(ParameterKind kind) {
    return static_cast<unsigned>(kind) >= static_cast<unsigned>(ParameterKind::IntegerList) ||
           kind == ParameterKind::Group || kind == ParameterKind::Status;
}

/// True for those whose value is the number of one object, kNullHandle or kInvalidHandle.
constexpr bool is_handle(ParameterKind kind) {
    using enum ParameterKind;
    return kind == Communicator || kind == Datatype || kind == Operator || kind == Request ||
           kind == Window || kind == File || kind == Message;
}

constexpr bool is_checksum(ParameterKind kind) {
    return kind == ParameterKind::Checksum || kind == ParameterKind::ChecksumList;
}

/// True for numbers that the library has for what a procedure is given, or makes.
constexpr bool is_number_of_library(ParameterKind kind) {
    return kind == ParameterKind::GroupHandle || kind == ParameterKind::DatatypeHandle;
}

/// True for what the recorder has added to the procedure's own parameters.
constexpr bool is_of_recorder(ParameterKind kind) {
    return is_checksum(kind) || is_number_of_library(kind);
}

inline constexpr std::int64_t kNullHandle = -1;
inline constexpr std::int64_t kInvalidHandle = -2;
inline constexpr std::int64_t kNullGroup = -3;
/// MPI_UNWEIGHTED is the list of it alone.
inline constexpr std::int64_t kUnweighted = -2;

/// MPI_SOURCE, MPI_TAG, MPI_ERROR, bytes received (-1: unknown), 1 if cancelled.
inline constexpr std::size_t kStatusValues = 5;

/// Zigzag form: small numbers of either sign become small unsigned ones.
constexpr std::uint64_t zigzag(std::int64_t value) {
    return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t from_zigzag(std::uint64_t value) {
    return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

inline constexpr std::size_t kMaxVarintBytes = 10;

/// Appends seven bits at a time, lowest first; returns the place behind it. `out` has room for
/// kMaxVarintBytes.
inline std::uint8_t* put_varint(std::uint8_t* out, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        *out++ = static_cast<std::uint8_t>(value | 0x80);
    *out++ = static_cast<std::uint8_t>(value);
    return out;
}

/// Reads one; null: it does not end before `end`, or exceeds 64 bits.
inline const std::uint8_t* get_varint(const std::uint8_t* in,
                                      const std::uint8_t* end,
                                      std::uint64_t& value) {
    value = 0;
    for (unsigned shift = 0; in != end && shift < 64; shift += 7) {
        const std::uint64_t bits = *in & 0x7fU;
        if (shift == 63 && bits > 1) return nullptr;
        value |= bits << shift;
        if ((*in++ & 0x80U) == 0) return in;
    }
    return nullptr;
}

}  // namespace mqinspect::model
