/// Sets of ranks as people write them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/ids.h"

namespace mqinspect::model {

/// "0-3,7": ascending, each once. InvalidArgument, with a message for the user: it is no
/// such text, or names a rank that is not below `size`.
Result<std::vector<WorldRank>> parse_ranks(std::string_view text, std::size_t size);

/// The text of ascending ranks that are not negative; empty if there are none.
std::string print_ranks(std::span<const WorldRank> ranks);

/// A single one; fails likewise.
Result<WorldRank> parse_rank(std::string_view text, std::size_t size);

}  // namespace mqinspect::model
