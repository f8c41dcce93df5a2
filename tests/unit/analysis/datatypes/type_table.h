/// Datatypes for tests, with their type maps written out: the slow and obvious way, to compare
/// the analysis with.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "model/execution.h"

namespace mqinspect::analysis::test {

/// A basic datatype and where it lies.
struct MapEntry {
    std::string name;
    std::int64_t displacement = 0;
    std::int64_t bytes = 0;
};

class TypeTable {
public:
    model::DatatypeId named(const std::string& name, std::int64_t bytes);
    model::DatatypeId contiguous(std::int64_t count, model::DatatypeId type);
    model::DatatypeId vector(std::int64_t count,
                             std::int64_t length,
                             std::int64_t stride,
                             model::DatatypeId type);
    model::DatatypeId hvector(std::int64_t count,
                              std::int64_t length,
                              std::int64_t stride,
                              model::DatatypeId type);
    model::DatatypeId indexed(const std::vector<std::int64_t>& lengths,
                              const std::vector<std::int64_t>& places,
                              model::DatatypeId type);
    model::DatatypeId hindexed_block(std::int64_t length,
                                     const std::vector<std::int64_t>& places,
                                     model::DatatypeId type);
    model::DatatypeId structure(const std::vector<std::int64_t>& lengths,
                                const std::vector<std::int64_t>& places,
                                const std::vector<model::DatatypeId>& types);
    model::DatatypeId resized(std::int64_t lower_bound,
                              std::int64_t extent,
                              model::DatatypeId type);
    model::DatatypeId subarray(const std::vector<std::int64_t>& sizes,
                               const std::vector<std::int64_t>& wanted,
                               const std::vector<std::int64_t>& starts,
                               bool fortran,
                               model::DatatypeId type);
    enum class Distribution { Block, Cyclic, None };
    struct Distributed {
        std::int64_t size = 0;
        Distribution distribution = Distribution::Block;
        std::int64_t argument = -1;  ///< -1: MPI_DISTRIBUTE_DFLT_DARG
        std::int64_t processes = 1;
    };
    model::DatatypeId darray(std::int64_t rank,
                             const std::vector<Distributed>& dimensions,
                             bool fortran,
                             model::DatatypeId type);

    /// Any definition, whether or not it makes sense; bounds are 0.
    model::DatatypeId raw(model::RecordedDatatype type);

    /// A datatype made of the first ones, of any kind, small enough to write out.
    model::DatatypeId random(std::mt19937& engine);

    /// `count` elements of it.
    std::vector<MapEntry> map_of(model::DatatypeId type, std::int64_t count) const;

    const model::Execution& execution() const { return execution_; }
    model::Execution& execution() { return execution_; }

private:
    model::DatatypeId add(std::string combiner,
                          std::vector<std::int64_t> integers,
                          std::vector<std::int64_t> addresses,
                          std::vector<model::DatatypeId> types,
                          std::vector<MapEntry> map);
    /// `count` copies of a type from `displacement` on.
    void append(std::vector<MapEntry>& map,
                model::DatatypeId type,
                std::int64_t count,
                std::int64_t displacement) const;
    std::int64_t extent(model::DatatypeId type) const {
        return execution_.datatypes[type.index()].extent;
    }

    model::Execution execution_;
    std::vector<std::vector<MapEntry>> maps_;
};

}  // namespace mqinspect::analysis::test
