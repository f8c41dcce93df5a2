/// Locks that are variables of a function, and that members of objects point to: other functions
/// take them there, which that one calls, or starts threads with. Each call of it has another one.
#pragma once

#include <unordered_map>
#include <vector>

#include "thread_level/analysis/contexts.h"
#include "thread_level/analysis/exclusion.h"
#include "thread_level/analysis/program.h"
#include "thread_level/analysis/sameness.h"

namespace mqinspect::thread_level {

/// Whose variable the Global `lock` is, as Value::is_shared has it; kNone: that is not there.
FunctionId owner_of(const Value& lock, const Program& program);
/// Of a copy, see HandedFunctions, the function that it is one of; else the node itself.
Node original_of(Node node, const Program& program);

/// The OuterLocks of the set that are variables of `callee`: its callers have nothing of them.
ExclusionSet own_outer_locks(ExclusionSet set,
                             Node callee,
                             const Program& program,
                             Exclusions& exclusions);
/// The others.
ExclusionSet without_own_outer_locks(ExclusionSet set,
                                     Node callee,
                                     const Program& program,
                                     Exclusions& exclusions);

/// Refers to both.
class OuterLocks {
public:
    OuterLocks(const Program& program, const Contexts& contexts)
        : program_(program), contexts_(contexts) {}

    /// Whether an OuterLock is one and the same for threads that meet in `function`. `apart`: each
    /// of them is in a call of its own of that.
    Sameness sameness(const Exclusion& lock, FunctionId function, bool apart) const;

private:
    const std::vector<bool>& beside(FunctionId owner) const;
    StateSet entered(FunctionId owner) const;

    const Program& program_;
    const Contexts& contexts_;
    /// By owner: what is executed without a call of it. Filled when first asked for.
    mutable std::unordered_map<FunctionId, std::vector<bool>> beside_;
};

}  // namespace mqinspect::thread_level
