#include "thread_level/analysis/states.h"

#include <algorithm>

namespace mqinspect::thread_level {
namespace {

constexpr StateSet kNothing = 0;
constexpr StateSet kSerial = set_of(State::Serial);
constexpr StateSet kTeam = set_of(State::Team);
constexpr StateSet kOne = set_of(State::OneThread);
constexpr StateSet kMain = set_of(State::MainThread);
constexpr StateSet kTeamOfOne = set_of(State::TeamOfOne);
constexpr StateSet kNested = set_of(State::NestedTeam);
constexpr StateSet kOneOfNested = set_of(State::OneOfNestedTeam);
constexpr StateSet kAny = kAnyOfTeamSet;

/// By state, Foreign and AnyOfTeam last.
using Row = StateSet[kAllStates];

constexpr Row kStay = {
    kSerial, kTeam, kOne, kMain, kTeamOfOne, kNested, kOneOfNested, kForeignSet, kAny};
/// A team of a foreign thread is like one that a single thread of a team makes.
constexpr Row kParallel = {
    kTeam, kNested, kTeamOfOne, kTeam, kNested, kNested, kNested, kTeamOfOne, kTeamOfOne};
/// A team of one thread, in each of those that come: of several threads each is number 0 there.
constexpr Row kParallelOfOne = {
    kSerial, kNested, kOne, kMain, kNested, kNested, kOneOfNested, kForeignSet, kAny};
/// One inside one is the paper's "invalid state"; what is executed stays as it is.
constexpr Row kSingle = {
    kSerial, kAny, kOne, kMain, kOne, kOneOfNested, kOneOfNested, kForeignSet, kAny};
constexpr Row kMaster = {
    kSerial, kMain, kOne, kMain, kOne, kOneOfNested, kOneOfNested, kForeignSet, kMain};
/// Any thread of the team executes a task, and may ask for its number there. Without a team it is
/// executed at once.
constexpr Row kTask = {
    kSerial, kAny, kOne, kAny, kOne, kOneOfNested, kOneOfNested, kForeignSet, kAny};
/// One that may go on on another thread, whatever number it had.
constexpr Row kUntiedTask = {
    kSerial, kOne, kOne, kOne, kOne, kOneOfNested, kOneOfNested, kForeignSet, kOne};
/// Thread k of a team of one is not there, if k is not 0.
constexpr Row kKnownOther = {
    kNothing, kOne, kOne, kNothing, kOne, kOneOfNested, kOneOfNested, kNothing, kOne};
constexpr Row kUnknownOther = {
    kSerial, kAny, kOne, kMain, kOne, kOneOfNested, kOneOfNested, kForeignSet, kAny};
constexpr Row kNotZero = {
    kNothing, kTeam, kOne, kNothing, kTeamOfOne, kNested, kOneOfNested, kNothing, kOne};
/// There is one main thread in the process, however the teams nest.
constexpr Row kIsMain = {kSerial, kMain, kMain, kMain, kMain, kMain, kMain, kNothing, kMain};
constexpr Row kIsNotMain = {
    kNothing, kTeam, kOne, kNothing, kTeamOfOne, kNested, kOneOfNested, kForeignSet, kOne};
/// Teams of one thread count as none.
constexpr Row kNotInParallel = {
    kSerial, kSerial, kSerial, kSerial, kSerial, kSerial, kSerial, kForeignSet, kSerial};
constexpr Row kInParallel = {
    kNothing, kTeam, kOne, kMain, kTeamOfOne, kNested, kOneOfNested, kNothing, kAny};
constexpr Row kTeamIsOneThread = {
    kSerial, kSerial, kSerial, kSerial, kOne, kNested, kOneOfNested, kForeignSet, kSerial};

const Row& row_of(Condition condition, std::int64_t number) {
    switch (condition) {
        case Condition::ThreadIsZero:
            return kMaster;
        case Condition::ThreadIsOther:
            return number > 0 ? kKnownOther : kUnknownOther;
        case Condition::DrewNumber:
            return kUnknownOther;
        case Condition::ThreadIsNotZero:
            return kNotZero;
        case Condition::IsMainThread:
            return kIsMain;
        case Condition::IsNotMainThread:
            return kIsNotMain;
        case Condition::NotInParallel:
            return kNotInParallel;
        case Condition::InParallel:
        case Condition::SeveralThreads:
            return kInParallel;
        case Condition::OneThread:
            return kTeamIsOneThread;
        case Condition::None:
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
    return kStay;
}

const Row& row_of(const Region& region, Condition condition, std::int64_t number) {
    switch (region.kind) {
        case RegionKind::Parallel:
            return region.team == Team::Never ? kParallelOfOne : kParallel;
        case RegionKind::Single:
        case RegionKind::Section:
        case RegionKind::Masked:
            return kSingle;
        case RegionKind::Master:
            return kMaster;
        case RegionKind::Task:
            if (region.team == Team::Never) return kStay;
            return may_change_thread(region) ? kUntiedTask : kTask;
        case RegionKind::Taskloop:
            return may_change_thread(region) ? kUntiedTask : kTask;
        case RegionKind::Guard:
            return row_of(condition, number);
        case RegionKind::Function:
        case RegionKind::Teams:
        case RegionKind::Sections:
        case RegionKind::Loop:
        case RegionKind::Ordered:
        case RegionKind::Critical:
        case RegionKind::Taskgroup:
        case RegionKind::Scope:
            break;
    }
    return kStay;
}

}  // namespace

std::uint8_t public_states(StateSet states) {
    constexpr StateSet own = kForeignSet | kAnyOfTeamSet;
    return static_cast<std::uint8_t>((states & ~own) | ((states & own) != 0 ? kOne : 0));
}

Level level_from(std::int64_t number) {
    return static_cast<Level>(std::clamp<std::int64_t>(number, 0, 3));
}

Transfer::Transfer() {
    for (int state = 0; state < kAllStates; ++state)
        become_[state] = kStay[state];
}

Transfer::Transfer(const Region& region, Condition condition, std::int64_t number) {
    const Row& row = row_of(region, condition, number);
    const bool perhaps = region.kind == RegionKind::Parallel && region.team == Team::Perhaps;
    for (int state = 0; state < kAllStates; ++state)
        become_[state] = static_cast<StateSet>(row[state] | (perhaps ? kParallelOfOne[state] : 0));
}

Transfer Transfer::then(const Transfer& next) const {
    Transfer both;
    for (int state = 0; state < kAllStates; ++state)
        both.become_[state] = next.apply(become_[state]);
    return both;
}

StateSet Transfer::apply(StateSet states) const {
    StateSet result = 0;
    for (int state = 0; state < kAllStates; ++state) {
        if ((states >> state & 1) != 0) result = static_cast<StateSet>(result | become_[state]);
    }
    return result;
}

Level level_of(StateSet states) {
    if ((states & ~kMainThread) != 0) return Level::Serialized;
    return (states & set_of(State::MainThread)) != 0 ? Level::Funneled : Level::Single;
}

bool makes_team(const Region& region) {
    return region.kind == RegionKind::Parallel && region.team != Team::Never;
}

RegionId team_around(std::span<const Region> regions, RegionId region) {
    while (region != 0 && !makes_team(regions[region]))
        region = regions[region].parent;
    return region;
}

bool has_own_team(const Region& region) {
    return region.kind == RegionKind::Parallel;
}

bool is_deferred_task(const Region& region) {
    return region.kind == RegionKind::Taskloop ||
           (region.kind == RegionKind::Task && region.team != Team::Never);
}

bool may_change_thread(const Region& task) {
    return task.number != kTied;
}

bool is_worksharing(RegionKind kind) {
    return kind == RegionKind::Single || kind == RegionKind::Sections ||
           kind == RegionKind::Section || kind == RegionKind::Loop;
}

bool is_inside(std::span<const Region> regions, RegionId region, RegionId outer) {
    while (region > outer && region != kNone)
        region = regions[region].parent;
    return region == outer;
}

}  // namespace mqinspect::thread_level
