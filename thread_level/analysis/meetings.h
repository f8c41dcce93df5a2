/// Which calls of one scope may run at the same time: Algorithm 2 of the paper, with the phases
/// between barriers in place of their number.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "thread_level/analysis/flow.h"
#include "thread_level/analysis/outer_locks.h"
#include "thread_level/analysis/summary.h"

namespace mqinspect::thread_level {

/// Who executes a scope.
enum class Mode : std::uint8_t {
    Serial,   ///< one thread, without a team
    One,      ///< one thread of a team
    Team,     ///< all threads of a team
    Several,  ///< unknown ones, several
};

enum class Meeting : std::uint8_t {
    Never,
    InTurn,      ///< one excludes the other
    InSomeTurn,  ///< the same, but only where a condition holds
    Together,
};

/// Two groups of a scope; the same one twice: its calls meet each other.
struct Pair {
    FunctionId function = 0;
    std::uint32_t scope = 0;
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    Mode mode = Mode::Team;
    Meeting meeting = Meeting::Never;
    bool is_unordered = false;  ///< in turn: either may come first
    /// Of elements that a worksharing loop counts: who is at the loop again may have one that
    /// another thread still has.
    bool is_next_round = false;
    /// One construct again, by another thread: of a loop around it that may be another round.
    bool is_other_round = false;
    /// How many of the two all threads of the team come to, 0 to 2; of other calls than those that
    /// the function itself makes, 0.
    int by_all = 0;
    std::int64_t threads = 0;  ///< at most, of the team around both, if `by_all`; 0: not known
    /// Of tasks: one thread may have made both, or is the other one itself, and they don't hold the
    /// lock that it has for them.
    bool is_of_one_maker = false;
    bool has_two_ways = false;  ///< of a group and itself: that holds of two calls in it
    /// In turn: one of them probes for a message, and lets others in before it receives any.
    bool is_left_to_others = false;

    /// Both are in one and the same call of the function.
    bool is_one_call() const { return scope != 0 || mode != Mode::Team; }
};

class Meetings {
public:
    Meetings(Shape& shape, Flow& flow, Exclusions& exclusions, const OuterLocks& outer_locks)
        : shape_(shape), flow_(flow), exclusions_(exclusions), outer_locks_(outer_locks) {}

    /// Sets Group::lets_others_in, of groups of one scope.
    void note_left_probes(std::vector<Group>& groups);
    /// Appends what meets in the scope.
    void find(std::uint32_t scope,
              const std::vector<Group>& groups,
              Mode mode,
              std::vector<Pair>& pairs);

private:
    Meeting meeting_of(const Group& a, const Group& b, bool apart);
    bool may_be_same_member(ExclusionSet a, ExclusionSet b) const;
    bool may_meet(const Group& a, const Group& b, Mode mode);
    bool meet_beside(const Group& a, const Group& b, Mode mode);
    bool meet_in_team(const Group& a, const Group& b);
    bool share_phase(const Group& a, const Group& b) const;
    AsyncSet pending_before(const Group& group) const;
    AsyncSet outermost(AsyncSet tasks, std::uint32_t scope) const;
    Flow::Ahead ahead_of(const Group& group) const;
    RegionId region_of(const Group& group) const { return shape_.steps()[group.step].region; }
    bool is_judged_below(const Group& a, const Group& b) const;
    bool repeats(const Group& a, const Group& b);
    bool are_exclusive_ways(const Group& a, const Group& b);
    bool is_unordered(const Group& a, const Group& b);
    bool is_in_step(const Group& group);
    bool is_of_one_maker(const Group& a, const Group& b);
    bool has_lock_of_maker(const Group& a, const Group& b);
    bool counts_under_lock(const Group& group);
    bool is_next_round(const Group& a, const Group& b);
    bool is_left_to_others(const Group& probe, const std::vector<Group>& groups, bool is_whole);
    int for_all(const Group& a, const Group& b) const;
    bool is_for_all(const Group& group) const;
    bool ends_scope(StepId id) const;
    std::int64_t threads_around(const Group& a, const Group& b) const;
    ExclusionSet held_here(const Group& group);
    bool has_two_ways(const Group& group) const;
    bool is_sequence(const Group& a, StepId first, const Group& b, StepId second) const;
    StepId maker_of(std::uint32_t scope, AsyncSet bit) const;
    const std::map<AsyncSet, AsyncSet>& dependences(std::uint32_t scope);

    Shape& shape_;
    Flow& flow_;
    Exclusions& exclusions_;
    const OuterLocks& outer_locks_;
    std::map<std::uint32_t, std::map<AsyncSet, AsyncSet>> dependences_;  // by scope and task
};

}  // namespace mqinspect::thread_level
