#include "inspector/snapshot/job_problems.h"

#include <algorithm>
#include <set>
#include <string>

#include <fmt/format.h>

#include "inspector/mqs_host/operation.h"
#include "model/worlds.h"

namespace mqinspect::snapshot {

void state_once(const std::vector<Result<mqs_host::HostedQueues>>& queues,
                const std::vector<std::size_t>& stopped,
                model::JobSnapshot& snapshot) {
    if (stopped.empty()) return;
    const std::string problem = snapshot.ranks[stopped.front()].problem;
    const bool shared = std::ranges::all_of(stopped, [&](std::size_t i) {
        const bool of_library = queues[i] || queues[i].error().code == ErrorCode::MissingDebugInfo;
        return of_library && snapshot.ranks[i].problem == problem;
    });
    if (!shared || problem.empty()) return;
    for (const std::size_t i : stopped)
        snapshot.ranks[i].problem.clear();
    snapshot.problems.push_back(problem);
}

void note_foreign_processes(const std::vector<Result<mqs_host::HostedQueues>>& queues,
                            model::JobSnapshot& snapshot) {
    std::size_t most = 0;
    std::string rank;
    std::set<std::string> hosts;
    for (std::size_t i = 0; i < queues.size(); ++i) {
        if (!queues[i] || queues[i]->foreign.size() <= most) continue;
        most = queues[i]->foreign.size();
        rank = model::rank_name(model::Worlds(snapshot), snapshot.ranks[i].rank);
        hosts.clear();
        for (const auto& process : queues[i]->foreign) {
            if (!process.host.empty()) hosts.insert(mqs_host::printable(process.host));
        }
    }
    if (most == 0) return;
    std::string place;
    if (!hosts.empty()) place = " on " + *hosts.begin() + (hosts.size() > 1 ? " and others" : "");
    snapshot.problems.push_back(
        fmt::format("{} is connected with {} of another job{}, not looked at; name the pid of its "
                    "launcher, or of one of them, as well",
                    rank,
                    most == 1 ? "a process" : fmt::format("{} processes", most),
                    place));
}

}  // namespace mqinspect::snapshot
