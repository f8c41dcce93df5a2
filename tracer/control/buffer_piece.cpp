#include "tracer/control/buffer_piece.h"

#include <algorithm>

namespace mqinspect::tracer {

namespace {

constexpr std::int64_t kMostPieces = 3;

}  // namespace

std::int64_t pieces_with_gaps(std::int64_t count, const DatatypeInfo& datatype) {
    std::int64_t pieces = 1;
    const auto segments = static_cast<std::int64_t>(datatype.segment_count);
    if (__builtin_mul_overflow(count, segments, &pieces)) return 1;
    return std::clamp<std::int64_t>(pieces, 1, kMostPieces);
}

Segment segment_of(std::int64_t count, const DatatypeInfo& datatype, std::int64_t number) {
    const auto segments = static_cast<std::int64_t>(datatype.segment_count);
    std::int64_t at = 0;
    if (number != 0) {
        const std::int64_t last = pieces_with_gaps(count, datatype) - 1;
        const std::int64_t last_segment = count * segments - 1;
        at = number == last ? last_segment : last_segment / last * number;
    }
    Segment segment = datatype.segments[at % segments];
    segment.offset += at / segments * datatype.extent;
    return segment;
}

void look_at_nothing(BufferPiece& piece) {
    piece.mask = 0;
    piece.last = nullptr;
}

}  // namespace mqinspect::tracer
