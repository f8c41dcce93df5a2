/// Has a rank moved between two looks?
#pragma once

#include <vector>

#include "analysis/job_index.h"

namespace mqinspect::analysis {

/// By rank of `second`: it stands where it stood in `first`, and enough is known of
/// it to say so. Messages that have come in meanwhile are no move of the receiver.
std::vector<bool> unmoved_ranks(const JobIndex& first, const JobIndex& second);

}  // namespace mqinspect::analysis
