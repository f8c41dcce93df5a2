#include "analysis/datatypes/contents.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "analysis/datatypes/checked.h"

namespace mqinspect::analysis {

namespace {

// More dimensions make no array that anybody has; each may double the parts of a darray.
constexpr std::int64_t kMaxArrayDimensions = 10;

// MPI_ORDER_FORTRAN, MPI_DISTRIBUTE_... as MPICH and Open MPI number them; the numbers differ.
enum class Order { C, Fortran, Unknown };
enum class Distribution { Block, Cyclic, None, Unknown };

Order order_of(std::int64_t value) {
    if (value == 56 || value == 0) return Order::C;
    if (value == 57 || value == 1) return Order::Fortran;
    return Order::Unknown;
}

Distribution distribution_of(std::int64_t value) {
    if (value == 121 || value == 0) return Distribution::Block;
    if (value == 122 || value == 1) return Distribution::Cyclic;
    if (value == 123 || value == 2) return Distribution::None;
    return Distribution::Unknown;
}

bool is_default_argument(std::int64_t value) {
    return value == -49767 || value == -1;
}

/// Indices of one dimension of an array: start, start + step, ... in one or two loops.
struct Indices {
    std::int64_t start = 0;
    std::array<Dimension, 2> loops{};
    std::uint32_t used = 1;
};

class Decoder {
public:
    Decoder(const model::Execution& execution, const model::RecordedDatatype& type)
        : execution_(execution),
          type_(type),
          integers_(type.integers),
          addresses_(type.addresses) {}

    std::optional<TypeContents> decode() {
        if (!children_exist() || !decode_combiner()) return std::nullopt;
        return std::move(contents_);
    }

private:
    bool children_exist() const {
        return !type_.types.empty() &&
               std::all_of(type_.types.begin(), type_.types.end(), [this](model::DatatypeId id) {
                   return id.value >= 0 && id.index() < execution_.datatypes.size();
               });
    }

    std::int64_t extent() const { return execution_.datatypes[type_.types[0].index()].extent; }

    bool add(model::DatatypeId type,
             std::int64_t displacement,
             std::initializer_list<Dimension> dimensions) {
        return add(type, displacement, std::span{dimensions.begin(), dimensions.size()});
    }

    bool add(model::DatatypeId type,
             std::int64_t displacement,
             std::span<const Dimension> dimensions) {
        Part part;
        part.type = type;
        part.displacement = displacement;
        part.first = static_cast<std::uint32_t>(contents_.dimensions.size());
        part.copies = 1;
        for (const Dimension& dimension : dimensions) {
            if (dimension.count < 0) return false;
            const auto copies = checked_product(part.copies, dimension.count);
            if (!copies) return false;
            part.copies = *copies;
            if (dimension.count == 1) continue;
            contents_.dimensions.push_back(dimension);
            ++part.dimensions;
        }
        if (part.copies == 0) {
            contents_.dimensions.resize(part.first);
            return true;
        }
        contents_.parts.push_back(part);
        return true;
    }

    bool decode_combiner() {
        const std::string_view combiner = type_.combiner;
        if (combiner == "MPI_COMBINER_DUP" || combiner == "MPI_COMBINER_RESIZED")
            return add(type_.types[0], 0, {});
        if (combiner == "MPI_COMBINER_CONTIGUOUS") return decode_contiguous();
        if (combiner == "MPI_COMBINER_VECTOR") return decode_vector(extent());
        if (combiner == "MPI_COMBINER_HVECTOR" || combiner == "MPI_COMBINER_HVECTOR_INTEGER")
            return decode_vector(1);
        if (combiner == "MPI_COMBINER_INDEXED") return decode_indexed(extent());
        if (combiner == "MPI_COMBINER_HINDEXED" || combiner == "MPI_COMBINER_HINDEXED_INTEGER" ||
            combiner == "MPI_COMBINER_STRUCT" || combiner == "MPI_COMBINER_STRUCT_INTEGER")
            return decode_indexed(1);
        if (combiner == "MPI_COMBINER_INDEXED_BLOCK") return decode_indexed_block(extent());
        if (combiner == "MPI_COMBINER_HINDEXED_BLOCK") return decode_indexed_block(1);
        if (combiner == "MPI_COMBINER_SUBARRAY") return decode_subarray();
        if (combiner == "MPI_COMBINER_DARRAY") return decode_darray();
        return false;
    }

    bool decode_contiguous() {
        return !integers_.empty() && add(type_.types[0], 0, {{integers_[0], extent()}});
    }

    /// `unit`: what the stride is counted in.
    bool decode_vector(std::int64_t unit) {
        if (integers_.size() + addresses_.size() < 3 || integers_.size() < 2) return false;
        const auto stride =
            checked_product(integers_.size() > 2 ? integers_[2] : addresses_[0], unit);
        return stride &&
               add(type_.types[0], 0, {{integers_[0], *stride}, {integers_[1], extent()}});
    }

    /// Displacements after `before` integers: among the addresses, or the integers that follow.
    std::optional<std::span<const std::int64_t>> displacements(std::size_t before,
                                                               std::size_t count) const {
        const auto from =
            addresses_.empty() ? integers_.subspan(std::min(before, integers_.size())) : addresses_;
        if (from.size() < count) return std::nullopt;
        return from.first(count);
    }

    std::optional<std::size_t> block_count() const {
        if (integers_.empty() || integers_[0] < 0) return std::nullopt;
        const auto count = static_cast<std::uint64_t>(integers_[0]);
        if (count > integers_.size() + addresses_.size()) return std::nullopt;
        return static_cast<std::size_t>(count);
    }

    /// Lengths and displacements for each block, of one type or of one each.
    bool decode_indexed(std::int64_t unit) {
        const auto count = block_count();
        if (!count || integers_.size() < *count + 1) return false;
        const auto places = displacements(*count + 1, *count);
        const bool structure = type_.combiner.starts_with("MPI_COMBINER_STRUCT");
        if (!places || (structure && type_.types.size() < *count)) return false;
        for (std::size_t i = 0; i < *count; ++i) {
            const model::DatatypeId child = type_.types[structure ? i : 0];
            const auto place = checked_product((*places)[i], unit);
            const std::int64_t step = execution_.datatypes[child.index()].extent;
            if (!place || !add(child, *place, {{integers_[i + 1], step}})) return false;
        }
        return true;
    }

    bool decode_indexed_block(std::int64_t unit) {
        const auto count = block_count();
        if (!count || integers_.size() < 2) return false;
        const auto places = displacements(2, *count);
        if (!places) return false;
        return std::all_of(places->begin(), places->end(), [&](std::int64_t value) {
            const auto place = checked_product(value, unit);
            return place && add(type_.types[0], *place, {{integers_[1], extent()}});
        });
    }

    /// The bytes between neighbours in each dimension of an array of these sizes.
    std::optional<std::vector<std::int64_t>> strides(std::span<const std::int64_t> sizes,
                                                     Order order) const {
        std::vector<std::int64_t> result(sizes.size());
        std::int64_t stride = extent();
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            const std::size_t at = order == Order::C ? sizes.size() - 1 - i : i;
            result[at] = stride;
            const auto next = checked_product(stride, sizes[at]);
            if (!next || sizes[at] < 0) return std::nullopt;
            stride = *next;
        }
        return result;
    }

    bool decode_subarray() {
        if (integers_.empty() || integers_[0] < 1 || integers_[0] > kMaxArrayDimensions)
            return false;
        const auto count = static_cast<std::size_t>(integers_[0]);
        if (integers_.size() < 3 * count + 2) return false;
        const auto sizes = integers_.subspan(1, count);
        const auto wanted = integers_.subspan(1 + count, count);
        const auto starts = integers_.subspan(1 + 2 * count, count);
        const Order order = order_of(integers_[1 + 3 * count]);
        const auto steps = strides(sizes, order);
        if (order == Order::Unknown || !steps) return false;
        std::vector<Dimension> loops;
        std::int64_t displacement = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const auto moved = checked_step(displacement, starts[i], (*steps)[i]);
            if (!moved) return false;
            displacement = *moved;
            loops.push_back({wanted[i], (*steps)[i]});
        }
        return add(type_.types[0], displacement, loops);
    }

    /// The indices that a process at `place` of `processes` has in one dimension of `size`
    /// (MPI 4.0, 5.1.4). False: the numbers make no sense.
    static bool distribute(Distribution distribution,
                           std::int64_t size,
                           std::int64_t argument,
                           std::int64_t processes,
                           std::int64_t place,
                           std::vector<Indices>& result) {
        if (distribution == Distribution::Unknown || size < 0) return false;
        if (distribution == Distribution::None) {
            result.push_back({0, {{{size, 1}}}, 1});
            return true;
        }
        const bool block = distribution == Distribution::Block;
        std::int64_t length = argument;
        if (is_default_argument(argument))
            length = block ? size / processes + (size % processes != 0 ? 1 : 0) : 1;
        // One of no elements has no blocks to hand out.
        if (length == 0 && size == 0) length = 1;
        if (length < 1) return false;
        const auto start = checked_product(place, length);
        const auto round = checked_product(processes, length);
        if (!start || !round) return false;
        if (*start >= size) return true;
        const std::int64_t rest = size - *start;
        const std::int64_t full = rest < length ? 0 : block ? 1 : (rest - length) / *round + 1;
        if (full > 0) result.push_back({*start, {{{full, *round}, {length, 1}}}, 2});
        const auto tail = checked_step(*start, full, *round);
        if (tail && *tail < size && (full == 0 || !block))
            result.push_back({*tail, {{{std::min(length, size - *tail), 1}}}, 1});
        return true;
    }

    bool decode_darray() {
        if (integers_.size() < 4 || integers_[2] < 1 || integers_[2] > kMaxArrayDimensions)
            return false;
        const auto count = static_cast<std::size_t>(integers_[2]);
        if (integers_.size() < 4 + 4 * count || integers_[0] < 1) return false;
        const auto sizes = integers_.subspan(3, count);
        const auto distributions = integers_.subspan(3 + count, count);
        const auto arguments = integers_.subspan(3 + 2 * count, count);
        const auto processes = integers_.subspan(3 + 3 * count, count);
        const Order order = order_of(integers_[3 + 4 * count]);
        const auto steps = strides(sizes, order);
        if (order == Order::Unknown || !steps || integers_[1] < 0) return false;

        // Processes are numbered as in a Cartesian topology: the last dimension runs fastest.
        std::int64_t rank = integers_[1];
        std::vector<std::vector<Indices>> pieces(count);
        for (std::size_t i = count; i-- > 0;) {
            if (processes[i] < 1) return false;
            if (!distribute(distribution_of(distributions[i]),
                            sizes[i],
                            arguments[i],
                            processes[i],
                            rank % processes[i],
                            pieces[i]))
                return false;
            rank /= processes[i];
        }
        if (rank != 0) return false;
        std::vector<Dimension> loops;
        return add_products(pieces, *steps, 0, 0, loops);
    }

    /// Every choice of one piece in each dimension from `dimension` on.
    // NOLINTNEXTLINE(misc-no-recursion): as deep as an array has dimensions
    bool add_products(const std::vector<std::vector<Indices>>& pieces,
                      const std::vector<std::int64_t>& steps,
                      std::size_t dimension,
                      std::int64_t displacement,
                      std::vector<Dimension>& loops) {
        if (dimension == pieces.size()) return add(type_.types[0], displacement, loops);
        const std::int64_t step = steps[dimension];
        const std::size_t before = loops.size();
        for (const Indices& piece : pieces[dimension]) {
            const auto place = checked_step(displacement, piece.start, step);
            if (!place) return false;
            for (std::uint32_t i = 0; i < piece.used; ++i) {
                const auto stride = checked_product(piece.loops[i].stride, step);
                if (!stride) return false;
                loops.push_back({piece.loops[i].count, *stride});
            }
            if (!add_products(pieces, steps, dimension + 1, *place, loops)) return false;
            loops.resize(before);
        }
        return true;
    }

    const model::Execution& execution_;
    const model::RecordedDatatype& type_;
    std::span<const std::int64_t> integers_;
    std::span<const std::int64_t> addresses_;
    TypeContents contents_;
};

}  // namespace

bool is_basic(const model::RecordedDatatype& type) {
    return type.combiner == "MPI_COMBINER_NAMED" || type.combiner.starts_with("MPI_COMBINER_F90_");
}

bool is_of_bytes(const model::RecordedDatatype& type) {
    return type.name == "MPI_BYTE" || type.name == "MPI_PACKED";
}

std::optional<TypeContents> contents_of(const model::Execution& execution, model::DatatypeId type) {
    if (type.value < 0 || type.index() >= execution.datatypes.size()) return std::nullopt;
    return Decoder(execution, execution.datatypes[type.index()]).decode();
}

}  // namespace mqinspect::analysis
