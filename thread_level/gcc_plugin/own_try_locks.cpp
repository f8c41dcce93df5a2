#include "thread_level/gcc_plugin/own_try_locks.h"

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "thread_level/gcc_plugin/skeleton.h"
#include "thread_level/gcc_plugin/step_graph.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr int kMostResultCopies = 16;  // of copies of a result

/// Whether the program's own function returns a number that may say whether it has got a lock.
bool may_try(tree callee) {
    if (callee == NULL_TREE || !INTEGRAL_TYPE_P(TREE_TYPE(TREE_TYPE(callee)))) return false;
    return is_defined(callee);
}

/// Of a call that tries to take a lock: whether it has it if its result is 0.
std::optional<bool> is_held_if_zero(const Callee& callee, const Step& step) {
    const bool takes = step.kind == StepKind::Acquire && step.turn == Turn::No;
    switch (callee.kind) {
        case CalleeKind::TryAcquire:
            return false;
        case CalleeKind::TryAcquireZero:
            return true;
        case CalleeKind::Atomic:
            if (takes) return callee.atomic != AtomicKind::CompareExchange;
            break;
        default:
            break;
    }
    return std::nullopt;
}

/// Blocks that control comes to without `avoided`.
std::vector<bool> reached_without(function* fun, edge avoided) {
    std::vector<bool> reached(static_cast<std::size_t>(last_basic_block_for_fn(fun)), false);
    std::vector<basic_block> open{ENTRY_BLOCK_PTR_FOR_FN(fun)};
    while (!open.empty()) {
        basic_block block = open.back();
        open.pop_back();
        edge e = nullptr;
        edge_iterator at;
        FOR_EACH_EDGE(e, at, block->succs) {
            const auto index = static_cast<std::size_t>(e->dest->index);
            if (e == avoided || reached[index]) continue;
            reached[index] = true;
            open.push_back(e->dest);
        }
    }
    return reached;
}

/// Steps that do nothing to a lock, or to what a lock is for.
bool is_idle(const Step& step) {
    return step.kind == StepKind::Join || step.kind == StepKind::Exit ||
           step.kind == StepKind::Way || step.kind == StepKind::Keep || step.turn != Turn::No;
}

/// Of those functions that there are none of.
void drop_lost_calls(Gathering& gathering) {
    for (Function& function : gathering.unit.functions) {
        bool changed = false;
        for (Step& step : function.steps) {
            if (step.kind != StepKind::Call || !gathering.asked_tries.contains(step.name) ||
                gathering.tries.contains(step.name))
                continue;
            Step idle;
            idle.region = step.region;
            idle.next = std::move(step.next);
            step = std::move(idle);
            changed = true;
        }
        if (changed) reduce(function.steps);
    }
}

}  // namespace

std::string name_of_try(const std::string& symbol, bool is_zero) {
    return symbol + (is_zero ? ".if_zero" : ".if_not_zero");
}

std::optional<bool> negates(gimple* statement) {
    const tree_code code = gimple_assign_rhs_code(statement);
    if (code == BIT_NOT_EXPR || code == TRUTH_NOT_EXPR) return true;
    if (gimple_num_ops(statement) < 3) return std::nullopt;
    const tree right = gimple_assign_rhs2(statement);
    if (code == BIT_XOR_EXPR && integer_onep(right)) return true;
    if ((code != EQ_EXPR && code != NE_EXPR) || !integer_zerop(right)) return std::nullopt;
    return code == EQ_EXPR;
}

/// Of a function that returns what its only try of a lock has said, as it is or negated.
void Preparation::note_try() {
    if (source_.returns.empty()) return;
    tree result = gimple_return_retval(as_a<greturn*>(source_.returns.front()));
    for (gimple* statement : source_.returns) {
        if (gimple_return_retval(as_a<greturn*>(statement)) != result) return;
    }
    if (result == NULL_TREE || !INTEGRAL_TYPE_P(TREE_TYPE(result))) return;
    note_constant_results(result);
    bool is_negated = false;
    for (int depth = 0; depth < kMostResultCopies; ++depth) {
        result = strip(result);
        const Located* made = is_local_name(result) ? values_.only_definition(result) : nullptr;
        if (made == nullptr) {
            if (depth != 0 && !is_negated) note_constant_results(result);
            return;
        }
        if (is_gimple_call(made->statement)) {
            note_tried(as_a<gcall*>(made->statement), is_negated);
            return;
        }
        if (!is_gimple_assign(made->statement)) return;
        const auto negation = negates(made->statement);
        if (!negation && !is_copying(made->statement)) return;
        is_negated = is_negated != negation.value_or(false);
        result = gimple_assign_rhs1(made->statement);
    }
}

/// Of a function that returns nothing but numbers.
void Preparation::note_constant_results(tree result) {
    const VariableUse* use = is_local_name(result) ? source_.use_of(result) : nullptr;
    if (use == nullptr || use->escapes || !use->handed_over.empty()) return;
    for (const Located& at : use->definitions) {
        if (!is_gimple_assign(at.statement) || !is_constant(at.statement)) {
            constant_results.clear();
            return;
        }
        constant_results.push_back(at.statement);
    }
}

/// `is_negated`: the function returns true where the call returns 0.
void Preparation::note_tried(const gcall* call, bool is_negated) {
    const auto found = steps.find(call);
    const tree callee = gimple_call_fndecl(call);
    if (found == steps.end() || callee == NULL_TREE) return;
    const CalleeKind kind = callees_.of(callee).kind;
    const std::string& symbol = gathering_.unit.strings[gathering_.symbol(function)];
    if (const auto zero_means_held = is_held_if_zero(callees_.of(callee), found->second)) {
        const bool is_zero = *zero_means_held != is_negated;
        gathering_.tries.emplace(gathering_.intern(name_of_try(symbol, is_zero)), found->second);
        return;
    }
    if (kind != CalleeKind::Other || found->second.kind != StepKind::Call) return;
    const std::string& tried = gathering_.unit.strings[found->second.name];
    for (const bool is_zero : {false, true}) {
        Step step = found->second;
        step.name = gathering_.intern(name_of_try(tried, is_zero != is_negated));
        gathering_.tries.emplace(gathering_.intern(name_of_try(symbol, is_zero)), std::move(step));
    }
}

/// Where the result of a call of the program's own function is tested that may say whether it has
/// got a lock.
void Skeleton::visit_own_try(basic_block block, gcall* call, const Step& step) {
    const tree result = gimple_call_lhs(call);
    if (result == NULL_TREE || step.kind != StepKind::Call || !may_try(gimple_call_fndecl(call)))
        return;
    basic_block testing = testing_block(block, call);
    const auto is_zero = is_zero_if_true(testing, result);
    if (!is_zero || prepared_.empty_pointers().is_test(last_statement(testing))) return;
    const std::string symbol = gathering_.unit.strings[step.name];
    edge e = nullptr;
    edge_iterator at;
    FOR_EACH_EDGE(e, at, testing->succs) {
        const bool is_true = (e->flags & EDGE_TRUE_VALUE) != 0;
        if (!is_true && (e->flags & EDGE_FALSE_VALUE) == 0) continue;
        Step taken = step;
        taken.name = gathering_.intern(name_of_try(symbol, *is_zero == is_true));
        taken.callbacks.clear();
        gathering_.asked_tries.insert(taken.name);
        on_edge_.try_emplace(e, add_step(nullptr, std::move(taken), nullptr));
    }
}

/// Of a function that does nothing but try a lock, and returns one number where it has got it,
/// and another one where it has not.
void Skeleton::note_constant_try(function* fun) {
    if (prepared_.constant_results.empty() || on_edge_.size() != 1) return;
    const auto& [held, id] = *on_edge_.begin();
    const Step step = function_.steps[id];
    if (step.kind != StepKind::Acquire || step.turn != Turn::No) return;
    for (StepId other = 0; other < function_.steps.size(); ++other) {
        if (other != id && !is_idle(function_.steps[other])) return;
    }
    const std::vector<bool> reached = reached_without(fun, held);
    bool is_said[2] = {false, false};  // by 0, by another number
    bool is_sure[2] = {true, true};
    for (gimple* statement : prepared_.constant_results) {
        basic_block block = gimple_bb(statement);
        if (block == nullptr) return;
        const std::size_t side = integer_zerop(gimple_assign_rhs1(statement)) ? 0 : 1;
        is_said[side] = true;
        if (reached[static_cast<std::size_t>(block->index)]) is_sure[side] = false;
    }
    const std::string symbol = gathering_.unit.strings[gathering_.symbol(fun->decl)];
    for (const bool is_zero : {false, true}) {
        const std::size_t side = is_zero ? 0 : 1;
        if (!is_said[side] || !is_sure[side]) continue;
        gathering_.tries.emplace(gathering_.intern(name_of_try(symbol, is_zero)), step);
        function_.steps[id] = make(StepKind::Join, step.region, UNKNOWN_LOCATION);
        return;
    }
}

void add_tries(Gathering& gathering) {
    std::unordered_map<StringId, Step>& tries = gathering.tries;
    const auto is_lost = [&](const Step& step) {
        return step.kind == StepKind::Call ? !tries.contains(step.name)
                                           : step.value.kind == Value::Kind::Local;
    };
    while (std::erase_if(tries, [&](const auto& one) { return is_lost(one.second); }) != 0) {
    }
    std::vector<std::pair<Function, tree>> added;
    for (FunctionId id = 0; id < gathering.unit.functions.size(); ++id) {
        const Function& function = gathering.unit.functions[id];
        for (const bool is_zero : {false, true}) {
            const std::string name = name_of_try(gathering.unit.strings[function.symbol], is_zero);
            const auto found = tries.find(gathering.intern(name));
            if (found == tries.end()) continue;
            Function taking;
            taking.symbol = found->first;
            taking.name = function.name;
            taking.place = function.place;
            taking.is_local = true;
            taking.regions.push_back(function.regions.front());
            taking.steps.push_back(found->second);
            taking.steps.front().region = 0;
            taking.steps.front().next = {1};
            Step& exit = taking.steps.emplace_back();
            exit.kind = StepKind::Exit;
            exit.place = function.place;
            added.emplace_back(std::move(taking), gathering.declarations[id]);
        }
    }
    drop_lost_calls(gathering);
    for (auto& [function, declaration] : added) {
        gathering.unit.functions.push_back(std::move(function));
        gathering.declarations.push_back(declaration);
    }
}

}  // namespace mqinspect::thread_level::plugin
