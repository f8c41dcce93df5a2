/// A job from its start to its end: watched for hangs and crashes.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "inspector/launch/hang_judge.h"
#include "inspector/launch/launch.h"
#include "inspector/launch/progress_counters.h"
#include "inspector/launch/signals.h"
#include "inspector/session/session.h"
#include "inspector/target/image.h"

namespace mqinspect::launch {

struct SupervisorOptions {
    session::SessionOptions session;
    std::chrono::milliseconds hang_after = std::chrono::seconds(60);
    bool kill = false;
    /// Takes single lines for the user.
    std::function<void(const std::string&)> note;
    /// Takes what was found of a hang or a crash.
    std::function<void(const session::Findings&)> report;
};

struct Outcome {
    bool hung = false;  ///< a hang was reported
    int status = 0;     ///< of the command, as of waitpid(2)
};

/// Runs a command as if we were not there, except that ranks that stand still are looked
/// at, and those that crash before they end.
class Supervisor {
public:
    explicit Supervisor(SupervisorOptions options);

    /// As Launch::start.
    Result<Done> start(const std::vector<std::string>& command);

    /// To the end of the command.
    Outcome run();

private:
    using Duration = std::chrono::milliseconds;

    void tick(Clock::time_point now);
    void find_job_without_mpir(Clock::time_point now);
    void find_ranks(Clock::time_point now);
    /// Empty: the job cannot be looked at now.
    std::optional<session::Findings> look();
    void look_for_hang(Clock::time_point now);
    void handle_crashes();
    /// Says so if job control has stopped ranks, by a signal such as SIGSTOP; true: all of
    /// them, which is no hang.
    bool are_stopped(Clock::time_point now);
    /// Puts the signal where it belongs and says so; false: it is of no rank.
    bool describe(const target::TraceEvent& crash, model::JobSnapshot& snapshot);
    /// Says of a rank that crashes after the report that it does, and where.
    void describe_later(const target::TraceEvent& crash);
    void note_crash(int rank, const target::TraceEvent& crash, const std::string& place);
    void hand_on_late(Clock::time_point now);
    void wait_until(Clock::time_point when);
    void end_job();
    void wait_for_all(std::vector<UniqueFd>& processes, Duration limit);

    SupervisorOptions options_;
    Duration period_;
    target::ImageStore images_;
    Launch launch_;
    std::optional<Signals> signals_;
    ProgressCounters counters_;
    HangJudge judge_;
    /// The launcher, or what stands for it; 0: no job is known.
    pid_t job_ = 0;
    unsigned known_generation_ = 0;    ///< as of the counters
    unsigned session_generation_ = 0;  ///< as of the session
    Clock::time_point next_search_;
    Duration search_pause_{};
    std::optional<session::Session> session_;
    std::string last_failure_;  ///< of a look
    bool saw_job_ = false;
    std::vector<target::TraceEvent> crashes_;
    Clock::time_point first_crash_;
    bool reported_crash_ = false;
    int crashes_noted_ = 0;
    bool told_stopped_ = false;
    /// Signals for us that the command may have received too.
    std::vector<std::pair<int, Clock::time_point>> to_hand_on_;
    bool hung_ = false;
};

}  // namespace mqinspect::launch
