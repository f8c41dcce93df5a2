/// What functions do to locks that depends on constants they are handed: `lock(SET)`, and
/// `call lock('unset')`.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "thread_level/analysis/flow.h"
#include "thread_level/analysis/summary.h"

namespace mqinspect::thread_level {

using AllSummaries = std::vector<std::vector<Summary>>;  ///< by node and scope

class LockCases {
public:
    /// `summaries`: of what is below a function once it is asked for.
    LockCases(const Program& program, const AllSummaries& summaries, Exclusions& exclusions);

    /// Of a call of `callee` by a function with the arguments `known`, in terms of the callee;
    /// nullptr: nothing that is known tells its cases apart.
    const std::vector<LockEffect>* of_call(FunctionId callee,
                                           const std::vector<Value>& arguments,
                                           const Arguments& known);

private:
    void find_tested(FunctionId function);
    void test(FunctionId function, const Value& value);

    const Program& program_;
    const AllSummaries& summaries_;
    Exclusions& exclusions_;
    std::vector<std::vector<bool>> tested_;  // by function and position
    std::map<std::pair<FunctionId, Arguments>, std::vector<LockEffect>> cases_;
    int depth_ = 0;
};

}  // namespace mqinspect::thread_level
