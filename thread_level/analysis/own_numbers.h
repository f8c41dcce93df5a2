/// Variables that each thread has for itself, to which functions write a number that they are
/// handed, and nobody writes anything else: where that is done, to ask for the variable is to ask
/// for what the function has been handed. As a thread does that the program starts itself.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

class Program;

class OwnNumbers {
public:
    OwnNumbers() = default;
    explicit OwnNumbers(const Program& program);

    /// Whether the variable is such a one.
    bool has(StringId variable) const { return variables_.contains(variable); }
    /// What the function has written to it on all ways to `step`, by itself or by a call: a
    /// parameter, or a constant. Null: that is not known.
    const Value* written_before(StringId variable, FunctionId function, StepId step) const;

private:
    struct Written {
        Value value;
        std::vector<bool> behind;  ///< by step: all ways there have come by it
    };
    using Nodes = std::set<std::uint32_t>;

    void add(const Program& program, StringId variable, const Nodes& keepers);
    void add_function(const Program& program,
                      StringId variable,
                      FunctionId function,
                      const Nodes& writers);
    Value written_by(const Program& program,
                     StringId variable,
                     FunctionId function,
                     StepId step) const;

    std::set<StringId> variables_;
    std::map<std::pair<StringId, FunctionId>, Written> written_;
};

}  // namespace mqinspect::thread_level
