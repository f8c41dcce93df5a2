#include "thread_level/analysis/rounds.h"

#include <gmock/gmock.h>

namespace mqinspect::thread_level::test {
namespace {

using testing::ElementsAre;
using testing::Pair;

constexpr StringId kBarrier = 7;
constexpr StringId kOther = 8;

TEST(Rounds, AddUp) {
    EXPECT_EQ(0b1100U, sum_of(RoundSet{0b10}, RoundSet{0b110}));
    EXPECT_EQ(kNoRound, sum_of(RoundSet{1} << (kRounds - 1), kOneRound));
    EXPECT_THAT(sum_of(Rounds{{kBarrier, kOneRound}}, Rounds{{kBarrier, kOneRound}, {kOther, 2}}),
                ElementsAre(Pair(kBarrier, 0b100U), Pair(kOther, 2U)));
}

TEST(Rounds, OfLoopsStayApartWhenTheyComeRound) {
    RoundSet at_start = kNoRound;
    for (unsigned i = 0; i < kRounds; ++i)
        at_start |= sum_of(at_start, RoundSet{0b100});

    const Rounds first{{kBarrier, at_start}};
    const Rounds second{{kBarrier, sum_of(at_start, kOneRound)}};
    EXPECT_TRUE(are_apart(first, second));
    EXPECT_FALSE(are_apart(first, first));
    EXPECT_FALSE(are_apart(first, Rounds{{kOther, kOneRound}}));
}

TEST(Rounds, OfTwoWaysAreBoth) {
    Rounds both;
    unite_ways(both, {{kBarrier, kOneRound}}, true);
    EXPECT_THAT(both, ElementsAre(Pair(kBarrier, kOneRound)));
    unite_ways(both, {{kOther, kOneRound}}, false);
    EXPECT_THAT(
        both,
        ElementsAre(Pair(kBarrier, kNoRound | kOneRound), Pair(kOther, kNoRound | kOneRound)));
}

}  // namespace
}  // namespace mqinspect::thread_level::test
