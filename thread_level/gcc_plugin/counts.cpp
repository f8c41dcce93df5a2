#include "thread_level/gcc_plugin/counts.h"

#include <algorithm>
#include <string>

#include "thread_level/facts/strings.h"
#include "thread_level/gcc_plugin/conditions.h"

namespace mqinspect::thread_level::plugin {
namespace {

bool is_builtin_count(std::string_view name) {
    for (const std::string_view known : {"__atomic_fetch_add",
                                         "__atomic_fetch_sub",
                                         "__atomic_add_fetch",
                                         "__atomic_sub_fetch",
                                         "__sync_fetch_and_add",
                                         "__sync_fetch_and_sub",
                                         "__sync_add_and_fetch",
                                         "__sync_sub_and_fetch"}) {
        if (name.starts_with(known)) return true;
    }
    return false;
}

bool is_of_atomic(std::string_view symbol) {
    return symbol.starts_with("_ZNSt13__atomic_base") ||
           symbol.starts_with("_ZNVSt13__atomic_base") || symbol.starts_with("_ZNSt6atomicI");
}

bool is_name_of_member(std::string_view name) {
    for (const std::string_view known :
         {"fetch_add", "fetch_sub", "operator++", "operator--", "operator+=", "operator-="}) {
        if (name == known) return true;
    }
    return false;
}

bool counts_down(const gimple* addition, tree number) {
    return amount_of(addition, number) < 0;
}

}  // namespace

tree added(gimple* definition, tree to) {
    if (!is_gimple_assign(definition) || gimple_num_ops(definition) < 3) return NULL_TREE;
    const tree_code code = gimple_assign_rhs_code(definition);
    if ((code != PLUS_EXPR && code != MINUS_EXPR) || gimple_assign_rhs1(definition) != to)
        return NULL_TREE;
    const tree number = gimple_assign_rhs2(definition);
    return TREE_CODE(number) == INTEGER_CST && !integer_zerop(number) ? number : NULL_TREE;
}

std::int64_t amount_of(const gimple* addition, tree number) {
    const std::int64_t amount = wi::to_wide(number).to_shwi();
    return gimple_assign_rhs_code(addition) == MINUS_EXPR ? -amount : amount;
}

bool is_count(std::string_view name, tree function_declaration) {
    if (is_builtin_count(name)) return true;
    return is_name_of_member(name) &&
           is_of_atomic(IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function_declaration)));
}

bool counts_down(const gimple* call) {
    const std::string_view name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(gimple_call_fndecl(call)));
    return contains(name, "sub") || contains(name, "mmE") || contains(name, "mIE");
}

/// A count, and a number more or less.
Conditions::Operand Conditions::classify_shifted(gimple* assignment, ContextId context, int depth) {
    if (gimple_num_ops(assignment) < 3) return {};
    const tree first = gimple_assign_rhs1(assignment);
    const tree number = added(assignment, first);
    // What counts itself is nobody's number.
    if (number == NULL_TREE || first == gimple_assign_lhs(assignment)) return {};
    Operand operand = classify(first, context, depth - 1);
    if (operand.quantity == Quantity::ThreadNumber || operand.quantity == Quantity::ShiftedNumber) {
        operand.shift += amount_of(assignment, number);
        operand.quantity = operand.shift == 0 ? Quantity::ThreadNumber : Quantity::ShiftedNumber;
        return operand;
    }
    if (operand.wrapper != 0 &&
        (operand.quantity == Quantity::Provided || operand.quantity == Quantity::Wrapped)) {
        Operand sum;
        sum.quantity = Quantity::Wrapped;
        sum.wrapper = operand.wrapper;
        sum.shift = operand.shift + amount_of(assignment, number);
        return sum;
    }
    const bool is_count =
        operand.quantity == Quantity::CountedUp || operand.quantity == Quantity::CountedDown;
    return is_count ? operand : Operand{};
}

/// `if (omp_get_thread_num() == i - 1) me = i;`: of what is copied there.
Conditions::Operand Conditions::classify_equal(const Located& copy, int depth) {
    const tree copied = gimple_assign_rhs1(copy.statement);
    const ContextId thread = source_.thread_context(copy.context);
    const VariableUse* use = is_local_name(copied) ? source_.use_of(copied) : nullptr;
    if (thread == 0 || use == nullptr || use->escapes) return {};
    const tree label = source_.label_of_way(copy.statement);
    const Located* branch = label == NULL_TREE ? nullptr : source_.only_branch_to(label, true);
    if (branch == nullptr || gimple_cond_code(branch->statement) != EQ_EXPR ||
        source_.thread_context(branch->context) != thread)
        return {};
    const auto is_written_there = [&](const Located& at) {
        return source_.label_of_way(at.statement) == label;
    };
    if (std::ranges::any_of(use->definitions, is_written_there)) return {};
    const tree left = gimple_cond_lhs(branch->statement);
    const tree right = gimple_cond_rhs(branch->statement);
    for (const bool is_left : {true, false}) {
        const Sum sum = without_constants(is_left ? left : right);
        if (sum.term != copied) continue;
        Operand number = classify(is_left ? right : left, branch->context, depth);
        if (number.quantity != Quantity::ThreadNumber && number.quantity != Quantity::ShiftedNumber)
            return {};
        number.shift -= sum.added;
        number.quantity = number.shift == 0 ? Quantity::ThreadNumber : Quantity::ShiftedNumber;
        return number;
    }
    return {};
}

/// Whether the function writes to a flag that `raising` reads and sets nowhere else but where no
/// region of it has begun yet. That others don't is taken for granted.
bool Conditions::is_raised_only(const SourceWalk::Atomic& raising) {
    const tree flag = base_variable(source_.target_of(raising));
    if (flag == NULL_TREE || !VAR_P(flag)) return false;
    const auto is_known = [&](const SourceWalk::Atomic& other) {
        return other.store == nullptr || other.store == raising.store ||
               base_variable(source_.target_of(other)) != flag;
    };
    const auto is_before = [&](const Located& write) {
        return base_variable(gimple_get_lhs(write.statement)) != flag ||
               source_.thread_context(write.context) == 0;
    };
    const VariableUse* use = is_global_var(flag) ? nullptr : source_.use_of(flag);
    return std::ranges::all_of(source_.atomics, is_known) &&
           std::ranges::all_of(source_.number_writes, is_before) &&
           (use == nullptr || std::ranges::all_of(use->definitions, is_before));
}

/// `omp atomic capture` of what it counts, or raises.
Conditions::Operand Conditions::classify_atomic(gimple* load) {
    const tree loaded = gimple_omp_atomic_load_lhs(as_a<gomp_atomic_load*>(load));
    for (const SourceWalk::Atomic& atomic : source_.atomics) {
        if (atomic.load.statement != load || atomic.store == nullptr) continue;
        const tree stored = gimple_omp_atomic_store_val(as_a<gomp_atomic_store*>(atomic.store));
        if (TREE_CODE(stored) == INTEGER_CST) {
            Operand flag;
            if (!integer_zerop(stored) && is_raised_only(atomic)) flag.quantity = Quantity::Raised;
            return flag;
        }
        const Located* definition =
            is_local_name(stored) ? values_.only_definition(stored) : nullptr;
        const tree number =
            definition == nullptr ? NULL_TREE : added(definition->statement, loaded);
        if (number == NULL_TREE) return {};
        Operand operand;
        operand.quantity = counts_down(definition->statement, number) ? Quantity::CountedDown
                                                                      : Quantity::CountedUp;
        return operand;
    }
    return {};
}

const SourceWalk::Guarded* Conditions::guarded(const gimple* statement) const {
    const auto& all =
        gimple_code(statement) == GIMPLE_COND ? source_.guarded_tests : source_.guarded;
    const auto found = std::ranges::find(all, statement, &SourceWalk::Guarded::statement);
    return found == all.end() ? nullptr : &*found;
}

/// What one thread after the other reads from a variable that it counts on the way, without letting
/// go of the lock that all of them take.
Conditions::Operand Conditions::classify_guarded(const Located& read) {
    const SourceWalk::Guarded* at = guarded(read.statement);
    const tree counter = gimple_assign_rhs1(read.statement);
    const tree variable = at == nullptr ? NULL_TREE : base_variable(counter);
    if (variable == NULL_TREE || !VAR_P(variable) || !INTEGRAL_TYPE_P(TREE_TYPE(counter)))
        return {};
    if (!source_.is_common(variable, read.context) ||
        !are_all_guarded(counter, at->lock, read.context))
        return {};
    Operand operand;
    for (const SourceWalk::Guarded& other : source_.guarded) {
        if (other.stretch != at->stretch ||
            operand_equal_p(gimple_assign_lhs(other.statement), counter, 0) == 0)
            continue;
        const auto direction = step_of_count(other.statement, counter, at->stretch);
        if (!direction || operand.quantity != Quantity::None) return {};
        operand.quantity = *direction;
    }
    return operand;
}

/// The local variable beside the `counter` that `variable` is a copy of, as `counter++` keeps one.
tree Conditions::copied_from(tree variable, tree counter) {
    constexpr int most_copies = 3;
    for (int i = 0; i < most_copies && is_local_name(variable); ++i) {
        const Located* copy = values_.only_definition(variable);
        const bool is_copy = copy != nullptr && is_gimple_assign(copy->statement) &&
                             gimple_assign_single_p(copy->statement) &&
                             is_local_name(gimple_assign_rhs1(copy->statement)) &&
                             gimple_assign_rhs1(copy->statement) != counter;
        if (!is_copy) return variable;
        variable = gimple_assign_rhs1(copy->statement);
    }
    return variable;
}

/// Which way `write` counts, if the `counter` is read in the same stretch for that.
std::optional<Conditions::Quantity> Conditions::step_of_count(gimple* write,
                                                              tree counter,
                                                              unsigned stretch) {
    gimple* addition = write;
    if (gimple_assign_single_p(write)) {
        const tree written = gimple_assign_rhs1(write);
        const Located* sum = is_local_name(written) ? values_.only_definition(written) : nullptr;
        if (sum == nullptr || !is_gimple_assign(sum->statement)) return std::nullopt;
        addition = sum->statement;
    }
    const tree before = gimple_assign_rhs1(addition);
    const tree number = added(addition, before);
    const tree read_into = copied_from(before, counter);
    const VariableUse* use = is_local_name(read_into) ? source_.use_of(read_into) : nullptr;
    if (number == NULL_TREE || use == nullptr || use->definitions.empty()) return std::nullopt;
    bool is_read_here = false;
    for (const Located& read : use->definitions) {
        const SourceWalk::Guarded* at = guarded(read.statement);
        if (at == nullptr || !gimple_assign_single_p(at->statement) ||
            operand_equal_p(gimple_assign_rhs1(at->statement), counter, 0) == 0)
            return std::nullopt;
        is_read_here = is_read_here || at->stretch == stretch;
    }
    if (!is_read_here) return std::nullopt;
    return counts_down(addition, number) ? Quantity::CountedDown : Quantity::CountedUp;
}

/// Whether the function changes the `counter` under the `lock` only, but for setting it to a
/// number.
bool Conditions::are_all_guarded(tree counter, gimple* lock, ContextId context) {
    const tree variable = base_variable(counter);
    const auto is_known = [&](gimple* write) {
        if (base_variable(gimple_get_lhs(write)) != variable) return true;
        if (is_gimple_assign(write) && gimple_assign_single_p(write) &&
            TREE_CODE(gimple_assign_rhs1(write)) == INTEGER_CST)
            return true;
        const SourceWalk::Guarded* at = guarded(write);
        return at != nullptr && is_same_lock(at->lock, lock, context);
    };
    if (is_global_var(variable)) return std::ranges::all_of(source_.global_writes, is_known);
    const VariableUse* use = source_.use_of(variable);
    return use != nullptr && !use->escapes && use->handed_over.empty() &&
           std::ranges::all_of(use->definitions,
                               [&](const Located& at) { return is_known(at.statement); });
}

bool Conditions::is_same_lock(gimple* a, gimple* b, ContextId context) {
    if (gimple_code(a) != gimple_code(b)) return false;
    if (gimple_code(a) == GIMPLE_OMP_CRITICAL) {
        return gimple_omp_critical_name(as_a<gomp_critical*>(a)) ==
               gimple_omp_critical_name(as_a<gomp_critical*>(b));
    }
    const auto lock_of = [&](gimple* call) {
        const auto position = static_cast<unsigned>(callees_.of(gimple_call_fndecl(call)).argument);
        return position < gimple_call_num_args(call)
                   ? values_.of(gimple_call_arg(call, position), context)
                   : Value{};
    };
    const Value first = lock_of(a);
    const bool is_one =
        first.kind == Value::Kind::Global || (first.kind == Value::Kind::Local && first.is_shared);
    return is_one && first == lock_of(b);
}

/// One thread has the number: the first that comes, again and again, or another one, for which all
/// before it have to come.
Branch Conditions::compare_count(tree_code code,
                                 const Operand& count,
                                 tree right,
                                 ContextId context) {
    Branch branch;
    if (code != EQ_EXPR && code != NE_EXPR) return branch;
    const auto number = values_.constant(right);
    if (!number) {
        const Quantity other = classify(right, context, 4).quantity;
        if (other != Quantity::Wrapped && is_of_thread(other)) return branch;
    }
    const bool is_low = number && (*number == 0 || *number == 1);
    const bool is_first = number && is_low == (count.quantity == Quantity::CountedUp);
    Implication& side = code == EQ_EXPR ? branch.when_true : branch.when_false;
    side.condition = Condition::DrewNumber;
    side.number = is_first ? kChangingNumber : 0;
    return branch;
}

}  // namespace mqinspect::thread_level::plugin
