#include "thread_level/gcc_plugin/held_class.h"

#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {

tree method_of(tree class_type, std::string_view name) {
    for (tree member = TYPE_FIELDS(class_type); member != NULL_TREE; member = DECL_CHAIN(member)) {
        if (TREE_CODE(member) == FUNCTION_DECL && DECL_NAME(member) != NULL_TREE &&
            std::string_view(IDENTIFIER_POINTER(DECL_NAME(member))) == name)
            return member;
    }
    const tree information = TYPE_BINFO(class_type);
    const unsigned bases = information == NULL_TREE ? 0 : BINFO_N_BASE_BINFOS(information);
    for (unsigned i = 0; i < bases; ++i) {
        const tree found = method_of(BINFO_TYPE(BINFO_BASE_BINFO(information, i)), name);
        if (found != NULL_TREE) return found;
    }
    return NULL_TREE;
}

tree held_class(tree holder) {
    const tree method = method_of(holder, "operator->");
    const tree type = method == NULL_TREE ? NULL_TREE : TREE_TYPE(TREE_TYPE(method));
    const bool is_object =
        type != NULL_TREE && POINTER_TYPE_P(type) && RECORD_OR_UNION_TYPE_P(TREE_TYPE(type));
    return is_object ? TYPE_MAIN_VARIANT(TREE_TYPE(type)) : NULL_TREE;
}

bool is_thread_class(tree type) {
    if (!RECORD_OR_UNION_TYPE_P(type)) return false;
    const std::string_view name = name_of_type(TYPE_MAIN_VARIANT(type));
    return name == "thread" || name == "jthread";
}

bool keeps_thread(tree type) {
    if (TREE_CODE(type) == POINTER_TYPE) return is_thread_class(TREE_TYPE(type));
    if (!RECORD_OR_UNION_TYPE_P(type)) return false;
    if (name_of_type(TYPE_MAIN_VARIANT(type)) != "unique_ptr") return is_thread_class(type);
    const tree held = held_class(TYPE_MAIN_VARIANT(type));
    return held != NULL_TREE && is_thread_class(held);
}

}  // namespace mqinspect::thread_level::plugin
