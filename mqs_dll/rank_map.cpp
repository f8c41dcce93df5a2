#include "mqs_dll/rank_map.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "mqs_dll/group_ranks.h"

namespace mqinspect::dll {
namespace {

constexpr std::int32_t kMostProcesses = 1 << 24;
/// Of the process groups that one process is connected with.
constexpr std::size_t kMostGroups = 4096;

std::uint64_t key_of(std::uint32_t group, std::int32_t rank) {
    return std::uint64_t{group} << 32 | static_cast<std::uint32_t>(rank);
}

// MPIDI_rank_map_mode (src/mpid/ch4/include/mpidpre.h); each but the last two
// has a twin, the next value, that means the own job.
constexpr std::int32_t kDirect = 0, kOffset = 2, kStride = 4, kStrideBlock = 6, kTable = 8,
                       kManyJobs = 10, kNone = 11;
// Of MPIDI_Devcomm_t, where the debugger does not know.
constexpr int kLikelyBytes = 288;
constexpr int kMostBytes = 1 << 14;

}  // namespace

void RankMaps::open(const Target& target, const Layout& layout, const Symbols& symbols) {
    layout_ = layout;
    if (symbols.device_process == 0 || layout.process_my_pg < 0) return;
    const auto field = static_cast<std::uint64_t>(layout.process_my_pg);
    if (!ok(target.read_pointer(symbols.device_process + field, group_))) group_ = 0;
    own_world_ = world_name_of(target, layout, group_);
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

std::int32_t RankMaps::place_of(std::uint64_t connection) const {
    if (connections_ == 0 || connection < connections_) return -1;
    const auto bytes = static_cast<std::uint64_t>(layout_.vc_bytes);
    const std::uint64_t distance = connection - connections_;
    const bool is_place =
        distance % bytes == 0 && distance / bytes < static_cast<std::uint64_t>(group_size_);
    return is_place ? static_cast<std::int32_t>(distance / bytes) : -1;
}

RankMaps::Connection RankMaps::read_connection(const Target& target,
                                               std::uint64_t connection) const {
    if (connection == 0 || layout_.vc_pg < 0 || layout_.vc_pg_rank < 0) return {};
    const int first = std::min(layout_.vc_pg, layout_.vc_pg_rank);
    const int last = std::max(layout_.vc_pg, layout_.vc_pg_rank);
    unsigned char bytes[256];
    if (last - first + 8 > static_cast<int>(sizeof bytes)) return {};
    if (!ok(target.read(connection + static_cast<std::uint64_t>(first),
                        bytes,
                        static_cast<std::size_t>(last - first) + 8))) {
        return {};
    }
    const std::int32_t rank = target.int_at(bytes + (layout_.vc_pg_rank - first));
    if (rank < 0 || rank >= kMostProcesses) return {};
    return {target.pointer_at(bytes + (layout_.vc_pg - first)), rank};
}

Status RankMaps::add_foreign(const Target& target,
                             const Connection& connection,
                             std::int32_t& process) {
    process = MQS_INVALID_PROCESS;
    if (connection.group == 0) return Status::Ok;
    std::uint32_t group = group_by_address_.find(connection.group);
    if (group == IndexMap::kMissing) {
        if (foreign_groups_.size() == kMostGroups) return Status::Ok;
        group = static_cast<std::uint32_t>(foreign_groups_.size());
        if (!foreign_groups_.push(world_name_of(target, layout_, connection.group)) ||
            !group_by_address_.insert(connection.group, group)) {
            return Status::OutOfMemory;
        }
    }
    const std::uint64_t key = key_of(group, connection.rank);
    std::uint32_t index = foreign_by_key_.find(key);
    if (index == IndexMap::kMissing) {
        if (foreign_.size() == static_cast<std::size_t>(kMostProcesses)) return Status::Ok;
        index = static_cast<std::uint32_t>(foreign_.size());
        if (!foreign_.push({group, connection.rank}) || !foreign_by_key_.insert(key, index)) {
            return Status::OutOfMemory;
        }
    }
    process = kFirstForeign + static_cast<std::int32_t>(index);
    return Status::Ok;
}

std::int32_t RankMaps::process_behind(const Target& target, std::uint64_t connection) const {
    const std::int32_t place = place_of(connection);
    if (place >= 0) return place;
    const Connection behind = read_connection(target, connection);
    if (behind.group == 0) return MQS_INVALID_PROCESS;
    if (behind.group == group_) return behind.rank;
    const std::uint32_t group = group_by_address_.find(behind.group);
    if (group == IndexMap::kMissing) return MQS_INVALID_PROCESS;
    const std::uint32_t index = foreign_by_key_.find(key_of(group, behind.rank));
    return index == IndexMap::kMissing ? MQS_INVALID_PROCESS
                                       : kFirstForeign + static_cast<std::int32_t>(index);
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
        const std::uint64_t address = target.pointer_at(bytes.data() + i * pointer_bytes);
        std::int32_t& process = ranks_[first + i];
        process = place_of(address);
        if (process >= 0) continue;
        const Connection connection = read_connection(target, address);
        if (connection.group == group_) {
            process = connection.rank;
            continue;
        }
        const Status added = add_foreign(target, connection, process);
        if (!ok(added)) return added;
    }
    return Status::Ok;
}

bool RankMaps::is_map_of(const unsigned char* bytes,
                         const Target& target,
                         std::int32_t mode,
                         std::int32_t size,
                         std::int32_t first) const {
    const Ch4Layout& ch4 = layout_.ch4;
    const auto word = [&](int offset) { return target.int_at(bytes + offset); };
    const bool starts = mode == kDirect || word(ch4.map_reg) == first;
    return (word(ch4.map_mode) & ~1) == mode && word(ch4.map_avtid) == 0 &&
           word(ch4.map_size) == size && starts;
}

/// MPI_COMM_WORLD says that rank r is process r of the own job, MPI_COMM_SELF that rank 0
/// is this one (ch4_comm.c). No other place in both looks like that.
Status RankMaps::find_embedded(const Target& target,
                               const Embedding& world,
                               const Embedding& self) {
    const Ch4Layout& ch4 = layout_.ch4;
    if (layout_.device != Device::Ch4 || world.address == 0 || self.address == 0 ||
        ch4.map_mode < 0 || ch4.map_avtid < 0 || ch4.map_size < 0 || ch4.map_reg < 0 ||
        ch4.map_irreg < 0) {
        return Status::Ok;
    }
    map_bytes_ = ch4.map_irreg + 2 * layout_.pointer_size;
    const int whole = ch4.devcomm_bytes > 0 ? ch4.devcomm_bytes : kLikelyBytes;
    if (whole < 2 * map_bytes_ || whole > kMostBytes) return Status::Ok;
    Array<unsigned char> of_world;
    Array<unsigned char> of_self;
    for (const auto& [where, bytes] : {std::pair{&world, &of_world}, std::pair{&self, &of_self}}) {
        const Status status = target.read(where->address, static_cast<std::size_t>(whole), *bytes);
        if (!ok(status)) return status == Status::OutOfMemory ? status : Status::Ok;
    }
    for (int offset = 0; offset <= whole - 2 * map_bytes_; offset += layout_.pointer_size) {
        if (is_map_of(of_world.data() + offset, target, kDirect, world.size, 0) &&
            is_map_of(of_self.data() + offset, target, kOffset, 1, world.rank)) {
            embedded_ = offset;
            break;
        }
    }
    return Status::Ok;
}

/// Ranks by a table of process numbers, each behind the number of its job if
/// `with_job`.
Status RankMaps::append_table(const Target& target,
                              std::uint64_t table,
                              std::int32_t size,
                              bool with_job) {
    const std::size_t entry = with_job ? 8 : 4;
    Array<unsigned char> bytes;
    const Status status = target.read(table, static_cast<std::size_t>(size) * entry, bytes);
    if (!ok(status)) return status;
    for (std::size_t i = 0; i < static_cast<std::size_t>(size); ++i) {
        const unsigned char* at = bytes.data() + i * entry;
        const bool own_job = !with_job || target.int_at(at) == 0;
        const std::int32_t process = target.int_at(at + entry - 4);
        if (!ranks_.push(own_job && process >= 0 ? process : MQS_INVALID_PROCESS)) {
            return Status::OutOfMemory;
        }
    }
    return Status::Ok;
}

/// MPIDIU_comm_rank_to_pid, ch4_proc.h. What the rule yields of another job (an
/// address vector table other than 0) is no rank of MPI_COMM_WORLD.
Status RankMaps::append_embedded(const Target& target, std::uint64_t address, std::int32_t size) {
    const Ch4Layout& ch4 = layout_.ch4;
    Array<unsigned char> bytes;
    const Status status = target.read(address, static_cast<std::size_t>(map_bytes_), bytes);
    if (!ok(status)) return status;
    const auto word = [&](int offset) { return target.int_at(bytes.data() + offset); };
    const std::int32_t mode = word(ch4.map_mode);
    if (mode < kDirect || mode >= kNone || word(ch4.map_size) != size) return Status::CorruptData;
    // The modes come in pairs, for a table and for the own job's.
    const bool own_job = (mode < kManyJobs && (mode & 1) != 0) || word(ch4.map_avtid) == 0;
    if (mode == kManyJobs || ((mode & ~1) == kTable && own_job)) {
        const std::uint64_t table =
            target.pointer_at(bytes.data() + ch4.map_irreg + layout_.pointer_size);
        return append_table(target, table, size, mode == kManyJobs);
    }
    const std::int64_t offset = word(ch4.map_reg);
    const std::int64_t stride = word(ch4.map_reg + 4);
    const std::int64_t block = word(ch4.map_reg + 8);
    for (std::int64_t rank = 0; rank < size; ++rank) {
        std::int64_t process = rank;
        if ((mode & ~1) == kOffset) process = rank + offset;
        if ((mode & ~1) == kStride) process = rank * stride + offset;
        if ((mode & ~1) == kStrideBlock) {
            if (block <= 0) return Status::CorruptData;
            process = rank / block * (stride - block) + rank + offset;
        }
        const bool valid = own_job && process >= 0 && process < kMostProcesses;
        if (!ranks_.push(valid ? static_cast<std::int32_t>(process) : MQS_INVALID_PROCESS)) {
            return Status::OutOfMemory;
        }
    }
    return Status::Ok;
}

Status RankMaps::map_of(
    const Target& target, std::uint64_t table, std::int32_t size, Side side, std::uint32_t& map) {
    map = kUnknown;
    if (table == 0 || size <= 0) return Status::Ok;
    const bool embedded = layout_.device == Device::Ch4;
    if (embedded) {
        if (embedded_ < 0) return Status::Ok;
        const int own = side == Side::Own ? map_bytes_ : 0;
        table += static_cast<std::uint64_t>(embedded_ + own);
    } else if (group_ == 0 || layout_.vcrt_table < 0) {
        return Status::Ok;
    }
    const std::uint32_t known = by_table_.find(table);
    // A communicator of the first members shares the table, and is shorter.
    if (known != IndexMap::kMissing && maps_[known].size >= size) {
        map = known;
        return Status::Ok;
    }
    const std::uint64_t first = ranks_.size();
    const Status status =
        embedded ? append_embedded(target, table, size) : append(target, table, size);
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

Status RankMaps::add(const Array<std::int32_t>& ranks, std::uint32_t& map) {
    map = kUnknown;
    if (ranks.empty()) return Status::Ok;
    const std::uint64_t first = ranks_.size();
    for (const std::int32_t rank : ranks)
        if (!ranks_.push(rank)) return Status::OutOfMemory;
    map = static_cast<std::uint32_t>(maps_.size());
    return maps_.push({first, static_cast<std::int32_t>(ranks.size())}) ? Status::Ok
                                                                        : Status::OutOfMemory;
}

Status RankMaps::identity(std::int32_t size, std::uint32_t& map) {
    const std::uint64_t first = ranks_.size();
    if (!ranks_.resize(first + static_cast<std::size_t>(size))) return Status::OutOfMemory;
    for (std::int32_t i = 0; i < size; ++i)
        ranks_[first + static_cast<std::size_t>(i)] = i;
    map = static_cast<std::uint32_t>(maps_.size());
    return maps_.push({first, size}) ? Status::Ok : Status::OutOfMemory;
}

std::int32_t RankMaps::process(std::uint32_t map, std::int64_t rank) const {
    if (map == kUnknown || rank < 0 || rank >= maps_[map].size) return MQS_INVALID_PROCESS;
    return ranks_[maps_[map].first + static_cast<std::size_t>(rank)];
}

WorldRank RankMaps::foreign(std::int32_t process) const {
    const std::int64_t index = std::int64_t{process} - kFirstForeign;
    if (index < 0 || index >= static_cast<std::int64_t>(foreign_.size())) return {};
    const ForeignProcess& found = foreign_[static_cast<std::size_t>(index)];
    return {foreign_groups_[found.group], found.rank};
}

std::int32_t RankMaps::rank_of(std::uint32_t map, std::int32_t process) const {
    if (map == kUnknown || process < 0) return -1;
    const std::int32_t* first = ranks_.begin() + maps_[map].first;
    const std::int32_t* last = first + maps_[map].size;
    const std::int32_t* found = std::find(first, last, process);
    return found == last ? -1 : static_cast<std::int32_t>(found - first);
}

}  // namespace mqinspect::dll
