#include "inspector/launch/hang_judge.h"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "analysis/confirm.h"
#include "analysis/deadlock.h"
#include "analysis/job_index.h"

namespace mqinspect::launch {

namespace {

using model::RankState;

constexpr double kRation = 500;
constexpr double kRationWhileSomeMove = 2000;

const RankProgress* find(std::span<const RankProgress> ranks, pid_t pid) {
    const auto found = std::ranges::find(ranks, pid, &RankProgress::pid);
    return found == ranks.end() ? nullptr : &*found;
}

bool any_in(const model::JobSnapshot& snapshot, RankState state) {
    return std::ranges::any_of(snapshot.ranks,
                               [state](const auto& rank) { return rank.state == state; });
}

bool is_proven(const analysis::Verdict& verdict) {
    return verdict.kind == analysis::VerdictKind::Deadlock ||
           verdict.kind == analysis::VerdictKind::HangUp;
}

}  // namespace

bool HangJudge::is_stalled(const RankProgress& rank, Clock::time_point now, int times) const {
    return now - rank.since >= hang_after_ * times;
}

bool HangJudge::look_is_due(Clock::time_point now, std::span<const RankProgress> ranks) const {
    const bool some_move = std::ranges::any_of(
        ranks, [&](const RankProgress& rank) { return !is_stalled(rank, now); });
    const int times = some_move ? 2 : 1;
    const bool due = std::ranges::any_of(
        ranks, [&](const RankProgress& rank) { return is_stalled(rank, now, times); });
    if (!due || !last_look_) return due;
    const std::chrono::duration<double, std::milli> ration(
        last_stop_ms_ * (some_move ? kRationWhileSomeMove : kRation));
    return now - *last_look_ >= hang_after_ && now - *last_look_ >= ration;
}

bool HangJudge::cores_are_stalled(Clock::time_point now,
                                  std::span<const RankProgress> ranks,
                                  const session::Findings& findings) const {
    const auto is_stuck = [&](model::WorldRank rank) {
        const RankProgress* progress = find(ranks, findings.snapshot.ranks[rank.index()].pid);
        return progress == nullptr || is_stalled(*progress, now);
    };
    return std::ranges::any_of(findings.verdict.cores, [&](const analysis::Core& core) {
        return std::ranges::all_of(core.ranks, is_stuck);
    });
}

/// By the counters; else by a look that is old enough, of ranks whose progress only a look
/// can tell.
bool HangJudge::none_has_moved(Clock::time_point now,
                               std::span<const RankProgress> ranks,
                               const model::JobSnapshot& snapshot) const {
    std::vector<bool> unmoved(snapshot.ranks.size());
    if (all_blocked_ && now - all_blocked_at_ >= hang_after_) {
        unmoved = analysis::unmoved_ranks(analysis::JobIndex(*all_blocked_),
                                          analysis::JobIndex(snapshot));
    }
    for (std::size_t i = 0; i < snapshot.ranks.size(); ++i) {
        const model::RankSnapshot& rank = snapshot.ranks[i];
        if (rank.state == RankState::Exited) continue;
        const RankProgress* progress = find(ranks, rank.pid);
        const bool counted = progress != nullptr && progress->counted;
        if (counted && is_stalled(*progress, now)) continue;
        if (counted || !rank.progress_count || !unmoved[i]) return false;
    }
    return true;
}

Judgement HangJudge::judge(Clock::time_point now,
                           std::span<const RankProgress> ranks,
                           const session::Findings& findings) {
    const model::JobSnapshot& snapshot = findings.snapshot;
    last_look_ = now;
    last_stop_ms_ = snapshot.stopped_ms;
    if (is_proven(findings.verdict) && cores_are_stalled(now, ranks, findings))
        return Judgement::Hang;

    const bool all_blocked = any_in(snapshot, RankState::Blocked) &&
                             !any_in(snapshot, RankState::Running) &&
                             !any_in(snapshot, RankState::Unreadable);
    if (!all_blocked) {
        all_blocked_.reset();
        const bool is_late = !any_in(snapshot, RankState::Unreadable) &&
                             any_in(snapshot, RankState::Blocked) &&
                             std::ranges::all_of(ranks, [&](const RankProgress& rank) {
                                 return rank.counted && is_stalled(rank, now);
                             });
        return is_late ? Judgement::Late : Judgement::GoesOn;
    }
    const bool hangs = none_has_moved(now, ranks, snapshot);
    // The older look tells more, as long as nothing was seen to change since.
    if (!all_blocked_ || now - all_blocked_at_ >= hang_after_) {
        all_blocked_ = snapshot;
        all_blocked_at_ = now;
    }
    if (hangs) return Judgement::Hang;
    const bool blind = std::ranges::none_of(snapshot.ranks, [&](const auto& rank) {
        const RankProgress* progress = find(ranks, rank.pid);
        return rank.progress_count || (progress != nullptr && progress->counted);
    });
    return blind ? Judgement::Blind : Judgement::GoesOn;
}

bool HangJudge::is_news(Judgement judgement, const session::Findings& findings) {
    if (judgement == Judgement::GoesOn) return false;
    std::string key = fmt::format("{}", static_cast<int>(judgement));
    for (const analysis::Core& core : findings.verdict.cores) {
        for (const model::WorldRank rank : core.ranks) {
            key += fmt::format(
                " {}:{}", rank.value, findings.snapshot.ranks[rank.index()].call_identity);
        }
        key += ";";
    }
    for (const model::WorldRank rank : findings.verdict.running)
        key += fmt::format(" running {}", rank.value);
    return told_.insert(std::move(key)).second;
}

}  // namespace mqinspect::launch
