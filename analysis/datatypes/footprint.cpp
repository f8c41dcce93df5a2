#include "analysis/datatypes/footprint.h"

#include <algorithm>

#include "analysis/datatypes/checked.h"

namespace mqinspect::analysis {

namespace {

constexpr std::size_t kMaxRuns = 1 << 16;
constexpr std::size_t kMaxLoops = 1 << 18;
constexpr int kMaxDepth = 100;

/// Puts together a footprint run by run, each in its simplest form.
class Collector {
public:
    /// False: too much, or numbers beyond 64 bits.
    bool add(std::int64_t start, std::int64_t length, std::vector<Dimension> loops) {
        if (length <= 0) return length == 0;
        for (Dimension& loop : loops) {
            if (loop.count <= 0) return loop.count == 0;
            if (loop.stride >= 0) continue;
            // The same places from the other end.
            const auto first = checked_step(start, loop.count - 1, loop.stride);
            if (!first || loop.stride == INT64_MIN) return false;
            start = *first;
            loop.stride = -loop.stride;
        }
        if (!simplify(length, loops) || !fits(start, length, loops)) return false;
        if (join_last(start, length, loops)) return true;
        if (result_.runs.size() == kMaxRuns || result_.loops.size() + loops.size() > kMaxLoops)
            return false;
        result_.runs.push_back({start,
                                length,
                                static_cast<std::uint32_t>(result_.loops.size()),
                                static_cast<std::uint32_t>(loops.size())});
        result_.loops.insert(result_.loops.end(), loops.begin(), loops.end());
        return true;
    }

    Footprint take() { return std::move(result_); }

private:
    /// Loops over bytes that touch are part of the run.
    static bool simplify(std::int64_t& length, std::vector<Dimension>& loops) {
        std::sort(loops.begin(), loops.end(), [](const Dimension& a, const Dimension& b) {
            return a.stride < b.stride;
        });
        std::vector<Dimension> rest;
        for (const Dimension& loop : loops) {
            if (loop.count == 1 || loop.stride == 0) continue;
            if (loop.stride > length) {
                rest.push_back(loop);
                continue;
            }
            const auto longer = checked_step(length, loop.count - 1, loop.stride);
            if (!longer) return false;
            length = *longer;
        }
        loops = std::move(rest);
        return true;
    }

    /// All of it lies where 64 bits can say: so sums and differences need no more checks.
    static bool fits(std::int64_t start, std::int64_t length, const std::vector<Dimension>& loops) {
        constexpr std::int64_t limit = INT64_MAX / 4;
        std::optional<std::int64_t> span = length;
        for (const Dimension& loop : loops)
            span = span ? checked_step(*span, loop.count - 1, loop.stride) : span;
        return span && *span <= limit && start >= -limit && start <= limit;
    }

    /// Continues the last run, if this one begins where it ends.
    bool join_last(std::int64_t start, std::int64_t length, const std::vector<Dimension>& loops) {
        if (result_.runs.empty()) return false;
        Run& last = result_.runs.back();
        const auto same = [](const Dimension& a, const Dimension& b) {
            return a.count == b.count && a.stride == b.stride;
        };
        const auto last_loops = result_.loops_of(last);
        if (last.start + last.length != start ||
            !std::equal(last_loops.begin(), last_loops.end(), loops.begin(), loops.end(), same))
            return false;
        // A longer run may fill the gaps of its loops: then it is one without.
        std::vector<Dimension> kept = loops;
        std::int64_t whole = last.length + length;
        if (!simplify(whole, kept)) return false;
        last.length = whole;
        result_.loops.resize(last.first);
        result_.loops.insert(result_.loops.end(), kept.begin(), kept.end());
        last.dimensions = static_cast<std::uint32_t>(kept.size());
        return true;
    }

    Footprint result_;
};

std::vector<Dimension> joined(std::span<const Dimension> outer, std::span<const Dimension> inner) {
    std::vector<Dimension> result(outer.begin(), outer.end());
    result.insert(result.end(), inner.begin(), inner.end());
    return result;
}

}  // namespace

std::optional<ByteRange> Footprints::hull(std::int64_t address,
                                          std::int64_t count,
                                          model::DatatypeId type) const {
    if (type.value < 0 || type.index() >= execution_.datatypes.size() || count < 0)
        return std::nullopt;
    const model::RecordedDatatype& found = execution_.datatypes[type.index()];
    if (count == 0 || found.true_extent <= 0) return ByteRange{address, address};
    const auto reach = checked_product(count - 1, found.extent);
    const auto first = checked_sum(address, found.true_lower_bound);
    if (!reach || !first) return std::nullopt;
    const auto low = checked_sum(*first, std::min<std::int64_t>(*reach, 0));
    const auto last = checked_sum(*first, std::max<std::int64_t>(*reach, 0));
    const auto high = last ? checked_sum(*last, found.true_extent) : std::nullopt;
    if (!low || !high) return std::nullopt;
    return ByteRange{*low, *high};
}

// NOLINTNEXTLINE(misc-no-recursion): kMaxDepth bounds it
const Footprint* Footprints::of_one(model::DatatypeId type, int depth) {
    if (type.value < 0 || type.index() >= execution_.datatypes.size() || depth > kMaxDepth)
        return nullptr;
    if (const auto known = by_type_.find(type); known != by_type_.end()) return &known->second;
    const model::RecordedDatatype& recorded = execution_.datatypes[type.index()];
    Collector collector;
    if (is_basic(recorded)) {
        // A pair may have a gap in it, which nothing distinguishes from its bytes.
        if (!collector.add(recorded.true_lower_bound, recorded.true_extent, {})) return nullptr;
        return &(by_type_[type] = collector.take());
    }
    const auto contents = contents_of(execution_, type);
    if (!contents) return nullptr;
    for (const Part& part : contents->parts) {
        const Footprint* const child = of_one(part.type, depth + 1);
        if (child == nullptr) return nullptr;
        for (const Run& run : child->runs) {
            const auto start = checked_sum(part.displacement, run.start);
            const auto loops = joined(contents->dimensions_of(part), child->loops_of(run));
            if (!start || !collector.add(*start, run.length, loops)) return nullptr;
        }
    }
    return &(by_type_[type] = collector.take());
}

Footprint Footprints::of(std::int64_t address, std::int64_t count, model::DatatypeId type) {
    Footprint unknown;
    unknown.known = false;
    if (count == 0) return {};
    const Footprint* const one = of_one(type, 0);
    if (one == nullptr || count < 0) return unknown;
    const Dimension copies{count, execution_.datatypes[type.index()].extent};
    return repeated(*one, address, std::span{&copies, 1});
}

/// Copies of it, the first one moved by `start`.
Footprint Footprints::repeated(const Footprint& one,
                               std::int64_t start,
                               std::span<const Dimension> loops) {
    Footprint unknown;
    unknown.known = false;
    Collector collector;
    for (const Run& run : one.runs) {
        const auto moved = checked_sum(start, run.start);
        if (!moved || !collector.add(*moved, run.length, joined(loops, one.loops_of(run))))
            return unknown;
    }
    return collector.take();
}

}  // namespace mqinspect::analysis
