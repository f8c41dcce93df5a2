// Members of objects, and what functions are handed: TurnUses, third part.
#include <algorithm>
#include <string>

#include "thread_level/gcc_plugin/futures.h"
#include "thread_level/gcc_plugin/only_objects.h"
#include "thread_level/gcc_plugin/turn_objects.h"
#include "thread_level/gcc_plugin/turn_uses.h"

namespace mqinspect::thread_level::plugin {
namespace {

bool is_base(tree reference) {
    return TREE_CODE(reference) == COMPONENT_REF &&
           DECL_NAME(TREE_OPERAND(reference, 1)) == NULL_TREE;
}

bool is_base_field(tree field) {
    return TREE_CODE(field) == FIELD_DECL && DECL_NAME(field) == NULL_TREE;
}

/// Another name each time that a function is called, if it is not static.
std::string name_of_object(tree variable) {
    return DECL_NAME(variable) == NULL_TREE ? 'D' + std::to_string(DECL_UID(variable))
                                            : local_name(variable);
}

}  // namespace

/// `channel->filled`, `this->is_open`: of whichever object, there is only one.
std::optional<TurnVariable> TurnUses::part_of_object(tree object, ContextId context) {
    object = atomic_around(object);
    const Part found = part_in(object);
    if (found.whole == NULL_TREE || found.path.empty() || !has_number(TREE_TYPE(object)) ||
        !is_followed_class(TREE_TYPE(found.whole)))
        return std::nullopt;
    const unsigned of_class = class_number(TREE_TYPE(found.whole));
    if (VAR_P(found.whole)) note_object(found.whole, context);
    TurnVariable known;
    known.value.kind = Value::Kind::Global;
    known.value.name = gathering_.intern("part@" + std::to_string(of_class) + found.path);
    TurnLocal& local = gathering_.turn_locals[known.value.name];
    local.of_class = of_class;
    local.member = gathering_.intern(found.path);
    return known;
}

std::optional<TurnVariable> TurnUses::part(tree object) {
    return part_of_object(object, 0);
}

/// What the function is handed is what all hand to it.
std::optional<TurnVariable> TurnUses::parameter(tree pointer) {
    const int position = parameter_position(pointer);
    const VariableUse* use = source_.use_of(pointer);
    const bool is_kept = use == nullptr || use->definitions.empty();
    if (position < 0 || !is_kept || !is_handed_turn(pointer)) return std::nullopt;
    TurnVariable known;
    known.value.kind = Value::Kind::Global;
    const StringId symbol = gathering_.symbol(function_);
    known.value.name = gathering_.intern("handed@" + gathering_.unit.strings[symbol] + ':' +
                                         std::to_string(position));
    TurnLocal& local = gathering_.turn_locals[known.value.name];
    local.parameter_of = symbol;
    local.position = static_cast<std::size_t>(position);
    return known;
}

/// Whether a constructor begins with that.
bool TurnUses::has_made(const TurnVariable& variable, tree written) {
    const auto local = gathering_.turn_locals.find(variable.value.name);
    const bool is_member = local != gathering_.turn_locals.end() && local->second.of_class != 0;
    if (!is_member || !DECL_CXX_CONSTRUCTOR_P(function_)) return false;
    const auto number = written == NULL_TREE ? std::nullopt : values_.constant(written);
    const auto [made, is_new] =
        gathering_.made_values.try_emplace(variable.value.name, number.value_or(0));
    if (!number || (!is_new && made->second != *number)) local->second.is_bad = true;
    return true;
}

void TurnUses::note_object(tree object, ContextId context) {
    const Part found = part_in(object);
    if (is_base(object)) return;
    OnlyObject& known = gathering_.only_objects[class_number(TREE_TYPE(object))];
    if (found.whole == NULL_TREE || !VAR_P(found.whole) || DECL_HAS_VALUE_EXPR_P(found.whole)) {
        known.is_bad = true;
        return;
    }
    const bool is_static = is_global_var(found.whole);
    OnlyObject one;
    const StringId symbol = gathering_.symbol(is_static ? found.whole : function_);
    const std::string& start = gathering_.unit.strings[symbol];
    const std::string name =
        (is_static ? start : start + '/' + name_of_object(found.whole)) + found.path;
    one.name = gathering_.intern(name);
    (is_static ? one.symbol : one.owner) = symbol;
    const bool is_of_each =
        is_static ? DECL_THREAD_LOCAL_P(found.whole) : source_.is_private(found.whole, context);
    one.is_bad = is_of_each;
    note_one(TREE_TYPE(object), one);
}

/// Of an object, and of what it inherits from.
void TurnUses::note_one(tree type, const OnlyObject& one) {
    OnlyObject& known = gathering_.only_objects[class_number(type)];
    known.is_bad = known.is_bad || one.is_bad || (known.name != 0 && known.name != one.name);
    if (known.name == 0) {
        const bool is_bad = known.is_bad;
        known = one;
        known.is_bad = is_bad;
    }
    for (tree field = TYPE_FIELDS(type); field != NULL_TREE; field = DECL_CHAIN(field)) {
        if (!is_base_field(field) || !is_followed_class(TREE_TYPE(field))) continue;
        OnlyObject base = one;
        base.name = gathering_.intern(gathering_.unit.strings[one.name] + '.' + own_name(field));
        note_one(TREE_TYPE(field), base);
    }
}

/// There may be several of the class, and of what it inherits from, if it is one that is followed.
void TurnUses::lose_class(tree type) {
    type = strip_array_types(type);
    if (!is_followed_class(type)) return;
    gathering_.only_objects[class_number(type)].is_bad = true;
    for (tree field = TYPE_FIELDS(type); field != NULL_TREE; field = DECL_CHAIN(field)) {
        if (is_base_field(field)) lose_class(TREE_TYPE(field));
    }
}

/// Whoever reads what is written may do anything to what a function has been handed.
void TurnUses::spoil_kept(gimple* write, ContextId context) {
    const tree base = base_variable(gimple_assign_lhs(write));
    const bool is_local = base != NULL_TREE && VAR_P(base) && !is_global_var(base);
    if (is_local || !gimple_assign_single_p(write)) return;
    const tree kept = gimple_assign_rhs1(write);
    if (!POINTER_TYPE_P(TREE_TYPE(kept))) return;
    if (const auto variable = variable_at(kept, context)) spoil(*variable);
}

/// Objects that a call makes, or gets; those that a function of another unit gets, it may know.
void TurnUses::note_objects(const Located& at) {
    const tree callee = gimple_call_fndecl(at.statement);
    const bool makes = callee != NULL_TREE && DECL_CXX_CONSTRUCTOR_P(callee);
    const bool is_elsewhere = callee != NULL_TREE && DECL_EXTERNAL(callee) &&
                              !gimple_has_body_p(callee) && !registers_destructor(callee) &&
                              callees_.of(callee).kind == CalleeKind::Other;
    note_pointer(at);
    note_make_unique(at);
    for (unsigned i = 0; i < gimple_call_num_args(at.statement); ++i) {
        const tree argument = gimple_call_arg(at.statement, i);
        if (TREE_CODE(argument) == ADDR_EXPR) {
            note_address(TREE_OPERAND(argument, 0), at.context);
            if (is_elsewhere) lose_class(TREE_TYPE(TREE_OPERAND(argument, 0)));
        } else if (makes && i == 0 && argument != DECL_ARGUMENTS(function_)) {
            note_made(DECL_CONTEXT(callee), argument, at.context);
        } else if (is_elsewhere && POINTER_TYPE_P(TREE_TYPE(argument))) {
            lose_class(TREE_TYPE(TREE_TYPE(argument)));
        }
    }
    // And those that it returns.
    const tree result = gimple_call_lhs(at.statement);
    if ((is_elsewhere || callee == NULL_TREE) && result != NULL_TREE &&
        POINTER_TYPE_P(TREE_TYPE(result)))
        lose_class(TREE_TYPE(TREE_TYPE(result)));
}

/// Of the object, and of what it is a part of.
void TurnUses::note_address(tree object, ContextId context) {
    if (TREE_CODE(TREE_TYPE(object)) == ARRAY_TYPE) lose_class(TREE_TYPE(object));
    const tree whole = base_variable(object);
    if (whole != NULL_TREE && VAR_P(whole) && is_followed_class(TREE_TYPE(whole)))
        note_object(whole, context);
    if (object != whole && is_followed_class(TREE_TYPE(object))) note_object(object, context);
}

/// To a function of the unit, which may be one that a thread starts with.
bool TurnUses::hand_on(const TurnVariable& variable, const Located& at, unsigned position) {
    const tree callee = gimple_call_fndecl(at.statement);
    if (callee == NULL_TREE) return false;
    const Callee& known = callees_.of(callee);
    const StringId symbol = gathering_.symbol(callee);
    const std::string& text = gathering_.unit.strings[symbol];
    if (text.starts_with("_ZSt3refI") || is_std_move(text)) return true;
    HandedTurn handed;
    handed.name = variable.value.name;
    if (variable.declaration != NULL_TREE) handed.variable = DECL_UID(variable.declaration);
    if (known.kind == CalleeKind::Other && is_defined(callee)) {
        handed.function = symbol;
        handed.position = position;
    } else if (known.kind == CalleeKind::StartThread) {
        const auto started = static_cast<unsigned>(known.argument);
        const tree function =
            position > started ? gimple_call_arg(at.statement, started) : NULL_TREE;
        if (function == NULL_TREE || TREE_CODE(function) != ADDR_EXPR ||
            TREE_CODE(TREE_OPERAND(function, 0)) != FUNCTION_DECL)
            return false;
        handed.function = gathering_.symbol(TREE_OPERAND(function, 0));
        handed.position = position - started - 1;
    } else {
        return false;
    }
    gathering_.handed_turns.push_back(handed);
    return true;
}

/// Whoever knows the address of a static variable may do anything to its parts.
void TurnUses::spoil_parts(tree address, ContextId context) {
    if (TREE_CODE(address) != ADDR_EXPR) return;
    const tree object = TREE_OPERAND(address, 0);
    note_address(object, context);
    if (is_followed_class(TREE_TYPE(object))) return;
    const tree whole = base_variable(object);
    if (whole != NULL_TREE && VAR_P(whole) && is_global_var(whole) &&
        has_turn_object(TREE_TYPE(object)))
        gathering_.escaped.insert(gathering_.symbol(whole));
}

}  // namespace mqinspect::thread_level::plugin
