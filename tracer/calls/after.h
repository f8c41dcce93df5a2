/// What the recorder does between the return of an MPI procedure and the record of it, where
/// that takes more than a line of generated code.
#pragma once

#include <cstdint>

#include <mpi.h>

#include "tracer/log/site.h"

namespace mqinspect::tracer::after {

#if MPI_VERSION >= 4
/// Of a process that has not called MPI_Init: the session tells who it is.
void session_begun(MPI_Session session, const Site& site);
/// Before it does.
void session_ends(const MPI_Session* session);
#endif

/// `begin_ns`: the wall clock before the call.
void spawned(MPI_Comm intercommunicator, std::uint64_t begin_ns);

void window_made(const char* kind, MPI_Win window, MPI_Comm communicator);

/// An array of handles is not the program's: Fortran's have another form than C's, and the bindings
/// give back what they have made of them.
bool are_copies(const Site& site);

}  // namespace mqinspect::tracer::after
