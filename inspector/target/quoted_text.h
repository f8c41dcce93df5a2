/// Characters of a target, made printable.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "inspector/target/memory.h"

namespace mqinspect::target {

/// As C writes a character: 'a', '\n', '\000'.
std::string quoted_character(unsigned char character);

/// In the given quotes, what is not printable escaped, ten or more equal characters written
/// once: "abc", '\000' <repeats 12 times>.
std::string quoted_text(std::string_view text, char quote);

/// Text up to a NUL, at most `limit` characters of it.
struct TargetText {
    std::string text;
    bool complete = false;
};
/// BadAddress: not even the first character can be read.
Result<TargetText> read_text(const Memory& memory, Address address, std::size_t limit);

}  // namespace mqinspect::target
