/// When to look at a job, and whether what was seen is a hang. Arithmetic on times and
/// findings only.
#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "inspector/launch/progress_counters.h"
#include "inspector/session/session.h"
#include "model/job_snapshot.h"

namespace mqinspect::launch {

enum class Judgement {
    GoesOn,
    Late,   ///< ranks wait for others that compute, or poll: no hang, worth a word
    Blind,  ///< all wait, and nothing tells whether they ever move: no hang either
    Hang,   ///< ranks that can never go on, or none of all has moved for the time
};

/// A hang is
/// - a deadlock or hang-up that is confirmed, of ranks that have not moved for the time,
///   even while others get on; or
/// - all ranks in MPI calls that wait, and none of them has moved for the time, whatever
///   the verdict.
/// A rank in a long computation, or an endless loop, is neither.
class HangJudge {
public:
    explicit HangJudge(std::chrono::milliseconds hang_after) : hang_after_(hang_after) {}

    /// True if no rank has shown progress for the time, or some have not for twice the time
    /// while others get on. After a look that found nothing the next ones are rationed:
    /// ranks stand still for less than 1/500 of the time, 1/2000 while some get on.
    bool look_is_due(Clock::time_point now, std::span<const RankProgress> ranks) const;

    /// Of a look that ended now.
    Judgement judge(Clock::time_point now,
                    std::span<const RankProgress> ranks,
                    const session::Findings& findings);

    /// True once for each different finding.
    bool is_news(Judgement judgement, const session::Findings& findings);

    /// Looks failed: not before the time has passed again.
    void postpone(Clock::time_point now) { last_look_ = now; }

private:
    bool is_stalled(const RankProgress& rank, Clock::time_point now, int times = 1) const;
    bool cores_are_stalled(Clock::time_point now,
                           std::span<const RankProgress> ranks,
                           const session::Findings& findings) const;
    bool none_has_moved(Clock::time_point now,
                        std::span<const RankProgress> ranks,
                        const model::JobSnapshot& snapshot) const;

    std::chrono::milliseconds hang_after_;
    std::optional<Clock::time_point> last_look_;
    double last_stop_ms_ = 0;
    /// The last look, if all ranks were blocked in it, and when that was.
    std::optional<model::JobSnapshot> all_blocked_;
    Clock::time_point all_blocked_at_;
    std::set<std::string> told_;
};

}  // namespace mqinspect::launch
