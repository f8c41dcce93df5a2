#include "thread_level/gcc_plugin/never_returning.h"

#include <vector>

#include "thread_level/facts/values.h"

namespace mqinspect::thread_level::plugin {
namespace {

bool is_end(const Unit& unit, const FunctionsBySymbol& functions, const Step& step) {
    if (step.kind == StepKind::Mpi) return unit.strings[step.name] == "MPI_Abort";
    if (step.kind != StepKind::Call) return false;
    const auto callee = functions.find(step.name);
    return callee != functions.end() && unit.functions[callee->second].returns == Returns::Never;
}

/// Whether a way leads from the beginning to the end.
bool may_return(const Unit& unit, const FunctionsBySymbol& functions, const Function& function) {
    std::vector<StepId> open = {0};
    std::vector<bool> seen(function.steps.size(), false);
    seen[0] = true;
    while (!open.empty()) {
        const Step& step = function.steps[open.back()];
        open.pop_back();
        if (step.kind == StepKind::Exit) return true;
        if (is_end(unit, functions, step)) continue;
        for (const StepId next : step.next) {
            if (!seen[next]) open.push_back(next);
            seen[next] = true;
        }
    }
    return false;
}

}  // namespace

BlockEnd end_of(basic_block block, Callees& callees, Gathering& gathering) {
    for (gimple_stmt_iterator at = gsi_last_nondebug_bb(block); !gsi_end_p(at);
         gsi_prev_nondebug(&at)) {
        const gimple* statement = gsi_stmt(at);
        if (!is_gimple_call(statement)) continue;
        const tree function = gimple_call_fndecl(statement);
        if (function == NULL_TREE || gimple_call_lhs(statement) != NULL_TREE) return {};
        const Callee& callee = callees.of(function);
        if (callee.kind == CalleeKind::Mpi && callee.mpi->name == "MPI_Abort")
            return {.is_sure = true};
        if (callee.kind != CalleeKind::Other || !VOID_TYPE_P(TREE_TYPE(TREE_TYPE(function))))
            return {};
        const StringId symbol = gathering.symbol(function);
        return {.name = gathering.intern(name_of_end(gathering.unit.strings[symbol]))};
    }
    return {};
}

bool note_without_return(const function* fun, Gathering& gathering) {
    const bool may_return = EDGE_COUNT(EXIT_BLOCK_PTR_FOR_FN(fun)->preds) != 0;
    if (may_return || DECL_COMDAT(fun->decl) ||
        in_system_header_at(DECL_SOURCE_LOCATION(fun->decl)))
        return false;
    Function facts;
    facts.symbol = gathering.symbol(fun->decl);
    facts.name = gathering.intern(lang_hooks.decl_printable_name(fun->decl, 1));
    facts.place = gathering.place(DECL_SOURCE_LOCATION(fun->decl));
    facts.returns = Returns::Never;
    facts.regions.resize(1);
    facts.regions[0].place = facts.place;
    facts.steps.resize(1);
    facts.steps[0].place = facts.place;
    gathering.unit.functions.push_back(std::move(facts));
    gathering.declarations.push_back(fun->decl);
    return true;
}

void settle_never_returning(Gathering& gathering, const FunctionsBySymbol& functions) {
    Unit& unit = gathering.unit;
    for (bool any = true; any;) {
        any = false;
        for (Function& function : unit.functions) {
            const bool may_be = function.returns == Returns::Other && !function.is_mergeable;
            if (!may_be || may_return(unit, functions, function)) continue;
            function.returns = Returns::Never;
            any = true;
        }
    }
    for (Function& function : unit.functions) {
        for (Region& region : function.regions) {
            const std::string_view ending = ended_by(unit.strings[region.wrapper]);
            if (ending.empty()) continue;
            const auto callee = functions.find(unit.strings.find(ending));
            if (callee == functions.end()) continue;
            if (unit.functions[callee->second].returns != Returns::Never)
                region.condition = Condition::None;
            region.wrapper = 0;
        }
    }
}

}  // namespace mqinspect::thread_level::plugin
