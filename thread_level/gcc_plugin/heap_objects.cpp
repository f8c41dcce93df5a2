// Objects on the heap, of which the program makes one only: TurnUses, fifth part.
#include <string>

#include "thread_level/gcc_plugin/only_objects.h"
#include "thread_level/gcc_plugin/turn_objects.h"
#include "thread_level/gcc_plugin/turn_uses.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr std::string_view kMakeUnique = "_ZSt11make_uniqueI";

/// Whether the call gets memory for one object of the type.
bool allocates_one(const gimple* call, tree type) {
    const tree callee = gimple_call_fndecl(call);
    const tree size = TYPE_SIZE_UNIT(type);
    if (callee == NULL_TREE || DECL_NAME(callee) == NULL_TREE || size == NULL_TREE) return false;
    const std::string_view name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(callee));
    const bool is_counted = name == "calloc";
    if (!is_counted && name != "malloc" && name != "_Znwm") return false;
    if (gimple_call_num_args(call) != (is_counted ? 2U : 1U)) return false;
    if (is_counted && !integer_onep(gimple_call_arg(call, 0))) return false;
    return simple_cst_equal(gimple_call_arg(call, is_counted ? 1 : 0), size) == 1;
}

/// What a std::unique_ptr is for.
tree element_type(tree pointer) {
    if (!RECORD_OR_UNION_TYPE_P(pointer)) return NULL_TREE;
    for (tree member = TYPE_FIELDS(pointer); member != NULL_TREE; member = DECL_CHAIN(member)) {
        if (TREE_CODE(member) == TYPE_DECL && DECL_NAME(member) != NULL_TREE &&
            std::string_view(IDENTIFIER_POINTER(DECL_NAME(member))) == "element_type")
            return TREE_TYPE(member);
    }
    return NULL_TREE;
}

}  // namespace

/// What makes the memory that `pointer` points to; null: it can't be told.
gimple* TurnUses::allocation_of(tree pointer) {
    const Located* made = made_by(pointer);
    return made != nullptr && is_gimple_call(made->statement) ? made->statement : nullptr;
}

/// An object of a class that is followed, where a call gets memory for it: main(), or what makes
/// static variables, does so once, unless it is in a loop.
void TurnUses::note_heap_object(tree type, gimple* allocation, ContextId context) {
    if (!is_followed_class(type)) return;
    const std::string symbol = gathering_.unit.strings[gathering_.symbol(function_)];
    if (symbol.starts_with(kMakeUnique)) return;  // who calls that makes it
    const bool is_once =
        (symbol == "main" || symbol.starts_with("_Z41__static_initialization_and_destruction_0")) &&
        source_.thread_context(context) == 0;
    if (allocation == nullptr || !is_once) return lose_class(type);
    const location_t place = gimple_location(allocation);
    OnlyObject one;
    one.name = gathering_.intern("new@" + std::to_string(LOCATION_LINE(place)) + ':' +
                                 std::to_string(LOCATION_COLUMN(place)));
    one.symbol = one.name;
    allocations_.push_back({one.name, allocation});
    note_one(type, one);
}

/// Of a constructor's or an allocation's result.
void TurnUses::note_made(tree type, tree pointer, ContextId context) {
    gimple* allocation = allocation_of(pointer);
    const bool is_one = allocation != nullptr && allocates_one(allocation, type);
    note_heap_object(type, is_one ? allocation : nullptr, context);
}

/// `std::make_unique<Library>()`
void TurnUses::note_make_unique(const Located& at) {
    const tree callee = gimple_call_fndecl(at.statement);
    const tree left = gimple_call_lhs(at.statement);
    if (callee == NULL_TREE ||
        !gathering_.unit.strings[gathering_.symbol(callee)].starts_with(kMakeUnique))
        return;
    const tree type = left == NULL_TREE ? NULL_TREE : element_type(TREE_TYPE(left));
    if (type != NULL_TREE) note_heap_object(type, at.statement, at.context);
}

/// Objects on the heap, or that come from where they can't be told.
void TurnUses::note_pointer(const Located& at) {
    const tree left = gimple_get_lhs(at.statement);
    if (left == NULL_TREE || !POINTER_TYPE_P(TREE_TYPE(left)) || !gets_turn_object(at.statement))
        return;
    const tree type = TREE_TYPE(TREE_TYPE(left));
    if (is_gimple_call(at.statement)) {
        note_heap_object(
            type, allocates_one(at.statement, type) ? at.statement : nullptr, at.context);
        return;
    }
    const tree source = strip(gimple_assign_rhs1(at.statement));
    if (TREE_CODE(source) != PARM_DECL) note_made(type, source, at.context);
}

}  // namespace mqinspect::thread_level::plugin
