/// Buffers of operations under way, which the program must leave alone until they are complete
/// (MPI 4.0, 3.7.2, 6.12, 12.3, 14.4.5).
///
/// What has changed in one between two calls, the program has changed: a library without threads
/// of its own writes to memory inside of its calls only. It is noted as EventKind::Overwritten in
/// front of the call that follows. Known are the newest few buffers of the first thread, as long
/// as no other one calls MPI, for some calls; of each buffer some bytes are looked at, and of a
/// type with gaps some pieces (buffer_piece.h). Where a library writes at any time, what the
/// program does is only caught (buffer_guards.h), and so it is with sends, whose checksums are
/// compared when they are complete. What further threads do with buffers, those of calls that wait
/// among them, is caught as thread_guards.h says.
#pragma once

#include <cstddef>
#include <cstdint>

#include <mpi.h>

#include "tracer/control/buffer_guards.h"
#include "tracer/control/thread_guards.h"
#include "tracer/handles/datatypes.h"

namespace mqinspect::tracer {

struct Thread;

enum class BufferUse : std::uint8_t {
    Read,
    Written,
    WrittenAside,  ///< at any time, by others: what the program does is only caught
    Argument,      ///< read: an array of counts, displacements or datatypes
    KeptArgument,  ///< the same, until the request is freed: of a persistent operation
    Sent,          ///< read, with a checksum of its own: what the program does is only caught
};

/// The operation of a request has started.
void buffer_in_use(std::int64_t request,
                   const void* buffer,
                   std::int64_t count,
                   const DatatypeInfo* datatype,
                   BufferUse use);
/// A persistent collective operation's, until its request is freed: in use from each start on.
void buffer_kept(std::int64_t request,
                 const void* buffer,
                 std::int64_t count,
                 const DatatypeInfo* datatype,
                 BufferUse use);
/// Those of the request are in use again.
void kept_in_use(std::int64_t request);
/// The same of a one-sided operation with or without a request (model::kNullHandle), until
/// origins_released() of its window at the latest.
void origin_in_use(std::int64_t request,
                   MPI_Win window,
                   const void* buffer,
                   std::int64_t count,
                   MPI_Datatype datatype,
                   BufferUse use);
/// For the request of buffer_in_use(): the buffer is one of the call that is open and waits, which
/// the threads beside its own must leave alone until call_over().
constexpr std::int64_t kUntilReturn = -10;
void call_over(Thread& thread);

/// An array that a nonblocking or persistent collective operation was given (MPI 4.0, 6.12, 6.13).
void array_in_use(std::int64_t request, const void* array, std::int64_t bytes, BufferUse use);
template <class Number>
void argument_in_use(std::int64_t request,
                     const Number* array,
                     std::int64_t length,
                     BufferUse use) {
    array_in_use(request, array, length * static_cast<std::int64_t>(sizeof(Number)), use);
}
/// The parts of a buffer that a collective operation has for its peers. Those that follow each
/// other are one; of parts with gaps between them the first few are looked at.
class PartedBuffer {
public:
    /// `persistent`: of such an operation, as buffer_kept().
    PartedBuffer(std::int64_t request, const void* buffer, BufferUse use, bool persistent);

    bool wanted() const { return wanted_; }
    /// `offset`: in bytes from the buffer's begin.
    void add(std::int64_t offset, std::int64_t count, MPI_Datatype datatype);
    /// All parts are known.
    void finish() const;

private:
    static constexpr std::size_t kMostParts = 3;
    struct Part {
        std::int64_t offset = 0;
        std::int64_t count = 0;
        const DatatypeInfo* datatype = nullptr;
        bool bytes = false;  ///< `count` is of bytes that lie one behind the other
    };

    bool joins_last(const Part& part);

    std::int64_t request_;
    const void* buffer_;
    BufferUse use_;
    bool persistent_;
    bool wanted_;
    Part parts_[kMostParts];
    std::size_t count_ = 0;
};
/// Displacements count elements of the datatype.
template <class Count, class Displacement>
void parts_in_use(PartedBuffer buffer,
                  const Count* counts,
                  const Displacement* displacements,
                  MPI_Datatype datatype,
                  std::int64_t parts) {
    const DatatypeInfo* const info = buffer.wanted() ? datatype_info(datatype) : nullptr;
    if (info == nullptr) return;
    for (std::int64_t i = 0; i < parts; ++i)
        buffer.add(static_cast<std::int64_t>(displacements[i]) * info->extent,
                   static_cast<std::int64_t>(counts[i]),
                   datatype);
    buffer.finish();
}
/// Each part has a datatype of its own, and displacements count bytes.
template <class Count, class Displacement>
void parts_in_use(PartedBuffer buffer,
                  const Count* counts,
                  const Displacement* displacements,
                  const MPI_Datatype* datatypes,
                  std::int64_t parts) {
    if (!buffer.wanted()) return;
    for (std::int64_t i = 0; i < parts; ++i)
        buffer.add(static_cast<std::int64_t>(displacements[i]),
                   static_cast<std::int64_t>(counts[i]),
                   datatypes[i]);
    buffer.finish();
}
/// Between the two calls of a split collective operation.
void file_buffer_in_use(
    MPI_File file, const void* buffer, std::int64_t count, MPI_Datatype datatype, BufferUse use);
void file_buffer_released(MPI_File file);
/// How many are in use, those of persistent operations that are not started included.
extern std::size_t buffers_in_use;
void release_buffer(std::int64_t request);
void release_arguments(std::int64_t request);
/// The operation is complete.
inline void buffer_released(std::int64_t request) {
    if (buffers_in_use != 0 || shared_buffers.load(std::memory_order_relaxed) != 0)
        release_buffer(request);
}
/// The request is no more.
inline void arguments_released(std::int64_t request) {
    if (buffers_in_use != 0 || shared_buffers.load(std::memory_order_relaxed) != 0)
        release_arguments(request);
}
void origins_released(MPI_Win window);

/// Something of the block is a buffer's, as the thread may know.
bool is_buffer_in_use(const Thread& thread, std::uint64_t begin, std::uint64_t bytes);

/// The block may be there no more: nothing of it is read again.
void forget_buffers_in(std::uint64_t begin, std::uint64_t bytes);

/// EventKind::Overwritten.
struct Overwritten {
    std::int64_t request = 0;
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;
    std::int64_t stack = -1;  ///< of the instruction that has touched it, -1: not known
    bool argument = false;
};
void note_overwritten(Thread& thread, const Overwritten& overwritten);

// For local_memory.h, in the first thread:

int known_buffers();
/// At the entry of a call that is not inside another one.
void look_at_buffers(Thread& thread);
/// At its return.
void remember_buffers();
/// What the guards should catch, the newest ones first; how many: eight at most.
std::size_t buffers_to_guard(GuardedRange* ranges);
/// From a signal handler of another thread, whose watchpoint it has from the first: for
/// look_at_buffers().
void touched_elsewhere(std::uint64_t address, std::int64_t stack);
/// From a signal handler. False: that is no buffer's.
bool buffer_touched(Thread& thread, std::uint64_t address, std::int64_t stack);
/// There are none any more.
void forget_buffers();

}  // namespace mqinspect::tracer
