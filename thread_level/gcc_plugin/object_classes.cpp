#include "thread_level/gcc_plugin/object_classes.h"

#include <set>
#include <utility>

#include "thread_level/gcc_plugin/callables.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr int kMostAddressesCopied = 6;

bool is_polymorphic(tree type) {
    return type != NULL_TREE && RECORD_OR_UNION_TYPE_P(type) &&
           TYPE_BINFO(TYPE_MAIN_VARIANT(type)) != NULL_TREE &&
           BINFO_VTABLE(TYPE_BINFO(TYPE_MAIN_VARIANT(type))) != NULL_TREE;
}

bool is_derived(tree binfo, tree base_type) {
    tree base = NULL_TREE;
    for (unsigned i = 0; BINFO_BASE_ITERATE(binfo, i, base); ++i) {
        if (TYPE_MAIN_VARIANT(BINFO_TYPE(base)) == base_type || is_derived(base, base_type))
            return true;
    }
    return false;
}

bool is_derived_from(tree type, tree base) {
    const tree binfo = TYPE_BINFO(TYPE_MAIN_VARIANT(type));
    return binfo != NULL_TREE && is_derived(binfo, TYPE_MAIN_VARIANT(base));
}

/// The object itself, of which the expression may be a base.
tree whole_object(tree object) {
    while (TREE_CODE(object) == COMPONENT_REF && DECL_ARTIFICIAL(TREE_OPERAND(object, 1)) &&
           RECORD_OR_UNION_TYPE_P(TREE_TYPE(object)))
        object = TREE_OPERAND(object, 0);
    return object;
}

/// The class of what the pointer is to, as far as its types tell; null: none with virtual
/// functions.
tree class_behind(tree address, Values& values) {
    tree found = NULL_TREE;
    for (int copies = 0; copies < kMostAddressesCopied && address != NULL_TREE; ++copies) {
        STRIP_NOPS(address);
        tree type = NULL_TREE;
        if (TREE_CODE(address) == ADDR_EXPR) {
            type = TREE_TYPE(whole_object(TREE_OPERAND(address, 0)));
        } else if (POINTER_TYPE_P(TREE_TYPE(address))) {
            type = TREE_TYPE(TREE_TYPE(address));
        }
        if (is_polymorphic(type) && (found == NULL_TREE || is_derived_from(type, found)))
            found = TYPE_MAIN_VARIANT(type);
        const Located* definition =
            is_local_name(address) ? values.only_definition(address) : nullptr;
        if (definition == nullptr || !is_copying(definition->statement)) break;
        address = gimple_assign_rhs1(definition->statement);
    }
    return found;
}

/// Its name, and which functions it has are remembered.
StringId note_class(tree type, Gathering& gathering) {
    if (type == NULL_TREE) return 0;
    const std::string key = slot_key(type, 0);
    const StringId name = gathering.intern(key.substr(0, key.rfind("::")));
    const auto [table, is_new] = gathering.virtual_tables.try_emplace(name);
    if (!is_new) return name;
    for (tree entry = BINFO_VIRTUALS(TYPE_BINFO(type)); entry != NULL_TREE;
         entry = TREE_CHAIN(entry)) {
        const tree method = TREE_VALUE(entry);
        const bool is_function = method != NULL_TREE && TREE_CODE(method) == FUNCTION_DECL;
        table->second.push_back(is_function ? gathering.symbol(method) : 0);
    }
    return name;
}

}  // namespace

StringId class_called_with(const gcall* call, Values& values, Gathering& gathering) {
    const tree callee = gimple_call_fndecl(call);
    if (callee == NULL_TREE || TREE_CODE(TREE_TYPE(callee)) != METHOD_TYPE ||
        DECL_CXX_CONSTRUCTOR_P(callee) || DECL_CXX_DESTRUCTOR_P(callee) ||
        !is_polymorphic(DECL_CONTEXT(callee)) || gimple_call_num_args(call) == 0)
        return 0;
    const tree found = class_behind(gimple_call_arg(call, 0), values);
    const bool says_more = found != NULL_TREE && is_derived_from(found, DECL_CONTEXT(callee));
    return says_more ? note_class(found, gathering) : 0;
}

StringId class_started_with(tree address, Values& values, Gathering& gathering) {
    return note_class(class_behind(address, values), gathering);
}

void add_tables(Gathering& gathering, const FunctionsBySymbol& functions, const Symbols& idle) {
    const FunctionsBySymbol kept = by_symbol(gathering.unit);
    std::set<StringId> named;
    for (const Function& function : gathering.unit.functions) {
        for (const Step& step : function.steps) {
            if (step.object_class != 0) named.insert(step.object_class);
        }
    }
    for (const StringId name : named) {
        VirtualTable table{.name = name, .slots = gathering.virtual_tables[name]};
        for (StringId& slot : table.slots) {
            const bool is_idle =
                !kept.contains(slot) && (functions.contains(slot) || idle.contains(slot));
            if (is_idle) slot = 0;
        }
        gathering.unit.tables.push_back(std::move(table));
    }
}

std::string virtual_member_in(tree object, SourceWalk& source) {
    const tree type = function_type_of(TREE_TYPE(object));
    if (type == NULL_TREE || TREE_CODE(type) != METHOD_TYPE) return {};
    const VariableUse* use = VAR_P(object) ? source.use_of(object) : nullptr;
    if (use == nullptr) return {};
    // Where the function is to be, there is one more than how far it is in the table.
    std::string found;
    for (const Located& at : use->definitions) {
        if (!gimple_assign_single_p(at.statement)) continue;
        const tree target = gimple_assign_lhs(at.statement);
        const tree value = gimple_assign_rhs1(at.statement);
        if (TREE_CODE(target) != COMPONENT_REF || !POINTER_TYPE_P(TREE_TYPE(target))) continue;
        if (!found.empty() || TREE_CODE(value) != INTEGER_CST || !tree_fits_uhwi_p(value))
            return {};
        const unsigned HOST_WIDE_INT offset = tree_to_uhwi(value);
        if (offset % 2 == 0) return {};
        const unsigned HOST_WIDE_INT size = tree_to_uhwi(TYPE_SIZE_UNIT(ptr_type_node));
        found = slot_key(TYPE_METHOD_BASETYPE(type), static_cast<unsigned>(offset / size));
    }
    return found;
}

}  // namespace mqinspect::thread_level::plugin
