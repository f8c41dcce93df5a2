#include "thread_level/gcc_plugin/numbered_objects.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "thread_level/gcc_plugin/held_class.h"
#include "thread_level/gcc_plugin/thread_numbers.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr int kMostPointers = 8;  // that are copies or parts of others

std::string_view name_of_function(tree function) {
    const tree name = DECL_NAME(function);
    return name == NULL_TREE || TREE_CODE(name) != IDENTIFIER_NODE
               ? std::string_view()
               : std::string_view(IDENTIFIER_POINTER(name));
}

/// Of what pointers, and references, lead to; null: that is no object of a class.
tree class_behind(tree type) {
    while (POINTER_TYPE_P(type))
        type = TREE_TYPE(type);
    return RECORD_OR_UNION_TYPE_P(type) ? TYPE_MAIN_VARIANT(type) : NULL_TREE;
}

/// What a call makes, and where its arguments begin that go to the constructor.
struct Making {
    tree class_type = NULL_TREE;
    unsigned first = 0;
    bool is_by_library = false;
};

/// Of a container's function that makes an element.
tree class_of_elements(tree function) {
    const tree container = DECL_CONTEXT(function);
    if (container == NULL_TREE || !RECORD_OR_UNION_TYPE_P(container)) return NULL_TREE;
    const tree last = method_of(container, "back");
    if (last == NULL_TREE) return NULL_TREE;
    const tree element = TREE_TYPE(TREE_TYPE(last));
    const tree type = POINTER_TYPE_P(element) ? TREE_TYPE(element) : element;
    return RECORD_OR_UNION_TYPE_P(type) ? TYPE_MAIN_VARIANT(type) : NULL_TREE;
}

Making making_of(tree callee) {
    if (DECL_CXX_CONSTRUCTOR_P(callee)) return {class_behind(DECL_CONTEXT(callee)), 1, false};
    if (!in_system_header_at(DECL_SOURCE_LOCATION(callee))) return {};
    const std::string_view name = name_of_function(callee);
    if (name.starts_with("emplace")) return {class_of_elements(callee), 1, true};
    const tree result = TREE_TYPE(TREE_TYPE(callee));
    const bool makes_one = name == "make_unique" || name == "make_shared";
    return makes_one && RECORD_OR_UNION_TYPE_P(result)
               ? Making{held_class(TYPE_MAIN_VARIANT(result)), 0, true}
               : Making{};
}

/// Whether an argument is a number, or a reference to one.
bool is_numeric(const gcall* call, unsigned position) {
    const tree type = TREE_TYPE(gimple_call_arg(call, position));
    return INTEGRAL_TYPE_P(POINTER_TYPE_P(type) ? TREE_TYPE(type) : type);
}

bool has_number(const gcall* call, unsigned first) {
    for (unsigned i = first; i < gimple_call_num_args(call); ++i)
        if (is_numeric(call, i)) return true;
    return false;
}

void note_made(const Making& making,
               const gcall* call,
               Gathering& gathering,
               Values& values,
               SourceWalk& source) {
    MadeObjects& made = gathering.made_objects[TYPE_UID(making.class_type)];
    made.class_type = making.class_type;
    ++made.places;
    made.maker = gathering.symbol(current_function_decl);
    for (unsigned i = making.first; i < gimple_call_num_args(call); ++i) {
        if (!is_numeric(call, i)) continue;
        const Value value = counted_argument(values, source, call, i, making.is_by_library);
        if (value.kind == Value::Kind::Counted && value.name == 0 && !value.created_once)
            made.numbers.push_back({i - making.first + 1, value.number});
    }
}

/// Whether the function is a constructor or another one of the object, and `pointer` is to that.
bool is_this(tree pointer) {
    return TREE_CODE(pointer) == PARM_DECL && DECL_ARTIFICIAL(pointer) &&
           pointer == DECL_ARGUMENTS(current_function_decl) &&
           TREE_CODE(TREE_TYPE(current_function_decl)) == METHOD_TYPE;
}

/// Whether a class goes over the elements of a container.
bool is_iterator(tree class_type) {
    return class_type != NULL_TREE && RECORD_OR_UNION_TYPE_P(class_type) &&
           method_of(class_type, "operator++") != NULL_TREE;
}

enum class Pointed : std::uint8_t { Other, Further, Element };

/// What `call` gives: an element, each time another one, or what its first argument leads to.
Pointed pointed_by(const gimple* call) {
    constexpr std::array<std::string_view, 3> holders = {"operator*", "operator->", "get"};
    const tree callee = gimple_call_fndecl(call);
    if (callee == NULL_TREE || gimple_call_num_args(call) == 0) return Pointed::Other;
    const std::string_view name = name_of_function(callee);
    if (name == "operator[]" || name == "at") {
        const bool is_varied =
            gimple_call_num_args(call) == 2 && TREE_CODE(gimple_call_arg(call, 1)) != INTEGER_CST;
        return is_varied ? Pointed::Element : Pointed::Other;
    }
    if (std::ranges::find(holders, name) == holders.end()) return Pointed::Other;
    return is_iterator(DECL_CONTEXT(callee)) ? Pointed::Element : Pointed::Further;
}

/// What `pointer` is to, each time that the function comes there: any object, another element of a
/// container, or another object, each of which has one thread at most.
enum class Object : std::uint8_t { Any, Element, OwnsThread };

Object object_at(Values& values, tree pointer, const Value& handle) {
    for (int depth = 0; depth < kMostPointers && pointer != NULL_TREE; ++depth) {
        pointer = strip(pointer);
        if (is_this(pointer)) {
            const bool keeps =
                handle.kind == Value::Kind::Parameter && handle.number == 0 && handle.name != 0;
            return keeps || DECL_CXX_CONSTRUCTOR_P(current_function_decl) ? Object::OwnsThread
                                                                          : Object::Any;
        }
        if (TREE_CODE(pointer) == ADDR_EXPR || TREE_CODE(pointer) == MEM_REF ||
            TREE_CODE(pointer) == COMPONENT_REF) {
            pointer = TREE_OPERAND(pointer, 0);
            continue;
        }
        if (TREE_CODE(pointer) == ARRAY_REF) {
            const bool is_varied = TREE_CODE(TREE_OPERAND(pointer, 1)) != INTEGER_CST;
            return is_varied ? Object::Element : Object::Any;
        }
        const Located* made = is_local_name(pointer) ? values.only_definition(pointer) : nullptr;
        if (made == nullptr) return Object::Any;
        gimple* const statement = made->statement;
        if (is_gimple_call(statement)) {
            const Pointed pointed = pointed_by(statement);
            if (pointed == Pointed::Element) return Object::Element;
            if (pointed == Pointed::Other) return Object::Any;
            pointer = gimple_call_arg(statement, 0);
        } else if (is_copying(statement)) {
            pointer = gimple_assign_rhs1(statement);
        } else {
            const bool is_varied = is_gimple_assign(statement) &&
                                   gimple_assign_rhs_code(statement) == POINTER_PLUS_EXPR &&
                                   TREE_CODE(gimple_assign_rhs2(statement)) != INTEGER_CST;
            return is_varied ? Object::Element : Object::Any;
        }
    }
    return Object::Any;
}

/// The class of the objects that `started` points to, or the pointers in it; 0: they are any.
NumberedObject object_started(Values& values,
                              SourceWalk& source,
                              tree started,
                              const Value& handle) {
    const tree type = TREE_TYPE(started);
    const tree behind = class_behind(type);
    if (behind == NULL_TREE) return {};
    if (POINTER_TYPE_P(type)) {
        const Object object = object_at(values, values.referred_to(started), handle);
        if (object != Object::Any) return {TYPE_UID(behind), object == Object::OwnsThread, {}};
    }
    const tree holder =
        base_variable(TREE_CODE(started) == ADDR_EXPR ? TREE_OPERAND(started, 0) : started);
    if (holder == NULL_TREE || !VAR_P(holder) || !is_local(holder)) return {};
    const std::vector<Located> writes = source.pointer_writes;
    for (const Located& at : writes) {
        const tree member = gimple_assign_lhs(at.statement);
        if (TREE_OPERAND(member, 0) != holder || !is_copying(at.statement)) continue;
        const tree pointer = gimple_assign_rhs1(at.statement);
        const tree pointed = class_behind(TREE_TYPE(pointer));
        const Object object =
            pointed == NULL_TREE ? Object::Any : object_at(values, pointer, handle);
        if (object != Object::Any) return {TYPE_UID(pointed), object == Object::OwnsThread, {}};
    }
    return {};
}

}  // namespace

void note_made_objects(Gathering& gathering, Values& values, SourceWalk& source) {
    const bool is_of_program =
        lang_GNU_CXX() && !in_system_header_at(DECL_SOURCE_LOCATION(current_function_decl));
    if (!is_of_program) return;
    for (const Located& at : source.any_calls) {
        const tree callee = gimple_call_fndecl(at.statement);
        if (callee == NULL_TREE || in_system_header_at(gimple_location(at.statement))) continue;
        const Making making = making_of(callee);
        const auto* call = as_a<const gcall*>(at.statement);
        if (making.class_type != NULL_TREE && has_number(call, making.first))
            note_made(making, call, gathering, values, source);
    }
}

Value numbered_object(
    Values& values, SourceWalk& source, tree started, const Value& handle, const Value& instead) {
    NumberedObject object =
        lang_GNU_CXX() ? object_started(values, source, started, handle) : NumberedObject{};
    if (object.of_class == 0) return instead;
    object.instead = instead;
    Gathering& gathering = values.gathering();
    const std::size_t count = gathering.numbered_objects.size();
    Value value{.kind = Value::Kind::Counted, .number = kUnknownFirst};
    value.name = gathering.intern("object\n" + std::to_string(count));
    gathering.numbered_objects.try_emplace(value.name, object);
    return value;
}

}  // namespace mqinspect::thread_level::plugin
