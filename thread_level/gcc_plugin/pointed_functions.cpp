#include "thread_level/gcc_plugin/pointed_functions.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>

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

/// Empty: it has no name, or the run-time library sets it.
std::string name_of_pointer(tree field) {
    const tree record = DECL_CONTEXT(field);
    return name_of_type(record).starts_with(kTypeOfBindings) ? std::string()
                                                             : name_of_field(record, field);
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

void add(PointedFunctions& pointed, tree value, tree pointer) {
    STRIP_NOPS(value);
    if (TREE_CODE(value) == INTEGER_CST) return;
    const tree object = TREE_CODE(value) == ADDR_EXPR ? TREE_OPERAND(value, 0) : NULL_TREE;
    if (object != NULL_TREE && TREE_CODE(object) == FUNCTION_DECL) {
        pointed.functions.insert(object);
    } else if (pointer_in(value) != pointer) {
        pointed.is_other = true;
    }
}

/// What is written to the pointer: what a local variable may be, if it is one.
void note_written(Gathering& gathering, SourceWalk& source, tree pointer, tree value) {
    PointedFunctions* pointed = pointed_by(gathering, pointer);
    if (pointed == nullptr) return;
    STRIP_NOPS(value);
    const VariableUse* use = is_local_name(value) ? source.use_of(value) : nullptr;
    if (use == nullptr) {
        add(*pointed, value, pointer);
        return;
    }
    pointed->is_other = pointed->is_other || use->escapes || !use->handed_over.empty();
    for (const Located& at : use->definitions) {
        if (is_copying(at.statement)) {
            add(*pointed, gimple_assign_rhs1(at.statement), pointer);
        } else {
            pointed->is_other = true;
        }
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
    for (auto& [holder, pointed] : gathering.pointed_functions) {
        if (pointed.variable != NULL_TREE && is_known_elsewhere(pointed.variable))
            pointed.is_other = true;
    }
    Unit& unit = gathering.unit;
    std::unordered_set<StringId> called;
    for (Function& function : unit.functions) {
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
    const FunctionsBySymbol kept = by_symbol(unit);
    for (const auto& [holder, pointed] : gathering.pointed_functions) {
        if (!pointed.is_shared && !called.contains(holder)) continue;
        const auto point = [&, holder = holder, is_shared = pointed.is_shared](StringId symbol) {
            unit.pointed.push_back({.pointer = holder, .function = symbol, .is_shared = is_shared});
        };
        if (pointed.is_other) {
            point(0);
            continue;
        }
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
