/// A look at the ranks that another debugger holds, through its eyes: nothing here stops a
/// process or reads one by itself.
#pragma once

#include <chrono>
#include <span>
#include <string>

#include "base/result.h"
#include "inspector/debugger/held_process.h"
#include "inspector/session/session.h"

namespace mqinspect::debugger {

struct HeldJobOptions {
    std::string dll;  ///< the user's choice of debugger DLL, empty: search
    bool show_internal = false;
    /// For one rank; what the debugger takes to answer the DLL's questions does not count.
    std::chrono::milliseconds dll_patience = std::chrono::seconds(5);
};

/// The job of which these are ranks. Ranks that are not held are unreadable, so that the
/// verdict is unknown where they matter. A debugger stops one process after the other, and
/// a message may be under way between them: where that cannot be ruled out for a living
/// job, findings are only suspected. InvalidArgument: find_ranks, or there is none.
Result<session::Findings> look_at_held(std::span<const HeldProcess* const> held,
                                       const HeldJobOptions& options);

}  // namespace mqinspect::debugger
