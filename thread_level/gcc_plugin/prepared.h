/// A function before omplower, as steps and regions that only lack their places in the graph. The
/// same statements are found again in the control-flow graph.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "thread_level/gcc_plugin/callables.h"
#include "thread_level/gcc_plugin/conditions.h"
#include "thread_level/gcc_plugin/empty_pointers.h"
#include "thread_level/gcc_plugin/lock_members.h"
#include "thread_level/gcc_plugin/moved_objects.h"
#include "thread_level/gcc_plugin/thread_handles.h"
#include "thread_level/gcc_plugin/turn_uses.h"
#include "thread_level/gcc_plugin/written_arguments.h"

namespace mqinspect::thread_level::plugin {

class Preparation {
public:
    Preparation(Gathering& gathering, Callees& callees)
        : gathering_(gathering),
          callees_(callees),
          source_(gathering, callees),
          values_(gathering, callees, source_),
          conditions_(gathering, callees, source_, values_),
          turns_(gathering, callees, source_, values_),
          handles_(gathering, source_, values_),
          moved_(gathering, source_, values_),
          empty_(gathering, source_, values_) {}

    /// Of the function that GCC is at. Forgets the one before.
    void prepare(tree function_declaration);

    /// The call that was prepared: cleanups, such as destructors at the end of a scope, are copied
    /// to all ways out of it.
    const gimple* original_of(const gcall* call) const;

    tree function = NULL_TREE;  ///< what was prepared
    bool matters = false;       ///< there is anything to say about it
    bool has_constructs = false;
    /// Whether the function assigns to memory that others may know, but for atomic variables.
    bool writes_memory() const {
        return !source_.global_writes.empty() || !source_.member_writes.empty() ||
               !source_.element_writes.empty() || !source_.answers.empty() ||
               !source_.pointer_writes.empty();
    }
    std::vector<gimple*> constant_results;  ///< what the function returns is set to, all numbers
    Returned returned;
    std::unordered_map<const gimple*, Step> steps;  ///< of calls
    std::unordered_map<const gimple*, std::vector<Value>>
        more_locks;                                     ///< of a step, like its value
    std::unordered_map<const gimple*, Region> regions;  ///< of constructs that facts know
    std::unordered_map<const gimple*, Branch> branches;
    std::unordered_map<const gimple*, const gimple*> size_calls;  ///< of parallel constructs
    std::unordered_map<const gimple*, Branch> common_branches;    ///< as Conditions::of_common()
    std::unordered_map<const gimple*, bool> fixed_sides;  ///< of branches that go one way each time
    std::unordered_map<const gimple*, Choice> choices;
    WrittenArguments::Copies argument_copies;
    /// Of parallel regions with several threads at some level only.
    std::unordered_map<const gimple*, Implication> teams;
    /// Of a GIMPLE_COND, null if it says nothing. GCC makes one of a GIMPLE_SWITCH with one case.
    const Branch* branch_at(const gimple* condition) const;
    std::unordered_map<const gimple*, TurnTest> turn_tests;  // of branches
    std::unordered_map<const gimple*, Step> team_tests;      ///< see TeamTest: of parallel regions
    std::vector<gimple*> hand_overs;                         ///< see TurnUses
    /// Of calls: what more they do; see TurnUses::releases().
    const std::unordered_map<const gimple*, Step>& releases() const { return turns_.releases(); }
    const std::vector<TurnUses::OwnTurnUse>& own_turn_uses() const {
        return turns_.own_turn_uses();
    }
    const std::vector<TurnUses::Allocation>& allocations() const { return turns_.allocations(); }
    const MovedObjects& moved_objects() const { return moved_; }
    const EmptyPointers& empty_pointers() const { return empty_; }
    /// Of calls: functions that have returned true behind them.
    std::unordered_map<const gimple*, StringId> waits;
    /// Calls that only one thread makes, and others wait for: std::call_once with its flag.
    std::unordered_map<const gimple*, Value> once;
    /// MPI_Init_thread's that store the level in a global variable (DECL_UID).
    std::unordered_map<const gimple*, unsigned> provided_in;

private:
    void forget();
    void prepare_walked();
    void note_writes();
    void note_turn_writes();
    void note_returned_guard();
    void note_predicate();
    void note_try();
    void note_constant_results(tree result);
    void note_tried(const gcall* call, bool is_negated);
    void note_wait(const LocatedCall& at);
    void note_level_of_team(const Located& at, Region& region);
    void note_order(const Located& at);
    void note_originals();
    void prepare_branches();
    bool may_be_parameter(tree operand);
    void note_argument_copies();
    void prepare_result();
    Step make_step(const LocatedCall& at);
    Value handed_callee(tree pointer, ContextId context);
    Step make_mpi_step(const LocatedCall& at);
    Step make_call_step(const LocatedCall& at);
    Step make_indirect_step(const LocatedCall& at);
    Step make_thread_step(const LocatedCall& at);
    void note_task(Step& step, const LocatedCall& at);
    std::optional<Step> started_in_library(const LocatedCall& at);
    std::optional<Step> joined_in_library(const LocatedCall& at);
    Callable callable_in(tree argument);
    static constexpr int kMostWrapped = 8;  // copies, and what is around each other
    tree known_function_in(tree operand, int depth);
    tree function_set_by(gimple* statement, int depth);
    tree function_kept_in(tree variable, int depth);
    bool is_set_here_only(tree variable, const VariableUse& use);
    bool may_start_thread(tree callee);
    void note_joined(Step& step, const LocatedCall& at);
    void note_static_futures();
    bool is_of_library(const LocatedCall& at);
    void add_counted(Step& step, const LocatedCall& at);
    void add_numbers_pointed_to(Step& step, const LocatedCall& at);
    void add_member_functions(Step& step, tree argument);
    bool add_bound_arguments(Step& step, tree started);
    Value captured_object(tree lambda, ContextId context);
    Value captured_for_thread(const LocatedCall& at, tree lambda);
    void add_common_members(Step& step, const LocatedCall& at, unsigned position);
    void add_thread_arguments(Step& step, const LocatedCall& at);
    StringId lock_look(const LocatedCall& at);
    void add_arguments(Step& step, const LocatedCall& at);
    bool is_made_of_kept(tree operand, int depth);
    Value handed_value(tree argument, ContextId context);
    bool is_of_maker(const Value& value, ContextId context) const;
    bool is_common_local(const Value& value, tree argument, ContextId context);
    Value kept_or(const Value& value, tree argument, ContextId context);
    void add_shared_numbers(Step& step, const LocatedCall& at);
    tree guard_at(tree address);
    Step make_guard(const LocatedCall& at);
    Step make_guard_step(const LocatedCall& at, StepKind kind, std::string_view own_method);
    void note_own_lock(const LocatedCall& at, tree guard);
    void note_held_guard(const LocatedCall& at);
    std::optional<Step> released_guard(const LocatedCall& at);
    std::vector<Value> guarded_locks(const LocatedCall& at);
    std::vector<Value> locks_in(const LocatedCall& at, unsigned first);
    Step make_lock_step(const LocatedCall& at, StepKind kind, std::vector<Value> locks);
    Value number_in(tree argument, ContextId context);
    Value array_of_requests(const LocatedCall& at);
    void note_index(Value& element, const LocatedCall& at);
    bool knows_team_size(ContextId context) const;
    Value own_argument(const LocatedCall& at);
    Value own_datatype(const LocatedCall& at);
    Value unread_signature(const LocatedCall& at);
    Value own_part(tree operand, ContextId context);
    Value own_part(tree operand, ContextId context, int depth);
    Value own_number(tree number, ContextId context, int depth);
    std::optional<std::string_view> text_in(tree argument);
    Value session_level();
    tree address_in(tree argument);
    void note_holder_of_level(tree address);
    void note_provided(Step& step, const LocatedCall& at, tree address);
    bool is_tested(tree variable);
    void note_telling(const LocatedCall& at);
    void note_global_handles(const LocatedCall& at);
    tree function_in(tree operand);
    StringId binding_of(tree callee);
    bool may_ask_for_thread() const;

    Gathering& gathering_;
    Callees& callees_;
    SourceWalk source_;
    Values values_;
    Conditions conditions_;
    TurnUses turns_;
    ThreadHandles handles_;
    MovedObjects moved_;
    EmptyPointers empty_;
    std::unordered_map<location_t, Choice> single_cases_;  ///< of what may become a condition
    std::unordered_map<std::uint64_t, const gimple*> originals_;  ///< by what copies share
    ConstructorCalls constructors_;
    std::unordered_map<const_tree, std::vector<Value>> lock_guards_;  // what each holds
    /// What guards hold that is of a class of the program.
    struct OwnLock {
        tree type = NULL_TREE;
        Value object;
    };
    std::unordered_map<const_tree, OwnLock> own_locks_;
    /// What the program's own guard was made with that a variable holds, a std::unique_ptr. Without
    /// a call: by several.
    struct HeldGuard {
        const gcall* call = nullptr;
        unsigned first = 0;  ///< of its arguments
        ContextId context = 0;
    };
    std::unordered_map<const_tree, HeldGuard> held_guards_;
    std::vector<tree> own_followed_;  // numbers on the way to an own one
};

/// Null: there are not so many, or `position` is negative.
tree argument_of(const gcall* call, int position);
/// The region of a construct; its kind is Function if facts have no such region.
Region make_region(Gathering& gathering,
                   Values& values,
                   const SourceWalk& source,
                   const Located& construct);
/// Whether the innermost team around `region` has at most two threads.
bool is_in_team_of_two(const std::vector<Region>& regions, RegionId region);
/// In a team of at most two the threads that are not the first one are one thread.
void narrow_to_team(const std::vector<Region>& regions, Region& guard);

}  // namespace mqinspect::thread_level::plugin
