/// The MPIR process table of a launcher.
///
/// Follows "The MPIR Process Acquisition Interface" 1.1, chapter 9.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/result.h"
#include "inspector/target/process_view.h"

namespace mqinspect::job {

/// As the launcher has it; nothing is checked. An unreadable text is empty.
struct ProctableEntry {
    std::string host;
    std::string executable;
    pid_t pid = 0;
};

/// More than any launcher has started.
inline constexpr int kMaxProctableSize = 1 << 24;

/// Its index is the rank in MPI_COMM_WORLD. Empty: the launcher has not filled it
/// (yet). MissingDebugInfo: it has none, or none that is visible; CorruptData: its
/// size or its address cannot be true.
Result<std::vector<ProctableEntry>> read_proctable(const target::ProcessView& launcher,
                                                   const target::Memory& memory);

}  // namespace mqinspect::job
