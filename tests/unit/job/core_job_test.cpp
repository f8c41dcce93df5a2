#include "inspector/job/core_job.h"

#include <csignal>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/core_builder.h"
#include "tests/unit/job/fake_job.h"

namespace mqinspect::job {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class FindCoreJob : public ::testing::Test {
protected:
    /// A core of the fake rank, with this environment.
    std::filesystem::path core(pid_t pid, const std::vector<std::string>& environment) {
        constexpr std::uint64_t start = 0x400000;
        mqinspect::testing::CoreBuilder builder;
        builder.add_thread({.tid = pid, .signal = SIGSEGV});
        builder.add_file(start, start + 0x1000, 0, rank_program());
        builder.add_environment(environment, start);
        const auto bytes = builder.bytes();
        const std::filesystem::path path =
            ::testing::TempDir() + fmt::format("core_job_test.{}", pid);
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
        return path;
    }

    Result<CoreJob> find(const std::vector<std::filesystem::path>& cores) {
        return find_core_job(rank_program(), cores, images_);
    }

    target::ImageStore images_{""};
};

TEST_F(FindCoreJob, SortsCoresByTheirRank) {
    const auto job =
        find({core(12, {"PMI_RANK=1", "PMI_SIZE=2"}), core(11, {"PMI_RANK=0", "PMI_SIZE=2"})});

    ASSERT_TRUE(job) << job.error().message;
    ASSERT_EQ(job->job.processes.size(), 2U);
    EXPECT_EQ(job->job.processes[0].pid, 11);
    EXPECT_EQ(job->job.processes[1].pid, 12);
    EXPECT_EQ(job->job.processes[1].executable, rank_program());
    ASSERT_TRUE(job->cores[1]);
    EXPECT_EQ(job->cores[1]->core->pid(), 12);
    EXPECT_TRUE(job->job.problems.empty());
}

TEST_F(FindCoreJob, NamesRanksWithoutACore) {
    const auto job = find({core(12, {"OMPI_COMM_WORLD_RANK=1", "OMPI_COMM_WORLD_SIZE=3"})});

    ASSERT_TRUE(job) << job.error().message;
    ASSERT_EQ(job->job.processes.size(), 3U);
    EXPECT_FALSE(job->cores[0]);
    EXPECT_EQ(job->job.processes[2].problem, "no core file of this rank was named");
    EXPECT_EQ(job->job.processes[1].problem, "");
}

TEST_F(FindCoreJob, RejectsTwoCoresOfOneRank) {
    const auto job = find({core(11, {"PMI_RANK=1"}), core(12, {"PMI_RANK=1"})});

    ASSERT_FALSE(job);
    EXPECT_THAT(job.error().message, HasSubstr("are both of rank 1 (processes 11 and 12)"));
}

TEST_F(FindCoreJob, RejectsCoresOfDifferentJobs) {
    const auto job =
        find({core(11, {"PMI_RANK=0", "PMI_SIZE=2"}), core(12, {"PMI_RANK=1", "PMI_SIZE=4"})});

    ASSERT_FALSE(job);
    EXPECT_THAT(job.error().message, HasSubstr("is of a job of 2 ranks and"));
}

TEST_F(FindCoreJob, RejectsACoreOfAnUnknownRank) {
    const auto job = find({core(11, {"HOME=/root"})});

    ASSERT_FALSE(job);
    EXPECT_THAT(job.error().message, HasSubstr("cannot be told"));
}

TEST_F(FindCoreJob, TakesACoreOfAnUnknownRankForTheOnlyOneThatIsMissing) {
    const auto job = find({core(11, {}), core(12, {"PMI_RANK=0", "PMI_SIZE=2"})});

    ASSERT_TRUE(job) << job.error().message;
    EXPECT_EQ(job->job.processes[1].pid, 11);
    EXPECT_THAT(job->job.problems, ElementsAre(HasSubstr("it is taken for rank 1, the only one")));
}

TEST_F(FindCoreJob, LeavesOutCoresThatCouldBeOfSeveralRanks) {
    const auto job = find({core(11, {}), core(12, {"PMI_RANK=0", "PMI_SIZE=3"})});

    ASSERT_TRUE(job) << job.error().message;
    EXPECT_FALSE(job->cores[1] || job->cores[2]);
    EXPECT_THAT(job->job.problems, ElementsAre(HasSubstr("it is left out")));
}

TEST_F(FindCoreJob, RejectsACoreInPlaceOfTheExecutable) {
    const auto path = core(11, {"PMI_RANK=0"});

    const auto job = find_core_job(path, std::vector{path}, images_);

    ASSERT_FALSE(job);
    EXPECT_THAT(job.error().message, HasSubstr("name the executable before the cores"));
}

TEST_F(FindCoreJob, PutsSpawnedWorldsBehindTheOthers) {
    const auto job = find({core(11, {"PMI_RANK=0", "PMI_SIZE=1", "PMI_SPAWNED=1"}),
                           core(12, {"PMI_RANK=0", "PMI_SIZE=1"})});

    ASSERT_TRUE(job) << job.error().message;
    EXPECT_THAT(job->job.world_sizes, ElementsAre(1, 1));
    EXPECT_EQ(job->job.processes[0].pid, 12);
    EXPECT_EQ(job->job.processes[1].pid, 11);
}

}  // namespace
}  // namespace mqinspect::job
