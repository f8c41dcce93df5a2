/// Datatypes of recordings in tests: predefined ones, and sizes by writing out the type map.
#pragma once

#include <vector>

#include "model/execution.h"

namespace mqinspect::test {

std::vector<model::RecordedDatatype> predefined_datatypes();

/// One entry of a type map (MPI 4.0, 5.1): a predefined datatype and its displacement.
struct MapEntry {
    model::DatatypeId type;
    std::int64_t displacement = 0;

    friend bool operator==(const MapEntry&, const MapEntry&) = default;
};

/// Of one element, in order. As long as the datatype has entries: for small ones.
std::vector<MapEntry> type_map(const std::vector<model::RecordedDatatype>& datatypes,
                               model::DatatypeId type);

/// Fills size, bounds and extents of the last one from its combiner and the datatypes before.
void measure_last(std::vector<model::RecordedDatatype>& datatypes);

}  // namespace mqinspect::test
