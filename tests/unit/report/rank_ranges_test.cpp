#include "report/rank_ranges.h"

#include <initializer_list>
#include <vector>

#include <gtest/gtest.h>

#include "model/job_snapshot.h"

namespace mqinspect::report {
namespace {

std::vector<model::WorldRank> ranks(std::initializer_list<int> values) {
    std::vector<model::WorldRank> result;
    for (const int value : values)
        result.emplace_back(value);
    return result;
}

model::Worlds worlds_of(std::vector<int> sizes) {
    model::JobSnapshot snapshot;
    for (const int size : sizes)
        snapshot.ranks.resize(snapshot.ranks.size() + static_cast<std::size_t>(size));
    snapshot.world_sizes = std::move(sizes);
    return model::Worlds(snapshot);
}

model::Worlds one_world() {
    return worlds_of({9});
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
    EXPECT_EQ(named_ranks(one_world(), ranks({4})), "rank 4");
    EXPECT_EQ(named_ranks(one_world(), ranks({4, 5, 6})), "ranks 4-6");
}

TEST(RankRanges, SayOfWhichWorldTheRanksAre) {
    const model::Worlds worlds = worlds_of({3, 2, 1});

    EXPECT_EQ(rank_ranges(worlds, ranks({0, 1, 2})), "0-2 of world 0");
    EXPECT_EQ(rank_ranges(worlds, ranks({5, 3, 0, -1})),
              "? and 0 of world 0 and 0 of world 1 and 0 of world 2");
    EXPECT_EQ(rank_ranges(worlds, ranks({})), "none");
    EXPECT_EQ(named_ranks(worlds, ranks({4})), "rank 1 of world 1");
    EXPECT_EQ(named_ranks(worlds, ranks({1, 3, 4})), "rank 1 of world 0 and ranks 0,1 of world 1");
}

TEST(RankRanges, CountProcessesOfAnotherJob) {
    EXPECT_EQ(named_ranks(one_world(), ranks({2, -1})), "rank 2 and a process of another job");
    EXPECT_EQ(named_ranks(one_world(), ranks({-1, -1})), "2 processes of another job");
}

}  // namespace
}  // namespace mqinspect::report
