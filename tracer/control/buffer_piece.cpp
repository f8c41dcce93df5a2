#include "tracer/control/buffer_piece.h"

#include <algorithm>

namespace mqinspect::tracer {

namespace {

constexpr std::size_t kMostWords = 8;
constexpr std::int64_t kMostPieces = 3;
constexpr std::uint64_t kPage = 4096;

void choose_words(BufferPiece& piece) {
    constexpr std::size_t word = BufferPiece::kWord;
    piece.first = piece.place;
    if (piece.bytes < word) {
        // A word that holds it, on the same page.
        const std::uint64_t missing = word - piece.bytes;
        piece.mask >>= word * missing;
        if ((reinterpret_cast<std::uint64_t>(piece.place) & (kPage - 1)) <= kPage - word) return;
        piece.first -= missing;
        piece.mask <<= word * missing;
        return;
    }
    if (piece.bytes == word) return;
    piece.last = piece.place + piece.bytes - word;
    piece.between = (piece.bytes - 1) / word - 1;
    if (piece.between > kMostWords - 2) {
        piece.between = kMostWords - 2;
        piece.step = (piece.bytes - word) / (kMostWords - 1);
    }
}

/// Of a type with gaps, from the beginning of the buffer.
Segment segment_of(std::int64_t count, const DatatypeInfo& datatype, std::int64_t number) {
    const auto segments = static_cast<std::int64_t>(datatype.segment_count);
    const std::int64_t last = pieces_of(count, &datatype) - 1;
    const std::int64_t last_segment = count * segments - 1;
    const std::int64_t at = number == last ? last_segment : last_segment / last * number;
    Segment segment = datatype.segments[at % segments];
    segment.offset += at / segments * datatype.extent;
    return segment;
}

}  // namespace

std::int64_t pieces_of(std::int64_t count, const DatatypeInfo* datatype) {
    if (datatype == nullptr || datatype->dense) return 1;
    std::int64_t pieces = 1;
    const auto segments = static_cast<std::int64_t>(datatype->segment_count);
    if (__builtin_mul_overflow(count, segments, &pieces)) return 1;
    return std::clamp<std::int64_t>(pieces, 1, kMostPieces);
}

bool describe_piece(BufferPiece& piece,
                    const void* buffer,
                    std::int64_t count,
                    const DatatypeInfo* datatype,
                    std::int64_t number) {
    std::int64_t bytes = 0;
    if (datatype == nullptr || count <= 0 ||
        __builtin_mul_overflow(count, datatype->extent, &bytes))
        return false;
    std::int64_t offset = datatype->true_lower_bound;
    if (datatype->dense) {
        bytes = count * datatype->size;
    } else if (datatype->segments != nullptr && datatype->segment_count != 0) {
        const Segment segment = segment_of(count, *datatype, number);
        offset = segment.offset;
        bytes = segment.bytes;
    } else {
        return false;
    }
    const auto place = reinterpret_cast<std::uint64_t>(buffer) + static_cast<std::uint64_t>(offset);
    if (bytes <= 0 || !is_checkable(place)) return false;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): MPI_BOTTOM is null, and types have addresses
    piece.place = reinterpret_cast<const std::uint8_t*>(place);
    piece.bytes = static_cast<std::size_t>(bytes);
    choose_words(piece);
    return true;
}

void look_at_nothing(BufferPiece& piece) {
    piece.mask = 0;
    piece.last = nullptr;
}

}  // namespace mqinspect::tracer
