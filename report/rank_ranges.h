/// Sets of ranks as people write them.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>

#include "model/ids.h"

namespace mqinspect::report {

/// "0-3,7" for any order of ranks, each named once; "?" for kUnknownRank, "none"
/// for no rank. More than `limit` ranges end in "... (12 ranks)": the number of
/// all of them.
std::string rank_ranges(std::span<const model::WorldRank> ranks,
                        std::size_t limit = std::numeric_limits<std::size_t>::max());

/// "rank 3", "ranks 0-3,7".
std::string named_ranks(std::span<const model::WorldRank> ranks);

}  // namespace mqinspect::report
