/// The bytes of memory that a call reads or writes, and whether two calls touch the same ones.
///
/// Datatypes are kept as nested loops over contiguous runs and never written out: whether two
/// columns of a matrix share a byte is a question about numbers (is there i * s + j * t in a
/// range?), which Euclid's algorithm answers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/datatypes/contents.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// Addresses from `low` up to, but not including, `high`.
struct ByteRange {
    std::int64_t low = 0;
    std::int64_t high = 0;

    bool empty() const { return low >= high; }
    bool contains(std::int64_t address) const { return low <= address && address < high; }
    bool meets(const ByteRange& other) const {
        return low < other.high && other.low < high && !empty() && !other.empty();
    }
};

/// Contiguous bytes, repeated by nested loops with positive strides.
struct Run {
    std::int64_t start = 0;
    std::int64_t length = 0;
    std::uint32_t first = 0;       ///< its loops, in Footprint::loops
    std::uint32_t dimensions = 0;  ///< how many
};

/// A set of bytes.
struct Footprint {
    bool known = true;
    std::vector<Run> runs;
    std::vector<Dimension> loops;

    std::span<const Dimension> loops_of(const Run& run) const {
        return std::span{loops}.subspan(run.first, run.dimensions);
    }
};

enum class Overlap { None, Some, Unknown };

/// Exact, unless one of the footprints is unknown or the question exceeds a fixed amount of
/// work, which takes strides of more than two different sizes that do not nest: then Unknown.
Overlap overlap(const Footprint& left, const Footprint& right);

/// The same with the work that is left for several such questions.
Overlap overlap(const Footprint& left, const Footprint& right, int& work);

/// Footprints by datatype, each worked out once when it is first asked for. Not thread-safe.
/// The execution must outlive it.
class Footprints {
public:
    explicit Footprints(const model::Execution& execution) : execution_(execution) {}

    /// The smallest range around the bytes of `count` elements at `address`, from the bounds
    /// that the MPI library gave. Empty where nothing is touched; no value: not known.
    std::optional<ByteRange> hull(std::int64_t address,
                                  std::int64_t count,
                                  model::DatatypeId type) const;

    /// The bytes themselves. Unknown: a datatype that is null, invalid, makes no sense, or needs
    /// more than some ten thousand runs.
    Footprint of(std::int64_t address, std::int64_t count, model::DatatypeId type);

    /// Do the entries of `count` elements share bytes among themselves? What is received with
    /// such a datatype has no certain value. Unknown as above.
    Overlap own_overlap(std::int64_t count, model::DatatypeId type);

private:
    const Footprint* of_one(model::DatatypeId type, int depth);
    static Footprint repeated(const Footprint& one,
                              std::int64_t start,
                              std::span<const Dimension> loops);
    Overlap entries_of_one(model::DatatypeId type, int depth);
    Overlap entries_of_derived(model::DatatypeId type, int depth);
    Overlap between_parts(const TypeContents& contents);
    Overlap between_copies(model::DatatypeId type, std::span<const Dimension> loops, int& work);

    const model::Execution& execution_;
    std::unordered_map<model::DatatypeId, Footprint> by_type_;
    std::unordered_map<model::DatatypeId, Overlap> entries_;
    std::map<std::pair<model::DatatypeId, std::int64_t>, Overlap> entries_of_several_;
};

}  // namespace mqinspect::analysis
