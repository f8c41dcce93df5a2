#include <algorithm>

#include "thread_level/analysis/lock_use.h"
#include "thread_level/analysis/turns.h"

namespace mqinspect::thread_level {

/// Who has found a variable to be what it waits for has the turn until it writes to it. That only
/// who has the turn does so is taken for granted.
void Flow::take_turn(const Step& step, Exclusions& exclusions, LockUse& use) {
    const bool is_known =
        !step.arguments.empty() && step.arguments.front().kind == Value::Kind::Constant;
    Exclusion turn{.kind = Exclusion::Kind::Turn, .name = step.value.name, .field = 2};
    if (step.kind == StepKind::Acquire && is_known) {
        turn.number = static_cast<std::uint32_t>(step.arguments.front().number);
        turn.field = step.turn == Turn::IsNot ? 1 : 0;
    }
    const LockSet bit = lock_bit(exclusions.intern(turn));
    turns_ |= bit;
    (step.kind == StepKind::Release ? use.release : use.take) |= bit;
}

LockSet Flow::turns_of(StringId variable, const Exclusions& exclusions) const {
    LockSet turns = 0;
    for (std::size_t i = 0; i < locks_.size(); ++i) {
        const Exclusion& lock = exclusions[locks_[i]];
        if (lock.kind == Exclusion::Kind::Turn && lock.name == variable) turns |= LockSet{1} << i;
    }
    return turns;
}

LockSet Flow::first_turns(std::uint32_t scope) const {
    if (scope == 0) return first_turns_;
    LockSet turns = 0;
    for (const TeamTurn& turn : team_turns_) {
        if (turn.scope == scope) turns |= turn.bit;
    }
    return turns;
}

LockSet Flow::team_turns() const {
    LockSet turns = 0;
    for (const TeamTurn& turn : team_turns_)
        turns |= turn.bit;
    return turns;
}

ExclusionSet Flow::turns_at(StepId step, Exclusions& exclusions) const {
    LockSet held = before_[step].held & turns_;
    for (const TeamTurn& turn : team_turns_) {
        if ((held & turn.bit) != 0 && !is_kept(turn, step, exclusions)) held &= ~turn.bit;
    }
    return set_of(held, exclusions);
}

/// Whether nobody but the thread at `step` may have written to the variable since the team started,
/// unless it has been handed the turn by a write before.
bool Flow::is_kept(const TeamTurn& turn, StepId step, Exclusions& exclusions) const {
    const RegionId team = shape_.scopes()[turn.scope].region;
    const Executor executor = shape_.path(shape_.steps()[step].region).executor;
    return std::all_of(locking_.begin(), locking_.end(), [&](const auto& each) {
        const auto& [write, locking] = each;
        const RegionId region = shape_.steps()[write].region;
        if ((locking.release & turn.bit) == 0 || !shape_.is_inside(region, team)) return true;
        if (shape_.scope_of(region) != turn.scope) return false;
        if (!before_[write].is_reached) return true;
        const Path& path = shape_.path(region);
        if (path.task != kNone) return false;
        if (is_in_turn(turn, write, exclusions)) return true;
        const bool is_one = executor.who == Who::One && executor == path.executor;
        return is_one || is_same_thread(executor, path.executor);
    });
}

/// Whether who writes has found the variable to be something else before.
bool Flow::is_in_turn(const TeamTurn& turn, StepId write, Exclusions& exclusions) const {
    const LockSet found = before_[write].held & turns_ & ~team_turns();
    return are_different_turns(exclusions, set_of(turn.bit, exclusions), set_of(found, exclusions));
}

/// A write ends all turns of the variable.
void Flow::number_turns(Exclusions& exclusions) {
    const Turns& turns = program_.turns();
    const FunctionId function = shape_.function();
    if (const auto own = turns.of_thread.find(function); own != turns.of_thread.end()) {
        for (const auto& [variable, number] : own->second) {
            first_turns_ |= lock_bit(exclusions.intern(
                {.kind = Exclusion::Kind::Turn, .name = variable, .number = number}));
        }
    }
    for (std::uint32_t scope = 1; scope < shape_.scopes().size(); ++scope) {
        const auto own = turns.of_team.find({function, shape_.scopes()[scope].region});
        if (own == turns.of_team.end()) continue;
        for (const auto& [variable, number] : own->second) {
            // Another one than that of who has found out.
            const Exclusion turn{.kind = Exclusion::Kind::Turn,
                                 .name = variable,
                                 .function = function,
                                 .number = number};
            team_turns_.push_back({.bit = lock_bit(exclusions.intern(turn)), .scope = scope});
        }
    }
    turns_ |= first_turns_ | team_turns();
    if (turns_ == 0) return;
    for (auto& [step, locking] : locking_) {
        LockSet written = 0;
        for (std::size_t i = 0; i < locks_.size(); ++i) {
            if ((locking.release & turns_ & LockSet{1} << i) != 0)
                written |= turns_of(exclusions[locks_[i]].name, exclusions);
        }
        locking.release |= written;
    }
}

}  // namespace mqinspect::thread_level
