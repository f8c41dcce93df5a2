#include "thread_level/analysis/probes.h"

#include <algorithm>
#include <vector>

namespace mqinspect::thread_level {

bool may_take(const Evidence& evidence,
              const Pair& pair,
              const Group& probe,
              const Group& receive) {
    const bool is_one_call = pair.is_one_call();
    return evidence.handles.compare(probe.communicator, receive.communicator, is_one_call) ==
               Sameness::Same &&
           evidence.handles.may_match(probe, receive, is_one_call);
}

bool is_received(const Evidence& evidence, const Pair& pair, const Group& probe) {
    const std::vector<Group>& groups = evidence.summaries.scopes(pair.function)[pair.scope].groups;
    return std::any_of(groups.begin(), groups.end(), [&](const Group& group) {
        return group.procedure.use == Use::Receive && may_take(evidence, pair, probe, group);
    });
}

}  // namespace mqinspect::thread_level
