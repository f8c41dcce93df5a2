#include "tests/support/execution_datatypes.h"

#include <algorithm>
#include <stdexcept>

namespace mqinspect::test {

namespace {

using model::DatatypeId;
using model::RecordedDatatype;
using Types = std::vector<RecordedDatatype>;

struct Predefined {
    const char* name;
    std::int64_t size;
    std::int64_t extent;
};

constexpr Predefined kPredefined[] = {
    {"MPI_INT", 4, 4},
    {"MPI_CHAR", 1, 1},
    {"MPI_SIGNED_CHAR", 1, 1},
    {"MPI_UNSIGNED_CHAR", 1, 1},
    {"MPI_SHORT", 2, 2},
    {"MPI_UNSIGNED_SHORT", 2, 2},
    {"MPI_UNSIGNED", 4, 4},
    {"MPI_LONG", 8, 8},
    {"MPI_UNSIGNED_LONG", 8, 8},
    {"MPI_LONG_LONG_INT", 8, 8},
    {"MPI_FLOAT", 4, 4},
    {"MPI_DOUBLE", 8, 8},
    {"MPI_LONG_DOUBLE", 16, 16},
    {"MPI_BYTE", 1, 1},
    {"MPI_PACKED", 1, 1},
    {"MPI_INT8_T", 1, 1},
    {"MPI_INT32_T", 4, 4},
    {"MPI_INT64_T", 8, 8},
    {"MPI_UINT64_T", 8, 8},
    {"MPI_C_BOOL", 1, 1},
    {"MPI_INTEGER", 4, 4},
    {"MPI_REAL", 4, 4},
    {"MPI_DOUBLE_PRECISION", 8, 8},
    {"MPI_CHARACTER", 1, 1},
    {"MPI_LOGICAL", 4, 4},
    {"MPI_2INT", 8, 8},
    {"MPI_FLOAT_INT", 8, 8},
    {"MPI_DOUBLE_INT", 12, 16},
    {"MPI_AINT", 8, 8},
    {"MPI_COUNT", 8, 8},
};

void append(const Types& types,
            std::vector<MapEntry>& map,
            DatatypeId type,
            std::int64_t displacement,
            std::int64_t count) {
    const std::vector<MapEntry> element = type_map(types, type);
    for (std::int64_t index = 0; index < count; ++index) {
        const std::int64_t base = displacement + index * types[type.index()].extent;
        for (const MapEntry& entry : element)
            map.push_back({entry.type, base + entry.displacement});
    }
}

void append_subarray(const Types& types, const RecordedDatatype& type, std::vector<MapEntry>& map) {
    const auto dimensions = static_cast<std::size_t>(type.integers.at(0));
    const auto at = [&](std::size_t list, std::size_t dimension) {
        return type.integers.at(1 + list * dimensions + dimension);
    };
    constexpr std::int64_t kOrderFortran = 57;   // of MPICH
    std::vector<std::size_t> order(dimensions);  // slowest first
    for (std::size_t index = 0; index < dimensions; ++index)
        order[index] = type.integers.back() == kOrderFortran ? dimensions - 1 - index : index;

    std::vector<std::int64_t> starts{0};  // in elements
    for (const std::size_t dimension : order) {
        std::vector<std::int64_t> inner;
        for (const std::int64_t start : starts)
            for (std::int64_t index = 0; index < at(1, dimension); ++index)
                inner.push_back(start * at(0, dimension) + at(2, dimension) + index);
        starts = std::move(inner);
    }
    for (const std::int64_t start : starts)
        append(types, map, type.types.at(0), start * types[type.types[0].index()].extent, 1);
}

void append_blocks(const Types& types, const RecordedDatatype& type, std::vector<MapEntry>& map) {
    const std::int64_t count = type.integers.at(0);
    const bool in_bytes = !type.addresses.empty();
    const bool is_struct = type.combiner == "MPI_COMBINER_STRUCT";
    const bool one_length = type.combiner.ends_with("INDEXED_BLOCK");
    for (std::int64_t block = 0; block < count; ++block) {
        const auto index = static_cast<std::size_t>(block);
        const DatatypeId old = type.types.at(is_struct ? index : 0);
        const std::int64_t length = type.integers.at(one_length ? 1 : 1 + index);
        const std::size_t first = one_length ? 2 : 1 + static_cast<std::size_t>(count);
        const std::int64_t displacement =
            in_bytes ? type.addresses.at(index)
                     : type.integers.at(first + index) * types[old.index()].extent;
        append(types, map, old, displacement, length);
    }
}

std::int64_t alignment(const Types& types, const std::vector<MapEntry>& map) {
    std::int64_t most = 1;
    for (const MapEntry& entry : map)
        most = std::max(most, std::min<std::int64_t>(8, types[entry.type.index()].extent));
    return most;
}

}  // namespace

std::vector<RecordedDatatype> predefined_datatypes() {
    Types types;
    for (const Predefined& predefined : kPredefined) {
        RecordedDatatype type;
        type.id = DatatypeId{static_cast<int>(types.size())};
        type.name = predefined.name;
        type.combiner = "MPI_COMBINER_NAMED";
        type.size = predefined.size;
        type.extent = type.true_extent = predefined.extent;
        types.push_back(std::move(type));
    }
    return types;
}

std::vector<MapEntry> type_map(const Types& types, DatatypeId id) {
    const RecordedDatatype& type = types.at(id.index());
    const std::string& combiner = type.combiner;
    std::vector<MapEntry> map;
    if (combiner == "MPI_COMBINER_NAMED") {
        map.push_back({id, 0});
    } else if (combiner == "MPI_COMBINER_DUP" || combiner == "MPI_COMBINER_RESIZED") {
        append(types, map, type.types.at(0), 0, 1);
    } else if (combiner == "MPI_COMBINER_CONTIGUOUS") {
        append(types, map, type.types.at(0), 0, type.integers.at(0));
    } else if (combiner == "MPI_COMBINER_VECTOR" || combiner == "MPI_COMBINER_HVECTOR") {
        const std::int64_t stride =
            type.addresses.empty() ? type.integers.at(2) * types[type.types.at(0).index()].extent
                                   : type.addresses[0];
        for (std::int64_t block = 0; block < type.integers.at(0); ++block)
            append(types, map, type.types.at(0), block * stride, type.integers.at(1));
    } else if (combiner == "MPI_COMBINER_SUBARRAY") {
        append_subarray(types, type, map);
    } else if (combiner.find("INDEXED") != combiner.npos || combiner == "MPI_COMBINER_STRUCT") {
        append_blocks(types, type, map);
    } else {
        throw std::invalid_argument("no such combiner: " + combiner);
    }
    return map;
}

void measure_last(Types& types) {
    RecordedDatatype& type = types.back();
    const std::vector<MapEntry> map = type_map(types, type.id);
    std::int64_t low = INT64_MAX;
    std::int64_t high = INT64_MIN;
    std::int64_t true_low = INT64_MAX;
    std::int64_t true_high = INT64_MIN;
    type.size = 0;
    for (const MapEntry& entry : map) {
        const RecordedDatatype& basic = types[entry.type.index()];
        type.size += basic.size;
        true_low = std::min(true_low, entry.displacement);
        true_high = std::max(true_high, entry.displacement + basic.true_extent);
    }
    low = true_low;
    high = true_high;
    if (type.combiner == "MPI_COMBINER_RESIZED") {
        low = type.addresses.at(0);
        high = low + type.addresses.at(1);
    } else if (type.combiner == "MPI_COMBINER_SUBARRAY") {
        const auto dimensions = static_cast<std::size_t>(type.integers.at(0));
        low = 0;
        high = types[type.types.at(0).index()].extent;
        for (std::size_t dimension = 0; dimension < dimensions; ++dimension)
            high *= type.integers.at(1 + dimension);
    } else if (type.combiner == "MPI_COMBINER_DUP" || type.combiner == "MPI_COMBINER_CONTIGUOUS") {
        const RecordedDatatype& old = types[type.types.at(0).index()];
        const std::int64_t count = type.integers.empty() ? 1 : type.integers[0];
        low = old.lower_bound;
        high = low + count * old.extent;
    } else if (type.combiner == "MPI_COMBINER_STRUCT" && !map.empty()) {
        const std::int64_t unit = alignment(types, map);
        high = low + (high - low + unit - 1) / unit * unit;
    }
    if (map.empty()) low = high = true_low = true_high = 0;
    type.lower_bound = low;
    type.extent = high - low;
    type.true_lower_bound = true_low;
    type.true_extent = true_high - true_low;
}

}  // namespace mqinspect::test
