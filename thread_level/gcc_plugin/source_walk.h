/// A function as the front end left it: before omplower replaces the user's variables. What later
/// questions need is collected in one walk.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "thread_level/gcc_plugin/callees.h"
#include "thread_level/gcc_plugin/gathering.h"
#include "thread_level/gcc_plugin/private_copies.h"

namespace mqinspect::thread_level::plugin {

using ContextId = std::uint32_t;  ///< index into SourceWalk::contexts

/// The function (0) or an OpenMP construct with a body.
struct Context {
    ContextId parent = 0;
    gimple* construct = nullptr;  ///< null for the function
    bool makes_threads = false;   ///< another thread may execute the body: parallel, task, ...
};

struct Located {
    gimple* statement = nullptr;
    ContextId context = 0;
};

struct LocatedCall {
    gcall* call = nullptr;
    const Callee* callee = nullptr;  ///< null: through a pointer
    ContextId context = 0;
};

/// Of an OpenMP construct with a body; null: there are none.
tree clauses_of(const gimple* construct);

/// Everything that changes or may change one variable.
struct VariableUse {
    std::vector<Located> definitions;  ///< assignments of it, calls that return it
    std::vector<Located> handed_over;  ///< calls that get its address, but as INTENT(IN)
    bool escapes = false;              ///< its address goes elsewhere
    bool is_referred = false;          ///< a member refers to it that does not write, as it seems
};

/// A construct has a variable of its own.
struct PrivateVariable {
    unsigned uid = 0;  ///< DECL_UID
    ContextId context = 0;
    omp_clause_code clause = OMP_CLAUSE_ERROR;  ///< that says so; else it is declared there
};

class SourceWalk {
public:
    SourceWalk(Gathering& gathering, Callees& callees)
        : gathering_(gathering), callees_(callees), copies_(callees) {}

    /// Forgets the function before. Until restore() is called, statements may have other operands
    /// than those that GCC made; see PrivateCopies.
    void walk(gimple_seq body);
    void restore() { copies_.restore(); }

    std::vector<Context> contexts;
    std::vector<LocatedCall> calls;                     ///< without harmless ones
    std::vector<Located> conditions;                    ///< GIMPLE_COND
    std::unordered_map<const gimple*, gimple*> blocks;  ///< GIMPLE_BIND, by what is first in it
    std::vector<Located> switches;                      ///< GIMPLE_SWITCH
    std::vector<gimple*> jumps;                         ///< GIMPLE_GOTO
    std::vector<Located> constructs;                    ///< OpenMP's, in context of the outer one
    std::vector<Located> turn_writes;  ///< assignments to variables as is_turn_variable() has them
    struct Atomic {
        Located load;
        gimple* store = nullptr;
    };
    std::vector<Atomic> atomics;  ///< `omp atomic`
    /// What it reads or writes; null: that is not known.
    tree target_of(const Atomic& atomic);
    std::vector<LocatedCall> atomic_calls;  ///< that read or write an atomic variable
    std::vector<gimple*> marks;        ///< fences, accesses of atomic variables, what makes threads
    std::vector<Located> part_writes;  ///< of numbers in objects that threads may wait at
    bool hands_atomics_on = false;  ///< stores the address of one, or hands on what threads wait at
    std::vector<Located> assignments;  ///< with a local variable on the left, or an address
    std::vector<Located> any_calls;    ///< harmless ones, too
    /// An assignment behind which, and behind `lock` (a call, or a critical section), nothing but
    /// assignments have come since.
    struct Guarded {
        gimple* statement = nullptr;
        gimple* lock = nullptr;
        unsigned stretch = 0;  ///< the same for those that follow each other so
    };
    std::vector<Guarded> guarded;
    std::vector<Guarded> guarded_tests;   ///< conditions, likewise
    std::vector<gimple*> global_writes;   ///< assignments to variables with static storage
    std::vector<Located> number_writes;   ///< to integers with static storage, calls among them
    std::vector<Located> size_writes;     ///< the same, of how many threads a team has
    std::vector<gimple*> self_counts;     ///< of those, that count twice in GlobalUse::other_writes
    std::vector<Located> member_writes;   ///< of a number or flag, to a member of an object
    std::vector<Located> element_writes;  ///< of a number, to an element or through a pointer
    std::vector<Located> answers;         ///< of a number or flag, to where a parameter points to
    std::vector<Located> own_writes;      ///< to a variable that each thread has for itself
    std::vector<Located> identity_writes;  ///< see note_identities()
    std::vector<Located> pointer_writes;   ///< of a pointer to anything, likewise
    std::vector<tree> pointers_at;         ///< members that are pointers, whose address is taken
    std::vector<Located> objects_got;      ///< assignments as gets_turn_object() has them
    std::vector<gimple*> returns;
    /// Answers that may_be_written() gave of parallel constructs, by DECL_UID of the variable.
    std::map<std::pair<unsigned, ContextId>, bool> team_writes;
    bool has_threads = false;     ///< OpenMP, locks, threads, or questions about them
    bool starts_threads = false;  ///< of its own
    bool has_mpi = false;
    bool has_plain_calls = false;
    bool has_assembly = false;

    /// Null: nothing writes `variable`. Only local ones are known. GCC's SSA names, which it
    /// makes outside of OpenMP constructs, are taken for variables; their uses stay valid until
    /// the next question.
    const VariableUse* use_of(tree variable);
    /// What of the uses is of the same `variable` as one in `context`: if a construct has made it
    /// private, those inside of that.
    VariableUse narrowed(const VariableUse& use, tree variable, ContextId context) const;
    /// The only one of them, or one of several that do the same: where GCC optimizes, it reads a
    /// variable into one and the same temporary wherever an expression needs that. Else null.
    const Located* one_definition(const VariableUse& use) const;
    /// Whether a condition, an expression or a call that is not harmless gets the value of
    /// a local `variable`.
    bool is_read(tree variable) const;
    /// Whether nothing but labels is between the two.
    bool are_one_place(tree label, tree other) const;
    /// Whether a `goto` leads to `label`, or may do so.
    bool is_jumped_to(tree label) const;
    /// What comes to `statement` in the same block, or in front of the block that begins with it;
    /// null: neither is there.
    const gimple* in_front(const gimple* statement) const;
    /// The label that the only way to `statement` begins with, whatever is done on that; null:
    /// there may be another way, or who is in front of the label goes on there, too.
    tree label_of_way(const gimple* statement) const;
    /// The only branch to `label`: on its one side, where it says what it does of the other side.
    const Located* only_branch_to(tree label, bool is_true_side) const;
    /// The variable that each thread has for itself and `operand` is; null: it is none.
    tree own_variable(tree operand) const;
    /// The one function whose address is assigned to a local `variable`; null: not known.
    tree function_in(tree variable);
    /// Whether a worksharing loop, all threads of which wait at its end, gives each number of
    /// `variable` to one thread, and only once.
    bool is_spread_once(tree variable) const;
    /// Whether a construct of the function has it in a clause, or as the index of its loop.
    bool is_named_by_construct(tree variable) const;
    /// Whether each thread that executes `context` has its own `variable`.
    bool is_private(tree variable, ContextId context) const;
    /// Whether a worksharing loop hands out its numbers in `variable`.
    bool is_loop_index(tree variable) const { return first_of_loop(variable) != NULL_TREE; }
    /// The first of them; null: no worksharing loop does.
    tree first_of_loop(tree variable) const;
    /// Whether there is one `variable` for all threads of the innermost parallel region around
    /// `context`; false if there is none around.
    bool is_shared(tree variable, ContextId context) const;
    /// Whether all threads of a team write to the one `variable` at `written`, so that at `read` it
    /// may have what another one has written.
    bool is_mixed_up(tree variable, ContextId written, ContextId read) const;
    /// Whether it is static and one for all threads, or as is_shared() has it.
    bool is_common(tree variable, ContextId context);
    /// The innermost construct around `context`, or the function, whose threads execute it.
    ContextId thread_context(ContextId context) const;
    /// The innermost parallel construct around `context`; 0: there is none.
    ContextId parallel_context(ContextId context) const;
    /// Whether a master construct is around it, by the threads that execute it.
    bool is_in_master(ContextId context) const;

    bool is_inside(ContextId context, ContextId outer) const;

private:
    bool is_private_of(tree variable, ContextId context) const;
    bool has_copy(tree variable, ContextId context) const;
    void walk(gimple_seq sequence, ContextId context);
    void visit(gimple* statement, ContextId context);
    void visit_call(gcall* call, ContextId context);
    void visit_assignment(gimple* statement, ContextId context);
    void visit_construct(gimple* statement, ContextId context);
    void take_lock(gimple* lock);
    std::size_t note_clauses(tree clauses, ContextId context);
    void note_last_value(tree clause);
    bool is_team_size(gimple* statement) const;
    void write_global(tree variable, const Located& at);
    void note_label(const glabel* label);
    void visit_arguments(const gcall* call, const Callee* callee);
    void note_own_reference(const gcall* call);
    void visit_condition(gcond* condition, ContextId context);
    void note_address(tree address);
    void collect_uses();
    void collect_addresses(const Located& at);

    Gathering& gathering_;
    Callees& callees_;
    PrivateCopies copies_;
    std::vector<PrivateVariable> private_;
    std::vector<unsigned> named_by_constructs_;  // DECL_UID
    struct LoopIndex {
        unsigned uid = 0;
        tree first = NULL_TREE;
        ContextId loop = 0;
    };
    std::vector<LoopIndex> loop_indices_;
    std::unordered_map<unsigned, VariableUse> uses_;
    std::unordered_map<tree, tree> own_references_;  ///< what they refer to, see own_variable()
    std::unordered_map<tree, tree> next_labels_;     ///< of a label, the one right behind it
    VariableUse name_;                               // of an SSA name
    bool uses_collected_ = false;
    gimple* lock_ = nullptr;                         // that the statement which is visited is under
    std::unordered_map<tree, gimple*> lock_behind_;  // by labels of branches
    unsigned stretch_ = 0;
};

/// Whether `write` adds something to a variable, or takes it away; `assignments`: those in front of
/// it.
bool counts_itself(const std::vector<Located>& assignments, gimple* write);
/// Nothing comes behind it by itself.
bool is_jump(const gimple* statement);
/// Whether the unit has the function, though GCC may be done with its body. Null: no.
bool is_defined(tree function);
/// A variable of this function, or an SSA name.
bool is_local_name(tree operand);
/// A variable that each call of the function has for itself, a parameter or the result.
bool is_local(tree declaration);
/// Whether the type is that of integers, or of what is true or false; no enumeration.
bool is_number_or_flag(tree type);
/// The type of what a member or a variable is, or refers to.
tree referred_type(tree reference);
/// Whether Fortran hands the argument over as INTENT(IN).
bool is_intent_in(const gimple* call, unsigned position);
/// Whether an assignment is of a number in the source.
bool is_constant(gimple* definition);
/// An assignment of one value, as it is or converted.
bool is_copying(const gimple* statement);

/// The variable that `reference` is of, or a part of: `a` of a.b[i].c; null if there is none.
tree base_variable(tree reference);
/// Whether `operand` is the address of `variable` or of a part of it.
bool is_address_of(tree operand, tree variable);

}  // namespace mqinspect::thread_level::plugin
