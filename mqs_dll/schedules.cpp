#include "mqs_dll/schedules.h"

#include <algorithm>

#include "mqs_dll/snapshot.h"

namespace mqinspect::dll {
namespace {

// enum MPIDU_Sched_entry_type and MPIDU_Sched_entry_status.
constexpr std::int32_t kSend = 1;
constexpr std::int32_t kReceive = 2;
constexpr std::int32_t kPlainSend = 3;
constexpr std::int32_t kPlainReceive = 4;
constexpr std::int32_t kStarted = 1;

constexpr std::uint64_t kMostEntries = 1 << 20;  // of all schedules together

/// Sorts, and returns how many distinct ones there are.
std::uint32_t sort_distinct(Array<std::int32_t>& ranks) {
    std::sort(ranks.begin(), ranks.end());
    return static_cast<std::uint32_t>(std::unique(ranks.begin(), ranks.end()) - ranks.begin());
}

}  // namespace

Status SchedulePeers::add_part(const Target& target,
                               const Snapshot& snapshot,
                               std::uint32_t operation_comm,
                               int direction,
                               std::uint64_t comm,
                               std::int32_t rank,
                               std::uint64_t part_request) {
    const std::uint32_t part = snapshot.requests.find(part_request);
    if (part == RequestTable::kMissing) return Status::Ok;
    bool pending = false;
    Status status = snapshot.requests.is_pending(target, snapshot.requests[part], pending);
    if (!ok(status) || !pending) return status;
    const CommunicatorTable& table = snapshot.communicators;
    const std::uint32_t own = table.find(comm);
    if (own == CommunicatorTable::kMissing) return Status::Ok;
    if (own != operation_comm) {
        const RankMaps& ranks = table.ranks();
        rank = ranks.rank_of(table[operation_comm].peers, ranks.process(table[own].peers, rank));
    }
    if (rank < 0) return Status::Ok;
    Array<std::int32_t>& list = direction == mqs_peers_send ? sends_ : receives_;
    return list.push(rank) ? Status::Ok : Status::OutOfMemory;
}

Status SchedulePeers::add_schedule(const Target& target,
                                   const Layout& layout,
                                   Snapshot& snapshot,
                                   std::uint32_t operation_comm,
                                   std::uint64_t schedule,
                                   bool& plain) {
    const ScheduleLayout& fields = layout.schedules;
    const int extent = 8 + std::max({fields.first, fields.count, fields.entries});
    Array<unsigned char> bytes;
    Status status = target.read(schedule, static_cast<std::size_t>(extent), bytes);
    if (!ok(status)) return status;
    const std::uint64_t first = target.pointer_at(bytes.data() + fields.first);
    const std::int32_t count = target.int_at(bytes.data() + fields.count);
    const std::uint64_t entries = target.pointer_at(bytes.data() + fields.entries);
    if (count < 0 || first >= static_cast<std::uint64_t>(count)) return Status::Ok;
    const std::uint64_t left = static_cast<std::uint64_t>(count) - first;
    entries_seen_ += left;
    if (entries_seen_ > kMostEntries) return Status::CorruptData;
    const auto entry_bytes = static_cast<std::uint64_t>(fields.entry_bytes);
    status = target.read(entries + first * entry_bytes, left * entry_bytes, bytes);
    for (std::uint64_t i = 0; ok(status) && i < left; ++i) {
        const unsigned char* entry = bytes.data() + i * entry_bytes;
        const unsigned char* part = entry + fields.entry_u;
        const std::int32_t type = target.int_at(entry + fields.entry_type);
        const bool may_be_plain = fields.send_tag >= 0;
        const bool sends = type == kSend || (may_be_plain && type == kPlainSend);
        const bool receives = type == kReceive || (may_be_plain && type == kPlainReceive);
        if (!sends && !receives) continue;
        const bool of_user = type == kPlainSend || type == kPlainReceive;
        plain = plain || of_user;
        if (target.int_at(entry + fields.entry_status) != kStarted) continue;
        const std::uint64_t request =
            target.pointer_at(part + (sends ? fields.send_request : fields.recv_request));
        const std::uint32_t index = snapshot.requests.find(request);
        if (of_user && index != RequestTable::kMissing) snapshot.requests[index].part_of = request_;
        status = add_part(target,
                          snapshot,
                          operation_comm,
                          sends ? mqs_peers_send : mqs_peers_receive,
                          target.pointer_at(part + (sends ? fields.send_comm : fields.recv_comm)),
                          target.int_at(part + (sends ? fields.send_dest : fields.recv_src)),
                          request);
    }
    return status;
}

Status SchedulePeers::end() {
    List list;
    list.first = static_cast<std::uint32_t>(ranks_.size());
    list.receives = sort_distinct(receives_);
    list.sends = sort_distinct(sends_);
    for (std::uint32_t i = 0; i < list.receives; ++i) {
        if (!ranks_.push(receives_[i])) return Status::OutOfMemory;
    }
    for (std::uint32_t i = 0; i < list.sends; ++i) {
        if (!ranks_.push(sends_[i])) return Status::OutOfMemory;
    }
    receives_.clear();
    sends_.clear();
    const auto index = static_cast<std::uint32_t>(lists_.size());
    return lists_.push(list) && by_request_.insert(std::uint64_t{request_} + 1, index)
               ? Status::Ok
               : Status::OutOfMemory;
}

const SchedulePeers::List* SchedulePeers::find(std::uint32_t request) const {
    const std::uint32_t index = by_request_.find(std::uint64_t{request} + 1);
    return index == IndexMap::kMissing ? nullptr : &lists_[index];
}

}  // namespace mqinspect::dll
