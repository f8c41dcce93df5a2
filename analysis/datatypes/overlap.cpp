// Do two sets of bytes, each nested loops over runs, meet?
//
// Two runs meet where their distance, start of the one minus start of the other, lies in a
// window given by their lengths. The distance is a sum of one multiple of each stride; those of
// loops with the same stride, which two parts of one array have, are one multiple. What remains
// is a search from the largest stride down, in which all but a few multiples are out of reach,
// with an exact answer for the last two strides.

#include <algorithm>
#include <numeric>

#include "analysis/datatypes/footprint.h"

namespace mqinspect::analysis {

namespace {

constexpr int kMaxWork = 1 << 18;

__extension__ using Wide = unsigned __int128;

std::int64_t floor_quotient(std::int64_t value, std::int64_t divisor) {
    const std::int64_t quotient = value / divisor;
    return value % divisor < 0 ? quotient - 1 : quotient;
}

std::int64_t ceiling_quotient(std::int64_t value, std::int64_t divisor) {
    return -floor_quotient(-value, divisor);
}

std::int64_t positive_remainder(std::int64_t value, std::int64_t divisor) {
    const std::int64_t remainder = value % divisor;
    return remainder < 0 ? remainder + divisor : remainder;
}

/// The sum over k in [0, terms) of floor((step * k + offset) / divisor), modulo 2^64: the
/// number of lattice points below a line, counted with Euclid's algorithm.
std::uint64_t floor_sum(std::uint64_t terms,
                        std::uint64_t divisor,
                        std::uint64_t step,
                        std::uint64_t offset) {
    std::uint64_t sum = 0;
    while (terms > 0) {
        const Wide pairs = static_cast<Wide>(terms) * (terms - 1) / 2;
        sum += static_cast<std::uint64_t>(pairs) * (step / divisor);
        sum += terms * (offset / divisor);
        step %= divisor;
        offset %= divisor;
        const Wide highest = static_cast<Wide>(step) * terms + offset;
        if (highest < divisor) break;
        terms = static_cast<std::uint64_t>(highest / divisor);
        offset = static_cast<std::uint64_t>(highest % divisor);
        std::swap(divisor, step);
    }
    return sum;
}

/// Is there a sum of `value` and a multiple of each stride in [low, high]?
class Search {
public:
    Search(std::vector<Dimension> loops, std::int64_t low, std::int64_t high, int& work)
        : loops_(std::move(loops)), reach_(loops_.size() + 1), low_(low), high_(high), work_(work) {
        for (std::size_t i = loops_.size(); i-- > 0;)
            reach_[i] = reach_[i + 1] + (loops_[i].count - 1) * loops_[i].stride;
    }

    // NOLINTNEXTLINE(misc-no-recursion): as deep as there are loops
    Overlap from(std::size_t at, std::int64_t value) {
        if (value > high_ || value + reach_[at] < low_) return Overlap::None;
        const std::size_t left = loops_.size() - at;
        if (left == 0) return Overlap::Some;
        if (left == 1) return one(loops_[at], value) ? Overlap::Some : Overlap::None;
        if (left == 2) {
            return two(loops_[at], loops_[at + 1], value) ? Overlap::Some : Overlap::None;
        }
        const Dimension& loop = loops_[at];
        const std::int64_t first =
            std::max<std::int64_t>(0, ceiling_quotient(low_ - value - reach_[at + 1], loop.stride));
        const std::int64_t last =
            std::min(loop.count - 1, floor_quotient(high_ - value, loop.stride));
        Overlap result = Overlap::None;
        for (std::int64_t i = first; i <= last; ++i) {
            if (--work_ < 0) return Overlap::Unknown;
            const Overlap found = from(at + 1, value + i * loop.stride);
            if (found == Overlap::Some) return found;
            if (found == Overlap::Unknown) result = found;
        }
        return result;
    }

private:
    bool one(const Dimension& loop, std::int64_t value) const {
        const std::int64_t first =
            std::max<std::int64_t>(0, ceiling_quotient(low_ - value, loop.stride));
        return first < loop.count && value + first * loop.stride <= high_;
    }

    /// Of the larger stride only the multiples count from which the smaller one's come within
    /// reach. From these some multiple of the smaller one hits the window if it is as wide as
    /// the stride, and else if the distance to its end leaves a remainder within its width.
    bool two(const Dimension& large, const Dimension& small, std::int64_t value) const {
        const std::int64_t reach = (small.count - 1) * small.stride;
        const std::int64_t first =
            std::max<std::int64_t>(0, ceiling_quotient(low_ - reach - value, large.stride));
        const std::int64_t last =
            std::min(large.count - 1, floor_quotient(high_ - value, large.stride));
        if (first > last) return false;
        const std::int64_t width = high_ - low_;
        if (width + 1 >= small.stride) return true;
        const auto terms = static_cast<std::uint64_t>(last - first + 1);
        const auto divisor = static_cast<std::uint64_t>(small.stride);
        const auto step =
            static_cast<std::uint64_t>(positive_remainder(-large.stride, small.stride));
        const auto offset = static_cast<std::uint64_t>(
            positive_remainder(high_ - value - first * large.stride, small.stride));
        // Each remainder within the width adds one to the difference of the two sums.
        const std::uint64_t all = floor_sum(terms, divisor, step, offset + divisor);
        const std::uint64_t others = floor_sum(
            terms, divisor, step, offset + divisor - static_cast<std::uint64_t>(width) - 1);
        return all != others;
    }

    std::vector<Dimension> loops_;
    std::vector<std::int64_t> reach_;  ///< of the loops from here on
    std::int64_t low_;
    std::int64_t high_;
    int& work_;
};

std::int64_t reach_of(std::span<const Dimension> loops) {
    std::int64_t reach = 0;
    for (const Dimension& loop : loops)
        reach += (loop.count - 1) * loop.stride;
    return reach;
}

Overlap runs_overlap(
    const Footprint& left, const Run& a, const Footprint& right, const Run& b, int& work) {
    const auto a_loops = left.loops_of(a);
    const auto b_loops = right.loops_of(b);
    std::vector<Dimension> loops(a_loops.begin(), a_loops.end());
    // What b's loops take away is added, counted from their other end.
    loops.insert(loops.end(), b_loops.begin(), b_loops.end());
    const std::int64_t value = a.start - b.start - reach_of(b_loops);
    std::sort(loops.begin(), loops.end(), [](const Dimension& x, const Dimension& y) {
        return x.stride > y.stride;
    });
    std::vector<Dimension> merged;
    for (const Dimension& loop : loops) {
        if (!merged.empty() && merged.back().stride == loop.stride) {
            merged.back().count += loop.count - 1;
        } else {
            merged.push_back(loop);
        }
    }
    return Search(std::move(merged), 1 - a.length, b.length - 1, work).from(0, value);
}

struct Placed {
    ByteRange range;
    const Run* run = nullptr;
    std::int64_t highest = 0;  ///< of this run and those before it
};

std::vector<Placed> by_place(const Footprint& footprint) {
    std::vector<Placed> result;
    for (const Run& run : footprint.runs) {
        const std::int64_t reach = reach_of(footprint.loops_of(run));
        result.push_back({{run.start, run.start + reach + run.length}, &run, 0});
    }
    std::sort(result.begin(), result.end(), [](const Placed& a, const Placed& b) {
        return a.range.low < b.range.low;
    });
    std::int64_t highest = INT64_MIN;
    for (Placed& placed : result)
        placed.highest = highest = std::max(highest, placed.range.high);
    return result;
}

}  // namespace

Overlap overlap(const Footprint& left, const Footprint& right) {
    int work = kMaxWork;
    return overlap(left, right, work);
}

Overlap overlap(const Footprint& left, const Footprint& right, int& work) {
    if (!left.known || !right.known) return Overlap::Unknown;
    if (left.runs.empty() || right.runs.empty()) return Overlap::None;
    const std::vector<Placed> others = by_place(right);
    Overlap result = Overlap::None;
    for (const Placed& placed : by_place(left)) {
        const auto first = std::upper_bound(
            others.begin(), others.end(), placed.range.low, [](std::int64_t low, const Placed& at) {
                return low < at.highest;
            });
        for (auto at = first; at != others.end() && at->range.low < placed.range.high; ++at) {
            if (--work < 0) return Overlap::Unknown;
            if (!placed.range.meets(at->range)) continue;
            const Overlap found = runs_overlap(left, *placed.run, right, *at->run, work);
            if (found == Overlap::Some) return found;
            if (found == Overlap::Unknown) result = found;
        }
    }
    return result;
}

}  // namespace mqinspect::analysis
