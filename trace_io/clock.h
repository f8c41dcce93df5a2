/// From a process's ticks to nanoseconds that all processes share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "trace_io/definitions.h"

namespace mqinspect::trace_io {

/// Between two points that a process has noted the ticks are even; before the first and behind
/// the last they run on at the speed of the whole.
class Clock {
public:
    Clock() = default;
    /// `rate`: nanoseconds per tick, where the points do not tell (one point, or none).
    /// `origin_ns` of the epoch is 0.
    Clock(std::span<const ClockPoint> points, double rate, std::uint64_t origin_ns);

    std::int64_t nanoseconds(std::uint64_t ticks) const {
        std::size_t segment = 0;
        return nanoseconds(ticks, segment);
    }
    /// `segment`: where the last reading was, for readings in their order; 0 for the first.
    std::int64_t nanoseconds(std::uint64_t ticks, std::size_t& segment) const {
        if (segments_.empty()) return 0;
        const Segment& at = segments_[segment];
        // Mostly it is the same one still.
        if (ticks < at.ticks || ticks >= at.end) return elsewhere(ticks, segment);
        return rounded(at.ns + static_cast<double>(ticks - at.ticks) * at.rate);
    }

private:
    struct Segment {
        std::uint64_t ticks = 0;
        std::uint64_t end = UINT64_MAX;  ///< where the next one begins
        double ns = 0;
        double rate = 1;
    };

    static std::int64_t rounded(double ns) {
        constexpr double limit = 9.2e18;
        return static_cast<std::int64_t>(std::clamp(ns, -limit, limit));
    }
    std::int64_t elsewhere(std::uint64_t ticks, std::size_t& segment) const;

    std::vector<Segment> segments_;  ///< by ticks; never empty in a Clock made of points
};

/// Nanoseconds per tick between the first point and the last; empty if they do not tell.
std::optional<double> tick_rate(std::span<const ClockPoint> points);

}  // namespace mqinspect::trace_io
