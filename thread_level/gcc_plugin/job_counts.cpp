#include "thread_level/gcc_plugin/job_counts.h"

#include <algorithm>

#include "thread_level/gcc_plugin/counts.h"
#include "thread_level/gcc_plugin/turn_uses.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr int kMostCountCopies = 6;  // of copies

bool is_constant(const Value& value) {
    return value.kind == Value::Kind::Constant;
}

bool is_zero(const Value& value) {
    return is_constant(value) && value.number == 0;
}

bool is_up(const Step& count) {
    return count.arguments.front().number < 0;
}

/// `-1`, also of an unsigned type.
bool is_negative(tree number) {
    return wi::neg_p(wi::to_wide(number), SIGNED);
}

}  // namespace

std::optional<TurnVariable> TurnUses::variable_in(tree object) {
    if (is_turn_variable(object)) return static_variable(object, gathering_);
    if (TREE_CODE(object) == COMPONENT_REF) return part(object);
    return TREE_CODE(object) == MEM_REF ? captured_object(object) : shared_local(object);
}

/// Whether `operand` is what the variable was.
bool TurnUses::reads(tree operand, const TurnVariable& variable) {
    for (int depth = 0; depth < kMostCountCopies; ++depth) {
        operand = strip(operand);
        if (const auto read = variable_in(operand)) return read->value.name == variable.value.name;
        const Located* made = is_local_name(operand) ? values_.only_definition(operand) : nullptr;
        if (made == nullptr || !is_gimple_assign(made->statement) || !is_copying(made->statement))
            return false;
        operand = gimple_assign_rhs1(made->statement);
    }
    return false;
}

Step TurnUses::counting(const TurnVariable& variable, bool is_less) {
    gathering_.counted.insert(variable.value.name);
    Step step = lock_step(StepKind::Release, variable.value);
    step.turn = Turn::Counted;
    step.name = variable.owner;
    step.arguments.push_back(constant(is_less ? 1 : -1));
    if (variable.declaration != NULL_TREE) {
        add_first_value(step, variable.declaration);
        ++gathering_.global(variable.declaration).turn_writes;
    }
    return step;
}

std::optional<Step> TurnUses::count_step(const TurnVariable& variable, tree written) {
    if (written == NULL_TREE) return std::nullopt;
    const Located* const made = made_by(written);
    if (made == nullptr || !is_gimple_assign(made->statement)) return std::nullopt;
    gimple* const sum = made->statement;
    const tree_code code = gimple_assign_rhs_code(sum);
    if (code != PLUS_EXPR && code != MINUS_EXPR) return std::nullopt;
    const tree first = gimple_assign_rhs1(sum);
    const tree second = gimple_assign_rhs2(sum);
    const bool is_one = TREE_CODE(second) == INTEGER_CST;
    const bool is_less = is_one && is_negative(second) != (code == MINUS_EXPR);
    if ((is_one || code == PLUS_EXPR) && reads(first, variable)) return counting(variable, is_less);
    if (code == PLUS_EXPR && reads(second, variable)) return counting(variable, false);
    return std::nullopt;
}

/// Of a call that is_count().
bool TurnUses::visit_job_count(const Located& at, Steps& steps) {
    gcall* const call = as_a<gcall*>(at.statement);
    if (!is_ordered(call, AtomicKind::Other, true)) return false;
    const auto variable = variable_at(gimple_call_arg(call, 0), at.context);
    const bool is_known =
        gimple_call_num_args(call) < 2 || values_.constant(gimple_call_arg(call, 1));
    if (!variable || !is_known) return false;
    if (variable->declaration != NULL_TREE) ++gathering_.global(variable->declaration).other_writes;
    steps.emplace(call, counting(*variable, counts_down(call)));
    return true;
}

JobCounts job_counts_of(const Gathering& gathering) {
    JobCounts found;
    if (gathering.counted.empty()) return found;
    std::unordered_set<StringId> others;
    for (const Function& function : gathering.unit.functions) {
        for (const Step& step : function.steps) {
            const StringId name = step.value.name;
            if (step.turn == Turn::No || !gathering.counted.contains(name)) continue;
            const bool is_known =
                tests_turn(step) || step.turn == Turn::Counted || step.turn == Turn::Written;
            if (!is_known) others.insert(name);
            if (step.turn != Turn::Counted) continue;
            const JobCount way = is_up(step) ? JobCount::Up : JobCount::Down;
            JobCount& known = found.try_emplace(name, way).first->second;
            if (way == JobCount::Down) known = way;
        }
    }
    std::erase_if(found, [&](const auto& each) { return others.contains(each.first); });
    return found;
}

bool is_only_of_count(const Step& step) {
    return step.kind == StepKind::Acquire && step.turn != Turn::No && step.arguments.size() > 1;
}

bool settle_job_count(Step& step, JobCount way) {
    const bool goes_down = way == JobCount::Down;
    Value& number = step.arguments.front();
    if (step.kind == StepKind::Acquire) {
        if (step.turn != Turn::Is || is_zero(number) != goes_down) return false;
        step.arguments.assign(1, constant(1));
        return true;
    }
    if (step.turn == Turn::Counted && is_up(step) && goes_down) step.turn = Turn::Written;
    if (step.turn == Turn::Counted) {
        number = constant(1);
    } else {
        number = constant(goes_down && is_zero(number) ? 1 : 0);
    }
    if (step.arguments.size() > 1 && is_constant(step.arguments[1]))
        step.arguments[1] = constant(goes_down && is_zero(step.arguments[1]) ? 1 : 0);
    return true;
}

}  // namespace mqinspect::thread_level::plugin
