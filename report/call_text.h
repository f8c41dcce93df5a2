/// Calls and places as a table shows them.
#pragma once

#include <string>

#include "model/call.h"
#include "model/job_snapshot.h"

namespace mqinspect::report {

/// "MPI_Recv(1 MPI_INT, source=3, tag=7, MPI_COMM_WORLD)". Leaves out what does not
/// decide who waits for whom (buffers, statuses); with `verbose` every argument is
/// there, by name: "MPI_Recv(buf=0x7ffd, count=1, datatype=MPI_INT, ...)".
std::string call_text(const model::Call& call, bool verbose);

/// "ring.c:14", with `verbose` the whole path; "-" if unknown.
std::string location_text(const model::SourceLocation& location, bool verbose);

/// Where the user's code of a rank is: the call's place, else the innermost frame
/// with a source line. Null if nothing is known. Lives as long as `rank`.
const model::SourceLocation* user_location(const model::RankSnapshot& rank);

/// What a rank that is not blocked does: "compute", "compute, in MPI_Test(...)",
/// "main, in clock_nanosleep"; "?" if its stack is unknown.
std::string activity_text(const model::RankSnapshot& rank, bool verbose);

}  // namespace mqinspect::report
