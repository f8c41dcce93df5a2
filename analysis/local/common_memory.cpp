// Windows that have memory in common: their operations conflict as those of one window do, but
// neither epochs nor locks of the one order those of the other.

#include <memory>

#include "analysis/local/conflict_check.h"

namespace mqinspect::analysis {

using model::ProcessId;

void ConflictCheck::begin_shared_round(Cursor& cursor, std::int64_t first) {
    for (auto& [id, window] : cursor.windows) {
        if (facts_.first_sharing(id) != first) continue;
        for (std::vector<Aimed>* const going_on : {&window.unflushed, &window.unclosed}) {
            for (Aimed& aimed : *going_on) {
                add_shared(cursor, id, aimed);
                aimed.shared_before = true;
            }
        }
    }
    accesses_.leave({first, TargetAccesses::Shared, cursor.shared_rounds[first]++},
                    facts_.members(first)->size());
}

void ConflictCheck::add_shared(Cursor& cursor, std::int64_t id, const Aimed& aimed) {
    const std::int64_t first = facts_.first_sharing(id);
    if (first < 0) return;
    const ProcessId target = (*facts_.members(id))[static_cast<std::size_t>(aimed.target)];
    const model::RecordedWindow::Part* const part = facts_.definition(id).part_of(target);
    if (part == nullptr) return;
    const auto base = static_cast<std::int64_t>(part->base);
    Aimed placed = aimed;
    placed.access.window = id;
    // A lock of one window keeps nobody out of the other one.
    placed.access.exclusive = false;
    placed.access.carried = aimed.shared_before;
    // It was there before those of this round.
    if (aimed.shared_before) placed.access.ordered = false;
    placed.access.memory.address += base;
    placed.access.memory.hull.low += base;
    placed.access.memory.hull.high += base;
    add({first, TargetAccesses::Shared, cursor.shared_rounds[first]}, placed);
}

Heard ConflictCheck::heard_in_start(const Cursor& cursor,
                                    std::int64_t id,
                                    const WindowView& window,
                                    ProcessId target) {
    const Cursor& exposed = cursors_[target.index()];
    const auto there = exposed.windows.find(id);
    if (!calls_.has_clocks() || there == exposed.windows.end() ||
        there->second.at_post.known == nullptr)
        return {true, 0, nullptr};
    const Heard& post = there->second.at_post;
    const bool anybody = window.at_start.of_anybody || post.of_anybody ||
                         may_know_of_others(cursor, id, window, window.at_start.event);
    auto known = std::make_shared<Clock>(*calls_.clock_of(cursor.process));
    join_clock(*known, *post.known);
    return {anybody, 0, std::move(known)};
}

void ConflictCheck::keep_unclosed(const Cursor& cursor,
                                  std::int64_t id,
                                  WindowView& window,
                                  const Aimed& aimed) {
    if (facts_.first_sharing(id) < 0 || window.unclosed.size() >= kMaxUnflushed) return;
    Aimed& kept = window.unclosed.emplace_back(aimed);
    Heard heard;
    if (window.started.empty()) {
        heard = {may_know_of_others(cursor, id, window), 0, calls_.clock_of(cursor.process)};
    } else {
        const auto target = static_cast<std::size_t>(aimed.target);
        heard = heard_in_start(cursor, id, window, (*facts_.members(id))[target]);
    }
    kept.access.ordered = heard.of_anybody;
    kept.access.known = heard.known;
}

void ConflictCheck::close_epoch(Cursor& cursor,
                                std::int64_t id,
                                WindowView& window,
                                std::uint64_t event) {
    for (Aimed& aimed : window.unclosed) {
        aimed.access.completed = event;
        add_shared(cursor, id, aimed);
    }
    window.unclosed.clear();
}

}  // namespace mqinspect::analysis
