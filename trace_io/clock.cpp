#include "trace_io/clock.h"

#include <algorithm>

namespace mqinspect::trace_io {
namespace {

double between(std::uint64_t from, std::uint64_t to) {
    return to >= from ? static_cast<double>(to - from) : -static_cast<double>(from - to);
}

// Points in their order; one that goes back in time is damage and left out.
std::vector<ClockPoint> ascending(std::span<const ClockPoint> points) {
    std::vector<ClockPoint> kept;
    for (const ClockPoint& point : points) {
        if (kept.empty() ||
            (point.ticks > kept.back().ticks && point.realtime_ns >= kept.back().realtime_ns)) {
            kept.push_back(point);
        }
    }
    return kept;
}

}  // namespace

std::optional<double> tick_rate(std::span<const ClockPoint> points) {
    const std::vector<ClockPoint> kept = ascending(points);
    if (kept.size() < 2) return std::nullopt;
    const double rate = between(kept.front().realtime_ns, kept.back().realtime_ns) /
                        between(kept.front().ticks, kept.back().ticks);
    if (rate <= 0) return std::nullopt;
    return rate;
}

Clock::Clock(std::span<const ClockPoint> points, double rate, std::uint64_t origin_ns) {
    const std::vector<ClockPoint> kept = ascending(points);
    const double whole = tick_rate(points).value_or(rate);
    for (std::size_t i = 0; i < kept.size(); ++i) {
        Segment segment;
        segment.ticks = kept[i].ticks;
        segment.ns = between(origin_ns, kept[i].realtime_ns);
        segment.rate = whole;
        if (i + 1 < kept.size()) {
            segment.end = kept[i + 1].ticks;
            segment.rate = between(kept[i].realtime_ns, kept[i + 1].realtime_ns) /
                           between(kept[i].ticks, kept[i + 1].ticks);
        }
        segments_.push_back(segment);
    }
}

std::int64_t Clock::elsewhere(std::uint64_t ticks, std::size_t& segment) const {
    while (segment > 0 && ticks < segments_[segment].ticks)
        --segment;
    while (segment + 1 < segments_.size() && ticks >= segments_[segment].end)
        ++segment;
    const Segment& at = segments_[segment];
    return rounded(at.ns + between(at.ticks, ticks) * at.rate);
}

}  // namespace mqinspect::trace_io
