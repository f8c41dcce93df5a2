/// What one function does to variables by which threads may hand on the turn, beyond plain
/// assignments to static ones: atomic variables, and local ones that threads share.
#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "thread_level/gcc_plugin/turn_variables.h"

namespace mqinspect::thread_level::plugin {

class TurnUses {
public:
    /// A call that makes an object on the heap.
    struct Allocation {
        StringId name = 0;  ///< of the object, as in OnlyObject
        const gimple* call = nullptr;
    };
    using Steps = std::unordered_map<const gimple*, Step>;

    TurnUses(Gathering& gathering, Callees& callees, SourceWalk& source, Values& values)
        : gathering_(gathering), callees_(callees), source_(source), values_(values) {}

    /// Of the function that the walk is of: adds its writes to `steps`, and waits. Remembers what
    /// is done to the variables otherwise.
    void find(tree function, Steps& steps);

    /// Atomic writes that may hand something on to another thread, whatever is written.
    std::vector<gimple*> hand_overs() const;
    /// What an atomic `definition` reads, with the order that takes a turn over.
    std::optional<TurnVariable> read_by(const Located& definition);
    /// Of the function: objects that count as the only ones of their classes if no loop makes them.
    const std::vector<Allocation>& allocations() const { return allocations_; }
    /// Of a call as in uses_turn_object(). A Join step says nothing.
    Step step_at(const LocatedCall& at);
    /// Of calls that write to a member, by which they may release a lock.
    const Steps& releases() const { return releases_; }
    /// A branch on whose turn it is, and what gives that away.
    struct OwnTurnUse {
        gimple* condition = nullptr;
        bool is_equal = false;  ///< who has the turn goes where the condition is true
        StringId name = 0;      ///< of the variable, as values have it
        std::vector<gimple*> writes;
    };
    const std::vector<OwnTurnUse>& own_turn_uses() const { return own_turn_uses_; }
    /// Of branches that find out whether the number is served that the thread has drawn, or whether
    /// it is its turn.
    const std::unordered_map<const gimple*, TurnTest>& ticket_tests() const {
        return ticket_tests_;
    }
    /// What starts the thread, or has made the task, that a call of a future's member waits for.
    std::optional<LocatedCall> maker_of_future(tree address);
    /// What static futures are set to in the function.
    struct StaticFuture {
        StringId name = 0;
        const gimple* maker = nullptr;  ///< the call that has started a thread; null: not known
    };
    const std::vector<StaticFuture>& static_futures() const { return static_futures_; }
    /// What `variable` is, if find() has found that threads share it.
    std::optional<TurnVariable> shared_local(tree variable) const;
    /// What `object`, `*pointer`, is, if a lambda refers to it.
    std::optional<TurnVariable> captured_object(tree object);
    /// What `object` is, a number in the only object of its class.
    std::optional<TurnVariable> part(tree object);
    /// What is read, if it is one of those, or a static variable.
    std::optional<TurnVariable> variable_in(tree object);
    /// Of an assignment to `variable` that makes it more, or one less: how many have yet to come.
    std::optional<Step> count_step(const TurnVariable& variable, tree written);

private:
    std::optional<TurnVariable> variable_at(tree address, ContextId context);
    std::optional<TurnVariable> variable_at(tree address, ContextId context, int depth);
    std::optional<TurnVariable> variable_of(tree object, ContextId context, int depth);
    std::optional<TurnVariable> captured(tree reference);
    std::optional<TurnVariable> part_of_static(tree object, ContextId context);
    std::optional<TurnVariable> part_of_object(tree object, ContextId context);
    std::optional<TurnVariable> parameter(tree pointer);
    std::optional<TurnVariable> pointed_to(tree pointer, ContextId context);
    bool makes_semaphore(tree source);
    void note_pointers();
    Step open_step(const LocatedCall& at);
    bool has_made(const TurnVariable& variable, tree written);
    void note_object(tree object, ContextId context);
    void note_one(tree type, const OnlyObject& one);
    void note_objects(const Located& at);
    void note_pointer(const Located& at);
    gimple* allocation_of(tree pointer);
    void note_heap_object(tree type, gimple* allocation, ContextId context);
    void note_made(tree type, tree pointer, ContextId context);
    void note_make_unique(const Located& at);
    void spoil_kept(gimple* write, ContextId context);
    void note_address(tree object, ContextId context);
    void lose_class(tree type);
    bool hand_on(const TurnVariable& variable, const Located& at, unsigned position);
    void spoil_parts(tree address, ContextId context);
    void count_use(const TurnVariable& variable);
    std::optional<TurnVariable> state_of(tree object, ContextId context, int depth);
    tree source_of_state(tree variable);
    tree unmoved(tree address);
    bool visit_transfer(const Located& at);
    void refer_to(StringId name, StringId to);
    void visit_future(const Located& at);
    void note_source(tree target, tree source);
    void note_handed_future(gimple* call);
    Step future_step(const LocatedCall& at);
    bool is_moved_from(tree address);
    TurnVariable local(tree variable);
    void visit_call(const LocatedCall& at, Steps& steps);
    void visit_exchange(const LocatedCall& at, const TurnVariable& variable, Steps& steps);
    void visit_compare_exchange(const LocatedCall& at, const TurnVariable& variable, Steps& steps);
    bool visit_spin_lock(const LocatedCall& at, Steps& steps);
    void spoil_spin_lock(tree address);
    bool takes_lock(const LocatedCall& at);
    bool expects_zero(const LocatedCall& at);
    const Located* made_by(tree operand);
    tree counted_by(const gimple* call);
    tree polled_by(const gimple* statement);
    bool stores_next(const LocatedCall& at, tree object);
    void serve(gimple* statement, tree object, ContextId context, Steps& steps);
    bool counts_one(const SourceWalk::Atomic& atomic);
    void visit_counted(const SourceWalk::Atomic& atomic, Steps& steps);
    void visit_count(const Located& at);
    bool reads(tree operand, const TurnVariable& variable);
    Step counting(const TurnVariable& variable, bool is_less);
    bool visit_job_count(const Located& at, Steps& steps);
    struct Equality {
        tree left = NULL_TREE;
        tree right = NULL_TREE;
        bool is_equal = false;
    };
    std::optional<Equality> equality_of(const gimple* condition);
    std::optional<TurnTest> ticket_test(tree served, tree number);
    void visit_own_turn(const Located& condition, Steps& steps);
    void note_own_turn(tree variable, const std::vector<Located>& writes);
    const Located* read_into(tree variable);
    tree asked_variable(tree operand, ContextId context);
    std::vector<Located> writes_to(tree variable);
    void visit_ticket(const Located& condition);
    void settle_tickets();
    tree locked_object(tree address);
    Value lock_in(tree object, ContextId context);
    void visit_atomic(const SourceWalk::Atomic& atomic, Steps& steps);
    void visit_assignment(const Located& at, Steps& steps);
    void visit_addresses(const Located& at, Steps& steps);
    void find_shared_locals(Steps& steps);
    bool find_captured(Steps& steps);
    void add_shared_local(tree variable, Steps& steps);
    bool is_kept_by_lambdas(tree variable);
    void write(gimple* statement,
               const TurnVariable& variable,
               tree written,
               Steps& steps,
               bool may_be_computed = false);
    void write_relaxed(gimple* statement, const TurnVariable& variable, tree written);
    void spoil(const TurnVariable& variable);
    bool is_fenced(gimple* statement, bool as_store) const;
    bool is_before_threads(const gimple* statement) const;

    /// A member that is counted up, or that a number is compared with which was drawn.
    struct Counter {
        bool is_served = false;              ///< one more at a time
        bool is_relaxed = false;             ///< that hands nothing on
        bool is_spoilt = false;              ///< it is written in other ways, too
        std::unordered_set<unsigned> draws;  ///< the members that the numbers are from (DECL_UID)
    };

    Gathering& gathering_;
    Callees& callees_;
    SourceWalk& source_;
    Values& values_;
    tree function_ = NULL_TREE;
    Steps releases_;
    std::vector<OwnTurnUse> own_turn_uses_;
    std::vector<StaticFuture> static_futures_;
    std::unordered_map<const gimple*, TurnTest> ticket_tests_;
    std::unordered_map<unsigned, Counter> counters_;  // of all functions, by DECL_UID
    std::vector<Allocation> allocations_;
    std::unordered_map<unsigned, TurnVariable> shared_;  // by DECL_UID
};

/// Which runs when the program is over.
bool registers_destructor(tree callee);

/// Takes back what variables say that have threads' own numbers, if others write to them.
void settle_own_turns(Gathering& gathering);

}  // namespace mqinspect::thread_level::plugin
