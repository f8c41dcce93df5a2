#include "report/rank_ranges.h"

#include <initializer_list>
#include <vector>

#include <gtest/gtest.h>

namespace mqinspect::report {
namespace {

std::vector<model::WorldRank> ranks(std::initializer_list<int> values) {
    std::vector<model::WorldRank> result;
    for (const int value : values)
        result.emplace_back(value);
    return result;
}

TEST(RankRanges, FoldsNeighbours) {
    EXPECT_EQ(rank_ranges(ranks({0, 1, 2, 3})), "0-3");
    EXPECT_EQ(rank_ranges(ranks({0, 1, 5, 7, 8, 9})), "0,1,5,7-9");
}

TEST(RankRanges, TakesAnyOrderAndNamesEachOnce) {
    EXPECT_EQ(rank_ranges(ranks({3, 1, 2, 3, 0})), "0-3");
}

TEST(RankRanges, NamesTheUnknownRankAndTheEmptySet) {
    EXPECT_EQ(rank_ranges(ranks({0, -1, 1})), "?,0,1");
    EXPECT_EQ(rank_ranges(ranks({})), "none");
}

TEST(RankRanges, SaysHowManyBeyondTheLimit) {
    EXPECT_EQ(rank_ranges(ranks({0, 2, 4, 6, 8}), 2), "0,2,... (5 ranks)");
    EXPECT_EQ(rank_ranges(ranks({0, 2}), 2), "0,2");
}

TEST(RankRanges, NamesRanksInASentence) {
    EXPECT_EQ(named_ranks(ranks({4})), "rank 4");
    EXPECT_EQ(named_ranks(ranks({4, 5, 6})), "ranks 4-6");
}

}  // namespace
}  // namespace mqinspect::report
