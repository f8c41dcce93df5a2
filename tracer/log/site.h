/// A place of the program that calls a procedure: the procedure with one call stack.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tracer/log/procedure.h"

namespace mqinspect::tracer {

/// A caller of the frame before it: where on the stack its return address lies, counted from the
/// stack pointer at the call of the MPI procedure, and that address.
struct Frame {
    std::uint64_t offset = 0;
    std::uint64_t address = 0;
};

/// A number of 32 bits and two more, as a varint.
struct EncodedNumber {
    std::uint8_t bytes[8] = {};
    std::size_t count = 0;
};

/// Site::heap_looks: the buffers of a call site's first calls are looked at, then of one in each
/// block of the log; of some sites none.
constexpr std::uint8_t kMostHeapLooks = 16;
constexpr std::uint8_t kNoHeapLooks = 127;

/// Belongs to one thread, together with the values of its last records in the current block.
struct Site {
    const Procedure* procedure = nullptr;
    std::uint64_t return_address = 0;
    const Frame* frames = nullptr;  ///< callers, without the one that calls the procedure
    std::uint32_t frame_count = 0;
    std::uint32_t telling_frames = 0;  ///< the first of them, from which the others follow
    std::uint32_t procedure_id = 0;
    std::uint32_t stack = 0;
    std::uint8_t guarded = 0;  ///< returns behind which guards were raised (local_memory.h)
    bool error_explained : 1 = false;
    std::uint8_t heap_looks : 7 = 0;    ///< at its buffers (heap_blocks.h)
    mutable std::uint16_t buffers = 0;  ///< that were looked at (pending_buffers.h)
    std::uint64_t farthest = 0;         ///< the largest offset of frames
    Site* older = nullptr;              ///< Sites': of the same hash of procedure and stack
    EncodedNumber head;                 ///< ThreadLog's: of each Enter
    EncodedNumber stack_id;
    std::uint64_t block = 0;  ///< ThreadLog's block that `before_*` are of
    /// Numbers, and of lists the places of LastList.
    std::int64_t* before_enter = nullptr;
    std::int64_t* before_leave = nullptr;
};

/// The list before, if it is short; longer ones are always written.
struct LastList {
    static constexpr std::size_t kMost = 24;
    static constexpr std::size_t kMostWords = 24;
    std::size_t length = 0;
    std::size_t row_count = 0;  ///< that `words` are of; of an empty list, or of unknown words, 0
    std::size_t equals = 0;     ///< the length, if all elements are known to be this one:
    std::int64_t equal = 0;
    std::int64_t elements[kMost] = {};
    std::uint32_t words[kMostWords] = {};  ///< what the elements were made from
};

}  // namespace mqinspect::tracer
