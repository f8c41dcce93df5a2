#include "inspector/job/job_builder.h"

#include <unistd.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace mqinspect::job {

namespace {

/// Pids that one problem names.
constexpr std::size_t kMaxShown = 8;

void add_problem(JobProcess& process, std::string_view problem) {
    if (!process.problem.empty()) process.problem += "; ";
    process.problem += problem;
}

std::string_view first_label(std::string_view name) {
    return name.substr(0, name.find('.'));
}

std::vector<pid_t> with_descendants(const ProcessTable& table, pid_t pid) {
    const auto inner = launchers_below(table, pid);
    auto pids = table.descendants(pid, {inner.begin(), inner.end()});
    pids.insert(pids.begin(), pid);
    return pids;
}

}  // namespace

const std::string& this_host() {
    static const std::string name = [] {
        std::array<char, 256> buffer{};
        return gethostname(buffer.data(), buffer.size() - 1) == 0 ? std::string(buffer.data())
                                                                  : std::string("localhost");
    }();
    return name;
}

bool is_this_host(std::string_view name) {
    const std::string_view here = this_host();
    return name.empty() || name == here || name == "localhost" || name == "127.0.0.1" ||
           name == "::1" || first_label(name) == first_label(here);
}

Job JobBuilder::begin() const {
    Job job;
    if (launcher_) {
        job.launcher_pid = launcher_->pid;
        job.launcher_name = launcher_->name;
        if (!launcher_->problem.empty()) {
            job.problems.push_back(fmt::format(
                "the process table of {} cannot be read: {}", launcher_->name, launcher_->problem));
        }
    }
    return job;
}

pid_t JobBuilder::process_of_rank(const World* own, int rank) {
    if (own == nullptr) return 0;
    const auto found = own->ranks.find(rank);
    return found == own->ranks.end() ? 0 : choose_mpi_process(table_, found->second, images_);
}

/// The process of a rank that is known to be here, or the wrapper it was given.
void JobBuilder::settle(JobProcess& process, pid_t pid) {
    const pid_t mpi = choose_mpi_process(table_, with_descendants(table_, pid), images_);
    process.pid = mpi == 0 ? pid : mpi;
    if (mpi == 0) add_problem(process, fmt::format("process {} has no MPI library loaded", pid));
    std::string executable = executable_of(process.pid);
    if (!executable.empty()) process.executable = std::move(executable);
}

void JobBuilder::check_here(JobProcess& process, const ProctableEntry& entry) {
    const auto* here = table_.find(entry.pid);
    // The launcher's list may be younger than the table: the job has just been started.
    const bool is_new_here = here == nullptr && exists_now(entry.pid);
    process.alive = is_new_here || (here != nullptr && !here->ended());
    if (here == nullptr) {
        const auto* what = is_new_here ? "has only just started" : "is gone";
        add_problem(process, fmt::format("process {} {}", entry.pid, what));
        return;
    }
    if (here->ended()) {
        add_problem(process, fmt::format("process {} has ended", entry.pid));
        return;
    }
    const auto [first, is_new] = listed_.try_emplace(entry.pid, process.rank.value);
    if (!is_new) {
        add_problem(
            process,
            fmt::format("the launcher lists process {} for rank {} too", entry.pid, first->second));
    }
    settle(process, entry.pid);
    const auto environment = rank_environment_of(process.pid);
    if (environment && environment->rank != process.rank.value) {
        add_problem(
            process,
            fmt::format("process {} says that it is rank {}", process.pid, environment->rank));
    }
    if (launcher_ && !table_.is_descendant(entry.pid, launcher_->pid)) {
        add_problem(process,
                    fmt::format("process {} was not started by {} (pid {})",
                                entry.pid,
                                launcher_->name,
                                launcher_->pid));
    }
}

JobProcess JobBuilder::check_entry(int rank, const ProctableEntry& entry, const World* own) {
    JobProcess process{.rank = model::WorldRank(rank),
                       .pid = entry.pid,
                       .host = entry.host,
                       .executable = entry.executable,
                       .alive = true,
                       .local = true,
                       .problem = {}};
    const bool is_below =
        entry.pid > 0 && launcher_ && table_.is_descendant(entry.pid, launcher_->pid);
    if (!is_this_host(entry.host) && !is_below) {
        process.local = false;
        return process;
    }
    if (process.host.empty()) process.host = this_host();
    if (entry.pid > 0) {
        check_here(process, entry);
    } else {
        process.alive = false;
        process.pid = 0;
        process.problem = fmt::format("the launcher lists pid {}", entry.pid);
    }
    if (process.problem.empty()) return process;
    // A process whose environment names this rank knows better than the table.
    const pid_t claimant = process_of_rank(own, rank);
    if (claimant == 0 || claimant == process.pid) return process;
    process.alive = true;
    process.problem =
        fmt::format("the launcher lists process {}, but process {} says that it is this rank",
                    entry.pid,
                    claimant);
    settle(process, claimant);
    return process;
}

Job JobBuilder::from_proctable(const World* own) {
    Job job = begin();
    const auto& proctable = launcher_->proctable;
    job.processes.reserve(proctable.size());
    for (std::size_t i = 0; i < proctable.size(); ++i) {
        job.processes.push_back(check_entry(static_cast<int>(i), proctable[i], own));
    }
    return job;
}

JobProcess JobBuilder::missing_rank(int rank, const World& own) const {
    JobProcess process{.rank = model::WorldRank(rank),
                       .pid = 0,
                       .host = {},
                       .executable = {},
                       .alive = true,
                       .local = false,
                       .problem = {}};
    const bool others_elsewhere =
        own.size && own.local_size ? *own.local_size < *own.size : !launcher_;
    if (others_elsewhere) {
        process.problem = "not found on this host";
    } else {
        // Ended, or still to come while the job starts: no environment tells.
        process.local = true;
        process.host = this_host();
        process.problem = "not found: it has ended, or has not started yet";
    }
    return process;
}

Job JobBuilder::from_world(const World& own) {
    Job job = begin();
    const int size = own.size.value_or(own.ranks.empty() ? 0 : own.ranks.rbegin()->first + 1);
    for (int rank = 0; rank < size; ++rank) {
        const auto found = own.ranks.find(rank);
        if (found == own.ranks.end()) {
            job.processes.push_back(missing_rank(rank, own));
            continue;
        }
        JobProcess process{.rank = model::WorldRank(rank),
                           .pid = 0,
                           .host = this_host(),
                           .executable = {},
                           .alive = true,
                           .local = true,
                           .problem = {}};
        const pid_t mpi = process_of_rank(&own, rank);
        settle(process, mpi == 0 ? found->second.front() : mpi);
        for (const pid_t other : found->second) {
            const bool is_kin = other == process.pid || table_.is_descendant(other, process.pid) ||
                                table_.is_descendant(process.pid, other);
            if (is_kin || !is_mpi_process(other, images_)) continue;
            add_problem(process, fmt::format("process {} says that it is this rank too", other));
        }
        job.processes.push_back(std::move(process));
    }
    for (auto beyond = own.ranks.lower_bound(size); beyond != own.ranks.end(); ++beyond) {
        job.problems.push_back(
            fmt::format("process {} says that it is rank {} of {}; it is left out",
                        beyond->second.front(),
                        beyond->first,
                        size));
    }
    return job;
}

Job JobBuilder::from_singleton(pid_t pid) {
    Job job = begin();
    JobProcess process{.rank = model::WorldRank(0),
                       .pid = pid,
                       .host = this_host(),
                       .executable = executable_of(pid),
                       .alive = true,
                       .local = true,
                       .problem = {}};
    job.processes.push_back(std::move(process));
    return job;
}

void append(Job& job, Job more) {
    const auto sizes = [](const Job& each) {
        return each.world_sizes.empty() ? std::vector{static_cast<int>(each.processes.size())}
                                        : each.world_sizes;
    };
    job.world_sizes = sizes(job);
    const std::vector<int> more_sizes = sizes(more);
    job.world_sizes.insert(job.world_sizes.end(), more_sizes.begin(), more_sizes.end());
    const auto first = static_cast<int>(job.processes.size());
    for (JobProcess& process : more.processes) {
        process.rank = model::WorldRank(first + process.rank.value);
        job.processes.push_back(std::move(process));
    }
    if (more.launcher_pid != 0) more.other_launchers.push_back(more.launcher_pid);
    for (const pid_t pid : more.other_launchers) {
        if (pid != job.launcher_pid &&
            std::ranges::find(job.other_launchers, pid) == job.other_launchers.end()) {
            job.other_launchers.push_back(pid);
        }
    }
    for (std::string& problem : more.problems) {
        if (std::ranges::find(job.problems, problem) == job.problems.end()) {
            job.problems.push_back(std::move(problem));
        }
    }
}

void JobBuilder::note_other_worlds(std::span<const World> worlds,
                                   std::span<const World* const> shown,
                                   Job& job) {
    for (const World& world : worlds) {
        if (std::ranges::find(shown, &world) != shown.end()) continue;
        std::vector<pid_t> pids;
        for (const auto& [rank, candidates] : world.ranks) {
            const pid_t pid = choose_mpi_process(table_, candidates, images_);
            if (pid != 0) pids.push_back(pid);
        }
        if (pids.empty()) continue;
        const std::size_t count = pids.size();
        if (count > kMaxShown) pids.resize(kMaxShown);
        const char* origin =
            world.spawned ? "were started by MPI_Comm_spawn" : "are of another world";
        job.problems.push_back(
            fmt::format("{} further MPI processes {} and are not inspected: pid {}{}; to inspect "
                        "their world, name one of them",
                        count,
                        origin,
                        fmt::join(pids, ", "),
                        count > kMaxShown ? ", ..." : ""));
    }
}

}  // namespace mqinspect::job
