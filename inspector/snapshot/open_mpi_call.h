/// Arguments of a call into Open MPI.
///
/// Its handles are addresses and its constants have other values than MPICH's
/// (include/mpich_handles.h), which the rest of this program speaks.
#pragma once

#include "inspector/snapshot/arguments.h"

namespace mqinspect::snapshot {

/// Gives the constants of Open MPI 4.1's mpi.h MPICH's values, names datatypes and
/// operators, and reads the requests of a Wait call. Communicators stay addresses.
void translate_open_mpi(const target::DebugSymbols& view,
                        const target::Memory& memory,
                        RawCall& call);

}  // namespace mqinspect::snapshot
