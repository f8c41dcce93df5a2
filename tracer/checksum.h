/// Checksums of the bytes that a message takes from, or puts into, a buffer.
///
/// Equal bytes in the order of the type map have equal checksums, whatever the datatypes; of
/// long messages a sample counts that depends on nothing but their length.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "tracer/handles/datatypes.h"
#include "tracer/recorder.h"

namespace mqinspect::tracer {

/// What MQI_RECORD_CHECKSUM may be at most.
constexpr std::int64_t kMostChecksumBytes = 65536;

/// No place that MPI_BOTTOM or MPI_IN_PLACE stand for.
constexpr bool is_checkable(std::uint64_t place) {
    constexpr std::uint64_t page = 4096;
    return place - page < UINT64_MAX - 2 * page;
}

inline std::uint64_t load_word(const std::uint8_t* bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return word;
}

/// Of plain memory; never 0.
std::uint32_t checksum_of_bytes(const void* memory, std::size_t bytes);

/// The rare cases of checksum().
std::int64_t checksum_in_pieces(const void* buffer,
                                std::int64_t count,
                                const DatatypeInfo& datatype,
                                std::int64_t bytes);

/// checksum_if_there(), if checksums are wanted.
std::int64_t attempt_checksum(const void* buffer,
                              std::int64_t count,
                              const DatatypeInfo* datatype,
                              std::int64_t bytes);

/// 0: not taken, because the type or the buffer is none, or the user does not want it. `bytes`: of
/// what was received; negative: all of `count` elements.
inline std::int64_t checksum(const void* buffer,
                             std::int64_t count,
                             const DatatypeInfo* datatype,
                             std::int64_t bytes = -1) {
    const auto most = static_cast<std::uint64_t>(recorder.options().checksum_bytes);
    if (most == 0 || datatype == nullptr || count <= 0) return 0;
    std::int64_t total = 0;
    if (!datatype->dense || __builtin_mul_overflow(count, datatype->size, &total))
        return checksum_in_pieces(buffer, count, *datatype, bytes);
    // Unsigned, less than 0 is more than anything.
    const std::uint64_t wanted =
        std::min(static_cast<std::uint64_t>(total), static_cast<std::uint64_t>(bytes));
    if (wanted - 1 >= most) return checksum_in_pieces(buffer, count, *datatype, bytes);
    const auto place = reinterpret_cast<std::uint64_t>(buffer) +
                       static_cast<std::uint64_t>(datatype->true_lower_bound);
    if (!is_checkable(place)) return 0;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): MPI_BOTTOM is null, and types have addresses
    return checksum_of_bytes(reinterpret_cast<const void*>(place), wanted);
}

/// The same of a buffer that the program may have unmapped since MPI has had it: 0.
inline std::int64_t checksum_if_there(const void* buffer,
                                      std::int64_t count,
                                      const DatatypeInfo* datatype,
                                      std::int64_t bytes = -1) {
    const bool wanted = recorder.options().checksum_bytes != 0;
    return wanted ? attempt_checksum(buffer, count, datatype, bytes) : 0;
}

}  // namespace mqinspect::tracer
