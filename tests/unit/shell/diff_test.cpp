#include "inspector/shell/diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/snapshot_text.h"

namespace mqinspect::shell {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Difference between(std::string_view before, std::string_view after) {
    const auto first = model::parse_snapshot(before);
    const auto second = model::parse_snapshot(after);
    EXPECT_TRUE(first && second);
    return first && second ? difference(*first, *second) : Difference{};
}

TEST(Difference, OfOneSnapshotIsEmpty) {
    const char* job = R"(
        rank 0 blocked MPI_Recv source 1 tag 7 comm 0 at ring.c:14 identity 0x10 progress 3
        rank 0 posted source 1 tag 7 own
        rank 1 running in compute at work.c:3)";

    EXPECT_TRUE(between(job, job).empty());
}

TEST(Difference, NamesRanksThatAreElsewhere) {
    const Difference changes = between(R"(
        rank 0 blocked MPI_Barrier comm 0 at ring.c:14
        rank 1 running in compute at work.c:3
        rank 2 running in compute at work.c:3)",
                                       R"(
        rank 0 running in compute at work.c:9
        rank 1 exited
        rank 2 running in compute at work.c:3)");

    ASSERT_THAT(changes.moves, SizeIs(2));
    EXPECT_EQ(changes.moves[0].rank, model::WorldRank(0));
    EXPECT_EQ(changes.moves[0].after, "compute at work.c:9");
    EXPECT_EQ(changes.moves[1].before, "compute at work.c:3");
    EXPECT_EQ(changes.moves[1].after, "ended");
}

TEST(Difference, SeesThatARankHasComeBackToTheSameCall) {
    const Difference changes = between(R"(
        rank 0 blocked MPI_Barrier comm 0 at ring.c:14 identity 0x10
        rank 1 blocked MPI_Barrier comm 0 at ring.c:14 identity 0x10 progress 3)",
                                       R"(
        rank 0 blocked MPI_Barrier comm 0 at ring.c:14 identity 0x20
        rank 1 blocked MPI_Barrier comm 0 at ring.c:14 identity 0x10 progress 4)");

    ASSERT_THAT(changes.moves, SizeIs(2));
    EXPECT_EQ(changes.moves[0].after, "the same, entered again");
    EXPECT_EQ(changes.moves[1].after, "the same, but it has communicated");
}

TEST(Difference, CountsOperationsThatAppearedAndVanished) {
    const Difference changes = between(R"(
        rank 0-2 running
        rank 0 send to 1 tag 5 bytes 8
        rank 0 send to 1 tag 5 bytes 8
        rank 1 posted any_source any_tag)",
                                       R"(
        rank 0-2 running
        rank 0 send to 1 tag 5 bytes 8
        rank 1 posted any_source any_tag
        rank 2 posted any_source any_tag
        rank 2 posted any_source any_tag)");

    EXPECT_THAT(changes.moves, IsEmpty());
    ASSERT_THAT(changes.operations, SizeIs(2));
    EXPECT_FALSE(changes.operations[0].appeared);
    EXPECT_EQ(changes.operations[0].operation, "pending send to 1, tag 5, 8 B on MPI_COMM_WORLD");
    EXPECT_THAT(changes.operations[0].ranks, ElementsAre(model::WorldRank(0)));
    EXPECT_TRUE(changes.operations[1].appeared);
    EXPECT_EQ(changes.operations[1].operation,
              "posted receive from any, tag any on MPI_COMM_WORLD");
    EXPECT_THAT(changes.operations[1].ranks, ElementsAre(model::WorldRank(2), model::WorldRank(2)));
}

TEST(Difference, KnowsCommunicatorsByWhatTheyAre) {
    const Difference changes = between(R"(
        communicator 0 "MPI_COMM_WORLD"
        communicator 1 "old" members 0
        communicator 2 "kept" members 1
        rank 0-1 running)",
                                       R"(
        communicator 0 "MPI_COMM_WORLD"
        communicator 1 "kept" members 1
        communicator 2 "fresh" members 0 1
        rank 0-1 running)");

    EXPECT_THAT(changes.communicators, ElementsAre("new: fresh, ranks 0,1", "freed: old, rank 0"));
}

}  // namespace
}  // namespace mqinspect::shell
