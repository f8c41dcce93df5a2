/// The parts of a record, as model/record_format.h has them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>

#include "model/record_format.h"

#include "tracer/log/site.h"

namespace mqinspect::tracer {

/// A value that is a list: cast to std::int64_t among the values.
struct List {
    std::size_t length = 0;
    std::int64_t* elements = nullptr;
};

inline const List& list_of(std::int64_t value) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): values are numbers or lists, as Procedure says
    return *reinterpret_cast<const List*>(value);
}

/// Room for the head of a record and for the fields before its values.
inline constexpr std::size_t kHeadBytes = 4 * model::kMaxVarintBytes;
/// Of a record: no procedure has that many.
inline constexpr std::size_t kMostValues = 63;
inline constexpr std::size_t kBitsPerByte = 7;

inline std::uint8_t* put_head(std::uint8_t* out, model::RecordKind kind, std::uint32_t number) {
    return model::put_varint(out, (std::uint64_t{number} << 2U) | static_cast<std::uint64_t>(kind));
}

/// All bytes, of which those that count stay: that takes no loop.
inline std::uint8_t* put_encoded(std::uint8_t* out, const EncodedNumber& number) {
    std::memcpy(out, number.bytes, sizeof number.bytes);
    return out + number.count;
}

inline std::int64_t difference(std::int64_t value, std::int64_t before) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) -
                                     static_cast<std::uint64_t>(before));
}

inline std::uint8_t* put_difference(std::uint8_t* out, std::int64_t value, std::int64_t before) {
    return model::put_varint(out, model::zigzag(difference(value, before)));
}

/// Bytes of the varint that says which of so many values have changed: always the same, because it
/// is written before it is known.
constexpr std::size_t mask_bytes(std::size_t count) {
    return count <= kBitsPerByte ? 1 : (count + kBitsPerByte - 1) / kBitsPerByte;
}

inline void put_mask(std::uint8_t* out, std::size_t bytes, std::uint64_t mask) {
    for (; bytes > 1; --bytes, mask >>= kBitsPerByte)
        *out++ = static_cast<std::uint8_t>(mask | 0x80U);
    *out = static_cast<std::uint8_t>(mask & 0x7fU);
}

/// Values that are no lists; they become those before.
template <std::size_t kCount>
[[gnu::always_inline]] inline std::uint8_t* put_numbers(std::uint8_t* out,
                                                        const std::int64_t* values,
                                                        std::int64_t* before) {
    static_assert(kCount <= kMostValues);
    std::uint8_t* const mask_at = out;
    out += mask_bytes(kCount);
    std::uint64_t changed = 0;
#pragma GCC unroll 16
    for (std::size_t i = 0; i < kCount; ++i) {
        if (values[i] == before[i]) continue;
        out = put_difference(out, values[i], before[i]);
        before[i] = values[i];
        changed |= std::uint64_t{1} << i;
    }
    put_mask(mask_at, mask_bytes(kCount), changed);
    return out;
}

inline LastList& last_list(std::int64_t before) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): what belongs to a list is always one of these
    return *reinterpret_cast<LastList*>(before);
}

/// Of a list in rows of so many elements, `row(i, out)` gives one. True: it is like the one before,
/// its length and all elements. It becomes the one before; an empty one behind a long one is taken
/// for new.
template <std::size_t kWidth, class Row>
bool keep_list(LastList& last, std::size_t rows, Row row) {
    std::uint64_t differs = last.length ^ (rows * kWidth);
    last.length = rows * kWidth;
    last.equals = 0;
    if (last.length > LastList::kMost) return false;
    for (std::size_t i = 0; i < rows; ++i) {
        std::int64_t values[kWidth];
        row(i, values);
#pragma GCC unroll 8
        for (std::size_t at = 0; at < kWidth; ++at) {
            std::int64_t& before = last.elements[i * kWidth + at];
            differs |= static_cast<std::uint64_t>(before ^ values[at]);
            before = values[at];
        }
    }
    return differs == 0;
}

/// The same of what the elements are made from, so many words for each row: `words(row)` is an
/// array of them. False: the elements may be others. `all`: they are made from nothing else.
template <class Words>
[[gnu::always_inline]] inline bool keep_words(LastList& last,
                                              bool all,
                                              std::size_t rows,
                                              Words words) {
    constexpr std::size_t width = std::tuple_size_v<decltype(words(rows))>;
    const bool same_count = all && rows != 0 && last.row_count == rows;
    std::uint32_t* before = last.words;
    std::size_t i = 0;
    for (; same_count && i < rows; ++i, before += width) {
        const auto now = words(i);
        std::uint32_t differs = 0;
#pragma GCC unroll 8
        for (std::size_t at = 0; at < width; ++at)
            differs |= before[at] ^ now[at];
        if (differs != 0) [[unlikely]]
            break;
    }
    if (same_count && i == rows) [[likely]]
        return true;
    last.row_count = all && rows <= LastList::kMostWords / width ? rows : 0;
    for (i = 0; i < last.row_count; ++i) {
        const auto now = words(i);
        std::copy(now.begin(), now.end(), last.words + i * width);
    }
    return false;
}

template <std::size_t kWidth, class Row>
std::uint8_t* put_list(std::uint8_t* out, std::size_t rows, Row row) {
    out = model::put_varint(out, rows * kWidth);
    std::int64_t before = 0;
    for (std::size_t i = 0; i < rows; ++i) {
        std::int64_t values[kWidth];
        row(i, values);
        for (const std::int64_t value : values) {
            out = put_difference(out, value, before);
            before = value;
        }
    }
    return out;
}

/// Writes the values of a record in their order, as they are worked out.
class ValueWriter {
public:
    /// `count`: how many there will be.
    ValueWriter(std::uint8_t* out, std::size_t count, std::int64_t* before)
        : mask_at_(out), mask_bytes_(mask_bytes(count)), out_(out + mask_bytes_), before_(before) {}

    [[gnu::always_inline]] void number(std::int64_t value) {
        std::int64_t& before = *before_++;
        if (value != before) {
            out_ = put_difference(out_, value, before);
            before = value;
            changed_ |= bit_;
        }
        bit_ <<= 1U;
    }
    /// `row(i, out)`: the elements of the list, so many at a time.
    template <std::size_t kWidth = 1, class Row>
    [[gnu::always_inline]] void list(std::size_t rows, Row row) {
        LastList& last = last_list(*before_++);
        if (!keep_list<kWidth>(last, rows, row)) {
            out_ = put_list<kWidth>(out_, rows, row);
            changed_ |= bit_;
        }
        bit_ <<= 1U;
    }
    /// So many elements that are all the same, which is often so.
    [[gnu::always_inline]] void list_of_equal(std::size_t count, std::int64_t value) {
        LastList& last = last_list(*before_);
        if (last.equals == count && last.equal == value && count != 0) [[likely]] {
            ++before_;
            bit_ <<= 1U;
            return;
        }
        list(count, [value](std::size_t /*i*/, std::int64_t* element) { *element = value; });
        last.equals = count <= LastList::kMost ? count : 0;
        last.equal = value;
    }
    /// The same of elements that are made from few words (keep_words()), if those change rarely.
    template <std::size_t kWidth, class Words, class Row>
    [[gnu::always_inline]] void list_of(bool all, std::size_t rows, Words words, Row row) {
        if (keep_words(last_list(*before_), all, rows, words)) [[likely]] {
            ++before_;
            bit_ <<= 1U;
        } else {
            list<kWidth>(rows, row);
        }
    }
    /// The place behind them.
    [[gnu::always_inline]] std::uint8_t* end() {
        put_mask(mask_at_, mask_bytes_, changed_);
        return out_;
    }

private:
    std::uint8_t* mask_at_;
    std::size_t mask_bytes_;
    std::uint8_t* out_;
    std::int64_t* before_;
    std::uint64_t bit_ = 1;
    std::uint64_t changed_ = 0;
};

/// Values of which those are lists whose bit is set in `lists`.
std::uint8_t* put_values(std::uint8_t* out,
                         std::size_t count,
                         std::uint64_t lists,
                         const std::int64_t* values,
                         std::int64_t* before);
/// Makes all of them 0 or empty.
void forget_values(std::int64_t* before, std::size_t count, std::uint64_t lists);

/// Upper bound for the bytes of a record with these values.
inline std::size_t record_bound(std::size_t count,
                                std::uint64_t lists,
                                const std::int64_t* values) {
    std::size_t elements = count;
    for (; lists != 0; lists &= lists - 1)
        elements += list_of(values[std::countr_zero(lists)]).length;
    return kHeadBytes + elements * model::kMaxVarintBytes;
}
/// Cuts the lists, so that a record with them takes no more than so many bytes.
void cut_lists(std::size_t count,
               std::uint64_t lists,
               const std::int64_t* values,
               std::size_t bytes);

}  // namespace mqinspect::tracer
