// Ways past what initializes MPI, makes a static variable, or starts a thread that is kept in a
// variable, as that has been done: Skeleton, ninth part.
#include <algorithm>

#include "thread_level/facts/relations.h"
#include "thread_level/gcc_plugin/skeleton.h"

namespace mqinspect::thread_level::plugin {
namespace {

bool is_inside(const std::vector<Region>& regions, RegionId region, RegionId outer) {
    while (region != outer && region != 0)
        region = regions[region].parent;
    return region == outer;
}

/// The other side of the branch at the end of `block`; null: it has none.
edge other_side(basic_block block, const edge_def* side) {
    const gimple* last = last_statement(block);
    if (last == nullptr || gimple_code(last) != GIMPLE_COND) return nullptr;
    edge e = nullptr;
    edge_iterator at;
    FOR_EACH_EDGE(e, at, block->succs) {
        if (e != side) return e;
    }
    return nullptr;
}

}  // namespace

/// A guard around what is behind the way, if that is for a variable without a thread.
Skeleton::NodeId Skeleton::add_empty_guard(edge guarding, NodeId outer) {
    const bool is_true = (guarding->flags & EDGE_TRUE_VALUE) != 0;
    if (!is_true && (guarding->flags & EDGE_FALSE_VALUE) == 0) return outer;
    const tree variable =
        prepared_.empty_pointers().found_without_thread(last_statement(guarding->src), is_true);
    if (variable == NULL_TREE) return outer;
    Implication said;
    said.condition = Condition::NoThread;
    const NodeId inside = add_guard(guarding, outer, said);
    empty_.emplace(inside, variable);
    gathering_.empty_guards.push_back({static_cast<FunctionId>(gathering_.unit.functions.size()),
                                       nodes_[inside].region,
                                       keeper_of_thread(variable),
                                       class_with_keeper(variable),
                                       threads_of_object(variable)});
    return inside;
}

/// Whether the call starts the thread that such a guard around it has looked for.
bool Skeleton::starts_kept(NodeId node, const gimple* call) const {
    for (; node != 0 && !empty_.empty(); node = nodes_[node].parent) {
        const auto variable = empty_.find(node);
        if (variable != empty_.end() &&
            prepared_.empty_pointers().starts_in(variable->second, call))
            return true;
    }
    return false;
}

/// Who goes such a way knows that MPI is initialized, the variable made, or the thread started.
void Skeleton::add_ways_past() {
    const auto may_initialize = [this](const Region& guard, const Step& step) {
        const bool is_mpi = step.kind == StepKind::Mpi;
        if (finds_no_thread(guard)) return is_kept_start(step);
        if (is_until_initialized(guard)) return is_mpi || step.kind == StepKind::Call;
        return may_ask_for_initialized(guard) && is_mpi &&
               gathering_.unit.strings[step.name].starts_with("MPI_Init");
    };
    const auto is_around_any = [&](RegionId guard) {
        return std::ranges::any_of(function_.steps, [&](const Step& step) {
            return may_initialize(function_.regions[guard], step) &&
                   is_inside(function_.regions, step.region, guard);
        });
    };
    for (const auto& [guarding, id] : guards_) {
        if (is_around_any(id)) add_ways_past(guarding, id);
    }
}

void Skeleton::add_ways_past(const edge_def* guarding, RegionId id) {
    Region past = function_.regions[id];
    const bool is_static = past_of(past) == Condition::MadeBefore;
    edge around = other_side(guarding->src, guarding);
    if (around == nullptr || (!is_static && implication_of(around).condition != past_of(past)))
        return;
    past.condition = past_of(past);
    past.number = 0;
    const auto region = static_cast<RegionId>(function_.regions.size());
    function_.regions.push_back(past);
    const auto add = [&](edge way) {
        if (on_edge_.contains(way)) return;
        on_edge_[way] = add_step(nullptr, make(StepKind::Way, region, UNKNOWN_LOCATION), nullptr);
    };
    add(around);
    // In front of the lock is a look at whether it is made, without one.
    basic_block locking = guarding->src;
    if (!is_static || !single_pred_p(locking)) return;
    edge first = other_side(single_pred(locking), single_pred_edge(locking));
    if (first != nullptr && first->dest == around->dest) add(first);
}

}  // namespace mqinspect::thread_level::plugin
