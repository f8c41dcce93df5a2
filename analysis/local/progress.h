/// How a process has come forward: what a run was doing that somebody has ended.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "analysis/local/procedures.h"

namespace mqinspect::analysis {

/// Of one process. Calls that ask for something and find nothing are no step forward, but part of
/// the time that the process has for itself.
class Progress {
public:
    void note(const CallView& view) {
        if (finds_nothing(view)) return;
        if (last_ns_) longest_ns_ = std::max(longest_ns_, view.call.enter_ns - *last_ns_);
        last_ns_ = view.call.leave_event ? view.call.leave_ns : view.call.enter_ns;
    }

    /// The last step forward was such a short time before `end_ns`.
    bool has_just_moved(std::int64_t end_ns, std::int64_t moment_ns) const {
        return last_ns_ && end_ns - *last_ns_ <= moment_ns;
    }
    /// What the process did outside of MPI until `end_ns` was not much longer than what it had
    /// done there before.
    bool is_used_to(std::int64_t end_ns) const {
        return last_ns_ && end_ns - *last_ns_ <= 2 * longest_ns_;
    }

private:
    static bool finds_nothing(const CallView& view) {
        if (!view.local.is(model::Role::Flag) && !view.local.is(model::Role::OutCount))
            return false;
        if (!view.call.leave_event) return true;
        const model::Role found =
            view.local.is(model::Role::Flag) ? model::Role::Flag : model::Role::OutCount;
        return view.result(found) == 0;
    }

    std::optional<std::int64_t> last_ns_;
    std::int64_t longest_ns_ = 0;
};

}  // namespace mqinspect::analysis
