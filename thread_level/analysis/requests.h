/// Where the program initializes MPI, and which level it asks for.
#pragma once

#include <optional>
#include <vector>

#include "thread_level/analysis/contexts.h"
#include "thread_level/analysis/program.h"
#include "thread_level/analysis/verdicts.h"

namespace mqinspect::thread_level {

struct Request {
    FunctionId function = 0;
    StepId step = 0;
    std::vector<Level> levels;  ///< what may be asked for; empty: it isn't known
    bool is_choice = false;     ///< these, or a lower one, for a reason that the program knows
};

/// Of each MPI_Init and MPI_Init_thread that is reached, but for those under the condition that
/// teams have one thread: nothing is required there. If main() comes to some, of these alone.
std::vector<Request> requests_of(const Program& program, const Contexts& contexts);

/// The least level that the program may have where it is not enough, and where it asks for it. If
/// all that is called behind each request is content with it: the least that all are content with.
struct Requested {
    std::optional<Level> level;   ///< empty: not known
    const Request* by = nullptr;  ///< nullptr: the settings say so
};
Requested requested_level(const Program& program,
                          const std::vector<Request>& requests,
                          const std::vector<SiteVerdict>& sites,
                          const Settings& settings);

}  // namespace mqinspect::thread_level
