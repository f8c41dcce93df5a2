/// A job that is looked at, as often as one likes: the part on which every way of
/// asking stands (commands, shell, Python).
#pragma once

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <span>

#include "analysis/deadlock.h"
#include "base/result.h"
#include "inspector/snapshot/observer.h"
#include "model/job_snapshot.h"

namespace mqinspect::session {

struct SessionOptions {
    snapshot::ObserverOptions observer;
    /// Before a deadlock is called one, ranks get this long to move; 0: one look is enough.
    std::chrono::milliseconds confirm{20};
};

/// A snapshot and what it means.
struct Findings {
    model::JobSnapshot snapshot;
    analysis::Verdict verdict;
};

/// One job, from the first look to the last. The job runs except inside `look`.
class Session {
public:
    /// As job::find_job and Observer::prepare, whose errors it returns.
    static Result<Session> attach(std::span<const pid_t> pids, SessionOptions options);

    /// Looks until two looks in a row agree, or three times: ranks that communicate can
    /// stand in the way of one look, hardly of all. Its stopped_ms is that of all looks
    /// together; the first result's total_ms counts from `attach`.
    Findings look();

    /// As Observer::stack_of; the result must not outlive the session.
    Result<snapshot::RankStack> stack_of(model::WorldRank rank) {
        return observer_->stack_of(rank);
    }

    const job::Job& job() const { return observer_->job(); }

private:
    Session() = default;

    // Behind pointers: the observer refers to the images, wherever the session moves.
    std::unique_ptr<target::ImageStore> images_;
    std::unique_ptr<snapshot::Observer> observer_;
    std::chrono::milliseconds confirm_{};
    std::chrono::steady_clock::time_point asked_;
    bool looked_ = false;
};

}  // namespace mqinspect::session
