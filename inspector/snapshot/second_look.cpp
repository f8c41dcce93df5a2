#include "inspector/snapshot/second_look.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace mqinspect::snapshot {

namespace {

/// One pass of MPICH's progress engine takes microseconds; this is many of them.
constexpr std::uint64_t kEnoughCpuNs = 300'000;

struct Usage {
    std::uint64_t cpu_ns = 0;
    bool sleeps = true;  ///< no thread is runnable; also: the process is gone
};

/// Sums over the threads (proc(5): schedstat counts nanoseconds on a processor).
Usage usage_of(pid_t pid) {
    Usage usage;
    std::error_code gone;
    const std::filesystem::path tasks = "/proc/" + std::to_string(pid) + "/task";
    for (const auto& task : std::filesystem::directory_iterator(tasks, gone)) {
        std::uint64_t nanoseconds = 0;
        std::ifstream(task.path() / "schedstat") >> nanoseconds;
        usage.cpu_ns += nanoseconds;
        std::string stat;
        std::getline(std::ifstream(task.path() / "stat"), stat);
        // The name in parentheses may hold anything; the state follows the last one.
        const std::size_t name_end = stat.rfind(')');
        if (name_end != std::string::npos && name_end + 2 < stat.size() &&
            stat[name_end + 2] == 'R') {
            usage.sleeps = false;
        }
    }
    return usage;
}

}  // namespace

RunMark::RunMark(std::span<const pid_t> pids) : time_(std::chrono::steady_clock::now()) {
    waiting_.reserve(pids.size());
    for (const pid_t pid : pids)
        waiting_.push_back({pid, usage_of(pid).cpu_ns});
}

void RunMark::wait_until_ranks_ran(std::chrono::milliseconds at_least,
                                   std::chrono::milliseconds at_most) {
    const auto start = std::chrono::steady_clock::now();
    std::this_thread::sleep_until(time_ + at_least);
    for (;;) {
        std::erase_if(waiting_, [](const Rank& rank) {
            const Usage now = usage_of(rank.pid);
            return now.sleeps || now.cpu_ns >= rank.cpu_ns + kEnoughCpuNs;
        });
        if (waiting_.empty() || std::chrono::steady_clock::now() - start >= at_most) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

}  // namespace mqinspect::snapshot
