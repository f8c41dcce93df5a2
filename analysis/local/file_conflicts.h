/// Accesses to the same bytes of a file with nothing to order them, of several processes or of one.
///
/// MPI 4.0, 14.6.1: unless both are of one MPI_File_open in atomic mode, the outcome of two
/// accesses, one of which writes, is certain only if the process of the first one synchronises the
/// file (MPI_File_sync, MPI_File_close), then tells the other one, which synchronises it too
/// (MPI_File_sync, MPI_File_open), before the second access. Who has been told is known from vector
/// clocks (OrderedCalls); who may have been told in a way that the record does not show is taken
/// to know. A read that was over when its process told the one that writes is harmless. One process
/// needs no telling, and no synchronisation either by one handle, once the first access is over.
#pragma once

#include <vector>

#include "analysis/datatypes/footprint.h"
#include "analysis/local/procedures.h"
#include "analysis/local/reporter.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// Reads all processes once more if a file was opened by several of them or several times, or has
/// accesses that go on behind their calls. Memory is bounded by the accesses that others need not
/// know of yet, and by a limit.
void check_file_conflicts(const model::Recording& recording,
                          const std::vector<LocalProcedure>& procedures,
                          Footprints& footprints,
                          Reporter& reporter);

}  // namespace mqinspect::analysis
