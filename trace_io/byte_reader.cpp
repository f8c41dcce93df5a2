#include "trace_io/byte_reader.h"

#include <bit>
#include <cstring>

namespace mqinspect::trace_io {
namespace {

constexpr std::uint64_t kLastBits = 0x8080'8080'8080'8080;   // of eight bytes; 0 ends a varint
constexpr std::uint64_t kOneOfEach = 0x0101'0101'0101'0101;  // times it: the sum of the bytes

std::uint64_t load(const std::uint8_t* bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return word;
}

// Seven bits of each of eight bytes, the lowest byte's lowest.
std::uint64_t seven_of_each(std::uint64_t word) {
    word = (word & 0x007f'007f'007f'007f) | ((word & 0x7f00'7f00'7f00'7f00) >> 1U);
    word = (word & 0x0000'3fff'0000'3fff) | ((word & 0x3fff'0000'3fff'0000) >> 2U);
    return (word & 0x0000'0000'0fff'ffff) | ((word & 0x0fff'ffff'0000'0000) >> 4U);
}

}  // namespace

ByteReader::LongVarint ByteReader::long_varint(const std::uint8_t* at, const std::uint8_t* end) {
    if (static_cast<std::size_t>(end - at) >= model::kMaxVarintBytes) {
        const std::uint64_t word = load(at);
        const std::uint64_t ends = ~word & kLastBits;
        if (ends != 0) {
            return {seven_of_each(word & (ends ^ (ends - 1))),
                    at + (std::countr_zero(ends) + 1) / 8};
        }
        const std::uint64_t ninth = at[8];
        const std::uint64_t tenth = ninth < 0x80 ? 0 : at[9];
        if (tenth <= 1) {
            return {seven_of_each(word) | (ninth & 0x7fU) << 56U | tenth << 63U,
                    at + (ninth < 0x80 ? 9 : 10)};
        }
    }
    LongVarint read;
    read.behind = model::get_varint(at, end, read.value);
    return read.behind != nullptr ? read : LongVarint{};
}

void ByteReader::differences(std::span<std::int64_t> list) {
    ByteReader reader = *this;
    std::uint64_t before = 0;
    for (std::int64_t& element : list) {
        before += static_cast<std::uint64_t>(reader.number());
        element = static_cast<std::int64_t>(before);
    }
    *this = reader;
}

void ByteReader::skip_varints(std::size_t count) {
    while (count > 0 && ok()) {
        // Those that end among the next eight bytes.
        const std::uint64_t ends = count >= 8 && remaining() >= 8 ? ~load(at_) & kLastBits : 0;
        if (ends != 0) {
            at_ += std::bit_width(ends) / 8;
            count -= (ends >> 7U) * kOneOfEach >> 56U;
        } else {
            varint();
            --count;
        }
    }
}

}  // namespace mqinspect::trace_io
