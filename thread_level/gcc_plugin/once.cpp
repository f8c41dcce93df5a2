// What threads call once, whichever comes first: Skeleton, further part.
#include "thread_level/gcc_plugin/skeleton.h"

namespace mqinspect::thread_level::plugin {

/// `flag`: what the threads go by.
void Skeleton::visit_once(
    basic_block block, gcall* call, NodeId node, Step step, const Value& flag) {
    Step turn = make(StepKind::Acquire, step.region, gimple_location(call));
    turn.value = flag;
    add_step(block, turn, call);
    step.region = add_once(call, node);
    if (flag.kind == Value::Kind::Global) {
        // There is one such flag in the process, and what goes by it is not executed again.
        Region& once = function_.regions[step.region];
        once.condition = Condition::DrewNumber;
        once.number = kOnce;
        once.tested = flag;
    }
    add_step(block, step, call);
    turn.kind = StepKind::Release;
    add_step(block, turn, call);
}

/// Around a call that one thread makes for all, whichever comes first.
RegionId Skeleton::add_once(const gimple* call, NodeId node) {
    Region once;
    once.kind = RegionKind::Guard;
    once.parent = nodes_[node].region;
    once.place = gathering_.place(gimple_location(call));
    once.condition = Condition::ThreadIsOther;
    function_.regions.push_back(once);
    return static_cast<RegionId>(function_.regions.size() - 1);
}

}  // namespace mqinspect::thread_level::plugin
