#include "thread_level/gcc_plugin/member_functions.h"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "thread_level/gcc_plugin/function_casts.h"
#include "thread_level/gcc_plugin/pointed_procedures.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// What is put into a member, or several objects' members, of a variable.
struct Kept {
    tree function = NULL_TREE;
    bool is_other = false;

    void add(tree value) {
        value = strip(value);
        if (integer_zerop(value)) return;
        const bool is_address = TREE_CODE(value) == ADDR_EXPR;
        const tree added = is_address ? TREE_OPERAND(value, 0) : NULL_TREE;
        const bool is_known = added != NULL_TREE && TREE_CODE(added) == FUNCTION_DECL;
        is_other = is_other || !is_known || (function != NULL_TREE && function != added);
        if (is_known) function = added;
    }
};

void add_initial(Kept& kept, tree value, tree field) {
    if (value == NULL_TREE) return;
    if (TREE_CODE(value) != CONSTRUCTOR) {
        kept.is_other = true;
        return;
    }
    unsigned at = 0;
    tree index = NULL_TREE;
    tree part = NULL_TREE;
    FOR_EACH_CONSTRUCTOR_ELT(CONSTRUCTOR_ELTS(value), at, index, part) {
        if (TREE_CODE(TREE_TYPE(value)) == ARRAY_TYPE) {
            add_initial(kept, part, field);
        } else if (index == field) {
            kept.add(part);
        }
    }
}

/// Of an assignment to a variable, or to a part of it.
void add_assigned(Kept& kept, const gimple* assignment, tree field) {
    const tree left = gimple_get_lhs(assignment);
    const bool is_part = TREE_CODE(left) == COMPONENT_REF;
    if (is_part && TREE_OPERAND(left, 1) != field && !AGGREGATE_TYPE_P(TREE_TYPE(left))) return;
    if (!is_gimple_assign(assignment) || !gimple_assign_single_p(assignment)) {
        kept.is_other = true;
    } else if (is_part && TREE_OPERAND(left, 1) == field) {
        kept.add(gimple_assign_rhs1(assignment));
    } else {
        const tree whole = gimple_assign_rhs1(assignment);
        const bool is_copy = VAR_P(whole) && TREE_READONLY(whole) && DECL_ARTIFICIAL(whole);
        add_initial(kept, is_copy ? DECL_INITIAL(whole) : whole, field);
    }
}

/// Functions of other units may write to what they get the address of.
bool is_left_alone(const VariableUse& use, Callees& callees) {
    if (use.escapes) return false;
    return std::ranges::all_of(use.handed_over, [&](const Located& at) {
        const tree callee = gimple_call_fndecl(at.statement);
        return callee != NULL_TREE &&
               (is_defined(callee) || callees.of(callee).kind != CalleeKind::Other);
    });
}

Kept kept_in_local(tree variable, tree field, SourceWalk& source, Callees& callees) {
    Kept kept;
    const VariableUse* use = source.use_of(variable);
    if (use == nullptr || !is_left_alone(*use, callees)) return kept;
    for (const Located& at : use->definitions)
        add_assigned(kept, at.statement, field);
    return kept;
}

/// settle_function_members() knows whether other functions write to it.
Kept kept_in_static(tree variable, tree field, const SourceWalk& source) {
    Kept kept;
    if (TREE_PUBLIC(variable) || DECL_EXTERNAL(variable)) return kept;
    add_initial(kept, DECL_INITIAL(variable), field);
    for (const Located& at : source.pointer_writes) {
        const tree left = gimple_get_lhs(at.statement);
        if (base_variable(left) == variable) add_assigned(kept, at.statement, field);
    }
    return kept;
}

}  // namespace

void note_function_members(Gathering& gathering, const SourceWalk& source) {
    FunctionMembers& members = gathering.function_members;
    for (const Located& at : source.pointer_writes) {
        const tree left = gimple_get_lhs(at.statement);
        if (pointed_function_type(TREE_TYPE(left)) == NULL_TREE) continue;
        const tree variable = base_variable(left);
        const unsigned field = DECL_UID(TREE_OPERAND(left, 1));
        if (variable == NULL_TREE) {
            members.written.insert(field);
        } else if (is_global_var(variable)) {
            members.writes.push_back({DECL_UID(variable), field, current_function_decl});
        }
    }
    for (const gimple* write : source.global_writes) {
        const tree left = gimple_get_lhs(write);
        if (RECORD_OR_UNION_TYPE_P(TREE_TYPE(left)))
            members.changed.insert(DECL_UID(base_variable(left)));
    }
}

std::vector<Value> functions_in_members(
    Gathering& gathering, Values& values, SourceWalk& source, Callees& callees, tree argument) {
    std::vector<Value> found;
    const tree address = values.copied_address(argument);
    const tree object = TREE_CODE(address) == ADDR_EXPR ? TREE_OPERAND(address, 0) : NULL_TREE;
    if (object == NULL_TREE || TREE_CODE(TREE_TYPE(object)) != RECORD_TYPE) return found;
    const tree variable = TREE_CODE(object) == ARRAY_REF ? TREE_OPERAND(object, 0) : object;
    if (!VAR_P(variable)) return found;
    const bool is_static = is_global_var(variable);
    for (tree field = TYPE_FIELDS(TREE_TYPE(object)); field != NULL_TREE;
         field = DECL_CHAIN(field)) {
        if (TREE_CODE(field) != FIELD_DECL || pointed_function_type(TREE_TYPE(field)) == NULL_TREE)
            continue;
        const std::string name = name_of_field(TREE_TYPE(object), field);
        const Kept kept = is_static ? kept_in_static(variable, field, source)
                                    : kept_in_local(variable, field, source, callees);
        if (name.empty() || kept.is_other || kept.function == NULL_TREE) continue;
        Value value;
        value.kind = Value::Kind::Function;
        value.name = symbol_behind_pointer(gathering, kept.function);
        value.number = member_number(name);
        value.is_shared = true;
        found.push_back(value);
        gathering.function_members.handed.push_back({value.number,
                                                     DECL_UID(field),
                                                     is_static ? DECL_UID(variable) : 0,
                                                     current_function_decl});
    }
    return found;
}

Value called_member(Gathering& gathering, Values& values, tree pointer, ContextId context) {
    const Located* read = is_local_name(pointer) ? values.only_definition(pointer) : nullptr;
    if (read == nullptr || !gimple_assign_single_p(read->statement)) return {};
    const tree member = gimple_assign_rhs1(read->statement);
    if (TREE_CODE(member) != COMPONENT_REF || pointed_function_type(TREE_TYPE(member)) == NULL_TREE)
        return {};
    tree object = TREE_OPERAND(member, 0);
    // A copy of what the parameter points to.
    if (VAR_P(object) && !is_global_var(object)) {
        const Located* copy = values.only_definition(object);
        if (copy == nullptr || !gimple_assign_single_p(copy->statement)) return {};
        object = gimple_assign_rhs1(copy->statement);
    }
    if (TREE_CODE(object) != MEM_REF || !integer_zerop(TREE_OPERAND(object, 1))) return {};
    Value value = values.of(TREE_OPERAND(object, 0), context);
    const std::string name = name_of_field(TREE_TYPE(object), TREE_OPERAND(member, 1));
    if (!is_whole_parameter(value) || value.number != 0 || name.empty()) return {};
    value.name = gathering.intern(name);
    return value;
}

void settle_function_members(Gathering& gathering) {
    const FunctionMembers& members = gathering.function_members;
    std::unordered_set<std::int64_t> handed;
    for (const FunctionMembers::Handed& each : members.handed)
        handed.insert(each.member);
    for (const FunctionMembers::Handed& each : members.handed) {
        const bool is_written_elsewhere =
            std::ranges::any_of(members.writes, [&](const FunctionMembers::Write& write) {
                return write.variable == each.variable && write.field == each.field &&
                       write.function != each.function;
            });
        if (is_written_elsewhere || members.written.contains(each.field) ||
            members.changed.contains(each.variable))
            handed.erase(each.member);
    }
    const auto number_of = [&gathering](const Value& callee) {
        const bool is_member = callee.kind == Value::Kind::Parameter && callee.name != 0;
        return is_member ? member_number(gathering.unit.strings[callee.name]) : 0;
    };
    std::unordered_set<std::int64_t> called;
    for (Function& function : gathering.unit.functions) {
        for (Step& step : function.steps) {
            const std::int64_t number = number_of(step.callee);
            if (number == 0) continue;
            if (handed.contains(number)) {
                called.insert(number);
            } else {
                step.callee = {};
            }
        }
    }
    for (Function& function : gathering.unit.functions) {
        for (Step& step : function.steps) {
            std::erase_if(step.arguments, [&](const Value& value) {
                return is_member_function(value) && !called.contains(value.number);
            });
        }
    }
}

}  // namespace mqinspect::thread_level::plugin
