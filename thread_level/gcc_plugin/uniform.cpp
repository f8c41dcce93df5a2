// Whether all threads of a team have the same value in a variable: Conditions, second part.
#include <algorithm>

#include "thread_level/gcc_plugin/conditions.h"

namespace mqinspect::thread_level::plugin {

/// Whether all threads of `context` have the same value there, if they do the same. Outside of
/// regions these are the threads of whichever team calls the function.
Conditions::Uniform Conditions::uniform(tree operand, ContextId context, int depth) {
    if (values_.constant(operand) || is_shared_constant(operand, context)) return Uniform::Always;
    const ContextId team = source_.thread_context(context);
    if (depth <= 0 || --operands_left_ < 0 || !is_local_name(operand)) return Uniform::No;
    if (std::ranges::find(followed_, operand) != followed_.end()) return Uniform::Always;
    const VariableUse* found = source_.use_of(operand);
    if (found == nullptr || found->escapes || !found->handed_over.empty()) return Uniform::No;
    // Without what the same variable is elsewhere: the index of a worksharing loop has nothing
    // left.
    const VariableUse use = source_.narrowed(*found, operand, context);
    followed_.push_back(operand);
    Uniform all = use.definitions.size() == 1 ? Uniform::Always : Uniform::Changing;
    for (const Located& at : use.definitions) {
        const bool is_here = source_.thread_context(at.context) == team;
        const Uniform one = is_here ? uniform_definition(at, depth - 1) : Uniform::No;
        if (one != Uniform::Always) all = one;
        if (one == Uniform::No) break;
    }
    followed_.pop_back();
    return use.definitions.empty() ? Uniform::No : all;
}

Conditions::Uniform Conditions::uniform_definition(const Located& definition, int depth) {
    gimple* statement = definition.statement;
    if (is_gimple_call(statement)) {
        const Quantity quantity = classify_call(as_a<gcall*>(statement)).quantity;
        const bool is_size = quantity == Quantity::TeamSize || quantity == Quantity::MaxThreads;
        return is_size ? Uniform::Always : Uniform::No;
    }
    if (!is_gimple_assign(statement)) return Uniform::No;
    Uniform all = Uniform::Always;
    for (unsigned i = 1; i < gimple_num_ops(statement); ++i) {
        const Uniform one = uniform(gimple_op(statement, i), definition.context, depth);
        if (one != Uniform::Always) all = one;
        if (one == Uniform::No) break;
    }
    return all;
}

}  // namespace mqinspect::thread_level::plugin
