/// What keeps two calls from running at the same time: critical sections, locks, ordered loops.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

class Program;

struct Exclusion {
    enum class Kind : std::uint8_t {
        Critical,   ///< `name`
        Lock,       ///< the global variable `name`, or its member `field`; so do the next two
        LocalLock,  ///< `name` of `function`
        OuterLock,  ///< the variable `name` of `function`, which calls what takes it: outer_locks.h
        HandedLock,   ///< parameter `number` of `function`; `name`: of the member that has it where
                      ///< who calls the function does not know it
        LockElement,  ///< one or the other of the array or field `name`
        MakerLock,    ///< the same array's, of who has made the task: excludes tasks of one maker
        Drawn,        ///< the one that draws the number which guard `number` of `function` asks for
        FirstDrawn,   ///< the same, but another one may be the first when that one goes on
        Turn,         ///< while variable `name` is `number`, or is not if `field` is 1; 2: is any.
                      ///< kTokenField: who has the token `number`
        Argument,  ///< while parameter `name` of `function` is `number`, or is not if `field` is 1
        Common,   ///< the same of what all threads of the team have in common: `name` of `function`
        Told,     ///< the same of what is one in all that they call: the static variable `name` if
                  ///< `function` is kNone, else the variable of that
        Ordered,  ///< the ordered regions of loop `number` of `function`
        Depend,   ///< "depend" on the static variable `name`; `field` is 1 if that is written
        Presumed,  ///< what the function `name` may lock, called with `field`
        Unknown,   ///< some lock: it excludes nobody, but who releases it may release any
    };
    Kind kind = Kind::Critical;
    StringId name = 0;
    FunctionId function = kNone;
    std::uint32_t number = 0;
    StringId field = 0;

    bool operator==(const Exclusion&) const = default;
    bool operator<(const Exclusion& other) const {
        return std::tie(kind, name, function, number, field) <
               std::tie(other.kind, other.name, other.function, other.number, other.field);
    }
};

/// Of a turn that is a token: Exclusion::field.
inline constexpr StringId kTokenField = 3;

using ExclusionId = std::uint32_t;
using ExclusionSet = std::uint32_t;  ///< of Exclusions; 0 is empty

/// Exclusions and sets of them, each kept once.
class Exclusions {
public:
    Exclusions() { intern(std::vector<ExclusionId>{}); }

    ExclusionId intern(const Exclusion& exclusion);
    /// Sorts `members`, and drops what is there twice.
    ExclusionSet intern(std::vector<ExclusionId> members);
    const Exclusion& operator[](ExclusionId id) const { return all_[id]; }
    const std::vector<ExclusionId>& members(ExclusionSet set) const { return sets_[set]; }

    ExclusionSet unite(ExclusionSet a, ExclusionSet b);
    ExclusionSet intersect(ExclusionSet a, ExclusionSet b);
    bool meet(ExclusionSet a, ExclusionSet b) { return a != 0 && b != 0 && intersect(a, b) != 0; }

private:
    std::vector<Exclusion> all_;
    std::map<Exclusion, ExclusionId> ids_;
    std::vector<std::vector<ExclusionId>> sets_;
    std::map<std::vector<ExclusionId>, ExclusionSet> set_ids_;
};

/// Whether a variable or parameter that is as one of `a` says, and at the same time as one of `b`,
/// is none; or both have a token that only one thread has at a time.
bool are_different_turns(const Exclusions& exclusions, ExclusionSet a, ExclusionSet b);

/// Whether one of two tasks that one task makes, one after the other, waits for the other: both
/// sets are of what they depend on.
bool are_ordered(const Exclusions& exclusions, ExclusionSet a, ExclusionSet b);

/// The set without those that may have been handed on, as `left` says.
ExclusionSet without_left(ExclusionSet turns, ExclusionSet left, Exclusions& exclusions);

/// Those of the set for which `keeps` holds.
template <class Keeps>
ExclusionSet kept(ExclusionSet set, Exclusions& exclusions, Keeps keeps) {
    if (set == 0) return 0;
    std::vector<ExclusionId> members;
    for (const ExclusionId id : exclusions.members(set)) {
        if (keeps(exclusions[id])) members.push_back(id);
    }
    return exclusions.intern(std::move(members));
}

/// The set without those of the kind: one inner team's ordered loop says nothing of another team's;
/// who is the first in one call of a function, nothing of the next call; a lock that a function has
/// for itself, nothing of who else calls it.
ExclusionSet without(Exclusion::Kind kind, ExclusionSet set, Exclusions& exclusions);

/// The value, of a step in the region, is a variable that each thread of a team has for itself.
bool is_of_each_thread(const Value& value, std::span<const Region> regions, RegionId region);

/// What holding the lock `value` of `function` excludes. False: nothing is known of it.
bool excludes(const Value& value,
              FunctionId function,
              const Program& program,
              Exclusion& exclusion);

}  // namespace mqinspect::thread_level
