#include "tracer/handles/communicators.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>

#include "model/record_format.h"

#include "tracer/handles/handle_map.h"
#include "tracer/handles/topology.h"
#include "tracer/pending.h"
#include "tracer/pmpi.h"
#include "tracer/recorder.h"

namespace mqinspect::tracer {

constinit Handles<CommunicatorInfo> communicators;

namespace {

Handles<GroupInfo> groups;
SpinLock lock;
Arena arena;
std::atomic<std::int64_t> next_id{0};
MPI_Group world_group = MPI_GROUP_NULL;

/// Two arrays of a group's size, for translations.
class Ranks {
public:
    explicit Ranks(int count)
        : memory_(2 * static_cast<std::size_t>(std::max(count, 1)) * sizeof(int)) {}

    /// World ranks of the members; null: cannot be told.
    const int* of(MPI_Group group, int count) {
        if (memory_.place() == nullptr || world_group == MPI_GROUP_NULL) return nullptr;
        int* const from = static_cast<int*>(memory_.place());
        int* const to = from + count;
        for (int i = 0; i < count; ++i)
            from[i] = i;
        if (count != 0 &&
            pmpi.Group_translate_ranks(group, count, from, world_group, to) != MPI_SUCCESS)
            return nullptr;
        return to;
    }

private:
    Temporary memory_;
};

/// Of another world, which this process cannot name: the first of them is -1, and so on.
std::int64_t world_rank(int translated, std::int64_t& strangers) {
    return translated == MPI_UNDEFINED ? -1 - strangers++ : translated;
}

/// Calls `triplet(first, last, step)` for runs of ranks with equal distances.
template <class Function>
void for_each_triplet(const int* ranks, int count, std::int64_t strangers, Function triplet) {
    std::int64_t next = count == 0 ? 0 : world_rank(ranks[0], strangers);
    for (int i = 0; i < count;) {
        const std::int64_t first = next;
        std::int64_t last = first;
        std::int64_t step = 1;
        int length = 1;
        for (++i; i < count; ++i, ++length) {
            next = world_rank(ranks[i], strangers);
            if (length == 1) step = next - first;
            if (step == 0 || next - last != step) break;
            last = next;
        }
        triplet(first, last, length == 1 ? 1 : step);
    }
}

std::int64_t put_members(Definition& definition,
                         const int* ranks,
                         int count,
                         std::int64_t strangers) {
    std::size_t triplets = 0;
    for_each_triplet(ranks, count, strangers, [&](auto, auto, auto) { ++triplets; });
    definition.length(triplets);
    for_each_triplet(ranks, count, strangers, [&](auto first, auto last, auto step) {
        definition.number(first).number(last).number(step);
    });
    return strangers + std::count(ranks, ranks + count, MPI_UNDEFINED);
}

struct Origin {
    const char* constructor;
    std::int64_t parent;
    std::int64_t ordinal;
    std::int64_t tag;
    /// Equal in all processes that call the constructor together.
    std::uint64_t key = 0;
};

constexpr std::uint64_t kFactor = 0x9e37'79b9'7f4a'7c15ULL;

std::uint64_t hash_of(const char* text) {
    std::uint64_t hash = kFactor;
    for (; *text != '\0'; ++text)
        hash = mix(hash ^ static_cast<std::uint8_t>(*text), kFactor);
    return hash;
}

/// A group for debuggers; adds it to `hash`.
void show_group(const int* ranks,
                int count,
                std::int64_t strangers,
                std::uint64_t& address,
                std::uint32_t& ranges,
                std::uint64_t& hash) {
    std::size_t triplets = 0;
    for_each_triplet(ranks, count, strangers, [&](auto, auto, auto) { ++triplets; });
    auto* shown = [triplets] {
        const Locked locked(lock);
        return arena.take_array<pending::Ranks>(triplets);
    }();
    if (shown == nullptr) return;
    std::uint64_t own = static_cast<std::uint64_t>(count);
    std::size_t next = 0;
    for_each_triplet(ranks, count, strangers, [&](auto first, auto last, auto step) {
        shown[next++] = {static_cast<std::int32_t>(first),
                         static_cast<std::int32_t>(last),
                         static_cast<std::int32_t>(step)};
        own = mix(own ^ static_cast<std::uint64_t>(first), kFactor);
        own = mix(own ^ static_cast<std::uint64_t>(last), kFactor + 2);
        own = mix(own ^ static_cast<std::uint64_t>(step), kFactor + 4);
    });
    address = reinterpret_cast<std::uint64_t>(shown);
    ranges = static_cast<std::uint32_t>(triplets);
    // The two groups of an intercommunicator: each process calls the other one remote.
    hash += own;
}

/// A group with the world ranks of its members.
struct Members {
    MPI_Group group = MPI_GROUP_NULL;
    int count = 0;

    explicit Members(MPI_Comm communicator, bool remote) {
        if (remote) {
            pmpi.Comm_remote_group(communicator, &group);
        } else {
            pmpi.Comm_group(communicator, &group);
        }
        pmpi.Group_size(group, &count);
    }
    ~Members() { pmpi.Group_free(&group); }
    Members(const Members&) = delete;
    Members& operator=(const Members&) = delete;
};

void put_definition(CommunicatorInfo& info,
                    const Origin& origin,
                    MPI_Comm asked,
                    const Topology& topology) {
    const Members local(asked, false);
    Ranks local_ranks(local.count);
    const int* members = local_ranks.of(local.group, local.count);
    std::uint64_t groups_hash = 0;
    const int known = members == nullptr ? 0 : local.count;
    show_group(members, known, 0, info.shown.members, info.shown.member_ranges, groups_hash);
    Definition definition(recorder.definitions(), model::DefinitionKind::Communicator);
    definition.number(info.id)
        .number(origin.parent)
        .text(origin.constructor)
        .number(origin.ordinal)
        .number(origin.tag)
        .number(info.rank);
    std::int64_t strangers = put_members(definition, members, known, 0);
    if (info.inter) {
        const Members remote(asked, true);
        Ranks remote_ranks(remote.count);
        const int* others = remote_ranks.of(remote.group, remote.count);
        const int known_others = others == nullptr ? 0 : remote.count;
        show_group(others,
                   known_others,
                   strangers,
                   info.shown.remote_members,
                   info.shown.remote_ranges,
                   groups_hash);
        strangers = put_members(definition, others, known_others, strangers);
    } else {
        definition.length(0);
    }
    definition.length(static_cast<std::size_t>(2 * strangers));
    for (std::int64_t i = 0; i < strangers; ++i)
        definition.number(0).number(i);
    definition.text(topology.name)
        .list(topology.source_ranks, static_cast<std::size_t>(topology.sources))
        .list(topology.destination_ranks, static_cast<std::size_t>(topology.destinations));
    std::uint64_t id = mix(hash_of(origin.constructor) ^ origin.key, groups_hash | 1U);
    id = mix(id ^ static_cast<std::uint64_t>(origin.ordinal), kFactor);
    id = mix(id ^ static_cast<std::uint64_t>(origin.tag), kFactor);
    info.shown.id = (id >> 2U) | 1U;
}

std::uint64_t address_of(const CommunicatorInfo* info) {
    return info == nullptr ? 0 : reinterpret_cast<std::uint64_t>(&info->shown);
}

CommunicatorInfo* newest = nullptr;

/// Puts it in front of the list that debuggers see.
void show(CommunicatorInfo& info, MPI_Comm communicator, const char* name) {
    info.shown.handle = handle_bits(communicator);
    info.shown.rank = info.rank;
    info.shown.size = info.size;
    info.shown.remote_size = info.inter ? info.peers : 0;
    std::strncpy(info.shown.name, name, sizeof info.shown.name - 1);
    const Locked locked(lock);
    info.shown.next = address_of(newest);
    info.older = newest;
    if (newest != nullptr) newest->newer = &info;
    newest = &info;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    mqi_pending.communicators = address_of(&info);
}

void hide(CommunicatorInfo& info) {
    const Locked locked(lock);
    if (info.older != nullptr) info.older->newer = info.newer;
    if (info.newer != nullptr) {
        info.newer->older = info.older;
        info.newer->shown.next = info.shown.next;
    } else if (newest == &info) {
        newest = info.older;
        mqi_pending.communicators = info.shown.next;
    }
}

/// More peers than anybody counts messages of.
constexpr int kMostPeers = 1 << 20;

constexpr const char* predefined_name(const char* constructor) {
    const std::string_view name(constructor);
    return name == "MPI_COMM_WORLD" || name == "MPI_COMM_SELF" ? constructor : "";
}

/// `asked`: the communicator to ask for its members, the same or its original.
void define(const Origin& origin, MPI_Comm communicator, MPI_Comm asked) {
    auto* info = [] {
        const Locked locked(lock);
        return arena.make<CommunicatorInfo>();
    }();
    if (info == nullptr) return;
    info->id = next_id.fetch_add(1);
    int inter = 0;
    pmpi.Comm_test_inter(asked, &inter);
    pmpi.Comm_rank(asked, &info->rank);
    pmpi.Comm_size(asked, &info->size);
    info->inter = inter != 0;
    info->peers = info->size;
    if (info->inter) pmpi.Comm_remote_size(asked, &info->peers);
    Topology topology;
    if (!info->inter) {
        const Locked locked(lock);
        topology = topology_of(asked, info->rank, arena);
    }
    info->dimensions = topology.dimensions;
    info->sources = topology.sources;
    info->destinations = topology.destinations;
    put_definition(*info, origin, asked, topology);
    show(*info, communicator, predefined_name(origin.constructor));
    communicators.put(handle_bits(communicator), info);
}

/// The next number among the constructors called on the parent.
Origin origin_of(const char* constructor, MPI_Comm parent, std::int64_t tag) {
    CommunicatorInfo* info = communicator_info(parent);
    if (info == nullptr) return {constructor, model::kNullHandle, 0, tag};
    return {constructor, info->id, info->constructors.fetch_add(1), tag, info->shown.id};
}

/// How many constructors with this key there were before.
std::int64_t count_of(std::uint64_t key) {
    struct Count {
        std::int64_t value = 0;
    };
    static Handles<Count> counts;
    const Locked locked(lock);
    Count* count = counts.find(key);
    if (count == nullptr) {
        count = arena.make<Count>();
        if (count == nullptr) return 0;
        counts.put(key, count);
    }
    return count->value++;
}

void add_to_hash(std::uint64_t& hash, MPI_Comm communicator, bool remote) {
    const Members members(communicator, remote);
    Ranks ranks(members.count);
    const int* world_ranks = ranks.of(members.group, members.count);
    // Without the size rank 0 at the beginning would leave no trace in the hash.
    hash = (hash ^ static_cast<std::uint32_t>(members.count + 1)) * 0x9e37'79b9'7f4a'7c15ULL;
    for (int i = 0; world_ranks != nullptr && i < members.count; ++i)
        hash = (hash ^ static_cast<std::uint32_t>(world_ranks[i])) * 0x9e37'79b9'7f4a'7c15ULL;
}

/// Of a constructor that only the members of the new communicator call: numbered among those with
/// the same members and tag.
Origin origin_among_members(const char* constructor,
                            MPI_Comm parent,
                            MPI_Comm created,
                            std::int64_t tag) {
    const CommunicatorInfo* info = communicator_info(parent);
    auto hash = static_cast<std::uint64_t>(tag);
    int inter = 0;
    pmpi.Comm_test_inter(created, &inter);
    add_to_hash(hash, created, false);
    if (inter != 0) add_to_hash(hash, created, true);
    return {constructor, info == nullptr ? model::kNullHandle : info->id, count_of(hash), tag};
}

bool only_members_call(const char* constructor) {
    constexpr std::string_view constructors[] = {"MPI_Comm_create_group",
                                                 "MPI_Comm_create_from_group",
                                                 "MPI_Intercomm_create",
                                                 "MPI_Intercomm_create_from_groups"};
    return std::find(std::begin(constructors), std::end(constructors), constructor) !=
           std::end(constructors);
}

}  // namespace

std::int64_t communicator_id(MPI_Comm communicator) {
    if (communicator == MPI_COMM_NULL) return model::kNullHandle;
    const CommunicatorInfo* info = communicator_info(communicator);
    return info == nullptr ? model::kInvalidHandle : info->id;
}

void define_world_communicators() {
    pmpi.Comm_group(MPI_COMM_WORLD, &world_group);
    const std::uint64_t world = recorder.world_key();
    define({"MPI_COMM_WORLD", model::kNullHandle, 0, 0, world}, MPI_COMM_WORLD, MPI_COMM_WORLD);
    define({"MPI_COMM_SELF", model::kNullHandle, 0, 0, world}, MPI_COMM_SELF, MPI_COMM_SELF);
    group_created(MPI_GROUP_EMPTY);
    // So that it is known who has spawned this world, also where the program does not ask.
    MPI_Comm parent = MPI_COMM_NULL;
    pmpi.Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) communicator_created("MPI_Comm_get_parent", MPI_COMM_NULL, parent);
}

void define_world_group(MPI_Group group) {
    if (world_group != MPI_GROUP_NULL) pmpi.Group_free(&world_group);
    world_group = group;
    if (group != MPI_GROUP_NULL && group_info(MPI_GROUP_EMPTY) == nullptr)
        group_created(MPI_GROUP_EMPTY);
}

void communicator_created(const char* constructor,
                          MPI_Comm parent,
                          MPI_Comm created,
                          std::int64_t tag) {
    if (only_members_call(constructor)) {
        if (created != MPI_COMM_NULL)
            define(origin_among_members(constructor, parent, created, tag), created, created);
        return;
    }
    const Origin origin = origin_of(constructor, parent, tag);
    if (created == MPI_COMM_NULL) return;
    // MPI_Comm_get_parent gives the same one each time.
    if (std::strcmp(constructor, "MPI_Comm_get_parent") == 0 && communicator_info(created)) return;
    define(origin, created, created);
}

void communicator_duplicated(const char* constructor, MPI_Comm parent, MPI_Comm created) {
    define(origin_of(constructor, parent, 0), created, parent);
}

void communicator_freed(MPI_Comm communicator) {
    CommunicatorInfo* info = communicator_info(communicator);
    if (info == nullptr) return;
    const std::int64_t id = info->id;
    hide(*info);
    communicators.remove(handle_bits(communicator));
    Definition(recorder.definitions(), model::DefinitionKind::Freed)
        .number(static_cast<std::int64_t>(model::DefinitionKind::Communicator))
        .number(id);
}

pending::MessageCounts* first_counts_of(CommunicatorInfo& info, int peer) {
    const Locked locked(lock);
    if (info.counts == nullptr && info.peers <= kMostPeers) {
        info.counts =
            arena.take_array<pending::MessageCounts>(static_cast<std::size_t>(info.peers));
    }
    info.shown.counts = reinterpret_cast<std::uint64_t>(info.counts);
    if (info.counts != nullptr) return info.counts + peer;
    info.shown.uncounted = 1;
    return nullptr;
}

void count_sent_back(CommunicatorInfo& communicator, int destination, int tag) {
    pending::MessageCounts* counts = counts_of(communicator, destination);
    if (counts == nullptr) return;
    change_sums([=](auto add) {
        add(counts->sent, UINT64_MAX);
        add(counts->sent_tags, 0 - static_cast<std::uint64_t>(tag));
        add(counts->sent_hashes, 0 - pending::hash_of_tag(tag));
    });
}

GroupInfo* group_info(MPI_Group group) {
    return groups.find(handle_bits(group));
}

void group_created(MPI_Group group) {
    if (group == MPI_GROUP_NULL) return;
    GroupInfo* known = group_info(group);
    // The same handle may be given out several times, and has to be given back as often.
    if (known != nullptr && known->handles.fetch_add(1) > 0) return;
    int count = 0;
    pmpi.Group_size(group, &count);
    Ranks ranks(count);
    const int* members = ranks.of(group, count);
    const Locked locked(lock);
    auto* info = arena.make<GroupInfo>();
    if (info == nullptr) return;
    const auto length = static_cast<std::size_t>(members == nullptr ? 0 : count);
    info->members.elements = arena.take_array<std::int64_t>(length);
    if (info->members.elements == nullptr) return;
    info->members.length = length;
    for (std::size_t i = 0; i < length; ++i)
        info->members.elements[i] = members[i] == MPI_UNDEFINED ? -1 : members[i];
    info->handles.store(1);
    groups.put(handle_bits(group), info);
}

void group_freed(MPI_Group group) {
    GroupInfo* info = group_info(group);
    if (info != nullptr && info->handles.fetch_sub(1) == 1) groups.remove(handle_bits(group));
}

}  // namespace mqinspect::tracer
