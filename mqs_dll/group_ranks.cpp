#include "mqs_dll/group_ranks.h"

#include <algorithm>
#include <initializer_list>

namespace mqinspect::dll {
namespace {

constexpr int kLpidBytes = 8;
constexpr std::int64_t kLargestRank = 1 << 24;
// Above the bits of any world there is one that marks a process without a world yet.
constexpr std::int64_t kLargestOffset = std::int64_t{1} << 62;

std::int32_t world_rank_of(std::uint64_t lpid) {
    const bool of_own_world = lpid >> 32 == 0;
    return of_own_world && lpid < static_cast<std::uint64_t>(kLargestRank)
               ? static_cast<std::int32_t>(lpid)
               : MQS_INVALID_PROCESS;
}

/// The union's members, which have no type name that a debugger could look up.
struct Stride {
    std::int64_t offset = 0;
    std::int64_t stride = 0;
    std::int64_t block = 1;

    /// The numbers of MPICH stay far below what overflows.
    bool is_plausible() const {
        return offset >= 0 && offset <= kLargestOffset && stride > -kLargestRank &&
               stride < kLargestRank && block > 0 && block <= kLargestRank;
    }
    std::uint64_t lpid(std::int32_t rank) const {
        return static_cast<std::uint64_t>(offset + rank / block * stride + rank % block);
    }
};

/// Bytes of MPIR_Pmap, from its type or from what follows it; 0 if unknown.
int pmap_bytes(const Layout& layout) {
    if (layout.pmap_bytes > 0) return layout.pmap_bytes;
    return std::max(layout.group_session - layout.group_pmap, 0);
}

Status read_map(const Target& target,
                std::uint64_t map,
                std::int32_t size,
                Array<std::int32_t>& ranks) {
    Array<unsigned char> bytes;
    const Status status = target.read(map, static_cast<std::size_t>(size) * kLpidBytes, bytes);
    if (!ok(status)) return status;
    for (std::int32_t i = 0; i < size; ++i) {
        const unsigned char* member = bytes.data() + static_cast<std::size_t>(i) * kLpidBytes;
        const std::int32_t rank = world_rank_of(target.unsigned_at(member, kLpidBytes));
        if (!ranks.push(rank)) return Status::OutOfMemory;
    }
    return Status::Ok;
}

}  // namespace

Status read_group_ranks(const Target& target,
                        const Layout& layout,
                        std::uint64_t group,
                        std::int32_t size,
                        Array<std::int32_t>& ranks) {
    if (group == 0 || size <= 0 || layout.group_pmap < 0 || layout.pmap_use_map < 0 ||
        layout.pmap_u < 0) {
        return Status::NoInformation;
    }
    // Groups before MPICH 5.0 had no blocks.
    const bool has_blocks = pmap_bytes(layout) >= layout.pmap_u + 3 * kLpidBytes;
    const int numbers = has_blocks ? 3 : 2;
    const int extent = std::max(
        {layout.pmap_u + numbers * kLpidBytes, layout.pmap_use_map + 1, layout.pmap_size + 4});
    Array<unsigned char> bytes;
    const Status status = target.read(group + static_cast<std::uint64_t>(layout.group_pmap),
                                      static_cast<std::size_t>(extent),
                                      bytes);
    if (!ok(status)) return status;
    const unsigned char* pmap = bytes.data();
    if (layout.pmap_size >= 0 && target.int_at(pmap + layout.pmap_size) < size) {
        return Status::NoInformation;
    }
    if (pmap[layout.pmap_use_map] != 0) {
        return read_map(target, target.pointer_at(pmap + layout.pmap_u), size, ranks);
    }
    const auto number = [&](std::ptrdiff_t index) {
        return target.signed_at(pmap + layout.pmap_u + index * kLpidBytes, kLpidBytes);
    };
    // Without a size it is not known whether there are blocks.
    if (pmap_bytes(layout) == 0) return Status::NoInformation;
    const Stride stride{number(0), number(1), has_blocks ? number(2) : 1};
    if (!stride.is_plausible()) return Status::NoInformation;
    for (std::int32_t i = 0; i < size; ++i) {
        if (!ranks.push(world_rank_of(stride.lpid(i)))) return Status::OutOfMemory;
    }
    return Status::Ok;
}

}  // namespace mqinspect::dll
