#include "mqs_dll/rank_map.h"

#include <algorithm>

#include "mqs_dll/group_ranks.h"

namespace mqinspect::dll {
namespace {

constexpr std::int32_t kMostProcesses = 1 << 24;

}  // namespace

void RankMaps::open(const Target& target, const Layout& layout, const Symbols& symbols) {
    layout_ = layout;
    if (symbols.device_process == 0 || layout.process_my_pg < 0) return;
    const auto field = static_cast<std::uint64_t>(layout.process_my_pg);
    if (!ok(target.read_pointer(symbols.device_process + field, group_))) group_ = 0;
    if (group_ == 0 || layout.pg_size < 0 || layout.pg_vct < 0 || layout.vc_bytes <= 0) return;
    std::int32_t size = 0;
    std::uint64_t connections = 0;
    if (!ok(target.read_int(group_ + static_cast<std::uint64_t>(layout.pg_size), size)) ||
        !ok(target.read_pointer(group_ + static_cast<std::uint64_t>(layout.pg_vct), connections)) ||
        size <= 0 || size > kMostProcesses) {
        return;
    }
    const auto bytes =
        static_cast<std::uint64_t>(size) * static_cast<std::uint64_t>(layout.vc_bytes);
    if (connections == 0 || bytes > UINT64_MAX - connections) return;
    connections_ = connections;
    group_size_ = size;
    // The ends of the array tell whether its places are ranks.
    if (!check_connection(target, 0) || !check_connection(target, size - 1)) connections_ = 0;
}

bool RankMaps::check_connection(const Target& target, std::int32_t rank) const {
    const std::uint64_t connection =
        connections_ +
        static_cast<std::uint64_t>(rank) * static_cast<std::uint64_t>(layout_.vc_bytes);
    std::uint64_t group = 0;
    std::int32_t group_rank = -1;
    return layout_.vc_pg >= 0 && layout_.vc_pg_rank >= 0 &&
           ok(target.read_pointer(connection + static_cast<std::uint64_t>(layout_.vc_pg), group)) &&
           ok(target.read_int(connection + static_cast<std::uint64_t>(layout_.vc_pg_rank),
                              group_rank)) &&
           group == group_ && group_rank == rank;
}

std::int32_t RankMaps::world_rank_behind(const Target& target, std::uint64_t connection) const {
    if (connections_ != 0 && connection >= connections_) {
        const auto bytes = static_cast<std::uint64_t>(layout_.vc_bytes);
        const std::uint64_t distance = connection - connections_;
        if (distance % bytes == 0 && distance / bytes < static_cast<std::uint64_t>(group_size_)) {
            return static_cast<std::int32_t>(distance / bytes);
        }
    }
    if (connection == 0 || layout_.vc_pg < 0 || layout_.vc_pg_rank < 0) return MQS_INVALID_PROCESS;
    const int first = std::min(layout_.vc_pg, layout_.vc_pg_rank);
    const int last = std::max(layout_.vc_pg, layout_.vc_pg_rank);
    unsigned char bytes[256];
    if (last - first + 8 > static_cast<int>(sizeof bytes)) return MQS_INVALID_PROCESS;
    if (!ok(target.read(connection + static_cast<std::uint64_t>(first),
                        bytes,
                        static_cast<std::size_t>(last - first) + 8)) ||
        target.pointer_at(bytes + (layout_.vc_pg - first)) != group_) {
        return MQS_INVALID_PROCESS;
    }
    const std::int32_t rank = target.int_at(bytes + (layout_.vc_pg_rank - first));
    return rank >= 0 && rank < kMostProcesses ? rank : MQS_INVALID_PROCESS;
}

Status RankMaps::append(const Target& target, std::uint64_t table, std::int32_t size) {
    const auto pointer_bytes = static_cast<std::size_t>(target.pointer_size());
    Array<unsigned char> bytes;
    const Status status = target.read(table + static_cast<std::uint64_t>(layout_.vcrt_table),
                                      static_cast<std::size_t>(size) * pointer_bytes,
                                      bytes);
    if (!ok(status)) return status;
    const std::size_t first = ranks_.size();
    if (!ranks_.resize(first + static_cast<std::size_t>(size))) return Status::OutOfMemory;
    for (std::size_t i = 0; i < static_cast<std::size_t>(size); ++i) {
        ranks_[first + i] =
            world_rank_behind(target, target.pointer_at(bytes.data() + i * pointer_bytes));
    }
    return Status::Ok;
}

Status RankMaps::map_of(const Target& target,
                        std::uint64_t table,
                        std::int32_t size,
                        std::uint32_t& map) {
    map = kUnknown;
    if (table == 0 || group_ == 0 || layout_.vcrt_table < 0 || size <= 0) return Status::Ok;
    const std::uint32_t known = by_table_.find(table);
    // A communicator of the first members shares the table, and is shorter.
    if (known != IndexMap::kMissing && maps_[known].size >= size) {
        map = known;
        return Status::Ok;
    }
    const std::uint64_t first = ranks_.size();
    const Status status = append(target, table, size);
    if (!ok(status)) return status == Status::OutOfMemory ? status : Status::Ok;
    const auto index = static_cast<std::uint32_t>(maps_.size());
    if (!maps_.push({first, size}) || !by_table_.insert(table, index)) return Status::OutOfMemory;
    map = index;
    return Status::Ok;
}

Status RankMaps::map_of_group(const Target& target,
                              std::uint64_t group,
                              std::int32_t size,
                              std::uint32_t& map) {
    map = by_table_.find(group);
    if (map != IndexMap::kMissing && maps_[map].size >= size) return Status::Ok;
    map = kUnknown;
    const std::size_t first = ranks_.size();
    const Status status = read_group_ranks(target, layout_, group, size, ranks_);
    if (status == Status::OutOfMemory) return status;
    if (!ok(status)) return ranks_.resize(first) ? Status::Ok : Status::OutOfMemory;
    const auto index = static_cast<std::uint32_t>(maps_.size());
    if (!maps_.push({first, size}) || !by_table_.insert(group, index)) return Status::OutOfMemory;
    map = index;
    return Status::Ok;
}

Status RankMaps::identity(std::int32_t size, std::uint32_t& map) {
    const std::uint64_t first = ranks_.size();
    if (!ranks_.resize(first + static_cast<std::size_t>(size))) return Status::OutOfMemory;
    for (std::int32_t i = 0; i < size; ++i)
        ranks_[first + static_cast<std::size_t>(i)] = i;
    map = static_cast<std::uint32_t>(maps_.size());
    return maps_.push({first, size}) ? Status::Ok : Status::OutOfMemory;
}

std::int32_t RankMaps::world_rank(std::uint32_t map, std::int64_t rank) const {
    if (map == kUnknown || rank < 0 || rank >= maps_[map].size) return MQS_INVALID_PROCESS;
    return ranks_[maps_[map].first + static_cast<std::size_t>(rank)];
}

std::int32_t RankMaps::rank_of(std::uint32_t map, std::int32_t world_rank) const {
    if (map == kUnknown || world_rank < 0) return -1;
    const std::int32_t* first = ranks_.begin() + maps_[map].first;
    const std::int32_t* last = first + maps_[map].size;
    const std::int32_t* found = std::find(first, last, world_rank);
    return found == last ? -1 : static_cast<std::int32_t>(found - first);
}

}  // namespace mqinspect::dll
