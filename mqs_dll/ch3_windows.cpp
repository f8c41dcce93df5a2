#include "mqs_dll/ch3_windows.h"

#include <algorithm>

namespace mqinspect::dll {
namespace {

// enum MPIDI_RMA_states, which starts with an arbitrary number.
constexpr std::int32_t kNone = 63;
constexpr std::int32_t kFenceIssued = 64;
constexpr std::int32_t kFenceGranted = 65;
constexpr std::int32_t kStartIssued = 66;
constexpr std::int32_t kStartGranted = 67;
constexpr std::int32_t kPosted = 68;
constexpr std::int32_t kPerTarget = 69;
constexpr std::int32_t kLockAllCalled = 70;
constexpr std::int32_t kLockAllIssued = 71;
constexpr std::int32_t kLockAllGranted = 72;
constexpr std::int32_t kLockCalled = 73;
constexpr std::int32_t kLockIssued = 74;
constexpr std::int32_t kLockGranted = 75;
constexpr std::int32_t kNoLock = 60;  // MPID_LOCK_NONE
// MPIDI_CH3_PKT_FLAG_RMA_LOCK_*
constexpr std::int32_t kFlagShared = 1;
constexpr std::int32_t kFlagExclusive = 2;

constexpr std::int32_t kMostSlots = 1 << 20;
constexpr std::int32_t kMostOperations = 1 << 20;  // counted, of all windows together
constexpr std::int32_t kLargestGroup = 1 << 24;

int access_of(std::int32_t state) {
    switch (state) {
        case kNone:
            return mqs_epoch_none;
        case kFenceIssued:
        case kFenceGranted:
            return mqs_epoch_fence;
        case kStartIssued:
        case kStartGranted:
            return mqs_epoch_start;
        case kPerTarget:
            return mqs_epoch_lock;
        case kLockAllCalled:
        case kLockAllIssued:
        case kLockAllGranted:
            return mqs_epoch_lock_all;
        default:
            return mqs_epoch_unknown;
    }
}

int exposure_of(std::int32_t state) {
    if (state == kPosted) return mqs_epoch_post;
    return state == kNone ? mqs_epoch_none : mqs_epoch_unknown;
}

std::uint8_t lock_state_of(std::int32_t state) {
    switch (state) {
        case kLockCalled:
            return mqs_lock_called;
        case kLockIssued:
            return mqs_lock_requested;
        case kLockGranted:
            return mqs_lock_granted;
        default:
            return mqs_lock_unlocked;
    }
}

}  // namespace

/// Reads the windows of one process.
class WindowReader {
public:
    WindowReader(const Target& target,
                 const WindowLayout& layout,
                 const CommunicatorTable& communicators,
                 const RequestTable& requests,
                 WindowTable& table)
        : target_(target),
          layout_(layout),
          communicators_(communicators),
          requests_(requests),
          table_(table) {}

    /// Finds the requests that carry parts of one-sided operations. Before read_list.
    Status index_parts();
    Status read_list(std::uint64_t variable);

private:
    Status read_window(std::uint64_t address, std::uint64_t& next);
    Status read_targets(std::uint64_t slots, std::int32_t count);
    Status read_target(std::uint64_t address, std::uint64_t& next);
    Status read_operations(std::uint64_t head, WindowPeer& target);
    Status add_parts(std::uint64_t address, std::int32_t rank);
    Status add_request(std::uint32_t handle, std::int32_t rank);
    Status read_started(std::uint64_t ranks, std::int32_t count);
    Status read_waiters(std::uint64_t head, const Communicator& communicator);
    Status add_peer(const WindowPeer& peer);
    Status read(std::uint64_t address, int extent) {
        return target_.read(address, static_cast<std::size_t>(extent), bytes_);
    }
    std::int32_t word(int field, std::int32_t absent = -1) const {
        return field < 0 ? absent : target_.int_at(bytes_.data() + field);
    }
    std::uint64_t pointer(int field) const {
        return field < 0 ? 0 : target_.pointer_at(bytes_.data() + field);
    }
    void describe(mqs_window& window, const Communicator& communicator) const;

    const Target& target_;
    const WindowLayout& layout_;
    /// A part of an operation that has been sent off.
    struct Part {
        std::uint64_t target = 0;   ///< address of the MPIDI_RMA_Target
        std::uint32_t request = 0;  ///< that the user has
    };

    const CommunicatorTable& communicators_;
    const RequestTable& requests_;
    WindowTable& table_;
    Array<Part> parts_;  ///< by target
    Array<unsigned char> bytes_;
    IndexMap seen_;  ///< windows, targets and waiters: none is met twice
    std::int32_t operations_left_ = kMostOperations;
    std::int32_t group_ = 0;  ///< members of the window at hand
};

Status WindowReader::add_peer(const WindowPeer& peer) {
    return peer.rank < group_ ? table_.add_peer(peer) : Status::CorruptData;
}

Status WindowReader::read_list(std::uint64_t variable) {
    std::uint64_t next = 0;
    Status status = target_.read_pointer(variable, next);
    while (ok(status) && next != 0)
        status = read_window(next, next);
    return status;
}

void WindowReader::describe(mqs_window& window, const Communicator& communicator) const {
    window.handle = static_cast<unsigned int>(word(layout_.handle, 0));
    window.communicator = communicator.unique_id();
    window.communicator_address = communicator.address;
    window.size = layout_.size < 0
                      ? -1
                      : target_.signed_at(bytes_.data() + layout_.size, target_.pointer_size());
    if (window.size < 0) window.size = -1;
    window.flavor = window_flavor_of(word(layout_.flavor));
    window.shared_memory = word(layout_.shm_allocated, 0) != 0 ? 1 : 0;
    const std::int32_t access = word(layout_.states);
    window.access = access_of(access);
    window.access_granted = access == kStartGranted || access == kLockAllGranted ? 1 : 0;
    // The members of states, which has no type name, follow each other.
    window.exposure = exposure_of(word(layout_.states + 4));
    const std::int32_t type = word(layout_.current_lock_type, kNoLock);
    window.lock = window_lock_of(type);
    const std::int32_t shared = word(layout_.shared_lock_count, 0);
    if (window.lock == mqs_lock_exclusive) window.holders = 1;
    if (window.lock == mqs_lock_shared && shared > 0) window.holders = shared;
    window.locks_missing = std::max(word(layout_.outstanding_locks), -1);
    window.completions_missing = std::max(word(layout_.completion_counter), -1);
    window.posts_received = -1;
    take_window_name(window, bytes_.data() + layout_.name);
}

Status WindowReader::read_window(std::uint64_t address, std::uint64_t& next) {
    if (seen_.find(address) != IndexMap::kMissing) return Status::CorruptData;
    if (!seen_.insert(address, 0)) return Status::OutOfMemory;
    Status status = read(address, layout_.window_extent());
    if (!ok(status)) return status;
    next = pointer(layout_.next);
    // Being made, or being freed: its communicator is not there.
    const std::uint32_t index = communicators_.find(pointer(layout_.comm));
    if (index == CommunicatorTable::kMissing) return Status::Ok;
    const Communicator& communicator = communicators_[index];
    group_ = communicator.local_size;
    Window window;
    window.description.address = address;
    describe(window.description, communicator);
    window.first_peer = table_.next_peer();
    const std::uint64_t slots = pointer(layout_.slots);
    const std::uint64_t started = pointer(layout_.started);
    const std::uint64_t waiters = pointer(layout_.lock_queue);
    const std::int32_t slot_count = word(layout_.slot_count, 0);
    const std::int32_t started_count = word(layout_.started_count, 0);
    status = read_targets(slots, slot_count);
    if (ok(status) && window.description.access == mqs_epoch_start) {
        status = read_started(started, started_count);
    }
    if (ok(status)) status = read_waiters(waiters, communicator);
    // A window that could not be read whole is not shown.
    if (!ok(status)) return status;
    return table_.add(window);
}

Status WindowReader::read_targets(std::uint64_t slots, std::int32_t count) {
    if (slots == 0 || count == 0) return Status::Ok;
    if (count < 0 || count > kMostSlots) return Status::CorruptData;
    const auto slot_bytes = static_cast<std::size_t>(layout_.slot_bytes);
    Array<unsigned char> heads;
    Status status = target_.read(slots, static_cast<std::size_t>(count) * slot_bytes, heads);
    for (std::size_t i = 0; ok(status) && i < static_cast<std::size_t>(count); ++i) {
        std::uint64_t next = target_.pointer_at(heads.data() + i * slot_bytes);
        while (ok(status) && next != 0)
            status = read_target(next, next);
    }
    return status;
}

Status WindowReader::read_target(std::uint64_t address, std::uint64_t& next) {
    if (seen_.find(address) != IndexMap::kMissing) return Status::CorruptData;
    if (!seen_.insert(address, 0)) return Status::OutOfMemory;
    Status status = read(address, layout_.target_extent());
    if (!ok(status)) return status;
    next = pointer(layout_.target_next);
    WindowPeer peer;
    peer.role = mqs_window_target;
    peer.rank = word(layout_.target_rank);
    peer.state = lock_state_of(word(layout_.target_state));
    peer.lock = window_lock_of(word(layout_.target_lock_type, kNoLock));
    const std::uint64_t lists[] = {pointer(layout_.target_net_operations),
                                   pointer(layout_.target_user_operations)};
    // The member of sync, which has no type name, behind the flag.
    const std::int32_t acks = layout_.target_sync < 0 ? 0 : word(layout_.target_sync + 4, 0);
    peer.operations = std::max(acks, 0);
    for (const std::uint64_t head : lists) {
        status = read_operations(head, peer);
        if (!ok(status)) return status;
    }
    if (peer.rank < 0) return Status::CorruptData;
    status = add_parts(address, peer.rank);
    return ok(status) ? add_peer(peer) : status;
}

// Operations that wait to be sent off.
Status WindowReader::read_operations(std::uint64_t head, WindowPeer& target) {
    if (layout_.operation_next < 0) return Status::Ok;
    while (head != 0) {
        if (--operations_left_ < 0) return Status::CorruptData;
        ++target.operations;
        Status status = read(head, 8 + std::max(layout_.operation_next, layout_.operation_request));
        if (!ok(status)) return status;
        head = pointer(layout_.operation_next);
        const std::uint32_t request = requests_.find(pointer(layout_.operation_request));
        if (request == RequestTable::kMissing) continue;
        status = add_request(requests_[request].handle, target.rank);
        if (!ok(status)) return status;
    }
    return Status::Ok;
}

Status WindowReader::add_request(std::uint32_t handle, std::int32_t rank) {
    WindowPeer peer;
    peer.role = mqs_window_request;
    peer.rank = rank;
    peer.request = handle;
    return add_peer(peer);
}

Status WindowReader::index_parts() {
    for (std::size_t i = 0; i < requests_.size(); ++i) {
        const Request& request = requests_[i];
        // Requests on behalf of another process's operation have its handle, and no target.
        if (request.rma_target == 0 || !is_handle_of(request.rma_request, ObjectKind::Request)) {
            continue;
        }
        if (!parts_.push({request.rma_target, request.rma_request})) return Status::OutOfMemory;
    }
    std::sort(parts_.begin(), parts_.end(), [](const Part& left, const Part& right) {
        return left.target < right.target ||
               (left.target == right.target && left.request < right.request);
    });
    return Status::Ok;
}

Status WindowReader::add_parts(std::uint64_t address, std::int32_t rank) {
    const Part* part = std::lower_bound(
        parts_.begin(), parts_.end(), address, [](const Part& each, std::uint64_t target) {
            return each.target < target;
        });
    std::uint32_t last = 0;
    for (; part != parts_.end() && part->target == address; ++part) {
        if (part->request == last) continue;
        last = part->request;
        const Status status = add_request(last, rank);
        if (!ok(status)) return status;
    }
    return Status::Ok;
}

Status WindowReader::read_started(std::uint64_t ranks, std::int32_t count) {
    if (ranks == 0 || count == 0) return Status::Ok;
    if (count < 0 || count > kLargestGroup) return Status::CorruptData;
    Array<unsigned char> bytes;
    Status status = target_.read(ranks, static_cast<std::size_t>(count) * 4, bytes);
    for (std::size_t i = 0; ok(status) && i < static_cast<std::size_t>(count); ++i) {
        WindowPeer peer;
        peer.role = mqs_window_started;
        peer.rank = target_.int_at(bytes.data() + i * 4);
        status = peer.rank < 0 ? Status::CorruptData : add_peer(peer);
    }
    return status;
}

Status WindowReader::read_waiters(std::uint64_t head, const Communicator& communicator) {
    const RankMaps& ranks = communicators_.ranks();
    while (head != 0) {
        if (seen_.find(head) != IndexMap::kMissing) return Status::CorruptData;
        if (!seen_.insert(head, 0)) return Status::OutOfMemory;
        Status status = read(head, layout_.waiter_extent());
        if (!ok(status)) return status;
        head = pointer(layout_.waiter_next);
        WindowPeer peer;
        peer.role = mqs_window_lock_waiter;
        peer.rank = ranks.rank_of(communicator.peers,
                                  ranks.process_behind(target_, pointer(layout_.waiter_vc)));
        // All packets that may ask for a lock begin with their type and flags.
        const std::int32_t flags = word(layout_.waiter_packet + layout_.packet_flags);
        if ((flags & kFlagShared) != 0) peer.lock = mqs_lock_shared;
        if ((flags & kFlagExclusive) != 0) peer.lock = mqs_lock_exclusive;
        status = add_peer(peer);
        if (!ok(status)) return status;
    }
    return Status::Ok;
}

Status read_ch3_windows(const Target& target,
                        const Layout& layout,
                        const Symbols& symbols,
                        const CommunicatorTable& communicators,
                        const RequestTable& requests,
                        WindowTable& table) {
    WindowReader reader(target, layout.windows, communicators, requests, table);
    Status status = reader.index_parts();
    if (ok(status)) status = reader.read_list(symbols.active_windows);
    if (ok(status)) status = reader.read_list(symbols.inactive_windows);
    return status;
}

}  // namespace mqinspect::dll
