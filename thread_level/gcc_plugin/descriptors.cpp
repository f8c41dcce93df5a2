// What gfortran's descriptors of arrays and of objects with procedures are for: Values, third part.
#include <string_view>

#include "thread_level/gcc_plugin/values.h"

namespace mqinspect::thread_level::plugin {
namespace {

std::string_view name_of_field(tree reference) {
    const tree name =
        TREE_CODE(reference) == COMPONENT_REF ? DECL_NAME(TREE_OPERAND(reference, 1)) : NULL_TREE;
    return name == NULL_TREE ? std::string_view() : IDENTIFIER_POINTER(name);
}

}  // namespace

bool is_class_container(tree type) {
    return is_fortran() && RECORD_OR_UNION_TYPE_P(type) &&
           name_of_type(type).starts_with("__class_");
}

bool is_data_of_class(tree reference) {
    return name_of_field(reference) == "_data" &&
           is_class_container(TREE_TYPE(TREE_OPERAND(reference, 0)));
}

/// Where the descriptor of an array, which gfortran makes for one call, says that the array is, and
/// the same of an object; null: `reference` does not ask for that.
tree Values::data_of_descriptor(tree reference) {
    const std::string_view field = name_of_field(reference);
    const bool is_data = is_fortran() && (field == "data" || is_data_of_class(reference));
    return is_data ? data_in(TREE_OPERAND(reference, 0), field) : NULL_TREE;
}

/// What the one assignment to that field of a variable that gfortran has made assigns.
tree Values::data_in(tree variable, std::string_view field) {
    if (!VAR_P(variable) || !DECL_ARTIFICIAL(variable)) return NULL_TREE;
    const VariableUse* use = source_.use_of(variable);
    tree data = NULL_TREE;
    for (std::size_t i = 0; use != nullptr && i < use->definitions.size(); ++i) {
        gimple* statement = use->definitions[i].statement;
        const tree left = gimple_get_lhs(statement);
        if (TREE_CODE(left) != COMPONENT_REF || name_of_field(left) != field) continue;
        if (data != NULL_TREE || !gimple_assign_single_p(statement)) return NULL_TREE;
        data = gimple_assign_rhs1(statement);
    }
    return data;
}

}  // namespace mqinspect::thread_level::plugin
