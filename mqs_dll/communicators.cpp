#include "mqs_dll/communicators.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>

#include "include/mpich_handles.h"
#include "mqs_dll/handle_pool.h"
#include "mqs_dll/text.h"

namespace mqinspect::dll {
namespace {

constexpr std::uint32_t kInternalWorld = 0x44000002;  // MPI_ICOMM_WORLD
constexpr std::uint32_t kBuiltins = 3;                // MPIR_COMM_N_BUILTIN
constexpr std::uint32_t kSelfContext = 16;            // behind MPI_COMM_WORLD's
constexpr std::int32_t kInter = 1;                    // MPIR_COMM_KIND__INTERCOMM
constexpr std::int32_t kNodeRoots = 2;                // MPIR_COMM_HIERARCHY_KIND__NODE_ROOTS
constexpr std::int32_t kNode = 3;
constexpr std::int32_t kSubcommunicator = 1;  // MPIR_COMM_ATTR__SUBCOMM
// mpir_contextid.h: bit 0 tells collective traffic, bits 1 and 2 the communicators of a
// node and of the nodes' roots, bit 3 the local communicator of an intercommunicator.
constexpr std::uint32_t kInternalBits = 0xe;
constexpr std::uint32_t kDerivedBits = 0xf;
// Context ids have at most 20 bits, and a process has one communicator for each.
constexpr std::size_t kMostCommunicators = std::size_t{1} << 20;
constexpr std::int32_t kLargestGroup = 1 << 24;

std::uint64_t key_of(std::uint32_t context, bool receives) {
    return std::uint64_t{context} << 1 | (receives ? 1U : 0U);
}

std::size_t extent_of(const Layout& layout) {
    const int last = std::max({layout.comm_context_id,
                               layout.comm_recvcontext_id,
                               layout.comm_remote_size,
                               layout.comm_rank,
                               layout.comm_name + 64,
                               layout.comm_handle,
                               layout.comm_ref_count,
                               layout.comm_local_size,
                               layout.comm_kind,
                               layout.comm_next,
                               layout.comm_local_comm,
                               layout.comm_hierarchy_kind,
                               layout.comm_next_sched_tag,
                               layout.comm_attr,
                               layout.comm_local_group,
                               layout.comm_remote_group,
                               layout.comm_dev + layout.ch3_comm_vcrt,
                               layout.comm_dev + layout.ch3_comm_local_vcrt});
    return static_cast<std::size_t>(last) + 8;
}

int order_of(const Communicator& communicator) {
    if (communicator.handle == mpich::kCommWorld) return 0;
    return communicator.handle == mpich::kCommSelf ? 1 : 2;
}

bool comes_before(const Communicator& a, const Communicator& b) {
    if (order_of(a) != order_of(b)) return order_of(a) < order_of(b);
    if (a.recv_context != b.recv_context) return a.recv_context < b.recv_context;
    return a.address < b.address;
}

/// Of MPI_Comm_set_name's up to 127 characters as many as the interface holds.
void take_name(Communicator& communicator, const unsigned char* bytes) {
    std::memcpy(communicator.name, bytes, sizeof communicator.name - 1);
    communicator.name[sizeof communicator.name - 1] = '\0';
    for (char& c : communicator.name) {
        const auto value = static_cast<unsigned char>(c);
        if (value != 0 && (value < 0x20 || value == 0x7f)) c = '?';
    }
    communicator.named = communicator.name[0] != '\0';
    if (communicator.named) return;
    TextWriter text(communicator.name, sizeof communicator.name);
    if (communicator.handle != 0) {
        text.append("comm ").append_handle(communicator.handle);
    } else {
        text.append("comm with context ").append_decimal(communicator.context);
    }
}

bool is_internal(const Communicator& communicator) {
    return (communicator.recv_context & kInternalBits) != 0 ||
           communicator.hierarchy == kNodeRoots || communicator.hierarchy == kNode ||
           communicator.handle == kInternalWorld ||
           (communicator.handle == 0 && std::strcmp(communicator.name, "MPI_ICOMM_WORLD") == 0);
}

Communicator decode(const Target& target,
                    const Layout& layout,
                    std::uint64_t address,
                    const unsigned char* bytes) {
    const auto word = [&](int offset, std::int32_t absent) {
        return offset < 0 ? absent : target.int_at(bytes + offset);
    };
    const auto pointer = [&](int offset) {
        return offset < 0 ? std::uint64_t{0} : target.pointer_at(bytes + offset);
    };
    const auto device = [&](int offset) {
        return offset < 0 || layout.comm_dev < 0 ? -1 : layout.comm_dev + offset;
    };
    const auto context = [&](int offset) {
        return static_cast<std::uint32_t>(target.unsigned_at(bytes + offset, layout.context_bytes));
    };
    Communicator result;
    result.address = address;
    result.handle = static_cast<std::uint32_t>(word(layout.comm_handle, 0));
    result.context = context(layout.comm_context_id);
    result.recv_context = context(layout.comm_recvcontext_id);
    result.remote_size = word(layout.comm_remote_size, 0);
    result.local_size = word(layout.comm_local_size, result.remote_size);
    result.rank = word(layout.comm_rank, 0);
    result.hierarchy = word(layout.comm_hierarchy_kind, 0);
    result.next_sched_tag = word(layout.comm_next_sched_tag, -1);
    result.next = pointer(layout.comm_next);
    result.local_comm = pointer(layout.comm_local_comm);
    result.local_group = pointer(layout.comm_local_group);
    result.remote_group = pointer(layout.comm_remote_group);
    if (layout.device == Device::Ch4) {
        result.table =
            layout.comm_dev < 0 ? 0 : address + static_cast<std::uint64_t>(layout.comm_dev);
        result.local_table = result.table;
    } else {
        result.table = pointer(device(layout.ch3_comm_vcrt));
        result.local_table = pointer(device(layout.ch3_comm_local_vcrt));
    }
    result.inter = layout.comm_kind < 0 ? result.context != result.recv_context
                                        : word(layout.comm_kind, 0) == kInter;
    take_name(result, bytes + layout.comm_name);
    result.internal = is_internal(result) || (word(layout.comm_attr, 0) & kSubcommunicator) != 0;
    return result;
}

bool is_plausible(const Communicator& communicator) {
    return communicator.remote_size >= 0 && communicator.remote_size <= kLargestGroup &&
           communicator.local_size > 0 && communicator.local_size <= kLargestGroup &&
           communicator.rank >= 0 && communicator.rank < communicator.local_size;
}

}  // namespace

std::uint64_t Communicator::unique_id() const {
    if (recorded_id != 0) return recorded_id;
    if (!inter) return std::uint64_t{context} + 1;
    const std::uint64_t low = std::min(context, recv_context);
    const std::uint64_t high = std::max(context, recv_context);
    // Above the 20 bits of any context id.
    return (high + 1) << 21 | (low + 1);
}

Status CommunicatorTable::add(const Target& target,
                              std::uint64_t address,
                              const unsigned char* bytes) {
    if (communicators_.size() >= kMostCommunicators) return Status::CorruptData;
    const Communicator communicator = decode(target, layout_, address, bytes);
    if (!is_plausible(communicator)) return Status::CorruptData;
    const auto index = static_cast<std::uint32_t>(communicators_.size());
    if (!by_address_.insert(address, index) || !communicators_.push(communicator)) {
        return Status::OutOfMemory;
    }
    return Status::Ok;
}

Status CommunicatorTable::add(const Target& target, std::uint64_t address, std::uint64_t& next) {
    if (by_address_.find(address) != kMissing) return Status::CorruptData;  // a loop
    Array<unsigned char> bytes;
    Status status = target.read(address, extent_, bytes);
    if (!ok(status)) return status;
    status = add(target, address, bytes.data());
    if (ok(status)) next = communicators_[communicators_.size() - 1].next;
    return status;
}

Status CommunicatorTable::walk_list(const Target& target, std::uint64_t head) {
    Status status = Status::Ok;
    for (std::uint64_t next = head; ok(status) && next != 0;)
        status = add(target, next, next);
    return status;
}

Status CommunicatorTable::walk_pools(const Target& target, const Symbols& symbols) {
    HandlePool pool;
    Status status = read_pool(target, layout_, symbols.comm_mem, pool);
    if (!ok(status)) return status;
    if (pool.object_bytes == 0) {
        // Before the first communicator is made only the static ones exist, and the pool
        // alone knows how large they are.
        std::int32_t bytes = 0;
        status = target.read_int(
            symbols.comm_mem + static_cast<std::uint64_t>(layout_.pool_object_size), bytes);
        if (!ok(status)) return status;
        pool.object_bytes = static_cast<std::uint32_t>(std::max(bytes, 0));
    }
    if (pool.object_bytes < extent_ || pool.object_bytes > (1U << 16)) return Status::CorruptData;
    if (symbols.comm_builtin != 0 && !pool.blocks.push({symbols.comm_builtin, kBuiltins})) {
        return Status::OutOfMemory;
    }
    Array<unsigned char> buffer;
    for (const PoolBlock& block : pool.blocks) {
        if (!ok(status)) break;
        status = for_each_object(target,
                                 block,
                                 pool.object_bytes,
                                 buffer,
                                 [&](std::uint64_t address, const unsigned char* bytes) {
                                     const auto handle = static_cast<std::uint32_t>(
                                         target.int_at(bytes + layout_.comm_handle));
                                     if (target.int_at(bytes + layout_.comm_ref_count) <= 0 ||
                                         !is_handle_of(handle, ObjectKind::Communicator)) {
                                         return Status::Ok;
                                     }
                                     // Being made: its fields are not set yet.
                                     if (!is_plausible(decode(target, layout_, address, bytes)))
                                         return Status::Ok;
                                     if (by_address_.find(address) != kMissing)
                                         return Status::CorruptData;
                                     return add(target, address, bytes);
                                 });
    }
    return status;
}

Status CommunicatorTable::add_local_communicators(const Target& target) {
    const std::size_t listed = communicators_.size();
    for (std::size_t i = 0; i < listed; ++i) {
        const std::uint64_t local = communicators_[i].local_comm;
        if (!communicators_[i].inter || local == 0 || by_address_.find(local) != kMissing) continue;
        std::uint64_t ignored = 0;
        const Status status = add(target, local, ignored);
        if (!ok(status)) return status;
        communicators_[communicators_.size() - 1].internal = true;
    }
    return Status::Ok;
}

Status CommunicatorTable::find_maps(const Target& target) {
    RankMaps::Embedding world;
    RankMaps::Embedding self;
    for (const Communicator& communicator : communicators_) {
        RankMaps::Embedding* known = nullptr;
        if (communicator.context == 0 && !communicator.inter) known = &world;
        if (communicator.context == kSelfContext && communicator.is_alone()) known = &self;
        if (known != nullptr) {
            *known = {communicator.table, communicator.remote_size, communicator.rank};
        }
    }
    return ranks_.find_embedded(target, world, self);
}

Status CommunicatorTable::map_ranks(const Target& target) {
    std::uint64_t world_table = 0;
    std::uint32_t world_map = RankMaps::kUnknown;
    const Status found = find_maps(target);
    if (!ok(found)) return found;
    for (Communicator& communicator : communicators_) {
        const std::uint64_t peers =
            communicator.inter ? communicator.remote_group : communicator.local_group;
        Status status =
            ranks_.map_of_group(target, peers, communicator.remote_size, communicator.peers);
        if (ok(status) && communicator.peers == RankMaps::kUnknown) {
            status = ranks_.map_of(target,
                                   communicator.table,
                                   communicator.remote_size,
                                   RankMaps::Side::Peers,
                                   communicator.peers);
        }
        if (!ok(status)) return status;
        if (communicator.peers == RankMaps::kUnknown && communicator.context == 0) {
            status = ranks_.identity(communicator.remote_size, communicator.peers);
            if (!ok(status)) return status;
        }
        if (communicator.context == 0) {
            world_table = communicator.table;
            world_map = communicator.peers;
        }
        // Who has the same table as MPI_COMM_WORLD has its first members.
        if (communicator.peers == RankMaps::kUnknown && communicator.table != 0 &&
            communicator.table == world_table) {
            communicator.peers = world_map;
        }
        communicator.group = communicator.peers;
        if (!communicator.inter) continue;
        status = ranks_.map_of_group(
            target, communicator.local_group, communicator.local_size, communicator.group);
        if (ok(status) && communicator.group == RankMaps::kUnknown) {
            status = ranks_.map_of(target,
                                   communicator.local_table,
                                   communicator.local_size,
                                   RankMaps::Side::Own,
                                   communicator.group);
        }
        if (!ok(status)) return status;
    }
    return Status::Ok;
}

void CommunicatorTable::sort() {
    std::sort(communicators_.begin(), communicators_.end(), comes_before);
}

Status CommunicatorTable::index() {
    for (std::size_t i = 0; i < communicators_.size(); ++i) {
        const Communicator& communicator = communicators_[i];
        const auto value = static_cast<std::uint32_t>(i);
        if (!by_address_.insert(communicator.address, value) ||
            !by_context_.insert(key_of(communicator.context, false), value) ||
            !by_context_.insert(key_of(communicator.recv_context, true), value)) {
            return Status::OutOfMemory;
        }
    }
    return Status::Ok;
}

Status CommunicatorTable::load(const Target& target, const Layout& layout, const Symbols& symbols) {
    layout_ = layout;
    extent_ = extent_of(layout);
    const auto at = [](std::uint64_t base, int offset) {
        return base + static_cast<std::uint64_t>(offset);
    };
    if (symbols.global_process != 0 && layout.global_mpich_state >= 0) {
        std::int32_t state = 0;
        const Status status =
            target.read_int(at(symbols.global_process, layout.global_mpich_state), state);
        if (!ok(status)) return status;
        if (state == 0) return Status::Ok;  // MPICH_MPI_STATE__UNINITIALIZED, also after the end
    }
    ranks_.open(target, layout, symbols);
    Status status = Status::MissingLayout;
    if (symbols.all_communicators != 0 && layout.comm_list_head >= 0 && layout.comm_next >= 0) {
        std::uint64_t head = 0;
        status = target.read_pointer(at(symbols.all_communicators, layout.comm_list_head), head);
        if (ok(status)) status = walk_list(target, head);
    } else if (symbols.comm_mem != 0 && layout.has_pools() && layout.comm_handle >= 0 &&
               layout.comm_ref_count >= 0) {
        status = walk_pools(target, symbols);
    }
    if (ok(status)) status = add_local_communicators(target);
    sort();
    for (const Status next : {map_ranks(target), index()}) {
        if (ok(status)) status = next;
    }
    return status;
}

Status CommunicatorTable::add_recorded(const Communicator& communicator,
                                       const Array<std::int32_t>& members,
                                       const Array<std::int32_t>& remote_members) {
    Communicator added = communicator;
    Status status = ranks_.add(members, added.group);
    added.peers = added.group;
    if (ok(status) && added.inter) status = ranks_.add(remote_members, added.peers);
    if (!ok(status)) return status;
    return communicators_.push(added) ? Status::Ok : Status::OutOfMemory;
}

/// Their list is newest first.
Status CommunicatorTable::finish_recorded() {
    std::reverse(communicators_.begin(), communicators_.end());
    // MPI_COMM_WORLD and MPI_COMM_SELF to the front. std::stable_partition would allocate.
    auto* front = communicators_.begin();
    for (auto* each = front; each != communicators_.end() && front - communicators_.begin() < 2;
         ++each) {
        if (order_of(*each) < 2) std::rotate(front++, each, each + 1);
    }
    for (std::size_t i = 0; i < communicators_.size(); ++i) {
        if (!by_address_.insert(communicators_[i].address, static_cast<std::uint32_t>(i)))
            return Status::OutOfMemory;
    }
    return Status::Ok;
}

void CommunicatorTable::rename(std::uint32_t index, const char* name) {
    Communicator& communicator = communicators_[index];
    if (communicator.named) return;
    TextWriter(communicator.name, sizeof communicator.name).append(name);
}

std::int32_t CommunicatorTable::own_rank() const {
    for (const Communicator& communicator : communicators_) {
        if (communicator.recorded_id != 0 && communicator.handle != mpich::kCommWorld) continue;
        if (communicator.context == 0 && !communicator.inter) return communicator.rank;
    }
    return -1;
}

std::uint32_t CommunicatorTable::sending(std::uint32_t context) const {
    return by_context_.find(key_of(context & ~1U, false));
}

std::uint32_t CommunicatorTable::sending(std::uint32_t context, std::int32_t process) const {
    std::size_t with_context = 0;
    std::size_t with_process = 0;
    std::uint32_t found = kMissing;
    for (std::size_t i = 0; i < communicators_.size(); ++i) {
        if (communicators_[i].context != (context & ~1U)) continue;
        ++with_context;
        if (ranks_.rank_of(communicators_[i].peers, process) < 0) continue;
        ++with_process;
        found = static_cast<std::uint32_t>(i);
    }
    if (with_context == 1) return sending(context);
    return with_process == 1 ? found : kMissing;
}

std::uint32_t CommunicatorTable::receiving(std::uint32_t context) const {
    return by_context_.find(key_of(context & ~1U, true));
}

std::uint32_t CommunicatorTable::parent(std::uint32_t index) const {
    const Communicator& communicator = communicators_[index];
    if (!communicator.internal) return index;
    // They derive their id from the one to receive with, which only their parent has here.
    const std::uint32_t base = communicator.context & ~kDerivedBits;
    const std::uint32_t result = by_context_.find(key_of(base, true));
    return result == kMissing || communicators_[result].internal ? kMissing : result;
}

std::int32_t read_world_rank(const Target& target, const Layout& layout, const Symbols& symbols) {
    const auto read = [&](std::uint64_t base, int offset, std::int32_t& value) {
        return base != 0 && offset >= 0 &&
               ok(target.read_int(base + static_cast<std::uint64_t>(offset), value));
    };
    std::int32_t value = 0;
    if (read(symbols.global_process, layout.global_mpich_state, value) && value == 0) {
        return MQS_INVALID_PROCESS;
    }
    // MPI_COMM_WORLD is the first of the static ones, if the static ones are set up.
    const bool has_world = read(symbols.comm_builtin, layout.comm_handle, value) &&
                           static_cast<std::uint32_t>(value) == mpich::kCommWorld &&
                           read(symbols.comm_builtin, layout.comm_rank, value);
    if (!has_world && !read(symbols.global_process, layout.global_rank, value)) {
        return MQS_INVALID_PROCESS;
    }
    return value >= 0 && value < kLargestGroup ? value : MQS_INVALID_PROCESS;
}

}  // namespace mqinspect::dll
