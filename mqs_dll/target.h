/// Reading one process through the debugger's callbacks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "include/mpi_interface.h"
#include "mqs_dll/heap.h"
#include "mqs_dll/status.h"

namespace mqinspect::dll {

/// Borrows the debugger's process and callback table, which outlive it.
class Target {
public:
    Target(mqs_process* process, const mqs_process_callbacks* callbacks, int pointer_size);

    /// All bytes or UnreadableMemory. Address 0, and ranges that wrap, are unreadable.
    Status read(std::uint64_t address, void* buffer, std::size_t bytes) const;
    /// Appends nothing on failure; `bytes` replaces the contents of the buffer.
    Status read(std::uint64_t address, std::size_t bytes, Array<unsigned char>& buffer) const;
    Status read_pointer(std::uint64_t address, std::uint64_t& value) const;
    Status read_int(std::uint64_t address, std::int32_t& value) const;

    /// Values in bytes that were read; width 1, 2, 4 or 8.
    std::uint64_t unsigned_at(const unsigned char* bytes, int width) const;
    std::int64_t signed_at(const unsigned char* bytes, int width) const;
    std::uint64_t pointer_at(const unsigned char* bytes) const {
        return unsigned_at(bytes, pointer_size_);
    }
    std::int32_t int_at(const unsigned char* bytes) const {
        return static_cast<std::int32_t>(unsigned_at(bytes, 4));
    }
    int pointer_size() const { return pointer_size_; }

private:
    mqs_process* process_;
    const mqs_process_callbacks* callbacks_;
    int pointer_size_;
    bool same_byte_order_;
};

}  // namespace mqinspect::dll
