/// Arguments of which a program has one value for all threads, such as the rank of the process that
/// a region hands to a function.
#pragma once

#include <optional>

#include "thread_level/analysis/exclusion.h"
#include "thread_level/analysis/summary.h"
#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

class Program;

struct CommonArgument {
    Value value;                  ///< a Constant, a Global, or a Local
    FunctionId function = kNone;  ///< of which that is

    bool operator==(const CommonArgument&) const = default;
};

/// What all calls of the function hand over, one and the same: a constant, a static variable that
/// no team writes to, or a variable of one function that all threads of a team have in common.
/// Those that are not known may hand over anything.
std::optional<CommonArgument> common_argument(const Program& program,
                                              FunctionId function,
                                              std::int64_t position);

/// Of a group at a step of the function: handles in variables of main(), outside of its regions,
/// are one for all threads, as main() is called once. But a thread may start with a copy.
void note_variables_of_main(Group& group,
                            const Program& program,
                            FunctionId function,
                            const Step& step);

/// Of what a group's guards say of arguments: what also holds where the function is called.
ExclusionSet told_to_caller(ExclusionSet arguments, Exclusions& exclusions);

/// The same of a parallel region, outside of it: several teams may have variables of one function.
ExclusionSet told_outside(ExclusionSet arguments, const Program& program, Exclusions& exclusions);

}  // namespace mqinspect::thread_level
