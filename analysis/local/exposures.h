/// Which epoch of MPI_Win_post an epoch of MPI_Win_start belongs to: the first start of one process
/// towards another goes with the first post of the other for it, the second with the second, and
/// so on (MPI 4.0, 12.5.2). A start may be read before its post.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "analysis/local/target_accesses.h"
#include "model/execution.h"

namespace mqinspect::analysis {

class Exposures {
public:
    /// `epoch`: the number of this post among those of its process.
    void post(std::int64_t window,
              model::ProcessId target,
              model::ProcessId origin,
              std::int64_t epoch) {
        pairs_[{window, target, origin}].epochs.push_back(epoch);
    }

    /// An access, or without one the end of the start's epoch.
    void add(std::int64_t window,
             model::ProcessId target,
             model::ProcessId origin,
             const std::optional<TargetAccess>& access) {
        pairs_[{window, target, origin}].waiting.push_back(access);
    }

    /// The process has still to end its epoch for a post of the target, or has none to.
    bool may_be_exposed_to(std::int64_t window,
                           model::ProcessId target,
                           model::ProcessId origin) const {
        const auto found = pairs_.find({window, target, origin});
        return found == pairs_.end() || !found->second.epochs.empty();
    }

    /// Calls `visit(epoch, access)` for all whose post is known, in their order, and forgets them.
    template <class Visit>
    void resolve(std::int64_t window,
                 model::ProcessId target,
                 model::ProcessId origin,
                 Visit visit) {
        const auto found = pairs_.find({window, target, origin});
        if (found == pairs_.end()) return;
        Pair& pair = found->second;
        while (!pair.epochs.empty() && !pair.waiting.empty()) {
            visit(pair.epochs.front(), pair.waiting.front());
            if (!pair.waiting.front()) pair.epochs.pop_front();
            pair.waiting.pop_front();
        }
    }

private:
    struct Pair {
        std::deque<std::int64_t> epochs;  ///< of posts whose starts have not ended
        std::deque<std::optional<TargetAccess>> waiting;
    };

    std::map<std::tuple<std::int64_t, model::ProcessId, model::ProcessId>, Pair> pairs_;
};

}  // namespace mqinspect::analysis
