/// Text that comes from the target, made safe to show. Nothing is assumed of it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mqinspect::report {

struct CodePoint {
    char32_t value = 0;
    /// Bytes that it takes, at least 1; 1 if they are not UTF-8.
    std::size_t bytes = 1;
    bool valid = false;
};

/// The first code point of `text`, which must not be empty. Overlong forms,
/// surrogates and values above U+10FFFF are not valid.
CodePoint decode(std::string_view text);

/// One line that a terminal can only print: control characters, bytes that are
/// not UTF-8 and characters that reorder a line are spelled "\n", "\x1b", "\u202e".
std::string printable(std::string_view text);

/// Columns that printable() text takes: its code points.
std::size_t columns(std::string_view text);

}  // namespace mqinspect::report
