// Semaphores that a variable points to, from malloc() or sem_open(): TurnUses, seventh part.
#include <string_view>

#include "thread_level/gcc_plugin/turn_objects.h"
#include "thread_level/gcc_plugin/turn_uses.h"

namespace mqinspect::thread_level::plugin {
namespace {

bool points_to_semaphore(tree variable) {
    if (!VAR_P(variable) || DECL_ARTIFICIAL(variable) || DECL_NAME(variable) == NULL_TREE ||
        !POINTER_TYPE_P(TREE_TYPE(variable)))
        return false;
    return is_semaphore(TREE_TYPE(TREE_TYPE(variable)));
}

}  // namespace

/// The variable stands for the semaphore, if it points to one only.
std::optional<TurnVariable> TurnUses::pointed_to(tree pointer, ContextId context) {
    if (!points_to_semaphore(pointer) || DECL_HAS_VALUE_EXPR_P(pointer)) return std::nullopt;
    if (is_global_var(pointer)) {
        if (DECL_THREAD_LOCAL_P(pointer)) return std::nullopt;
        return static_variable(pointer, gathering_);
    }
    const Located* made = values_.only_definition(pointer);
    const bool is_made = made != nullptr && makes_semaphore(pointer);
    return is_made && !source_.is_private(pointer, context) ? std::optional(local(pointer))
                                                            : std::nullopt;
}

/// Whether it is what one call returns that makes an object, or opens a semaphore.
bool TurnUses::makes_semaphore(tree source) {
    constexpr int most_copies = 4;
    source = strip(source);
    for (int copies = 0; copies < most_copies && is_local_name(source); ++copies) {
        const Located* made = values_.only_definition(source);
        if (made == nullptr) return false;
        if (is_gimple_call(made->statement)) {
            const tree callee = gimple_call_fndecl(made->statement);
            return callee != NULL_TREE && ((flags_from_decl_or_type(callee) & ECF_MALLOC) != 0 ||
                                           callees_.of(callee).kind == CalleeKind::SemaphoreOpen);
        }
        if (!is_copying(made->statement)) return false;
        source = strip(gimple_assign_rhs1(made->statement));
    }
    return false;
}

/// Of static pointers, one assignment of a semaphore is no write to that; nor is a null pointer.
void TurnUses::note_pointers() {
    for (gimple* write : source_.global_writes) {
        const tree pointer = gimple_assign_lhs(write);
        if (!points_to_semaphore(pointer) || !gimple_assign_single_p(write)) continue;
        const tree source = gimple_assign_rhs1(write);
        GlobalUse& use = gathering_.global(pointer);
        const bool is_first = !use.points_to_new && makes_semaphore(source);
        if (is_first) use.points_to_new = true;
        if (is_first || integer_zerop(source)) --use.other_writes;
    }
}

/// What sem_open() returns is kept in a variable, and begins with a number if that is made here.
Step TurnUses::open_step(const LocatedCall& at) {
    const tree result = gimple_call_lhs(at.call);
    std::optional<TurnVariable> variable;
    if (result != NULL_TREE) variable = pointed_to(result, at.context);
    for (gimple* write : source_.global_writes) {
        if (result != NULL_TREE && gimple_assign_rhs1(write) == result)
            variable = pointed_to(gimple_assign_lhs(write), at.context);
    }
    if (!variable) return {};
    const auto position = static_cast<unsigned>(at.callee->argument);
    const auto number = position < gimple_call_num_args(at.call)
                            ? values_.constant(gimple_call_arg(at.call, position))
                            : std::nullopt;
    if (!number) {
        spoil(*variable);
        return {};
    }
    Step step;
    step.kind = StepKind::Release;
    step.turn = Turn::Begun;
    step.value = variable->value;
    step.name = variable->owner;
    step.arguments.push_back(constant(*number));
    count_use(*variable);
    return step;
}

}  // namespace mqinspect::thread_level::plugin
