#include "python/job.h"

#include <algorithm>
#include <utility>

#include "inspector/snapshot/type_sources.h"

#include "python/failure.h"

namespace mqinspect::python {

namespace {

/// It may have been attached to before it had loaded its MPI library: then its files were
/// read too early.
bool may_have_been_young(const model::JobSnapshot& snapshot) {
    return std::ranges::any_of(snapshot.ranks, [](const model::RankSnapshot& rank) {
        const bool alive =
            rank.state == model::RankState::Blocked || rank.state == model::RankState::Running;
        return alive && !rank.queues_known;
    });
}

}  // namespace

Job::Job(std::vector<pid_t> pids, session::SessionOptions options)
    : pids_(std::move(pids)), options_(std::move(options)) {
    if (options_.observer.types.empty()) {
        options_.observer.types = snapshot::types_from_environment();
    }
    session_ = value_or_throw(session::Session::attach(pids_, options_));
}

session::Session& Job::session() {
    if (!session_) {
        throw Failure(Error{ErrorCode::InvalidArgument, "the job is closed; attach to it again"});
    }
    return *session_;
}

session::Findings Job::look() {
    const std::lock_guard lock(mutex_);
    if (attach_again_ && session_) {
        auto fresh = session::Session::attach(pids_, options_);
        if (fresh) session_ = *std::move(fresh);
    }
    session::Findings findings = session().look();
    attach_again_ = may_have_been_young(findings.snapshot);
    return findings;
}

std::vector<pid_t> Job::pids() {
    const std::lock_guard lock(mutex_);
    std::vector<pid_t> pids;
    for (const job::JobProcess& process : session().job().processes)
        pids.push_back(process.pid);
    return pids;
}

void Job::close() {
    const std::lock_guard lock(mutex_);
    session_.reset();
}

bool Job::closed() {
    const std::lock_guard lock(mutex_);
    return !session_.has_value();
}

}  // namespace mqinspect::python
