#include "inspector/target/quoted_text.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

namespace mqinspect::target {
namespace {

constexpr std::size_t kRepeats = 10;
constexpr std::uint64_t kChunk = 64;  // divides a page

std::string escaped(unsigned char character, char quote) {
    constexpr std::string_view letters = "abtnvfr";
    if (character >= '\a' && character <= '\r')
        return std::string{'\\', letters[character - std::size_t{'\a'}]};
    // Fortran writes a quote twice.
    if (quote != '\0' && character == static_cast<unsigned char>(quote))
        return quote == '\'' ? "''" : std::string{'\\', quote};
    if (character == '\\' && quote != '\'') return "\\\\";
    if (character < 0x20 || character >= 0x7f) return fmt::format("\\{:03o}", character);
    return std::string(1, static_cast<char>(character));
}

}  // namespace

std::string quoted_character(unsigned char character) {
    if (character == '\'') return "'\\''";
    if (character == '\\') return "'\\\\'";
    return fmt::format("'{}'", escaped(character, '\0'));
}

std::string quoted_text(std::string_view text, char quote) {
    std::string out;
    bool open = false;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t end = std::min(text.find_first_not_of(text[i], i), text.size());
        const auto character = static_cast<unsigned char>(text[i]);
        if (end - i >= kRepeats) {
            if (open) out += quote;
            open = false;
            if (!out.empty()) out += ", ";
            out += fmt::format("{} <repeats {} times>", quoted_character(character), end - i);
            i = end;
            continue;
        }
        if (!open) out += (out.empty() ? "" : ", ") + std::string(1, quote);
        open = true;
        out += escaped(character, quote);
        ++i;
    }
    if (open) out += quote;
    return out.empty() ? std::string(2, quote) : out;
}

Result<TargetText> read_text(const Memory& memory, Address address, std::size_t limit) {
    TargetText read;
    while (read.text.size() < limit) {
        const std::uint64_t at = to_integer(address) + read.text.size();
        std::array<std::byte, kChunk> chunk{};
        const std::size_t length =
            std::min<std::size_t>(kChunk - at % kChunk, limit - read.text.size());
        const auto got = memory.read(Address{at}, std::span{chunk}.first(length));
        if (!got && read.text.empty())
            return Error{ErrorCode::BadAddress, fmt::format("cannot be read at {:#x}", at)};
        if (!got) return read;
        for (const std::byte byte : std::span{chunk}.first(length)) {
            if (byte == std::byte{0}) {
                read.complete = true;
                return read;
            }
            read.text += static_cast<char>(byte);
        }
    }
    return read;
}

}  // namespace mqinspect::target
