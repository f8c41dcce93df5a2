#include "trace_io/worlds.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

namespace mqinspect::trace_io {
namespace {

// More ranks than that are taken for damage where their files are not there.
constexpr std::int64_t kMostMissing = 1 << 16;

struct World {
    std::uint64_t key = 0;
    std::uint64_t start_ns = UINT64_MAX;
    std::int64_t size = 0;
    std::map<std::int64_t, std::size_t> by_rank;  ///< subscript of the process
    std::set<std::uint64_t> knows;                ///< keys of worlds
    std::uint64_t job = 0;                        ///< 0: not told
};

void add(World& world,
         const std::vector<ProcessFiles>& processes,
         std::size_t at,
         std::vector<std::string>& problems) {
    const ProcessFiles& process = processes[at];
    const WorldDefinition& definition = *process.definitions.world;
    const auto [place, is_new] = world.by_rank.emplace(definition.rank, at);
    if (!is_new) {
        problems.push_back(fmt::format("{}: is rank {} as {} is; one of them was left out",
                                       process.name,
                                       definition.rank,
                                       processes[place->second].name));
        return;
    }
    world.key = definition.key;
    world.start_ns = std::min(world.start_ns, process.start_ns);
    world.size = std::max(world.size, definition.size);
    world.job = process.definitions.job;
    for (const auto& communicator : process.definitions.communicators) {
        if (!communicator) continue;
        for (std::size_t i = 0; i + 1 < communicator->foreign.size(); i += 2)
            world.knows.insert(communicator->foreign[i]);
    }
}

std::vector<World> find_worlds(const std::vector<ProcessFiles>& processes,
                               std::vector<std::string>& problems) {
    std::map<std::uint64_t, World> worlds;
    for (std::size_t at = 0; at < processes.size(); ++at) {
        const ProcessFiles& process = processes[at];
        if (!process.definitions.world) {
            problems.push_back(
                fmt::format("{}: ended before MPI_Init or MPI_Session_init had returned, or its "
                            "definitions are lost; its rank is "
                            "unknown and it was left out",
                            process.name));
            continue;
        }
        add(worlds[process.definitions.world->key], processes, at, problems);
    }
    std::vector<World> ordered;
    ordered.reserve(worlds.size());
    for (auto& [key, world] : worlds)
        ordered.push_back(std::move(world));
    std::ranges::stable_sort(ordered, {}, &World::start_ns);
    return ordered;
}

// Nobody knows its rank: in the order of their starts.
Result<std::vector<Place>> arrange_unknown(const std::vector<ProcessFiles>& processes,
                                           std::string_view folder,
                                           std::vector<std::string>& problems) {
    if (processes.empty()) {
        return Error{ErrorCode::CorruptData, fmt::format("{}: there is no process in it", folder)};
    }
    problems.push_back(
        fmt::format("{}: no process in it has come through MPI_Init or MPI_Session_init; "
                    "their ranks are not known, and counted in the order of their starts",
                    folder));
    std::vector<Place> places(processes.size());
    for (std::size_t at = 0; at < places.size(); ++at)
        places[at].files = at;
    std::ranges::stable_sort(
        places, {}, [&](const Place& place) { return processes[*place.files].start_ns; });
    for (std::size_t at = 0; at < places.size(); ++at) {
        places[at].rank = static_cast<std::int32_t>(at);
        places[at].world_size = static_cast<std::int32_t>(places.size());
    }
    return places;
}

// The worlds that have told of each other, directly or through others, with the last one, and those
// of the same launcher.
std::vector<World> newest_run(std::vector<World> worlds) {
    std::set<std::uint64_t> wanted{worlds.back().key};
    for (std::size_t before = 0; before != wanted.size();) {
        before = wanted.size();
        for (const World& world : worlds) {
            const bool knows = std::ranges::any_of(
                world.knows, [&](std::uint64_t key) { return wanted.contains(key); });
            const bool same_job = std::ranges::any_of(worlds, [&](const World& other) {
                return world.job != 0 && other.job == world.job && wanted.contains(other.key);
            });
            if (knows || same_job) wanted.insert(world.key);
            if (wanted.contains(world.key)) wanted.insert(world.knows.begin(), world.knows.end());
        }
    }
    std::erase_if(worlds, [&](const World& world) { return !wanted.contains(world.key); });
    return worlds;
}

void append(const World& world,
            int number,
            std::vector<Place>& places,
            std::vector<std::string>& problems) {
    const auto first = static_cast<std::int32_t>(places.size());
    std::int64_t size = world.size;
    const auto known = static_cast<std::int64_t>(world.by_rank.size());
    if (size - known > kMostMissing) {
        problems.push_back(fmt::format(
            "a world of {} ranks of which {} are recorded: the number is taken for damage",
            size,
            known));
        size = std::min(world.by_rank.rbegin()->first + 1, known + kMostMissing);
    }
    std::vector<std::int64_t> missing;
    for (std::int64_t rank = 0; rank < size; ++rank) {
        Place place;
        place.world = number;
        place.rank = static_cast<std::int32_t>(rank);
        place.first_of_world = first;
        place.world_size = static_cast<std::int32_t>(size);
        place.world_key = world.key;
        const auto found = world.by_rank.find(rank);
        if (found != world.by_rank.end()) {
            place.files = found->second;
        } else {
            missing.push_back(rank);
        }
        places.push_back(place);
    }
    if (missing.empty()) return;
    problems.push_back(
        fmt::format("{} of {} ranks have no record, the first of them rank {}; what "
                    "they did is unknown",
                    missing.size(),
                    size,
                    missing.front()));
}

}  // namespace

Result<std::vector<Place>> arrange(const std::vector<ProcessFiles>& processes,
                                   std::string_view folder,
                                   std::vector<std::string>& problems) {
    const std::size_t before = problems.size();
    std::vector<World> worlds = find_worlds(processes, problems);
    if (worlds.empty()) {
        problems.resize(before);
        return arrange_unknown(processes, folder, problems);
    }
    const std::size_t all = worlds.size();
    worlds = newest_run(std::move(worlds));
    if (worlds.size() != all) {
        problems.push_back(fmt::format(
            "{}: holds several runs; only the newest is looked at; record each in a folder of its "
            "own",
            folder));
    }
    std::vector<Place> places;
    for (std::size_t number = 0; number < worlds.size(); ++number)
        append(worlds[number], static_cast<int>(number), places, problems);
    return places;
}

}  // namespace mqinspect::trace_io
