/// Fortran's integers of the wrong kind where MPI takes or gives addresses, offsets and sizes:
/// with mpif.h no compiler compares them, and MPI reads or writes beyond what is there
/// (MPI 4.0, 19.1.5).
#pragma once

#include <cstddef>

#include "analysis/findings.h"
#include "analysis/local/procedures.h"
#include "analysis/local/reporter.h"

namespace mqinspect::analysis {

class FortranKinds {
public:
    /// All of them must outlive it. Without CheckOptions::text nothing is found.
    FortranKinds(model::ProcessId process, const CheckOptions& options, Reporter& reporter)
        : process_(process), options_(options), reporter_(reporter) {}

    /// One finding for each argument.
    void check(const CallView& view);

private:
    void check(const CallView& view, std::size_t parameter);

    model::ProcessId process_;
    const CheckOptions& options_;
    Reporter& reporter_;
};

}  // namespace mqinspect::analysis
