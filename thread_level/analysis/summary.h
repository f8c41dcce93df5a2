/// What a function, or a team, does that others may meet: its MPI calls in groups of equals, its
/// barriers, locks, tasks and threads.
#pragma once

#include <cstdint>
#include <vector>

#include "thread_level/analysis/rounds.h"
#include "thread_level/analysis/shape.h"

namespace mqinspect::thread_level {

/// A value, and the function whose locals and parameters it speaks of.
struct Operand {
    Value value;
    FunctionId owner = kNone;
    StringId field = 0;  ///< if any: it is that member of the object `value`

    bool operator==(const Operand&) const = default;
};

/// What `call`, a step of `caller`, hands over for a parameter of what it calls, or for a member of
/// what that points to.
Operand argument_for(const Operand& parameter, const Step& call, FunctionId caller);

/// A guard in which a thread is started that is there once at a time; kNone: it is none. Or, in no
/// guard, a step that starts one.
struct OnlyStart {
    FunctionId function = kNone;
    RegionId guard = 0;
    StepId step = 0;

    bool operator==(const OnlyStart&) const = default;
};

enum class Async : std::uint8_t {
    No,
    Task,        ///< may still run after what contains it
    Descendant,  ///< the same, made by a task: who waits for its children does not wait for it
    Thread,      ///< the same, in a thread of its own
};

/// Where a group comes from.
struct Origin {
    StepId step = kNone;
    std::uint32_t scope = 0;  ///< of `node`, whose group it is
    Node node = kNone;        ///< kNone: `step` itself calls MPI
    std::uint32_t group = 0;
};

/// MPI calls of a scope that nothing tells apart, be it in the function or behind its calls.
struct Group {
    StepId step = kNone;  ///< the first of those that are, or lead to, the calls
    Procedure procedure;
    Operand communicator;
    Operand peer;
    Operand tag;
    Operand object;

    Executor executor;                  ///< of a task: who makes it
    Executor known;                     ///< as in Path
    bool is_task = false;               ///< in a task, or in one of what `step` calls
    RegionId worksharing = kNone;       ///< as in Path
    bool is_worksharing_below = false;  ///< in what `step` calls
    RegionId holder = kNone;            ///< as in Path
    ExclusionSet exclusions = 0;
    ExclusionSet perhaps = 0;     ///< that hold only under conditions
    ExclusionSet presumed = 0;    ///< as presumed_locks()
    ExclusionSet turns = 0;       ///< as Flow::turns_at()
    ExclusionSet arguments = 0;   ///< as in Path; of callees only what is Told
    ExclusionSet turns_left = 0;  ///< as Flow::turns_left_at()
    Rounds rounds;                ///< of barriers that threads share
    /// What threads are known by that are joined before it is made: in what `step` calls, and since
    /// the function began.
    std::vector<Operand> joined_below;
    std::vector<Operand> joined;
    AsyncSet async = 0;  ///< tasks and threads that it is in
    /// Of a task, the only one around it, that may still run after what contains it, or may not:
    /// what that depends on, of what all functions know.
    ExclusionSet depends = 0;
    bool is_many = false;  ///< several at a time by itself: a taskloop
    /// Of what a std::packaged_task is made of, which may run from there on: by which calls, as
    /// is_task_slot() has them. Of such a call: itself. 0: neither.
    StringId run_by = 0;
    /// A probe: who has made it lets others in before he receives anything, under a lock of what
    /// `step` calls or starts. Known when the whole function is.
    bool lets_others_in = false;
    OnlyStart only_start;  ///< it is made by the thread that is started there
    Asked asked;           ///< it is made where that holds only
    /// Of the threads that `step` starts it is the one with this number only; -1: any.
    std::int64_t started = -1;
    bool is_of_object = false;  ///< with `started`, which is of an object: whatever calls that
    bool is_called = false;     ///< by what `step` calls, on the same thread
    bool is_of_first = false;   ///< as in Path
    bool is_nested = false;     ///< in an inner team, which `step` enters
    /// Of what `step` calls or enters, if anything: there is no barrier in front of the call, or
    /// behind it, in there.
    bool is_first = true;
    bool is_last = true;
    StepId behind = kNone;  ///< `step`, if it passes a barrier and the call may be behind that
    Level assured = Level::Single;
    Level in_team = Level::Single;  ///< as in Path
    int below = kAnyLevel;          ///< likewise
    bool has_unknown_guard = false;
    bool is_way_out = false;  ///< to the end of the process: it counts outside of teams only

    // Of the scope as a whole.
    bool at_entry = false;  ///< no barrier between the scope's start and it
    bool at_exit = false;   ///< no barrier between it and the scope's end
    Async outlives = Async::No;
    Operand thread;           ///< of a thread that outlives it: what that is known by
    std::uint32_t state = 0;  ///< Flow::state_at(step)

    bool is_equal(const Group& other) const;  ///< but for `step` and `origins`
    std::vector<Origin> origins;
};

struct LockEffect {
    ExclusionId lock = 0;
    bool is_held = false;  ///< at the end, if not before
    bool is_perhaps_held = false;
    bool is_released = false;  ///< somewhere
};

/// Of a scope. Those of a function's own scope are also what its calls do.
struct Summary {
    std::vector<Group> groups;
    std::vector<LockEffect> locks;
    Rounds rounds;
    bool may_pass_barrier = false;
    bool must_pass_barrier = false;
    bool waits_for_tasks = false;
    std::vector<Operand> joined;         ///< what threads are known by that it joins
    std::vector<Operand> joined_always;  ///< those of them that all ways join
    bool leaves_tasks = false;
    bool leaves_descendants = false;
    std::vector<Operand> threads;  ///< the same, of those that it leaves
    /// Those that earlier calls have left may still be there as it starts others: it does not join
    /// them first.
    bool adds_threads = false;
    /// The same, and no variable says that there are none: lone_starts().
    bool starts_several = false;
    bool starts_always = false;  ///< all ways through it start all that it leaves
};

}  // namespace mqinspect::thread_level
