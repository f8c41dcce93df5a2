/// How an unfinished line of the shell can go on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/job_snapshot.h"

namespace mqinspect::shell {

/// What can stand in place of the last word of `line`, which may be empty: sorted, each
/// as it is to be typed. Nothing for a file name, which is the console's to know.
std::vector<std::string> completions(std::string_view line, const model::JobSnapshot& snapshot);

/// Where the last word of `line` begins: behind the last blank that is outside quotes.
std::size_t start_of_last_word(std::string_view line);

/// True if the last word of `line` is a file name.
bool expects_file(std::string_view line);

}  // namespace mqinspect::shell
