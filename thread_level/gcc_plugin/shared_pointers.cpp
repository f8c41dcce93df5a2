#include "thread_level/gcc_plugin/shared_pointers.h"

#include <string>
#include <string_view>

namespace mqinspect::thread_level::plugin {
namespace {

constexpr std::string_view kSlot = "shared:";

std::string_view name_in(tree declaration) {
    const tree name = declaration == NULL_TREE ? NULL_TREE : DECL_NAME(declaration);
    return name == NULL_TREE ? std::string_view() : IDENTIFIER_POINTER(name);
}

/// Of a function that is a member; null: it is none.
tree class_of(tree function) {
    const tree type = DECL_CONTEXT(function);
    return type != NULL_TREE && RECORD_OR_UNION_TYPE_P(type) ? type : NULL_TREE;
}

/// What the member of the class points to, or the pointer that it returns; null: there is none.
tree pointee_of_member(tree class_type, std::string_view member) {
    for (tree field = TYPE_FIELDS(class_type); field != NULL_TREE; field = DECL_CHAIN(field)) {
        if (name_in(field) != member) continue;
        tree type = TREE_TYPE(field);
        if (TREE_CODE(field) == FUNCTION_DECL) type = TREE_TYPE(type);
        if (POINTER_TYPE_P(type)) return TREE_TYPE(type);
        if (RECORD_OR_UNION_TYPE_P(type)) return pointee_of_member(type, "_M_ptr");
    }
    return NULL_TREE;
}

tree first_pointee(tree class_type, std::initializer_list<std::string_view> members) {
    for (const std::string_view member : members) {
        const tree found = pointee_of_member(class_type, member);
        if (found != NULL_TREE) return found;
    }
    return NULL_TREE;
}

std::string slot_of(std::string_view class_name) {
    return std::string(kSlot).append(class_name);
}

void add_slots_of(Gathering& gathering, Function& function, tree type) {
    function.overrides.push_back(gathering.intern(slot_of(name_of_type(type))));
    if (!RECORD_OR_UNION_TYPE_P(type)) return;
    const tree binfo = TYPE_BINFO(TYPE_MAIN_VARIANT(type));
    if (binfo == NULL_TREE) return;
    tree base = NULL_TREE;
    for (unsigned i = 0; BINFO_BASE_ITERATE(binfo, i, base); ++i)
        add_slots_of(gathering, function, BINFO_TYPE(base));
}

}  // namespace

std::string reset_slot(tree function, tree callee) {
    const tree class_type = class_of(function);
    if (name_in(function) != "reset" || class_type == NULL_TREE || callee == NULL_TREE ||
        !DECL_CXX_DESTRUCTOR_P(callee) || class_of(callee) != class_type)
        return {};
    const std::string_view name = name_of_type(class_type);
    if (name != "__shared_ptr" && name != "shared_ptr") return {};
    const tree pointee = first_pointee(class_type, {"_M_ptr", "px"});
    return pointee == NULL_TREE ? std::string() : slot_of(name_of_type(pointee));
}

void add_disposals(Gathering& gathering, Function& function, tree method) {
    const std::string_view name = name_in(method);
    const tree class_type = class_of(method);
    if ((name != "_M_dispose" && name != "dispose") || class_type == NULL_TREE) return;
    const std::string_view block = name_of_type(class_type);
    if (!block.starts_with("_Sp_counted_") && !block.starts_with("sp_counted_impl_")) return;
    const tree object = first_pointee(class_type, {"_M_ptr", "_M_impl", "px_", "ptr", "p_"});
    if (object == NULL_TREE) return;
    add_slots_of(gathering, function, object);
    function.overrides.push_back(gathering.intern(slot_of("void")));
}

bool is_disposal_slot(std::string_view slot) {
    return slot.starts_with(kSlot);
}

bool is_call_of_control_block(tree class_type) {
    return name_of_type(class_type) == "sp_counted_base";
}

}  // namespace mqinspect::thread_level::plugin
