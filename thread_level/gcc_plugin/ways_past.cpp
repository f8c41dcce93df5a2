// Ways past what initializes MPI, or makes a static variable, as that has been done: Skeleton,
// ninth part.
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

/// Who goes such a way knows that MPI is initialized, or the variable made.
void Skeleton::add_ways_past() {
    const auto may_initialize = [this](RegionId guard) {
        return std::any_of(function_.steps.begin(), function_.steps.end(), [&](const Step& step) {
            return (step.kind == StepKind::Mpi || step.kind == StepKind::Call) &&
                   is_inside(function_.regions, step.region, guard);
        });
    };
    for (const auto& [guarding, id] : guards_) {
        if (is_until_initialized(function_.regions[id]) && may_initialize(id))
            add_ways_past(guarding, id);
    }
}

void Skeleton::add_ways_past(const edge_def* guarding, RegionId id) {
    Region past = function_.regions[id];
    const bool is_static = makes_static(past);
    edge around = other_side(guarding->src, guarding);
    if (around == nullptr ||
        (!is_static && implication_of(around).condition != Condition::Initialized))
        return;
    past.condition = is_static ? Condition::MadeBefore : Condition::Initialized;
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
