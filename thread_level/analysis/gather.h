/// From the steps of one function, and the summaries of what it calls, to its own summaries.
#pragma once

#include <unordered_map>
#include <vector>

#include "thread_level/analysis/flow.h"
#include "thread_level/analysis/lock_cases.h"
#include "thread_level/analysis/program.h"
#include "thread_level/analysis/summary.h"

namespace mqinspect::thread_level {

/// What the calls of `function` do to its flow, if it is called with `arguments`.
std::unordered_map<StepId, CallEffect> effects_of_calls(const Program& program,
                                                        FunctionId function,
                                                        const AllSummaries& summaries,
                                                        Exclusions& exclusions,
                                                        LockCases& cases,
                                                        const Arguments& arguments = {});

class Gather {
public:
    Gather(const Program& program,
           const Shape& shape,
           Flow& flow,
           const AllSummaries& summaries,
           Exclusions& exclusions)
        : program_(program),
          shape_(shape),
          flow_(flow),
          summaries_(summaries),
          exclusions_(exclusions) {}

    /// By scope.
    std::vector<Summary> run();

private:
    void gather(std::uint32_t scope);
    void add_procedure(StepId id, Summary& into);
    void add_called(StepId id, Summary& into);
    void add_nested(StepId id, std::uint32_t inner, Summary& into);
    Group lifted(StepId id, const Group& group) const;
    void place(Group& group, StepId id);
    void add(Group group, const Origin& origin, Summary& into);
    void finish(std::uint32_t scope, Summary& summary);

    const Program& program_;
    const Shape& shape_;
    Flow& flow_;
    const AllSummaries& summaries_;
    Exclusions& exclusions_;
    std::vector<Summary> scopes_;
    std::unordered_multimap<std::uint64_t, std::uint32_t> by_hash_;  // groups of one scope
};

/// A summary of all that an indirect call may mean.
Summary united(Node node,
               const Program& program,
               const AllSummaries& summaries,
               Exclusions& exclusions);

}  // namespace mqinspect::thread_level
