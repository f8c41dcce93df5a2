/// Whether calls ever hand a function what leads to a group of its MPI calls, be it asked for in
/// there or in what it calls.
#pragma once

#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "thread_level/analysis/asked_arguments.h"
#include "thread_level/analysis/contexts.h"
#include "thread_level/analysis/summaries.h"

namespace mqinspect::thread_level {

/// Refers to what it is made of.
class AskedGroups {
public:
    AskedGroups(const Program& program, const Contexts& contexts, const Summaries& summaries);

    /// Whether none of the calls that enter the function in `entered` does.
    bool is_refuted(FunctionId function,
                    std::uint32_t scope,
                    std::uint32_t group,
                    StateSet entered);

private:
    /// A step on the way to a call of MPI.
    struct At {
        FunctionId function = 0;
        StepId step = kNone;
    };

    bool asks(Node node) const;
    StateSet may_lead(FunctionId function, std::uint32_t scope, std::uint32_t group);
    StateSet may_lead_by(const Origin& origin);
    StateSet may_lead_on_way();

    const Program& program_;
    const Contexts& contexts_;
    const Summaries& summaries_;
    AskedArguments asked_;
    std::vector<bool> asks_;  // by node: in what it calls, too
    std::map<std::tuple<FunctionId, std::uint32_t, std::uint32_t>, StateSet> known_;
    std::vector<At> way_;  // of the question, as far as it is followed
    int origins_left_ = 0;
};

}  // namespace mqinspect::thread_level
