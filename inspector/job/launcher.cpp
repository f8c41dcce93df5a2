#include "inspector/job/launcher.h"

#include <algorithm>
#include <array>

#include "inspector/job/rank_environment.h"
#include "inspector/target/live_memory.h"
#include "inspector/target/process_view.h"

namespace mqinspect::job {

namespace {

constexpr std::array<std::string_view, 11> kLauncherNames{"mpiexec.hydra",
                                                          "mpiexec",
                                                          "mpiexec.mpich",
                                                          "mpirun",
                                                          "mpiexec.openmpi",
                                                          "mpirun.openmpi",
                                                          "orterun",
                                                          "prterun",
                                                          "mpiexec.gforker",
                                                          "mpiexec.slurm",
                                                          "srun"};

}  // namespace

bool is_launcher_by_name(pid_t pid) {
    // The name of the executable, not of the process: a shell script that is called
    // mpiexec only runs the launcher.
    const std::string path = executable_of(pid);
    return std::ranges::find(kLauncherNames, base_name(path)) != kLauncherNames.end();
}

std::optional<Launcher> as_launcher(pid_t pid, target::ImageStore& images) {
    const bool has_name = is_launcher_by_name(pid);
    Launcher launcher{.pid = pid,
                      .name = std::string(base_name(executable_of(pid))),
                      .proctable = {},
                      .problem = {}};
    const auto view = target::ProcessView::create(pid, images);
    if (!view || !view->find_symbol("MPIR_proctable")) {
        return has_name ? std::optional(std::move(launcher)) : std::nullopt;
    }
    const auto memory = target::LiveMemory::open(pid);
    if (memory) {
        auto table = read_proctable(*view, **memory);
        if (table) {
            launcher.proctable = std::move(*table);
        } else if (table.error().code != ErrorCode::MissingDebugInfo) {
            launcher.problem = table.error().message;
        }
    } else {
        launcher.problem = memory.error().message;
    }
    // Open MPI's libraries bring the symbols into its ranks too, unfilled.
    const bool is_one = has_name || !launcher.proctable.empty() || !launcher.problem.empty();
    return is_one ? std::optional(std::move(launcher)) : std::nullopt;
}

std::optional<Launcher> launcher_above(const ProcessTable& table,
                                       pid_t pid,
                                       target::ImageStore& images) {
    for (const pid_t ancestor : table.ancestors(pid)) {
        // The first process, and what a rank has started, start no job.
        if (ancestor == 1) break;
        const bool has_rank = rank_environment_of(ancestor).has_value();
        if (has_rank && !is_launcher_by_name(ancestor)) continue;
        if (auto launcher = as_launcher(ancestor, images)) return launcher;
    }
    return std::nullopt;
}

std::vector<pid_t> launchers_below(const ProcessTable& table, pid_t pid) {
    std::vector<pid_t> launchers;
    for (const pid_t descendant : table.descendants(pid)) {
        const bool is_inner = std::ranges::any_of(
            launchers, [&](pid_t outer) { return table.is_descendant(descendant, outer); });
        if (!is_inner && is_launcher_by_name(descendant)) launchers.push_back(descendant);
    }
    return launchers;
}

std::vector<pid_t> processes_of(const ProcessTable& table, pid_t launcher) {
    const auto inner = launchers_below(table, launcher);
    return table.descendants(launcher, {inner.begin(), inner.end()});
}

}  // namespace mqinspect::job
