#include "tracer/log/encoding.h"

#include <bit>

namespace mqinspect::tracer {

namespace {

using model::kMaxVarintBytes;

std::size_t varint_bytes(std::uint64_t value) {
    std::size_t bytes = 1;
    for (; value >= 0x80; value >>= kBitsPerByte)
        ++bytes;
    return bytes;
}

/// How many elements of the list fit into so many bytes.
std::size_t fitting(const List& list, std::size_t bytes) {
    std::size_t used = kMaxVarintBytes;
    std::int64_t before = 0;
    for (std::size_t i = 0; i < list.length; ++i) {
        used += varint_bytes(model::zigzag(difference(list.elements[i], before)));
        if (used > bytes) return i;
        before = list.elements[i];
    }
    return list.length;
}

}  // namespace

std::uint8_t* put_values(std::uint8_t* out,
                         std::size_t count,
                         std::uint64_t lists,
                         const std::int64_t* values,
                         std::int64_t* before) {
    ValueWriter writer(out, count, before);
    for (std::size_t i = 0; i < count; ++i, lists >>= 1U) {
        if ((lists & 1U) == 0) {
            writer.number(values[i]);
        } else {
            const List& list = list_of(values[i]);
            writer.list(list.length,
                        [&list](std::size_t at, std::int64_t* row) { *row = list.elements[at]; });
        }
    }
    return writer.end();
}

void forget_values(std::int64_t* before, std::size_t count, std::uint64_t lists) {
    for (std::size_t i = 0; i < count; ++i, lists >>= 1U) {
        if ((lists & 1U) != 0) {
            LastList& last = last_list(before[i]);
            last.length = last.row_count = last.equals = 0;
        } else {
            before[i] = 0;
        }
    }
}

void cut_lists(std::size_t count,
               std::uint64_t lists,
               const std::int64_t* values,
               std::size_t bytes) {
    std::size_t room = bytes - kHeadBytes - count * kMaxVarintBytes;
    for (; lists != 0; lists &= lists - 1) {
        auto& list = const_cast<List&>(  // NOLINT: it is the caller's to lose
            list_of(values[std::countr_zero(lists)]));
        const std::size_t share = room / static_cast<std::size_t>(std::popcount(lists));
        list.length = fitting(list, share);
        room -= share;
    }
}

}  // namespace mqinspect::tracer
