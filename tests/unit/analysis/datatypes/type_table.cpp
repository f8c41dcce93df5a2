#include "tests/unit/analysis/datatypes/type_table.h"

#include <algorithm>

namespace mqinspect::analysis::test {

using model::DatatypeId;

DatatypeId TypeTable::add(std::string combiner,
                          std::vector<std::int64_t> integers,
                          std::vector<std::int64_t> addresses,
                          std::vector<DatatypeId> types,
                          std::vector<MapEntry> map) {
    model::RecordedDatatype type;
    type.id = DatatypeId{static_cast<int>(execution_.datatypes.size())};
    type.combiner = "MPI_COMBINER_" + combiner;
    type.integers = std::move(integers);
    type.addresses = std::move(addresses);
    type.types = std::move(types);
    std::int64_t low = map.empty() ? 0 : INT64_MAX;
    std::int64_t high = map.empty() ? 0 : INT64_MIN;
    for (const MapEntry& entry : map) {
        low = std::min(low, entry.displacement);
        high = std::max(high, entry.displacement + entry.bytes);
        type.size += entry.bytes;
    }
    type.lower_bound = type.true_lower_bound = low;
    type.extent = type.true_extent = high - low;
    maps_.push_back(std::move(map));
    execution_.datatypes.push_back(type);
    return type.id;
}

void TypeTable::append(std::vector<MapEntry>& map,
                       DatatypeId type,
                       std::int64_t count,
                       std::int64_t displacement) const {
    for (std::int64_t i = 0; i < count; ++i)
        for (MapEntry entry : maps_[type.index()]) {
            entry.displacement += displacement + i * extent(type);
            map.push_back(entry);
        }
}

std::vector<MapEntry> TypeTable::map_of(DatatypeId type, std::int64_t count) const {
    std::vector<MapEntry> result;
    append(result, type, count, 0);
    return result;
}

DatatypeId TypeTable::named(const std::string& name, std::int64_t bytes) {
    const DatatypeId id = add("NAMED", {}, {}, {}, {{name, 0, bytes}});
    execution_.datatypes.back().name = name;
    return id;
}

DatatypeId TypeTable::raw(model::RecordedDatatype type) {
    type.id = DatatypeId{static_cast<int>(execution_.datatypes.size())};
    execution_.datatypes.push_back(std::move(type));
    maps_.emplace_back();
    return execution_.datatypes.back().id;
}

DatatypeId TypeTable::contiguous(std::int64_t count, DatatypeId type) {
    std::vector<MapEntry> map;
    append(map, type, count, 0);
    return add("CONTIGUOUS", {count}, {}, {type}, map);
}

DatatypeId TypeTable::vector(std::int64_t count,
                             std::int64_t length,
                             std::int64_t stride,
                             DatatypeId type) {
    std::vector<MapEntry> map;
    for (std::int64_t i = 0; i < count; ++i)
        append(map, type, length, i * stride * extent(type));
    return add("VECTOR", {count, length, stride}, {}, {type}, map);
}

DatatypeId TypeTable::hvector(std::int64_t count,
                              std::int64_t length,
                              std::int64_t stride,
                              DatatypeId type) {
    std::vector<MapEntry> map;
    for (std::int64_t i = 0; i < count; ++i)
        append(map, type, length, i * stride);
    return add("HVECTOR", {count, length}, {stride}, {type}, map);
}

DatatypeId TypeTable::indexed(const std::vector<std::int64_t>& lengths,
                              const std::vector<std::int64_t>& places,
                              DatatypeId type) {
    std::vector<MapEntry> map;
    std::vector<std::int64_t> integers{static_cast<std::int64_t>(lengths.size())};
    for (std::size_t i = 0; i < lengths.size(); ++i)
        append(map, type, lengths[i], places[i] * extent(type));
    integers.insert(integers.end(), lengths.begin(), lengths.end());
    integers.insert(integers.end(), places.begin(), places.end());
    return add("INDEXED", integers, {}, {type}, map);
}

DatatypeId TypeTable::hindexed_block(std::int64_t length,
                                     const std::vector<std::int64_t>& places,
                                     DatatypeId type) {
    std::vector<MapEntry> map;
    for (const std::int64_t place : places)
        append(map, type, length, place);
    return add(
        "HINDEXED_BLOCK", {static_cast<std::int64_t>(places.size()), length}, places, {type}, map);
}

DatatypeId TypeTable::structure(const std::vector<std::int64_t>& lengths,
                                const std::vector<std::int64_t>& places,
                                const std::vector<DatatypeId>& types) {
    std::vector<MapEntry> map;
    std::vector<std::int64_t> integers{static_cast<std::int64_t>(lengths.size())};
    for (std::size_t i = 0; i < lengths.size(); ++i)
        append(map, types[i], lengths[i], places[i]);
    integers.insert(integers.end(), lengths.begin(), lengths.end());
    return add("STRUCT", integers, places, types, map);
}

DatatypeId TypeTable::resized(std::int64_t lower_bound, std::int64_t extent, DatatypeId type) {
    std::vector<MapEntry> map;
    append(map, type, 1, 0);
    const DatatypeId id = add("RESIZED", {}, {lower_bound, extent}, {type}, map);
    execution_.datatypes.back().lower_bound = lower_bound;
    execution_.datatypes.back().extent = extent;
    return id;
}

DatatypeId TypeTable::subarray(const std::vector<std::int64_t>& sizes,
                               const std::vector<std::int64_t>& wanted,
                               const std::vector<std::int64_t>& starts,
                               bool fortran,
                               DatatypeId type) {
    std::vector<MapEntry> map;
    std::int64_t elements = 1;
    for (const std::int64_t size : sizes)
        elements *= size;
    // Every element of the array in the order of memory: is it in the part?
    for (std::int64_t i = 0; i < elements; ++i) {
        std::int64_t rest = i;
        bool inside = true;
        for (std::size_t step = 0; step < sizes.size(); ++step) {
            const std::size_t at = fortran ? step : sizes.size() - 1 - step;
            const std::int64_t index = rest % sizes[at];
            rest /= sizes[at];
            inside = inside && index >= starts[at] && index < starts[at] + wanted[at];
        }
        if (inside) append(map, type, 1, i * extent(type));
    }
    std::vector<std::int64_t> integers{static_cast<std::int64_t>(sizes.size())};
    for (const auto* list : {&sizes, &wanted, &starts})
        integers.insert(integers.end(), list->begin(), list->end());
    integers.push_back(fortran ? 57 : 56);
    const DatatypeId id = add("SUBARRAY", integers, {}, {type}, map);
    execution_.datatypes.back().lower_bound = 0;
    execution_.datatypes.back().extent = elements * extent(type);
    return id;
}

DatatypeId TypeTable::darray(std::int64_t rank,
                             const std::vector<Distributed>& dimensions,
                             bool fortran,
                             DatatypeId type) {
    std::vector<MapEntry> map;
    std::vector<std::int64_t> coordinates(dimensions.size());
    std::int64_t elements = 1;
    std::int64_t processes = 1;
    std::int64_t rest_of_rank = rank;
    for (std::size_t at = dimensions.size(); at-- > 0;) {
        coordinates[at] = rest_of_rank % dimensions[at].processes;
        rest_of_rank /= dimensions[at].processes;
        elements *= dimensions[at].size;
        processes *= dimensions[at].processes;
    }
    for (std::int64_t i = 0; i < elements; ++i) {
        std::int64_t rest = i;
        bool mine = true;
        for (std::size_t step = 0; step < dimensions.size(); ++step) {
            const std::size_t at = fortran ? step : dimensions.size() - 1 - step;
            const Distributed& dimension = dimensions[at];
            const std::int64_t index = rest % dimension.size;
            rest /= dimension.size;
            if (dimension.distribution == Distribution::None) continue;
            const bool block = dimension.distribution == Distribution::Block;
            const std::int64_t length =
                dimension.argument > 0 ? dimension.argument
                : block ? (dimension.size + dimension.processes - 1) / dimension.processes
                        : 1;
            mine = mine && index / length % dimension.processes == coordinates[at];
        }
        if (mine) append(map, type, 1, i * extent(type));
    }
    std::vector<std::int64_t> integers{
        processes, rank, static_cast<std::int64_t>(dimensions.size())};
    for (const Distributed& dimension : dimensions)
        integers.push_back(dimension.size);
    for (const Distributed& dimension : dimensions)
        integers.push_back(121 + static_cast<std::int64_t>(dimension.distribution));
    for (const Distributed& dimension : dimensions)
        integers.push_back(dimension.argument > 0 ? dimension.argument : -49767);
    for (const Distributed& dimension : dimensions)
        integers.push_back(dimension.processes);
    integers.push_back(fortran ? 57 : 56);
    const DatatypeId id = add("DARRAY", integers, {}, {type}, map);
    execution_.datatypes.back().lower_bound = 0;
    execution_.datatypes.back().extent = elements * extent(type);
    return id;
}

DatatypeId TypeTable::random(std::mt19937& engine) {
    const auto pick = [&engine](std::int64_t low, std::int64_t high) {
        return std::uniform_int_distribution<std::int64_t>{low, high}(engine);
    };
    // One that is not too large for the next level.
    DatatypeId child{0};
    for (int attempt = 0; attempt < 8; ++attempt) {
        child = DatatypeId{
            static_cast<int>(pick(0, static_cast<std::int64_t>(execution_.datatypes.size()) - 1))};
        if (maps_[child.index()].size() <= 24) break;
        child = DatatypeId{0};
    }
    const auto other = DatatypeId{static_cast<int>(pick(0, 1))};
    const std::int64_t a = pick(0, 3);
    const std::int64_t b = pick(1, 3);
    switch (pick(0, 8)) {
        case 0:
            return contiguous(a, child);
        case 1:
            return vector(a, b, b + pick(0, 3), child);
        case 2:
            return hvector(b, a, pick(-40, 60), child);
        case 3:
            return indexed({a, b, 1}, {pick(0, 3), pick(4, 9), pick(-3, 0)}, child);
        case 4:
            return hindexed_block(b, {pick(-20, 20), pick(0, 40)}, child);
        case 5:
            return structure({a, b}, {pick(0, 16), pick(16, 64)}, {child, other});
        case 6:
            return resized(pick(-4, 4), extent(child) + pick(0, 12), child);
        case 7:
            return subarray({3, b + 1}, {2, b}, {pick(0, 1), pick(0, 1)}, a == 0, child);
        default:
            return darray(pick(0, 3),
                          {{pick(1, 7),
                            a == 0 ? Distribution::Block : Distribution::Cyclic,
                            pick(0, 1) == 0 ? -1 : 4,
                            2},
                           {pick(1, 4), Distribution::Cyclic, pick(0, 1) == 0 ? -1 : 2, 2}},
                          b == 1,
                          child);
    }
}

}  // namespace mqinspect::analysis::test
