/// The trace of the processes: their calls and returns, one after another.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "report/checked_run.h"

namespace mqinspect::report {

/// Events FROM to TO of processes FIRST to LAST, both ends included.
struct TraceFragment {
    int first_process = 0;
    int last_process = std::numeric_limits<int>::max();
    std::uint64_t first_event = 0;
    std::uint64_t last_event = std::numeric_limits<std::uint64_t>::max();
};

/// "all", or a list such as "0-3,5:100-200": processes, and behind a colon events.
Result<std::vector<TraceFragment>> parse_trace_fragments(std::string_view text);

/// Prints the calls of which the entry is in a fragment. Takes its parts one after another to
/// `write` and ends early if that returns false.
void print_trace(const CheckedRun& run,
                 const model::Recording& recording,
                 const std::vector<TraceFragment>& fragments,
                 const std::function<bool(std::string_view)>& write);

}  // namespace mqinspect::report
