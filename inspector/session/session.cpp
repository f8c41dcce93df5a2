#include "inspector/session/session.h"

#include <utility>
#include <vector>

#include "inspector/job/job.h"
#include "inspector/snapshot/second_look.h"

namespace mqinspect::session {

namespace {

using std::chrono::steady_clock;

/// How many times the time to confirm ranks get at most.
constexpr int kPatience = 25;

/// All that a message could be under way to, or from: also those that seem able to go
/// on, since what they do next may release the others.
std::vector<pid_t> pids_of_ranks(const model::JobSnapshot& snapshot) {
    std::vector<pid_t> pids;
    for (const model::RankSnapshot& rank : snapshot.ranks) {
        const bool alive =
            rank.state == model::RankState::Blocked || rank.state == model::RankState::Running;
        if (alive) pids.push_back(rank.pid);
    }
    return pids;
}

}  // namespace

Result<Session> Session::attach(std::span<const pid_t> pids, SessionOptions options) {
    Session session;
    session.asked_ = steady_clock::now();
    session.confirm_ = options.confirm;
    session.images_ = std::make_unique<target::ImageStore>(target::default_image_cache());
    job::Job job = TRY(job::find_job(pids, *session.images_));
    session.observer_ = std::make_unique<snapshot::Observer>(
        std::move(job), *session.images_, std::move(options.observer));
    TRY(session.observer_->prepare());
    return session;
}

Findings Session::look() {
    const auto start = std::exchange(looked_, true) ? steady_clock::now() : asked_;
    Findings findings = held_ ? look_at_held() : look_at_running();
    findings.snapshot.total_ms =
        std::chrono::duration<double, std::milli>(steady_clock::now() - start).count();
    if (!held_) before_ = findings.snapshot;
    return findings;
}

Findings Session::look_at_running() {
    constexpr int max_looks = 3;
    Findings findings;
    findings.snapshot = observer_->observe();
    findings.verdict = analysis::analyze(findings.snapshot);
    double stopped_ms = findings.snapshot.stopped_ms;
    for (int looks = 1; looks < max_looks && confirm_.count() > 0; ++looks) {
        const bool settled = looks > 1 && findings.verdict.kind != analysis::VerdictKind::Suspected;
        if (!analysis::is_alarm(findings.verdict.kind) || settled) break;
        snapshot::let_ranks_run(pids_of_ranks(findings.snapshot), confirm_, confirm_ * kPatience);
        model::JobSnapshot second = observer_->observe();
        stopped_ms += second.stopped_ms;
        findings.verdict = analysis::analyze_confirmed(findings.snapshot, second);
        findings.snapshot = std::move(second);
    }
    findings.snapshot.stopped_ms = stopped_ms;
    return findings;
}

Findings Session::look_at_held() {
    Findings findings;
    findings.snapshot = observer_->observe(*held_);
    findings.verdict = confirm_.count() > 0
                           ? analysis::analyze_confirmed(before_, findings.snapshot)
                           : analysis::analyze(findings.snapshot);
    return findings;
}

void Session::hold() {
    if (held_) return;
    snapshot::let_ranks_run(pids_of_ranks(before_), confirm_, confirm_ * kPatience);
    held_ = target::StoppedProcesses::stop(observer_->pids());
}

void Session::let_go() {
    held_.reset();
}

}  // namespace mqinspect::session
