/// A line of the shell, taken apart.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace mqinspect::shell {

/// Words are separated by blanks; a word, or a part of one, in "..." or '...' may hold
/// blanks. InvalidArgument: a quote that does not end.
Result<std::vector<std::string>> split_words(std::string_view line);

/// What follows the first word, as it was typed, without blanks at its ends.
std::string_view after_first_word(std::string_view line);

/// The word as split_words takes it for one.
std::string quoted_word(std::string_view word);

}  // namespace mqinspect::shell
