/// What the recorder does between the return of an MPI procedure and the record of it, where
/// that takes more than a line of generated code.
#pragma once

#include <mpi.h>

namespace mqinspect::tracer::after {

void window_made(const char* kind, MPI_Win window, MPI_Comm communicator);

}  // namespace mqinspect::tracer::after
