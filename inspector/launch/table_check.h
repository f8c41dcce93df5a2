/// Which processes of a launcher's table are safe to trace.
#pragma once

#include <sys/types.h>

#include <span>
#include <string>
#include <vector>

#include "inspector/job/process_table.h"
#include "inspector/job/proctable.h"

namespace mqinspect::launch {

struct CheckedTable {
    /// Of this host, distinct, in the order of the table.
    std::vector<pid_t> pids;
    /// One line for each kind of entry that cannot be true.
    std::vector<std::string> problems;
};

/// Entries of other hosts are left out. Of this host's only descendants of the launcher
/// count: a pid that is 0, named twice, gone, or somebody else's is a problem.
CheckedTable check_table(std::span<const job::ProctableEntry> entries,
                         const job::ProcessTable& processes,
                         pid_t launcher);

}  // namespace mqinspect::launch
