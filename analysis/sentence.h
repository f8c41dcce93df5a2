/// The first line of a verdict.
#pragma once

#include <string>

#include "analysis/deadlock.h"
#include "analysis/job_index.h"
#include "analysis/stuck.h"
#include "analysis/waits.h"

namespace mqinspect::analysis {

/// One sentence about a verdict whose other members are filled in, and what else
/// must not be overlooked: further cores, ranks that still run.
std::string sentence(const JobIndex& index,
                     const Waits& waits,
                     const Stuck& stuck,
                     const Verdict& verdict);

}  // namespace mqinspect::analysis
