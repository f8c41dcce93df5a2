// Conditions on what all threads of the team have in common, such as the rank of the process: no
// two threads are on different sides of them. Conditions, further part.
#include <algorithm>
#include <string>

#include "thread_level/facts/values.h"
#include "thread_level/gcc_plugin/conditions.h"

namespace mqinspect::thread_level::plugin {
namespace {

bool is_comparison(tree_code code) {
    return TREE_CODE_CLASS(code) == tcc_comparison;
}

/// What is computed of numbers alone.
bool is_arithmetic(tree_code code) {
    switch (code) {
        case PLUS_EXPR:
        case MINUS_EXPR:
        case MULT_EXPR:
        case TRUNC_DIV_EXPR:
        case TRUNC_MOD_EXPR:
        case BIT_AND_EXPR:
        case RSHIFT_EXPR:
            return true;
        default:
            return is_comparison(code);
    }
}

}  // namespace

Branch Conditions::of_common(const Located& condition) {
    // Threads that a function starts, and itself, have what MPI told it in common.
    const bool is_told = source_.thread_context(condition.context) == 0;
    if (is_told && !source_.starts_threads) return {};
    operands_left_ = kMostOperands;
    common_globals_ = {};
    const gimple* statement = condition.statement;
    Branch branch = compare_common(gimple_cond_code(statement),
                                   gimple_cond_lhs(statement),
                                   gimple_cond_rhs(statement),
                                   condition.context,
                                   kDepth);
    for (Implication* side : {&branch.when_true, &branch.when_false}) {
        if (side->condition == Condition::None) continue;
        side->is_told = is_told;
        if (common_globals_[0] != NULL_TREE) {
            side->provided_global = DECL_UID(common_globals_[0]);
            side->limit = values_.of(common_globals_[0], condition.context);
        }
        if (common_globals_[1] != NULL_TREE) side->other_global = DECL_UID(common_globals_[1]);
    }
    return branch;
}

Branch Conditions::compare_common(
    tree_code code, tree left, tree right, ContextId context, int depth) {
    if (depth <= 0 || !is_comparison(code)) return {};
    const bool is_with_zero = (code == EQ_EXPR || code == NE_EXPR) && integer_zerop(right);
    const Located* asked =
        is_with_zero && is_local_name(left) ? values_.only_definition(left) : nullptr;
    if (asked != nullptr && is_gimple_assign(asked->statement)) {
        Branch inner = common_parts(*asked, depth - 1);
        if (code == EQ_EXPR) std::swap(inner.when_true, inner.when_false);
        if (inner.says_anything()) return inner;
    }
    const std::string text = common_text(left, context, depth);
    if (text.empty()) return {};
    Value tested;
    tested.kind = Value::Kind::Local;
    const auto number = values_.constant(right);
    if (number && (code == EQ_EXPR || code == NE_EXPR)) {
        tested.name = gathering_.intern(text);
        return is_argument(code, tested, *number);
    }
    const std::string other = common_text(right, context, depth);
    if (other.empty()) return {};
    // `a >= b` is the other side of `a < b`.
    const bool is_negated = code == NE_EXPR || code == GE_EXPR || code == GT_EXPR;
    const tree_code positive = is_negated ? invert_tree_comparison(code, false) : code;
    tested.name = gathering_.intern(text + get_tree_code_name(positive) + other);
    return is_argument(is_negated ? NE_EXPR : EQ_EXPR, tested, 1);
}

/// Of what a variable is set to, if that is not 0: where `a & b` is not, neither is each of the
/// two; where `a | b` is 0, so are both.
Branch Conditions::common_parts(const Located& definition, int depth) {
    gimple* statement = definition.statement;
    const tree_code code = gimple_assign_rhs_code(statement);
    const tree first = gimple_assign_rhs1(statement);
    if (is_comparison(code)) {
        return compare_common(
            code, first, gimple_assign_rhs2(statement), definition.context, depth);
    }
    if (is_copying(statement))
        return compare_common(NE_EXPR, first, integer_zero_node, definition.context, depth);
    if (code != BIT_AND_EXPR && code != BIT_IOR_EXPR) return {};
    const tree second = gimple_assign_rhs2(statement);
    if (TREE_CODE(second) == INTEGER_CST) return {};
    Branch all;
    for (const tree part : {first, second}) {
        const Branch one =
            compare_common(NE_EXPR, part, integer_zero_node, definition.context, depth);
        if (code == BIT_AND_EXPR && all.when_true.condition == Condition::None)
            all.when_true = one.when_true;
        if (code == BIT_IOR_EXPR && all.when_false.condition == Condition::None)
            all.when_false = one.when_false;
    }
    return all;
}

/// A name for what the operand is each time, for all threads of the team; empty: it may differ.
std::string Conditions::common_text(tree operand, ContextId context, int depth) {
    if (depth <= 0 || --operands_left_ < 0) return {};
    operand = strip(operand);
    if (const auto number = values_.constant(operand)) return std::to_string(*number);
    if (DECL_P(operand) && INTEGRAL_TYPE_P(TREE_TYPE(operand))) {
        const bool is_global = VAR_P(operand) && is_global_var(operand);
        const bool may_be = is_global ? is_common_global(operand) : is_common(operand, context);
        if (may_be) return "v" + std::to_string(DECL_UID(operand));
    }
    if (!is_local_name(operand)) return {};
    const Located* definition = values_.only_definition(operand);
    if (definition == nullptr || !is_gimple_assign(definition->statement)) return {};
    gimple* statement = definition->statement;
    std::string first = common_text(gimple_assign_rhs1(statement), definition->context, depth - 1);
    if (first.empty() || is_copying(statement)) return first;
    const tree_code code = gimple_assign_rhs_code(statement);
    if (!is_arithmetic(code)) return {};
    const std::string second =
        common_text(gimple_assign_rhs2(statement), definition->context, depth - 1);
    return second.empty() ? second : "(" + first + get_tree_code_name(code) + second + ")";
}

/// Behind the divisor, if what names such a number is what is left of a division; else empty.
std::string Conditions::divisor_in(tree number, ContextId context) {
    const Located* made = is_local_name(number) ? values_.only_definition(number) : nullptr;
    const bool is_rest = made != nullptr && is_gimple_assign(made->statement) &&
                         gimple_assign_rhs_code(made->statement) == TRUNC_MOD_EXPR;
    if (!is_rest) return {};
    operands_left_ = kMostOperands;
    return kRestOf + std::to_string(idle_hash(
                         common_text(gimple_assign_rhs2(made->statement), context, kDepth)));
}

Value Conditions::common_number(tree argument, ContextId context) {
    Value common;
    if (TREE_CODE(argument) == ADDR_EXPR && is_fortran()) argument = TREE_OPERAND(argument, 0);
    if (source_.thread_context(context) == 0 || !INTEGRAL_TYPE_P(TREE_TYPE(argument)))
        return common;
    operands_left_ = kMostOperands;
    common_globals_ = {};
    const std::string text = common_text(argument, context, kDepth);
    if (text.empty() || common_globals_[0] != NULL_TREE) return common;
    common.kind = Value::Kind::Local;
    common.name = gathering_.intern('(' + std::to_string(idle_hash(text)) +
                                    divisor_in(argument, context) + ')');
    common.is_shared = true;
    return common;
}

/// Whether a variable of the function has the rank or the size of a communicator, and nothing else
/// but a constant at first.
bool Conditions::is_told(tree variable) {
    if (!is_local_name(variable)) return false;
    const VariableUse* use = source_.use_of(variable);
    if (use == nullptr || use->escapes || use->handed_over.size() != 1) return false;
    const auto is_serial_constant = [this](const Located& at) {
        return is_constant(at.statement) && source_.thread_context(at.context) == 0;
    };
    if (!std::ranges::all_of(use->definitions, is_serial_constant)) return false;
    const tree callee = gimple_call_fndecl(use->handed_over.front().statement);
    const MpiProcedure* mpi = callee == NULL_TREE ? nullptr : callees_.of(callee).mpi;
    return mpi != nullptr && (mpi->name == "MPI_Comm_rank" || mpi->name == "MPI_Comm_size");
}

/// Whether nothing in the parallel region around `context` writes to a variable of the function.
/// Outside of regions: is_told().
bool Conditions::is_common(tree variable, ContextId context) {
    if (source_.thread_context(context) == 0) return VAR_P(variable) && is_told(variable);
    if (TREE_THIS_VOLATILE(variable) || !is_shared_constant(variable, context)) return false;
    const VariableUse* use = source_.use_of(variable);
    if (use == nullptr) return true;
    const ContextId team = source_.thread_context(context);
    const auto is_in_team = [&](const Located& at) { return source_.is_inside(at.context, team); };
    return std::ranges::none_of(use->definitions, is_in_team) &&
           !may_call_write(*use, variable, team);
}

/// Whether the static variable may be one that no team writes to; see team_writes.h. A condition
/// may have two of them.
bool Conditions::is_common_global(tree variable) {
    if (DECL_THREAD_LOCAL_P(variable) || TREE_THIS_VOLATILE(variable)) return false;
    for (tree& common : common_globals_) {
        if (common == NULL_TREE) common = variable;
        if (common == variable) return true;
    }
    return false;
}

}  // namespace mqinspect::thread_level::plugin
