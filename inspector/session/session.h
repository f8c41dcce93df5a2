/// A job that is looked at, as often as one likes: the part on which every way of
/// asking stands (commands, shell, Python).
#pragma once

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "inspector/session/findings.h"
#include "inspector/snapshot/observer.h"
#include "inspector/snapshot/second_look.h"
#include "inspector/target/stop.h"
#include "model/job_snapshot.h"

namespace mqinspect::session {

struct SessionOptions {
    snapshot::ObserverOptions observer;
    /// Before a deadlock is called one, ranks get this long to move; 0: one look is enough.
    std::chrono::milliseconds confirm{20};
    /// Only these ranks are stopped and read, "0-15,32"; empty: all.
    std::string ranks;
    /// Likewise those of the communicator of this name, as the first rank that is in such a
    /// one sees it; empty: all.
    std::string communicator;
};

/// One job, from the first look to the last. The job runs except inside `look`, and
/// between `hold` and `let_go`. Belongs to one thread.
class Session {
public:
    /// As job::find_job and Observer::prepare, whose errors it returns. InvalidArgument: there
    /// are no such ranks, or no such communicator.
    static Result<Session> attach(std::span<const pid_t> pids, SessionOptions options);

    /// As look_until_sure (sure_look.h); `last`: what the last `look` has returned, if the
    /// caller still has it. The first result's total_ms counts from `attach`.
    /// While the job is held it looks once, and an alarm is Suspected unless the last look
    /// before `hold` saw it too: ranks that stand still prove nothing.
    Findings look(const Findings* last = nullptr);

    /// As Observer::stack_of, also while the job is held; the result must not outlive the
    /// session.
    Result<snapshot::RankStack> stack_of(model::WorldRank rank) {
        return held_ ? observer_->stack_of(rank, *held_) : observer_->stack_of(rank);
    }

    /// Stops the ranks until `let_go`, or the end of this. Those that cannot be stopped are
    /// told by the next look. Ranks have had time to move since the last look.
    /// `last`: the last look, which the caller has.
    void hold(model::JobSnapshot last);
    void let_go();
    bool held() const { return held_.has_value(); }

    const job::Job& job() const { return observer_->job(); }

private:
    Session() = default;
    Result<Done> choose_ranks(const SessionOptions& options);
    Result<std::vector<model::WorldRank>> members_of(const std::string& communicator);
    Findings look_at_running(const Findings* last);
    void let_ranks_run();
    Findings look_at_held();

    // Behind pointers: the observer refers to the images, wherever the session moves.
    std::unique_ptr<target::ImageStore> images_;
    std::unique_ptr<snapshot::Observer> observer_;
    std::chrono::milliseconds confirm_{};
    std::chrono::steady_clock::time_point asked_;
    bool looked_ = false;
    /// Since the last look.
    std::optional<snapshot::RunMark> mark_;
    /// The last look before `hold`.
    model::JobSnapshot before_;
    std::optional<target::StoppedProcesses> held_;
};

}  // namespace mqinspect::session
