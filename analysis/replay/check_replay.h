/// Deadlocks and hang-ups, those of the run and those that buffering has hidden: classes III.1 to
/// III.4; and what could have gone another way: MessageRace.
#pragma once

#include "analysis/findings.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// Plays the run once more, as if no send were buffered and all collective operations
/// synchronized, with the matches that were observed. Runs of which a part is missing are not
/// looked at.
void check_replay(const model::Recording& recording,
                  const CheckOptions& options,
                  Findings& findings);

/// What check_pairing and check_replay find, with the run read once where that is possible.
void check_pairing_and_replay(const model::Recording& recording,
                              const CheckOptions& options,
                              Findings& findings);

}  // namespace mqinspect::analysis
