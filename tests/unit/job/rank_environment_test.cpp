#include "inspector/job/rank_environment.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace mqinspect::job {
namespace {

using namespace std::string_view_literals;

TEST(RankEnvironment, ReadsPmi) {
    const auto rank = parse_rank_environment("A=b\0PMI_RANK=3\0PMI_SIZE=4\0MPI_LOCALNRANKS=2\0"sv);

    ASSERT_TRUE(rank);
    EXPECT_EQ(3, rank->rank);
    EXPECT_EQ(4, rank->size);
    EXPECT_EQ(2, rank->local_size);
    EXPECT_FALSE(rank->spawned);
}

TEST(RankEnvironment, ReadsOpenMpi) {
    const auto rank = parse_rank_environment(
        "OMPI_COMM_WORLD_RANK=1\0OMPI_COMM_WORLD_SIZE=2\0PMIX_NAMESPACE=77\0"sv);

    ASSERT_TRUE(rank);
    EXPECT_EQ(1, rank->rank);
    EXPECT_EQ(2, rank->size);
    EXPECT_NE(std::string::npos, rank->world.find("77"));
}

TEST(RankEnvironment, BelievesPmiBeforeTheVariablesOfABatchScript) {
    const auto rank = parse_rank_environment("SLURM_PROCID=0\0PMI_RANK=5\0"sv);

    ASSERT_TRUE(rank);
    EXPECT_EQ(5, rank->rank);
    EXPECT_FALSE(rank->size);
}

TEST(RankEnvironment, TellsSpawnedWorldsApart) {
    const auto first = parse_rank_environment("PMI_RANK=0\0"sv);
    const auto spawned = parse_rank_environment("PMI_RANK=0\0PMI_SPAWNED=1\0"sv);

    ASSERT_TRUE(first && spawned);
    EXPECT_TRUE(spawned->spawned);
    EXPECT_NE(first->world, spawned->world);
}

TEST(RankEnvironment, RefusesJunk) {
    for (const auto text : {""sv,
                            "PMI_RANK"sv,
                            "PMI_RANK=\0"sv,
                            "PMI_RANK=-1\0"sv,
                            "PMI_RANK=2x\0"sv,
                            "PMI_RANK=99999999999999\0"sv,
                            "XPMI_RANK=2\0"sv}) {
        EXPECT_FALSE(parse_rank_environment(text)) << text;
    }
}

}  // namespace
}  // namespace mqinspect::job
