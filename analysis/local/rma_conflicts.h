/// One-sided operations that touch the same memory of a target with nothing to order them.
///
/// MPI 4.0, 12.7: the outcome of such accesses is undefined, unless both read, or both
/// accumulate with the same operation. Operations of one process are ordered by what completes
/// them at the target: the end of an epoch, or a flush. Those of several processes are
/// unordered for certain if they are of one epoch of MPI_Win_fence; or, under shared locks, if
/// neither process knew, by messages or collective operations, that the other's was complete
/// (vector clocks, OrderedCalls). What a process may have been told by what it fetched, or loaded
/// under its own exclusive lock, is looked at behind the last call (Tellings). Who may have been
/// told in a way that the record does not show (by a probe, a file, MPI_Win_sync over and over) is
/// taken to know. Where there are
/// no clocks, both must have passed as many collective operations of all members and heard of
/// nobody since. Operations of windows that have memory in common are compared in this way
/// whatever their epochs. Loads and stores of the target's program count as far as the recorder
/// has seen them (EventKind::LocalAccess); under locks, loads only if the process has been told
/// that the operation was started, or if nothing speaks for a program that waits for what is put by
/// loading it: no second load at that place, no lock of its own, no MPI_Win_sync.
#pragma once

#include <vector>

#include "analysis/datatypes/footprint.h"
#include "analysis/local/attachments.h"
#include "analysis/local/procedures.h"
#include "analysis/local/reporter.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// Of each process, in their order.
using EventsByProcess = std::vector<std::vector<const model::RecordedEvent*>>;

/// Reads all processes side by side; memory is bounded by the operations between two collective
/// operations of a window's members. `attachments` has been shown all calls.
void check_rma_conflicts(const model::Recording& recording,
                         const std::vector<LocalProcedure>& procedures,
                         const EventsByProcess& events,
                         Footprints& footprints,
                         Attachments& attachments,
                         Reporter& reporter);

}  // namespace mqinspect::analysis
