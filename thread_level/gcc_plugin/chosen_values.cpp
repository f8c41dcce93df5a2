#include "thread_level/gcc_plugin/chosen_values.h"

#include <algorithm>
#include <string>
#include <vector>

namespace mqinspect::thread_level::plugin {
namespace {

constexpr int kMostOperands = 64;  // that are looked at for one choice

/// The label in front of the statement, with no call in between unless it `may_call`; null: there
/// is none.
tree label_before(const gimple* statement, bool may_call) {
    // The first one has the last one in front.
    while (statement->prev != nullptr && statement->prev->next != nullptr) {
        statement = statement->prev;
        if (is_gimple_call(statement) && !may_call) return NULL_TREE;
        if (gimple_code(statement) == GIMPLE_LABEL)
            return gimple_label_label(as_a<const glabel*>(statement));
    }
    return NULL_TREE;
}

/// Whether all threads choose the same.
class CommonChoice {
public:
    CommonChoice(Callees& callees, SourceWalk& source) : callees_(callees), source_(source) {}

    bool holds(const std::vector<Located>& results);

private:
    void add_label(tree label);
    bool is_common(tree operand, ContextId context);
    bool is_common_variable(tree variable, ContextId context);
    bool is_common_definition(const Located& at);

    Callees& callees_;
    SourceWalk& source_;
    std::vector<tree> labels_;
    int operands_left_ = kMostOperands;
};

void CommonChoice::add_label(tree label) {
    if (label != NULL_TREE && std::ranges::find(labels_, label) == labels_.end())
        labels_.push_back(label);
}

/// By the conditions that lead to where the results are, and those that lead to these.
bool CommonChoice::holds(const std::vector<Located>& results) {
    for (const Located& at : results)
        add_label(label_before(at.statement, true));
    bool has_condition = false;
    for (std::size_t i = 0; i < labels_.size(); ++i) {
        for (const Located& at : source_.conditions) {
            const gcond* condition = as_a<const gcond*>(at.statement);
            if (gimple_cond_true_label(condition) != labels_[i] &&
                gimple_cond_false_label(condition) != labels_[i])
                continue;
            has_condition = true;
            if (!is_common(gimple_cond_lhs(condition), at.context) ||
                !is_common(gimple_cond_rhs(condition), at.context))
                return false;
            add_label(label_before(condition, false));
        }
    }
    return has_condition;
}

bool CommonChoice::is_common(tree operand, ContextId context) {
    if (--operands_left_ < 0) return false;
    operand = strip(operand);
    if (CONSTANT_CLASS_P(operand) || TREE_CODE(operand) == CONST_DECL) return true;
    if (TREE_CODE(operand) == ARRAY_REF && !is_common(TREE_OPERAND(operand, 1), context))
        return false;
    if (handled_component_p(operand) || TREE_CODE(operand) == MEM_REF)
        return is_common(TREE_OPERAND(operand, 0), context);
    if (TREE_CODE(operand) == ADDR_EXPR) return is_common(TREE_OPERAND(operand, 0), context);
    if (VAR_P(operand) || TREE_CODE(operand) == PARM_DECL || TREE_CODE(operand) == SSA_NAME)
        return is_common_variable(operand, context);
    return false;
}

bool CommonChoice::is_common_variable(tree variable, ContextId context) {
    if (TREE_CODE(variable) != SSA_NAME) {
        if (source_.is_common(variable, context)) return true;
        if (is_global_var(variable)) return false;
    }
    const VariableUse* found = source_.use_of(variable);
    if (found == nullptr || found->escapes || !found->handed_over.empty()) return false;
    const std::vector<Located> definitions = found->definitions;
    return !definitions.empty() && std::ranges::all_of(definitions, [&](const Located& at) {
        return is_common_definition(at);
    });
}

bool CommonChoice::is_common_definition(const Located& at) {
    if (is_gimple_call(at.statement)) {
        const tree callee = gimple_call_fndecl(at.statement);
        if (callee == NULL_TREE) return false;
        const CalleeKind kind = callees_.of(callee).kind;
        return kind == CalleeKind::TeamSize || kind == CalleeKind::MaxThreads;
    }
    if (!is_gimple_assign(at.statement)) return false;
    for (unsigned i = 1; i < gimple_num_ops(at.statement); ++i)
        if (!is_common(gimple_op(at.statement, i), at.context)) return false;
    return true;
}

}  // namespace

bool is_choice(tree temporary,
               const VariableUse& use,
               const std::function<Value(const Located&)>& value_of) {
    if (TREE_CODE(temporary) == SSA_NAME || use.definitions.size() < 2) return false;
    const bool is_whole = std::ranges::all_of(use.definitions, [&](const Located& at) {
        return gimple_get_lhs(at.statement) == temporary;
    });
    if (!is_whole) return false;
    const Value first = value_of(use.definitions.front());
    return std::any_of(use.definitions.begin() + 1, use.definitions.end(), [&](const Located& at) {
        return value_of(at) != first;
    });
}

Value chosen_value(Gathering& gathering,
                   Callees& callees,
                   SourceWalk& source,
                   const VariableUse& choice) {
    Value value;
    if (!CommonChoice(callees, source).holds(choice.definitions)) return value;
    const location_t place = gimple_location(choice.definitions.front().statement);
    value.kind = Value::Kind::Local;
    value.name = gathering.intern("choice@" + std::to_string(LOCATION_LINE(place)) + ':' +
                                  std::to_string(LOCATION_COLUMN(place)));
    value.is_shared = true;
    return value;
}

}  // namespace mqinspect::thread_level::plugin
