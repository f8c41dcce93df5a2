/// Lines of the user's source around the places where ranks are.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/job_snapshot.h"

namespace mqinspect::report {

struct SourceExcerpt {
    std::string file;  ///< as the debug information names it
    int line = 0;
    std::vector<model::WorldRank> ranks;  ///< that are at this line, ascending
    int first_line = 0;                   ///< of `lines`
    std::vector<std::string> lines;       ///< empty if they could not be read
    std::string remark;                   ///< why there are none, or why they may be others
};

/// A few lines around each distinct place at which the user's code of a rank is, the places
/// with most ranks first, at most `limit`. Only regular files that are named like
/// source are opened: the path comes from the target, and the report may be passed on.
std::vector<SourceExcerpt> source_excerpts(const model::JobSnapshot& snapshot, std::size_t limit);

}  // namespace mqinspect::report
