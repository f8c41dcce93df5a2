#include "inspector/job/rank_environment.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <unordered_map>

#include <fmt/format.h>

#include "inspector/target/process_status.h"

namespace mqinspect::job {

namespace {

using Variables = std::unordered_map<std::string_view, std::string_view>;

/// The first of the names that has a number in range.
std::optional<int> number(const Variables& variables,
                          std::initializer_list<std::string_view> names) {
    for (const auto name : names) {
        const auto found = variables.find(name);
        if (found == variables.end()) continue;
        const std::string_view text = found->second;
        int value = 0;
        const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
        if (parsed.ec == std::errc{} && parsed.ptr == text.data() + text.size() && value >= 0 &&
            value <= kMaxWorldSize) {
            return value;
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<RankEnvironment> parse_rank_environment(std::string_view text) {
    Variables variables;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\0'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        const auto equals = line.find('=');
        // As getenv(3): the first of a name counts.
        if (equals != std::string_view::npos) {
            variables.try_emplace(line.substr(0, equals), line.substr(equals + 1));
        }
    }
    // Slurm last: every process of a batch script has its variables, mpiexec's
    // ranks too.
    const auto rank =
        number(variables, {"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID"});
    if (!rank) return std::nullopt;
    RankEnvironment result;
    result.rank = *rank;
    result.size = number(variables, {"PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS"});
    result.local_size =
        number(variables, {"MPI_LOCALNRANKS", "PMI_LOCAL_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"});
    result.spawned = variables.contains("PMI_SPAWNED");
    for (const auto name :
         {"PMI_JOBID", "PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "SLURM_STEP_ID"}) {
        const auto found = variables.find(name);
        if (found != variables.end()) result.world += fmt::format("{}={} ", name, found->second);
    }
    if (result.spawned) result.world += "spawned";
    return result;
}

std::optional<RankEnvironment> rank_environment_of(pid_t pid) {
    const auto text = target::read_proc_file(fmt::format("/proc/{}/environ", pid));
    return text ? parse_rank_environment(*text) : std::nullopt;
}

}  // namespace mqinspect::job
