#include "tracer/log/encoding.h"

#include <bit>

namespace mqinspect::tracer {

namespace {

using model::kMaxVarintBytes;

LastList& last_list(std::int64_t before) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): what belongs to a list is always one of these
    return *reinterpret_cast<LastList*>(before);
}

/// Without memcmp: its wide loads would wait for the narrow stores of the elements.
bool is_last(const List& list, const LastList& last) {
    if (list.length != last.length || list.length > LastList::kMost) return false;
    for (std::size_t i = 0; i < list.length; ++i)
        if (list.elements[i] != last.elements[i]) return false;
    return true;
}

/// The list becomes the one before; an empty one behind a long one is taken for new.
std::uint8_t* put_list(std::uint8_t* out, const List& list, LastList& last) {
    const bool kept = list.length <= LastList::kMost;
    last.length = list.length;
    out = model::put_varint(out, list.length);
    std::int64_t before = 0;
    for (std::size_t i = 0; i < list.length; ++i) {
        const std::int64_t element = list.elements[i];
        if (kept) last.elements[i] = element;
        out = put_difference(out, element, before);
        before = element;
    }
    return out;
}

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
    std::uint8_t* const mask_at = out;
    out += mask_bytes(count);
    std::uint64_t changed = 0;
    std::uint64_t bit = 1;
    for (std::size_t i = 0; i < count; ++i, bit <<= 1U) {
        if ((lists & bit) != 0) {
            const List& list = list_of(values[i]);
            LastList& last = last_list(before[i]);
            if (is_last(list, last)) continue;
            out = put_list(out, list, last);
        } else {
            if (values[i] == before[i]) continue;
            out = put_difference(out, values[i], before[i]);
            before[i] = values[i];
        }
        changed |= bit;
    }
    put_mask(mask_at, mask_bytes(count), changed);
    return out;
}

void forget_values(std::int64_t* before, std::size_t count, std::uint64_t lists) {
    for (std::size_t i = 0; i < count; ++i, lists >>= 1U) {
        if ((lists & 1U) != 0) {
            last_list(before[i]).length = 0;
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
