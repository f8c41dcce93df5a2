/// Windows of one-sided communication on device ch4 (mpidpre.h, mpidig_win.h,
/// mpidig_rma_callbacks.c).
///
/// All windows are objects of a pool. The synchronization of epochs and locks is done with
/// active messages on every network module: a window counts the calls of MPI_Win_post and
/// MPI_Win_complete that have arrived, but not whose they were, knows the groups that were
/// given to MPI_Win_start, once that has returned, and to MPI_Win_post; as a target how many
/// hold its lock, and who waits for it; as an origin for each target whether it holds the
/// lock. Operations that the network module does by itself are not counted.
#pragma once

#include "mqs_dll/communicators.h"
#include "mqs_dll/layout.h"
#include "mqs_dll/status.h"
#include "mqs_dll/symbols.h"
#include "mqs_dll/target.h"
#include "mqs_dll/windows.h"

namespace mqinspect::dll {

/// Adds all windows. A failure keeps what was read before it. Precondition:
/// layout.ch4_windows.is_known(), and the pool of windows has an address.
Status read_ch4_windows(const Target& target,
                        const Layout& layout,
                        const Symbols& symbols,
                        const CommunicatorTable& communicators,
                        WindowTable& table);

}  // namespace mqinspect::dll
