/// Variables that say how many jobs have yet to be done, or how many are done: each thread that has
/// done one counts it, and who waits for all goes on when the variable is 0, or what it is to be.
///
/// For the analysis such a variable is 1 then, and 0 else; to count a job is Turn::Counted.
#pragma once

#include <unordered_map>

#include "thread_level/gcc_plugin/gathering.h"

namespace mqinspect::thread_level::plugin {

/// Which way it is counted when a job is done.
enum class JobCount : std::uint8_t { Down, Up };
/// By name.
using JobCounts = std::unordered_map<StringId, JobCount>;

JobCounts job_counts_of(const Gathering& gathering);

/// Whether the step, of a test, says something only if the variable is such.
bool is_only_of_count(const Step& step);

/// Says it of such a variable as the analysis has it. False: the step says nothing.
bool settle_job_count(Step& step, JobCount way);

}  // namespace mqinspect::thread_level::plugin
