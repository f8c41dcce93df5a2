/// What functions do to locks, and at which barriers they wait, as far as that depends on constants
/// they are handed: `lock(SET)`, `call lock('unset')`, and `copy(x, WAIT)`.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "thread_level/analysis/flow.h"
#include "thread_level/analysis/summary.h"

namespace mqinspect::thread_level {

using AllSummaries = std::vector<std::vector<Summary>>;  ///< by node and scope

/// A callee's part, for one call of it.
struct CallCase {
    std::vector<LockEffect> locks;
    bool may_pass_barrier = false;
    bool must_pass_barrier = false;
    struct GroupCase {
        bool is_reached = false;
        bool at_entry = false;  ///< as in Group
        bool at_exit = false;
    };
    std::vector<GroupCase> groups;  ///< of the callee's summary, in their order
};

class CallCases {
public:
    /// `summaries`: of what is below a function once it is asked for.
    CallCases(const Program& program, const AllSummaries& summaries, Exclusions& exclusions);

    /// Of a call of `callee` by a function with the arguments `known`, in terms of the callee;
    /// nullptr: nothing that is known tells its cases apart.
    const CallCase* of_call(FunctionId callee,
                            const std::vector<Value>& arguments,
                            const Arguments& known);

private:
    void find_tested(FunctionId function);
    void test(FunctionId function, const Value& value);
    void find_groups(FunctionId callee, Flow& flow, CallCase& found) const;

    const Program& program_;
    const AllSummaries& summaries_;
    Exclusions& exclusions_;
    std::vector<std::vector<bool>> tested_;  // by function and position
    std::map<std::pair<FunctionId, Arguments>, CallCase> cases_;
    int depth_ = 0;
};

}  // namespace mqinspect::thread_level
