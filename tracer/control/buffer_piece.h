/// A piece of a buffer that lies in one, and the words of it that are looked at: all of a short
/// one, of a longer one the first, the last, and some between.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tracer/checksum.h"
#include "tracer/handles/datatypes.h"

namespace mqinspect::tracer {

struct BufferPiece {
    static constexpr std::size_t kWord = sizeof(std::uint64_t);

    const std::uint8_t* place = nullptr;
    std::size_t bytes = 0;

    const std::uint8_t* first = nullptr;     ///< word
    std::uint64_t mask = ~std::uint64_t{0};  ///< of the first
    std::size_t between = 0;                 ///< words, so many bytes from one to the next:
    std::size_t step = kWord;
    const std::uint8_t* last = nullptr;  ///< word; null: there is only one
};

/// Of a buffer with gaps so many pieces are looked at, from the first to the last; one at least.
std::int64_t pieces_with_gaps(std::int64_t count, const DatatypeInfo& datatype);
inline std::int64_t pieces_of(std::int64_t count, const DatatypeInfo* datatype) {
    return datatype == nullptr || datatype->dense ? 1 : pieces_with_gaps(count, *datatype);
}
/// One of those, from the beginning of the buffer. Precondition: the type has segments.
Segment segment_of(std::int64_t count, const DatatypeInfo& datatype, std::int64_t number);

/// Of a piece whose memory is known.
inline void choose_words(BufferPiece& piece) {
    constexpr std::size_t word = BufferPiece::kWord;
    constexpr std::size_t most_words = 8;
    constexpr std::uint64_t page = 4096;
    piece.first = piece.place;
    if (piece.bytes < word) {
        // A word that holds it, on the same page.
        const std::uint64_t missing = word - piece.bytes;
        piece.mask >>= word * missing;
        if ((reinterpret_cast<std::uint64_t>(piece.place) & (page - 1)) <= page - word) return;
        piece.first -= missing;
        piece.mask <<= word * missing;
        return;
    }
    if (piece.bytes == word) return;
    piece.last = piece.place + piece.bytes - word;
    piece.between = (piece.bytes - 1) / word - 1;
    if (piece.between > most_words - 2) {
        piece.between = most_words - 2;
        piece.step = (piece.bytes - word) / (most_words - 1);
    }
}

/// `piece` is a new one; `number`: less than pieces_of(). False: nothing can be said of it.
inline bool describe_piece(BufferPiece& piece,
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

/// It never changes.
void look_at_nothing(BufferPiece& piece);

/// Of what is in it.
inline std::uint64_t sum_of(const BufferPiece& piece) {
    constexpr std::uint64_t factor = 0x9e37'79b9'7f4a'7c15;
    std::uint64_t sum = load_word(piece.first) & piece.mask;
    if (piece.last == nullptr) return sum;
    const std::uint8_t* at = piece.first;
    for (std::size_t i = 0; i < piece.between; ++i)
        sum = sum * factor + load_word(at += piece.step);
    return sum * factor + load_word(piece.last);
}

}  // namespace mqinspect::tracer
