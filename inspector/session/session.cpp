#include "inspector/session/session.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "inspector/job/job.h"
#include "inspector/session/sure_look.h"
#include "model/rank_set.h"

namespace mqinspect::session {

namespace {

using std::chrono::steady_clock;

/// How many times the time to confirm ranks get at most.
constexpr int kPatience = 25;

}  // namespace

Result<std::vector<model::WorldRank>> Session::members_of(const std::string& communicator) {
    constexpr std::size_t names_listed = 8;
    std::vector<std::string> names;
    for (const job::JobProcess& process : job().processes) {
        observer_->look_only_at(std::span(&process.rank, 1));
        if (observer_->pids().empty()) continue;
        std::vector<const model::Communicator*> found;
        const model::JobSnapshot seen = observer_->observe();
        for (const model::Communicator& each : seen.communicators) {
            if (each.name == communicator) found.push_back(&each);
            if (std::ranges::find(names, each.name) == names.end()) names.push_back(each.name);
        }
        if (found.size() > 1) {
            return Error{
                ErrorCode::InvalidArgument,
                fmt::format("rank {} is in {} communicators of the name \"{}\"; name ranks "
                            "instead",
                            process.rank.value,
                            found.size(),
                            communicator)};
        }
        if (found.empty()) continue;
        std::vector<model::WorldRank> members = found.front()->members;
        const auto& remote = found.front()->remote_members;
        members.insert(members.end(), remote.begin(), remote.end());
        return members;
    }
    if (names.size() > names_listed) names.resize(names_listed);
    return Error{ErrorCode::InvalidArgument,
                 fmt::format("no rank is in a communicator \"{}\"; {}{}",
                             communicator,
                             names.empty() ? "none can be seen" : "there is ",
                             fmt::join(names, ", "))};
}

Result<Done> Session::choose_ranks(const SessionOptions& options) {
    if (!options.ranks.empty()) {
        const auto ranks = TRY(model::parse_ranks(options.ranks, job().processes.size()));
        observer_->look_only_at(ranks);
    }
    if (!options.communicator.empty()) {
        const auto members = TRY(members_of(options.communicator));
        observer_->look_only_at(members);
    }
    return Done{};
}

Result<Session> Session::attach(std::span<const pid_t> pids, SessionOptions options) {
    Session session;
    session.asked_ = steady_clock::now();
    session.confirm_ = options.confirm;
    session.images_ = std::make_unique<target::ImageStore>(target::default_image_cache());
    job::Job job = TRY(job::find_job(pids, *session.images_));
    session.observer_ = std::make_unique<snapshot::Observer>(
        std::move(job), *session.images_, std::move(options.observer));
    TRY(session.observer_->prepare());
    TRY(session.choose_ranks(options));
    return session;
}

Findings Session::look(const Findings* last) {
    const auto start = std::exchange(looked_, true) ? steady_clock::now() : asked_;
    Findings findings = held_ ? look_at_held() : look_at_running(last);
    findings.snapshot.total_ms =
        std::chrono::duration<double, std::milli>(steady_clock::now() - start).count();
    return findings;
}

void Session::let_ranks_run() {
    if (!mark_) mark_.emplace(observer_->pids());
    mark_->wait_until_ranks_ran(confirm_, confirm_ * kPatience);
}

Findings Session::look_at_running(const Findings* last) {
    Looks looks;
    looks.observe = [this] {
        mark_.reset();
        return observer_->observe();
    };
    if (confirm_.count() > 0) looks.let_run = [this] { let_ranks_run(); };
    Findings findings = look_until_sure(looks, last);
    // Where there is something to confirm, the ranks run from now on until that is asked for.
    if (analysis::is_alarm(findings.verdict.kind)) mark_.emplace(observer_->pids());
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

void Session::hold(model::JobSnapshot last) {
    if (held_) return;
    before_ = std::move(last);
    let_ranks_run();
    held_ = target::StoppedProcesses::stop(observer_->pids());
}

void Session::let_go() {
    if (!held_) return;
    // Ranks that poll take the processor as soon as they are let go.
    mark_.emplace(observer_->pids());
    held_.reset();
}

}  // namespace mqinspect::session
