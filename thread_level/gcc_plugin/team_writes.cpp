#include "thread_level/gcc_plugin/team_writes.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

#include "thread_level/facts/library_functions.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// With static storage.
bool is_number(tree variable) {
    return variable != NULL_TREE && VAR_P(variable) && is_global_var(variable) &&
           INTEGRAL_TYPE_P(TREE_TYPE(variable));
}

void note_write(Gathering& gathering, const SourceWalk& source, tree variable, ContextId context) {
    TeamWrites& writes = gathering.team_writes;
    if (source.thread_context(context) != 0) {
        writes.in_teams.insert(DECL_UID(variable));
    } else {
        writes.writers[current_function_decl].push_back(DECL_UID(variable));
    }
}

/// Of a number in an object, whichever that is.
void note_member_write(Gathering& gathering,
                       const SourceWalk& source,
                       tree written,
                       ContextId context) {
    if (TREE_CODE(written) == COMPONENT_REF && INTEGRAL_TYPE_P(TREE_TYPE(written)))
        note_write(gathering, source, TREE_OPERAND(written, 1), context);
}

/// Who gets a function may have a thread execute it.
void note_callee(Gathering& gathering, const SourceWalk& source, const Located& at) {
    TeamWrites& writes = gathering.team_writes;
    const tree callee = gimple_call_fndecl(at.statement);
    if (callee != NULL_TREE && is_defined(callee)) {
        if (source.thread_context(at.context) != 0) {
            writes.called_in_teams.push_back(callee);
        } else {
            writes.calls[current_function_decl].push_back(callee);
        }
    }
    for (unsigned i = 0; i < gimple_call_num_args(at.statement); ++i) {
        const tree argument = gimple_call_arg(at.statement, i);
        if (TREE_CODE(argument) == ADDR_EXPR &&
            TREE_CODE(TREE_OPERAND(argument, 0)) == FUNCTION_DECL)
            writes.called_in_teams.push_back(TREE_OPERAND(argument, 0));
    }
}

}  // namespace

void note_team_writes(Gathering& gathering, SourceWalk& source, Callees& callees) {
    for (const Located& at : source.number_writes)
        note_write(gathering, source, gimple_get_lhs(at.statement), at.context);
    for (const Located& at : source.member_writes)
        note_member_write(gathering, source, gimple_get_lhs(at.statement), at.context);
    for (const SourceWalk::Atomic& atomic : source.atomics) {
        const tree target = source.target_of(atomic);
        if (is_number(target)) note_write(gathering, source, target, atomic.load.context);
    }
    for (const Located& at : source.any_calls) {
        note_callee(gathering, source, at);
        // Fortran hands everything over by its address, and as a rule to be read.
        const tree callee = gimple_call_fndecl(at.statement);
        if (is_fortran() || (callee != NULL_TREE && callees.of(callee).kind != CalleeKind::Other))
            continue;
        for (unsigned i = 0; i < gimple_call_num_args(at.statement); ++i) {
            const tree argument = gimple_call_arg(at.statement, i);
            const bool is_address = TREE_CODE(argument) == ADDR_EXPR;
            if (is_address && is_number(TREE_OPERAND(argument, 0)))
                note_write(gathering, source, TREE_OPERAND(argument, 0), at.context);
            if (is_address)
                note_member_write(gathering, source, TREE_OPERAND(argument, 0), at.context);
        }
    }
}

void settle_team_writes(Gathering& gathering) {
    TeamWrites& writes = gathering.team_writes;
    std::unordered_set<tree>& seen = writes.reached;
    std::vector<tree> open = writes.called_in_teams;
    while (!open.empty()) {
        const tree function = open.back();
        open.pop_back();
        if (!seen.insert(function).second) continue;
        if (const auto written = writes.writers.find(function); written != writes.writers.end())
            writes.in_teams.insert(written->second.begin(), written->second.end());
        if (const auto called = writes.calls.find(function); called != writes.calls.end())
            open.insert(open.end(), called->second.begin(), called->second.end());
    }
}

void add_writers(Gathering& gathering) {
    std::vector<NumberWriter>& writers = gathering.unit.writers;
    const auto add = [&](std::uint32_t function, unsigned uid) {
        const auto use = gathering.globals.find(uid);
        if (use == gathering.globals.end() || !TREE_PUBLIC(use->second.declaration)) return;
        const StringId variable = gathering.symbol(use->second.declaration);
        writers.push_back(
            {.function = function, .variable = idle_hash(gathering.unit.strings[variable])});
    };
    for (const unsigned uid : gathering.team_writes.in_teams)
        add(0, uid);
    for (const auto& [function, written] : gathering.team_writes.writers) {
        const std::string& symbol = gathering.unit.strings[gathering.symbol(function)];
        if (!TREE_PUBLIC(function) || is_main_program(symbol)) continue;
        for (const unsigned uid : written)
            add(idle_hash(symbol), uid);
    }
    std::sort(writers.begin(), writers.end());
    writers.erase(std::unique(writers.begin(), writers.end()), writers.end());
}

}  // namespace mqinspect::thread_level::plugin
