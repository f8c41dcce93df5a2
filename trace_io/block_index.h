/// Where the blocks of each thread of a log are, in their order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace_io/record_file.h"

namespace mqinspect::trace_io {

/// A BlockHeader and its place, as they were when the run was opened.
struct BlockPlace {
    std::uint64_t offset = 0;  ///< of the header in the file
    std::uint64_t sequence = 0;
    std::uint64_t ticks = 0;
    std::uint64_t first_event = 0;
    std::uint32_t used = 0;
    std::uint32_t open_calls = 0;
};

struct ThreadBlocks {
    std::uint32_t thread = 0;
    std::vector<BlockPlace> blocks;  ///< by sequence, without a gap
};

/// By thread. Blocks that are damaged, and those behind a gap in a thread's sequence, are left
/// out with a line in `problems`.
std::vector<ThreadBlocks> index_blocks(const RecordFile& log, std::vector<std::string>& problems);

}  // namespace mqinspect::trace_io
