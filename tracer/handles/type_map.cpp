#include "tracer/handles/type_map.h"

#include <algorithm>
#include <cstring>

namespace mqinspect::tracer {

namespace {

constexpr std::size_t kMostSegments = 512;
constexpr std::int64_t kMostSteps = 65536;

class SegmentList {
public:
    bool complete() const { return complete_; }
    std::size_t count() const { return count_; }
    const Segment* segments() const { return segments_; }

    void add(std::int64_t offset, std::int64_t bytes) {
        if (bytes <= 0) return;
        if (count_ != 0 && segments_[count_ - 1].offset + segments_[count_ - 1].bytes == offset) {
            segments_[count_ - 1].bytes += bytes;
        } else if (count_ == kMostSegments) {
            complete_ = false;
        } else {
            segments_[count_++] = {offset, bytes};
        }
    }
    /// `count` elements of a type, one behind the other.
    void add(const DatatypeInfo* type, std::int64_t offset, std::int64_t count) {
        if (type == nullptr || type->segments == nullptr) {
            complete_ = complete_ && type != nullptr && type->size == 0;
            return;
        }
        const bool dense = type->segment_count == 1 && type->segments[0].bytes == type->extent;
        if (dense) {
            add(offset + type->segments[0].offset, count * type->extent);
            return;
        }
        for (std::int64_t i = 0; i < count && step(); ++i) {
            for (std::size_t s = 0; s < type->segment_count; ++s)
                add(offset + i * type->extent + type->segments[s].offset, type->segments[s].bytes);
        }
    }
    /// False: given up.
    bool step() {
        if (++steps_ > kMostSteps) complete_ = false;
        return complete_;
    }

private:
    Segment segments_[kMostSegments];
    std::size_t count_ = 0;
    std::int64_t steps_ = 0;
    bool complete_ = true;
};

/// The arguments of one constructor.
struct Arguments {
    const TypeContents& contents;
    DatatypeById by_id;

    std::int64_t integer(std::size_t i) const {
        return i < contents.integer_count ? contents.integers[i] : 0;
    }
    std::int64_t address(std::size_t i) const {
        return i < contents.address_count ? contents.addresses[i] : 0;
    }
    const DatatypeInfo* type(std::size_t i) const {
        return i < contents.type_count ? by_id(contents.types[i]) : nullptr;
    }
    bool is(const char* combiner) const { return std::strcmp(contents.combiner, combiner) == 0; }
};

void add_vector(SegmentList& list, const Arguments& arguments, std::int64_t stride) {
    const DatatypeInfo* type = arguments.type(0);
    for (std::int64_t i = 0; i < arguments.integer(0) && list.step(); ++i)
        list.add(type, i * stride, arguments.integer(1));
}

/// `in_elements`: displacements are integers, in elements of the type.
void add_indexed(SegmentList& list, const Arguments& arguments, bool in_elements, bool blocks) {
    const auto count = static_cast<std::size_t>(std::max<std::int64_t>(arguments.integer(0), 0));
    const DatatypeInfo* type = arguments.type(0);
    for (std::size_t i = 0; type != nullptr && i < count && list.step(); ++i) {
        const std::int64_t length = arguments.integer(blocks ? 1 : 1 + i);
        const std::int64_t place =
            in_elements ? arguments.integer((blocks ? 2 : 1 + count) + i) * type->extent
                        : arguments.address(i);
        list.add(type, place, length);
    }
}

void add_struct(SegmentList& list, const Arguments& arguments) {
    const auto count = static_cast<std::size_t>(std::max<std::int64_t>(arguments.integer(0), 0));
    for (std::size_t i = 0; i < count && list.step(); ++i)
        list.add(arguments.type(i), arguments.address(i), arguments.integer(1 + i));
}

/// Integers: ndims, sizes, subsizes, starts, order (MPI 4.0, 5.1.13).
void add_subarray(SegmentList& list, const Arguments& arguments) {
    constexpr std::size_t most_dimensions = 16;
    const auto dimensions = static_cast<std::size_t>(arguments.integer(0));
    const DatatypeInfo* type = arguments.type(0);
    if (dimensions == 0 || dimensions > most_dimensions || type == nullptr) {
        list.add(nullptr, 0, 0);
        return;
    }
    const bool c_order = arguments.integer(3 * dimensions + 1) == MPI_ORDER_C;
    std::int64_t index[most_dimensions] = {};
    // Dimension 0 of the loops below is the one whose elements are neighbours.
    const auto at = [&](std::size_t block, std::size_t i) {
        const std::size_t dimension = c_order ? dimensions - 1 - i : i;
        return arguments.integer(1 + block * dimensions + dimension);
    };
    while (list.step()) {
        std::int64_t element = 0;
        for (std::size_t i = dimensions; i-- > 0;)
            element = element * at(0, i) + at(2, i) + index[i];
        list.add(type, element * type->extent, at(1, 0));
        std::size_t i = 1;
        while (i < dimensions && ++index[i] == at(1, i))
            index[i++] = 0;
        if (i >= dimensions) break;
    }
}

/// Of the pair types of MPI_MINLOC, such as MPI_SHORT_INT, there may be a gap before the int.
void add_predefined(SegmentList& list, const DatatypeInfo& info) {
    if (info.size == info.true_extent) {
        list.add(0, info.size);
        return;
    }
    constexpr std::int64_t index = sizeof(int);
    list.add(0, info.size - index);
    list.add(info.true_extent - index, index);
}

void add_constructed(SegmentList& list, const Arguments& arguments, const DatatypeInfo& info) {
    const DatatypeInfo* type = arguments.type(0);
    const std::int64_t extent = type == nullptr ? 0 : type->extent;
    if (arguments.contents.type_count == 0) {
        add_predefined(list, info);
    } else if (arguments.is("MPI_COMBINER_DUP") || arguments.is("MPI_COMBINER_RESIZED")) {
        list.add(type, 0, 1);
    } else if (arguments.is("MPI_COMBINER_CONTIGUOUS")) {
        list.add(type, 0, arguments.integer(0));
    } else if (arguments.is("MPI_COMBINER_VECTOR")) {
        add_vector(list, arguments, arguments.integer(2) * extent);
    } else if (arguments.is("MPI_COMBINER_HVECTOR")) {
        add_vector(list, arguments, arguments.address(0));
    } else if (arguments.is("MPI_COMBINER_INDEXED")) {
        add_indexed(list, arguments, true, false);
    } else if (arguments.is("MPI_COMBINER_HINDEXED")) {
        add_indexed(list, arguments, false, false);
    } else if (arguments.is("MPI_COMBINER_INDEXED_BLOCK")) {
        add_indexed(list, arguments, true, true);
    } else if (arguments.is("MPI_COMBINER_HINDEXED_BLOCK")) {
        add_indexed(list, arguments, false, true);
    } else if (arguments.is("MPI_COMBINER_STRUCT")) {
        add_struct(list, arguments);
    } else if (arguments.is("MPI_COMBINER_SUBARRAY")) {
        add_subarray(list, arguments);
    } else {
        list.add(nullptr, 0, 0);
    }
}

}  // namespace

void map_segments(const TypeContents& contents,
                  DatatypeById by_id,
                  DatatypeInfo& info,
                  Arena& arena) {
    SegmentList list;
    add_constructed(list, {contents, by_id}, info);
    if (!list.complete()) return;
    auto* segments = arena.take_array<Segment>(std::max<std::size_t>(list.count(), 1));
    if (segments == nullptr) return;
    std::copy(list.segments(), list.segments() + list.count(), segments);
    info.segments = segments;
    info.segment_count = list.count();
}

}  // namespace mqinspect::tracer
