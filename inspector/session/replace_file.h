/// Writing a file so that nobody ever sees half of it.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

#include "base/result.h"

namespace mqinspect::session {

/// Puts `text` into the file. A regular file is replaced as a whole, by rename(2), and so is
/// the one that a symbolic link leads to. Into what is no regular file, such as /dev/null,
/// /dev/stdout or a pipe, the text is written: it must never be replaced.
/// System: what cannot be written, and why.
Result<Done> replace_file(const std::string& file, std::string_view text);
/// The same with what `print` writes, piece by piece.
Result<Done> replace_file(const std::string& file, const std::function<void(std::ostream&)>& print);

}  // namespace mqinspect::session
