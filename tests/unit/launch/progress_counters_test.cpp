#include "inspector/launch/progress_counters.h"

#include <unistd.h>

#include <array>

#include <gtest/gtest.h>

namespace mqinspect::launch {
namespace {

using std::chrono::seconds;

const Clock::time_point kCountersStart = Clock::time_point() + seconds(100);

TEST(ProgressCounters, KnowsNothingOfAProcessWithoutMpi) {
    target::ImageStore images{""};
    ProgressCounters counters(images);
    counters.watch(std::array{getpid()}, kCountersStart);

    counters.sample(kCountersStart + seconds(5));

    ASSERT_EQ(1U, counters.ranks().size());
    EXPECT_FALSE(counters.ranks()[0].counted);
    EXPECT_EQ(kCountersStart, counters.ranks()[0].since);
    EXPECT_TRUE(counters.incomplete());
}

TEST(ProgressCounters, KeepsWhatIsKnownOfTheRanksThatStay) {
    target::ImageStore images{""};
    ProgressCounters counters(images);
    counters.watch(std::array{getpid()}, kCountersStart);

    counters.watch(std::array{getppid(), getpid()}, kCountersStart + seconds(5));

    ASSERT_EQ(2U, counters.ranks().size());
    EXPECT_EQ(kCountersStart + seconds(5), counters.ranks()[0].since);
    EXPECT_EQ(kCountersStart, counters.ranks()[1].since);
}

TEST(ProgressCounters, BeginsAgain) {
    target::ImageStore images{""};
    ProgressCounters counters(images);
    counters.watch(std::array{getpid()}, kCountersStart);

    counters.restart(kCountersStart + seconds(9));

    EXPECT_EQ(kCountersStart + seconds(9), counters.ranks()[0].since);
}

}  // namespace
}  // namespace mqinspect::launch
