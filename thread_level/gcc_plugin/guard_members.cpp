#include "thread_level/gcc_plugin/guard_members.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "thread_level/gcc_plugin/lock_members.h"
#include "thread_level/gcc_plugin/lock_types.h"
#include "thread_level/gcc_plugin/returned_objects.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr int kMostNested = 3;  // of objects in objects

bool is_library_guard(tree type) {
    const std::string_view name = name_of_type(type);
    return name == "lock_guard" || name == "unique_lock" || name == "scoped_lock";
}

bool has_lock_inside(tree type, int depth) {
    if (!RECORD_OR_UNION_TYPE_P(type) || !COMPLETE_TYPE_P(type) || depth == 0) return false;
    if (is_library_guard(type)) return true;
    for (tree field = TYPE_FIELDS(type); field != NULL_TREE; field = DECL_CHAIN(field)) {
        if (TREE_CODE(field) == FIELD_DECL &&
            (points_to_lock(TREE_TYPE(field)) ||
             has_lock_inside(TYPE_MAIN_VARIANT(TREE_TYPE(field)), depth - 1)))
            return true;
    }
    return false;
}

/// Whether objects of the class may know a lock that their constructor has been handed.
bool keeps_lock(Gathering& gathering, tree type) {
    if (!RECORD_OR_UNION_TYPE_P(type)) return false;
    const tree main = TYPE_MAIN_VARIANT(type);
    const auto [known, is_new] = gathering.lock_keepers.try_emplace(TYPE_UID(main), false);
    if (is_new) known->second = has_lock_inside(main, kMostNested);
    return known->second;
}

/// As which arguments its constructors may get a lock; the object is the first argument.
std::vector<unsigned> lock_positions(tree type) {
    std::vector<unsigned> positions;
    for (tree member = TYPE_FIELDS(TYPE_MAIN_VARIANT(type)); member != NULL_TREE;
         member = DECL_CHAIN(member)) {
        if (TREE_CODE(member) != FUNCTION_DECL || !DECL_CXX_CONSTRUCTOR_P(member)) continue;
        unsigned position = 0;
        for (tree each = TYPE_ARG_TYPES(TREE_TYPE(member));
             each != NULL_TREE && position <= kMostConstructorArguments;
             each = TREE_CHAIN(each), ++position) {
            if (points_to_lock(TREE_VALUE(each)) && std::ranges::count(positions, position) == 0)
                positions.push_back(position);
        }
    }
    return positions;
}

/// Null: the address is not that of a variable or a part of an object.
tree object_at(Values& values, tree address) {
    const tree self = strip(values.copied_address(strip(address)));
    return TREE_CODE(self) == ADDR_EXPR ? TREE_OPERAND(self, 0) : NULL_TREE;
}

/// What a member function is called for; null: not a variable or a part of one.
tree called_object(Values& values, const gcall* call) {
    const tree callee = gimple_call_fndecl(call);
    if (callee == NULL_TREE || TREE_CODE(TREE_TYPE(callee)) != METHOD_TYPE ||
        gimple_call_num_args(call) == 0)
        return NULL_TREE;
    return object_at(values, gimple_call_arg(call, 0));
}

bool is_part(tree object) {
    return object != NULL_TREE && TREE_CODE(object) == COMPONENT_REF;
}

/// Of the object whose method GCC is at.
bool is_own_part(tree object) {
    if (!is_part(object) || TREE_CODE(TREE_TYPE(current_function_decl)) != METHOD_TYPE)
        return false;
    const tree whole = TREE_OPERAND(object, 0);
    return TREE_CODE(whole) == MEM_REF &&
           TREE_OPERAND(whole, 0) == DECL_ARGUMENTS(current_function_decl);
}

StringId guard_name(Gathering& gathering, tree part) {
    const StringId name = gathering.intern(member_name(part));
    gathering.guard_members.insert(name);
    return name;
}

/// What the constructor of that part gets at the position.
StringId name_of_handed_part(Gathering& gathering, tree part, unsigned position) {
    const StringId name = gathering.intern(member_name(part) + '#' + std::to_string(position));
    gathering.guard_members.insert(name);
    return name;
}

Value part_of_own(StringId name) {
    Value value;
    value.kind = Value::Kind::Parameter;
    value.name = name;
    return value;
}

/// The lock that the guard is made with; Unknown: several.
Value lock_of_guard(Values& values, const LocatedCall& at) {
    Value lock;
    unsigned count = 0;
    for (unsigned i = 1; i < gimple_call_num_args(at.call); ++i) {
        const tree argument = gimple_call_arg(at.call, i);
        if (!points_to_lock(TREE_TYPE(argument))) continue;
        lock = values.of(argument, at.context);
        ++count;
    }
    return count == 1 ? lock : Value{};
}

void note_constructor(Gathering& gathering, Values& values, const LocatedCall& at, tree part) {
    const unsigned count = gimple_call_num_args(at.call);
    if (is_library_guard(TREE_TYPE(part))) {
        if (count > 1) {
            note_lock_in(gathering,
                         part,
                         guard_name(gathering, part),
                         lock_of_guard(values, at),
                         at.context);
        }
        return;
    }
    if (!keeps_lock(gathering, TREE_TYPE(part))) return;
    for (unsigned i = 1; i < count && i <= kMostConstructorArguments; ++i) {
        const tree argument = gimple_call_arg(at.call, i);
        if (!points_to_lock(TREE_TYPE(argument))) continue;
        note_lock_in(gathering,
                     part,
                     name_of_handed_part(gathering, part, i),
                     values.of(argument, at.context),
                     at.context);
    }
}

/// Puts another lock in it.
bool is_assigned(const gcall* call) {
    const std::string_view name = declared_name(gimple_call_fndecl(call));
    return name == "operator=" || name == "swap";
}

}  // namespace

void note_guard_members(Gathering& gathering, const SourceWalk& source, Values& values) {
    if (!is_cxx()) return;
    for (const LocatedCall& at : source.calls) {
        const tree object = called_object(values, at.call);
        if (is_part(object) && DECL_CXX_CONSTRUCTOR_P(gimple_call_fndecl(at.call)))
            note_constructor(gathering, values, at, object);
    }
    for (const Located& at : source.any_calls) {
        const auto* call = as_a<const gcall*>(at.statement);
        const tree object = called_object(values, call);
        if (is_part(object) && is_library_guard(TREE_TYPE(object)) && is_assigned(call))
            note_lock_in(gathering, object, guard_name(gathering, object), {}, at.context);
    }
}

Value member_guard_lock(Values& values, tree self) {
    const tree part = object_at(values, self);
    return is_own_part(part) ? part_of_own(guard_name(values.gathering(), part)) : Value{};
}

void note_returned_constructor(Gathering& gathering, const SourceWalk& source, Values& values) {
    const tree function = current_function_decl;
    const tree type = TREE_TYPE(TREE_TYPE(function));
    if (!is_cxx() || !keeps_lock(gathering, type) || is_library_guard(type)) return;
    for (const LocatedCall& at : source.calls) {
        const tree callee = gimple_call_fndecl(at.call);
        if (callee == NULL_TREE || !DECL_CXX_CONSTRUCTOR_P(callee)) continue;
        const tree self = values.copied_address(strip(gimple_call_arg(at.call, 0)));
        const tree made = TREE_CODE(self) == ADDR_EXPR ? TREE_OPERAND(self, 0) : self;
        if (made != DECL_RESULT(function)) continue;
        for (unsigned i = 1; i < gimple_call_num_args(at.call); ++i) {
            const tree argument = gimple_call_arg(at.call, i);
            if (!points_to_lock(TREE_TYPE(argument))) continue;
            const StringId name = name_of_handed(gathering, function, i);
            const Value lock = values.of(argument, at.context);
            const auto [known, is_new] = gathering.results.try_emplace(name, lock);
            if (!is_new && known->second != lock) known->second = {};
        }
    }
}

void add_handed_arguments(Values& values, const LocatedCall& at, std::vector<Value>& arguments) {
    const tree object = is_cxx() ? called_object(values, at.call) : NULL_TREE;
    Gathering& gathering = values.gathering();
    if (object == NULL_TREE || DECL_CXX_CONSTRUCTOR_P(gimple_call_fndecl(at.call)) ||
        !keeps_lock(gathering, TREE_TYPE(object)))
        return;
    const bool is_own = is_own_part(object);
    if (!is_own && !VAR_P(object)) return;
    for (const unsigned position : lock_positions(TREE_TYPE(object))) {
        std::optional<Value> handed;
        if (is_own) {
            handed = part_of_own(name_of_handed_part(gathering, object, position));
        } else {
            handed = handed_to_returned(values, object, position);
        }
        if (!handed) continue;
        const std::size_t at_call = parameters_of(gimple_call_fndecl(at.call)) + position - 1;
        if (arguments.size() <= at_call) arguments.resize(at_call + 1);
        if (arguments[at_call].kind == Value::Kind::Unknown) arguments[at_call] = *handed;
    }
}

}  // namespace mqinspect::thread_level::plugin
