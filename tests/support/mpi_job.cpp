#include "tests/support/mpi_job.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <sstream>
#include <utility>

namespace mqinspect::testing {

namespace {

std::filesystem::path release_file(const TemporaryDirectory& directory) {
    return directory.path() / "release";
}

Command launch(const MpiJobOptions& options, const TemporaryDirectory& directory) {
    Command command;
    command.arguments = {options.mpiexec.empty() ? MQI_MPIEXEC : options.mpiexec};
    std::ranges::copy(options.launcher_options, std::back_inserter(command.arguments));
    command.arguments.insert(command.arguments.end(), {"-n", std::to_string(options.ranks)});
    std::ranges::copy(options.command, std::back_inserter(command.arguments));
    command.environment = options.environment;
    command.environment.push_back("MQI_RELEASE=" + release_file(directory).string());
    return command;
}

/// As MPICH's launcher leaves it there, or Open MPI's.
std::optional<std::string> rank_in_environment(pid_t pid) {
    auto rank = environment_of(pid, "PMI_RANK");
    return rank ? rank : environment_of(pid, "PMIX_RANK");
}

/// The process that has started the rank or its wrapper: one for each world on this host,
/// and later ones for later worlds.
pid_t proxy_of(pid_t pid) {
    pid_t parent = parent_of(pid);
    while (parent > 1 && rank_in_environment(parent))
        parent = parent_of(parent);
    return parent;
}

}  // namespace

MpiJobOptions open_mpi_job(const std::string& mpirun, int ranks, std::vector<std::string> command) {
    MpiJobOptions options;
    options.mpiexec = mpirun;
    options.ranks = ranks;
    options.launcher_options = {
        "--oversubscribe", "--mca", "pml", "ob1", "--mca", "btl", "self,vader"};
    // Ranks that give up the processor again and again can keep others from it for half a
    // minute (seen with Linux 6.18).
    options.launcher_options.insert(options.launcher_options.end(),
                                    {"--mca", "mpi_yield_when_idle", "0"});
    options.environment = {"OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"};
    options.command = std::move(command);
    return options;
}

MpiJob::MpiJob(const MpiJobOptions& options)
    : ranks_(options.ranks), launcher_(launch(options, directory_)) {}

std::vector<pid_t> MpiJob::rank_pids() const {
    // A wrapper has the same rank in its environment as the program it starts; the
    // program is the one without such children.
    std::map<std::pair<pid_t, int>, pid_t> by_rank;
    for (const pid_t pid : launcher_.family()) {
        const auto rank_text = rank_in_environment(pid);
        if (!rank_text) continue;
        const bool wrapper = std::ranges::any_of(
            children_of(pid), [&](pid_t child) { return rank_in_environment(child) == rank_text; });
        int rank = -1;
        std::from_chars(rank_text->data(), rank_text->data() + rank_text->size(), rank);
        if (!wrapper) by_rank[{proxy_of(pid), rank}] = pid;
    }
    std::vector<pid_t> pids;
    pids.reserve(by_rank.size());
    for (const auto& [place, pid] : by_rank)
        pids.push_back(pid);
    return pids;
}

bool MpiJob::wait_for_ranks(milliseconds limit) const {
    return poll_until(limit,
                      [this] { return rank_pids().size() == static_cast<std::size_t>(ranks_); });
}

void MpiJob::release() const {
    std::ofstream(release_file(directory_)) << "go\n";
}

int MpiJob::finished_ranks() const {
    std::istringstream lines(output());
    int count = 0;
    for (std::string line; std::getline(lines, line);)
        count += line.starts_with("finished ") ? 1 : 0;
    return count;
}

}  // namespace mqinspect::testing
