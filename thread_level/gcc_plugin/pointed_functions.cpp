#include "thread_level/gcc_plugin/pointed_functions.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "thread_level/facts/values.h"
#include "thread_level/gcc_plugin/function_casts.h"
#include "thread_level/gcc_plugin/pointed_procedures.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr std::string_view kTypeOfBindings = "__vtype_";  // gfortran's

tree without_arrays(tree type) {
    while (TREE_CODE(type) == ARRAY_TYPE)
        type = TREE_TYPE(type);
    return type;
}

/// A static variable that is such a pointer, or an array of them.
bool is_pointer_variable(tree variable) {
    return VAR_P(variable) && is_global_var(variable) &&
           pointed_function_type(without_arrays(TREE_TYPE(variable))) != NULL_TREE;
}

/// Of C's structures without a name: by the place of the member.
std::string name_of_unnamed(tree record, tree field) {
    const char* const file = DECL_SOURCE_FILE(field);
    const bool is_unnamed = !is_fortran() && !is_cxx() && TREE_CODE(record) == RECORD_TYPE &&
                            name_of_type(record).empty() && DECL_NAME(field) != NULL_TREE;
    if (!is_unnamed || file == nullptr) return {};
    return std::string(file) + ':' + std::to_string(DECL_SOURCE_LINE(field)) + ':' +
           std::to_string(DECL_SOURCE_COLUMN(field)) + "::" + IDENTIFIER_POINTER(DECL_NAME(field));
}

/// Empty: it has no name, or the run-time library sets it.
std::string name_of_pointer(tree field) {
    const tree record = DECL_CONTEXT(field);
    if (name_of_type(record).starts_with(kTypeOfBindings)) return {};
    const std::string name = name_of_field(record, field);
    return name.empty() ? name_of_unnamed(record, field) : name;
}

/// What it is a pointer in, a member or a static variable; null: neither.
tree pointer_in(tree reference) {
    if (TREE_CODE(reference) == COMPONENT_REF) {
        const tree field = TREE_OPERAND(reference, 1);
        return pointed_function_type(TREE_TYPE(field)) != NULL_TREE ? field : NULL_TREE;
    }
    while (TREE_CODE(reference) == ARRAY_REF)
        reference = TREE_OPERAND(reference, 0);
    return is_pointer_variable(reference) ? reference : NULL_TREE;
}

/// 0: it has no name.
StringId holder_of(Gathering& gathering, tree pointer) {
    if (TREE_CODE(pointer) != FIELD_DECL) return gathering.symbol(pointer);
    const std::string name = name_of_pointer(pointer);
    return name.empty() ? 0 : gathering.intern(name);
}

/// Whether somebody has the address of the variable, who may write to it. Arrays are marked by each
/// use of an element; who refers to them is known when all functions are.
bool is_known_elsewhere(tree variable) {
    if (TREE_READONLY(variable)) return false;
    if (TREE_CODE(TREE_TYPE(variable)) != ARRAY_TYPE) return TREE_ADDRESSABLE(variable) != 0;
    varpool_node* node = varpool_node::get(variable);
    ipa_ref* reference = nullptr;
    for (unsigned i = 0; node != nullptr && node->iterate_referring(i, reference); ++i) {
        if (reference->use == IPA_REF_ADDR) return true;
    }
    return false;
}

PointedFunctions* pointed_by(Gathering& gathering, tree pointer) {
    const StringId holder = holder_of(gathering, pointer);
    if (holder == 0) return nullptr;
    PointedFunctions& pointed = gathering.pointed_functions[holder];
    const bool is_member = TREE_CODE(pointer) == FIELD_DECL;
    if (is_member ? !is_of_this_source(pointer) : TREE_PUBLIC(pointer) != 0)
        pointed.is_shared = true;
    if (!is_member) pointed.variable = pointer;
    return &pointed;
}

/// Whether a call of `function` by its name is a call of it, whatever the program is made of.
bool is_called_by_name(tree function) {
    return !is_fortran() && DECL_NAME(function) != NULL_TREE && !DECL_VIRTUAL_P(function) &&
           !fndecl_built_in_p(function) && !in_system_header_at(DECL_SOURCE_LOCATION(function));
}

StringId name_of_argument(Gathering& gathering, tree function, unsigned position) {
    return gathering.intern(
        name_of_parameter(gathering.unit.strings[gathering.symbol(function)], position));
}

PointedFunctions& handed_pointer(Gathering& gathering, tree function, unsigned position) {
    PointedFunctions& handed =
        gathering.pointed_functions[name_of_argument(gathering, function, position)];
    handed.handed_to = function;
    handed.is_shared = TREE_PUBLIC(function) != 0;
    return handed;
}

/// The argument of the function at hand that `value` is, as it was handed in; 0: none.
StringId argument_in(Gathering& gathering, SourceWalk& source, tree value) {
    const bool is_argument =
        TREE_CODE(value) == PARM_DECL && DECL_CONTEXT(value) == current_function_decl &&
        pointed_function_type(TREE_TYPE(value)) != NULL_TREE && source.use_of(value) == nullptr &&
        is_called_by_name(current_function_decl);
    unsigned position = 0;
    for (tree each = DECL_ARGUMENTS(current_function_decl); is_argument && each != NULL_TREE;
         each = DECL_CHAIN(each), ++position) {
        if (each != value) continue;
        handed_pointer(gathering, current_function_decl, position);
        return name_of_argument(gathering, current_function_decl, position);
    }
    return 0;
}

void add(PointedFunctions& pointed, tree value, tree pointer) {
    STRIP_NOPS(value);
    if (TREE_CODE(value) == INTEGER_CST) return;
    const tree object = TREE_CODE(value) == ADDR_EXPR ? TREE_OPERAND(value, 0) : NULL_TREE;
    if (object != NULL_TREE && TREE_CODE(object) == FUNCTION_DECL) {
        pointed.functions.insert(object);
    } else if (pointer == NULL_TREE || pointer_in(value) != pointer) {
        pointed.is_other = true;
    }
}

/// The same of what the function at hand may have been handed.
void add_here(Gathering& gathering, SourceWalk& source, StringId name, tree value, tree pointer) {
    const StringId argument = argument_in(gathering, source, value);
    PointedFunctions& pointed = gathering.pointed_functions[name];
    if (argument != 0) {
        pointed.sources.insert(argument);
    } else {
        add(pointed, value, pointer);
    }
}

/// What gets to the pointer `name`: what a local variable may be, if it is one.
void note_pointer_value(
    Gathering& gathering, SourceWalk& source, StringId name, tree value, tree pointer) {
    STRIP_NOPS(value);
    const VariableUse* use = is_local_name(value) ? source.use_of(value) : nullptr;
    if (use == nullptr) {
        add_here(gathering, source, name, value, pointer);
        return;
    }
    PointedFunctions& pointed = gathering.pointed_functions[name];
    // An argument that is written to may still be what it was.
    if (use->escapes || !use->handed_over.empty() || TREE_CODE(value) == PARM_DECL)
        pointed.is_other = true;
    const std::vector<Located> definitions = use->definitions;
    for (const Located& at : definitions) {
        if (is_copying(at.statement)) {
            tree copied = gimple_assign_rhs1(at.statement);
            STRIP_NOPS(copied);
            add_here(gathering, source, name, copied, pointer);
        } else {
            gathering.pointed_functions[name].is_other = true;
        }
    }
}

void note_written(Gathering& gathering, SourceWalk& source, tree pointer, tree value) {
    if (pointed_by(gathering, pointer) != nullptr)
        note_pointer_value(gathering, source, holder_of(gathering, pointer), value, pointer);
}

/// Pointers to functions that a call hands to a function.
void note_handed(Gathering& gathering, SourceWalk& source, const gimple* call) {
    const tree callee = gimple_call_fndecl(call);
    if (callee == NULL_TREE || !is_called_by_name(callee)) return;
    for (unsigned i = 0; i < gimple_call_num_args(call); ++i) {
        const tree value = gimple_call_arg(call, i);
        if (pointed_function_type(TREE_TYPE(value)) == NULL_TREE) continue;
        handed_pointer(gathering, callee, i);
        note_pointer_value(
            gathering, source, name_of_argument(gathering, callee, i), value, NULL_TREE);
    }
}

void note_write(Gathering& gathering, SourceWalk& source, const gimple* write) {
    const tree pointer = pointer_in(gimple_get_lhs(write));
    if (pointer == NULL_TREE) return;
    if (is_copying(write)) {
        note_written(gathering, source, pointer, gimple_assign_rhs1(write));
    } else if (PointedFunctions* pointed = pointed_by(gathering, pointer)) {
        pointed->is_other = true;
    }
}

void add_initial(Gathering& gathering, tree pointer, tree type, tree value) {
    if (pointed_function_type(type) == NULL_TREE) return;
    if (PointedFunctions* pointed = pointed_by(gathering, pointer)) add(*pointed, value, pointer);
}

bool is_by_pointer(const Step& step) {
    const bool is_holder =
        step.callee.kind == Value::Kind::Global || step.callee.kind == Value::Kind::Element;
    return step.kind == StepKind::Indirect && is_holder;
}

/// Whether whoever calls the function need not name it.
bool may_be_called_unnamed(tree function) {
    cgraph_node* node = cgraph_node::get(function);
    return node != nullptr && (node->address_taken != 0 || node->alias || node->has_aliases_p());
}

/// Once all is noted. What only this unit can hand over is left to what it is handed on to.
void settle_pointed(Gathering& gathering) {
    auto& all = gathering.pointed_functions;
    for (auto& [name, pointed] : all) {
        const bool is_elsewhere =
            pointed.variable != NULL_TREE
                ? is_known_elsewhere(pointed.variable)
                : pointed.handed_to != NULL_TREE && may_be_called_unnamed(pointed.handed_to);
        pointed.is_other = pointed.is_other || is_elsewhere;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (auto& [name, pointed] : all) {
            const std::unordered_set<StringId> sources = pointed.sources;
            for (const StringId each : sources) {
                const PointedFunctions& source = all.at(each);
                changed = changed || (source.is_other && !pointed.is_other);
                pointed.is_other = pointed.is_other || source.is_other;
                if (source.is_shared) continue;
                const std::size_t before = pointed.functions.size() + pointed.sources.size();
                pointed.functions.insert(source.functions.begin(), source.functions.end());
                pointed.sources.insert(source.sources.begin(), source.sources.end());
                changed = changed || before != pointed.functions.size() + pointed.sources.size();
            }
        }
    }
    for (auto& [name, pointed] : all)
        std::erase_if(pointed.sources, [&](StringId each) { return !all.at(each).is_shared; });
}

/// Calls by those that can't be told lose their Step::callee.
std::unordered_set<StringId> called_pointers(Gathering& gathering) {
    std::unordered_set<StringId> called;
    for (Function& function : gathering.unit.functions) {
        for (Step& step : function.steps) {
            if (!is_by_pointer(step)) continue;
            const auto pointed = gathering.pointed_functions.find(step.callee.name);
            const bool is_told =
                pointed != gathering.pointed_functions.end() && !pointed->second.is_other;
            if (is_told) {
                called.insert(step.callee.name);
            } else {
                step.callee = {};
            }
        }
    }
    return called;
}

}  // namespace

void note_pointed_functions(Gathering& gathering, SourceWalk& source) {
    for (const Located& at : source.pointer_writes)
        note_write(gathering, source, at.statement);
    // Members of static variables are among those.
    for (const gimple* write : source.global_writes) {
        if (TREE_CODE(gimple_get_lhs(write)) != COMPONENT_REF) note_write(gathering, source, write);
    }
    for (const tree member : source.pointers_at) {
        const tree pointer = pointer_in(member);
        PointedFunctions* pointed = pointer == NULL_TREE ? nullptr : pointed_by(gathering, pointer);
        if (pointed != nullptr) pointed->is_other = true;
    }
    const std::vector<Located> calls = source.any_calls;
    for (const Located& at : calls)
        note_handed(gathering, source, at.statement);
}

Value pointer_called_by(Gathering& gathering, Values& values, tree pointer) {
    const Located* read = is_local_name(pointer) ? values.only_definition(pointer) : nullptr;
    if (read != nullptr && is_copying(read->statement))
        pointer = gimple_assign_rhs1(read->statement);
    const tree holder = pointer_in(pointer);
    Value value;
    if (holder == NULL_TREE) return value;
    value.name = holder_of(gathering, holder);
    if (value.name == 0) return {};
    const bool is_member = TREE_CODE(holder) == FIELD_DECL;
    value.kind = is_member ? Value::Kind::Element : Value::Kind::Global;
    pointed_by(gathering, holder);
    return value;
}

void add_pointed_functions(Gathering& gathering,
                           const FunctionsBySymbol& functions,
                           const Symbols& idle) {
    for_each_initial(
        [&](tree pointer, tree type, tree value) { add_initial(gathering, pointer, type, value); });
    settle_pointed(gathering);
    Unit& unit = gathering.unit;
    std::unordered_set<StringId> needed = called_pointers(gathering);
    for (const auto& [name, pointed] : gathering.pointed_functions) {
        const bool may_be_elsewhere =
            pointed.handed_to == NULL_TREE || DECL_EXTERNAL(pointed.handed_to);
        if (pointed.is_shared && may_be_elsewhere) needed.insert(name);
    }
    for (std::vector<StringId> open(needed.begin(), needed.end()); !open.empty();) {
        const auto found = gathering.pointed_functions.find(open.back());
        open.pop_back();
        if (found == gathering.pointed_functions.end()) continue;
        for (const StringId each : found->second.sources)
            if (needed.insert(each).second) open.push_back(each);
    }
    const FunctionsBySymbol kept = by_symbol(unit);
    for (const StringId holder : needed) {
        const PointedFunctions& pointed = gathering.pointed_functions.at(holder);
        const auto point = [&, is_shared = pointed.is_shared](StringId name) {
            unit.pointed.push_back({.pointer = holder, .function = name, .is_shared = is_shared});
        };
        if (pointed.is_other) {
            point(0);
            continue;
        }
        // An argument that others may hand something; a variable of this unit that is always null.
        // Members may be written with all of the object, as one of another type.
        const bool is_null =
            pointed.variable != NULL_TREE && pointed.functions.empty() && pointed.sources.empty();
        if (pointed.is_shared ? pointed.handed_to != NULL_TREE : is_null) point(holder);
        for (const StringId each : pointed.sources)
            point(each);
        for (const tree function : pointed.functions) {
            const StringId symbol = symbol_behind_pointer(gathering, function);
            const bool is_idle =
                !kept.contains(symbol) && (functions.contains(symbol) || idle.contains(symbol));
            point(is_idle ? holder : symbol);
        }
    }
    std::sort(unit.pointed.begin(), unit.pointed.end());
    unit.pointed.erase(std::unique(unit.pointed.begin(), unit.pointed.end()), unit.pointed.end());
}

}  // namespace mqinspect::thread_level::plugin
