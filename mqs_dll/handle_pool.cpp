#include "mqs_dll/handle_pool.h"

#include <algorithm>
#include <initializer_list>

namespace mqinspect::dll {
namespace {

// From the widths of a handle's fields: 14 bits of block, 12 bits of index.
constexpr std::int32_t kMostBlocks = 1 << 14;
constexpr std::int32_t kMostObjectsInBlock = 1 << 12;
constexpr std::int32_t kMostDirectObjects = 1 << 16;
// HANDLE_NUM_INDICES, for a pool whose counts do not tell.
constexpr std::int32_t kObjectsInBlock = 1024;
constexpr std::int32_t kLargestObject = 1 << 16;

std::int32_t objects_in_block(std::int32_t allocated, std::int32_t direct, std::int32_t blocks) {
    if (blocks <= 0 || allocated <= direct || (allocated - direct) % blocks != 0) {
        return kObjectsInBlock;
    }
    const std::int32_t objects = (allocated - direct) / blocks;
    return objects <= kMostObjectsInBlock ? objects : kObjectsInBlock;
}

}  // namespace

std::uint64_t HandlePool::object_at(std::uint32_t handle) const {
    std::size_t block = 0;
    std::uint32_t index = handle & 0x03ffffff;
    if (allocation_of(handle) == Allocation::Indirect) {
        block = ((handle >> 12) & 0x3fff) + (has_direct ? 1 : 0);
        index = handle & 0xfff;
    } else if (allocation_of(handle) != Allocation::Direct || !has_direct) {
        return 0;
    }
    if (block >= blocks.size() || index >= blocks[block].objects) return 0;
    return blocks[block].address + std::uint64_t{index} * object_bytes;
}

std::size_t pool_header_bytes(const Layout& layout) {
    const int last = std::max({layout.pool_initialized,
                               layout.pool_indirect,
                               layout.pool_indirect_size,
                               layout.pool_num_allocated,
                               layout.pool_kind,
                               layout.pool_object_size,
                               layout.pool_direct,
                               layout.pool_direct_size});
    return static_cast<std::size_t>(last) + 8;
}

Status read_pool(const Target& target,
                 const Layout& layout,
                 const unsigned char* header,
                 HandlePool& pool) {
    pool.blocks.clear();
    pool.has_direct = false;
    if (target.int_at(header + layout.pool_initialized) == 0) return Status::Ok;
    const std::int32_t object_bytes = target.int_at(header + layout.pool_object_size);
    const std::int32_t direct_size = target.int_at(header + layout.pool_direct_size);
    const std::int32_t indirect_size = target.int_at(header + layout.pool_indirect_size);
    // Pools count what they have allocated since MPICH 3.4.
    const std::int32_t allocated =
        layout.pool_num_allocated < 0 ? 0 : target.int_at(header + layout.pool_num_allocated);
    const std::uint64_t direct = target.pointer_at(header + layout.pool_direct);
    const std::uint64_t indirect = target.pointer_at(header + layout.pool_indirect);
    if (object_bytes < 16 || object_bytes > kLargestObject || direct_size < 0 ||
        direct_size > kMostDirectObjects || indirect_size < 0 || indirect_size > kMostBlocks) {
        return Status::CorruptData;
    }
    pool.object_bytes = static_cast<std::uint32_t>(object_bytes);
    pool.object_kind = layout.pool_kind < 0
                           ? 0
                           : static_cast<std::uint32_t>(target.int_at(header + layout.pool_kind));
    if (direct != 0 && direct_size > 0) {
        if (!pool.blocks.push({direct, static_cast<std::uint32_t>(direct_size)})) {
            return Status::OutOfMemory;
        }
        pool.has_direct = true;
    }
    if (indirect_size == 0) return Status::Ok;

    const auto pointer_bytes = static_cast<std::size_t>(target.pointer_size());
    Array<unsigned char> table;
    const Status status =
        target.read(indirect, static_cast<std::size_t>(indirect_size) * pointer_bytes, table);
    if (!ok(status)) return status;
    const auto objects =
        static_cast<std::uint32_t>(objects_in_block(allocated, direct_size, indirect_size));
    for (std::size_t i = 0; i < static_cast<std::size_t>(indirect_size); ++i) {
        const std::uint64_t block = target.pointer_at(table.data() + i * pointer_bytes);
        if (block == 0) return Status::CorruptData;
        if (!pool.blocks.push({block, objects})) return Status::OutOfMemory;
    }
    return Status::Ok;
}

Status read_pool(const Target& target,
                 const Layout& layout,
                 std::uint64_t address,
                 HandlePool& pool) {
    Array<unsigned char> header;
    const Status status = target.read(address, pool_header_bytes(layout), header);
    if (!ok(status)) return status;
    return read_pool(target, layout, header.data(), pool);
}

}  // namespace mqinspect::dll
