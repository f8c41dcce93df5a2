/// Whether ranks get on, seen without stopping them.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "inspector/target/image.h"
#include "inspector/target/live_memory.h"
#include "inspector/target/memory.h"

namespace mqinspect::launch {

using Clock = std::chrono::steady_clock;

/// What is known of one rank.
struct RankProgress {
    pid_t pid = 0;
    /// The MPI library counts what it completes, and the count can be read.
    bool counted = false;
    /// When the count was first seen as it is now; else when the watch began.
    Clock::time_point since;
};

/// Reads MPICH's counters of completed operations from the running processes
/// (process_vm_readv): of device ch3 a variable, of ch4 a member of each virtual
/// interface. Other libraries have none. Borrows the images.
class ProgressCounters {
public:
    explicit ProgressCounters(target::ImageStore& images) : images_(images) {}

    /// Of these processes from now on; what is known of those that stay is kept.
    void watch(std::span<const pid_t> pids, Clock::time_point now);

    void sample(Clock::time_point now);

    /// Whatever was known of time is void: the watch begins now.
    void restart(Clock::time_point now);

    const std::vector<RankProgress>& ranks() const { return progress_; }
    /// Of those not counted some have no MPI library yet.
    bool incomplete() const;

private:
    struct Source {
        std::unique_ptr<target::LiveMemory> memory;
        std::vector<target::Address> counters;
        bool has_library = false;
        std::optional<std::uint64_t> last;
    };
    void open(Source& source, pid_t pid);

    target::ImageStore& images_;
    std::vector<RankProgress> progress_;
    std::vector<Source> sources_;  ///< parallel to progress_
};

}  // namespace mqinspect::launch
