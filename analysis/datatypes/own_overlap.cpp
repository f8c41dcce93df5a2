// Do the entries of a datatype share bytes among themselves?
//
// They do if those of one copy of a part do, or those of two copies, or those of two parts. Two
// copies in nested loops differ by a step in some loop, the outermost one in which they do, and by
// any number of steps, ahead or back, in those further in: copies at all these distances are nested
// loops once more, so that it is a question about two footprints.

#include <algorithm>

#include "analysis/datatypes/checked.h"
#include "analysis/datatypes/footprint.h"

namespace mqinspect::analysis {

namespace {

constexpr int kMaxDepth = 100;
constexpr int kMaxWork = 1 << 18;

/// The range of all copies of a range.
std::optional<ByteRange> range_of(ByteRange range, std::span<const Dimension> loops) {
    for (const Dimension& loop : loops) {
        const auto reach = checked_product(loop.count - 1, loop.stride);
        if (!reach) return std::nullopt;
        const auto low = checked_sum(range.low, std::min<std::int64_t>(*reach, 0));
        const auto high = checked_sum(range.high, std::max<std::int64_t>(*reach, 0));
        if (!low || !high) return std::nullopt;
        range = {*low, *high};
    }
    return range;
}

/// Each loop steps over all that those with smaller steps cover.
bool is_nested(std::int64_t length, std::span<const Dimension> loops) {
    std::vector<Dimension> sorted(loops.begin(), loops.end());
    for (Dimension& loop : sorted) {
        if (loop.stride == INT64_MIN) return false;
        loop.stride = std::max(loop.stride, -loop.stride);
    }
    std::sort(sorted.begin(), sorted.end(), [](const Dimension& a, const Dimension& b) {
        return a.stride < b.stride;
    });
    std::optional<std::int64_t> covered = length;
    for (const Dimension& loop : sorted) {
        if (loop.count == 1) continue;
        if (!covered || loop.stride < *covered) return false;
        covered = checked_step(*covered, loop.count - 1, loop.stride);
    }
    return true;
}

/// What is the case for one of two questions or for the other.
Overlap either(Overlap left, Overlap right) {
    if (left == Overlap::Some || right == Overlap::Some) return Overlap::Some;
    return left == Overlap::Unknown ? left : right;
}

}  // namespace

Overlap Footprints::own_overlap(std::int64_t count, model::DatatypeId type) {
    if (type.value < 0 || type.index() >= execution_.datatypes.size() || count < 1)
        return Overlap::Unknown;
    const Overlap one = entries_of_one(type, 0);
    if (one != Overlap::None || count == 1) return one;
    const model::RecordedDatatype& recorded = execution_.datatypes[type.index()];
    const Dimension copies{count, recorded.extent};
    if (is_nested(recorded.true_extent, std::span{&copies, 1})) return Overlap::None;
    const auto [known, added] = entries_of_several_.try_emplace({type, count}, Overlap::Unknown);
    if (!added) return known->second;
    int work = kMaxWork;
    return known->second = between_copies(type, std::span{&copies, 1}, work);
}

// NOLINTNEXTLINE(misc-no-recursion): kMaxDepth bounds it
Overlap Footprints::entries_of_one(model::DatatypeId type, int depth) {
    if (depth > kMaxDepth) return Overlap::Unknown;
    if (const auto known = entries_.find(type); known != entries_.end()) return known->second;
    const Overlap found = entries_of_derived(type, depth);
    return entries_[type] = found;
}

// NOLINTNEXTLINE(misc-no-recursion): kMaxDepth bounds it
Overlap Footprints::entries_of_derived(model::DatatypeId type, int depth) {
    const model::RecordedDatatype& recorded = execution_.datatypes[type.index()];
    // The gap in a pair may be another's place.
    if (is_basic(recorded))
        return recorded.size == recorded.true_extent ? Overlap::None : Overlap::Unknown;
    const auto contents = contents_of(execution_, type);
    if (!contents) return Overlap::Unknown;
    Overlap result = Overlap::None;
    int work = kMaxWork;
    for (const Part& part : contents->parts) {
        const std::int64_t length = execution_.datatypes[part.type.index()].true_extent;
        if (length <= 0) continue;
        result = either(result, entries_of_one(part.type, depth + 1));
        const auto loops = contents->dimensions_of(part);
        if (result != Overlap::Some && !is_nested(length, loops))
            result = either(result, between_copies(part.type, loops, work));
        if (result == Overlap::Some) return result;
    }
    return either(result, between_parts(*contents));
}

Overlap Footprints::between_copies(model::DatatypeId type,
                                   std::span<const Dimension> loops,
                                   int& work) {
    const Footprint* const one = of_one(type, 0);
    if (one == nullptr) return Overlap::Unknown;
    Overlap result = Overlap::None;
    for (std::size_t outer = 0; outer < loops.size(); ++outer) {
        if (loops[outer].count < 2) continue;
        std::vector<Dimension> ways{{loops[outer].count - 1, loops[outer].stride}};
        std::optional<std::int64_t> start = loops[outer].stride;
        for (const Dimension& inner : loops.subspan(outer + 1)) {
            const auto both_ways = checked_step(-1, inner.count, 2);
            if (start) start = checked_step(*start, 1 - inner.count, inner.stride);
            if (!start || !both_ways) return Overlap::Unknown;
            ways.push_back({*both_ways, inner.stride});
        }
        if (!start) return Overlap::Unknown;
        result = either(result, overlap(*one, repeated(*one, *start, ways), work));
        if (result == Overlap::Some) return result;
    }
    return result;
}

Overlap Footprints::between_parts(const TypeContents& contents) {
    struct Placed {
        const Part* part = nullptr;
        ByteRange range;
        std::optional<Footprint> bytes;
    };
    std::vector<Placed> placed;
    for (const Part& part : contents.parts) {
        const auto one = hull(part.displacement, 1, part.type);
        const auto range = one ? range_of(*one, contents.dimensions_of(part)) : std::nullopt;
        if (!range) return Overlap::Unknown;
        if (!one->empty()) placed.push_back({&part, *range, std::nullopt});
    }
    const auto before = [](const Placed& a, const Placed& b) { return a.range.low < b.range.low; };
    if (!std::is_sorted(placed.begin(), placed.end(), before))
        std::sort(placed.begin(), placed.end(), before);
    const auto bytes_of = [&](Placed& one) -> const Footprint& {
        if (!one.bytes) {
            const Footprint* const child = of_one(one.part->type, 0);
            one.bytes.emplace();
            one.bytes->known = false;
            if (child != nullptr) {
                one.bytes =
                    repeated(*child, one.part->displacement, contents.dimensions_of(*one.part));
            }
        }
        return *one.bytes;
    };
    int work = kMaxWork;
    Overlap result = Overlap::None;
    for (std::size_t i = 0; i < placed.size(); ++i) {
        for (std::size_t j = i + 1; j < placed.size(); ++j) {
            if (placed[j].range.low >= placed[i].range.high) break;
            // Each question puts its runs in order first.
            work -= 16;
            if (work < 0) return Overlap::Unknown;
            result = either(result, overlap(bytes_of(placed[i]), bytes_of(placed[j]), work));
            if (result == Overlap::Some) return result;
        }
    }
    return result;
}

}  // namespace mqinspect::analysis
