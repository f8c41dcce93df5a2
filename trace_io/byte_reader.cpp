#include "trace_io/byte_reader.h"

#include <bit>
#include <cstring>

namespace mqinspect::trace_io {
namespace {

constexpr std::uint64_t kLastBits = 0x8080'8080'8080'8080;  // of eight bytes; 0 ends a varint

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

std::uint64_t ByteReader::long_varint() {
    if (remaining() >= model::kMaxVarintBytes) {
        const std::uint64_t word = load(at_);
        const std::uint64_t ends = ~word & kLastBits;
        if (ends != 0) {
            at_ += (std::countr_zero(ends) + 1) / 8;
            return seven_of_each(word & (ends ^ (ends - 1)));
        }
        const std::uint64_t ninth = at_[8];
        const std::uint64_t tenth = ninth < 0x80 ? 0 : at_[9];
        if (tenth <= 1) {
            at_ += ninth < 0x80 ? 9 : 10;
            return seven_of_each(word) | (ninth & 0x7fU) << 56U | tenth << 63U;
        }
    }
    std::uint64_t value = 0;
    at_ = model::get_varint(at_, end_, value);
    if (at_ != nullptr) return value;
    fail();
    return 0;
}

void ByteReader::skip_varints(std::size_t count) {
    while (count > 0 && ok()) {
        // Eight of one byte each.
        if (count >= 8 && remaining() >= 8 && (load(at_) & kLastBits) == 0) {
            at_ += 8;
            count -= 8;
        } else {
            varint();
            --count;
        }
    }
}

}  // namespace mqinspect::trace_io
