#include <algorithm>
#include <string>

#include "thread_level/analysis/flow.h"
#include "thread_level/analysis/lock_use.h"
#include "thread_level/analysis/states.h"
#include "thread_level/analysis/turn_values.h"

namespace mqinspect::thread_level {

void Flow::number_locks(Exclusions& exclusions) {
    const std::span<const Step> steps = shape_.steps();
    std::vector<LockUse> uses;
    some_lock_ = exclusions.intern(Exclusion{.kind = Exclusion::Kind::Unknown});
    for (StepId i = 0; i < steps.size(); ++i) {
        const Step& step = steps[i];
        LockUse use{.step = i, .is_conditional = step.is_conditional};
        if (is_excluded_[step.region] || is_for_lower_levels(step)) continue;
        if (step.kind == StepKind::Acquire || step.kind == StepKind::Release) {
            use.variable = step.name;
            if (step.turn == Turn::InOrder) {
                keep_order(step, exclusions, use);
            } else if (step.turn != Turn::No && step.turn != Turn::Passed) {
                take_turn(step, exclusions, use);
            } else if (step.turn == Turn::No) {
                use_lock(step, exclusions, use);
            }
        } else if (const CallEffect* effect = effect_of(i); effect != nullptr) {
            use.variable = step.value.name;
            use_locks_of(*effect, exclusions, use);
        }
        takes_some_ = takes_some_ || use.takes_some;
        releases_some_ = releases_some_ || use.releases_some;
        if ((use.take | use.take_perhaps | use.release) == 0 && !use.releases_some) continue;
        Locking& locking = locking_[i];
        locking.take = use.take;
        locking.take_perhaps = use.take_perhaps;
        if (step.kind == StepKind::Acquire && step.is_by_type) locking.tried = use.take;
        locking.release = use.release;
        locking.releases_some = use.releases_some;
        uses.push_back(use);
    }
    for (const LockUse& use : uses) {
        if (use.is_conditional) add_condition(use, uses);
    }
    number_turns(exclusions);
}

/// Whether a lock is taken or released only where the provided level is not even
/// MPI_THREAD_SERIALIZED: for calls that come at all levels that is none. For those under the same
/// condition it is one.
bool Flow::is_for_lower_levels(const Step& step) const {
    constexpr int least = static_cast<int>(Level::Serialized);
    const bool may_lock = step.kind == StepKind::Acquire || step.kind == StepKind::Release ||
                          step.kind == StepKind::Call;
    if (!may_lock || step.turn != Turn::No || shape_.path(step.region).below > least) return false;
    RegionId guard = step.region;
    while (shape_.path(shape_.regions()[guard].parent).below <= least)
        guard = shape_.regions()[guard].parent;
    const std::span<const Step> steps = shape_.steps();
    for (StepId i = 0; i < steps.size(); ++i) {
        if (!shape_.is_inside(steps[i].region, guard)) continue;
        const CallEffect* const effect = effect_of(i);
        if (steps[i].kind == StepKind::Mpi || (effect != nullptr && effect->calls_mpi))
            return false;
    }
    return true;
}

/// Elements of arrays are not known to be the same lock, unless a thread takes one element and
/// releases another: then they are a chain, and one after the other gets its turn. Who only takes
/// or only releases one, does it for others, with an index that they choose. A member of objects
/// may well be one lock.
void Flow::use_lock(const Step& step, Exclusions& exclusions, LockUse& use) {
    Exclusion exclusion;
    if (is_of_each_thread(step.value, shape_.regions(), step.region)) return;
    if (!excludes(step.value, shape_.function(), program_, exclusion)) {
        use.takes_some = step.kind == StepKind::Acquire;
        use.releases_some = !use.takes_some;
        return;
    }
    const LockSet bit = lock_bit(exclusions.intern(exclusion));
    if (step.kind == StepKind::Release) {
        use.release = bit;
    } else if (exclusion.kind != Exclusion::Kind::LockElement) {
        use.take = bit;
    } else if (may_exclude(use.step, step)) {
        use.take_perhaps = bit;
    }
}

/// Whether an element that is taken may be the one that others take.
bool Flow::may_exclude(StepId id, const Step& acquire) const {
    const std::span<const Step> steps = shape_.steps();
    const std::string& name = program_.unit().strings[acquire.value.name];
    if (name.find("::") != std::string::npos) return true;
    bool is_released_here = false;
    for (StepId i = 0; i < steps.size(); ++i) {
        const Value& other = steps[i].value;
        if (shape_.scope_of(steps[i].region) != shape_.scope_of(acquire.region)) continue;
        if (steps[i].kind != StepKind::Release || other.kind != Value::Kind::Element ||
            other.name != acquire.value.name)
            continue;
        if ((other.number == 1) != (acquire.value.number == 1)) return true;
        is_released_here = is_released_here || leads_to(id, i);
    }
    return !is_released_here && acquire.value.number != 1;
}

void Flow::use_locks_of(const CallEffect& effect, Exclusions& exclusions, LockUse& use) {
    for (const LockEffect& lock : effect.locks) {
        if (exclusions[lock.lock].kind == Exclusion::Kind::Unknown) {
            use.takes_some = use.takes_some || lock.is_held;
            use.releases_some = use.releases_some || lock.is_released;
            continue;
        }
        const LockSet bit = lock_bit(lock.lock);
        if (exclusions[lock.lock].kind == Exclusion::Kind::Turn) {
            turns_ |= bit;
            if (lock.is_released) use.release |= bit;
            if (lock.is_held) use.take |= bit;
            continue;
        }
        const bool is_element = exclusions[lock.lock].kind == Exclusion::Kind::LockElement;
        if (lock.is_released) use.release |= bit;
        if (lock.is_held && !is_element) {
            use.take |= bit;
        } else if (lock.is_held || lock.is_perhaps_held) {
            use.take_perhaps |= bit;
        }
    }
}

/// `if (use_lock)` in front of both taking and releasing: between them the lock is held wherever
/// the condition holds.
void Flow::add_condition(const LockUse& use, const std::vector<LockUse>& uses) {
    LockSet consistent = use.take | use.take_perhaps | use.release;
    for (const LockUse& other : uses) {
        if (other.is_conditional && other.variable != use.variable)
            consistent &= ~(other.take | other.take_perhaps | other.release);
    }
    const LockSet begins = (use.take | use.take_perhaps) & ~use.release & consistent;
    const LockSet ends = use.release & ~(use.take | use.take_perhaps) & consistent;
    if ((begins | ends) == 0) return;
    const RegionId region = shape_.steps()[use.step].region;
    for (const StepId step : branches_before(use.step)) {
        const Step& branch = shape_.steps()[step];
        const bool is_start = branch.kind == StepKind::Enter &&
                              shape_.is_inside(region, branch.target) &&
                              (shape_.scope_of(region) != shape_.scope_of(branch.region) ||
                               is_deferred_task(shape_.regions()[branch.target]));
        if (is_start) {
            entered_by_condition_[step] |= begins;
            continue;
        }
        for (const StepId next : branch.next) {
            if (!decides_on_lock(step, next, use.step)) continue;
            Conditional& way = conditional_[{step, next}];
            way.begins |= begins;
            way.ends |= ends;
        }
    }
}

/// Behind steps that only say what a variable is.
StepId Flow::behind_tests(StepId step) const {
    constexpr int most_tests = 16;  // they may go round for ever
    const std::span<const Step> steps = shape_.steps();
    for (int i = 0; i < most_tests && tests_turn(steps[step]) && steps[step].next.size() == 1; ++i)
        step = steps[step].next.front();
    return step;
}

/// Whether the way from a branch to `next` leads to the lock, or around it; not to something else
/// that is under a condition of its own.
bool Flow::decides_on_lock(StepId branch, StepId next, StepId lock) const {
    const std::span<const Step> steps = shape_.steps();
    const StepId to = behind_tests(next);
    if (to == lock) return true;
    const std::vector<StepId>& behind = steps[lock].next;
    const bool is_around = std::any_of(behind.begin(), behind.end(), [&](StepId each) {
        return each == next || behind_tests(each) == to;
    });
    return is_around || steps[branch].next.size() <= 2;
}

/// What a branch on the condition of a lock means on that way.
Flow::At Flow::on_way(At at, StepId step, StepId next) const {
    const auto found = conditional_.find({step, next});
    if (found == conditional_.end()) return at;
    const auto& [begins, ends] = found->second;
    at.held_by_condition = (at.held_by_condition & ~ends) | begins;
    at.perhaps_held &= ~ends;
    at.perhaps_taken &= ~ends;
    return at;
}

/// The steps right before, but for those that only say what a variable is on their way.
std::vector<StepId> Flow::branches_before(StepId id) const {
    std::vector<StepId> open = {id};
    std::vector<StepId> branches;
    std::vector<bool> seen(shape_.steps().size(), false);
    while (!open.empty()) {
        const StepId at = open.back();
        open.pop_back();
        for (StepId i = 0; i < shape_.steps().size(); ++i) {
            const std::vector<StepId>& next = shape_.steps()[i].next;
            if (std::find(next.begin(), next.end(), at) == next.end()) continue;
            if (seen[i]) continue;
            seen[i] = true;
            (tests_turn(shape_.steps()[i]) && next.size() == 1 ? open : branches).push_back(i);
        }
    }
    return branches;
}

LockSet Flow::lock_bit(ExclusionId lock) {
    const auto at = std::find(locks_.begin(), locks_.end(), lock);
    const auto index = static_cast<std::size_t>(at - locks_.begin());
    if (index >= 64) return 0;
    if (at == locks_.end()) locks_.push_back(lock);
    return LockSet{1} << index;
}

/// Who releases some lock has taken it, unless the function takes only locks that are known: then
/// it may be any of those.
void Flow::pass_locks(At& at, const Locking& locking) const {
    if (locking.releases_some && !takes_some_) {
        at.perhaps_held |= at.held & ~turns_;
        at.held &= turns_;
    }
    at.turns_left |= locking.release & turns_;
    at.held = (at.held & ~(locking.release | locking.refute)) | locking.take;
    at.held = without_over(at.held);
    at.perhaps_held = (at.perhaps_held & ~locking.release) | locking.take_perhaps;
    at.perhaps_taken = (at.perhaps_taken & ~locking.release) | (locking.take & ~locking.tried) |
                       locking.take_perhaps;
}

/// What the function has taken itself before it releases it, its caller holds as before: where it
/// is held there, it is one that a thread may take again. A lock that it gives back on one way, and
/// keeps on another, such as that of an error, does not count as one that is taken under a
/// condition.
std::vector<LockEffect> Flow::locks_at_end(std::uint32_t scope) const {
    LockSet released = 0;
    LockSet given_back = 0;  // what it has taken itself
    for (const auto& [step, locking] : locking_) {
        const At& before = before_[step];
        const LockSet own = before.held & ~turns_;
        if (!before.is_reached) continue;
        released |= locking.release & ~own;
        given_back |= locking.release & (before.held | before.perhaps_taken);
    }
    released &= ~team_turns();
    const At& end = ends_[scope];
    std::vector<LockEffect> effects;
    for (std::size_t i = 0; i < locks_.size(); ++i) {
        const LockSet bit = LockSet{1} << i;
        LockEffect effect{.lock = locks_[i]};
        effect.is_held = (end.held & bit) != 0;
        effect.is_perhaps_held = ((end.perhaps_held | end.held_by_condition) & bit) != 0 ||
                                 (!effect.is_held && (end.perhaps_taken & bit & ~given_back) != 0);
        effect.is_released = (released & bit) != 0;
        if (effect.is_held || effect.is_perhaps_held || effect.is_released)
            effects.push_back(effect);
    }
    if (takes_some_ != releases_some_) {
        effects.push_back(
            {.lock = some_lock_, .is_held = takes_some_, .is_released = releases_some_});
    }
    return effects;
}

}  // namespace mqinspect::thread_level
