/// Sets of ranks as people write them.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>

#include "model/worlds.h"

namespace mqinspect::report {

/// "0-3,7" for any order of ranks, each named once; "?" for kUnknownRank, "none"
/// for no rank. More than `limit` ranges end in "... (12 ranks)": the number of
/// all of them.
std::string rank_ranges(std::span<const model::WorldRank> ranks,
                        std::size_t limit = std::numeric_limits<std::size_t>::max());

/// The same in a job of several worlds: "0-3 of world 0 and 7 of world 1".
std::string rank_ranges(const model::Worlds& worlds,
                        std::span<const model::WorldRank> ranks,
                        std::size_t limit = std::numeric_limits<std::size_t>::max());

/// "rank 3", "ranks 0-3,7", "rank 2 of world 1"; kUnknownRank, as often as it is there,
/// is "2 processes of another job".
std::string named_ranks(const model::Worlds& worlds, std::span<const model::WorldRank> ranks);

}  // namespace mqinspect::report
