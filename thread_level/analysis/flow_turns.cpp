#include <algorithm>

#include "thread_level/analysis/hasty_writes.h"
#include "thread_level/analysis/lock_use.h"
#include "thread_level/analysis/loops.h"
#include "thread_level/analysis/turns.h"
#include "thread_level/facts/values.h"

namespace mqinspect::thread_level {
namespace {

Exclusion exclusion_of(const Token& token, std::uint32_t number) {
    Exclusion exclusion{.kind = Exclusion::Kind::Lock, .name = *token.semaphores.begin()};
    if (token.is_in_order) {
        exclusion.kind = Exclusion::Kind::Turn;
        exclusion.number = number;
        exclusion.field = kTokenField;
    }
    return exclusion;
}

}  // namespace

/// Who has found a variable to be what it waits for has the turn until it writes to it. That only
/// who has the turn does so is taken for granted.
void Flow::take_turn(const Step& step, Exclusions& exclusions, LockUse& use) {
    if (program_.turns().unsure.contains(step.value.name)) return;
    if (program_.turns().tokens.locks.contains(step.value.name)) {
        if (step.turn != Turn::Begun) use_lock(step, exclusions, use);
        return;
    }
    take_tokens(step, exclusions, use);
    const std::optional<std::int64_t> number = number_in(step);
    if (step.kind == StepKind::Acquire && !number) return;
    Exclusion turn{.kind = Exclusion::Kind::Turn, .name = step.value.name, .field = 2};
    if (step.kind == StepKind::Acquire && number) {
        turn.number = static_cast<std::uint32_t>(*number);
        turn.field = step.turn == Turn::IsNot ? 1 : 0;
        // It is the other one then.
        const auto either = program_.turns().either.find(step.value.name);
        if (turn.field == 1 && either != program_.turns().either.end()) {
            const auto& [low, high] = either->second;
            turn.field = 0;
            turn.number = static_cast<std::uint32_t>(*number == low ? high : low);
            if (*number != low && *number != high) return;
        }
    }
    const LockSet bit = lock_bit(exclusions.intern(turn));
    turns_ |= bit;
    (step.kind == StepKind::Release ? use.release : use.take) |= bit;
    if (step.kind == StepKind::Acquire && step.turn == Turn::Is)
        take_latches_before(step, exclusions, use);
}

/// Who has waited for a latch has waited for those, too, that were waited for before.
void Flow::take_latches_before(const Step& step, Exclusions& exclusions, LockUse& use) {
    const Turns& turns = program_.turns();
    const auto before = turns.latches_before.find(step.value.name);
    if (before == turns.latches_before.end()) return;
    for (const StringId latch : before->second) {
        if (turns.unsure.contains(latch)) continue;
        const LockSet bit = lock_bit(exclusions.intern(
            {.kind = Exclusion::Kind::Turn, .name = latch, .number = 1, .field = 0}));
        turns_ |= bit;
        use.take |= bit;
    }
}

/// What a step is about, a constant, or what the function is known to be handed.
std::optional<std::int64_t> Flow::number_in(const Step& step) const {
    if (step.arguments.empty()) return std::nullopt;
    const Value& value = step.arguments.front();
    if (value.kind == Value::Kind::Constant) return value.number;
    const bool is_handed = is_whole_parameter(value) && value.number >= 0 &&
                           static_cast<std::size_t>(value.number) < arguments_.size();
    return is_handed ? arguments_[static_cast<std::size_t>(value.number)] : std::nullopt;
}

/// Who has waited for a semaphore has the token until it posts one.
void Flow::take_tokens(const Step& step, Exclusions& exclusions, LockUse& use) {
    const Tokens& tokens = program_.turns().tokens;
    const auto found = tokens.of_semaphore.find(step.value.name);
    if (step.turn == Turn::Begun || found == tokens.of_semaphore.end()) return;
    for (const std::uint32_t number : found->second) {
        const Token& token = tokens.all[number];
        const LockSet bit = lock_bit(exclusions.intern(exclusion_of(token, number)));
        if (token.is_in_order) turns_ |= bit;
        (step.kind == StepKind::Release ? use.release : use.take) |= bit;
    }
}

/// From where an iteration waits for the one before, to where it lets the next one go on.
void Flow::keep_order(const Step& step, Exclusions& exclusions, LockUse& use) {
    RegionId loop = step.region;
    while (loop != 0 && shape_.regions()[loop].kind != RegionKind::Loop)
        loop = shape_.regions()[loop].parent;
    if (loop == 0) return;
    const LockSet bit = lock_bit(exclusions.intern(
        {.kind = Exclusion::Kind::Ordered, .function = shape_.function(), .number = loop}));
    (step.kind == StepKind::Release ? use.release : use.take) |= bit;
}

LockSet Flow::turns_of(StringId variable, const Exclusions& exclusions) const {
    LockSet turns = 0;
    for (std::size_t i = 0; i < locks_.size(); ++i) {
        const Exclusion& lock = exclusions[locks_[i]];
        if (lock.kind == Exclusion::Kind::Turn && lock.name == variable &&
            lock.field != kTokenField)
            turns |= LockSet{1} << i;
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
    LockSet held = (before_[step].held & turns_) | job_counts_;
    for (const TeamTurn& turn : team_turns_) {
        if ((held & turn.bit) != 0 && !is_kept(turn, step, exclusions)) held &= ~turn.bit;
    }
    for (LockSet rest = held & latches_; rest != 0; rest &= rest - 1) {
        const LockSet latch = rest & ~(rest - 1);
        const bool is_job = (latch & job_counts_) != 0;
        if (!is_latch_ahead(step, latch) || (is_job && draws_before(step, latch))) held &= ~latch;
    }
    return exclusions.unite(set_of(held, exclusions), tokens_at(step, exclusions));
}

/// Of tokens that go round in an order.
ExclusionSet Flow::tokens_at(StepId step, Exclusions& exclusions) const {
    const std::vector<Token>& all = program_.turns().tokens.all;
    std::vector<ExclusionId> held;
    for (std::uint32_t number = 0; number < all.size(); ++number) {
        if (all[number].is_in_order && all[number].places.contains({shape_.function(), step}))
            held.push_back(exclusions.intern(exclusion_of(all[number], number)));
    }
    return exclusions.intern(std::move(held));
}

/// Whether who is at `step` has yet to count the latch down, whichever way it goes.
bool Flow::is_latch_ahead(StepId step, LockSet latch) const {
    const std::span<const Step> steps = shape_.steps();
    std::vector<bool> seen(steps.size(), false);
    std::vector<StepId> open{step};
    bool counts = false;
    while (!open.empty()) {
        const StepId at = open.back();
        open.pop_back();
        const auto use = locking_.find(at);
        if (use != locking_.end() && (use->second.release & latch) != 0) {
            counts = true;
            continue;
        }
        if (steps[at].kind == StepKind::Exit) return false;
        for (const StepId next : steps[at].next) {
            if (seen[next]) continue;
            seen[next] = true;
            open.push_back(next);
        }
    }
    return counts;
}

/// Whether who comes to `step` has always counted before: by that it has got the job, rather than
/// done it.
bool Flow::draws_before(StepId step, LockSet count) const {
    return comes_only_by(shape_.steps(), step, [&](StepId at) {
        const auto use = locking_.find(at);
        return use != locking_.end() && (use->second.release & count) != 0;
    });
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

/// What the function begins with, and what a thread has from where it starts another one.
void Flow::number_first_turns(Exclusions& exclusions) {
    const Turns& turns = program_.turns();
    const FunctionId function = shape_.function();
    const auto bit_of = [&](const auto& first) {
        const auto& [variable, number] = first;
        const LockSet bit = lock_bit(
            exclusions.intern({.kind = Exclusion::Kind::Turn, .name = variable, .number = number}));
        turns_ |= bit;
        if (number == 0 && turns.latches.contains(variable)) latches_ |= bit;
        return bit;
    };
    if (const auto own = turns.of_thread.find(function); own != turns.of_thread.end()) {
        for (const auto& first : own->second) {
            const LockSet bit = bit_of(first);
            first_turns_ |= bit;
            if (turns.job_counts.contains(first.first)) job_counts_ |= bit & latches_;
        }
    }
    for (auto start = turns.of_starter.lower_bound({function, 0});
         start != turns.of_starter.end() && start->first.first == function;
         ++start) {
        for (const auto& first : start->second)
            locking_[start->first.second].take |= bit_of(first);
    }
    for (std::uint32_t number = 0; number < turns.tokens.all.size(); ++number) {
        const Token& token = turns.tokens.all[number];
        if (!token.holders.contains(function)) continue;
        const LockSet bit = lock_bit(exclusions.intern(exclusion_of(token, number)));
        if (token.is_in_order) turns_ |= bit;
        first_turns_ |= bit;
    }
}

/// A write ends all turns of the variable.
void Flow::number_turns(Exclusions& exclusions) {
    const Turns& turns = program_.turns();
    const FunctionId function = shape_.function();
    number_first_turns(exclusions);
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
    turns_ |= team_turns();
    if (turns_ == 0) return;
    for (auto& [step, locking] : locking_) {
        LockSet written = 0;
        for (std::size_t i = 0; i < locks_.size(); ++i) {
            const bool is_token = exclusions[locks_[i]].field == kTokenField;
            if (!is_token && (locking.release & turns_ & LockSet{1} << i) != 0)
                written |= turns_of(exclusions[locks_[i]].name, exclusions);
        }
        locking.release |= written;
    }
    refute_turns(exclusions);
    drop_hasty_turns(exclusions);
}

/// Others may write to the variable as soon as it has been found to be something.
void Flow::drop_hasty_turns(const Exclusions& exclusions) {
    for (const auto& [variable, writes] : program_.turns().hasty) {
        const LockSet turns = turns_of(variable, exclusions);
        for (const HastyWrite& write : writes) {
            OverTurns over{.is_locked = write.is_locked};
            for (std::size_t i = 0; i < locks_.size(); ++i) {
                const LockSet bit = turns & LockSet{1} << i;
                if (bit != 0 && ends(write, exclusions[locks_[i]])) over.turns |= bit;
                if (bit != 0 && rules_out(exclusions[locks_[i]], write)) over.unless |= bit;
            }
            if (over.turns != 0) over_turns_.push_back(over);
        }
    }
    if (!over_turns_.empty() && !is_of_threads(program_, shape_.function())) over_turns_.clear();
}

LockSet Flow::without_over(LockSet held) const {
    const bool has_lock = (held & ~turns_) != 0;
    for (bool changed = !over_turns_.empty(); changed;) {
        const LockSet before = held;
        for (const OverTurns& over : over_turns_) {
            const bool is_kept = (over.is_locked && has_lock) || (held & over.unless) != 0;
            if (!is_kept) held &= ~over.turns;
        }
        changed = held != before;
    }
    return held;
}

/// Who finds a variable to be something else does not rely on what it was before.
void Flow::refute_turns(Exclusions& exclusions) {
    for (auto& [step, locking] : locking_) {
        const ExclusionSet found = set_of(locking.take & turns_, exclusions);
        for (std::size_t i = 0; i < locks_.size() && found != 0; ++i) {
            const LockSet bit = turns_ & LockSet{1} << i & ~locking.take;
            if (are_different_turns(exclusions, set_of(bit, exclusions), found))
                locking.refute |= bit;
        }
    }
}

/// What counts that a barrier has been passed: it, and all those at which the same threads wait.
std::vector<StringId> Flow::counted_at(const Step& step) const {
    const SharedBarriers& barriers = program_.turns().barriers;
    const auto found = barriers.find(step.value.name);
    if (found == barriers.end()) return {};
    if (found->second == 0) return {found->first};
    return {found->first, found->second};
}

/// Barriers that the function passes, or what it calls.
void Flow::number_rounds() {
    for (const Step& step : shape_.steps()) {
        if (step.turn != Turn::Passed || step.kind != StepKind::Acquire) continue;
        for (const StringId barrier : counted_at(step))
            first_rounds_[barrier] = kNoRound;
    }
    for (const auto& [step, effect] : effects_) {
        for (const auto& [barrier, rounds] : effect.rounds)
            first_rounds_[barrier] = kNoRound;
    }
}

}  // namespace mqinspect::thread_level
