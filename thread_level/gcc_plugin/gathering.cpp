#include "thread_level/gcc_plugin/gathering.h"

#include <algorithm>
#include <string>

#include "thread_level/facts/signature.h"
#include "thread_level/gcc_plugin/continued_lines.h"
#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// Of a structure; empty: it has none.
std::string record_name(tree type) {
    if (!is_cxx()) return std::string(name_of_type(type));
    tree name = TYPE_NAME(TYPE_MAIN_VARIANT(type));
    if (name != NULL_TREE && TREE_CODE(name) == TYPE_DECL) name = DECL_NAME(name);
    if (name == NULL_TREE || TREE_CODE(name) != IDENTIFIER_NODE || IDENTIFIER_ANON_P(name))
        return {};
    return IDENTIFIER_POINTER(name);
}

/// What a pointer points to, if that counts, is known and has a name; bytes are taken for anything.
/// In C structures count only, in Fortran nothing does.
std::string pointee_name(tree type) {
    if (is_fortran()) return {};
    if (RECORD_OR_UNION_TYPE_P(type)) return record_name(type);
    if (!is_cxx()) return {};
    switch (TREE_CODE(type)) {
        case POINTER_TYPE:
        case REFERENCE_TYPE:
            return "p";
        case FUNCTION_TYPE:
        case METHOD_TYPE:
            return "F";
        case REAL_TYPE:
        case ENUMERAL_TYPE:
        case INTEGER_TYPE: {
            const tree size = TYPE_SIZE_UNIT(type);
            if (size == NULL_TREE || !tree_fits_uhwi_p(size) || tree_to_uhwi(size) == 1) return {};
            return (TREE_CODE(type) == REAL_TYPE ? "f" : "i") + std::to_string(tree_to_uhwi(size));
        }
        default:
            return {};
    }
}

void append_pointer(std::string& key, tree pointer) {
    const tree pointee = TREE_TYPE(pointer);
    const std::string name = pointee_name(pointee);
    if (!name.empty()) {
        key += TREE_CODE(pointer) == REFERENCE_TYPE ? reference_to(name) : pointer_to(name);
    } else {
        key += !is_fortran() && VOID_TYPE_P(pointee) ? kVoidPointer : kAnyPointer;
    }
}

/// The classes that a class is derived from.
void append_bases(std::string& key, tree binfo) {
    tree base = NULL_TREE;
    for (unsigned i = 0; BINFO_BASE_ITERATE(binfo, i, base); ++i) {
        key += letters_of(name_of_type(BINFO_TYPE(base)));
        append_bases(key, base);
    }
}

/// The object may be of a class that is derived from that of the pointer, or the function of a
/// class that this one is derived from.
void append_object(std::string& key, tree method_type) {
    const tree class_type = TYPE_METHOD_BASETYPE(method_type);
    const bool is_known = class_type != NULL_TREE && COMPLETE_TYPE_P(class_type) &&
                          TYPE_BINFO(TYPE_MAIN_VARIANT(class_type)) != NULL_TREE &&
                          !pointee_name(class_type).empty();
    if (!is_known) {
        key += kObject;
        return;
    }
    key += kObjectOf + letters_of(pointee_name(class_type));
    append_bases(key, TYPE_BINFO(TYPE_MAIN_VARIANT(class_type)));
    key += kObjectEnd;
}

/// One type of a signature, coarse enough that what C lets pass for another is equal.
void append_type(std::string& key, tree type) {
    if (type == NULL_TREE || type == error_mark_node) {
        key += '?';
        return;
    }
    switch (TREE_CODE(type)) {
        case VOID_TYPE:
            key += 'v';
            return;
        case POINTER_TYPE:
        case REFERENCE_TYPE:
            append_pointer(key, type);
            return;
        case REAL_TYPE:
            key += 'f';
            break;
        case BOOLEAN_TYPE:
        case ENUMERAL_TYPE:
        case INTEGER_TYPE:
            key += 'i';
            break;
        case COMPLEX_TYPE:
            key += 'c';
            break;
        default:
            key += 's';
            break;
    }
    const tree size = TYPE_SIZE_UNIT(type);
    if (size != NULL_TREE && tree_fits_uhwi_p(size)) key += std::to_string(tree_to_uhwi(size));
}

}  // namespace

std::string_view name_of_type(tree type) {
    tree name = TYPE_NAME(TYPE_MAIN_VARIANT(type));
    // C's typedef of a structure without a tag: the first one, which is last in the chain.
    const bool has_tag = name != NULL_TREE;
    for (tree one = TYPE_MAIN_VARIANT(type); one != NULL_TREE && !has_tag;
         one = TYPE_NEXT_VARIANT(one)) {
        if (TYPE_NAME(one) != NULL_TREE) name = TYPE_NAME(one);
    }
    if (name != NULL_TREE && TREE_CODE(name) == TYPE_DECL) name = DECL_NAME(name);
    return name == NULL_TREE ? std::string_view() : IDENTIFIER_POINTER(name);
}

std::string name_of_field(tree record, tree field) {
    const std::string_view name = name_of_type(record);
    if (name.empty() || DECL_NAME(field) == NULL_TREE) return {};
    return std::string(name) + "::" + IDENTIFIER_POINTER(DECL_NAME(field));
}

bool has_main(const Gathering& gathering) {
    return std::ranges::any_of(gathering.declarations,
                               [](tree one) { return MAIN_NAME_P(DECL_NAME(one)); });
}

bool is_fortran() {
    static const bool answer = std::string_view(lang_hooks.name).starts_with("GNU F");
    return answer;
}

bool is_cxx() {
    static const bool answer = std::string_view(lang_hooks.name).starts_with("GNU C++");
    return answer;
}

bool is_of_this_source(tree declaration) {
    const char* file = DECL_SOURCE_FILE(declaration);
    return file != nullptr && main_input_filename != nullptr &&
           std::string_view(file) == main_input_filename;
}

Place Gathering::place(location_t location) {
    Place place;
    if (location == UNKNOWN_LOCATION) return place;
    location = begin_of_statement(location);
    const expanded_location expanded = expand_location(location);
    if (expanded.file != last_file_) {
        last_file_ = expanded.file;
        last_file_id_ = expanded.file == nullptr ? 0 : intern(expanded.file);
    }
    place.file = last_file_id_;
    place.line = static_cast<std::uint32_t>(expanded.line);
    place.column = static_cast<std::uint32_t>(expanded.column);
    place.compiler = location;
    return place;
}

StringId Gathering::symbol(tree declaration) {
    // GCC has none for what is neither static nor external, as a variable is that gfortran keeps on
    // the stack, `threadprivate` or not.
    const bool has_none = VAR_P(declaration) && !is_global_var(declaration) &&
                          !DECL_ASSEMBLER_NAME_SET_P(declaration);
    if (has_none) return intern(own_name(declaration));
    const char* name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(declaration));
    return intern(*name == '*' ? name + 1 : name);
}

GlobalUse& Gathering::global(tree variable) {
    GlobalUse& use = globals[DECL_UID(variable)];
    use.declaration = variable;
    return use;
}

std::string type_key(tree function_type) {
    std::string key;
    append_type(key, TREE_TYPE(function_type));
    key += '(';
    tree argument = TYPE_ARG_TYPES(function_type);
    if (TREE_CODE(function_type) == METHOD_TYPE && argument != NULL_TREE) {
        append_object(key, function_type);
        argument = TREE_CHAIN(argument);
    }
    for (; argument != NULL_TREE && TREE_VALUE(argument) != void_type_node;
         argument = TREE_CHAIN(argument))
        append_type(key, TREE_VALUE(argument));
    key += ')';
    return key;
}

std::string type_key(const gcall* call) {
    const tree type = gimple_call_fntype(call);
    if (type == NULL_TREE || TYPE_ARG_TYPES(type) != NULL_TREE)
        return type == NULL_TREE ? std::string("?()") : type_key(type);
    std::string key;
    append_type(key, TREE_TYPE(type));
    key += '(';
    for (unsigned i = 0; i < gimple_call_num_args(call); ++i)
        append_type(key, TREE_TYPE(gimple_call_arg(call, i)));
    key += ')';
    // Nobody has compared the types.
    return shape_of_signature(key);
}

std::string slot_key(tree class_type, unsigned slot) {
    // The table of virtual functions has the class's name in a form that is unique.
    const tree binfo = TYPE_BINFO(TYPE_MAIN_VARIANT(class_type));
    tree table = binfo == NULL_TREE ? NULL_TREE : BINFO_VTABLE(binfo);
    while (table != NULL_TREE && !VAR_P(table) && EXPR_P(table))
        table = TREE_OPERAND(table, 0);
    std::string key;
    if (table != NULL_TREE && VAR_P(table)) {
        key = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(table));
        if (key.starts_with("_ZTV")) key.erase(0, 4);
    } else if (TYPE_NAME(class_type) != NULL_TREE &&
               TREE_CODE(TYPE_NAME(class_type)) == TYPE_DECL) {
        key = IDENTIFIER_POINTER(DECL_NAME(TYPE_NAME(class_type)));
    }
    return key + "::" + std::to_string(slot);
}

}  // namespace mqinspect::thread_level::plugin
