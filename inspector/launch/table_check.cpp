#include "inspector/launch/table_check.h"

#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "inspector/job/job_builder.h"

namespace mqinspect::launch {

namespace {

/// Entries with the same fault: how many, and which is the first.
struct Fault {
    std::size_t count = 0;
    std::size_t first_rank = 0;
    pid_t first_pid = 0;

    void add(std::size_t rank, pid_t pid) {
        if (count++ == 0) {
            first_rank = rank;
            first_pid = pid;
        }
    }
    void say(std::string_view what, std::vector<std::string>& problems) const {
        if (count == 0) return;
        std::string line = fmt::format("the launcher's process table lists pid {} for rank {}, {}",
                                       first_pid,
                                       first_rank,
                                       what);
        if (count > 1) line += fmt::format("; and {} more such entries", count - 1);
        problems.push_back(std::move(line));
    }
};

/// Tables name few hosts, and one after the other.
class HostCheck {
public:
    bool is_here(const std::string& name) {
        const auto [entry, is_new] = known_.try_emplace(name, false);
        if (is_new) entry->second = job::is_this_host(name);
        return entry->second;
    }

private:
    std::unordered_map<std::string, bool> known_;
};

}  // namespace

CheckedTable check_table(std::span<const job::ProctableEntry> entries,
                         const job::ProcessTable& processes,
                         pid_t launcher) {
    const std::vector<pid_t> below = processes.descendants(launcher);
    const std::unordered_set<pid_t> descendants(below.begin(), below.end());
    std::unordered_set<pid_t> seen;
    HostCheck hosts;
    Fault impossible;
    Fault twice;
    Fault gone;
    Fault foreign;
    CheckedTable checked;
    for (std::size_t rank = 0; rank < entries.size(); ++rank) {
        const job::ProctableEntry& entry = entries[rank];
        // A job on one machine may be told under any of its names.
        const bool is_below = descendants.contains(entry.pid);
        if (!is_below && !hosts.is_here(entry.host)) continue;
        if (entry.pid <= 0) {
            impossible.add(rank, entry.pid);
        } else if (!seen.insert(entry.pid).second) {
            twice.add(rank, entry.pid);
        } else if (is_below) {
            checked.pids.push_back(entry.pid);
        } else {
            (processes.find(entry.pid) == nullptr ? gone : foreign).add(rank, entry.pid);
        }
    }
    impossible.say("which is no pid", checked.problems);
    twice.say("which another rank has too", checked.problems);
    gone.say("which does not exist", checked.problems);
    foreign.say("which the launcher has not started", checked.problems);
    return checked;
}

}  // namespace mqinspect::launch
