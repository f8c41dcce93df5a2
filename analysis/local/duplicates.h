/// Communicators that MPI_Comm_idup is still making.
#pragma once

#include <cstdint>
#include <map>

#include "analysis/local/handles.h"
#include "analysis/local/procedures.h"
#include "analysis/local/reporter.h"
#include "analysis/local/requests.h"

namespace mqinspect::analysis {

/// The checks of one process. The arguments of the constructor must outlive it.
class Duplicates {
public:
    Duplicates(model::ProcessId process,
               const Requests& requests,
               Handles& handles,
               Reporter& reporter)
        : process_(process), requests_(requests), handles_(handles), reporter_(reporter) {}

    /// A call that has made a request.
    void note(const CallView& view);
    /// Reports the use of one before its request is complete. False: there is one.
    bool check(const CallView& view);
    /// Behind a call that has completed requests: what it has failed to make is none.
    void settle(const CallView& view);
    /// MPI_Finalize: those whose requests nobody has completed are none.
    void finalize();

private:
    model::ProcessId process_;
    const Requests& requests_;
    Handles& handles_;
    Reporter& reporter_;
    std::map<std::int64_t, std::int64_t> requests_of_;  ///< by communicator
};

}  // namespace mqinspect::analysis
