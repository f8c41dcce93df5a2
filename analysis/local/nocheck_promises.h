/// What processes promise of a window with MPI_MODE_NOCHECK, and who breaks it (MPI 4.0, 12.5.5):
/// that nobody else holds a lock that excludes theirs, or asks for one, while they hold it; and
/// that what an access epoch is to meet has been posted before the epoch starts.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/local/reporter.h"
#include "analysis/local/target_accesses.h"
#include "analysis/replay/run_clocks.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// Is told the calls of all processes so that whoever may know of a call comes after it
/// (OrderedCalls). The arguments of the constructor must outlive it.
class NoCheckPromises {
public:
    NoCheckPromises(const model::Execution& execution, Reporter& reporter);

    /// The assertion has MPI_MODE_NOCHECK.
    bool is_made(std::int64_t assertion) const { return (assertion & no_check_) != 0; }

    /// MPI_Win_lock, MPI_Win_lock_all, MPI_Win_start or MPI_Win_post.
    struct Epoch {
        std::int64_t window = 0;
        model::ProcessId process;
        CallSite site;
        bool promised = false;
        bool exclusive = false;
        /// Its process may have heard of others in a way that is not in the record.
        bool told = false;
        bool ordered = false;  ///< it has, or holds another lock that may keep them away
        std::shared_ptr<const Clock> known;  ///< by its process; null: nobody can tell
        std::int64_t round = 0;              ///< collective operations of all members before it
    };

    /// A lock of the memory of the member `target`, or of all (kAllTargets).
    void lock(const Epoch& epoch, std::int64_t target);
    void unlock(std::int64_t window,
                std::int64_t target,
                model::ProcessId process,
                std::uint64_t event,
                std::int64_t round);

    void start(const Epoch& epoch, const std::vector<model::ProcessId>& targets);
    void post(const Epoch& epoch, const std::vector<model::ProcessId>& origins);

    /// All have freed the window.
    void forget(std::int64_t window);

private:
    struct Held {
        CallSite site;
        bool ordered = false;
        std::uint64_t until = TargetAccess::kNever;  ///< event of its process: it has unlocked
        std::int64_t last_round = INT64_MAX;
    };
    /// The last lock of each process: was it promised, is it exclusive?
    using Holders = std::map<std::tuple<model::ProcessId, bool, bool>, Held>;
    struct Pair {
        std::deque<Epoch> posts;
        std::deque<Epoch> starts;
    };

    void compare(const Epoch& epoch, const Holders& holders);
    void report_lock(const Epoch& epoch, model::ProcessId other, const CallSite& site);
    /// The next post, if it is there, and the next start.
    void match(Pair& pair);
    void report_early(const Epoch& start, const Epoch& post);
    void report_alone(const Epoch& start, const Epoch& post);

    const model::Execution& execution_;
    Reporter& reporter_;
    std::int64_t no_check_;
    bool numbers_known_;
    std::map<std::pair<std::int64_t, std::int64_t>, Holders> locks_;  ///< by window and target
    /// By window, target and origin.
    std::map<std::tuple<std::int64_t, model::ProcessId, model::ProcessId>, Pair> pairs_;
};

}  // namespace mqinspect::analysis
