#include "thread_level/gcc_plugin/main_identity.h"

#include <algorithm>
#include <string_view>

#include "thread_level/facts/library_functions.h"
#include "thread_level/gcc_plugin/callees.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// pthread_t, thrd_t, std::thread::id.
bool is_identity(tree type) {
    const tree name = type == NULL_TREE ? NULL_TREE : TYPE_NAME(type);
    if (name == NULL_TREE || TREE_CODE(name) != TYPE_DECL || DECL_NAME(name) == NULL_TREE)
        return false;
    const std::string_view text = IDENTIFIER_POINTER(DECL_NAME(name));
    if (text == "pthread_t" || text == "thrd_t") return true;
    const tree scope = DECL_CONTEXT(name);
    return text == "id" && scope != NULL_TREE && RECORD_OR_UNION_TYPE_P(scope) &&
           TYPE_IDENTIFIER(scope) != NULL_TREE &&
           std::string_view(IDENTIFIER_POINTER(TYPE_IDENTIFIER(scope))) == "thread";
}

/// DECL_UID of a static variable, or of a member of an object that is not one of many; else 0.
unsigned keeper_of(tree reference) {
    if (VAR_P(reference)) return is_global_var(reference) ? DECL_UID(reference) : 0;
    if (TREE_CODE(reference) != COMPONENT_REF) return 0;
    for (tree at = reference; handled_component_p(at); at = TREE_OPERAND(at, 0)) {
        if (TREE_CODE(at) == ARRAY_REF) return 0;
    }
    return DECL_UID(TREE_OPERAND(reference, 1));
}

/// A keeper whose address the call gets.
tree handed_keeper(const gcall* call) {
    for (unsigned i = 0; i < gimple_call_num_args(call); ++i) {
        const tree argument = gimple_call_arg(call, i);
        if (TREE_CODE(argument) == ADDR_EXPR && is_identity_keeper(TREE_OPERAND(argument, 0)))
            return TREE_OPERAND(argument, 0);
    }
    return NULL_TREE;
}

bool is_of_caller(const gimple* call, Callees& callees) {
    const tree called = gimple_call_fndecl(call);
    return called != NULL_TREE && callees.of(called).identity == Identity::OfCaller;
}

/// Whether only the main thread executes the function.
bool is_of_main(Gathering& gathering, const SourceWalk& source, tree function) {
    const std::string_view name = IDENTIFIER_POINTER(DECL_NAME(function));
    if (DECL_STATIC_CONSTRUCTOR(function) ||
        name.starts_with("__static_initialization_and_destruction"))
        return true;
    if (is_main_program(gathering.unit.strings[gathering.symbol(function)])) return true;
    return std::ranges::any_of(source.calls, [](const LocatedCall& at) {
        return at.callee != nullptr && at.callee->mpi != nullptr &&
               (at.callee->mpi->name == "MPI_Init" || at.callee->mpi->name == "MPI_Init_thread");
    });
}

}  // namespace

bool is_identity_keeper(tree reference) {
    return reference != NULL_TREE && is_identity(TREE_TYPE(reference)) && keeper_of(reference) != 0;
}

bool may_write_identity(const gcall* call, bool is_harmless) {
    return is_identity_keeper(gimple_call_lhs(call)) ||
           (!is_harmless && handed_keeper(call) != NULL_TREE);
}

NamedThread named_thread(tree operand, Callees& callees, Values& values) {
    constexpr int most_copies = 6;
    for (int copies = 0; copies < most_copies; ++copies) {
        if (CONVERT_EXPR_P(operand)) operand = TREE_OPERAND(operand, 0);
        if (const unsigned keeper = keeper_of(operand); keeper != 0)
            return {.is_caller = false, .keeper = keeper};
        const Located* definition =
            is_local_name(operand) ? values.only_definition(operand) : nullptr;
        if (definition == nullptr) return {};
        if (is_gimple_call(definition->statement))
            return {.is_caller = is_of_caller(definition->statement, callees), .keeper = 0};
        if (!is_copying(definition->statement)) return {};
        operand = gimple_assign_rhs1(definition->statement);
    }
    return {};
}

void note_identities(Gathering& gathering,
                     Callees& callees,
                     const SourceWalk& source,
                     Values& values) {
    if (source.identity_writes.empty()) return;
    const bool is_main = is_of_main(gathering, source, current_function_decl);
    for (const Located& at : source.identity_writes) {
        const gcall* call = dyn_cast<const gcall*>(at.statement);
        tree keeper = gimple_get_lhs(at.statement);
        NamedThread written;
        if (call == nullptr) {
            written = named_thread(gimple_assign_rhs1(at.statement), callees, values);
        } else if (is_identity_keeper(keeper)) {
            written.is_caller = is_of_caller(call, callees);
        } else {
            keeper = handed_keeper(call);
        }
        const unsigned uid = keeper_of(keeper);
        if (written.keeper == uid) continue;  // another object's
        IdentityWrites& writes = gathering.identity_writes[uid];
        ++(written.is_caller && is_main && at.context == 0 ? writes.of_main : writes.of_others);
    }
}

bool is_of_main_thread(const Gathering& gathering, unsigned keeper) {
    const auto found = gathering.identity_writes.find(keeper);
    if (found == gathering.identity_writes.end()) return false;
    const IdentityWrites& writes = found->second;
    if (writes.of_main == 0 || writes.of_others != 0) return false;
    const auto variable = gathering.globals.find(keeper);
    return variable == gathering.globals.end() ||
           (variable->second.creations == 0 && variable->second.other_writes == writes.of_main);
}

void settle_identities(Gathering& gathering, const FunctionsBySymbol& functions) {
    for (const IdentityReturn& one : gathering.identity_returns) {
        const auto function = functions.find(one.function);
        if (function != functions.end() && !is_of_main_thread(gathering, one.keeper))
            gathering.unit.functions[function->second].returns = Returns::Other;
    }
}

}  // namespace mqinspect::thread_level::plugin
