#include "thread_level/analysis/exclusion.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "thread_level/analysis/outer_locks.h"
#include "thread_level/analysis/states.h"
#include "thread_level/facts/values.h"

namespace mqinspect::thread_level {

ExclusionId Exclusions::intern(const Exclusion& exclusion) {
    const auto [at, is_new] = ids_.try_emplace(exclusion, static_cast<ExclusionId>(all_.size()));
    if (is_new) all_.push_back(exclusion);
    return at->second;
}

ExclusionSet Exclusions::intern(std::vector<ExclusionId> members) {
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    const auto [at, is_new] =
        set_ids_.try_emplace(std::move(members), static_cast<ExclusionSet>(sets_.size()));
    if (is_new) sets_.push_back(at->first);
    return at->second;
}

ExclusionSet Exclusions::unite(ExclusionSet a, ExclusionSet b) {
    if (a == b || b == 0) return a;
    if (a == 0) return b;
    std::vector<ExclusionId> both;
    std::set_union(sets_[a].begin(),
                   sets_[a].end(),
                   sets_[b].begin(),
                   sets_[b].end(),
                   std::back_inserter(both));
    return intern(std::move(both));
}

ExclusionSet Exclusions::intersect(ExclusionSet a, ExclusionSet b) {
    if (a == b) return a;
    std::vector<ExclusionId> both;
    std::set_intersection(sets_[a].begin(),
                          sets_[a].end(),
                          sets_[b].begin(),
                          sets_[b].end(),
                          std::back_inserter(both));
    return intern(std::move(both));
}

bool are_different_turns(const Exclusions& exclusions, ExclusionSet a, ExclusionSet b) {
    const auto differ = [](const Exclusion& one, const Exclusion& other) {
        if (one.field == kTokenField) return one == other;
        if (one.kind != other.kind) return false;
        const bool is_of_function = one.kind == Exclusion::Kind::Argument ||
                                    one.kind == Exclusion::Kind::Common ||
                                    one.kind == Exclusion::Kind::Told;
        if (is_of_function && one.function != other.function) return false;
        if (one.name != other.name || one.field > 1 || other.field > 1) return false;
        if (one.field == 0 && other.field == 0) return one.number != other.number;
        return one.field != other.field && one.number == other.number;
    };
    for (const ExclusionId first : exclusions.members(a)) {
        for (const ExclusionId second : exclusions.members(b)) {
            if (differ(exclusions[first], exclusions[second])) return true;
        }
    }
    return false;
}

bool are_ordered(const Exclusions& exclusions, ExclusionSet a, ExclusionSet b) {
    for (const ExclusionId id : exclusions.members(a)) {
        const Exclusion& first = exclusions[id];
        for (const ExclusionId other : exclusions.members(b)) {
            const Exclusion& second = exclusions[other];
            if (first.name == second.name && (first.field == 1 || second.field == 1)) return true;
        }
    }
    return false;
}

ExclusionSet without_left(ExclusionSet turns, ExclusionSet left, Exclusions& exclusions) {
    if (turns == 0 || left == 0) return turns;
    const auto is_left = [&](const Exclusion& turn) {
        const std::vector<ExclusionId>& all = exclusions.members(left);
        return std::any_of(all.begin(), all.end(), [&](ExclusionId id) {
            const Exclusion& one = exclusions[id];
            const bool is_token = turn.field == kTokenField || one.field == kTokenField;
            return is_token ? one == turn : one.name == turn.name;
        });
    };
    std::vector<ExclusionId> rest;
    for (const ExclusionId id : exclusions.members(turns)) {
        if (!is_left(exclusions[id])) rest.push_back(id);
    }
    return exclusions.intern(std::move(rest));
}

ExclusionSet without(Exclusion::Kind kind, ExclusionSet set, Exclusions& exclusions) {
    return kept(set, exclusions, [kind](const Exclusion& each) { return each.kind != kind; });
}

bool is_of_each_thread(const Value& value, std::span<const Region> regions, RegionId region) {
    if (value.kind != Value::Kind::Local || value.is_shared) return false;
    for (; region != 0; region = regions[region].parent) {
        if (has_own_team(regions[region])) return true;
    }
    return false;
}

bool excludes(const Value& value,
              FunctionId function,
              const Program& program,
              Exclusion& exclusion) {
    const FunctionId owner = owner_of(value, program);
    switch (value.kind) {
        case Value::Kind::Global:
            exclusion = {.kind = Exclusion::Kind::Lock, .name = value.name};
            if (owner != kNone) {
                exclusion.kind = Exclusion::Kind::OuterLock;
                exclusion.function = owner;
            } else if (value.is_shared) {
                exclusion.kind = Exclusion::Kind::LockElement;
            }
            return true;
        case Value::Kind::Local:
            exclusion = {
                .kind = Exclusion::Kind::LocalLock, .name = value.name, .function = function};
            return true;
        case Value::Kind::Parameter:
            exclusion = {.kind = Exclusion::Kind::HandedLock,
                         .name = value.is_shared ? value.name : 0,
                         .function = function,
                         .number = static_cast<std::uint32_t>(value.number),
                         .field = value.is_shared ? 0 : value.name};
            return true;
        case Value::Kind::Element:
            exclusion = {.kind = is_element_of_maker(value) ? Exclusion::Kind::MakerLock
                                                            : Exclusion::Kind::LockElement,
                         .name = value.name};
            return true;
        case Value::Kind::Unknown:
        case Value::Kind::Constant:
        case Value::Kind::Predefined:
        case Value::Kind::ThreadNumber:
        case Value::Kind::Counted:
        case Value::Kind::SameForAll:
        case Value::Kind::Function:
            break;
    }
    return false;
}

}  // namespace mqinspect::thread_level
