#include "inspector/target/memory.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace mqinspect::target {

Result<std::string> read_string(const Memory& memory, Address address, std::size_t limit) {
    // Reads end at chunk boundaries, so that a string that ends just before an
    // unmapped page is read in full.
    constexpr std::size_t kChunk = 256;
    std::array<char, kChunk> buffer{};
    std::string text;
    std::uint64_t at = to_integer(address);
    while (text.size() <= limit) {
        const std::size_t length = std::min(kChunk - at % kChunk, limit - text.size() + 1);
        const auto part = std::span{buffer}.first(length);
        TRY(memory.read(Address{at}, std::as_writable_bytes(part)));
        const auto end = std::find(part.begin(), part.end(), '\0');
        text.append(part.begin(), end);
        if (end != part.end()) return text;
        if (__builtin_add_overflow(at, length, &at)) break;
    }
    return Error{
        ErrorCode::CorruptData,
        fmt::format("the string at {:#x} is longer than {} bytes", to_integer(address), limit)};
}

}  // namespace mqinspect::target
