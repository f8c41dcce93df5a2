#include "inspector/snapshot/second_look.h"

#include <ctime>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace mqinspect::snapshot {

namespace {

/// One pass of MPICH's progress engine takes microseconds; this is many of them.
constexpr std::uint64_t kEnoughCpuNs = 300'000;

/// Processor time of a process, of all its threads; none: it is gone.
std::optional<std::uint64_t> cpu_ns_of(pid_t pid) {
    clockid_t clock{};
    timespec used{};
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &used) != 0) return {};
    constexpr std::uint64_t second = 1'000'000'000;
    return static_cast<std::uint64_t>(used.tv_sec) * second +
           static_cast<std::uint64_t>(used.tv_nsec);
}

/// No thread is runnable; also: the process is gone.
bool sleeps(pid_t pid) {
    std::error_code gone;
    const std::filesystem::path tasks = "/proc/" + std::to_string(pid) + "/task";
    for (const auto& task : std::filesystem::directory_iterator(tasks, gone)) {
        std::string stat;
        std::getline(std::ifstream(task.path() / "stat"), stat);
        // The name in parentheses may hold anything; the state follows the last one.
        const std::size_t name_end = stat.rfind(')');
        if (name_end != std::string::npos && name_end + 2 < stat.size() &&
            stat[name_end + 2] == 'R') {
            return false;
        }
    }
    return true;
}

}  // namespace

RunMark::RunMark(std::span<const pid_t> pids) : time_(std::chrono::steady_clock::now()) {
    waiting_.reserve(pids.size());
    for (const pid_t pid : pids)
        waiting_.push_back({pid, cpu_ns_of(pid).value_or(0)});
}

void RunMark::wait_until_ranks_ran(std::chrono::milliseconds at_least,
                                   std::chrono::milliseconds at_most) {
    const auto start = std::chrono::steady_clock::now();
    std::this_thread::sleep_until(time_ + at_least);
    for (;;) {
        std::erase_if(waiting_, [](const Rank& rank) {
            const auto now = cpu_ns_of(rank.pid);
            return (now && *now >= rank.cpu_ns + kEnoughCpuNs) || sleeps(rank.pid);
        });
        if (waiting_.empty() || std::chrono::steady_clock::now() - start >= at_most) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

}  // namespace mqinspect::snapshot
