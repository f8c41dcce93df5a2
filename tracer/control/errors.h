/// MPI errors: recorded and explained before the program's own error handler acts.
///
/// MPI_ERRORS_ARE_FATAL would end the process inside the MPI library, so a handler of ours stands
/// in its place; it does what is to be done here and then lets MPI_ERRORS_ARE_FATAL act. The
/// program is told that nothing but MPI_ERRORS_ARE_FATAL is there. Where MPICH would take the
/// handler of MPI_COMM_WORLD instead, for a communicator or window that was given none, so do ours.
#pragma once

#include <mpi.h>

#include "tracer/log/site.h"

namespace mqinspect::tracer {

/// After MPI_Init.
void watch_errors();
/// A new window has MPI_ERRORS_ARE_FATAL.
void watch_errors_of(MPI_Win window);
/// Before MPI_Finalize.
void unwatch_errors();

/// Lets MPI_ERRORS_ARE_FATAL, or the handler of MPI_COMM_WORLD, act on the error that the calling
/// thread's open call has returned with. The handler itself cannot: MPICH calls it with its lock
/// held, and its procedures for error handlers take that lock.
[[gnu::cold]] void end_by_error();

/// What a call has returned, if it is no success: with MPI_ERRORS_RETURN nobody else tells. The
/// first wrong argument of a place of the program is explained; programs may try whether there is a
/// file.
[[gnu::cold]] void error_returned(Site& site, int code);

}  // namespace mqinspect::tracer
