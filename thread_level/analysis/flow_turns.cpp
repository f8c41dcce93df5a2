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

/// A write ends all turns of the variable.
void Flow::number_turns(Exclusions& exclusions) {
    for (const auto& [variable, number] : program_.first_turns(shape_.function())) {
        const Exclusion turn{.kind = Exclusion::Kind::Turn, .name = variable, .number = number};
        const LockSet bit = lock_bit(exclusions.intern(turn));
        turns_ |= bit;
        first_turns_ |= bit;
    }
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
