#include "inspector/job/core_job.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "inspector/job/rank_environment.h"
#include "inspector/target/core_file.h"

namespace mqinspect::job {

namespace {

using target::Address;
using target::CoreProcess;

/// A member of a variable of the MPI library, an int.
std::optional<int> member_of(const CoreProcess& process,
                             Address variable,
                             const target::TypeLayout& type,
                             std::string_view member) {
    const std::int64_t offset = type.offset_of(member);
    if (offset < 0) return std::nullopt;
    const auto value = target::read_value<std::int32_t>(
        *process.memory, variable + static_cast<std::uint64_t>(offset));
    const bool sound = value && *value >= 0 && *value <= kMaxWorldSize;
    return sound ? std::optional<int>(*value) : std::nullopt;
}

/// MPICH keeps its rank and the number of ranks in MPIR_Process, Open MPI the rank in
/// ompi_mpi_comm_world.
std::optional<RankEnvironment> rank_by_library(const CoreProcess& process) {
    RankEnvironment result;
    const auto read = [&](std::string_view variable,
                          std::string_view type_name,
                          std::string_view rank_member,
                          std::string_view size_member) {
        const auto address = process.view.find_symbol(variable);
        const auto* type = address ? process.view.find_type(type_name) : nullptr;
        if (type == nullptr) return false;
        const auto rank = member_of(process, *address, *type, rank_member);
        if (!rank) return false;
        result.rank = *rank;
        result.size = member_of(process, *address, *type, size_member);
        return true;
    };
    if (read("MPIR_Process", "MPIR_Process_t", "rank", "size") && result.size.value_or(0) > 0) {
        return result;
    }
    result = {};
    const bool found = read("ompi_mpi_comm_world", "ompi_communicator_t", "c_my_rank", "");
    return found ? std::optional(result) : std::nullopt;
}

struct Found {
    CoreProcess process;
    std::optional<RankEnvironment> place;  ///< empty: not known
};

/// The cores of one MPI_COMM_WORLD.
struct CoreWorld {
    std::string key;
    bool spawned = false;
    int size = 0;
    std::optional<std::size_t> size_told_by;  ///< subscript of the core that told the size
    std::map<int, std::size_t> core_of_rank;
};

Result<Found> open(const std::filesystem::path& path,
                   const std::filesystem::path& executable,
                   target::ImageStore& images) {
    Found found{TRY(target::open_core(path, executable, images)), {}};
    found.place = parse_rank_environment(found.process.core->environment());
    if (!found.place) found.place = rank_by_library(found.process);
    return found;
}

std::string unknown_rank(const CoreProcess& process) {
    const std::string& name = process.core->name();
    if (process.core->missing_bytes() > 0) {
        return fmt::format("which rank {} is of cannot be told: the file was cut", name);
    }
    return fmt::format(
        "which rank {} is of cannot be told: its environment names none, and no MPI "
        "library in it does",
        name);
}

/// The rank of a world of known size that is the only one without a core.
std::optional<int> only_missing_rank(const CoreWorld& world) {
    const auto known = static_cast<int>(world.core_of_rank.size());
    if (world.size != known + 1) return std::nullopt;
    int rank = 0;
    while (world.core_of_rank.contains(rank))
        ++rank;
    return rank;
}

/// What becomes of cores whose rank is not known: one may be that of the only rank
/// without a core; others are left out.
Result<std::vector<std::string>> place_unknown(std::vector<CoreWorld>& worlds,
                                               std::vector<Found>& found) {
    std::vector<std::size_t> unknown;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (!found[i].place) unknown.push_back(i);
    }
    if (unknown.empty()) return std::vector<std::string>{};
    if (worlds.empty()) {
        return Error{ErrorCode::InvalidArgument, unknown_rank(found[unknown.front()].process)};
    }
    if (unknown.size() == 1 && worlds.size() == 1) {
        if (const auto rank = only_missing_rank(worlds.front())) {
            CoreProcess& process = found[unknown.front()].process;
            worlds.front().core_of_rank.emplace(*rank, unknown.front());
            return std::vector{
                fmt::format("{}; it is taken for rank {}, the only one without a core",
                            unknown_rank(process),
                            *rank)};
        }
    }
    std::vector<std::string> problems;
    problems.reserve(unknown.size());
    for (const std::size_t i : unknown)
        problems.push_back(unknown_rank(found[i].process) + "; it is left out");
    return problems;
}

Result<Done> check_executable(const std::filesystem::path& executable, target::ImageStore& images) {
    if (target::CoreFile::open(executable)) {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("{} is a core file; name the executable before the cores",
                                 executable.native())};
    }
    TRY(images.file(executable));
    return Done{};
}

Result<Done> add(std::vector<CoreWorld>& worlds,
                 const std::vector<Found>& found,
                 std::size_t index) {
    if (!found[index].place) return Done{};
    const RankEnvironment& place = *found[index].place;
    const std::string& name = found[index].process.core->name();
    auto world = std::ranges::find(worlds, place.world, &CoreWorld::key);
    if (world == worlds.end()) {
        worlds.push_back({place.world, place.spawned, 0, {}, {}});
        world = std::prev(worlds.end());
    }
    const auto [entry, is_new] = world->core_of_rank.emplace(place.rank, index);
    if (!is_new) {
        const target::CoreFile& other = *found[entry->second].process.core;
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("{} and {} are both of rank {} (processes {} and {}); name the "
                                 "cores of one job",
                                 other.name(),
                                 name,
                                 place.rank,
                                 other.pid(),
                                 found[index].process.core->pid())};
    }
    if (place.size && world->size_told_by && *place.size != world->size) {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("{} is of a job of {} ranks and {} of one of {}; name the cores "
                                 "of one job",
                                 found[*world->size_told_by].process.core->name(),
                                 world->size,
                                 name,
                                 *place.size)};
    }
    if (place.size) {
        world->size = *place.size;
        world->size_told_by = index;
    }
    return Done{};
}

/// Each problem once, with the ranks that have it unless all do.
void add_problems(CoreJob& result) {
    std::map<std::string, std::vector<int>> ranks_of;
    int cores = 0;
    for (std::size_t i = 0; i < result.cores.size(); ++i) {
        if (!result.cores[i]) continue;
        ++cores;
        for (const std::string& problem : result.cores[i]->problems)
            ranks_of[problem].push_back(static_cast<int>(i));
    }
    for (const auto& [problem, ranks] : ranks_of) {
        result.job.problems.push_back(static_cast<int>(ranks.size()) == cores
                                          ? problem
                                          : fmt::format("{} {}: {}",
                                                        ranks.size() == 1 ? "rank" : "ranks",
                                                        fmt::join(ranks, ", "),
                                                        problem));
    }
}

CoreJob job_of(std::vector<CoreWorld> worlds, std::vector<Found> found) {
    // Those that the launcher started come first.
    std::ranges::stable_sort(worlds, {}, &CoreWorld::spawned);
    CoreJob result;
    for (const CoreWorld& world : worlds) {
        const int size = std::max(world.size, world.core_of_rank.rbegin()->first + 1);
        for (int rank = 0; rank < size; ++rank) {
            JobProcess process;
            process.rank = model::WorldRank(static_cast<int>(result.job.processes.size()));
            auto& core = result.cores.emplace_back();
            const auto entry = world.core_of_rank.find(rank);
            if (entry == world.core_of_rank.end()) {
                process.problem = "no core file of this rank was named";
            } else {
                core = std::move(found[entry->second].process);
                process.pid = core->core->pid();
                process.executable = core->program;
            }
            result.job.processes.push_back(std::move(process));
        }
        if (worlds.size() > 1) result.job.world_sizes.push_back(size);
    }
    add_problems(result);
    return result;
}

}  // namespace

Result<CoreJob> find_core_job(const std::filesystem::path& executable,
                              std::span<const std::filesystem::path> cores,
                              target::ImageStore& images) {
    TRY(check_executable(executable, images));
    std::vector<Found> found;
    std::vector<CoreWorld> worlds;
    for (const std::filesystem::path& path : cores) {
        found.push_back(TRY(open(path, executable, images)));
        TRY(add(worlds, found, found.size() - 1));
    }
    const bool ran = std::ranges::any_of(found, [](const Found& each) {
        return each.process.is_of_executable || each.process.program.empty();
    });
    if (!ran && !found.empty()) {
        const CoreProcess& first = found.front().process;
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("{} is not the program of {}: that is {}, with another build-id",
                                 executable.native(),
                                 first.core->name(),
                                 first.program)};
    }
    std::vector<std::string> problems = TRY(place_unknown(worlds, found));
    CoreJob result = job_of(std::move(worlds), std::move(found));
    result.job.problems.insert(result.job.problems.end(),
                               std::make_move_iterator(problems.begin()),
                               std::make_move_iterator(problems.end()));
    return result;
}

}  // namespace mqinspect::job
