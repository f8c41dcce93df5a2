#include "inspector/target/memory.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace mqinspect::target {
namespace {

constexpr std::size_t kChunk = 256;

}  // namespace

Result<std::string> read_string(const Memory& memory, Address address, std::size_t limit) {
    // A string may end just before memory that cannot be read: reads stay within
    // aligned chunks, and shrink where a chunk is not readable in full.
    std::array<char, kChunk> buffer{};
    std::string text;
    std::uint64_t at = to_integer(address);
    std::size_t most = kChunk;
    while (text.size() <= limit) {
        const std::size_t length = std::min({kChunk - at % kChunk, limit - text.size() + 1, most});
        const auto part = std::span{buffer}.first(length);
        const auto got = memory.read(Address{at}, std::as_writable_bytes(part));
        if (!got) {
            if (length == 1) return got.error();
            most = length / 2;
            continue;
        }
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
