#include "thread_level/gcc_plugin/captured_handles.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "thread_level/analysis/loops.h"
#include "thread_level/analysis/procedures.h"
#include "thread_level/gcc_plugin/continued_lines.h"
#include "thread_level/gcc_plugin/lock_types.h"
#include "thread_level/gcc_plugin/member_handles.h"
#include "thread_level/gcc_plugin/same_copies.h"

namespace mqinspect::thread_level::plugin {
namespace {

using Members = std::unordered_map<StringId, StringId>;

bool points_to_handle(tree type) {
    return POINTER_TYPE_P(type) && !POINTER_TYPE_P(TREE_TYPE(type)) &&
           TREE_CODE(TREE_TYPE(type)) != ARRAY_TYPE && is_handle_type(TREE_TYPE(type)) &&
           !is_lock_type(TREE_TYPE(type));
}

/// Whether it is a closure's member with a copy of a handle.
bool is_copied_handle(tree reference) {
    const tree type = TREE_TYPE(reference);
    return is_field_of_function(reference) && !POINTER_TYPE_P(type) && is_handle_type(type) &&
           !is_lock_type(type);
}

bool is_of_main(const Value& value) {
    return value.kind == Value::Kind::Local && MAIN_NAME_P(DECL_NAME(current_function_decl));
}

Value in_main(StringId local) {
    Value value;
    value.kind = Value::Kind::Global;
    value.name = local;
    return value;
}

void note(Members& members, StringId member, StringId local) {
    const auto [known, is_new] = members.try_emplace(member, local);
    if (!is_new && known->second != local) known->second = 0;
}

/// The variable that is captured, by reference or as a copy.
tree captured_variable(tree captured, Values& values) {
    if (TREE_CODE(captured) == ADDR_EXPR) return TREE_OPERAND(captured, 0);
    // GCC reads it into a temporary first.
    const bool is_read = TREE_CODE(captured) == SSA_NAME || DECL_ARTIFICIAL(captured);
    const Located* copy = is_read ? values.only_definition(captured) : nullptr;
    return copy != nullptr && is_copying(copy->statement) ? gimple_assign_rhs1(copy->statement)
                                                          : captured;
}

/// Where main() makes the communicator of a variable that is captured, if that is at one place.
void note_creation(
    Gathering& gathering, SourceWalk& source, Values& values, Callees& callees, tree captured) {
    const tree variable = captured_variable(captured, values);
    const VariableUse* use = is_local_name(variable) ? source.use_of(variable) : nullptr;
    if (use == nullptr || !DECL_P(variable)) return;
    for (const Located& at : use->handed_over) {
        const tree function = gimple_call_fndecl(at.statement);
        const MpiProcedure* mpi = function == NULL_TREE ? nullptr : callees.of(function).mpi;
        if (mpi == nullptr || mpi->made_communicator < 0 || procedure_of(mpi->name).frees) continue;
        gathering.creations.insert_or_assign(
            gathering.intern(local_name(variable)),
            gathering.place(location_of(as_a<const gcall*>(at.statement))));
    }
}

/// What the function, a lambda perhaps, writes to members with copies of requests.
void note_copies(Gathering& gathering, SourceWalk& source, Values& values, Callees& callees) {
    for (const Located& at : source.member_writes) {
        const tree member = gimple_assign_lhs(at.statement);
        if (!is_copied_handle(member)) continue;
        const Value value = is_copying(at.statement)
                                ? values.of(gimple_assign_rhs1(at.statement), at.context)
                                : Value{};
        const bool is_one = is_of_main(value) && value.created_once && at.context == 0;
        if (is_one && is_communicator(TREE_TYPE(member)))
            note_creation(gathering, source, values, callees, gimple_assign_rhs1(at.statement));
        note(gathering.copied_requests,
             gathering.intern(member_name(member)),
             is_one ? value.name : 0);
    }
}

/// The address that an operand is, or that GCC has put into a name of its own; null: it is none.
tree address_in(tree operand) {
    if (TREE_CODE(operand) == SSA_NAME) {
        gimple* definition = SSA_NAME_DEF_STMT(operand);
        if (definition == nullptr || !gimple_assign_single_p(definition)) return NULL_TREE;
        operand = gimple_assign_rhs1(definition);
    }
    return TREE_CODE(operand) == ADDR_EXPR ? operand : NULL_TREE;
}

/// Whoever gets the address of such a member may write to it, unless that is MPI, which waits.
void note_addresses(Gathering& gathering, SourceWalk& source, Callees& callees) {
    const auto give_away = [&](tree operand) {
        const tree address = address_in(operand);
        if (address == NULL_TREE) return;
        const tree member = TREE_OPERAND(address, 0);
        if (is_copied_handle(member))
            note(gathering.copied_requests, gathering.intern(member_name(member)), 0);
    };
    for (const Located& at : source.pointer_writes)
        give_away(gimple_assign_rhs1(at.statement));
    for (const Located& at : source.assignments) {
        if (TREE_CODE(gimple_assign_lhs(at.statement)) != SSA_NAME)
            give_away(gimple_assign_rhs1(at.statement));
    }
    for (const Located& at : source.any_calls) {
        const auto* call = as_a<const gcall*>(at.statement);
        for (unsigned i = 0; i < gimple_call_num_args(call); ++i) {
            if (!completes(call, i, callees)) give_away(gimple_call_arg(call, i));
        }
    }
}

/// Where the steps make the communicator of a variable; kNone: it is none.
StepId creation_in(const std::vector<Step>& steps, const Gathering& gathering, StringId local) {
    const auto creation = gathering.creations.find(local);
    if (creation == gathering.creations.end()) return kNone;
    const auto at = std::ranges::find_if(steps, [&](const Step& step) {
        return step.kind == StepKind::Mpi && step.place == creation->second;
    });
    return at == steps.end() ? kNone : static_cast<StepId>(at - steps.begin());
}

/// Whether main() starts the request of its variable, or makes its communicator, in no loop.
bool is_started_once(const Gathering& gathering, StringId local) {
    for (FunctionId id = 0; id < gathering.unit.functions.size(); ++id) {
        if (!MAIN_NAME_P(DECL_NAME(gathering.declarations[id]))) continue;
        const std::vector<Step>& steps = gathering.unit.functions[id].steps;
        StepId start = only_start_of(steps, gathering.unit.strings, Value::Kind::Local, local);
        if (start == kNone) start = creation_in(steps, gathering, local);
        if (start != kNone) return !is_in_loop(steps, start);
    }
    return false;
}

/// What a lambda has of main(), and what main() has itself.
void settle(Value& handle,
            const Members& members,
            const std::unordered_set<StringId>& locals,
            bool is_main) {
    if (is_main && handle.kind == Value::Kind::Local && handle.number == 0 &&
        locals.contains(handle.name))
        handle = in_main(handle.name);
    if (handle.kind != Value::Kind::Parameter || handle.number != 0) return;
    const auto member = members.find(handle.name);
    if (member != members.end() && member->second != 0) handle = in_main(member->second);
}

/// A communicator of main() is one that is made once.
void add_created(Gathering& gathering, StringId local) {
    Variable variable;
    variable.name = local;
    variable.is_local = true;
    variable.creations = 1;
    gathering.unit.variables.push_back(variable);
}

}  // namespace

void note_captured_handles(Gathering& gathering,
                           SourceWalk& source,
                           Values& values,
                           Callees& callees) {
    for (const Located& at : source.pointer_writes) {
        const tree member = gimple_assign_lhs(at.statement);
        if (!is_field_of_function(member) || !points_to_handle(TREE_TYPE(member))) continue;
        const Value value = is_copying(at.statement)
                                ? values.of(gimple_assign_rhs1(at.statement), at.context)
                                : Value{};
        const bool is_one = is_of_main(value) && (at.context == 0 || value.is_shared);
        note(gathering.captured_handles,
             gathering.intern(member_name(member)),
             is_one ? value.name : 0);
        if (is_one && value.created_once && is_communicator(TREE_TYPE(TREE_TYPE(member))))
            note_creation(gathering, source, values, callees, gimple_assign_rhs1(at.statement));
    }
    note_copies(gathering, source, values, callees);
    note_addresses(gathering, source, callees);
}

void settle_captured_handles(Gathering& gathering) {
    Members members = gathering.captured_handles;
    for (const auto& [member, local] : gathering.copied_requests)
        members.emplace(member, is_started_once(gathering, local) ? local : 0);
    std::unordered_set<StringId> locals;
    for (const auto& [member, local] : members) {
        if (local != 0) locals.insert(local);
    }
    if (locals.empty()) return;
    for (FunctionId id = 0; id < gathering.unit.functions.size(); ++id) {
        const bool is_main = MAIN_NAME_P(DECL_NAME(gathering.declarations[id]));
        for (Step& step : gathering.unit.functions[id].steps) {
            settle(step.mpi.object, members, locals, is_main);
            settle(step.mpi.communicator, members, locals, is_main);
        }
    }
    for (const StringId local : locals) {
        if (gathering.creations.contains(local)) add_created(gathering, local);
    }
}

}  // namespace mqinspect::thread_level::plugin
