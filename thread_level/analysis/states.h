/// The automaton of parallelism words (figure 3 of the paper), and what guards, tasks and threads
/// that are not OpenMP's add to it.
#pragma once

#include <cstdint>
#include <span>

#include "thread_level/analysis/assessment.h"
#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

/// A set of states: those of State, Foreign and AnyOfTeam.
using StateSet = std::uint16_t;
inline constexpr StateSet kAnyState = 0xffff;

/// A thread that the program started itself (pthread_create, std::thread): like State::OneThread,
/// but outside of all teams.
inline constexpr int kForeign = kStates;
/// One thread of a team that the main thread has made, whichever: like State::OneThread, but its
/// number may be 0, which is for it to ask.
inline constexpr int kAnyOfTeam = kStates + 1;
inline constexpr int kAllStates = kStates + 2;

constexpr StateSet set_of(State state) {
    return static_cast<StateSet>(1U << static_cast<unsigned>(state));
}
inline constexpr StateSet kForeignSet = 1U << static_cast<unsigned>(kForeign);
inline constexpr StateSet kAnyOfTeamSet = 1U << static_cast<unsigned>(kAnyOfTeam);

inline constexpr StateSet kOutsideOfTeams = set_of(State::Serial) | kForeignSet;
/// Entered by every thread of a team.
inline constexpr StateSet kInTeam = static_cast<StateSet>(
    set_of(State::Team) | set_of(State::TeamOfOne) | set_of(State::NestedTeam));
/// Entered by one thread of a team.
inline constexpr StateSet kOneOfTeam =
    static_cast<StateSet>(set_of(State::OneThread) | set_of(State::MainThread) |
                          set_of(State::OneOfNestedTeam) | kAnyOfTeamSet);
inline constexpr StateSet kMainThread =
    static_cast<StateSet>(set_of(State::Serial) | set_of(State::MainThread));

/// As State has them: Foreign and AnyOfTeam are OneThread.
std::uint8_t public_states(StateSet states);

/// For each state, the states it becomes: nine sets of nine.
class Transfer {
public:
    /// Each state stays.
    Transfer();
    /// Of the body of one region; `condition`: what its guard says of `number`, None if it is none.
    Transfer(const Region& region, Condition condition, std::int64_t number);

    /// First this, then `next`.
    Transfer then(const Transfer& next) const;
    StateSet from(int state) const { return become_[state]; }
    StateSet apply(StateSet states) const;

private:
    StateSet become_[kAllStates];
};

/// The lowest level that allows a call in each of `states`, if it is never beside another one.
Level level_of(StateSet states);
Level level_from(std::int64_t number);

/// Whether several threads may execute the body: a parallel region that is not Team::Never.
bool makes_team(const Region& region);
/// The innermost region around `region`, or that itself, that makes one; 0: none does.
RegionId team_around(std::span<const Region> regions, RegionId region);
/// Whether a team of its own executes the body, be it of one thread: thread numbers, `master` and
/// `single`, barriers and tasks inside are that team's.
bool has_own_team(const Region& region);
/// Whether the body may run later, on another thread.
bool is_deferred_task(const Region& region);
/// Of such: whether it may go on on yet another one.
bool may_change_thread(const Region& task);
bool is_worksharing(RegionKind kind);

/// Whether `region` is `outer`, or a part of it.
bool is_inside(std::span<const Region> regions, RegionId region, RegionId outer);

}  // namespace mqinspect::thread_level
