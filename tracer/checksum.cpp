#include "tracer/checksum.h"

#include <algorithm>
#include <cstring>

#include "tracer/log/memory.h"
#include "tracer/recorder.h"
#include "tracer/stack/guarded.h"

namespace mqinspect::tracer {

namespace {

constexpr std::uint64_t kFactorA = 0xa076'1d64'78bd'642fULL;
constexpr std::uint64_t kFactorB = 0xe703'7ed1'a0b4'28dbULL;
constexpr std::size_t kStep = 16;
/// Of a long message so many pieces are looked at, from the first to the last.
constexpr std::int64_t kPieces = 8;

/// Where a wrong count or address may point.
bool is_readable(const std::uint8_t* place) {
    std::uint8_t byte = 0;
    return read_through_kernel(place, &byte, 1);
}

/// The bytes of a message one behind the other, from any place on.
class Stream {
public:
    Stream(const std::uint8_t* buffer, const DatatypeInfo& datatype)
        : buffer_(buffer), datatype_(datatype) {}

    void copy(std::int64_t from, std::int64_t bytes, std::uint8_t* out) const {
        std::int64_t element = from / datatype_.size;
        std::int64_t skip = from % datatype_.size;
        for (; bytes > 0; ++element) {
            const std::uint8_t* base = buffer_ + element * datatype_.extent;
            for (std::size_t i = 0; i < datatype_.segment_count && bytes > 0; ++i) {
                const Segment& segment = datatype_.segments[i];
                if (skip >= segment.bytes) {
                    skip -= segment.bytes;
                    continue;
                }
                const std::int64_t part = std::min(segment.bytes - skip, bytes);
                std::memcpy(out, base + segment.offset + skip, static_cast<std::size_t>(part));
                out += part;
                bytes -= part;
                skip = 0;
            }
        }
    }

private:
    const std::uint8_t* buffer_;
    const DatatypeInfo& datatype_;
};

std::int64_t checksum_of_sample(const Stream& stream, std::int64_t total, std::int64_t most) {
    std::uint8_t sample[kMostChecksumBytes];
    if (total <= most) {
        stream.copy(0, total, sample);
        return checksum_of_bytes(sample, static_cast<std::size_t>(total));
    }
    const std::int64_t piece = std::max<std::int64_t>(most / kPieces, 1);
    for (std::int64_t i = 0; i < kPieces; ++i)
        stream.copy((total - piece) / (kPieces - 1) * i, piece, sample + i * piece);
    return checksum_of_bytes(sample, static_cast<std::size_t>(piece * kPieces));
}

}  // namespace

[[gnu::hot]] std::uint32_t checksum_of_bytes(const void* memory, std::size_t bytes) {
    const auto* at = static_cast<const std::uint8_t*>(memory);
    std::uint64_t hash = bytes * kFactorA;
    for (; bytes >= kStep; at += kStep, bytes -= kStep)
        hash = mix(load_word(at) ^ kFactorB, load_word(at + sizeof hash) ^ hash);
    if (bytes != 0) {
        std::uint8_t rest[kStep] = {};
        std::memcpy(rest, at, bytes);
        hash = mix(load_word(rest) ^ kFactorB, load_word(rest + sizeof hash) ^ hash);
    }
    hash = mix(hash ^ kFactorA, kFactorB);
    const auto folded = static_cast<std::uint32_t>(hash ^ (hash >> 32U));
    return folded == 0 ? 1 : folded;
}

std::int64_t checksum_in_pieces(const void* buffer,
                                std::int64_t count,
                                const DatatypeInfo& datatype,
                                std::int64_t bytes) {
    const std::int64_t most = recorder.options().checksum_bytes;
    std::int64_t total = 0;
    if (most == 0 || datatype.segments == nullptr ||
        __builtin_mul_overflow(count, datatype.size, &total))
        return 0;
    if (bytes >= 0) total = std::min(total, bytes);
    if (total <= 0) return 0;
    const auto* first = static_cast<const std::uint8_t*>(buffer);
    const std::uint8_t* begin = first + datatype.true_lower_bound;
    if (!is_checkable(reinterpret_cast<std::uint64_t>(begin))) return 0;
    const std::uint8_t* last =
        begin + (total - 1) / datatype.size * datatype.extent + datatype.true_extent - 1;
    if (!is_readable(begin) || !is_readable(last)) return 0;
    return checksum_of_sample(Stream(first, datatype), total, most);
}

[[gnu::noinline]] std::int64_t attempt_checksum(const void* buffer,
                                                std::int64_t count,
                                                const DatatypeInfo* datatype,
                                                std::int64_t bytes) {
    const Attempt attempt;
    return MQT_ATTEMPT(attempt) ? checksum(buffer, count, datatype, bytes) : 0;
}

}  // namespace mqinspect::tracer
