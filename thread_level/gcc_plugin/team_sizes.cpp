#include "thread_level/gcc_plugin/team_sizes.h"

#include <algorithm>

namespace mqinspect::thread_level::plugin {
namespace {

bool is_compilers(tree operand) {
    return TREE_CODE(operand) == SSA_NAME || (VAR_P(operand) && DECL_ARTIFICIAL(operand));
}

/// Of which `operand` is a copy that GCC has made, or that itself; null: it is no variable.
tree variable_of(SourceWalk& source, tree operand) {
    constexpr int most_copies = 4;
    for (int i = 0; i < most_copies; ++i) {
        if (TREE_CODE(operand) == ADDR_EXPR && is_fortran()) operand = TREE_OPERAND(operand, 0);
        operand = strip(operand);
        if (!is_local_name(operand))
            return VAR_P(operand) || TREE_CODE(operand) == PARM_DECL ? operand : NULL_TREE;
        const VariableUse* use = is_compilers(operand) ? source.use_of(operand) : nullptr;
        if (use == nullptr || use->definitions.size() != 1) return operand;
        const gimple* copy = use->definitions.front().statement;
        if (!is_gimple_assign(copy) || !is_copying(copy)) return operand;
        operand = gimple_assign_rhs1(copy);
    }
    return NULL_TREE;
}

/// Whether `left` CODE `right` says, where it is true, that the number is 1 at most; or, not
/// `where_true`, where it is false.
bool says_one(tree_code code, tree right, bool where_true) {
    if (TREE_CODE(right) != INTEGER_CST) return false;
    switch (code) {
        case EQ_EXPR:
        case LE_EXPR:
            return where_true && integer_onep(right);
        case NE_EXPR:
        case GT_EXPR:
            return !where_true && integer_onep(right);
        case LT_EXPR:
            return where_true && tree_fits_shwi_p(right) && tree_to_shwi(right) == 2;
        case GE_EXPR:
            return !where_true && tree_fits_shwi_p(right) && tree_to_shwi(right) == 2;
        default:
            return false;
    }
}

/// In the source.
location_t place_of(const gimple* statement) {
    return get_pure_location(line_table, gimple_location(statement));
}

bool is_thread_zero(const Implication& said) {
    return said.wrapper == 0 && said.condition == Condition::ThreadIsZero;
}

/// Whether a variable is 1 or less that may keep how many threads teams have.
bool is_size_of_one(const Implication& said) {
    if (said.provided_global == 0 || said.tested.kind != Value::Kind::Global ||
        said.limit.kind != Value::Kind::Unknown)
        return false;
    return (said.condition == Condition::LevelBelow && said.number == 2) ||
           (said.condition == Condition::LevelAtLeast && said.number == 1 && said.is_exact);
}

}  // namespace

Implication zero_of_either(const Implication& a, const Implication& b) {
    if (!is_thread_zero(a)) return is_thread_zero(b) ? zero_of_either(b, a) : Implication{};
    Implication zero;
    const bool is_one = b.wrapper == 0 && (b.condition == Condition::OneThread ||
                                           b.condition == Condition::NotInParallel);
    if (is_size_of_one(b)) {
        zero.provided_global = b.provided_global;
        zero.tested = b.tested;
    } else if (!is_one && !is_thread_zero(b)) {
        return zero;
    }
    zero.condition = Condition::ThreadIsZero;
    return zero;
}

TeamSizes::TeamSizes(SourceWalk& source) : source_(source) {
    if (!source.has_mpi || flag_openmp == 0) return;
    find_set();
    if (sizes_.empty()) find_clauses();
}

/// By the only call.
void TeamSizes::find_set() {
    for (const Located& at : source_.any_calls) {
        const tree function = gimple_call_fndecl(at.statement);
        if (function == NULL_TREE || gimple_call_num_args(at.statement) != 1 ||
            !declared_name(function).starts_with("omp_set_num_threads"))
            continue;
        sizes_.push_back({variable_of(source_, gimple_call_arg(at.statement, 0)), at.statement});
    }
    if (sizes_.size() != 1 || sizes_.front().variable == NULL_TREE) sizes_.clear();
}

void TeamSizes::find_clauses() {
    for (const Located& at : source_.constructs) {
        if (gimple_code(at.statement) != GIMPLE_OMP_PARALLEL) continue;
        const tree clause =
            omp_find_clause(gimple_omp_parallel_clauses(at.statement), OMP_CLAUSE_NUM_THREADS);
        const tree variable = clause == NULL_TREE
                                  ? NULL_TREE
                                  : variable_of(source_, OMP_CLAUSE_NUM_THREADS_EXPR(clause));
        if (variable == NULL_TREE || (!sizes_.empty() && sizes_.front().variable != variable)) {
            sizes_.clear();
            return;
        }
        sizes_.push_back({variable, at.statement});
    }
}

/// That loops do not come back to what is written before is taken for granted.
bool TeamSizes::is_kept_between(const Size& size, const gimple* condition) const {
    const auto places = std::minmax({place_of(condition), place_of(size.given)});
    const auto is_outside = [&](const gimple* write) {
        return write == size.given || place_of(write) <= places.first ||
               place_of(write) > places.second;
    };
    if (VAR_P(size.variable) && is_global_var(size.variable)) {
        return std::ranges::all_of(source_.global_writes, [&](const gimple* write) {
            return gimple_get_lhs(write) != size.variable || is_outside(write);
        });
    }
    const VariableUse* use = source_.use_of(size.variable);
    const auto is_known = [&](const Located& at) { return is_outside(at.statement); };
    return use == nullptr || (!use->escapes && std::ranges::all_of(use->definitions, is_known) &&
                              std::ranges::all_of(use->handed_over, is_known));
}

Branch TeamSizes::of(const gimple* condition) const {
    Branch branch;
    if (sizes_.empty()) return branch;
    const tree_code code = gimple_cond_code(condition);
    const tree right = gimple_cond_rhs(condition);
    const bool is_true_side = says_one(code, right, true);
    if (!is_true_side && !says_one(code, right, false)) return branch;
    const tree variable = variable_of(source_, gimple_cond_lhs(condition));
    const bool is_size = std::ranges::all_of(sizes_, [&](const Size& size) {
        return size.variable == variable && is_kept_between(size, condition);
    });
    if (is_size)
        (is_true_side ? branch.when_true : branch.when_false).condition = Condition::OneThread;
    return branch;
}

}  // namespace mqinspect::thread_level::plugin
