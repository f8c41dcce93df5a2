/// Who waits for processes that a call holds up which waits for no process of the run:
/// MPI_Comm_connect, MPI_Wait for a generalized request.
#pragma once

#include "analysis/findings.h"
#include "analysis/replay/stuck_findings.h"

namespace mqinspect::analysis {

/// After the play. What was found of the calls of those who wait becomes a consequence of the
/// finding about the call that holds them up. `findings` may lose some of its elements.
void attach_to_held(Player& player,
                    const InterprocessReport& report,
                    const StuckFindings& words,
                    Findings& findings);

}  // namespace mqinspect::analysis
