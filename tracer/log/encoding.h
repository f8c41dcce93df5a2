/// The parts of a record, as model/record_format.h has them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

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
std::uint8_t* put_numbers(std::uint8_t* out, const std::int64_t* values, std::int64_t* before) {
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
