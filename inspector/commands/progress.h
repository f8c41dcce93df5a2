/// How far long work on a recorded run has come, and how long its stages take.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/execution.h"
#include "report/checked_run.h"

namespace mqinspect::commands {

/// Measures stages one after another. On a terminal it writes to standard error what is being done
/// and how many calls have been read for it, from the second second of a stage on; the line is
/// removed again.
class Progress {
public:
    /// `wanted`: false keeps it silent even on a terminal.
    explicit Progress(bool wanted);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress();

    /// Ends the stage before.
    void begin(std::string_view stage);
    void end();
    std::vector<report::StageTime> times() const { return times_; }

    /// The same recording, of which reading counts. Borrows both.
    std::unique_ptr<model::Recording> counted(const model::Recording& recording);
    /// So many calls more have been read. From any thread.
    void add(std::uint64_t calls);

private:
    using Time = std::chrono::steady_clock;

    void show(Time::time_point now);
    void clear();

    bool visible_;
    std::string stage_;
    Time::time_point begin_ = Time::now();
    std::atomic<std::uint64_t> calls_{0};
    std::atomic<std::int64_t> next_ns_{0};  ///< when the line is to be written again
    std::atomic<bool> shown_{false};
    std::vector<report::StageTime> times_;
};

}  // namespace mqinspect::commands
