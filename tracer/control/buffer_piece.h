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
std::int64_t pieces_of(std::int64_t count, const DatatypeInfo* datatype);
/// `piece` is a new one; `number`: less than pieces_of(). False: nothing can be said of it.
bool describe_piece(BufferPiece& piece,
                    const void* buffer,
                    std::int64_t count,
                    const DatatypeInfo* datatype,
                    std::int64_t number);
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
