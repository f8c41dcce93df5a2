/// How much a process's one-sided operations transfer that need not be complete at their targets:
/// what debuggers read in the frames of calls that wait for that (Call::keep).
#pragma once

#include <cstdint>

#include <mpi.h>

namespace mqinspect::tracer {

/// `count` elements of the datatype, to or from the target.
void one_sided_started(MPI_Win window, int target, std::int64_t count, MPI_Datatype datatype);
/// All of the window's are complete, or those of one target.
void one_sided_completed(MPI_Win window);
void one_sided_completed(MPI_Win window, int target);
/// At most so many bytes, of all windows.
std::int64_t one_sided_bytes();

}  // namespace mqinspect::tracer
