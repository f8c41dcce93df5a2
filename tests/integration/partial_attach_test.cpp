// Looking at some ranks of a job: the others are left alone, and the verdict stays honest.

#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/inspection.h"
#include "tests/support/mpi_job.h"

namespace mqinspect::testing {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;

MpiJobOptions ranks_of(int ranks, const std::string& program) {
    MpiJobOptions options;
    options.ranks = ranks;
    options.command = {std::string(MQI_PROGRAMS) + "/" + program};
    return options;
}

bool becomes(const std::string& verdict, const MpiJob& job) {
    return poll_until(seconds(30),
                      [&] { return verdict_kind(inspect({job.launcher_pid()})) == verdict; });
}

std::set<int> unreadable_ranks(const Inspection& inspection) {
    std::set<int> ranks;
    if (!inspection.report.is_object()) return ranks;
    for (const auto& rank : inspection.report["ranks"]) {
        if (rank["state"] != "unreadable") continue;
        EXPECT_EQ(rank["problem"], "not looked at, as was asked for");
        ranks.insert(rank["rank"].get<int>());
    }
    return ranks;
}

TEST(PartialAttach, DeadlockAmongTheRanksThatWereAskedFor) {
    const MpiJob job(ranks_of(3, "any_source_subcomm_deadlock"));
    ASSERT_TRUE(becomes("deadlock", job));

    const Inspection inspection = inspect_with({"--ranks", "0-1"}, {job.launcher_pid()});

    EXPECT_EQ(verdict_kind(inspection), "deadlock") << inspection.output << inspection.errors;
    EXPECT_EQ(unreadable_ranks(inspection), std::set<int>{2});
    EXPECT_EQ(inspection.exit_code, 1);
}

TEST(PartialAttach, RankThatWasNotLookedAtMakesTheVerdictUnknown) {
    const MpiJob job(ranks_of(3, "recv_ring_deadlock"));
    ASSERT_TRUE(becomes("deadlock", job));

    const Inspection inspection = inspect_with({"--ranks", "0,2"}, {job.launcher_pid()});

    EXPECT_EQ(verdict_kind(inspection), "unknown") << inspection.output << inspection.errors;
    EXPECT_EQ(unreadable_ranks(inspection), std::set<int>{1});
    EXPECT_EQ(inspection.exit_code, 3);
    for (const std::string problem : inspection.report["problems"])
        EXPECT_EQ(problem.find("another job"), std::string::npos) << problem;
}

TEST(PartialAttach, RanksOfACommunicator) {
    const MpiJob job(ranks_of(4, "split_barrier_deadlock"));
    ASSERT_TRUE(becomes("deadlock", job));

    const Inspection even = inspect_with({"--communicator", "even ranks"}, {job.launcher_pid()});
    const Inspection odd = inspect_with({"--communicator", "odd ranks"}, {job.launcher_pid()});

    EXPECT_EQ(verdict_kind(even), "deadlock") << even.output << even.errors;
    EXPECT_EQ(unreadable_ranks(even), (std::set<int>{1, 3}));
    EXPECT_EQ(verdict_kind(odd), "unknown") << odd.output << odd.errors;
    EXPECT_EQ(unreadable_ranks(odd), (std::set<int>{0, 2}));
}

TEST(PartialAttach, ShellDoesNotTouchOtherRanks) {
    const MpiJob job(ranks_of(3, "recv_ring_deadlock"));
    ASSERT_TRUE(becomes("deadlock", job));
    const Command command{{MQI_INSPECT,
                           "attach",
                           "--ranks",
                           "0,2",
                           std::to_string(job.launcher_pid()),
                           "--command",
                           "stack 1 locals",
                           "--command",
                           "interrupt",
                           "--command",
                           "stack 1 locals",
                           "--command",
                           "stack 2 locals"},
                          {},
                          {}};

    const Completed completed = run_to_end(command, seconds(30));

    ASSERT_TRUE(completed.status);
    EXPECT_EQ(completed.errors,
              "mqinspect: rank 1 is not looked at, as was asked for\n"
              "mqinspect: rank 1 is not looked at, as was asked for\n");
    EXPECT_THAT(completed.output, HasSubstr("rank = 2"));
}

TEST(PartialAttach, SaysWhichRanksAndCommunicatorsThereAre) {
    const MpiJob job(ranks_of(4, "split_barrier_deadlock"));
    ASSERT_TRUE(becomes("deadlock", job));

    const Inspection rank = inspect_with({"--ranks", "2-7"}, {job.launcher_pid()});
    const Inspection name = inspect_with({"--communicator", "ring"}, {job.launcher_pid()});
    const Inspection both =
        inspect_with({"--communicator", "odd ranks", "--ranks", "1"}, {job.launcher_pid()});

    EXPECT_EQ(rank.exit_code, 2);
    EXPECT_EQ(rank.errors, "mqinspect: no rank 2-7; ranks are 0 to 3\n");
    EXPECT_EQ(name.exit_code, 2);
    EXPECT_TRUE(is_one_line(name.errors)) << name.errors;
    EXPECT_THAT(name.errors, HasSubstr("no rank is in a communicator \"ring\"; there is "));
    EXPECT_THAT(name.errors, HasSubstr("even ranks"));
    EXPECT_EQ(both.exit_code, 2);
}

}  // namespace
}  // namespace mqinspect::testing
