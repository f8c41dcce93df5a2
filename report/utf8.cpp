#include "report/utf8.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace mqinspect::report {
namespace {

/// How the lead byte begins a sequence; length 0: it does not.
struct Lead {
    std::size_t length = 0;
    char32_t bits = 0;
    char32_t smallest = 0;  ///< less is an overlong form
};

Lead lead(unsigned char byte) {
    if (byte < 0x80) return {1, byte, 0};
    if (byte >= 0xC2 && byte < 0xE0) return {2, byte & 0x1FU, 0x80};
    if (byte >= 0xE0 && byte < 0xF0) return {3, byte & 0x0FU, 0x800};
    if (byte >= 0xF0 && byte < 0xF5) return {4, byte & 0x07U, 0x10000};
    return {};
}

/// Control characters, and those that end or reorder a line.
bool disturbs_terminal(char32_t c) {
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x200B && c <= 0x200F) ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF;
}

void append_escape(std::string& out, char32_t c) {
    if (c == '\n') {
        out += "\\n";
    } else if (c == '\t') {
        out += "\\t";
    } else if (c < 0x100) {
        fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned>(c));
    } else {
        fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
    }
}

}  // namespace

CodePoint decode(std::string_view text) {
    const auto first = static_cast<unsigned char>(text.front());
    const Lead start = lead(first);
    if (start.length == 0 || start.length > text.size()) return {first, 1, false};
    char32_t value = start.bits;
    for (std::size_t i = 1; i < start.length; ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if ((byte & 0xC0U) != 0x80) return {first, 1, false};
        value = (value << 6U) | (byte & 0x3FU);
    }
    const bool surrogate = value >= 0xD800 && value < 0xE000;
    if (value < start.smallest || value > 0x10FFFF || surrogate) return {first, 1, false};
    return {value, start.length, true};
}

std::string printable(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const CodePoint c = decode(text);
        if (!c.valid || disturbs_terminal(c.value)) {
            append_escape(out, c.value);
        } else {
            out += text.substr(0, c.bytes);
        }
        text.remove_prefix(c.bytes);
    }
    return out;
}

std::size_t columns(std::string_view text) {
    // Every byte but the continuation bytes begins a code point.
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80;
    }));
}

}  // namespace mqinspect::report
