/// Locks that callees are handed, and those of objects that they are handed, in terms of the
/// caller.
#pragma once

#include <span>

#include "thread_level/analysis/exclusion.h"
#include "thread_level/analysis/program.h"

namespace mqinspect::thread_level {

struct Caller {
    FunctionId function = 0;
    std::span<const Region> regions;
    const Program& program;
    Node callee = kNone;
};

/// False: the lock is the callee's own, or each thread's.
bool hand_lock(ExclusionId lock,
               const Step& step,
               const Caller& caller,
               Exclusions& exclusions,
               ExclusionId& outside);
/// Elements, of which it is not known whether they are the same, come to `perhaps`.
ExclusionSet hand_locks(ExclusionSet set,
                        const Step& step,
                        const Caller& caller,
                        Exclusions& exclusions,
                        ExclusionSet& perhaps);

}  // namespace mqinspect::thread_level
