#include "thread_level/gcc_plugin/pointed_members.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "thread_level/facts/pointed_members.h"
#include "thread_level/gcc_plugin/lock_types.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr int kMostPointersCopied = 8;  // of a pointer that are followed

enum class Content : std::uint8_t { Others, Handles, Locks };

/// Of MPI, or an array of such, or where one is.
bool is_handle_of_mpi(tree type) {
    while (TREE_CODE(type) == ARRAY_TYPE || POINTER_TYPE_P(type)) {
        if (TYPE_NAME(type) != NULL_TREE) break;
        type = TREE_TYPE(type);
    }
    return written_name(type).starts_with("MPI_");
}

/// Of an object: whether locks are in it, or else handles of MPI.
Content content_of(tree type) {
    while (TREE_CODE(type) == ARRAY_TYPE)
        type = TREE_TYPE(type);
    if (is_lock_type(type) || points_to_lock(type)) return Content::Locks;
    if (is_handle_of_mpi(type)) return Content::Handles;
    Content content = Content::Others;
    if (!RECORD_OR_UNION_TYPE_P(type)) return content;
    for (tree field = TYPE_FIELDS(type); field != NULL_TREE; field = DECL_CHAIN(field)) {
        if (TREE_CODE(field) == FIELD_DECL)
            content = std::max(content, content_of(TREE_TYPE(field)));
    }
    return content;
}

bool is_named(tree pointer) {
    return VAR_P(pointer) && !DECL_HAS_VALUE_EXPR_P(pointer) && !DECL_ARTIFICIAL(pointer) &&
           DECL_NAME(pointer) != NULL_TREE;
}

struct PointerKeeper {
    tree variable = NULL_TREE;  ///< null: it can't be told
    bool is_copied = false;     ///< to another variable, of which the question is
};

/// The variable that `pointer` is a copy of, or that owns what it points to.
PointerKeeper keeper_of(Values& values, tree pointer) {
    pointer = strip(pointer);
    PointerKeeper keeper{.variable = is_named(pointer) ? pointer : NULL_TREE};
    for (int copies = 0; copies < kMostPointersCopied && is_local_name(pointer); ++copies) {
        const Located* made = values.only_definition(pointer);
        if (made == nullptr) break;
        if (const tree owner = owner_asked(made->statement); owner != NULL_TREE)
            return {.variable = owner};
        if (!is_copying(made->statement)) break;
        pointer = strip(gimple_assign_rhs1(made->statement));
        if (is_named(pointer))
            keeper = {.variable = pointer, .is_copied = keeper.variable != NULL_TREE};
    }
    return keeper;
}

/// Whether the innermost parallel region around `context` writes to the variable.
bool is_written_in_region(SourceWalk& source, tree variable, ContextId context) {
    context = source.parallel_context(context);
    const VariableUse* use = source.use_of(variable);
    if (use == nullptr) return false;
    const auto is_inside = [&](const Located& at) { return source.is_inside(at.context, context); };
    const bool is_handed =
        POINTER_TYPE_P(TREE_TYPE(variable)) && std::ranges::any_of(use->handed_over, is_inside);
    return use->escapes || is_handed || std::ranges::any_of(use->definitions, is_inside);
}

bool is_written(const SourceWalk& source, tree variable) {
    const auto writes = [&](gimple* statement) { return gimple_get_lhs(statement) == variable; };
    return std::ranges::any_of(source.global_writes, writes) ||
           std::ranges::any_of(source.any_calls,
                               [&](const Located& at) { return writes(at.statement); });
}

/// Whether a static pointer may be for one object while there are threads. Other writes than one
/// are found when the whole program is known.
bool may_stay(const SourceWalk& source, const PointerKeeper& keeper) {
    const tree variable = keeper.variable;
    const tree initial = DECL_INITIAL(variable);
    const bool is_set = initial != NULL_TREE && !integer_zerop(initial);
    return POINTER_TYPE_P(TREE_TYPE(variable)) && !DECL_THREAD_LOCAL_P(variable) && !is_set &&
           !(keeper.is_copied && is_written(source, variable));
}

/// Of what `pointer` points to, if that is one object for all threads of the team: the pointer is
/// theirs, and the region does not write to it. Else Unknown.
Value shared_object(Values& values, SourceWalk& source, tree pointer, ContextId context) {
    const PointerKeeper found = keeper_of(values, pointer);
    const tree keeper = found.variable;
    Value value;
    if (keeper == NULL_TREE) return value;
    Gathering& gathering = values.gathering();
    if (is_global_var(keeper)) {
        if (!may_stay(source, found)) return value;
        gathering.global(keeper);
        value.kind = Value::Kind::Global;
        const StringId name = gathering.symbol(keeper);
        value.name = gathering.intern(gathering.unit.strings[name] + std::string(kPointed));
        return value;
    }
    if (!source.is_shared(keeper, context) || is_written_in_region(source, keeper, context))
        return value;
    value.kind = Value::Kind::Local;
    value.name = gathering.intern(local_name(keeper) + std::string(kPointed));
    value.is_shared = true;
    return value;
}

}  // namespace

bool is_member_array(const Value& array, tree type) {
    if (array.kind != Value::Kind::Parameter || array.name == 0) return false;
    const tree element = TREE_CODE(type) == ARRAY_TYPE ? TREE_TYPE(type) : type;
    return TREE_CODE(element) != ARRAY_TYPE && is_handle_of_mpi(element);
}

tree owner_asked(gimple* statement) {
    const tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
    if (callee == NULL_TREE || gimple_call_num_args(statement) != 1) return NULL_TREE;
    const std::string_view name = declared_name(callee);
    if (name != "operator->" && name != "operator*" && name != "get") return NULL_TREE;
    const tree type = DECL_CONTEXT(callee);
    if (type == NULL_TREE || !TYPE_P(type) || !is_smart_pointer(type)) return NULL_TREE;
    const tree address = strip(gimple_call_arg(statement, 0));
    const tree owner =
        TREE_CODE(address) == ADDR_EXPR ? base_variable(TREE_OPERAND(address, 0)) : NULL_TREE;
    const bool is_owner = owner != NULL_TREE && VAR_P(owner) && is_smart_pointer(TREE_TYPE(owner));
    return is_owner && is_named(owner) ? owner : NULL_TREE;
}

Value shared_holder(Values& values, SourceWalk& source, tree pointer, ContextId context) {
    const tree type = TREE_TYPE(pointer);
    const bool is_holder =
        is_local_name(pointer) && POINTER_TYPE_P(type) && RECORD_OR_UNION_TYPE_P(TREE_TYPE(type)) &&
        !is_handle_type(TREE_TYPE(type)) && content_of(TREE_TYPE(type)) == Content::Handles;
    return is_holder ? shared_object(values, source, pointer, context) : Value{};
}

std::optional<Value> shared_member(Values& values,
                                   SourceWalk& source,
                                   tree reference,
                                   const std::string& member,
                                   ContextId context) {
    const tree base = TREE_OPERAND(reference, 0);
    if (!is_handle_of_mpi(TREE_TYPE(TREE_OPERAND(reference, 1))) || TREE_CODE(base) != MEM_REF ||
        !integer_zerop(TREE_OPERAND(base, 1)))
        return std::nullopt;
    Value value = shared_object(values, source, TREE_OPERAND(base, 0), context);
    if (value.kind == Value::Kind::Unknown) return std::nullopt;
    Gathering& gathering = values.gathering();
    value.name = gathering.intern(gathering.unit.strings[value.name] + member);
    return value;
}

bool is_known_object(Values& values, SourceWalk& source, tree argument, ContextId context) {
    const auto is_address = [](tree operand) {
        const tree object = TREE_CODE(operand) == ADDR_EXPR ? TREE_OPERAND(operand, 0) : NULL_TREE;
        return object != NULL_TREE && RECORD_OR_UNION_TYPE_P(TREE_TYPE(object)) &&
               !is_handle_type(TREE_TYPE(object));
    };
    if (is_address(argument)) return true;
    if (!POINTER_TYPE_P(TREE_TYPE(argument)) || !is_local_name(argument) ||
        !RECORD_OR_UNION_TYPE_P(TREE_TYPE(TREE_TYPE(argument))))
        return false;
    const Located* definition = values.only_definition(argument);
    const bool is_copy = definition != nullptr && gimple_assign_single_p(definition->statement) &&
                         is_address(gimple_assign_rhs1(definition->statement));
    return is_copy || shared_object(values, source, argument, context).kind != Value::Kind::Unknown;
}

}  // namespace mqinspect::thread_level::plugin
