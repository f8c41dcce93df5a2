#include "thread_level/analysis/absent_threads.h"

#include <algorithm>

#include "thread_level/facts/relations.h"

namespace mqinspect::thread_level {
namespace {

/// What a guard says of something that stays what it is while the function is executed.
struct LastingFact {
    Condition condition = Condition::None;
    std::int64_t number = 0;
    Value of;  ///< a Parameter or a Local; of levels Unknown
};

LastingFact fact_of(const Program& program, const Region& region) {
    LastingFact fact;
    if (region.kind != RegionKind::Guard) return fact;
    const ResolvedCondition said = program.condition(region);
    const bool is_level =
        said.condition == Condition::LevelAtLeast || said.condition == Condition::LevelBelow;
    const bool is_common = compares_common(region) && (said.condition == Condition::ArgumentIs ||
                                                       said.condition == Condition::ArgumentIsNot);
    if (is_level || is_common) {
        fact.condition = said.condition;
        fact.number = said.number;
        if (is_common) fact.of = region.tested;
    } else if (compares_argument(region)) {
        fact = {.condition = region.condition, .number = region.number, .of = region.tested};
    }
    return fact;
}

bool is_excluded_by(const LastingFact& one, const LastingFact& other) {
    if (one.of != other.of) return false;
    switch (one.condition) {
        case Condition::LevelAtLeast:
            return other.condition == Condition::LevelBelow && other.number <= one.number;
        case Condition::LevelBelow:
            return other.condition == Condition::LevelAtLeast && one.number <= other.number;
        case Condition::ArgumentIs:
            return (other.condition == Condition::ArgumentIs && other.number != one.number) ||
                   (other.condition == Condition::ArgumentIsNot && other.number == one.number);
        case Condition::ArgumentIsNot:
            return other.condition == Condition::ArgumentIs && other.number == one.number;
        default:
            return false;
    }
}

}  // namespace

std::vector<AsyncSet> absent_threads(const Program& program,
                                     const Shape& shape,
                                     const std::vector<StartedIn>& threads) {
    const std::span<const Region> regions = shape.regions();
    std::vector<LastingFact> facts(regions.size());
    for (RegionId id = 1; id < regions.size(); ++id) {
        if (shape.scope_of(id) == 0) facts[id] = fact_of(program, regions[id]);
    }
    const auto is_outside_of = [&](RegionId region, const LastingFact& fact) {
        for (; region != 0; region = regions[region].parent) {
            if (is_excluded_by(facts[region], fact)) return true;
        }
        return false;
    };
    std::vector<AsyncSet> absent(regions.size(), 0);
    for (RegionId id = 1; id < regions.size(); ++id) {
        if (shape.scope_of(id) != 0) continue;
        absent[id] = absent[regions[id].parent];
        if (facts[id].condition == Condition::None) continue;
        for (const StartedIn& thread : threads) {
            if (is_outside_of(thread.region, facts[id])) absent[id] |= thread.bit;
        }
    }
    return absent;
}

}  // namespace mqinspect::thread_level
