#include "thread_level/gcc_plugin/turn_variables.h"

#include <utility>

#include "thread_level/facts/values.h"
#include "thread_level/gcc_plugin/turn_objects.h"
#include "thread_level/gcc_plugin/turn_uses.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr int kMostTurnCopies = 6;  // of copies and negations

bool is_equality(tree_code code) {
    return code == EQ_EXPR || code == NE_EXPR;
}

/// What it means to compare a number that is counted, if it has to do with that: `count > 0` asks
/// whether it is 0, `count < jobs` whether it is full.
void set_count_test(TurnTest& test, tree_code code) {
    const bool is_zero = test.number.kind == Value::Kind::Constant && test.number.number == 0;
    test.is_of_count = true;
    const bool is_yes = is_zero ? code == LE_EXPR : code == GE_EXPR || code == GT_EXPR;
    test.is_equal = is_equality(code) ? code == EQ_EXPR : is_yes;
    test.number = constant(is_zero ? 0 : 1);
}

bool is_not(gimple* statement) {
    const tree_code code = gimple_assign_rhs_code(statement);
    return code == BIT_NOT_EXPR || code == TRUTH_NOT_EXPR ||
           (code == BIT_XOR_EXPR && integer_onep(gimple_assign_rhs2(statement)));
}

class TestReader {
public:
    TestReader(SourceWalk& source, Values& values, TurnUses& uses)
        : source_(source), values_(values), uses_(uses) {}

    /// Of `left` CODE `right`.
    std::optional<TurnTest> read(tree_code code, tree left, tree right, int depth) {
        const Value number = compared_with(right);
        if (TREE_CODE_CLASS(code) != tcc_comparison || depth <= 0) return std::nullopt;
        TurnTest test;
        test.number = number;
        test.is_equal = code == EQ_EXPR;
        if (number.kind == Value::Kind::Unknown || !is_equality(code)) set_count_test(test, code);
        if (const auto variable = uses_.variable_in(left)) {
            test.variable = *variable;
            return test;
        }
        if (!is_local_name(left)) return std::nullopt;
        const auto definition = definition_for(left, test);
        if (!definition) return std::nullopt;
        if (const auto variable = uses_.read_by(*definition)) {
            test.variable = *variable;
            return test;
        }
        if (!is_gimple_assign(definition->statement)) return std::nullopt;
        auto inner = read_assigned(definition->statement, code, right, depth - 1);
        if (!inner) return std::nullopt;
        inner->is_known_if_true = inner->is_known_if_true && test.is_known_if_true;
        inner->is_known_if_false = inner->is_known_if_false && test.is_known_if_false;
        return inner;
    }

private:
    /// A constant, or an argument that stays what it is.
    Value compared_with(tree operand) {
        if (const auto number = values_.constant(operand)) return constant(*number);
        operand = strip(operand);
        const Located* copied = is_local_name(operand) ? values_.only_definition(operand) : nullptr;
        if (copied != nullptr && is_gimple_assign(copied->statement) &&
            is_copying(copied->statement))
            operand = strip(gimple_assign_rhs1(copied->statement));
        Value parameter;
        if (TREE_CODE(operand) != PARM_DECL || !INTEGRAL_TYPE_P(TREE_TYPE(operand)))
            return parameter;
        const VariableUse* use = source_.use_of(operand);
        const bool is_kept = use == nullptr || (use->definitions.empty() && !use->escapes &&
                                                use->handed_over.empty());
        const int position = parameter_position(operand);
        if (!is_kept || position < 0) return parameter;
        parameter.kind = Value::Kind::Parameter;
        parameter.number = position;
        return parameter;
    }

    /// Where `left` is what the statement assigns.
    std::optional<TurnTest> read_assigned(gimple* statement,
                                          tree_code code,
                                          tree right,
                                          int depth) {
        const tree_code inner = gimple_assign_rhs_code(statement);
        const tree first = gimple_assign_rhs1(statement);
        const auto constant = values_.constant(right);
        const tree copied = TREE_CODE(first) == VIEW_CONVERT_EXPR ? TREE_OPERAND(first, 0) : first;
        if (!constant)
            return is_copying(statement) ? read(code, copied, right, depth) : std::nullopt;
        const std::int64_t number = *constant;
        const bool is_yes = (code == EQ_EXPR) == (number != 0);  // true where `left` is
        if (TREE_CODE_CLASS(inner) == tcc_comparison && (number == 0 || number == 1)) {
            auto test = read(inner, first, gimple_assign_rhs2(statement), depth);
            if (test && !is_yes) {
                test->is_equal = !test->is_equal;
                std::swap(test->is_known_if_true, test->is_known_if_false);
            }
            return test;
        }
        if (is_not(statement) && TREE_CODE(TREE_TYPE(first)) == BOOLEAN_TYPE)
            return read(is_yes ? EQ_EXPR : NE_EXPR, first, boolean_false_node, depth);
        return is_copying(statement) ? read(code, copied, right, depth) : std::nullopt;
    }

    /// The definition of a copy that is tested; others may set it to what fails the test.
    std::optional<Located> definition_for(tree copy, TurnTest& test) {
        const VariableUse* use = source_.use_of(copy);
        if (use == nullptr || use->escapes || !use->handed_over.empty()) return std::nullopt;
        std::optional<Located> found;
        const std::vector<Located> definitions = use->definitions;
        for (const Located& at : definitions) {
            const bool is_number = is_gimple_assign(at.statement) &&
                                   gimple_assign_single_p(at.statement) &&
                                   TREE_CODE(gimple_assign_rhs1(at.statement)) == INTEGER_CST;
            if (!is_number || definitions.size() == 1) {
                if (found) return std::nullopt;
                found = at;
                continue;
            }
            const auto number = values_.constant(gimple_assign_rhs1(at.statement));
            if (test.number.kind != Value::Kind::Constant) return std::nullopt;
            const bool may_pass = number == test.number.number;
            bool& side = test.is_equal == may_pass ? test.is_known_if_true : test.is_known_if_false;
            side = false;
        }
        return found;
    }

    SourceWalk& source_;
    Values& values_;
    TurnUses& uses_;
};

/// What is written, if it is what the function is handed, and not made of the variable itself; else
/// null.
tree handed_parameter(tree written, Values& values) {
    for (int depth = 0; depth < kMostTurnCopies && written != NULL_TREE; ++depth) {
        if (TREE_CODE(written) == PARM_DECL) return written;
        if (CONVERT_EXPR_P(written) || TREE_CODE(written) == VIEW_CONVERT_EXPR) {
            written = TREE_OPERAND(written, 0);
            continue;
        }
        const Located* definition =
            is_local_name(written) ? values.only_definition(written) : nullptr;
        if (definition == nullptr || !is_copying(definition->statement)) return NULL_TREE;
        written = gimple_assign_rhs1(definition->statement);
    }
    return NULL_TREE;
}

/// The same as a value, so that calls say what it is; Unknown if it may be something else by then.
Value value_of_parameter(tree parameter, Values& values) {
    if (parameter == NULL_TREE) return {};
    const Value value = values.of(parameter, 0);
    return is_whole_parameter(value) ? value : Value{};
}

/// The number in what a variable is initialized with; zeros are left out.
std::optional<std::int64_t> number_in(tree initial) {
    if (initial == NULL_TREE || initial == error_mark_node) return 0;
    if (TREE_CODE(initial) == INTEGER_CST && tree_fits_shwi_p(initial))
        return tree_to_shwi(initial);
    if (TREE_CODE(initial) != CONSTRUCTOR) return std::nullopt;
    if (CONSTRUCTOR_NELTS(initial) == 0) return 0;
    return CONSTRUCTOR_NELTS(initial) == 1 ? number_in(CONSTRUCTOR_ELT(initial, 0)->value)
                                           : std::nullopt;
}

}  // namespace

bool is_for_threads(tree variable) {
    const tree type = TREE_TYPE(variable);
    return TREE_THIS_VOLATILE(variable) || TYPE_ATOMIC(type) || is_atomic_record(type) ||
           is_turn_object(type);
}

bool is_own_variable(tree variable) {
    if (!VAR_P(variable) || !is_global_var(variable) || DECL_THREAD_LOCAL_P(variable) ||
        DECL_ARTIFICIAL(variable) || DECL_NAME(variable) == NULL_TREE)
        return false;
    return !is_of_all_units(variable) || is_for_threads(variable) ||
           (INTEGRAL_TYPE_P(TREE_TYPE(variable)) && !DECL_EXTERNAL(variable));
}

bool is_of_all_units(tree variable) {
    return TREE_PUBLIC(variable) || DECL_EXTERNAL(variable);
}

Value constant(std::int64_t number) {
    Value value;
    value.kind = Value::Kind::Constant;
    value.number = number;
    return value;
}

Step lock_step(StepKind kind, const Value& lock) {
    Step step;
    step.kind = kind;
    step.value = lock;
    return step;
}

void add_first_value(Step& step, tree variable) {
    if (DECL_EXTERNAL(variable)) return;
    if (const auto first = number_in(DECL_INITIAL(variable)))
        step.arguments.push_back(constant(*first));
}

bool is_turn_variable(tree variable) {
    return is_own_variable(variable) && INTEGRAL_TYPE_P(TREE_TYPE(variable));
}

TurnVariable static_variable(tree variable, Gathering& gathering) {
    TurnVariable known;
    gathering.global(variable);
    known.value.kind = Value::Kind::Global;
    known.value.name = gathering.symbol(variable);
    known.declaration = variable;
    return known;
}

std::optional<TurnTest> turn_test(const Located& condition,
                                  SourceWalk& source,
                                  Values& values,
                                  TurnUses& uses) {
    return turn_test(gimple_cond_code(condition.statement),
                     gimple_cond_lhs(condition.statement),
                     gimple_cond_rhs(condition.statement),
                     source,
                     values,
                     uses);
}

std::optional<TurnTest> turn_test(
    tree_code code, tree left, tree right, SourceWalk& source, Values& values, TurnUses& uses) {
    TestReader reader(source, values, uses);
    const auto test = reader.read(code, left, right, kMostTurnCopies);
    return test ? test : reader.read(swap_tree_comparison(code), right, left, kMostTurnCopies);
}

std::optional<Step> returned_test(SourceWalk& source, Values& values, TurnUses& uses) {
    if (source.returns.size() != 1) return std::nullopt;
    const tree result = gimple_return_retval(as_a<greturn*>(source.returns.front()));
    if (result == NULL_TREE || TREE_CODE(TREE_TYPE(result)) != BOOLEAN_TYPE) return std::nullopt;
    const auto test =
        TestReader(source, values, uses).read(NE_EXPR, result, boolean_false_node, kMostTurnCopies);
    return test ? step_of(*test, true) : std::nullopt;
}

std::optional<Step> step_of(const TurnTest& test, bool is_true) {
    if (is_true ? !test.is_known_if_true : !test.is_known_if_false) return std::nullopt;
    if (test.number.kind == Value::Kind::Unknown) {
        if (test.is_equal != is_true) return std::nullopt;
        return lock_step(StepKind::Acquire, test.variable.value);
    }
    Step step = wait_step(test.variable, 0);
    step.arguments.front() = test.number;
    if (test.is_of_count) step.arguments.push_back(constant(0));
    if (test.is_equal == is_true) step.turn = Turn::Is;
    return step;
}

Step wait_step(const TurnVariable& variable, std::int64_t old) {
    Step step;
    step.kind = StepKind::Acquire;
    step.turn = Turn::IsNot;
    step.value = variable.value;
    step.name = variable.owner;
    step.arguments.push_back(constant(old));
    return step;
}

std::optional<Step> write_step(const TurnVariable& variable,
                               tree written,
                               Values& values,
                               Gathering& gathering,
                               bool may_be_computed) {
    const bool is_set = written == NULL_TREE;  // by `test_and_set`
    const bool is_empty = !is_set && TREE_CODE(written) == CONSTRUCTOR;
    const auto number = is_set     ? std::optional<std::int64_t>(1)
                        : is_empty ? number_in(written)
                                   : values.constant(written);
    const tree handed = number ? NULL_TREE : handed_parameter(written, values);
    const bool is_computed = !number && handed == NULL_TREE;
    if (is_computed && !may_be_computed) return std::nullopt;
    if (is_computed) gathering.computed_turns.insert(variable.value.name);
    Step step;
    step.kind = StepKind::Release;
    step.turn = Turn::Written;
    step.value = variable.value;
    step.name = variable.owner;
    step.arguments.push_back(number ? constant(*number) : value_of_parameter(handed, values));
    if (variable.declaration == NULL_TREE) return step;
    add_first_value(step, variable.declaration);
    ++gathering.global(variable.declaration).turn_writes;
    return step;
}

}  // namespace mqinspect::thread_level::plugin
