/// What check_local finds in a recorded run of a few lines, as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/findings.h"

namespace mqinspect::analysis::test {

/// "error overlapping 0,1: MPI_Irecv a.c:2, MPI_Irecv a.c:1", with " x3" if it was found three
/// times. A place that is no call is "at a.c:7".
std::string summary(const model::Execution& execution, const Finding& finding);

/// Of a run of these statements (tests/support/execution_builder.h).
std::vector<std::string> check(int processes,
                               std::string_view statements,
                               const CheckOptions& options = {});

/// Of these statements between MPI_Init and MPI_Finalize (f.c:99) of all processes.
std::vector<std::string> check_between(int processes,
                                       std::string_view statements,
                                       const CheckOptions& options = {});

/// The messages of the findings of such a run.
std::vector<std::string> messages_between(int processes,
                                          std::string_view statements,
                                          const CheckOptions& options = {});

}  // namespace mqinspect::analysis::test
