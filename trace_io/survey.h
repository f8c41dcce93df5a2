/// A first walk through all records of a process: its events, how it ended, what is damaged.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/execution.h"

#include "trace_io/thread_reader.h"

namespace mqinspect::trace_io {

struct Survey {
    std::vector<model::RecordedEvent> events;  ///< by time
    model::Termination termination;
    bool threads_communicate = false;  ///< two at least
    /// There are more changes of buffers than EventList::kMostChanges.
    bool changes_left_out = false;
    std::vector<std::string> problems;
};

/// `procedures` are the run's.
Survey survey(const ProcessSource& source, const std::vector<model::Procedure>& procedures);

}  // namespace mqinspect::trace_io
