/// MPICH's object pools (mpir_handlemem.h): a static block of objects, and blocks
/// that were added when it was used up.
#pragma once

#include <cstdint>

#include "mqs_dll/heap.h"
#include "mqs_dll/layout.h"
#include "mqs_dll/status.h"
#include "mqs_dll/target.h"

namespace mqinspect::dll {

/// The fields of a handle: how the object was allocated, and what it is.
enum class Allocation : std::uint32_t { Invalid, Builtin, Direct, Indirect };
inline Allocation allocation_of(std::uint32_t handle) {
    return static_cast<Allocation>(handle >> 30);
}
enum class ObjectKind : std::uint32_t { Communicator = 1, Datatype = 3, Request = 11 };
inline bool is_handle_of(std::uint32_t handle, ObjectKind kind) {
    return ((handle >> 26) & 0xf) == static_cast<std::uint32_t>(kind);
}

struct PoolBlock {
    std::uint64_t address = 0;
    std::uint32_t objects = 0;
};

/// A pool in the target. Blocks: the direct one first, if there is one, then the
/// indirect ones by number.
struct HandlePool {
    std::uint32_t object_bytes = 0;
    std::uint32_t object_kind = 0;
    bool has_direct = false;
    Array<PoolBlock> blocks;

    /// Address of the object behind a direct or indirect handle, or 0.
    std::uint64_t object_at(std::uint32_t handle) const;
};

/// Decodes an MPIR_Object_alloc_t that was read. An unused pool has no blocks;
/// sizes that cannot be true are CorruptData.
Status read_pool(const Target& target,
                 const Layout& layout,
                 const unsigned char* header,
                 HandlePool& pool);
/// Reads the header at the address first.
Status read_pool(const Target& target,
                 const Layout& layout,
                 std::uint64_t address,
                 HandlePool& pool);
/// Bytes of the header that read_pool looks at.
std::size_t pool_header_bytes(const Layout& layout);

/// Calls visit(address, bytes) for each object of a block, in a few large reads;
/// `bytes` holds object_bytes bytes. visit returns a Status; the first that is
/// not Ok ends the walk and is returned, as is a failing read.
template <class Visit>
Status for_each_object(const Target& target,
                       const PoolBlock& block,
                       std::uint32_t object_bytes,
                       Array<unsigned char>& buffer,
                       Visit&& visit) {
    constexpr std::uint32_t bytes_at_a_time = 4U << 20;
    const std::uint32_t at_a_time =
        object_bytes < bytes_at_a_time ? bytes_at_a_time / object_bytes : 1;
    for (std::uint32_t first = 0; first < block.objects; first += at_a_time) {
        const std::uint32_t left = block.objects - first;
        const std::uint32_t count = left < at_a_time ? left : at_a_time;
        const std::uint64_t address = block.address + std::uint64_t{first} * object_bytes;
        Status status = target.read(address, std::size_t{count} * object_bytes, buffer);
        if (!ok(status)) return status;
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::size_t offset = std::size_t{i} * object_bytes;
            status = visit(address + offset, buffer.data() + offset);
            if (!ok(status)) return status;
        }
    }
    return Status::Ok;
}

}  // namespace mqinspect::dll
