#include "thread_level/analysis/executor.h"

namespace mqinspect::thread_level {
namespace {

constexpr Executor kNobody = {.who = Who::Nobody};

Executor of_guard(RegionId id, Condition condition, std::int64_t number) {
    switch (condition) {
        case Condition::ThreadIsZero:
            return {.who = Who::Master};
        case Condition::ThreadIsOther:
            if (number > 0)
                return {.who = Who::Numbered, .instance = static_cast<std::uint64_t>(number)};
            return {.who = Who::One, .instance = id};
        case Condition::DrewNumber:
            return {.who = Who::One, .instance = id};
        case Condition::ThreadIsNotZero:
            return {.who = Who::Others};
        case Condition::IsMainThread:
            return {.who = Who::Main};
        case Condition::IsNotMainThread:
            return {.who = Who::Others};
        case Condition::NotInParallel:
        case Condition::OneThread:
            return kNobody;
        case Condition::None:
        case Condition::InParallel:
        case Condition::SeveralThreads:
        case Condition::LevelAtLeast:
        case Condition::LevelBelow:
        case Condition::ArgumentIs:
        case Condition::ArgumentIsNot:
        case Condition::OuterIsZero:
        case Condition::ArgumentIsShared:
        case Condition::ArgumentIsPositive:
        case Condition::ArgumentIsNotPositive:
        case Condition::Initialized:
        case Condition::NotInitialized:
        case Condition::MadeBefore:
        case Condition::ArgumentIsOrLeftOut:
        case Condition::NoThread:
            break;
    }
    return {};
}

bool is_of_index(Executor executor) {
    return executor.who == Who::Numbered && executor.instance >= kFirstIndex;
}

Executor narrow_one(Executor outer, Executor inner) {
    return inner.who == Who::Main || inner.who == Who::Nobody ? inner : outer;
}

/// `outer` is one thread, by number 0 for the master.
Executor narrow_numbered(Executor outer, Executor inner) {
    if (is_of_index(outer)) return narrow_one(outer, inner);
    if (is_of_index(inner)) return outer;
    const std::uint64_t number = outer.who == Who::Numbered ? outer.instance : 0;
    switch (inner.who) {
        case Who::Master:
            return number == 0 ? outer : kNobody;
        case Who::Others:
            return number == 0 ? kNobody : outer;
        case Who::Numbered:
            return inner.instance == number ? outer : kNobody;
        case Who::Main:
            return number == 0 ? inner : kNobody;
        case Who::Nobody:
            return kNobody;
        case Who::All:
        case Who::One:
            break;
    }
    return outer;
}

}  // namespace

Executor executor_of(const Region& region, RegionId id, Condition condition, std::int64_t number) {
    switch (region.kind) {
        case RegionKind::Single:
        case RegionKind::Section:
        case RegionKind::Masked:
            return {.who = Who::One, .instance = id};
        case RegionKind::Master:
            return {.who = Who::Master};
        case RegionKind::Guard:
            return of_guard(id, condition, number);
        case RegionKind::Function:
        case RegionKind::Parallel:
        case RegionKind::Teams:
        case RegionKind::Sections:
        case RegionKind::Loop:
        case RegionKind::Ordered:
        case RegionKind::Critical:
        case RegionKind::Task:
        case RegionKind::Taskloop:
        case RegionKind::Taskgroup:
        case RegionKind::Scope:
            break;
    }
    return {};
}

Executor narrow(Executor outer, Executor inner) {
    switch (outer.who) {
        case Who::All:
            return inner;
        case Who::Others:
            if (inner.who == Who::Master || inner.who == Who::Main) return kNobody;
            return inner.who == Who::All ? outer : inner;
        case Who::Master:
        case Who::Numbered:
            return narrow_numbered(outer, inner);
        case Who::Main:
            if ((inner.who == Who::Numbered && !is_of_index(inner)) || inner.who == Who::Others)
                return kNobody;
            return inner.who == Who::Nobody ? inner : outer;
        case Who::One:
            return narrow_one(outer, inner);
        case Who::Nobody:
            break;
    }
    return kNobody;
}

Executor narrow_number(Executor known, Executor inner) {
    return inner.who == Who::One ? known : narrow(known, inner);
}

Executor called_at(StepId step, Executor callee) {
    if (callee.who != Who::One) return callee;
    constexpr std::uint64_t mix = 0x9e37'79b9'7f4a'7c15;
    const std::uint64_t mixed = (callee.instance + 1) * mix;
    return {.who = Who::One, .instance = (std::uint64_t{step} + 1) << 32 | (mixed >> 32)};
}

bool is_same_thread(Executor a, Executor b) {
    const auto is_zero = [](Executor each) {
        return each.who == Who::Master || each.who == Who::Main;
    };
    if (is_zero(a) && is_zero(b)) return true;
    return (a.who == Who::Numbered || a.who == Who::One) && a == b;
}

bool is_same_number(Executor a, Executor b) {
    return a.who != Who::One && is_same_thread(a, b);
}

}  // namespace mqinspect::thread_level
