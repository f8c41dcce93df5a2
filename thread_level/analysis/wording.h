/// Words and remarks that the rules share.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "thread_level/analysis/contexts.h"
#include "thread_level/analysis/requests.h"
#include "thread_level/analysis/verdicts.h"

namespace mqinspect::thread_level {

/// All that a rule looks at, and where it puts what it finds.
struct Evidence {
    const Program& program;
    const Contexts& contexts;
    Summaries& summaries;
    const Verdicts& verdicts;
    const std::vector<Request>& requests;
    const Requested& requested;
    const Handles& handles;
    const Settings& settings;
    Assessment& assessment;

    const Step& step(FunctionId function, StepId id) const { return program.steps(function)[id]; }
    const Region& region(FunctionId function, RegionId id) const {
        return program.regions(function)[id];
    }
    bool is_required_above(Level level) const {
        return requested.level.has_value() && level > *requested.level;
    }
};

/// "'MPI_Send'".
std::string quoted(const Evidence& evidence, StringId name);
std::string quoted_variable(const Evidence& evidence, StringId name);
/// What facts call a variable, as people know it: demangled, without the line of a local one.
std::string readable_variable(std::string_view name);
std::string quoted_call(const Evidence& evidence, FunctionId function, StepId step);
std::string quoted_function(const Evidence& evidence, FunctionId function);
/// "'parallel' region", "'single' construct".
std::string kind_of(const Region& region);

/// A diagnostic at an MPI call.
Diagnostic at_call(const Evidence& evidence, Rule rule, FunctionId function, StepId step);

/// Of a call on the way to `called`, a function of the program; kNone: it is none.
Remark way_by(const Evidence& evidence,
              FunctionId called,
              FunctionId caller,
              StepId step,
              bool starts_thread);
/// "the program requests MPI_THREAD_SINGLE here", if that has a place.
void add_request(const Evidence& evidence, Diagnostic& diagnostic);
/// What the C++ library does inside of itself says nothing to people.
bool is_inside_library(const Evidence& evidence, FunctionId function);
/// How control comes to the entry of `node` in `state`, from the function in which the team or
/// thread starts, and that start. True: that is a thread which the program starts.
bool add_chain(const Evidence& evidence, Node node, int state, Diagnostic& diagnostic);
/// The region that makes `region` parallel, in the function itself. False: there is none.
bool add_region(const Evidence& evidence,
                FunctionId function,
                RegionId region,
                Diagnostic& diagnostic);
/// "'f' is called from 'main' here", from inside to outside. `is_partners`: the way leads to the
/// other call. True: a thread that the program starts is on it.
bool add_calls(const Evidence& evidence,
               const Verdicts::Route& route,
               bool is_partners,
               Diagnostic& diagnostic);

/// What the diagnostic says holds for that call, too.
void extend(const Evidence& evidence, FunctionId function, StepId step, Diagnostic& diagnostic);

/// One for each key, the first; the others add their places to it.
class Clusters {
public:
    explicit Clusters(Assessment& assessment) : assessment_(assessment) {}

    /// nullptr: there is none for the key yet, make one.
    Diagnostic* find(const std::vector<std::uint64_t>& key);
    void add(const std::vector<std::uint64_t>& key, Diagnostic diagnostic);
    /// `other` finds what `known` does.
    void alias(const std::vector<std::uint64_t>& other, const std::vector<std::uint64_t>& known);

private:
    Assessment& assessment_;
    std::map<std::vector<std::uint64_t>, std::size_t> known_;
};

}  // namespace mqinspect::thread_level
