/// How each process ended: crashes, aborts, calls that never returned, missing MPI_Finalize.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/local/progress.h"
#include "analysis/local/reporter.h"

namespace mqinspect::analysis {

/// A call that had not returned when the record of its process ended.
struct OpenCall {
    CallSite site;
    bool send = false;                ///< a blocking send
    bool receive = false;             ///< a blocking receive, or both
    std::vector<CallSite> waits_for;  ///< the starts of requests that it waits for
    bool at_once = false;  ///< returns without waiting for anything, and is not called in a loop:
                           ///< it would be a strange chance if the process were killed there
    bool asks = false;     ///< MPI_Test and its kin: returns whether or not there is something
    /// The finding that says what is wrong with the call.
    std::optional<std::size_t> cause{};
};

struct Ending {
    model::ProcessId process;
    std::vector<OpenCall> open;     ///< without MPI_Abort
    std::optional<CallSite> last;   ///< the last call of all
    std::optional<CallSite> abort;  ///< MPI_Abort
    Progress progress;
    bool initialized = false;
    bool finalized = false;
    std::optional<CallSite> session;  ///< MPI_Session_init: MPI_Session_finalize is missing
    /// MPI ended the process because of a call, which has been reported: the finding's subscript,
    /// if it is known.
    bool refused = false;
    std::optional<std::size_t> refusal;
};

/// Reports all processes together: those that were ended because of another one's crash or
/// abort are consequences of it.
void report_endings(const model::Execution& execution,
                    const std::vector<Ending>& endings,
                    Findings& findings,
                    Reporter& reporter);

}  // namespace mqinspect::analysis
