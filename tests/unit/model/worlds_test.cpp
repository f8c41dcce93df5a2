#include "model/worlds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/snapshot_text.h"

namespace mqinspect::model {
namespace {

using testing::ElementsAre;

JobSnapshot parse_worlds(const std::string& worlds) {
    auto snapshot = parse_snapshot(worlds +
                                   "communicator 0 \"MPI_COMM_WORLD\" members 0-2\n"
                                   "communicator 1 \"MPI_COMM_WORLD\" members 3-4\n"
                                   "communicator 2 \"MPI_COMM_WORLD\" members 2-4\n"
                                   "communicator 3 \"merged\"\n"
                                   "rank 0-4 running\n");
    EXPECT_TRUE(snapshot) << snapshot.error().message;
    return snapshot.value_or(JobSnapshot());
}

TEST(Worlds, NumbersRunOnFromWorldToWorld) {
    const Worlds worlds(parse_worlds("world 3\nworld 2\n"));

    ASSERT_EQ(2U, worlds.count());
    EXPECT_EQ(0U, worlds.world_of(WorldRank(2)));
    EXPECT_EQ(1U, worlds.world_of(WorldRank(3)));
    EXPECT_EQ(1, worlds.rank_in_world(WorldRank(4)));
    EXPECT_EQ(WorldRank(3), worlds.first(1));
    EXPECT_EQ(2, worlds.size(1));
    EXPECT_EQ("rank 1 of world 1", rank_name(worlds, WorldRank(4)));
}

TEST(Worlds, AJobOfOneWorldHasPlainRanks) {
    const Worlds worlds(parse_worlds(""));

    EXPECT_FALSE(worlds.several());
    EXPECT_EQ(4, worlds.rank_in_world(WorldRank(4)));
    EXPECT_EQ("rank 4", rank_name(worlds, WorldRank(4)));
}

TEST(Worlds, SizesThatCannotBeTrueAreOneWorld) {
    for (const char* sizes :
         {"world 3\n", "world 3\nworld 3\n", "world 0\nworld 5\n", "world -1\n"})
        EXPECT_FALSE(Worlds(parse_worlds(sizes)).several()) << sizes;
}

TEST(Worlds, KnowTheirCommunicator) {
    const JobSnapshot snapshot = parse_worlds("world 3\nworld 2\n");
    const Worlds worlds(snapshot);
    const auto& communicators = snapshot.communicators;

    EXPECT_EQ(0U, worlds.world_of(communicators[0]));
    EXPECT_EQ("MPI_COMM_WORLD of world 1", communicator_name(worlds, communicators[1]));
    EXPECT_EQ(std::nullopt, worlds.world_of(communicators[2]));
    EXPECT_EQ("merged", communicator_name(worlds, communicators[3]));
    EXPECT_EQ("MPI_COMM_WORLD", communicator_name(Worlds(parse_worlds("")), communicators[1]));
}

TEST(Worlds, AreInTheTextOfASnapshot) {
    const auto again = parse_snapshot(print_snapshot(parse_worlds("world 3\nworld 2\n")));

    ASSERT_TRUE(again);
    EXPECT_THAT(again->world_sizes, ElementsAre(3, 2));
}

}  // namespace
}  // namespace mqinspect::model
