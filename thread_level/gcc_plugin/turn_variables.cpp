#include "thread_level/gcc_plugin/turn_variables.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "thread_level/gcc_plugin/step_graph.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr int kDepth = 6;  // of copies and negations

std::optional<TurnTest> test_of(tree_code code, tree left, tree right, Values& values, int depth) {
    const auto number = values.constant(right);
    const bool is_equality = code == EQ_EXPR || code == NE_EXPR;
    if (!number || !is_equality || depth <= 0 || !is_local_name(left)) return std::nullopt;
    const Located* definition = values.only_definition(left);
    if (definition == nullptr || !is_gimple_assign(definition->statement)) return std::nullopt;
    gimple* statement = definition->statement;
    const tree_code inner = gimple_assign_rhs_code(statement);
    const tree first = gimple_assign_rhs1(statement);
    const bool is_yes = (code == EQ_EXPR) == (*number != 0);  // true where `left` is
    if (TREE_CODE_CLASS(inner) == tcc_comparison && (*number == 0 || *number == 1)) {
        auto test = test_of(inner, first, gimple_assign_rhs2(statement), values, depth - 1);
        if (test && !is_yes) test->is_equal = !test->is_equal;
        return test;
    }
    const bool is_not = inner == BIT_NOT_EXPR || inner == TRUTH_NOT_EXPR ||
                        (inner == BIT_XOR_EXPR && integer_onep(gimple_assign_rhs2(statement)));
    if (is_not && TREE_CODE(TREE_TYPE(first)) == BOOLEAN_TYPE)
        return test_of(is_yes ? EQ_EXPR : NE_EXPR, first, boolean_false_node, values, depth - 1);
    if (gimple_assign_cast_p(statement) && is_local_name(first))
        return test_of(code, first, right, values, depth - 1);
    if (!gimple_assign_single_p(statement)) return std::nullopt;
    if (!is_turn_variable(first)) return test_of(code, first, right, values, depth - 1);
    return TurnTest{.variable = first, .number = *number, .is_equal = code == EQ_EXPR};
}

/// A constant, or what the function is handed: nothing that is made of the variable itself.
bool is_plain(tree written) {
    return TREE_CODE(written) == INTEGER_CST || TREE_CODE(written) == PARM_DECL;
}

Value value_of(tree variable, Gathering& gathering) {
    gathering.global(variable);
    Value value;
    value.kind = Value::Kind::Global;
    value.name = gathering.symbol(variable);
    return value;
}

Value constant(std::int64_t number) {
    Value value;
    value.kind = Value::Kind::Constant;
    value.number = number;
    return value;
}

/// Names of those that only plain values are written to, and that are tested.
std::unordered_set<StringId> good_variables(Gathering& gathering) {
    std::unordered_set<StringId> tested;
    bool has_threads = false;
    for (const Function& function : gathering.unit.functions) {
        for (const Step& step : function.steps) {
            if (step.turn != Turn::No && step.kind == StepKind::Acquire)
                tested.insert(step.value.name);
            has_threads = has_threads || step.kind == StepKind::StartThread ||
                          (step.kind == StepKind::Acquire && step.turn == Turn::No);
        }
        has_threads =
            has_threads ||
            std::any_of(function.regions.begin(), function.regions.end(), [](const Region& region) {
                return region.kind == RegionKind::Parallel;
            });
    }
    std::unordered_set<StringId> good;
    if (!has_threads || tested.empty()) return good;
    for (const auto& [uid, use] : gathering.globals) {
        if (use.turn_writes == 0 || use.turn_writes != use.other_writes || use.creations != 0)
            continue;
        const StringId name = gathering.symbol(use.declaration);
        if (tested.count(name) != 0) good.insert(name);
    }
    return good;
}

/// Semaphores that are initialized, and with 1 only.
std::unordered_set<StringId> semaphores_as_locks(const Unit& unit) {
    std::unordered_set<StringId> locks;
    std::unordered_set<StringId> others;
    for (const Function& function : unit.functions) {
        for (const Step& step : function.steps) {
            if (step.turn != Turn::Begun) continue;
            const bool is_one = step.arguments.front() == constant(1);
            (is_one ? locks : others).insert(step.value.name);
        }
    }
    for (const StringId other : others)
        locks.erase(other);
    return locks;
}

/// Of the unit alone.
bool is_own_variable(tree variable) {
    return VAR_P(variable) && TREE_STATIC(variable) && !TREE_PUBLIC(variable) &&
           !DECL_EXTERNAL(variable) && !DECL_THREAD_LOCAL_P(variable) &&
           !DECL_ARTIFICIAL(variable) && DECL_NAME(variable) != NULL_TREE;
}

}  // namespace

bool is_turn_variable(tree variable) {
    return is_own_variable(variable) && INTEGRAL_TYPE_P(TREE_TYPE(variable));
}

std::optional<TurnTest> turn_test(gimple* condition, Values& values) {
    return test_of(gimple_cond_code(condition),
                   gimple_cond_lhs(condition),
                   gimple_cond_rhs(condition),
                   values,
                   kDepth);
}

Step step_of(const TurnTest& test, bool is_true, Gathering& gathering) {
    Step step;
    step.kind = StepKind::Acquire;
    step.turn = test.is_equal == is_true ? Turn::Is : Turn::IsNot;
    step.value = value_of(test.variable, gathering);
    step.arguments.push_back(constant(test.number));
    return step;
}

Step turn_write(gimple* assignment, Gathering& gathering) {
    Step step;
    const tree variable = gimple_get_lhs(assignment);
    if (!gimple_assign_single_p(assignment) || !is_plain(gimple_assign_rhs1(assignment)))
        return step;
    step.kind = StepKind::Release;
    step.turn = Turn::Written;
    step.value = value_of(variable, gathering);
    const tree written = gimple_assign_rhs1(assignment);
    const bool is_known = TREE_CODE(written) == INTEGER_CST && tree_fits_shwi_p(written);
    step.arguments.push_back(is_known ? constant(tree_to_shwi(written)) : Value{});
    const tree first = DECL_INITIAL(variable);
    if (first == NULL_TREE || first == error_mark_node) {
        step.arguments.push_back(constant(0));
    } else if (TREE_CODE(first) == INTEGER_CST && tree_fits_shwi_p(first)) {
        step.arguments.push_back(constant(tree_to_shwi(first)));
    }
    ++gathering.global(variable).turn_writes;
    return step;
}

Step semaphore_step(const LocatedCall& at, Values& values, Gathering& gathering) {
    Step step;
    if (gimple_call_num_args(at.call) == 0) return step;
    const tree address = gimple_call_arg(at.call, 0);
    const tree variable = TREE_CODE(address) == ADDR_EXPR ? TREE_OPERAND(address, 0) : NULL_TREE;
    if (variable == NULL_TREE || !is_own_variable(variable)) return step;
    step.value = value_of(variable, gathering);
    const CalleeKind kind = at.callee->kind;
    const bool waits = kind == CalleeKind::SemaphoreWait;
    step.kind = waits ? StepKind::Acquire : StepKind::Release;
    step.turn = waits ? Turn::Is : Turn::Written;
    step.arguments.push_back(constant(1));
    if (waits) return step;
    if (kind == CalleeKind::SemaphoreInit) {
        const tree first =
            gimple_call_num_args(at.call) > 2 ? gimple_call_arg(at.call, 2) : NULL_TREE;
        const auto number = values.constant(first);
        step.arguments.front() = number ? constant(*number) : Value{};
        step.turn = Turn::Begun;
    }
    step.arguments.push_back(constant(0));
    GlobalUse& use = gathering.global(variable);
    ++use.turn_writes;
    ++use.other_writes;
    return step;
}

void settle_turns(Gathering& gathering) {
    const std::unordered_set<StringId> good = good_variables(gathering);
    const std::unordered_set<StringId> locks = semaphores_as_locks(gathering.unit);
    for (Function& function : gathering.unit.functions) {
        bool changed = false;
        for (Step& step : function.steps) {
            const bool is_good = good.count(step.value.name) != 0;
            const bool is_lock = is_good && locks.count(step.value.name) != 0;
            if (step.turn != Turn::No && step.turn != Turn::Begun && is_lock) {
                step.turn = Turn::No;
                step.arguments.clear();
            }
            if (step.turn == Turn::No || is_good) continue;
            Step idle;
            idle.region = step.region;
            idle.next = std::move(step.next);
            step = std::move(idle);
            changed = true;
        }
        if (changed) reduce(function.steps);
    }
}

}  // namespace mqinspect::thread_level::plugin
