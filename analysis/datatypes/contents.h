/// What a datatype is made of: the arguments of its constructor, in one form for all combiners.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/execution.h"

namespace mqinspect::analysis {

/// `count` copies, each `stride` bytes behind the one before.
struct Dimension {
    std::int64_t count = 0;
    std::int64_t stride = 0;
};

/// Copies of one datatype at regular distances: nested loops.
struct Part {
    model::DatatypeId type;
    std::int64_t displacement = 0;  ///< of the first copy, in bytes
    std::uint32_t first = 0;        ///< its loops, in TypeContents::dimensions, outermost first
    std::uint32_t dimensions = 0;   ///< how many
    std::int64_t copies = 0;        ///< the product of their counts
};

struct TypeContents {
    /// In the order of the type map; but a distributed array's may be out of order, which all
    /// have the same datatype.
    std::vector<Part> parts;
    std::vector<Dimension> dimensions;

    std::span<const Dimension> dimensions_of(const Part& part) const {
        return std::span{dimensions}.subspan(part.first, part.dimensions);
    }
};

/// True for the datatypes of the standard, those of MPI_Type_create_f90_real and its kin among
/// them: they are made of nothing else.
bool is_basic(const model::RecordedDatatype& type);
/// Bytes, whatever they mean: as such everything may be seen.
bool is_of_bytes(const model::RecordedDatatype& type);

/// The parts of a derived datatype. Integers and addresses are in the order of
/// MPI_Type_get_contents (MPI 4.0, 5.1.13); of the large-count constructors all numbers may
/// stand among the integers, in the order of the constructor's parameters.
///
/// Empty: a basic one, an unknown combiner, or a definition that makes no sense: too few
/// numbers, negative counts, ids out of range, or sizes beyond 64 bits. Parts may still name
/// datatypes that contain this one.
std::optional<TypeContents> contents_of(const model::Execution& execution, model::DatatypeId type);

}  // namespace mqinspect::analysis
