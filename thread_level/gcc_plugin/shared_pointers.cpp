#include "thread_level/gcc_plugin/shared_pointers.h"

#include <algorithm>
#include <iterator>
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

/// What the member of the class, or of its bases, points to, or the pointer that it returns; null:
/// there is none.
tree pointee_of_member(tree class_type, std::string_view member) {
    for (tree field = TYPE_FIELDS(class_type); field != NULL_TREE; field = DECL_CHAIN(field)) {
        const bool is_base = TREE_CODE(field) == FIELD_DECL && DECL_ARTIFICIAL(field) &&
                             RECORD_OR_UNION_TYPE_P(TREE_TYPE(field));
        if (is_base) {
            const tree inherited = pointee_of_member(TREE_TYPE(field), member);
            if (inherited != NULL_TREE) return inherited;
        }
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

bool is_shared_pointer(tree type) {
    const std::string_view name = name_of_type(type);
    return name == "shared_ptr" || name == "__shared_ptr";
}

bool gets_other_pointer(const gcall* call) {
    for (unsigned i = 1; i < gimple_call_num_args(call); ++i) {
        const tree type = TREE_TYPE(gimple_call_arg(call, i));
        if (POINTER_TYPE_P(type) && is_shared_pointer(TREE_TYPE(type))) return true;
    }
    return false;
}

/// Whether the call, which gets the address of a pointer, leaves the object to that alone.
bool leaves_alone(const gcall* call, tree variable) {
    constexpr std::string_view readers[] = {"operator->", "operator*", "get", "use_count"};
    const tree callee = gimple_call_fndecl(call);
    if (callee == NULL_TREE || class_of(callee) == NULL_TREE || gimple_call_num_args(call) == 0)
        return false;
    const tree object = gimple_call_arg(call, 0);
    if (TREE_CODE(object) != ADDR_EXPR || base_variable(TREE_OPERAND(object, 0)) != variable)
        return false;
    if (!name_of_type(class_of(callee)).ends_with("shared_ptr") &&
        !name_of_type(class_of(callee)).starts_with("__shared_ptr"))
        return false;
    if (DECL_CXX_CONSTRUCTOR_P(callee)) return !gets_other_pointer(call);
    const std::string_view name = name_in(callee);
    return DECL_CXX_DESTRUCTOR_P(callee) || name.starts_with("__conv_op") ||
           std::ranges::find(readers, name) != std::end(readers);
}

/// Whether the statement sets a pointer to a new object.
bool makes_shared(gimple* statement) {
    if (gimple_clobber_p(statement)) return true;
    const gcall* call = dyn_cast<gcall*>(statement);
    const tree callee = call == nullptr ? NULL_TREE : gimple_call_fndecl(call);
    const std::string_view name = name_in(callee);
    return name.starts_with("make_shared") || name.starts_with("allocate_shared");
}

}  // namespace

std::string sole_owner_slot(const LocatedCall& at, SourceWalk& source) {
    const tree callee = gimple_call_fndecl(at.call);
    if (callee == NULL_TREE || !DECL_CXX_DESTRUCTOR_P(callee) || class_of(callee) == NULL_TREE ||
        !is_shared_pointer(class_of(callee)) || gimple_call_num_args(at.call) == 0)
        return {};
    const tree address = gimple_call_arg(at.call, 0);
    const tree variable = TREE_CODE(address) == ADDR_EXPR ? TREE_OPERAND(address, 0) : NULL_TREE;
    if (variable == NULL_TREE || !VAR_P(variable) || is_global_var(variable)) return {};
    const VariableUse* use = source.use_of(variable);
    const bool is_sole =
        use != nullptr && !use->escapes &&
        std::ranges::all_of(use->definitions,
                            [](const Located& each) { return makes_shared(each.statement); }) &&
        std::ranges::all_of(use->handed_over, [&](const Located& each) {
            return leaves_alone(as_a<gcall*>(each.statement), variable);
        });
    const tree pointee = is_sole ? first_pointee(class_of(callee), {"_M_ptr", "px"}) : NULL_TREE;
    return pointee == NULL_TREE ? std::string() : slot_of(name_of_type(pointee));
}

std::string reset_slot(tree function, tree callee) {
    const tree class_type = class_of(function);
    if (name_in(function) != "reset" || class_type == NULL_TREE || callee == NULL_TREE ||
        !DECL_CXX_DESTRUCTOR_P(callee) || class_of(callee) != class_type)
        return {};
    if (!is_shared_pointer(class_type)) return {};
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
