/// Which of the recorded processes belong together, and in which order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

#include "trace_io/process_files.h"

namespace mqinspect::trace_io {

/// The place of a process in the run; `files` is empty if nothing is there of it.
struct Place {
    std::optional<std::size_t> files;
    int world = 0;
    std::int32_t rank = 0;
    std::int32_t first_of_world = 0;  ///< place of its world's rank 0
    std::int32_t world_size = 0;
    std::uint64_t world_key = 0;
};

/// By world, in the order of their starts, then by rank: the subscript is the ProcessId. Where
/// a folder holds runs that know nothing of each other, those of the newest.
Result<std::vector<Place>> arrange(const std::vector<ProcessFiles>& processes,
                                   std::string_view folder,
                                   std::vector<std::string>& problems);

}  // namespace mqinspect::trace_io
