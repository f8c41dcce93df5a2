/// Guards on a number that changes from one round to the next, each of which another thread passes,
/// where all of them meet behind: `if (omp_get_thread_num() == i) compute();` with a barrier in
/// compute(), which no thread would ever leave alone. So all of the team come there at a time, each
/// in a round of its own.
#pragma once

#include <vector>

#include "thread_level/analysis/program.h"

namespace mqinspect::thread_level {

std::vector<const Region*> rounds_of_all(const Program& program);

}  // namespace mqinspect::thread_level
