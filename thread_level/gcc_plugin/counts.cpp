#include "thread_level/gcc_plugin/counts.h"

#include <string>

#include "thread_level/gcc_plugin/conditions.h"

namespace mqinspect::thread_level::plugin {
namespace {

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

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

/// The number that is added; null: not known.
tree added(gimple* definition, tree to) {
    if (!is_gimple_assign(definition) || gimple_num_ops(definition) < 3) return NULL_TREE;
    const tree_code code = gimple_assign_rhs_code(definition);
    if ((code != PLUS_EXPR && code != MINUS_EXPR) || gimple_assign_rhs1(definition) != to)
        return NULL_TREE;
    const tree number = gimple_assign_rhs2(definition);
    return TREE_CODE(number) == INTEGER_CST && !integer_zerop(number) ? number : NULL_TREE;
}

}  // namespace

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
    if (added(assignment, first) == NULL_TREE) return {};
    const Operand operand = classify(first, context, depth - 1);
    const bool is_count =
        operand.quantity == Quantity::CountedUp || operand.quantity == Quantity::CountedDown;
    return is_count ? operand : Operand{};
}

/// `omp atomic capture` of what it counts.
Conditions::Operand Conditions::classify_atomic(gimple* load) {
    const tree loaded = gimple_omp_atomic_load_lhs(as_a<gomp_atomic_load*>(load));
    for (const SourceWalk::Atomic& atomic : source_.atomics) {
        if (atomic.load.statement != load || atomic.store == nullptr) continue;
        const tree stored = gimple_omp_atomic_store_val(as_a<gomp_atomic_store*>(atomic.store));
        const Located* definition =
            is_local_name(stored) ? values_.only_definition(stored) : nullptr;
        const tree number =
            definition == nullptr ? NULL_TREE : added(definition->statement, loaded);
        if (number == NULL_TREE) return {};
        const bool is_less = gimple_assign_rhs_code(definition->statement) == MINUS_EXPR;
        Operand operand;
        const bool is_down = is_less != (tree_int_cst_sgn(number) < 0);
        operand.quantity = is_down ? Quantity::CountedDown : Quantity::CountedUp;
        return operand;
    }
    return {};
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
        if (other == Quantity::ThreadNumber || other == Quantity::CountedUp ||
            other == Quantity::CountedDown)
            return branch;
    }
    const bool is_low = number && (*number == 0 || *number == 1);
    const bool is_first = number && is_low == (count.quantity == Quantity::CountedUp);
    Implication& side = code == EQ_EXPR ? branch.when_true : branch.when_false;
    side.condition = Condition::DrewNumber;
    side.number = is_first ? kChangingNumber : 0;
    return branch;
}

}  // namespace mqinspect::thread_level::plugin
