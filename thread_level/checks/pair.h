/// Pairs of sites that were seen to meet, or could have met.
#pragma once

#include "thread_level/checks/record.h"

namespace mqinspect::thread_level::checks {

// What is confirmed of a pair: bits.
inline constexpr unsigned kUnordered = 1;
inline constexpr unsigned kOverlapped = 2;
inline constexpr unsigned kCollectives = 4;

/// Reports what was not known of the pair. Both are executed, `one` right now.
void confirm(unsigned kinds, const Party& one, const Party& other);

/// In the child: no pair is known.
void forget_pairs_after_fork();

}  // namespace mqinspect::thread_level::checks
