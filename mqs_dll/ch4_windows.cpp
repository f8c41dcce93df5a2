#include "mqs_dll/ch4_windows.h"

#include "mqs_dll/handle_pool.h"

namespace mqinspect::dll {
namespace {

// MPIDIG_EPOTYPE_* (ch4_types.h).
constexpr std::int32_t kNone = 0;
constexpr std::int32_t kLock = 1;
constexpr std::int32_t kStart = 2;
constexpr std::int32_t kPost = 3;
constexpr std::int32_t kFence = 4;
constexpr std::int32_t kFenceAgain = 5;
constexpr std::int32_t kLockAll = 6;

constexpr std::int32_t kLargestGroup = 1 << 24;

int access_of(std::int32_t epoch) {
    switch (epoch) {
        case kNone:
            return mqs_epoch_none;
        case kFence:
        case kFenceAgain:
            return mqs_epoch_fence;
        case kStart:
            return mqs_epoch_start;
        case kLock:
            return mqs_epoch_lock;
        case kLockAll:
            return mqs_epoch_lock_all;
        default:
            return mqs_epoch_unknown;
    }
}

int exposure_of(std::int32_t epoch) {
    switch (epoch) {
        case kNone:
            return mqs_epoch_none;
        case kFence:
        case kFenceAgain:
            return mqs_epoch_fence;
        case kPost:
            return mqs_epoch_post;
        default:
            return mqs_epoch_unknown;
    }
}

class Reader {
public:
    Reader(const Target& target,
           const Ch4WindowLayout& layout,
           const HandlePool& pool,
           const CommunicatorTable& communicators,
           WindowTable& table)
        : target_(target),
          layout_(layout),
          pool_(pool),
          communicators_(communicators),
          table_(table) {}

    /// `object`: an MPIR_Win, in use or not. First all of them are to be noted.
    Status note_window(std::uint64_t address, const unsigned char* object);
    Status read_windows();

private:
    /// An object in use, with the communicator that it says to have.
    struct Noted {
        std::uint64_t address = 0;
        std::uint32_t communicator = 0;
    };
    struct Group {
        std::uint64_t address = 0;  ///< MPIR_Group, 0 if there is none
        std::int32_t arrived = 0;   ///< calls that belong to the other side of the epoch
        std::int32_t size = 0;
    };

    Status read_window(const Noted& noted, const unsigned char* object);
    bool is_free(const unsigned char* object) const;
    std::int32_t word(const unsigned char* object, int field, std::int32_t absent) const {
        return field < 0 ? absent : target_.int_at(object + field);
    }
    Group group_at(const unsigned char* object, int field) const;
    void describe(const unsigned char* object, const Communicator& communicator, Window& window);
    Status read_group(Group& group, std::uint8_t role);
    Status read_targets(std::uint64_t target);
    Status read_waiters(std::uint64_t waiter);
    Status add_peer(const WindowPeer& peer) {
        const bool member = peer.rank >= 0 && peer.rank < members_;
        return member ? table_.add_peer(peer) : Status::CorruptData;
    }

    const Target& target_;
    const Ch4WindowLayout& layout_;
    const HandlePool& pool_;
    const CommunicatorTable& communicators_;
    WindowTable& table_;
    Array<Noted> noted_;
    IndexMap claims_;  ///< how many objects say to have a communicator
    Array<unsigned char> bytes_;
    IndexMap seen_;             ///< targets and waiters: none is met twice
    std::int32_t members_ = 0;  ///< of the window at hand
    std::uint32_t peers_ = 0;   ///< its map of ranks
};

Reader::Group Reader::group_at(const unsigned char* object, int field) const {
    Group group;
    group.address = target_.pointer_at(object + field + layout_.pscw_group);
    group.arrived = target_.int_at(object + field + layout_.pscw_count);
    return group;
}

void Reader::describe(const unsigned char* object,
                      const Communicator& communicator,
                      Window& result) {
    mqs_window& window = result.description;
    const unsigned char* sync = object + layout_.sync();
    window.handle = static_cast<unsigned int>(target_.int_at(object + layout_.handle));
    window.communicator = communicator.unique_id();
    window.communicator_address = communicator.address;
    window.size =
        layout_.size < 0 ? -1 : target_.signed_at(object + layout_.size, target_.pointer_size());
    if (window.size < 0) window.size = -1;
    window.flavor = window_flavor_of(word(object, layout_.flavor, 0));
    window.access = access_of(target_.int_at(sync + layout_.sync_access));
    // MPI_Win_start and MPI_Win_lock_all begin their epoch when all have answered.
    window.access_granted = 1;
    window.answers_awaited = 1;
    window.exposure = exposure_of(target_.int_at(sync + layout_.sync_exposure));
    const std::int32_t granted = target_.int_at(sync + layout_.sync_lock_all);
    const bool counted = granted >= 0 && granted <= members_;
    window.locks_missing = -1;
    if (counted)
        window.locks_missing = window.access == mqs_epoch_lock_all ? 0 : members_ - granted;
    const unsigned char* locks = sync + layout_.sync_locks;
    const std::int32_t holders = target_.int_at(locks + layout_.locks_count);
    if (holders > 0) {
        window.holders = holders;
        window.lock = window_lock_of(target_.int_at(locks + layout_.locks_type));
    }
    take_window_name(window, object + layout_.name);
}

// Members that are not processes of the own world stay out: the window's group is one of it.
Status Reader::read_group(Group& group, std::uint8_t role) {
    if (group.address == 0 || !layout_.knows_groups()) return Status::Ok;
    const int extent = 8 + (layout_.group_size > layout_.group_members ? layout_.group_size
                                                                       : layout_.group_members);
    Status status = target_.read(group.address, static_cast<std::size_t>(extent), bytes_);
    if (!ok(status)) return status;
    group.size = target_.int_at(bytes_.data() + layout_.group_size);
    const std::uint64_t members = target_.pointer_at(bytes_.data() + layout_.group_members);
    if (group.size < 0 || group.size > members_) return Status::CorruptData;
    if (group.size == 0 || members == 0) return Status::Ok;
    const auto stride = static_cast<std::size_t>(layout_.member_bytes);
    status = target_.read(members, static_cast<std::size_t>(group.size) * stride, bytes_);
    for (std::size_t i = 0; ok(status) && i < static_cast<std::size_t>(group.size); ++i) {
        WindowPeer peer;
        peer.role = role;
        const unsigned char* member = bytes_.data() + i * stride;
        peer.rank =
            communicators_.ranks().rank_of(peers_, target_.int_at(member + layout_.member_process));
        if (peer.rank >= 0) status = add_peer(peer);
    }
    return status;
}

Status Reader::read_targets(std::uint64_t target) {
    const int last = layout_.target_hash + layout_.hash_next;
    const int lock = layout_.target_sync + layout_.target_lock;
    while (target != 0) {
        if (seen_.find(target) != IndexMap::kMissing) return Status::CorruptData;
        if (!seen_.insert(target, 0)) return Status::OutOfMemory;
        Status status =
            target_.read(target, static_cast<std::size_t>(layout_.target_extent()), bytes_);
        if (!ok(status)) return status;
        const unsigned char* entry = bytes_.data();
        WindowPeer peer;
        peer.role = mqs_window_target;
        peer.rank = target_.int_at(entry + layout_.target_rank);
        if (target_.int_at(entry + lock) != 0) peer.state = mqs_lock_granted;
        const std::int32_t operations = word(entry, layout_.target_operations, 0);
        const std::int32_t accumulates = word(entry, layout_.target_accumulates, 0);
        if (operations >= 0 && accumulates >= 0 && operations < kLargestGroup &&
            accumulates < kLargestGroup) {
            peer.operations = operations + accumulates;
        }
        target = target_.pointer_at(entry + last);
        status = add_peer(peer);
        if (!ok(status)) return status;
    }
    return Status::Ok;
}

Status Reader::read_waiters(std::uint64_t waiter) {
    while (waiter != 0) {
        if (seen_.find(waiter) != IndexMap::kMissing) return Status::CorruptData;
        if (!seen_.insert(waiter, 0)) return Status::OutOfMemory;
        Status status =
            target_.read(waiter, static_cast<std::size_t>(layout_.waiter_extent()), bytes_);
        if (!ok(status)) return status;
        const unsigned char* entry = bytes_.data();
        WindowPeer peer;
        peer.role = mqs_window_lock_waiter;
        peer.rank = target_.int_at(entry + layout_.waiter_rank);
        peer.lock = window_lock_of(target_.int_at(entry + layout_.waiter_type) & 0xffff);
        waiter = target_.pointer_at(entry + layout_.waiter_next);
        status = add_peer(peer);
        if (!ok(status)) return status;
    }
    return Status::Ok;
}

// What is free has the address of the next free object behind its reference count, where a
// window has its mutex. The last one of that list is not known as free.
bool Reader::is_free(const unsigned char* object) const {
    const std::uint64_t next = target_.pointer_at(object + layout_.mutex);
    for (std::size_t i = 0; i < pool_.blocks.size(); ++i) {
        const PoolBlock& block = pool_.blocks[i];
        const std::uint64_t bytes = std::uint64_t{block.objects} * pool_.object_bytes;
        if (next >= block.address && next - block.address < bytes) return true;
    }
    return target_.int_at(object + layout_.handle) == 0;
}

Status Reader::note_window(std::uint64_t address, const unsigned char* object) {
    const std::uint64_t comm = target_.pointer_at(object + layout_.comm);
    // Being made, or being freed: its communicator is not there.
    const std::uint32_t index = communicators_.find(comm);
    if (comm == 0 || index == CommunicatorTable::kMissing || is_free(object)) return Status::Ok;
    const std::uint32_t before = claims_.find(comm);
    const bool counted = claims_.insert(comm, before == IndexMap::kMissing ? 1 : before + 1);
    return counted && noted_.push({address, index}) ? Status::Ok : Status::OutOfMemory;
}

Status Reader::read_windows() {
    Array<unsigned char> object;
    Status status = Status::Ok;
    for (std::size_t i = 0; ok(status) && i < noted_.size(); ++i) {
        // An object that was freed may name one that another window has now; nobody can tell
        // them apart.
        if (claims_.find(communicators_[noted_[i].communicator].address) != 1) continue;
        const auto extent = static_cast<std::size_t>(layout_.window_extent());
        status = target_.read(noted_[i].address, extent, object);
        if (ok(status)) status = read_window(noted_[i], object.data());
    }
    return status;
}

Status Reader::read_window(const Noted& noted, const unsigned char* object) {
    const Communicator& communicator = communicators_[noted.communicator];
    members_ = communicator.local_size;
    peers_ = communicator.peers;
    Window window;
    window.description.address = noted.address;
    describe(object, communicator, window);
    window.first_peer = table_.next_peer();
    const unsigned char* sync = object + layout_.sync();
    // Each side's counter is in the other side's part.
    Group started = group_at(sync, layout_.sync_start);
    Group posted = group_at(sync, layout_.sync_post);
    const std::uint64_t waiters =
        target_.pointer_at(sync + layout_.sync_locks + layout_.locks_head);
    const std::uint64_t targets = target_.pointer_at(object + layout_.am() + layout_.am_targets);
    window.description.posts_received = posted.arrived >= 0 ? posted.arrived : -1;
    Status status = Status::Ok;
    if (window.description.access == mqs_epoch_start) {
        status = read_group(started, mqs_window_started);
    }
    if (ok(status) && window.description.exposure == mqs_epoch_post) {
        status = read_group(posted, mqs_window_posted);
        const bool known =
            posted.size > 0 && started.arrived >= 0 && started.arrived <= posted.size;
        window.description.completions_missing = known ? posted.size - started.arrived : -1;
    }
    if (ok(status)) status = read_targets(targets);
    if (ok(status)) status = read_waiters(waiters);
    return ok(status) ? table_.add(window) : status;
}

}  // namespace

Status read_ch4_windows(const Target& target,
                        const Layout& layout,
                        const Symbols& symbols,
                        const CommunicatorTable& communicators,
                        WindowTable& table) {
    HandlePool pool;
    Status status = read_pool(target, layout, symbols.window_mem, pool);
    if (!ok(status) || pool.blocks.empty()) return status;
    const int extent = layout.ch4_windows.window_extent();
    if (pool.object_bytes < static_cast<std::uint32_t>(extent)) return Status::CorruptData;
    Reader reader(target, layout.ch4_windows, pool, communicators, table);
    Array<unsigned char> buffer;
    for (std::size_t i = 0; ok(status) && i < pool.blocks.size(); ++i) {
        status = for_each_object(target,
                                 pool.blocks[i],
                                 pool.object_bytes,
                                 buffer,
                                 [&](std::uint64_t address, const unsigned char* object) {
                                     return reader.note_window(address, object);
                                 });
    }
    return ok(status) ? reader.read_windows() : status;
}

}  // namespace mqinspect::dll
