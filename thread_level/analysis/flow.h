/// What holds where, within the scopes of one function: barriers passed last, tasks and threads
/// that may be under way, locks that are held.
///
/// A forward data-flow over each scope. Barriers, tasks and threads are what may be; locks are what
/// must be held, apart from those taken by a callee on some of its ways.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "thread_level/analysis/rounds.h"
#include "thread_level/analysis/shape.h"
#include "thread_level/analysis/summary.h"

namespace mqinspect::thread_level {

/// A callee's part, for the steps that call.
struct CallEffect {
    bool may_pass_barrier = false;
    bool must_pass_barrier = false;
    bool waits_for_tasks = false;
    std::vector<Operand> joined;  ///< as in Summary, in terms of the caller
    std::vector<Operand> joined_always;
    bool leaves_tasks = false;
    bool leaves_descendants = false;  ///< as Async::Descendant
    std::vector<Operand> threads;     ///< that it leaves, in terms of the caller
    bool adds_threads = false;        ///< as in Summary
    bool starts_several = false;      ///< as in Summary
    bool starts_always = false;       ///< as in Summary
    bool calls_mpi = false;
    std::vector<LockEffect> locks;  ///< in terms of the caller
    Rounds rounds;
};

/// What is known of a function's arguments, by position.
using Arguments = std::vector<std::optional<std::int64_t>>;

using LockSet = std::uint64_t;  ///< of locks(); those beyond 64 are never held

class Flow {
public:
    struct At {
        std::vector<std::uint64_t> barriers;  ///< that may be the last one passed; bit 0: none
        AsyncSet pending = 0;
        LockSet held = 0;
        LockSet held_by_condition = 0;  ///< where its condition holds, and all of them do
        LockSet perhaps_held = 0;
        LockSet perhaps_taken = 0;  ///< on some way, and not released since
        LockSet turns_left = 0;     ///< turns that it may have handed on since the scope began
        Rounds rounds;              ///< of barriers that threads share
        bool is_reached = false;
    };

    /// `effects`: of the steps that call something. `arguments`: what the function is called with;
    /// what they rule out is not executed.
    Flow(const Program& program,
         Shape& shape,
         const std::unordered_map<StepId, CallEffect>& effects,
         Exclusions& exclusions,
         const Arguments& arguments = {});

    const At& before(StepId step) const { return before_[step]; }
    /// Where control leaves a scope.
    const At& at_end(std::uint32_t scope) const { return ends_[scope]; }
    bool may_pass_barrier(std::uint32_t scope) const;
    bool must_pass_barrier(std::uint32_t scope) const;
    bool has_barrier(std::uint32_t scope) const { return barriers_[scope] > 1; }

    /// Some barrier may be the last one before both.
    bool share_phase(StepId a, StepId b) const;
    /// The barrier that the callee of `step` passes may be the last one before `other`.
    bool is_behind(StepId step, StepId other) const;
    /// Whether the next barrier of the team may be the same one for two threads, of which each is
    /// at one of the steps: OpenMP has all threads of a team come to the same barriers. The calls
    /// that `Ahead` speaks of may be in what the step calls.
    struct Ahead {
        StepId step = kNone;
        bool is_inside = false;  ///< a barrier in what `step` calls may be the next
        bool is_behind = true;   ///< one behind `step` may be
    };
    bool share_barrier_ahead(Ahead a, Ahead b);
    /// The scope may end without another barrier behind `step`.
    bool may_end_next(StepId step);
    /// No barrier between the scope's start and `step`.
    bool is_at_entry(StepId step) const;
    /// No barrier between `step` and the scope's end.
    bool is_at_exit(StepId step) const;
    /// The same, between the callee's last barrier and the end.
    bool is_exit_behind(StepId step) const;
    /// Equal for steps that have the same barriers and the same tasks and threads before them.
    std::uint32_t state_at(StepId step);
    /// `from` (done) to `to` (not begun) without a barrier that all paths pass.
    bool reaches(StepId from, StepId to);
    /// The same, from the end of what `call` calls, whatever barriers are in that.
    bool reaches_behind(StepId call, StepId to);
    /// There is a way from `from` to `to`, and not by way of `without`.
    bool leads_to(StepId from, StepId to, StepId without = kNone) const;
    /// There is a way from `from` to `to` on which no lock is released.
    bool stays_locked(StepId from, StepId to) const;

    /// nullptr: `step` calls nothing that is known.
    const CallEffect* effect_of(StepId step) const;
    bool must_pass(StepId step) const;  ///< a barrier, in what it calls

    /// Of the task or thread that `step` makes, or leaves when it returns.
    AsyncSet tasks_of(StepId step) const { return task_bits_[step]; }
    AsyncSet descendants_of(StepId step) const { return descendant_bits_[step]; }
    AsyncSet threads_of(StepId step) const { return thread_bits_[step]; }
    /// Those of them that are known as `thread`.
    AsyncSet threads_of(StepId step, const Operand& thread) const;
    /// Unless `joined` is for what the function starts in a variable of its own.
    void add_joined(std::vector<Operand>& all, const Operand& joined) const;
    /// What threads are known by that the function, or what it calls, has joined on all ways to
    /// `step`, and has not started itself. `is_over`: nothing but the end is behind it, so that a
    /// join under a condition is taken to be on all ways that need one.
    std::vector<Operand> joined_at(StepId step, bool is_over) const;
    std::vector<Operand> joined_at_end() const;  ///< the same, on all ways through the function
    /// Threads of the region's scope that may be such.
    AsyncSet threads_joined(RegionId region, const std::vector<Operand>& joined) const;
    AsyncSet threads_in(std::uint32_t scope) const;  ///< all of a scope
    /// Whether `step` starts threads, or leaves some when it returns.
    bool makes_threads(StepId step) const;
    /// What earlier calls of the function have left is joined before `step` starts a thread.
    bool joins_first(StepId step) const;
    /// Those that `step` started before are not there any more when it starts one again.
    bool is_lone(StepId step) const;
    /// Whether one lock is held at `step`, in the guard, and on the way past that.
    bool is_locked_guard(StepId step, RegionId guard, Exclusions& exclusions) const;
    /// Whether one such thread at a time is there, as whoever starts it holds a lock.
    bool is_lone_under_lock(StepId step, Exclusions& exclusions) const;
    /// Of a function that leaves threads.
    void note_starts(Summary& summary) const;
    /// What may be under way at `step`. `is_over`: as in joined_at().
    AsyncSet pending_at(StepId step, bool is_over) const {
        return is_over && !over_.empty() ? over_[step] : before_[step].pending;
    }
    /// What may be under way where `step`, or what it calls, starts a thread.
    AsyncSet pending_at_start(StepId step) const;
    AsyncSet descendants_in(std::uint32_t scope) const;  ///< tasks that tasks of it make
    ExclusionSet held_at(StepId step, Exclusions& exclusions) const;
    /// What variables are known to be that hand the turn on, as Exclusion::Kind::Turn.
    ExclusionSet turns_at(StepId step, Exclusions& exclusions) const;
    /// Variables of those that may have been written to since the scope began, likewise.
    ExclusionSet turns_left_at(StepId step, Exclusions& exclusions) const;
    ExclusionSet perhaps_held_at(StepId step, Exclusions& exclusions) const;
    std::vector<LockEffect> locks_at_end(std::uint32_t scope) const;
    ExclusionSet set_of(LockSet locks, Exclusions& exclusions) const;

private:
    struct Locking {
        LockSet take = 0;
        LockSet take_perhaps = 0;
        LockSet tried = 0;  ///< of `take`: who has not got it goes on without
        LockSet release = 0;
        LockSet refute = 0;          ///< turns that are none any more, as `take` says
        bool releases_some = false;  ///< it is not known which
    };

    /// Of a way from one step to the next.
    struct Conditional {
        LockSet begins = 0;
        LockSet ends = 0;
    };

    struct LockUse;
    /// Turns that are over by a write that does not wait for them, unless another turn rules out
    /// that the write comes then, or some lock is held.
    struct OverTurns {
        LockSet turns = 0;
        LockSet unless = 0;
        bool is_locked = false;
    };
    /// What a variable is when a team starts.
    struct TeamTurn {
        LockSet bit = 0;
        std::uint32_t scope = 0;
    };

    template <class Stops>
    bool search(StepId from, StepId to, const Stops& stops) const;
    void number_locks(Exclusions& exclusions);
    void number_turns(Exclusions& exclusions);
    void take_turn(const Step& step, Exclusions& exclusions, LockUse& use);
    void take_tokens(const Step& step, Exclusions& exclusions, LockUse& use);
    ExclusionSet tokens_at(StepId step, Exclusions& exclusions) const;
    void keep_order(const Step& step, Exclusions& exclusions, LockUse& use);
    void number_first_turns(Exclusions& exclusions);
    void refute_turns(Exclusions& exclusions);
    void drop_hasty_turns(const Exclusions& exclusions);
    std::vector<StringId> counted_at(const Step& step) const;
    void number_rounds();
    void take_latches_before(const Step& step, Exclusions& exclusions, LockUse& use);
    std::optional<std::int64_t> number_in(const Step& step) const;
    bool is_latch_ahead(StepId step, LockSet latch) const;
    bool draws_before(StepId step, LockSet count) const;
    LockSet turns_of(StringId variable, const Exclusions& exclusions) const;
    LockSet first_turns(std::uint32_t scope) const;
    LockSet team_turns() const;
    bool is_kept(const TeamTurn& turn, StepId step, Exclusions& exclusions) const;
    bool is_in_turn(const TeamTurn& turn, StepId write, Exclusions& exclusions) const;
    void use_lock(const Step& step, Exclusions& exclusions, LockUse& use);
    void use_locks_of(const CallEffect& effect, Exclusions& exclusions, LockUse& use);
    bool may_exclude(StepId id, const Step& acquire) const;
    bool is_for_lower_levels(const Step& step) const;
    void add_condition(const LockUse& use, const std::vector<LockUse>& uses);
    std::vector<StepId> branches_before(StepId id) const;
    void pass_locks(At& at, const Locking& locking) const;
    LockSet without_over(LockSet held) const;
    LockSet lock_bit(ExclusionId lock);
    void find_excluded(const Arguments& arguments);
    void number_async();
    void number_barriers();
    /// What is next, without what is silent in between.
    struct Followers {
        std::vector<StepId> steps;
        std::vector<AsyncSet> absent;  ///< of each: threads that are on no way there
        bool has_end = false;          ///< of the scope
    };

    void find_silent();
    Followers followers_of(StepId step, std::uint32_t scope) const;
    void find_absent();
    /// Threads that are not there where the step is, see absent_threads.h.
    AsyncSet absent_at(StepId step) const {
        return absent_.empty() ? 0 : absent_[shape_.steps()[step].region];
    }
    bool has_joins() const;
    void pass_joins(std::uint32_t scope);
    void find_sure_starts();
    using Before = std::unordered_map<StepId, std::vector<StepId>>;
    std::vector<bool> loop_of_join(StepId join, const Before& before) const;
    bool goes_round(StepId join, const std::vector<bool>& loop) const;
    void add_ways_out(StepId join, const std::vector<bool>& loop, const Before& before);
    void find_ways_around(std::uint32_t scope);
    void add_ways_around(StepId join,
                         std::uint32_t scope,
                         const std::unordered_map<StepId, std::vector<StepId>>& before);
    AsyncSet sure_after(StepId step) const;
    bool is_once(StepId step) const;
    bool asks_for_thread(StepId join) const;
    std::vector<bool> decide_on(StepId join) const;
    bool leads_beside(StepId step, StepId behind, const std::vector<bool>& decide) const;
    bool leads_around(StepId step, StepId next, StepId join) const;
    AsyncSet joined_around(StepId step, StepId next, bool is_over) const;
    std::unordered_map<StepId, AsyncSet> pending_behind_joins(std::uint32_t scope,
                                                              bool is_over) const;
    bool joins_at(StepId step) const;
    void note_passed_joins();
    std::vector<bool> ways_without(StepId join, bool is_over) const;
    void add_passed(std::vector<Operand>& joined, StepId join, bool is_over) const;
    AsyncSet joined_before(StepId join, AsyncSet pending) const;
    AsyncSet threads_after(StepId id, AsyncSet threads) const;
    AsyncSet threads_spared(StepId step) const;
    void run(std::uint32_t scope);
    void look_ahead_once(std::uint32_t scope);
    void look_ahead(std::uint32_t scope);
    bool is_scope_end(StepId step, std::uint32_t scope) const;
    std::vector<std::uint64_t> barriers_ahead(Ahead from) const;
    At after(StepId step) const;
    void pass_barrier(At& at, StepId step) const;
    void leave_region(At& at, const Step& step) const;
    void call(At& at, StepId step, const CallEffect& effect) const;
    bool merge(At& into, const At& from, bool with_locks) const;
    bool merge_on_way(const At& behind, StepId step, StepId next, bool with_locks);
    AsyncSet tasks_inside(RegionId region) const;
    AsyncSet tasks_made_in(RegionId region) const;
    AsyncSet tasks_waited_for(StepId enter) const;
    StepId enter_of(RegionId region) const;
    AsyncSet threads_joined(RegionId region, StringId thread, const Operand& joined) const;
    bool starts_task(StepId step, StepId next) const;
    At in_task(At at, StepId enter) const;
    At on_way(At at, StepId step, StepId next) const;
    bool decides_on_lock(StepId branch, StepId next, StepId lock) const;
    StepId behind_tests(StepId step) const;
    LockSet entered_by_condition(StepId enter) const;

    const Program& program_;
    Shape& shape_;
    const std::unordered_map<StepId, CallEffect>& effects_;
    ExclusionId some_lock_ = 0;  ///< Exclusion::Kind::Unknown
    bool takes_some_ = false;    ///< somewhere in the function
    bool releases_some_ = false;
    std::vector<ExclusionId> locks_;
    LockSet turns_ = 0;        // of locks_
    LockSet first_turns_ = 0;  // of the function
    std::vector<OverTurns> over_turns_;
    std::vector<TeamTurn> team_turns_;
    LockSet latches_ = 0;     // of first turns
    LockSet job_counts_ = 0;  // of those
    Rounds first_rounds_;
    std::unordered_map<StepId, Locking> locking_;
    std::map<std::pair<StepId, StepId>, Conditional> conditional_;  // by both steps
    std::unordered_map<StepId, LockSet> entered_by_condition_;      // by Enter
    std::unordered_map<StepId, Followers> followers_;               // of steps that are not silent
    struct PassedJoin {
        StepId join = kNone;
        std::vector<bool> without;  // by step: some way leads there without the join
        std::vector<bool> is_open;  // the same, if conditions know whether there is a thread
    };
    /// From one step to the next one behind a join that is under a condition.
    struct WayAround {
        StepId join = kNone;
        bool asks = false;  // the condition is taken to be whether there is a thread to join
    };
    std::vector<PassedJoin> passed_joins_;
    std::map<std::pair<StepId, StepId>, std::vector<WayAround>> ways_around_;
    std::vector<bool> is_one_of_many_;  ///< joins of a loop with other steps: see add_ways_out()
    std::vector<AsyncSet> sure_;        // by step: threads started on all ways
    std::vector<std::uint32_t> barrier_ids_;         // by step; 0: it is none
    std::vector<std::uint32_t> barriers_;            // by scope: how many ids
    std::vector<bool> is_silent_;                    // by step; empty: not needed
    std::vector<std::vector<std::uint64_t>> ahead_;  // by step: barriers behind it; bit 0: the end
    std::vector<bool> is_ahead_known_;               // by scope
    std::vector<AsyncSet> task_bits_;
    std::vector<AsyncSet> descendant_bits_;
    std::vector<AsyncSet> thread_bits_;
    AsyncSet incoming_ = 0;                         // threads that earlier calls have left
    static constexpr RegionId kCallee = kNone - 1;  // a task of what a step calls
    struct Maker {
        std::uint32_t scope = 0;
        AsyncSet bit = 0;
        RegionId inside = 0;  // region that it is made in
        RegionId by = kNone;  // task that makes it, or kCallee
        StringId thread = 0;  // function of a thread
        Operand known_by;     // of a thread
        StepId step = kNone;  // of a thread
        bool is_thread = false;
    };
    std::vector<Maker> makers_;
    std::vector<bool> is_excluded_;  // by region: its arguments forbid it
    std::vector<AsyncSet> absent_;   // by region; empty: none
    std::vector<At> before_;
    std::vector<At> ends_;
    Arguments arguments_;  // of the function, as far as they are known
    std::unordered_map<std::uint64_t, bool> reached_;
    std::vector<AsyncSet> over_;  // by step: pending where it is over; empty: the same
    std::map<std::tuple<std::vector<std::uint64_t>, AsyncSet, AsyncSet>, std::uint32_t> states_;
};

}  // namespace mqinspect::thread_level
