#include "trace_io/spawns.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

namespace mqinspect::trace_io {
namespace {

using model::CommunicatorRecord;
using WorldKey = std::uint64_t;
// Sizes of groups are what the files say.
constexpr std::size_t kMostMembers = 1 << 20;

bool is_parent(const CommunicatorRecord& record) {
    return record.constructor == "MPI_Comm_get_parent";
}

// The constructors that keep the order of the strangers.
bool keeps_strangers(std::string_view constructor) {
    return constructor == "MPI_Intercomm_merge" || constructor.starts_with("MPI_Comm_dup") ||
           constructor.starts_with("MPI_Comm_idup");
}

bool is_unknown(const CommunicatorRecord& record) {
    for (std::size_t i = 0; i < record.foreign.size(); i += 2)
        if (record.foreign[i] != 0) return false;
    return !record.foreign.empty();
}

std::vector<std::int64_t> ranks_of(const std::vector<std::array<std::int64_t, 3>>& triplets) {
    std::vector<std::int64_t> ranks;
    for (const auto& [first, last, step] : triplets) {
        for (std::int64_t rank = first; ranks.size() < kMostMembers; rank += step) {
            ranks.push_back(rank);
            if (step == 0 || (step > 0 ? rank > last - step : rank < last - step)) break;
        }
    }
    return ranks;
}

/// A world that others have spawned, if its processes have told so.
struct Spawned {
    std::uint64_t job = 0;
    std::uint64_t start_ns = UINT64_MAX;
    std::size_t size = 0;
    std::size_t parents = 0;
    std::vector<CommunicatorRecord*> records;  ///< MPI_Comm_get_parent
};

/// A call of MPI_Comm_spawn, of all processes that made it together.
struct Spawn {
    WorldKey world = 0;
    std::uint64_t job = 0;
    std::uint64_t begin_ns = UINT64_MAX;
    std::uint64_t end_ns = UINT64_MAX;
    std::vector<std::int64_t> members;
    std::size_t children = 0;
    std::vector<CommunicatorRecord*> records;
    std::vector<WorldKey> candidates;
};

using Worlds = std::map<WorldKey, Spawned>;
/// World, members, ordinal of the constructor.
using SpawnKey = std::tuple<WorldKey, std::vector<std::int64_t>, std::int64_t>;
using Spawns = std::map<SpawnKey, Spawn>;

void add_records(ProcessFiles& process, Worlds& worlds, Spawns& spawns) {
    Definitions& definitions = process.definitions;
    if (!definitions.world || definitions.job == 0) return;
    const WorldKey key = definitions.world->key;
    Spawned& world = worlds[key];
    world.job = definitions.job;
    world.start_ns = std::min(world.start_ns, process.start_ns);
    world.size = static_cast<std::size_t>(definitions.world->size);
    for (auto& record : definitions.communicators) {
        if (!record || !is_parent(*record) || !is_unknown(*record)) continue;
        world.parents = record->foreign.size() / 2;
        world.records.push_back(&*record);
    }
    for (const SpawnDefinition& definition : definitions.spawns) {
        const auto id = static_cast<std::size_t>(definition.communicator);
        if (id >= definitions.communicators.size() || !definitions.communicators[id]) continue;
        CommunicatorRecord& record = *definitions.communicators[id];
        if (!is_unknown(record)) continue;
        std::vector<std::int64_t> members = ranks_of(record.members);
        Spawn& spawn = spawns[{key, members, record.ordinal}];
        spawn.world = key;
        spawn.job = definitions.job;
        // Nobody returns before the children are there; the first may come before the root.
        spawn.begin_ns = std::min(spawn.begin_ns, definition.begin_ns);
        spawn.end_ns = std::min(spawn.end_ns, definition.end_ns);
        spawn.members = std::move(members);
        spawn.children = record.foreign.size() / 2;
        spawn.records.push_back(&record);
    }
}

bool fits(const Spawn& spawn, WorldKey key, const Spawned& world) {
    return key != spawn.world && !world.records.empty() && world.job == spawn.job &&
           world.size == spawn.children && world.parents == spawn.members.size() &&
           world.start_ns >= spawn.begin_ns && world.start_ns <= spawn.end_ns;
}

void name_strangers(CommunicatorRecord& record,
                    WorldKey world,
                    const std::vector<std::int64_t>& ranks) {
    for (std::size_t i = 0; i < ranks.size() && 2 * i + 1 < record.foreign.size(); ++i) {
        record.foreign[2 * i] = world;
        record.foreign[2 * i + 1] = static_cast<std::uint64_t>(ranks[i]);
    }
}

void join(const Spawn& spawn, WorldKey key, const Spawned& world) {
    std::vector<std::int64_t> children(world.size);
    for (std::size_t i = 0; i < children.size(); ++i)
        children[i] = static_cast<std::int64_t>(i);
    for (CommunicatorRecord* record : spawn.records)
        name_strangers(*record, key, children);
    for (CommunicatorRecord* record : world.records)
        name_strangers(*record, spawn.world, spawn.members);
}

// Where only one world fits the spawn, and that fits no other.
void join_all(const std::vector<Spawn*>& spawns, const Worlds& worlds) {
    std::map<WorldKey, std::size_t> claims;
    for (Spawn* spawn : spawns) {
        for (const auto& [key, world] : worlds)
            if (fits(*spawn, key, world)) spawn->candidates.push_back(key);
        for (const WorldKey key : spawn->candidates)
            ++claims[key];
    }
    for (const Spawn* spawn : spawns) {
        if (spawn->candidates.size() != 1 || claims[spawn->candidates.front()] != 1) continue;
        join(*spawn, spawn->candidates.front(), worlds.at(spawn->candidates.front()));
    }
}

void hand_on(ById<CommunicatorRecord>& records) {
    for (auto& record : records) {
        if (!record || !is_unknown(*record) || !keeps_strangers(record->constructor)) continue;
        const auto parent = static_cast<std::size_t>(record->parent);
        if (parent >= records.size() || !records[parent]) continue;
        if (records[parent]->foreign.size() == record->foreign.size())
            record->foreign = records[parent]->foreign;
    }
}

}  // namespace

void name_spawned_worlds(std::vector<ProcessFiles>& processes) {
    Worlds worlds;
    Spawns spawns;
    for (ProcessFiles& process : processes)
        add_records(process, worlds, spawns);
    std::vector<Spawn*> all;
    for (auto& [key, spawn] : spawns)
        all.push_back(&spawn);
    join_all(all, worlds);
    for (ProcessFiles& process : processes)
        hand_on(process.definitions.communicators);
}

}  // namespace mqinspect::trace_io
