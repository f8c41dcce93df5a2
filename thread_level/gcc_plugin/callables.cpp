#include "thread_level/gcc_plugin/callables.h"

#include <algorithm>
#include <string>

#include "thread_level/gcc_plugin/futures.h"
#include "thread_level/gcc_plugin/prepared.h"

namespace mqinspect::thread_level::plugin {
namespace {

struct ThreadMaker {
    std::string_view start;   ///< of the symbol, with a thread behind it
    std::string_view member;  ///< somewhere behind that
    int argument = 0;
};

constexpr ThreadMaker kThreadMakers[] = {
    {"_ZSt11make_uniqueI", "", 0},
    {"_ZSt11make_sharedI", "", 0},
    {"_ZNSt8optionalI", "E7emplaceI", 1},
    {"_ZNSt6vectorI", "E12emplace_backI", 1},
    {"_ZNSt5dequeI", "E12emplace_backI", 1},
    {"_ZNSt5dequeI", "E13emplace_frontI", 1},
    {"_ZNSt7__cxx114listI", "E12emplace_backI", 1},
    {"_ZNSt7__cxx114listI", "E13emplace_frontI", 1},
};

bool is_thread(std::string_view type) {
    return type.starts_with("St6thread") || type.starts_with("St7jthread") ||
           type.starts_with("N5boost6threadE");
}

/// Whether the left side of an assignment has something to call, be it a part of a variable: not
/// the offset of a member function, nor what is bound to a function.
bool is_callable(tree left) {
    const tree type = TREE_TYPE(left);
    if (RECORD_OR_UNION_TYPE_P(type))
        return function_type_of(type) != NULL_TREE || is_wrapper(type);
    return POINTER_TYPE_P(type) && FUNC_OR_METHOD_TYPE_P(TREE_TYPE(type));
}

bool is_nothing(tree value) {
    return (TREE_CODE(value) == INTEGER_CST && integer_zerop(value)) ||
           (TREE_CODE(value) == CONSTRUCTOR && CONSTRUCTOR_NELTS(value) == 0);
}

tree object_of(tree operand) {
    return TREE_CODE(operand) == ADDR_EXPR ? TREE_OPERAND(operand, 0) : operand;
}

}  // namespace

tree function_type_of(tree type) {
    while (POINTER_TYPE_P(type))
        type = TREE_TYPE(type);
    if (TREE_CODE(type) == RECORD_TYPE && TYPE_FIELDS(type) != NULL_TREE) {
        // A pointer to a member: the function and an offset.
        const tree first = TREE_TYPE(TYPE_FIELDS(type));
        const bool is_method = POINTER_TYPE_P(first) && TREE_CODE(TREE_TYPE(first)) == METHOD_TYPE;
        return is_method ? TREE_TYPE(first) : NULL_TREE;
    }
    return TREE_CODE(type) == FUNCTION_TYPE ? type : NULL_TREE;
}

bool is_wrapper(tree class_type) {
    for (const std::string_view known : {"_Bind",
                                         "_Bind_result",
                                         "_Bind_front",
                                         "_Mem_fn",
                                         "_Mem_fn_base",
                                         "_Not_fn",
                                         "reference_wrapper",
                                         "bind_t"}) {
        if (name_of_type(class_type) == known) return true;
    }
    // boost::mem_fn()
    std::string_view name = name_of_type(class_type);
    if (name.starts_with('c')) name.remove_prefix(1);
    return name.size() == 3 && name.starts_with("mf") && ISDIGIT(name.back());
}

bool is_call_operator(tree member) {
    return TREE_CODE(member) == FUNCTION_DECL && DECL_NAME(member) != NULL_TREE &&
           std::string_view(IDENTIFIER_POINTER(DECL_NAME(member))) == "operator()";
}

bool makes_wrapper(std::string_view symbol) {
    for (const std::string_view start : {"_ZSt4bindI",
                                         "_ZSt10bind_frontI",
                                         "_ZSt6mem_fnI",
                                         "_ZSt6not_fnI",
                                         "_ZSt3refI",
                                         "_ZSt4crefI",
                                         "_ZN5boost4bindI",
                                         "_ZN5boost6mem_fnI"}) {
        if (symbol.starts_with(start)) return true;
    }
    return false;
}

std::optional<int> started_argument(std::string_view symbol) {
    for (const ThreadMaker& maker : kThreadMakers) {
        if (!symbol.starts_with(maker.start)) continue;
        const std::string_view type = symbol.substr(maker.start.size());
        if (is_thread(type) && type.find(maker.member) != std::string_view::npos)
            return maker.argument;
    }
    return std::nullopt;
}

/// Whether nothing but assignments of the function sets a local variable with something to call.
bool Preparation::is_set_here_only(tree variable, const VariableUse& use) {
    if (DECL_NAME(variable) == NULL_TREE) return true;  // GCC's own
    if (use.escapes) return false;
    const bool has_pointer = std::ranges::any_of(source_.assignments, [&](const Located& at) {
        const tree source = gimple_assign_rhs1(at.statement);
        return TREE_CODE(source) == ADDR_EXPR && base_variable(TREE_OPERAND(source, 0)) == variable;
    });
    return !has_pointer && std::ranges::all_of(use.handed_over, [this](const Located& at) {
        const tree callee = gimple_call_fndecl(at.statement);
        if (callee == NULL_TREE) return false;
        const std::string_view symbol = gathering_.unit.strings[gathering_.symbol(callee)];
        return callees_.of(callee).kind == CalleeKind::StartThread || is_std_move(symbol) ||
               makes_wrapper(symbol) || started_argument(symbol);
    });
}

/// The function that an assignment or a call sets a pointer to a member function, or a wrapper, to;
/// null: it can't be told.
tree Preparation::function_set_by(gimple* statement, int depth) {
    if (gimple_assign_single_p(statement))
        return known_function_in(gimple_assign_rhs1(statement), depth - 1);
    const tree maker = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
    const bool is_known = maker != NULL_TREE && gimple_call_num_args(statement) > 0 &&
                          makes_wrapper(gathering_.unit.strings[gathering_.symbol(maker)]);
    return is_known ? known_function_in(gimple_call_arg(statement, 0), depth - 1) : NULL_TREE;
}

/// The function in such a local `variable`, if it is the only one that is put there; null: not
/// known, or a virtual one.
tree Preparation::function_kept_in(tree variable, int depth) {
    const VariableUse* use = source_.use_of(variable);
    if (use == nullptr || !is_set_here_only(variable, *use)) return NULL_TREE;
    tree kept = NULL_TREE;
    const std::vector<Located> definitions = use->definitions;
    for (const Located& at : definitions) {
        if (!is_callable(gimple_get_lhs(at.statement))) continue;
        if (gimple_assign_single_p(at.statement) && is_nothing(gimple_assign_rhs1(at.statement)))
            continue;
        const tree set = function_set_by(at.statement, depth);
        if (set == NULL_TREE || kept != NULL_TREE) return NULL_TREE;
        kept = set;
    }
    return kept;
}

/// The function that `operand` is, refers to or wraps, if it is the same each time; null: it can't
/// be told.
tree Preparation::known_function_in(tree operand, int depth) {
    if (depth == 0) return NULL_TREE;
    if (const tree known = function_in(operand); known != NULL_TREE) return known;
    const tree object = object_of(operand);
    if (!is_local_name(object)) return NULL_TREE;
    const tree type = TREE_TYPE(object);
    if (RECORD_OR_UNION_TYPE_P(type))
        return VAR_P(object) && is_callable(object) ? function_kept_in(object, depth) : NULL_TREE;
    if (object != operand) {
        // A reference to a pointer to a function.
        const VariableUse* use = source_.use_of(object);
        const bool is_set_here = use != nullptr && VAR_P(object) && is_set_here_only(object, *use);
        return is_set_here ? source_.function_in(object) : NULL_TREE;
    }
    const Located* definition = POINTER_TYPE_P(type) ? values_.only_definition(object) : nullptr;
    const tree callee = definition != nullptr && is_gimple_call(definition->statement)
                            ? gimple_call_fndecl(definition->statement)
                            : NULL_TREE;
    const bool is_moved =
        callee != NULL_TREE && is_std_move(gathering_.unit.strings[gathering_.symbol(callee)]);
    return is_moved ? known_function_in(gimple_call_arg(definition->statement, 0), depth - 1)
                    : NULL_TREE;
}

/// Of a call that has the C++ library start a thread somewhere, in one function for all threads
/// that start with something of a type.
std::optional<Step> Preparation::started_in_library(const LocatedCall& at) {
    const auto position = started_argument(gathering_.unit.strings[at.callee->symbol]);
    const tree started = position ? argument_of(at.call, *position) : NULL_TREE;
    if (started == NULL_TREE || known_function_in(started, kMostWrapped) == NULL_TREE)
        return std::nullopt;
    Callee starter = *at.callee;
    starter.kind = CalleeKind::StartThread;
    starter.argument = *position;
    Step step = make_thread_step({at.call, &starter, at.context});
    step.value = handles_.container_of(at);
    note_global_handles(at);
    return step;
}

/// Of a call that has the C++ library join each thread of a container, by a pointer to the member
/// function: `for_each(first, last, mem_fn(&std::thread::join))`.
std::optional<Step> Preparation::joined_in_library(const LocatedCall& at) {
    const std::string& symbol = gathering_.unit.strings[at.callee->symbol];
    const bool is_of_range = symbol.starts_with("_ZNKSt6ranges13__for_each_fnclI");
    if (!is_of_range && !symbol.starts_with("_ZSt8for_eachI")) return std::nullopt;
    const int count = static_cast<int>(gimple_call_num_args(at.call));
    const tree called = argument_of(at.call, is_of_range ? count - 2 : count - 1);
    const tree first = argument_of(at.call, is_of_range ? 1 : count - 3);
    const tree member = called == NULL_TREE ? NULL_TREE : known_function_in(called, kMostWrapped);
    if (member == NULL_TREE || first == NULL_TREE ||
        callees_.of(member).kind != CalleeKind::JoinThread)
        return std::nullopt;
    Step step;
    step.kind = StepKind::JoinThread;
    step.value = handles_.joined_from(first);
    return step.value.kind == Value::Kind::Unknown ? std::nullopt : std::optional(step);
}

}  // namespace mqinspect::thread_level::plugin
