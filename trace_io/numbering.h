/// One numbering for what the processes of a run have numbered each for themselves.
#pragma once

#include <string>
#include <vector>

#include "model/execution.h"

#include "trace_io/process_files.h"
#include "trace_io/translation.h"
#include "trace_io/worlds.h"

namespace mqinspect::trace_io {

/// Fills what comes from the definitions: all of the Execution but events, terminations and
/// problems. Returns a Translation for each place; those of places without files are empty.
/// StackId 0 is the empty stack.
std::vector<Translation> number_all(const std::vector<ProcessFiles>& processes,
                                    const std::vector<Place>& places,
                                    model::Execution& execution);

}  // namespace mqinspect::trace_io
