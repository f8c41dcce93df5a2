#include "inspector/mqs_host/mqs_host.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "inspector/target/live_memory.h"
#include "inspector/target/process_view.h"
#include "tests/unit/mqs_host/fixture_target.h"

FixtureState fixture_state{4, 3};
int fixture_moves = 7;
void fixture_breakpoint() {}

namespace mqinspect::mqs_host {
namespace {

using std::chrono::milliseconds;
using testing::AllOf;
using testing::HasSubstr;

std::string fixture(const std::string& name) {
    return std::string(MQI_FIXTURE_FOLDER) + "/libmqs_fixture_" + name + ".so";
}

/// The test program as the target: every rank of the job is this process. The parameter:
/// whether the helper asks here for symbols and memory, as if another debugger held them.
class MqsHost : public testing::TestWithParam<bool> {
protected:
    MqsHost() : store_("") {}

    void SetUp() override {
        fixture_state = {4, 3};
        auto view = target::ProcessView::create(getpid(), store_);
        ASSERT_TRUE(view) << view.error().message;
        view_ = std::make_unique<target::ProcessView>(std::move(*view));
        auto memory = target::LiveMemory::open(getpid());
        ASSERT_TRUE(memory) << memory.error().message;
        memory_ = std::move(*memory);
    }

    /// No test leaves a helper behind.
    void TearDown() override {
        EXPECT_EQ(-1, waitpid(-1, nullptr, WNOHANG));
        EXPECT_EQ(ECHILD, errno);
    }

    Result<HostReport> read(const std::string& name, int ranks = 4) {
        std::vector<HostedProcess> processes;
        for (int rank = 0; rank < ranks; ++rank) {
            HostedProcess process;
            process.rank = model::WorldRank(first_ + rank);
            process.view = view_.get();
            process.memory = memory_.get();
            process.ask_here = GetParam();
            process.world_first = first_;
            process.world_size = ranks;
            processes.push_back(process);
        }
        return read_queues(fixture(name), processes, options_);
    }

    /// Ranks 0, 2 and 3 are served although the DLL fails at rank 1.
    static void expect_only_rank_1_failed(const HostReport& report, const std::string& text) {
        ASSERT_EQ(4U, report.ranks.size());
        for (const std::size_t rank : {0U, 2U, 3U}) {
            ASSERT_TRUE(report.ranks[rank]) << report.ranks[rank].error().message;
            EXPECT_EQ(2U, report.ranks[rank]->communicators.size());
        }
        ASSERT_FALSE(report.ranks[1]);
        EXPECT_THAT(report.ranks[1].error().message, HasSubstr(text));
    }

    target::ImageStore store_;
    std::unique_ptr<target::ProcessView> view_;
    std::unique_ptr<target::LiveMemory> memory_;
    HostOptions options_;
    int first_ = 0;  ///< number of rank 0
};

INSTANTIATE_TEST_SUITE_P(WhoReads, MqsHost, testing::Bool(), [](const auto& asks_here) {
    return asks_here.param ? "Here" : "Helper";
});

TEST_P(MqsHost, BringsEverythingThatTheDllTells) {
    const auto report = read("good");

    ASSERT_TRUE(report) << report.error().message;
    EXPECT_EQ("fixture 1", report->dll_version);
    ASSERT_EQ(4U, report->ranks.size());
    ASSERT_TRUE(report->ranks[2]) << report->ranks[2].error().message;
    const HostedQueues& queues = *report->ranks[2];
    ASSERT_EQ(2U, queues.communicators.size());
    const HostedCommunicator& world = queues.communicators[0];
    EXPECT_STREQ("MPI_COMM_WORLD", world.communicator.name);
    EXPECT_EQ(4, world.communicator.size);
    EXPECT_EQ(2, world.communicator.local_rank);
    EXPECT_EQ((std::vector{0, 1, 2, 3}), world.group);
    EXPECT_EQ((std::vector<int>{mqs_unexpected_messages}), world.unknown_queues);
    ASSERT_EQ(3U, world.operations.size());
    EXPECT_EQ(mqs_pending_receives, world.operations[2].queue);
    EXPECT_EQ(2, world.operations[2].operation.desired_tag);
    EXPECT_EQ(64, world.operations[2].operation.desired_length);
    EXPECT_EQ(-1, world.operations[2].operation.actual_local_rank);
    EXPECT_STREQ("number 3", world.operations[2].operation.extra_text[1]);
    EXPECT_STREQ("", world.operations[2].operation.extra_text[2]);
    EXPECT_EQ((std::vector{2}), queues.communicators[1].group);
    ASSERT_EQ(2U, queues.windows.size());
    EXPECT_STREQ("halo", queues.windows[1].window.name);
    EXPECT_EQ(mqs_epoch_lock, queues.windows[1].window.access);
    ASSERT_EQ(3U, queues.windows[1].peers.size());
    EXPECT_EQ(2, queues.windows[1].peers[2].rank);
    EXPECT_TRUE(queues.problems.empty());
    EXPECT_EQ(7U, queues.progress_count);
    EXPECT_FALSE(queues.incoming_count);
}

TEST_P(MqsHost, ServesTheJobCallbacksOfLevelThree) {
    const auto report = read("level3");

    ASSERT_TRUE(report) << report.error().message;
    for (const auto& rank : report->ranks)
        EXPECT_TRUE(rank) << rank.error().message;
}

TEST_P(MqsHost, SurvivesADllThatCrashesOnAnIdentity) {
    const auto report = read("crashes_on_identity");

    ASSERT_TRUE(report) << report.error().message;
    expect_only_rank_1_failed(*report, "crashed with SIGSEGV in mqs_set_process_identity");
}

TEST_P(MqsHost, RanksOfADllOfLevelTwoAreThoseOfTheWorld) {
    first_ = 7;

    const auto report = read("good");

    ASSERT_TRUE(report) << report.error().message;
    ASSERT_TRUE(report->ranks[2]) << report->ranks[2].error().message;
    const HostedCommunicator& world = report->ranks[2]->communicators[0];
    EXPECT_EQ(2, world.communicator.local_rank);
    EXPECT_EQ((std::vector{7, 8, 9, 10}), world.group);
    EXPECT_EQ(-1, world.operations[0].operation.desired_global_rank);
    EXPECT_EQ((std::vector{9}), report->ranks[2]->communicators[1].group);
}

TEST_P(MqsHost, SurvivesADllThatCrashes) {
    const auto report = read("crashes");

    ASSERT_TRUE(report) << report.error().message;
    expect_only_rank_1_failed(*report, "crashed with SIGSEGV in mqs_next_operation");
}

TEST_P(MqsHost, SurvivesADllThatExits) {
    const auto report = read("exits");

    ASSERT_TRUE(report) << report.error().message;
    expect_only_rank_1_failed(*report, "ended with exit code 7 in mqs_update_communicator_list");
}

TEST_P(MqsHost, KillsADllThatHangs) {
    options_.patience = milliseconds(300);

    const auto report = read("hangs");

    ASSERT_TRUE(report) << report.error().message;
    expect_only_rank_1_failed(*report, "did not return from mqs_next_operation within 300 ms");
}

TEST_P(MqsHost, SurvivesADllThatClosesTheConnection) {
    const auto report = read("closes");

    ASSERT_TRUE(report) << report.error().message;
    expect_only_rank_1_failed(*report, "ended with exit code");
}

TEST_P(MqsHost, KeepsTheStartOfWhatTheDllPrints) {
    testing::internal::CaptureStdout();

    const auto report = read("prints");

    EXPECT_EQ("", testing::internal::GetCapturedStdout());
    ASSERT_TRUE(report) << report.error().message;
    EXPECT_TRUE(report->ranks[3]);
    EXPECT_THAT(report->output,
                AllOf(HasSubstr("printed by the fixture"), HasSubstr("said by the fixture")));
    EXPECT_EQ(4096U, report->output.size());
}

TEST_P(MqsHost, NamesTheFunctionsThatADllLacks) {
    const auto report = read("lacks");

    ASSERT_FALSE(report);
    EXPECT_EQ(ErrorCode::InvalidArgument, report.error().code);
    EXPECT_THAT(report.error().message, HasSubstr("lacks mqs_destroy_process_info"));
}

TEST_P(MqsHost, RefusesAnotherLevel) {
    const auto report = read("level1");

    ASSERT_FALSE(report);
    EXPECT_THAT(report.error().message, HasSubstr("level 1"));
}

TEST_P(MqsHost, RefusesAnotherAddressWidth) {
    const auto report = read("width");

    ASSERT_FALSE(report);
    EXPECT_THAT(report.error().message, HasSubstr("addresses of 4 bytes"));
}

TEST_P(MqsHost, RefusesAFileThatIsNoLibrary) {
    const auto report = read("absent");

    ASSERT_FALSE(report);
    EXPECT_EQ(ErrorCode::InvalidArgument, report.error().code);
    EXPECT_THAT(report.error().message, HasSubstr("cannot be loaded"));
}

TEST_P(MqsHost, FailsAsAWholeIfLoadingCrashes) {
    const auto report = read("crashes_at_loading");

    ASSERT_FALSE(report);
    EXPECT_THAT(report.error().message, HasSubstr("crashed with SIGABRT in dlopen"));
}

TEST_P(MqsHost, PassesOnWhyAnImageHasNoQueues) {
    const auto report = read("no_queues", 1);

    ASSERT_TRUE(report) << report.error().message;
    ASSERT_FALSE(report->ranks[0]);
    EXPECT_EQ(ErrorCode::MissingDebugInfo, report->ranks[0].error().code);
    EXPECT_THAT(report->ranks[0].error().message,
                AllOf(HasSubstr("holds no queues"), HasSubstr("test")));
}

TEST_P(MqsHost, AQueueInErrorIsUnknownAndExplained) {
    const auto report = read("queue_errors", 1);

    ASSERT_TRUE(report) << report.error().message;
    ASSERT_TRUE(report->ranks[0]) << report->ranks[0].error().message;
    const HostedQueues& queues = *report->ranks[0];
    EXPECT_EQ((std::vector<int>{mqs_pending_receives, mqs_unexpected_messages}),
              queues.communicators[0].unknown_queues);
    ASSERT_EQ(1U, queues.problems.size());
    EXPECT_THAT(
        queues.problems[0],
        AllOf(HasSubstr("posted receives of MPI_COMM_WORLD"), HasSubstr("the queue is torn")));
}

TEST_P(MqsHost, TerminatesJunkAndAsksNoAbsurdGroup) {
    const auto report = read("junk", 1);

    ASSERT_TRUE(report) << report.error().message;
    ASSERT_TRUE(report->ranks[0]) << report->ranks[0].error().message;
    const HostedCommunicator& first = report->ranks[0]->communicators[0];
    EXPECT_EQ(63U, std::strlen(first.communicator.name));
    EXPECT_TRUE(first.group.empty());
    ASSERT_FALSE(first.operations.empty());
    EXPECT_EQ('\0', first.operations[0].operation.extra_text[4][63]);
    const HostedQueues& queues = *report->ranks[0];
    ASSERT_EQ(2U, queues.windows.size());
    EXPECT_EQ(63U, std::strlen(queues.windows[0].window.name));
    ASSERT_FALSE(queues.problems.empty());
    EXPECT_THAT(queues.problems.back(), HasSubstr("windows: mqs_next_window: the queue is torn"));
}

TEST_P(MqsHost, BoundsAListWithoutAnEnd) {
    options_.max_operations = 5000;

    const auto report = read("endless", 1);

    ASSERT_TRUE(report) << report.error().message;
    ASSERT_FALSE(report->ranks[0]);
    EXPECT_THAT(report->ranks[0].error().message, HasSubstr("more than 5000 operations"));
}

TEST_P(MqsHost, BringsAHundredThousandOperations) {
    fixture_state.operations = 100'000;

    const auto report = read("good", 1);

    ASSERT_TRUE(report) << report.error().message;
    ASSERT_TRUE(report->ranks[0]) << report->ranks[0].error().message;
    const auto& operations = report->ranks[0]->communicators[0].operations;
    ASSERT_EQ(100'000U, operations.size());
    EXPECT_EQ(99'999, operations.back().operation.desired_tag);
}

TEST_P(MqsHost, AsksTheOtherRanksIfTheMemoryOfOneIsUnreadable) {
    struct Unreadable final : target::Memory {
        Result<Done> read(target::Address, std::span<std::byte>) const override {
            return Error{ErrorCode::BadAddress, "not readable"};
        }
    } unreadable;
    const std::vector<HostedProcess> processes{{model::WorldRank(0), view_.get(), &unreadable},
                                               {model::WorldRank(1), view_.get(), memory_.get()}};

    const auto report = read_queues(fixture("good"), processes, options_);

    ASSERT_TRUE(report) << report.error().message;
    ASSERT_FALSE(report->ranks[0]);
    EXPECT_THAT(report->ranks[0].error().message,
                AllOf(HasSubstr("mqs_update_communicator_list"),
                      HasSubstr("the target has no fixture_state")));
    EXPECT_TRUE(report->ranks[1]);
}

}  // namespace
}  // namespace mqinspect::mqs_host
