/// The files of a folder, sorted into the processes of one run.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

#include "trace_io/block_index.h"
#include "trace_io/definitions.h"
#include "trace_io/record_file.h"

namespace mqinspect::trace_io {

/// What one process has left.
struct ProcessFiles {
    std::string name;  ///< HOST.PID.START
    Definitions definitions;
    std::optional<RecordFile> log;  ///< empty: it is missing or no log
    std::uint64_t start_ns = 0;
    std::uint64_t pid = 0;
    std::vector<ThreadBlocks> threads;
    /// Parts are missing: they were given up for newer ones, cut off or damaged.
    bool incomplete = false;
};

/// Fails if the folder cannot be read or holds no recorded process that can be looked at. What
/// is foreign, cut or damaged is said in `problems`.
Result<std::vector<ProcessFiles>> read_folder(std::string_view folder,
                                              std::vector<std::string>& problems);

}  // namespace mqinspect::trace_io
