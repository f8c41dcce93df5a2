#include "inspector/job/job.h"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "inspector/job/job_builder.h"
#include "inspector/job/launcher.h"
#include "inspector/job/process_table.h"
#include "inspector/job/world.h"
#include "inspector/target/process_status.h"

namespace mqinspect::job {

namespace {

/// Processes below a wrapper whose symbols are looked at: a launcher is close to it.
constexpr std::size_t kMaxTried = 16;

/// One search over one reading of /proc.
class Discovery {
public:
    explicit Discovery(target::ImageStore& images)
        : table_(ProcessTable::read()), images_(images) {}

    Result<Job> from_one(pid_t pid);
    /// Pids of one job, or of several.
    Result<Job> from_several(std::span<const pid_t> pids);

private:
    Result<Done> check_access(pid_t pid) const;
    Result<Job> from_ended(pid_t pid);
    Result<Job> from_launcher(std::optional<Launcher> launcher);
    Result<Job> from_member(pid_t pid);
    struct Given {
        pid_t pid = 0;
        std::optional<RankEnvironment> environment;
    };
    Result<Job> from_ranks(std::span<const pid_t> pids);
    Result<std::vector<Given>> check_ranks(std::span<const pid_t> pids) const;
    Job from_ranks_of_world(std::span<const Given> given, const std::optional<Launcher>& launcher);
    /// Equal for pids of one job: the pid of its launcher, 0 if it has none, and minus the
    /// pid for what is neither a launcher nor a rank.
    pid_t job_key(pid_t pid) const;
    /// The launcher that a shell or time(1) runs; empty: none.
    Result<std::optional<Launcher>> launcher_of_wrapper(pid_t pid);
    std::vector<pid_t> kin_of(pid_t pid, const RankEnvironment& environment) const;
    std::vector<pid_t> children_of_starter(pid_t pid, const RankEnvironment& environment) const;
    bool is_listed(const Launcher& launcher, pid_t pid) const;
    std::string describe(pid_t pid) const;

    ProcessTable table_;
    target::ImageStore& images_;
};

/// The world that a launcher started itself: the largest that was not spawned.
const World* main_world(const std::vector<World>& worlds) {
    const World* result = nullptr;
    for (const World& world : worlds) {
        if (world.spawned) continue;
        if (result == nullptr || world.ranks.size() > result->ranks.size()) result = &world;
    }
    return result;
}

std::string Discovery::describe(pid_t pid) const {
    const auto* entry = table_.find(pid);
    return entry == nullptr ? fmt::format("process {}", pid)
                            : fmt::format("process {} ({})", pid, entry->name);
}

Result<Done> Discovery::check_access(pid_t pid) const {
    if (table_.find(pid) == nullptr) return target::exited_error(pid);
    const auto status = TRY(target::read_process_status(pid));
    if (geteuid() != 0 && status.uid != geteuid()) return target::denied_error(pid);
    return Done{};
}

bool Discovery::is_listed(const Launcher& launcher, pid_t pid) const {
    return std::ranges::any_of(launcher.proctable, [&](const ProctableEntry& entry) {
        return entry.pid == pid || (entry.pid > 0 && table_.is_descendant(pid, entry.pid));
    });
}

Result<Job> Discovery::from_launcher(std::optional<Launcher> launcher) {
    const auto worlds = find_worlds(table_, processes_of(table_, launcher->pid));
    const World* own = main_world(worlds);
    JobBuilder builder(table_, images_, launcher);
    std::vector<const World*> spawned;
    for (const World& world : worlds) {
        if (world.spawned) spawned.push_back(&world);
    }
    // Those that have spawned them may have ended.
    if (launcher->proctable.empty() && own == nullptr && !spawned.empty()) {
        own = spawned.front();
        spawned.erase(spawned.begin());
    }
    if (launcher->proctable.empty() && own == nullptr) {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("{} runs no MPI process on this host, or has not started it yet; "
                                 "name the pid of a rank",
                                 describe(launcher->pid))};
    }
    Job job = launcher->proctable.empty() ? builder.from_world(*own) : builder.from_proctable(own);
    for (const World* world : spawned)
        append(job, builder.from_world(*world));
    if (own != nullptr) spawned.push_back(own);
    builder.note_other_worlds(worlds, spawned, job);
    return job;
}

Result<Job> Discovery::from_ended(pid_t pid) {
    auto launcher = launcher_above(table_, pid, images_);
    if (!launcher) return target::exited_error(pid);
    auto job = from_launcher(std::move(launcher));
    return job ? std::move(job) : Result<Job>(target::exited_error(pid));
}

/// Without a launcher: the processes that the same parent started for ranks.
std::vector<pid_t> Discovery::children_of_starter(pid_t pid,
                                                  const RankEnvironment& environment) const {
    for (const pid_t ancestor : table_.ancestors(pid)) {
        const auto inherited = rank_environment_of(ancestor);
        if (inherited && inherited->rank == environment.rank) continue;
        if (ancestor != 1) return table_.descendants(ancestor);
        break;
    }
    // The launcher has died, and its ranks are children of the first process now.
    std::vector<pid_t> same_program;
    const std::string executable = executable_of(pid);
    for (const auto& [other, entry] : table_.entries()) {
        if (entry.ended() || executable_of(other) != executable) continue;
        const auto theirs = rank_environment_of(other);
        if (theirs && theirs->size == environment.size) same_program.push_back(other);
    }
    std::ranges::sort(same_program);
    return same_program;
}

std::vector<pid_t> Discovery::kin_of(pid_t pid, const RankEnvironment& environment) const {
    const pid_t own_proxy = proxy_of(table_, pid);
    if (own_proxy == 0) return children_of_starter(pid, environment);
    std::vector<pid_t> kin;
    for (const auto& [other, entry] : table_.entries()) {
        if (entry.name != table_.find(own_proxy)->name || entry.ended()) continue;
        const auto below = table_.descendants(other);
        kin.insert(kin.end(), below.begin(), below.end());
    }
    return kin;
}

Result<Job> Discovery::from_member(pid_t pid) {
    const auto launcher = launcher_above(table_, pid, images_);
    const auto environment = rank_environment_of(pid);
    if (!environment) {
        if (launcher && is_listed(*launcher, pid)) return from_launcher(launcher);
        return JobBuilder(table_, images_, std::nullopt).from_singleton(pid);
    }
    const auto worlds = find_worlds(
        table_, launcher ? processes_of(table_, launcher->pid) : kin_of(pid, *environment));
    const std::string key = world_key(table_, pid, *environment);
    const auto own = std::ranges::find(worlds, key, &World::key);
    if (own == worlds.end()) return target::exited_error(pid);
    if (launcher && (own->spawned || &*own == main_world(worlds))) return from_launcher(launcher);
    JobBuilder builder(table_, images_, launcher);
    Job job = builder.from_world(*own);
    const World* const shown = &*own;
    if (launcher) builder.note_other_worlds(worlds, std::span(&shown, 1), job);
    return job;
}

Result<std::optional<Launcher>> Discovery::launcher_of_wrapper(pid_t pid) {
    // Everything is below the first process, and it wraps nothing.
    if (pid == 1) return std::optional<Launcher>();
    const auto named = launchers_below(table_, pid);
    if (named.size() > 1) {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("{} runs {} launchers, pid {}; name one of them",
                                 describe(pid),
                                 named.size(),
                                 fmt::join(named, ", "))};
    }
    if (named.size() == 1) return as_launcher(named.front(), images_);
    // A launcher of another name has the symbols of one.
    const auto below = table_.descendants(pid);
    for (std::size_t i = 0; i < std::min(below.size(), kMaxTried); ++i) {
        if (rank_environment_of(below[i])) continue;
        if (auto launcher = as_launcher(below[i], images_)) return launcher;
    }
    return std::optional<Launcher>();
}

Result<Job> Discovery::from_one(pid_t pid) {
    TRY(check_access(pid));
    if (table_.find(pid)->ended()) return from_ended(pid);
    const auto environment = rank_environment_of(pid);
    if (!environment || is_launcher_by_name(pid)) {
        if (auto launcher = as_launcher(pid, images_)) return from_launcher(std::move(launcher));
    }
    if (is_mpi_process(pid, images_)) return from_member(pid);
    auto below = TRY(launcher_of_wrapper(pid));
    if (below) return from_launcher(std::move(below));
    // The shell around a rank, or a proxy between it and the launcher.
    if (environment) return from_member(pid);
    if (pid != 1) {
        const auto descendants = table_.descendants(pid);
        const pid_t rank = choose_mpi_process(table_, descendants, images_);
        if (rank != 0) return from_member(rank);
    }
    return Error{ErrorCode::InvalidArgument,
                 fmt::format("{} is neither a launcher (mpiexec) nor an MPI process; name the pid "
                             "of one of them",
                             describe(pid))};
}

Result<std::vector<Discovery::Given>> Discovery::check_ranks(std::span<const pid_t> pids) const {
    std::vector<Given> given;
    std::set<pid_t> seen;
    for (const pid_t pid : pids) {
        std::vector<pid_t> candidates;
        // The shell around a rank stands for it.
        if (rank_environment_of(pid)) candidates = table_.descendants(pid);
        candidates.insert(candidates.begin(), pid);
        const pid_t mpi = choose_mpi_process(table_, candidates, images_);
        const bool ended = table_.find(pid)->ended();
        if (mpi == 0 && !ended) {
            return Error{
                ErrorCode::InvalidArgument,
                fmt::format("{} is not an MPI process; name launchers, or ranks", describe(pid))};
        }
        given.push_back({ended ? pid : mpi, rank_environment_of(ended ? pid : mpi)});
        if (!seen.insert(given.back().pid).second) {
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("{} is named twice", describe(pid))};
        }
    }
    return given;
}

Job Discovery::from_ranks_of_world(std::span<const Given> given,
                                   const std::optional<Launcher>& launcher) {
    std::set<int> ranks;
    int size = 0;
    for (const Given& each : given) {
        if (!each.environment) continue;
        ranks.insert(each.environment->rank);
        size = std::max({size, each.environment->rank + 1, each.environment->size.value_or(0)});
    }
    // Ranks that are not told, or told twice, say nothing of the others either.
    const bool ranks_known = ranks.size() == given.size();
    World world;
    world.size = ranks_known ? size : static_cast<int>(given.size());
    world.local_size = 0;  // the others are not asked for, wherever they are
    for (std::size_t i = 0; i < given.size(); ++i) {
        const int rank = ranks_known ? given[i].environment->rank : static_cast<int>(i);
        world.ranks[rank] = {given[i].pid};
    }
    Job job = JobBuilder(table_, images_, launcher).from_world(world);
    for (auto& process : job.processes) {
        if (process.pid == 0) process.problem = "not among the processes that were named";
        const auto* entry = table_.find(process.pid);
        if (entry != nullptr && entry->ended()) {
            process.alive = false;
            process.problem = fmt::format("process {} has ended", process.pid);
        }
        if (process.pid != 0 && !ranks_known) {
            process.problem = "its rank is not known; taken in the order of the pids";
        }
    }
    return job;
}

/// Ranks of one job, which may be of several worlds.
Result<Job> Discovery::from_ranks(std::span<const pid_t> pids) {
    const std::vector<Given> given = TRY(check_ranks(pids));
    const auto launcher = launcher_above(table_, pids.front(), images_);
    std::map<std::pair<int, std::string>, std::vector<Given>> worlds;
    for (const Given& each : given) {
        const std::string key =
            each.environment ? world_key(table_, each.pid, *each.environment) : std::string();
        worlds[{world_group(table_, each.pid), key}].push_back(each);
    }
    std::optional<Job> job;
    for (const auto& [key, of_world] : worlds) {
        Job more = from_ranks_of_world(of_world, launcher);
        if (job) {
            append(*job, std::move(more));
        } else {
            job = std::move(more);
        }
    }
    return *std::move(job);
}

pid_t Discovery::job_key(pid_t pid) const {
    const auto environment = rank_environment_of(pid);
    if (!environment || is_launcher_by_name(pid)) {
        if (const auto launcher = as_launcher(pid, images_)) return launcher->pid;
    }
    if (const auto launcher = launcher_above(table_, pid, images_)) return launcher->pid;
    const bool is_rank = environment || table_.find(pid)->ended() || is_mpi_process(pid, images_);
    return is_rank ? 0 : -pid;
}

Result<Job> Discovery::from_several(std::span<const pid_t> pids) {
    struct Named {
        pid_t key = 0;
        std::vector<pid_t> pids;
    };
    std::vector<Named> jobs;
    for (const pid_t pid : pids) {
        TRY(check_access(pid));
        const pid_t key = job_key(pid);
        if (key < 0) {
            return Error{
                ErrorCode::InvalidArgument,
                fmt::format("{} is not an MPI process; name launchers, or ranks", describe(pid))};
        }
        auto place = std::ranges::find(jobs, key, &Named::key);
        if (place == jobs.end()) place = jobs.insert(jobs.end(), Named{key, {}});
        place->pids.push_back(pid);
    }
    std::optional<Job> job;
    for (const Named& named : jobs) {
        const bool launcher_and_more =
            named.pids.size() > 1 && std::ranges::find(named.pids, named.key) != named.pids.end();
        if (launcher_and_more) {
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("{} is named with its own ranks, or twice; name it alone, or "
                                     "ranks only",
                                     describe(named.key))};
        }
        Job more = TRY(named.pids.size() == 1 && jobs.size() > 1 ? from_one(named.pids.front())
                                                                 : from_ranks(named.pids));
        if (job) {
            append(*job, std::move(more));
        } else {
            job = std::move(more);
        }
    }
    return *std::move(job);
}

}  // namespace

Result<Job> find_job(std::span<const pid_t> pids, target::ImageStore& images) {
    if (pids.empty()) return Error{ErrorCode::InvalidArgument, "no pid was named"};
    Discovery discovery(images);
    return pids.size() == 1 ? discovery.from_one(pids.front()) : discovery.from_several(pids);
}

}  // namespace mqinspect::job
