/// The basic objects that a datatype is made of, each with its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/declared_buffer.h"
#include "model/execution.h"

namespace mqinspect::analysis {

struct MappedElement {
    model::DeclaredElement element;  ///< `offset` in bytes from the buffer's address on
    model::DatatypeId type;          ///< the basic datatype
};

/// The first `limit` or so elements of the type map (MPI 4.0, 5.1) of `count` elements, in its
/// order. Left out: what may hold anything (MPI_BYTE, MPI_PACKED, single bytes), and definitions
/// that are missing or make no sense.
std::vector<MappedElement> type_map(const model::Execution& execution,
                                    model::DatatypeId type,
                                    std::int64_t count,
                                    std::size_t limit);

}  // namespace mqinspect::analysis
