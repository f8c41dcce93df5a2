// Jobs of several MPI_COMM_WORLDs: whichever process is named, and jobs that connect.
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/inspection.h"
#include "tests/support/mpi_job.h"

namespace mqinspect::testing {
namespace {

using nlohmann::json;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string program(const std::string& name) {
    return std::string(MQI_PROGRAMS) + "/" + name;
}

MpiJobOptions connected(const std::string& role, const std::string& port, bool ends) {
    MpiJobOptions options;
    options.ranks = 2;
    options.command = {program("connected"), role, port};
    if (ends) options.command.emplace_back("ends");
    return options;
}

json rank(const Inspection& inspection, std::size_t number) {
    return inspection.report.at("ranks").at(number);
}

std::vector<int> numbers(const json& array) {
    return array.get<std::vector<int>>();
}

/// Inspects until the verdict is of that kind and its sentence has the text.
Inspection inspect_until(const std::vector<pid_t>& pids,
                         const std::string& kind,
                         const std::string& text) {
    Inspection last;
    poll_until(seconds(30), [&] {
        last = inspect(pids);
        return verdict_kind(last) == kind && last.output.find(text) != std::string::npos;
    });
    return last;
}

class ConnectedJobs : public ::testing::Test {
protected:
    void start(bool ends) {
        const std::string port = directory_.path() / "port";
        accepting_.emplace(connected("accept", port, ends));
        connecting_.emplace(connected("connect", port, ends));
        ASSERT_TRUE(accepting_->wait_for_ranks(seconds(30)));
        ASSERT_TRUE(connecting_->wait_for_ranks(seconds(30)));
    }

    TemporaryDirectory directory_;
    std::optional<MpiJob> accepting_;
    std::optional<MpiJob> connecting_;
};

TEST_F(ConnectedJobs, AreOneJobIfBothAreNamed) {
    start(false);

    const std::vector<std::vector<pid_t>> ways = {
        {accepting_->launcher_pid(), connecting_->launcher_pid()},
        {accepting_->rank_pids().back(), connecting_->launcher_pid()},
        {accepting_->rank_pids().back(), connecting_->rank_pids().front()}};
    for (const auto& pids : ways) {
        const Inspection inspection =
            inspect_until(pids, "deadlock", "rank 0 of world 0 and rank 0 of world 1 wait");

        ASSERT_EQ("deadlock", verdict_kind(inspection)) << inspection.output << inspection.errors;
        EXPECT_EQ(1, inspection.exit_code);
        const json& verdict = inspection.report.at("verdict");
        EXPECT_THAT(numbers(verdict.at("cores").at(0).at("ranks")), ElementsAre(0, 2));
        EXPECT_EQ(2U, verdict.at("victims").size());
        EXPECT_THAT(numbers(inspection.report.at("job").at("worlds")), ElementsAre(2, 2));
        EXPECT_EQ(1, rank(inspection, 3).at("world"));
        EXPECT_EQ(1, rank(inspection, 3).at("rank_in_world"));
        EXPECT_THAT(inspection.report.at("problems"), ::testing::IsEmpty());
    }
}

TEST_F(ConnectedJobs, OneOfThemAloneHasPeersOfAnotherJob) {
    start(false);

    const Inspection inspection =
        inspect_until({connecting_->launcher_pid()}, "unknown", "from a process of another job");

    EXPECT_EQ("unknown", verdict_kind(inspection)) << inspection.output << inspection.errors;
    EXPECT_EQ(3, inspection.exit_code);
    EXPECT_THAT(inspection.output, HasSubstr("receive from a process of another job with tag 1"));
    ASSERT_EQ(1U, inspection.report.at("problems").size());
    EXPECT_THAT(inspection.report.at("problems").at(0).get<std::string>(),
                HasSubstr("connected with 2 processes of another job"));
}

TEST_F(ConnectedJobs, ThatGoOnAreNoDeadlock) {
    start(true);
    const std::vector<pid_t> both = {accepting_->launcher_pid(), connecting_->launcher_pid()};

    // The others of the connected world are on their way to their receives for a while.
    Inspection inspection;
    poll_until(seconds(30), [&] {
        inspection = inspect(both);
        return verdict_kind(inspection) == "none" &&
               numbers(inspection.report.at("verdict").at("running")) == std::vector<int>{0};
    });
    EXPECT_EQ("none", verdict_kind(inspection)) << inspection.output << inspection.errors;
    EXPECT_EQ(0, inspection.exit_code);
    EXPECT_THAT(numbers(inspection.report.at("verdict").at("running")), ElementsAre(0));
    EXPECT_THAT(inspection.output, HasSubstr("compute_until_released"));
    const Inspection alone = inspect({connecting_->launcher_pid()});
    EXPECT_EQ("unknown", verdict_kind(alone)) << alone.output << alone.errors;

    accepting_->release();
    for (auto* job : {&accepting_, &connecting_}) {
        const auto status = (*job)->wait_for_exit(seconds(30));
        ASSERT_TRUE(status.has_value());
        EXPECT_EQ(0, status->code) << (*job)->errors();
        EXPECT_EQ(2, (*job)->finished_ranks());
    }
}

TEST_F(ConnectedJobs, NobodyKnowsWhoWillConnect) {
    const MpiJob job(connected("accept-only", "unused", false));

    const Inspection inspection =
        inspect_until({job.launcher_pid()}, "unknown", "a process that connects");

    EXPECT_EQ("unknown", verdict_kind(inspection)) << inspection.output << inspection.errors;
    EXPECT_EQ("blocked", rank(inspection, 0).at("state"));
    EXPECT_EQ("blocked", rank(inspection, 1).at("state"));
}

TEST(SpawnedWorlds, AreShownWhicheverProcessIsNamed) {
    MpiJobOptions options;
    options.ranks = 2;
    options.command = {program("spawn_merge_deadlock")};
    const MpiJob job(options);
    const Inspection first = inspect_until({job.launcher_pid()}, "deadlock", "of world 1");
    ASSERT_EQ("deadlock", verdict_kind(first)) << first.output << first.errors;
    ASSERT_EQ(5U, first.report.at("ranks").size());

    for (std::size_t i = 0; i < 5; ++i) {
        const Inspection inspection = inspect({rank(first, i).at("pid").get<pid_t>()});

        EXPECT_EQ(first.report.at("verdict"), inspection.report.at("verdict"));
        EXPECT_EQ(first.report.at("communicators"), inspection.report.at("communicators"));
    }
}

TEST(SpawnedWorlds, ADisconnectThatOnlyOneSideHasCalledIsNotKnown) {
    MpiJobOptions options;
    options.ranks = 1;
    options.command = {program("spawn_disconnect")};
    const MpiJob job(options);

    const Inspection inspection =
        inspect_until({job.launcher_pid()}, "unknown", "rank 0 of world 0 waits for in MPI_Comm_d");

    EXPECT_EQ("unknown", verdict_kind(inspection)) << inspection.output << inspection.errors;
    EXPECT_EQ("blocked", rank(inspection, 0).at("state"));
}

}  // namespace
}  // namespace mqinspect::testing
