/// What a branch says about the thread that takes it.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {

/// One side of a branch, as the guard that it is.
struct Implication {
    Condition condition = Condition::None;
    std::int64_t number = 0;
    StringId wrapper = 0;
    unsigned provided_global = 0;  ///< DECL_UID: holds if MPI tells a thread level in it
    unsigned other_global = 0;     ///< a second one, of what all threads have in common
    Value tested;                  ///< as in Region
    Value limit;
    bool is_exact = false;  ///< LevelAtLeast: and no other
    bool is_told = false;   ///< as in ProvidedGuard

    bool operator==(const Implication&) const = default;
};

struct Branch {
    Implication when_true;
    Implication when_false;
    Value variable;  ///< what is tested

    bool says_anything() const {
        return when_true.condition != Condition::None || when_false.condition != Condition::None;
    }
};

/// What a function returns: if it calls a `wrapper` for that (0: it does not), and that returns the
/// number of the thread; Other: whatever the wrapper returns.
struct Returned {
    Returns returns = Returns::Other;
    StringId wrapper = 0;

    bool operator==(const Returned& other) const {
        return returns == other.returns && wrapper == other.wrapper;
    }
};

/// A label of a GIMPLE_SWITCH other than the default, as in CASE_LABEL_EXPR.
struct Case {
    tree low = NULL_TREE;
    tree high = NULL_TREE;  ///< null: one number
    Branch said;            ///< of one number also where it is not that
};

/// Of a GIMPLE_SWITCH: what its labels say; empty: nothing at all. GCC takes out labels later, and
/// makes one of several.
using Choice = std::vector<Case>;

/// What a label of `statement` says that there is by now, by its index.
Implication said_by(const Choice& choice, const gswitch* statement, unsigned label);
/// Of a condition that a choice has become; null: it is none.
const Branch* said_by(const Choice& choice, const gcond* condition);

/// What may keep the number of a thread; a parameter that points to it, if it has none of the rest.
struct Keeper {
    unsigned declaration = 0;  ///< DECL_UID
    tree member = NULL_TREE;   ///< of a class: FIELD_DECL
    StringId own_name = 0;     ///< as guards call what each thread has for itself
};

class Conditions {
public:
    Conditions(Gathering& gathering, Callees& callees, SourceWalk& source, Values& values)
        : gathering_(gathering), callees_(callees), source_(source), values_(values) {}

    /// Of a GIMPLE_COND.
    Branch of(const Located& condition);
    /// Of the same, as far as it is on what all threads of a parallel region of the function have
    /// in common.
    Branch of_common(const Located& condition);
    /// The side that is taken each time; nothing: either may be.
    std::optional<bool> fixed_side(const gcond* condition);
    /// Of a value that a clause asks for.
    Implication where_true(tree value, ContextId context);
    Choice of_switch(const Located& statement);
    /// What `result`, which the function returns, is.
    Returned returned(tree result);
    /// Notes members of classes that a thread level is copied to.
    void note_copied_levels();
    /// Notes what members of classes, and variables of each thread, get that may be its number.
    void note_numbers();
    /// Notes flags that may say what thread level is provided; see level_flags.h.
    void note_level_flags();
    /// Of a function that calls nothing.
    Returned returned_by_itself();
    /// Of an argument that is the number of the thread that hands it over, or whether that is 0.
    std::optional<Value> thread_number(tree argument, ContextId context);
    /// Of one that is what a variable keeps which each thread has for itself, or a member of an
    /// object: its number, or whether that is 0, if all that is written to it says so.
    std::optional<Value> kept_number(tree argument, ContextId context);
    /// Of a flag that is computed of an argument of the function, and handed over: see
    /// flag_facts.h.
    std::optional<Value> flag_of_argument(tree flag, const LocatedCall& at);
    /// Whether all threads of the team hand over the same, each time.
    bool is_same_for_all(tree argument, ContextId context);
    /// Whether all threads of the team have the same there in each round of a loop that each of
    /// them goes through by itself.
    bool is_same_in_rounds(tree operand, ContextId context);
    /// What is computed of numbers that all threads of a parallel region of the function have in
    /// common, as a variable that they share; Unknown: it is something else.
    Value common_number(tree argument, ContextId context);

private:
    static constexpr int kDepth = 10;          // of definitions that are followed
    static constexpr int kMostOperands = 200;  // that are looked at for one condition

    /// What an operand is, if it matters.
    enum class Quantity : std::uint8_t {
        None,
        ThreadNumber,
        TeamSize,
        MaxThreads,
        NestingLevel,
        InParallel,
        MainFlag,
        NotMainFlag,
        InitializedFlag,
        Provided,
        Wrapped,
        CountedUp,  ///< by the thread, in one atomic step; each thread gets another number
        CountedDown,
        StaticGuard,    ///< of a static variable that is to be made
        SerialThread,   ///< of a barrier that threads have waited at: which of them it is
        Raised,         ///< what a flag was in front of the atomic step that raised it
        ShiftedNumber,  ///< of the thread, plus `shift`
        Processes,      ///< of a communicator that the function is handed
    };
    /// What one thread has, and another one not.
    static bool is_of_thread(Quantity quantity) {
        return quantity == Quantity::ThreadNumber || quantity == Quantity::ShiftedNumber ||
               quantity == Quantity::Wrapped || quantity == Quantity::CountedUp ||
               quantity == Quantity::CountedDown || quantity == Quantity::SerialThread ||
               quantity == Quantity::Raised;
    }
    enum class Uniform : std::uint8_t {
        No,
        Always,
        Changing,  ///< from one time to the next
    };
    struct Operand {
        Quantity quantity = Quantity::None;
        StringId wrapper = 0;
        unsigned provided_global = 0;
        Value global;            ///< the same
        bool is_result = false;  ///< of a function that may return a level
        std::int64_t shift = 0;
    };
    /// What a number is computed from, by adding constants alone.
    struct Sum {
        tree term = NULL_TREE;
        std::int64_t added = 0;
    };

    Branch compare_common(tree_code code, tree left, tree right, ContextId context, int depth);
    Branch common_parts(const Located& definition, int depth);
    std::string common_text(tree operand, ContextId context, int depth);
    bool is_told(tree variable);
    bool is_common(tree variable, ContextId context);
    bool is_common_global(tree variable);
    std::optional<int> fixed_number(tree operand);
    Branch compare(tree_code code, tree left, tree right, ContextId context, int depth);
    Branch compare_quantity(tree_code code, const Operand& operand, tree right, ContextId context);
    Branch compare_with_variable(tree_code code, std::int64_t shift, tree right, ContextId context);
    Branch compare_with_other(tree_code code,
                              const Operand& operand,
                              tree right,
                              ContextId context);
    Branch compare_with_size(tree_code code, std::int64_t shift, tree right, ContextId context);
    Branch of_boolean(tree operand, ContextId context, int depth);
    Branch of_flag(tree operand, ContextId context, int depth);
    Branch compare_role(tree_code code, tree left, tree right, ContextId context, int depth);
    Implication known_at(const Located& write, int depth);
    Implication of_case(tree label, int depth);
    bool finds_first(const Located& branch, tree label, bool is_true_side);
    gimple* lock_of_test(const Located& branch, tree& variable, bool& is_zero) const;
    bool is_left_alone(const VariableUse& use);
    Implication thread_is_zero(tree operand, ContextId context);
    static Implication both_ways(const Branch& branch);
    static bool is_partial_flag(const Branch& branch);
    Branch of_copied(tree operand, ContextId context, int depth);
    Branch of_expression(gimple* assignment, ContextId context, int depth);
    std::vector<Branch> branches_of_chain(tree label, tree otherwise, bool is_true_side, int depth);
    Implication zero_of_chain(tree zero, tree one, bool is_true_side, int depth);
    bool is_asked_behind(const gimple* statement) const;
    /// What is known where `cleared` does not set a flag to false that is true.
    struct LeftTrue {
        Implication known;
        const gimple* first = nullptr;  ///< of the branches around it
    };
    std::optional<LeftTrue> left_true(const Located& cleared);
    Implication where_left(const Located& set, const Located& cleared);
    std::string divisor_in(tree number, ContextId context);
    void note_cleared(const LevelFlagWrite& write, const Located& cleared);
    Implication known_of_two(const Located& set, const Located& other, int depth);
    std::optional<Located> last_set(const VariableUse& use, tree variable, ContextId context) const;
    bool is_overwritten(const Located& write) const;
    bool is_reset(const VariableUse& use, const Located& constant) const;
    std::array<bool, 2> constants_set_again(const VariableUse& use) const;
    std::vector<Implication> sides_of_chain(tree label,
                                            tree otherwise,
                                            bool is_true_side,
                                            int depth);
    std::array<tree, 2> short_circuit_labels(tree operand, ContextId context);
    std::vector<Implication> zero_parts(tree united, ContextId context, int depth);
    std::vector<Implication> true_parts(tree operand, ContextId context, int depth);
    Branch of_short_circuit(tree operand, ContextId context, int depth);
    Implication of_chain(tree label, tree otherwise, bool is_true_side, int depth);
    Branch compare_united(tree_code code, tree left, tree right, ContextId context, int depth);
    Branch compare_outer(tree_code code, tree left, tree right, ContextId context);
    bool is_outer_number(tree operand, ContextId context);
    Branch compare_identities(tree_code code, tree left, tree right, ContextId context);
    Branch compare_quantities(tree_code code, tree left, tree right, ContextId context, int depth);
    bool is_index_of_loop(tree operand);
    Branch of_member_asked(Branch branch, tree member, ContextId context, int depth);
    Branch compare_positive(tree_code code, tree left, tree right, ContextId context);
    Branch compare_sum(tree_code code, tree left, tree right, ContextId context);
    Branch compare_index(tree_code code, tree left, tree right, ContextId context);
    Operand classify(tree operand, ContextId context, int depth);
    Operand classify_variable(tree variable, ContextId context, int depth);
    bool is_thread_number_only(const VariableUse& use, int depth);
    Operand classify_definition(const Located& definition, int depth);
    Operand classify_handed_over(const VariableUse& use, tree variable, ContextId context);
    Operand classify_asked(const VariableUse& use, tree variable, ContextId context);
    StringId answer_asked(const Located& call, tree variable);
    tree associated_variable(tree operand);
    void note_answer(const Located& write);
    static Operand as_number(const Operand& operand);
    Operand classify_identities(tree left, tree right);
    Operand classify_call(gimple* call, ContextId context, int depth);
    bool are_others_same(gimple* call, unsigned position, ContextId context);
    Value number_handed(gimple* call, ContextId context, int depth);
    void note_main(unsigned keeper);
    tree handed_by_reference(tree argument);
    void note_tests_of_arguments(tree result);
    Operand classify_equal(const Located& copy, int depth);
    Operand classify_shifted(gimple* assignment, ContextId context, int depth);
    std::int64_t amount_raised(gimple* definition, gimple*& read);
    gimple* raised_by(gimple* definition, const VariableUse& use);
    Operand raised(Operand set, const Located& definition, const VariableUse& use);
    static bool begins_with_constants(const VariableUse& use);
    Operand classify_referred(tree reference);
    Operand classify_member(tree reference);
    Operand classify_result(tree function);
    bool is_of_each_thread(StringId keeper) const;
    bool is_keeper(StringId name) const;
    std::optional<Operand> copied_level(const Located& at);
    void note_level_at(unsigned declaration, const Operand& level);
    StringId number_keeper(unsigned declaration, StringId name);
    bool note_kept_test(const Keeper& keeper, const Located& write);
    bool note_kept_argument(const Keeper& keeper, const Located& write);
    tree constant_copied(tree written);
    void note_referred(const Keeper& keeper, const Located& write);
    void note_number(const Keeper& keeper, const Located& write);
    bool note_level_flag(StringId keeper, tree written, const Located& at);
    bool is_left_out(const Located& write);
    void note_copied_flag(tree written, const Located& at, LevelFlagWrite& write);
    bool is_of_first_only(const Keeper& keeper, const Located& write);
    void find_flags_by_branch();
    Implication set_by_branch(gimple* set, gimple* unset);
    Implication known_where_set(const Keeper& keeper, const Located& write);
    void note_copied_in();
    Operand classify_atomic(gimple* load);
    bool is_raised_only(const SourceWalk::Atomic& raising);
    Operand classify_guarded(const Located& read);
    tree copied_from(tree variable, tree counter);
    std::optional<Quantity> step_of_count(gimple* write, tree counter, unsigned stretch);
    bool are_all_guarded(tree counter, gimple* lock, ContextId context);
    bool is_same_lock(gimple* a, gimple* b, ContextId context);
    const SourceWalk::Guarded* guarded(const gimple* statement) const;
    Branch compare_count(tree_code code, const Operand& count, tree right, ContextId context);
    bool may_call_write(const VariableUse& use, tree variable, ContextId team);
    bool is_shared_constant(tree operand, ContextId context);
    bool is_part_of_shared(tree operand, ContextId context);
    Uniform uniform(tree operand, ContextId context, int depth);
    Uniform uniform_definition(const Located& definition, int depth);
    static void note_source(const Operand& operand, Branch& branch);
    Branch compare_levels(tree_code code, const Operand& operand, tree right, ContextId context);
    Branch compare_argument(tree_code code, tree left, tree right, ContextId context);
    Branch compare_optional(tree_code code, tree left, std::int64_t number, ContextId context);
    Branch compare_sum(tree_code code, tree left, std::int64_t number, ContextId context);
    Branch compare_remainder(tree_code code, tree left, tree right, ContextId context);
    Value other_member(const Value& tested,
                       std::int64_t taken,
                       tree other,
                       ContextId context,
                       std::int64_t& added);
    Branch compare_with_shared(tree_code code, tree left, tree right, ContextId context);
    Sum without_constants(tree operand);
    std::optional<std::pair<Value, std::int64_t>> variable_in(tree operand, ContextId context);
    Value parameter_in(tree operand, ContextId context, int depth);
    Branch of_label(tree label, const std::function<Branch(tree)>& is_number);

    Gathering& gathering_;
    Callees& callees_;
    SourceWalk& source_;
    Values& values_;
    std::unordered_map<gimple*, Implication> flags_by_branch_;  ///< by what sets them
    const gimple* asked_ = nullptr;         ///< the condition or return in question, if it is one
    tree overwritten_ = NULL_TREE;          ///< what of_boolean() asks of itself, see last_set()
    std::vector<tree> followed_;            ///< variables that uniform() is asking about
    std::array<tree, 2> common_globals_{};  ///< those that common_text() has met
    int operands_left_ = 0;                 ///< of those that may be looked at for one condition
};

/// Of two of which one holds: that the thread has the number 0, which the only thread has, too. It
/// may depend on whether a variable keeps how many threads teams have. None: it is something else.
Implication zero_of_either(const Implication& a, const Implication& b);

/// What to keep of two implications that both hold: the one that says more about who is there.
const Implication& stronger(const Implication& a, const Implication& b);

/// Of a label in front of `statement`, with nothing but assignments and calls in between; null:
/// there is something else.
tree label_before(gimple* statement);

/// Whether who executes `first` comes to `second`, behind it in the same sequence: what jumps in
/// between leads to labels in between.
bool leads_on(const gimple* first, const gimple* second);

/// Of a COMPONENT_REF.
Keeper keeper_of_member(Gathering& gathering, tree reference);
/// What guards call a variable that each thread has for itself.
StringId name_of_own(Gathering& gathering, tree variable);

/// Of `tested` CODE `number`, == or !=: see Condition::ArgumentIs.
Branch is_argument(tree_code code, const Value& tested, std::int64_t number);

}  // namespace mqinspect::thread_level::plugin
