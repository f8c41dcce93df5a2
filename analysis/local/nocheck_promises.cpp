#include "analysis/local/nocheck_promises.h"

#include <algorithm>
#include <string>

namespace mqinspect::analysis {

using model::ProcessId;

NoCheckPromises::NoCheckPromises(const model::Execution& execution, Reporter& reporter)
    : execution_(execution),
      reporter_(reporter),
      no_check_(execution.constant("MPI_MODE_NOCHECK", 1024)),
      numbers_known_(
          std::ranges::none_of(execution.processes, &model::RecordedProcess::incomplete)) {}

void NoCheckPromises::lock(const Epoch& epoch, std::int64_t target) {
    if (!numbers_known_) return;
    // One of a single target excludes one of all, and the other way round.
    const auto end = locks_.lower_bound({epoch.window + 1, kAllTargets});
    for (auto at = locks_.lower_bound({epoch.window, kAllTargets}); at != end; ++at) {
        const std::int64_t other = at->first.second;
        if (other == target || other == kAllTargets || target == kAllTargets)
            compare(epoch, at->second);
    }
    Held& held = locks_[{epoch.window, target}][{epoch.process, epoch.promised, epoch.exclusive}];
    held = {epoch.site, epoch.ordered, TargetAccess::kNever, INT64_MAX};
}

void NoCheckPromises::compare(const Epoch& epoch, const Holders& holders) {
    if (epoch.ordered) return;
    for (const auto& [holder, held] : holders) {
        const auto& [process, promised, exclusive] = holder;
        if (process == epoch.process || !(promised || epoch.promised) ||
            !(exclusive || epoch.exclusive) || held.ordered || held.last_round < epoch.round)
            continue;
        const bool over = held.until != TargetAccess::kNever && epoch.known != nullptr &&
                          (*epoch.known)[process.index()] > held.until;
        if (!over) report_lock(epoch, process, held.site);
    }
}

void NoCheckPromises::unlock(std::int64_t window,
                             std::int64_t target,
                             ProcessId process,
                             std::uint64_t event,
                             std::int64_t round) {
    const auto found = locks_.find({window, target});
    if (found == locks_.end()) return;
    for (auto& [holder, held] : found->second) {
        if (std::get<0>(holder) != process || held.until != TargetAccess::kNever) continue;
        held.until = event;
        held.last_round = round;
    }
}

void NoCheckPromises::report_lock(const Epoch& epoch, ProcessId other, const CallSite& site) {
    const std::string_view asserts = "asserts that nobody does";
    Finding* const finding =
        reporter_.report(FindingClass::EpochError,
                         Severity::Error,
                         epoch.process,
                         {{epoch.site, epoch.promised ? asserts : "locks it"},
                          {site, epoch.promised ? "locks it, too" : asserts, true, other}});
    if (finding == nullptr) return;
    const ProcessId one = epoch.promised ? epoch.process : other;
    const ProcessId two = epoch.promised ? other : epoch.process;
    const CallSite& first = epoch.promised ? epoch.site : site;
    finding->message = execution_.procedures[first.procedure.index()].name + " of process " +
                       rank_number(execution_, one) +
                       " asserts with MPI_MODE_NOCHECK that nobody else asks for a lock of this "
                       "memory that excludes its own, but process " +
                       rank_number(execution_, two) + " does, and nothing orders their epochs.";
}

void NoCheckPromises::start(const Epoch& epoch, const std::vector<ProcessId>& targets) {
    if (!numbers_known_) return;
    for (const ProcessId target : targets) {
        Pair& pair = pairs_[{epoch.window, target, epoch.process}];
        pair.starts.push_back(epoch);
        match(pair);
    }
}

void NoCheckPromises::post(const Epoch& epoch, const std::vector<ProcessId>& origins) {
    if (!numbers_known_) return;
    for (const ProcessId origin : origins) {
        Pair& pair = pairs_[{epoch.window, epoch.process, origin}];
        pair.posts.push_back(epoch);
        match(pair);
    }
}

void NoCheckPromises::match(Pair& pair) {
    if (pair.posts.empty() || pair.starts.empty()) return;
    const Epoch& start = pair.starts.front();
    const Epoch& post = pair.posts.front();
    if (start.promised != post.promised) {
        report_alone(start, post);
    } else if (start.promised && !start.ordered &&
               (start.known == nullptr
                    ? start.round == post.round
                    : (*start.known)[post.process.index()] <= post.site.leave_event)) {
        report_early(start, post);
    }
    pair.posts.pop_front();
    pair.starts.pop_front();
}

void NoCheckPromises::report_alone(const Epoch& start, const Epoch& post) {
    Finding* const finding = reporter_.report(
        FindingClass::EpochError,
        Severity::Error,
        start.process,
        {{start.site, start.promised ? "asserts it" : "does not"},
         {post.site, post.promised ? "asserts it" : "does not", true, post.process}});
    if (finding == nullptr) return;
    finding->message =
        std::string{"MPI_MODE_NOCHECK is given to "} +
        (start.promised ? "MPI_Win_start" : "MPI_Win_post") + ", but not to the matching " +
        (start.promised ? "MPI_Win_post of process " + rank_number(execution_, post.process)
                        : "MPI_Win_start of process " + rank_number(execution_, start.process)) +
        ": it must be given to both or to none.";
}

void NoCheckPromises::report_early(const Epoch& start, const Epoch& post) {
    Finding* const finding = reporter_.report(FindingClass::EpochError,
                                              Severity::Error,
                                              start.process,
                                              {{start.site, "asserts that it has been posted"},
                                               {post.site, "its post", false, post.process}});
    if (finding == nullptr) return;
    finding->message = "MPI_Win_start of process " + rank_number(execution_, start.process) +
                       " asserts with MPI_MODE_NOCHECK that process " +
                       rank_number(execution_, post.process) +
                       " has called the matching MPI_Win_post, but nothing makes sure that it has "
                       "done so by then.";
}

void NoCheckPromises::forget(std::int64_t window) {
    locks_.erase(locks_.lower_bound({window, kAllTargets}),
                 locks_.lower_bound({window + 1, kAllTargets}));
    const ProcessId first{INT32_MIN};
    pairs_.erase(pairs_.lower_bound({window, first, first}),
                 pairs_.lower_bound({window + 1, first, first}));
}

}  // namespace mqinspect::analysis
