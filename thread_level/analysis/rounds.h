/// How often a thread has passed the barriers that threads share which the program starts itself.
///
/// All of them pass a barrier before anyone passes it again, so that two threads that have passed
/// it another number of times are never at their places at the same time.
#pragma once

#include <cstdint>
#include <map>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

/// Loops that pass a barrier two to six times a round keep their places apart by this.
inline constexpr unsigned kRounds = 60;

/// Numbers modulo kRounds, one of which it is.
using RoundSet = std::uint64_t;
inline constexpr RoundSet kNoRound = 1;  ///< it has not been passed
inline constexpr RoundSet kOneRound = 2;

/// By barrier. One that is not in it is passed by others.
using Rounds = std::map<StringId, RoundSet>;

/// First `before`, then `more`.
inline RoundSet sum_of(RoundSet before, RoundSet more) {
    constexpr RoundSet all = (RoundSet{1} << kRounds) - 1;
    RoundSet sum = 0;
    for (unsigned number = 0; number < kRounds; ++number) {
        if ((more >> number & 1) == 0) continue;
        sum |= (before << number | before >> (kRounds - number)) & all;
    }
    return sum;
}

/// What has been passed where `inside` has, by what starts or is called where `before` has.
inline Rounds sum_of(const Rounds& before, Rounds inside) {
    for (auto& [barrier, rounds] : inside) {
        const auto found = before.find(barrier);
        if (found != before.end()) rounds = sum_of(found->second, rounds);
    }
    return inside;
}

/// Of two ways. True: `into` has changed.
inline bool unite(Rounds& into, const Rounds& from) {
    bool changed = false;
    for (const auto& [barrier, rounds] : from) {
        RoundSet& known = into[barrier];
        changed = changed || (known | rounds) != known;
        known |= rounds;
    }
    return changed;
}

/// Of two functions, one or the other of which is called: what one of them does not know has not
/// been passed there. `is_first`: there is only `from`.
inline void unite_ways(Rounds& into, const Rounds& from, bool is_first) {
    for (auto& [barrier, rounds] : into) {
        if (!from.contains(barrier)) rounds |= kNoRound;
    }
    for (const auto& [barrier, rounds] : from) {
        if (!is_first && !into.contains(barrier)) into[barrier] = kNoRound;
        into[barrier] |= rounds;
    }
}

inline bool are_apart(const Rounds& a, const Rounds& b) {
    for (const auto& [barrier, rounds] : a) {
        const auto other = b.find(barrier);
        if (other != b.end() && (rounds & other->second) == 0) return true;
    }
    return false;
}

}  // namespace mqinspect::thread_level
