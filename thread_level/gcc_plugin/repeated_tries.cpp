// Locks that are tried several times, in a loop, or whose result is looked at later: Skeleton,
// fourth part.
#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "thread_level/gcc_plugin/own_try_locks.h"
#include "thread_level/gcc_plugin/skeleton.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr std::size_t kMostPassed = 64;  // blocks from one edge on

/// Whether `flag` has come to be 0 where `result` is not, by copies behind the call in `block`.
/// Afterwards `flag` is the last variable that has it.
bool follow_copies(basic_block block, const gcall* call, tree& flag) {
    bool is_negated = false;
    bool is_behind = gimple_bb(call) != block;
    for (gimple_stmt_iterator at = gsi_start_nondebug_bb(block); !gsi_end_p(at);
         gsi_next_nondebug(&at)) {
        gimple* statement = gsi_stmt(at);
        if (is_behind && is_gimple_assign(statement) && gimple_assign_rhs1(statement) == flag) {
            const auto negation = negates(statement);
            if (!negation && !is_copying(statement)) continue;
            flag = gimple_assign_lhs(statement);
            is_negated = is_negated != negation.value_or(false);
        }
        is_behind = is_behind || statement == call;
    }
    return is_negated;
}

}  // namespace

/// No branch right behind the call looks at its result: a later one may.
void Skeleton::keep_outcome(basic_block block,
                            gcall* call,
                            const Step& taken,
                            bool zero_means_held) {
    if (taken.kind != StepKind::Acquire || taken.turn != Turn::No) return;
    Outcome outcome;
    outcome.variable = gimple_call_lhs(call);
    basic_block behind = testing_block(block, call);
    outcome.zero_means_held = zero_means_held != follow_copies(behind, call, outcome.variable);
    outcome.last = blocks_[index_of(behind)].last;
    outcome.held = add_step(nullptr, taken, call);
    outcomes_.insert_or_assign(behind, outcome);
}

/// Functions that try locks of their own are known here if they stand in front.
bool Skeleton::has_tries() const {
    return tries_ || !outcomes_.empty() || std::ranges::any_of(on_edge_, [this](const auto& one) {
               const Step& step = function_.steps[one.second];
               return step.kind == StepKind::Call && gathering_.tries.contains(step.name);
           });
}

/// Without any step that says something.
bool Skeleton::is_idle_block(basic_block block) const {
    const Block& steps = blocks_[index_of(block)];
    return steps.first != kNone && steps.first == steps.last &&
           function_.steps[steps.first].kind == StepKind::Join;
}

/// Whether nothing happens in a block, so that ways through it may be told apart.
bool Skeleton::is_passed(basic_block block) const {
    if (block->index <= EXIT_BLOCK || outcomes_.contains(block) || !is_idle_block(block))
        return false;
    gimple* last = last_statement(block);
    if (last != nullptr && is_gimple_omp(last)) return false;
    edge e = nullptr;
    edge_iterator at;
    FOR_EACH_EDGE(e, at, block->succs) {
        if (on_edge_.contains(e)) return false;
    }
    return true;
}

/// The first steps that `e` may lead to, with what is known in front of it; empty: can't be told.
std::vector<StepId> Skeleton::reached(edge e, const Comparisons::Known& known) const {
    std::vector<StepId> first;
    std::set<std::pair<int, Comparisons::Known>> seen;
    std::vector<std::pair<edge, Comparisons::Known>> open{{e, known}};
    while (!open.empty()) {
        const auto [way, before] = open.back();
        open.pop_back();
        const auto here = comparisons_->along(way, before);
        if (!here || !seen.emplace(way->dest->index, *here).second) continue;
        if (seen.size() > kMostPassed) return {};
        if (!is_passed(way->dest)) {
            const StepId step = blocks_[index_of(way->dest)].first;
            if (std::ranges::find(first, step) == first.end()) first.push_back(step);
            continue;
        }
        const Comparisons::Known behind = comparisons_->through(way->dest, *here);
        edge next = nullptr;
        edge_iterator at;
        FOR_EACH_EDGE(next, at, way->dest->succs) open.emplace_back(next, behind);
    }
    return first;
}

void Skeleton::connect_along(edge e, StepId from, const Comparisons::Known& known) {
    if (is_never_taken(e)) return;
    const auto on_edge = on_edge_.find(e);
    if (on_edge != on_edge_.end()) {
        function_.steps[from].next.push_back(on_edge->second);
        from = on_edge->second;
    }
    std::vector<StepId> targets;
    if (comparisons_->along(e, known)) {
        targets = reached(e, known);
        if (targets.empty()) targets.push_back(blocks_[index_of(e->dest)].first);
    }
    std::vector<StepId>& next = function_.steps[from].next;
    for (const StepId target : targets) {
        if (target != kNone && std::ranges::find(next, target) == next.end())
            next.push_back(target);
    }
}

/// As connect(), but along the ways only that can be taken as far as the conditions on them say.
void Skeleton::connect_by_conditions(function* fun) {
    const Comparisons comparisons(fun);
    comparisons_ = &comparisons;
    Comparisons::Known nothing;
    nothing.fill(Comparisons::kAny);
    basic_block block = nullptr;
    FOR_BB_BETWEEN(block, ENTRY_BLOCK_PTR_FOR_FN(fun), EXIT_BLOCK_PTR_FOR_FN(fun), next_bb) {
        const Comparisons::Known known = comparisons.at_end(block).value_or(nothing);
        const StepId last = blocks_[index_of(block)].last;
        const auto found = outcomes_.find(block);
        std::optional<Comparisons::Known> held;
        std::optional<Comparisons::Known> failed;
        if (found != outcomes_.end() && (found->second.last == last || is_idle_block(block))) {
            const Outcome& outcome = found->second;
            held = comparisons.with_zero(known, outcome.variable, outcome.zero_means_held);
            failed = comparisons.with_zero(known, outcome.variable, !outcome.zero_means_held);
        }
        if (held) function_.steps[last].next.push_back(found->second.held);
        edge e = nullptr;
        edge_iterator at;
        FOR_EACH_EDGE(e, at, block->succs) {
            if (is_section_dispatch(e)) {
                connect_after_sections(e);
                continue;
            }
            if (last == kNone) continue;
            if (held && (e->flags & EDGE_EH) == 0) connect_along(e, found->second.held, *held);
            connect_along(e, last, failed.value_or(known));
        }
    }
    comparisons_ = nullptr;
}

}  // namespace mqinspect::thread_level::plugin
