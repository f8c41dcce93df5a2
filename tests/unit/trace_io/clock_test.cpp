#include "trace_io/clock.h"

#include <gtest/gtest.h>

namespace mqinspect::trace_io {
namespace {

TEST(Clock, IsEvenBetweenItsPointsAndRunsOnBehindThem) {
    const ClockPoint points[] = {{1000, 500}, {2000, 1500}, {4000, 2500}};

    const Clock clock(points, 1, 500);

    EXPECT_EQ(clock.nanoseconds(1500), 500);
    EXPECT_EQ(clock.nanoseconds(3000), 1500);
    EXPECT_EQ(clock.nanoseconds(900), -100);
    // 3000 ticks took 2000 ns.
    EXPECT_EQ(clock.nanoseconds(4300), 2200);
}

TEST(Clock, OfOnePointTakesTheRateOfOthers) {
    const ClockPoint point{1000, 500};

    EXPECT_EQ(Clock({&point, 1}, 0.5, 0).nanoseconds(1100), 550);
    EXPECT_FALSE(tick_rate({&point, 1}));
}

TEST(Clock, LeavesOutPointsThatGoBack) {
    const ClockPoint points[] = {{1000, 500}, {900, 800}, {3000, 2500}};

    EXPECT_EQ(Clock(points, 1, 0).nanoseconds(2000), 1500);
    EXPECT_DOUBLE_EQ(*tick_rate(points), 1);
}

TEST(Clock, WithoutPointsStandsStill) {
    EXPECT_EQ(Clock({}, 1, 0).nanoseconds(77), 0);
    EXPECT_EQ(Clock().nanoseconds(UINT64_MAX), 0);
}

}  // namespace
}  // namespace mqinspect::trace_io
