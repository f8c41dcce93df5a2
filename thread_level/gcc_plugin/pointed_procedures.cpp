#include "thread_level/gcc_plugin/pointed_procedures.h"

#include "thread_level/gcc_plugin/mpi_procedures.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// Null: it is none, or the unit has it itself.
const MpiProcedure* procedure_of(tree function) {
    const tree name = DECL_NAME(function);
    if (is_fortran() || name == NULL_TREE || !DECL_EXTERNAL(function)) return nullptr;
    return find_mpi_procedure(IDENTIFIER_POINTER(name), false);
}

Value parameter(int position) {
    Value value;
    if (position < 0) return value;
    value.kind = Value::Kind::Parameter;
    value.number = position;
    return value;
}

/// Where the address is taken first, or what has it from the start.
location_t place_of_reference(cgraph_node& node) {
    location_t first = UNKNOWN_LOCATION;
    ipa_ref* reference = nullptr;
    for (unsigned i = 0; node.iterate_referring(i, reference); ++i) {
        if (reference->use != IPA_REF_ADDR) continue;
        const location_t place = reference->stmt != nullptr
                                     ? gimple_location(reference->stmt)
                                     : DECL_SOURCE_LOCATION(reference->referring->decl);
        if (place != UNKNOWN_LOCATION && (first == UNKNOWN_LOCATION || place < first))
            first = place;
    }
    return first;
}

/// With one step in it, at `place`.
Function& add_function(Gathering& gathering, tree declaration, StepKind kind, Place place) {
    gathering.declarations.push_back(declaration);
    Function& function = gathering.unit.functions.emplace_back();
    function.symbol = symbol_behind_pointer(gathering, declaration);
    function.name = gathering.intern(lang_hooks.decl_printable_name(declaration, 1));
    function.place = place;
    function.is_mergeable = true;
    function.address_taken = true;
    function.type = gathering.intern(type_key(TREE_TYPE(declaration)));
    function.regions.resize(1);
    function.regions[0].place = place;
    function.steps.resize(2);
    function.steps[0].kind = kind;
    function.steps[0].place = place;
    function.steps[0].next = {1};
    function.steps[1].kind = StepKind::Exit;
    return function;
}

void add_procedure(Gathering& gathering, cgraph_node& node, const MpiProcedure& procedure) {
    Function& function = add_function(
        gathering, node.decl, StepKind::Mpi, gathering.place(place_of_reference(node)));
    function.name = gathering.intern(procedure.name);
    Step& call = function.steps[0];
    call.name = function.name;
    call.is_library = call.name != gathering.symbol(node.decl);
    call.mpi.communicator = parameter(procedure.communicator);
    call.mpi.peer = parameter(procedure.peer);
    call.mpi.tag = parameter(procedure.tag);
    call.mpi.object = parameter(procedure.object);
    call.mpi.level = parameter(procedure.required);
    call.mpi.tests_provided = true;  // as far as can be told
}

/// Threads may be joined by a pointer to their member function, as std::mem_fn() keeps one. One of
/// the same type that does not wait must not be meant.
void add_join(Gathering& gathering) {
    cgraph_node* join = nullptr;
    cgraph_node* node = nullptr;
    FOR_EACH_FUNCTION(node) {
        if (node->definition || !node->address_taken) continue;
        const std::string& symbol = gathering.unit.strings[gathering.symbol(node->decl)];
        if (symbol == "_ZNSt6thread6detachEv") return;
        if (symbol == "_ZNSt6thread4joinEv") join = node;
    }
    if (join == nullptr) return;
    Function& function = add_function(gathering, join->decl, StepKind::JoinThread, {});
    function.steps[0].value = parameter(0);
}

}  // namespace

StringId symbol_behind_pointer(Gathering& gathering, tree function) {
    const StringId symbol = gathering.symbol(function);
    return procedure_of(function) == nullptr
               ? symbol
               : gathering.intern('&' + gathering.unit.strings[symbol]);
}

void add_pointed_procedures(Gathering& gathering) {
    add_join(gathering);
    cgraph_node* node = nullptr;
    FOR_EACH_FUNCTION(node) {
        if (node->definition || !node->address_taken) continue;
        const MpiProcedure* procedure = procedure_of(node->decl);
        if (procedure != nullptr) add_procedure(gathering, *node, *procedure);
    }
}

}  // namespace mqinspect::thread_level::plugin
