/// What is said of a unit, a family of rules each. They append to Evidence::assessment.
#pragma once

#include "thread_level/analysis/wording.h"

namespace mqinspect::thread_level {

/// ThreadLevel: calls that need more than what is requested.
void check_levels(const Evidence& evidence);
/// ConcurrentCollectives, ConcurrentRequest, MessageOrder, Finalize: what runs at the same time.
void check_meetings(const Evidence& evidence);
/// CollectiveOrder, ConditionalLock: what runs in turn.
void check_turns(const Evidence& evidence);
/// InitInParallel, Finalize, ProvidedUntested, LevelTooHigh, StrictSingle.
void check_program(const Evidence& evidence);
/// InvalidNesting.
void check_nesting(const Evidence& evidence);

}  // namespace mqinspect::thread_level
