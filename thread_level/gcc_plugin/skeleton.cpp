#include "thread_level/gcc_plugin/skeleton.h"

#include <algorithm>
#include <utility>

#include "thread_level/gcc_plugin/made_locks.h"
#include "thread_level/gcc_plugin/only_objects.h"
#include "thread_level/gcc_plugin/step_graph.h"

namespace mqinspect::thread_level::plugin {
namespace {

/// Directives without a body at this stage, although their statement looks as if there were one.
bool stands_alone(gimple* statement) {
    switch (gimple_code(statement)) {
        case GIMPLE_OMP_ATOMIC_LOAD:
        case GIMPLE_OMP_ATOMIC_STORE:
        case GIMPLE_OMP_CONTINUE:
        case GIMPLE_OMP_SECTIONS_SWITCH:
        case GIMPLE_OMP_SCAN:
            return true;
        case GIMPLE_OMP_TASK:
            return gimple_omp_task_taskwait_p(statement);
        case GIMPLE_OMP_ORDERED:
            return omp_find_clause(gimple_omp_ordered_clauses(as_a<gomp_ordered*>(statement)),
                                   OMP_CLAUSE_DEPEND) != NULL_TREE;
        case GIMPLE_OMP_TARGET:
            switch (gimple_omp_target_kind(statement)) {
                case GF_OMP_TARGET_KIND_REGION:
                case GF_OMP_TARGET_KIND_OACC_PARALLEL:
                case GF_OMP_TARGET_KIND_OACC_KERNELS:
                case GF_OMP_TARGET_KIND_OACC_SERIAL:
                case GF_OMP_TARGET_KIND_OACC_PARALLEL_KERNELS_PARALLELIZED:
                case GF_OMP_TARGET_KIND_OACC_PARALLEL_KERNELS_GANG_SINGLE:
                    return false;
                default:
                    return true;
            }
        default:
            return false;
    }
}

bool may_tell_of_turn(const gimple* statement) {
    const auto code = gimple_code(statement);
    return code == GIMPLE_ASSIGN || code == GIMPLE_COND || code == GIMPLE_OMP_ATOMIC_STORE;
}

/// The call says by its result whether it has got what the step acquires.
bool may_fail(CalleeKind kind, const Step& step) {
    switch (kind) {
        case CalleeKind::TryAcquire:
        case CalleeKind::TryAcquireZero:
        case CalleeKind::GuardHolds:
        case CalleeKind::TrySemaphore:
        case CalleeKind::TrySemaphoreZero:
            return true;
        case CalleeKind::Atomic:
            return step.kind == StepKind::Acquire && step.turn == Turn::No;
        default:
            return false;
    }
}

}  // namespace

bool is_section_dispatch(const edge_def* e) {
    gimple* from = last_statement(e->src);
    gimple* to = last_statement(e->dest);
    return from != nullptr && to != nullptr && gimple_code(from) == GIMPLE_OMP_CONTINUE &&
           gimple_code(to) == GIMPLE_OMP_SECTIONS_SWITCH;
}

gimple* last_statement(basic_block block) {
    gimple_stmt_iterator at = gsi_last_nondebug_bb(block);
    return gsi_end_p(at) ? nullptr : gsi_stmt(at);
}

Function Skeleton::build(function* fun) {
    Region whole;
    whole.place = gathering_.place(DECL_SOURCE_LOCATION(fun->decl));
    function_.regions.push_back(whole);
    const auto count = static_cast<std::size_t>(last_basic_block_for_fn(fun));
    blocks_.assign(count, {});
    node_at_end_.assign(count, 0);
    add_step(ENTRY_BLOCK_PTR_FOR_FN(fun), make(StepKind::Join, 0, UNKNOWN_LOCATION), nullptr);
    find_settled(fun);
    visit_blocks(fun);
    if (blocks_[EXIT_BLOCK].first == kNone) {
        add_step(
            EXIT_BLOCK_PTR_FOR_FN(fun), make(StepKind::Exit, 0, fun->function_end_locus), nullptr);
    }
    note_constant_try(fun);
    lose_objects_of_loops(gathering_, prepared_.allocations());
    lose_locks_of_each(gathering_, fun->decl);
    add_ways_around();
    add_ways_past();
    add_settled_ways();
    connect(fun);
    mark_conditional_locks();
    mark_unwinding(fun);
    if (has_own_dominators_) free_dominance_info(CDI_DOMINATORS);
    std::vector<gimple*> kept;
    for (const StepId step : reduce(function_.steps))
        kept.push_back(statements[step]);
    statements = std::move(kept);
    return std::move(function_);
}

Step Skeleton::make(StepKind kind, RegionId region, location_t location) {
    Step step;
    step.kind = kind;
    step.region = region;
    step.place = gathering_.place(location);
    return step;
}

StepId Skeleton::add_step(basic_block block, Step step, gimple* statement) {
    const auto id = static_cast<StepId>(function_.steps.size());
    function_.steps.push_back(std::move(step));
    statements.push_back(statement);
    block_of_step_.push_back(block);
    if (block == nullptr) return id;
    Block& b = blocks_[index_of(block)];
    if (b.first == kNone) {
        b.first = id;
    } else {
        function_.steps[b.last].next.push_back(id);
    }
    b.last = id;
    return id;
}

/// Outside in: each block after its dominator. Without constructs and guards the order is free.
void Skeleton::visit_blocks(function* fun) {
    if (!prepared_.has_constructs && prepared_.branches.empty() && prepared_.choices.empty() &&
        prepared_.common_branches.empty() && settled_.empty() &&
        prepared_.own_turn_uses().empty() && prepared_.argument_copies.empty() &&
        !prepared_.moved_objects().has_leftovers() && !prepared_.empty_pointers().has_any()) {
        basic_block block = nullptr;
        FOR_EACH_BB_FN(block, fun) visit_block(block, 0);
        return;
    }
    const bool had_dominators = dom_info_available_p(CDI_DOMINATORS);
    if (!had_dominators) calculate_dominance_info(CDI_DOMINATORS);
    check_own_turns();
    std::vector<basic_block> open{ENTRY_BLOCK_PTR_FOR_FN(fun)};
    while (!open.empty()) {
        basic_block block = open.back();
        open.pop_back();
        if (block->index > EXIT_BLOCK) {
            basic_block dominator = get_immediate_dominator(CDI_DOMINATORS, block);
            const NodeId outer = dominator == nullptr ? 0 : node_at_end_[index_of(dominator)];
            visit_block(block, node_at_start(block, outer));
        }
        const auto first_son = static_cast<std::ptrdiff_t>(open.size());
        for (basic_block son = first_dom_son(CDI_DOMINATORS, block); son != nullptr;
             son = next_dom_son(CDI_DOMINATORS, son))
            open.push_back(son);
        // So that regions and steps come in the order of the source.
        std::sort(open.begin() + first_son, open.end(), [](basic_block a, basic_block b) {
            return a->index > b->index;
        });
    }
    if (!had_dominators) free_dominance_info(CDI_DOMINATORS);
}

/// A guard begins where all ways into a block are one side of a branch, or sides that say the same.
Skeleton::NodeId Skeleton::node_at_start(basic_block block, NodeId dominator_node) {
    const std::vector<edge> ways = ways_into(block);
    if (ways.empty()) return dominator_node;
    const bool is_one = ways.size() == 1;
    Side side = is_one ? Side{ways[0], implication_of(ways[0])} : said_on_all(ways, block);
    if (!is_one && side.said.condition == Condition::None) side = said_of_optional(ways);
    if (!is_one && side.said.condition == Condition::None) side = said_beside_end(ways);
    if (is_one && is_first_of_two(ways[0], nodes_[dominator_node].region))
        side.said.condition = Condition::ThreadIsZero;
    if (is_one) {
        dominator_node = add_common_guard(ways[0], dominator_node);
        dominator_node = add_empty_guard(ways[0], dominator_node);
        dominator_node = add_written_guards(ways[0], dominator_node);
    }
    if (side.said.condition == Condition::None) return dominator_node;
    const NodeId inside = add_guard(side.along, dominator_node, side.said);
    if (!side.said.is_exact) return inside;
    side.said.condition = Condition::LevelBelow;
    ++side.said.number;
    return add_guard(side.along, inside, side.said);
}

/// A guard around what is behind the way, if that is one side of a condition on what all threads
/// have in common.
Skeleton::NodeId Skeleton::add_common_guard(edge guarding, NodeId outer) {
    const Implication side = common_side(guarding);
    return side.condition == Condition::None ? outer : add_guard(guarding, outer, side);
}

/// A guard around what is behind the way, inside of `outer`.
Skeleton::NodeId Skeleton::add_guard(edge guarding, NodeId outer, const Implication& side) {
    Region guard;
    guard.kind = RegionKind::Guard;
    guard.parent = nodes_[outer].region;
    guard.place = gathering_.place(gimple_location(last_statement(guarding->src)));
    guard.condition = side.condition;
    guard.number = side.number;
    guard.wrapper = side.wrapper;
    guard.tested = side.tested;
    guard.limit = side.limit;
    narrow_to_team(function_.regions, guard);
    const auto region = static_cast<RegionId>(function_.regions.size());
    note_provided(side, region);
    function_.regions.push_back(guard);
    guards_.emplace_back(guarding, region);
    nodes_.push_back({outer, region, true});
    return static_cast<NodeId>(nodes_.size() - 1);
}

/// Only the whole unit tells whether it is a level that a region asks for.
void Skeleton::note_provided(const Implication& side, RegionId region) {
    for (const unsigned variable : {side.provided_global, side.other_global}) {
        if (variable == 0) continue;
        gathering_.provided_guards.push_back(
            {gathering_.functions(), region, variable, side.is_told});
    }
}

void Skeleton::visit_block(basic_block block, NodeId node) {
    NodeId inside = node;
    for (gimple_stmt_iterator at = gsi_start_nondebug_bb(block); !gsi_end_p(at);
         gsi_next_nondebug(&at)) {
        gimple* statement = gsi_stmt(at);
        if (gcall* call = dyn_cast<gcall*>(statement)) {
            visit_call(block, call, inside);
        } else if (may_tell_of_turn(statement)) {
            visit_turn(block, statement, inside);
        } else if (is_gimple_omp(statement)) {
            inside = visit_construct(block, statement, inside);
        }
    }
    if (blocks_[index_of(block)].first == kNone)
        add_step(block, make(StepKind::Join, nodes_[inside].region, UNKNOWN_LOCATION), nullptr);
    node_at_end_[index_of(block)] = inside;
}

Skeleton::NodeId Skeleton::visit_construct(basic_block block, gimple* statement, NodeId node) {
    if (gimple_code(statement) == GIMPLE_OMP_RETURN) return close(block, statement, node);
    const auto order = prepared_.steps.find(statement);
    if (gimple_code(statement) == GIMPLE_OMP_ORDERED && order != prepared_.steps.end()) {
        Step step = order->second;
        step.region = nodes_[node].region;
        add_step(block, std::move(step), nullptr);
    }
    const NodeId inside = open(block, statement, node);
    return stands_alone(statement) ? node : inside;
}

Skeleton::NodeId Skeleton::open(basic_block block, gimple* statement, NodeId node) {
    const auto prepared = prepared_.regions.find(statement);
    if (prepared == prepared_.regions.end()) {
        nodes_.push_back({node, nodes_[node].region, false});
        return static_cast<NodeId>(nodes_.size() - 1);
    }
    Region region = prepared->second;
    region.parent = nodes_[node].region;
    const auto id = static_cast<RegionId>(function_.regions.size());
    const auto size = prepared_.size_calls.find(statement);
    if (size != prepared_.size_calls.end() && !comes_by(block, size->second)) region.name = 0;
    if (const auto asked = prepared_.teams.find(statement); asked != prepared_.teams.end())
        note_provided(asked->second, id);
    const auto test = prepared_.team_tests.find(statement);
    if (test != prepared_.team_tests.end())
        gathering_.team_tests.push_back({gathering_.functions(), id, test->second});
    const NodeId inside = enter(block, statement, node, std::move(region));
    // A taskwait that waits for some tasks only is a task without a body.
    if (stands_alone(statement)) leave(block, statement, inside);
    return inside;
}

void Skeleton::leave(basic_block block, gimple* statement, NodeId node) {
    const RegionId region = nodes_[node].region;
    Step step = make(StepKind::Leave,
                     nodes_[nodes_[node].parent].region,
                     function_.regions[region].place.compiler);
    step.target = region;
    add_step(block, std::move(step), statement);
}

Skeleton::NodeId Skeleton::close(basic_block block, gimple* statement, NodeId node) {
    while (nodes_[node].is_guard)
        node = nodes_[node].parent;
    if (node == 0) return 0;
    const NodeId outer = nodes_[node].parent;
    const RegionId region = nodes_[node].region;
    if (region == nodes_[outer].region) return outer;
    Region& closed = function_.regions[region];
    switch (closed.kind) {
        case RegionKind::Single:
        case RegionKind::Sections:
        case RegionKind::Loop:
        case RegionKind::Scope:
            closed.barrier_at_end = !gimple_omp_return_nowait_p(statement);
            break;
        default:
            break;
    }
    leave(block, statement, node);
    return outer;
}

void Skeleton::visit_call(basic_block block, gcall* call, NodeId node) {
    const tree declaration = gimple_call_fndecl(call);
    const CalleeKind kind =
        declaration == NULL_TREE ? CalleeKind::Other : callees_.of(declaration).kind;
    switch (kind) {
        case CalleeKind::Harmless:
            return;
        case CalleeKind::Barrier:
        case CalleeKind::Taskwait: {
            const StepKind made =
                kind == CalleeKind::Barrier ? StepKind::Barrier : StepKind::Taskwait;
            add_step(block, make(made, nodes_[node].region, gimple_location(call)), call);
            return;
        }
        default:
            break;
    }
    const gimple* const original = prepared_.original_of(call);
    const auto release = prepared_.releases().find(original);
    if (release != prepared_.releases().end()) {
        Step step = release->second;
        step.region = nodes_[node].region;
        add_step(block, std::move(step), call);
    }
    const auto prepared = prepared_.steps.find(original);
    if (prepared == prepared_.steps.end()) return;
    Step step = prepared->second;
    step.region = nodes_[node].region;
    if (prepared_.empty_pointers().fills_null(original, block)) return;
    if (!spare_moved(block, original, step)) return;
    if (may_fail(kind, step)) {
        visit_try_lock(block, call, step);
        return;
    }
    const bool is_end = step.kind == StepKind::JoinThread && declaration != NULL_TREE &&
                        ends_with_threads(gathering_.unit.strings[callees_.of(declaration).symbol]);
    if (is_end && !is_behind_throw(block)) return;
    if (step.kind == StepKind::Call) step.fills_variable = starts_kept(node, original);
    if (step.kind == StepKind::StartThread) step.is_conditional = starts_kept(node, original);
    if (step.kind == StepKind::StartThread &&
        (visit_chosen_start(block, call, step) || visit_start(block, call, step)))
        return;
    if (const auto once = prepared_.once.find(original); once != prepared_.once.end()) {
        visit_once(block, call, node, step, once->second);
        return;
    }
    add_step(block, step, call);
    visit_constructor(block, call, step);
    visit_own_try(block, call, step);
    visit_behind(block, call, kind, std::move(step));
}

/// Of an object that has been moved on all ways to `block`, where the call destroys it. False: that
/// does nothing.
bool Skeleton::spare_moved(basic_block block, const gimple* call, Step& step) const {
    const MovedObjects::Leftover* leftover = prepared_.moved_objects().leftover_of(call);
    if (leftover == nullptr || !MovedObjects::is_left(*leftover, block)) return true;
    step.spares_moved = true;
    if (leftover->is_emptied) step.moved = 0;
    return !leftover->is_nothing;
}

/// What the call does besides `step`.
void Skeleton::visit_behind(basic_block block, gcall* call, CalleeKind kind, Step step) {
    const gimple* const original = prepared_.original_of(call);
    if (kind == CalleeKind::LatchCountAndWait) {
        step.kind = StepKind::Acquire;
        step.turn = Turn::Is;
        add_step(block, step, call);
        return;
    }
    if (const auto wait = prepared_.waits.find(original); wait != prepared_.waits.end()) {
        Step behind = make(StepKind::Acquire, step.region, gimple_location(call));
        behind.turn = Turn::Is;
        behind.name = wait->second;
        if (gimple_call_return_type(call) == void_type_node) {
            add_step(block, behind, call);
        } else {
            visit_try_lock(block, call, behind);
        }
        return;
    }
    const auto more = prepared_.more_locks.find(original);
    if (more == prepared_.more_locks.end()) return;
    for (const Value& lock : more->second) {
        step.value = lock;
        add_step(block, step, call);
    }
}

/// Opens `region` inside of `node`.
Skeleton::NodeId Skeleton::enter(basic_block block, gimple* statement, NodeId node, Region region) {
    const auto id = static_cast<RegionId>(function_.regions.size());
    Step step = make(StepKind::Enter, nodes_[node].region, gimple_location(statement));
    step.target = id;
    add_step(block, std::move(step), statement);
    function_.regions.push_back(std::move(region));
    nodes_.push_back({node, id, false});
    return static_cast<NodeId>(nodes_.size() - 1);
}

/// Of a variable that hands the turn on: a write to it, or a branch that tells whose turn it is.
void Skeleton::visit_turn(basic_block block, gimple* statement, NodeId node) {
    if (gimple_code(statement) != GIMPLE_COND) {
        const auto write = prepared_.steps.find(statement);
        if (write == prepared_.steps.end()) return;
        Step step = write->second;
        step.region = nodes_[node].region;
        add_step(block, std::move(step), nullptr);
        return;
    }
    const auto test = prepared_.turn_tests.find(statement);
    if (test == prepared_.turn_tests.end()) return;
    edge e = nullptr;
    edge_iterator at;
    FOR_EACH_EDGE(e, at, block->succs) {
        const bool is_true = (e->flags & EDGE_TRUE_VALUE) != 0;
        if (!is_true && (e->flags & EDGE_FALSE_VALUE) == 0) continue;
        auto step = step_of(test->second, is_true);
        if (!step) continue;
        step->region = nodes_[node].region;
        step->is_by_type = step->turn == Turn::No &&
                           gives_up(block, block, is_true ? EDGE_FALSE_VALUE : EDGE_TRUE_VALUE);
        on_edge_[e] = add_step(nullptr, std::move(*step), nullptr);
    }
}

void Skeleton::connect(function* fun) {
    if (has_tries()) {
        connect_by_conditions(fun);
        return;
    }
    basic_block block = nullptr;
    FOR_BB_BETWEEN(block, ENTRY_BLOCK_PTR_FOR_FN(fun), EXIT_BLOCK_PTR_FOR_FN(fun), next_bb) {
        edge e = nullptr;
        edge_iterator at;
        FOR_EACH_EDGE(e, at, block->succs) {
            if (is_section_dispatch(e)) {
                connect_after_sections(e);
            } else {
                connect_edge(e, blocks_[index_of(e->dest)].first);
            }
        }
    }
}

/// From the end of a section to where the dispatch goes when none is left.
void Skeleton::connect_after_sections(edge e) {
    edge out = nullptr;
    edge_iterator at;
    FOR_EACH_EDGE(out, at, e->dest->succs) {
        gimple* last = last_statement(out->dest);
        if (last == nullptr || gimple_code(last) != GIMPLE_OMP_SECTION)
            connect_edge(e, blocks_[index_of(out->dest)].first);
    }
}

void Skeleton::connect_edge(edge e, StepId to) {
    const StepId from = blocks_[index_of(e->src)].last;
    if (from == kNone || to == kNone || is_never_taken(e)) return;
    const auto on_edge = on_edge_.find(e);
    if (on_edge == on_edge_.end()) {
        std::vector<StepId>& next = function_.steps[from].next;
        const std::vector<StepId> known = known_ways(e);
        if (known.empty()) next.push_back(to);
        next.insert(next.end(), known.begin(), known.end());
        return;
    }
    function_.steps[from].next.push_back(on_edge->second);
    function_.steps[on_edge->second].next.push_back(to);
}

}  // namespace mqinspect::thread_level::plugin
