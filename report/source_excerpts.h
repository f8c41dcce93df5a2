/// Lines of the user's source around the places where ranks are.
#pragma once

#include <string>
#include <vector>

#include "model/job_snapshot.h"

namespace mqinspect::report {

struct PlaceExcerpt {
    model::SourceExcerpt excerpt;
    std::vector<model::WorldRank> ranks;  ///< that are at this line, ascending
};

/// A few lines around each distinct place at which the user's code of a rank is, the places
/// with most ranks first. Where the snapshot has kept the lines of a place, these; else
/// those of the file: only regular files that are named like
/// source are opened: the path comes from the target, and the report may be passed on.
std::vector<PlaceExcerpt> source_excerpts(const model::JobSnapshot& snapshot);

/// Puts the lines that `source_excerpts` finds into the snapshot, for a report elsewhere or later.
void keep_sources(model::JobSnapshot& snapshot);

/// All lines of a file under the same conditions; empty if it cannot be read.
std::vector<std::string> read_source_lines(const std::string& path);

}  // namespace mqinspect::report
