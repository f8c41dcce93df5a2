// The stack of one rank of a real job, with variables and expressions.
#include "inspector/snapshot/rank_stack.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "inspector/session/session.h"
#include "inspector/target/stop.h"
#include "tests/support/mpi_job.h"

namespace mqinspect {
namespace {

using model::WorldRank;
using std::chrono::seconds;
using ::testing::HasSubstr;
using testing::MpiJob;
using ::testing::StartsWith;

// A job that is looked at once its ranks are stuck in the call.
class StuckJob {
public:
    StuckJob(const std::string& program, int ranks, std::string call)
        : job_(options(program, ranks)), call_(std::move(call)) {
        EXPECT_TRUE(testing::poll_until(seconds(60), [this] { return look(); }));
    }

    static testing::MpiJobOptions options(const std::string& program, int ranks) {
        testing::MpiJobOptions options;
        options.ranks = ranks;
        options.command = {std::string(MQI_PROGRAMS) + "/" + program};
        return options;
    }

    snapshot::Observer& observer() { return *observer_; }
    const model::JobSnapshot& seen() const { return snapshot_; }

private:
    bool look() {
        const std::array pids{job_.launcher_pid()};
        auto found = job::find_job(pids, images_);
        if (!found) return false;
        observer_.emplace(*std::move(found), images_, snapshot::ObserverOptions{});
        if (!observer_->prepare()) return false;
        snapshot_ = observer_->observe();
        return std::ranges::all_of(snapshot_.ranks, [this](const model::RankSnapshot& rank) {
            return rank.call && rank.call->function == call_;
        });
    }

    MpiJob job_;
    std::string call_;
    target::ImageStore images_{""};
    std::optional<snapshot::Observer> observer_;
    model::JobSnapshot snapshot_;
};

std::string text_of(const std::vector<target::ShownVariable>& variables, std::string_view name) {
    const auto found = std::ranges::find(variables, name, &target::ShownVariable::name);
    return found == variables.end() ? "no such variable" : found->value.text;
}

std::string print(const snapshot::RankStack& stack, std::string_view expression) {
    const auto value = stack.evaluate(stack.default_frame(), expression);
    return value ? value->text : "error: " + value.error().message;
}

TEST(RankStack, ShowsTheVariablesOfTheUsersFrame) {
    StuckJob job("ssend_pair_deadlock", 2, "MPI_Ssend");

    for (const int rank : {0, 1}) {
        auto stack = job.observer().stack_of(WorldRank{rank});

        ASSERT_TRUE(stack) << stack.error().message;
        const std::size_t frame = stack->default_frame();
        EXPECT_EQ(stack->frames()[frame].function, "main");
        EXPECT_THAT(stack->frames()[frame].location.file, HasSubstr("ssend_pair_deadlock.c"));
        EXPECT_EQ(text_of(stack->variables(frame), "peer"), std::to_string(1 - rank));
        EXPECT_EQ(text_of(stack->variables(frame), "argc"), "1");
        EXPECT_EQ(print(*stack, "peer + 40"), std::to_string(41 - rank));
        EXPECT_THAT(print(*stack, "nobody"),
                    StartsWith("error: no variable 'nobody' in main (ssend_pair_deadlock.c:"));
        EXPECT_FALSE(stack->evaluate(stack->frames().size(), "peer"));
        EXPECT_TRUE(stack->variables(stack->frames().size()).empty());
    }
}

TEST(RankStack, NamesHandles) {
    StuckJob job("ssend_pair_deadlock", 2, "MPI_Ssend");
    auto stack = job.observer().stack_of(WorldRank{1});
    ASSERT_TRUE(stack) << stack.error().message;
    const auto is_ssend = [](const model::Frame& frame) { return frame.function == "MPI_Ssend"; };
    const auto ssend = std::ranges::find_if(stack->frames(), is_ssend);
    ASSERT_NE(ssend, stack->frames().end());
    const auto frame = static_cast<std::size_t>(ssend - stack->frames().begin());

    const auto variables = stack->variables(frame, &job.seen());

    EXPECT_THAT(text_of(variables, "comm"), HasSubstr(" (MPI_COMM_WORLD)"));
    EXPECT_THAT(text_of(variables, "datatype"), HasSubstr(" (MPI_INT)"));
}

TEST(RankStack, OfFortran) {
    StuckJob job("fortran_ring_deadlock", 3, "MPI_Recv");
    auto stack = job.observer().stack_of(WorldRank{2});
    ASSERT_TRUE(stack) << stack.error().message;
    const std::size_t frame = stack->default_frame();

    EXPECT_EQ(text_of(stack->variables(frame), "rank"), "2");
    EXPECT_EQ(print(*stack, "LEFT"), "1");
    EXPECT_EQ(print(*stack, "Rank == size - 1"), "1");
}

TEST(RankStack, OfRanksThatAreHeld) {
    StuckJob job("ssend_pair_deadlock", 2, "MPI_Ssend");
    const auto held = target::StoppedProcesses::stop(job.observer().pids());

    auto stack = job.observer().stack_of(WorldRank{1}, held);

    ASSERT_TRUE(stack) << stack.error().message;
    EXPECT_EQ(print(*stack, "peer"), "0");
}

TEST(RankStack, OfARankThatIsNotThere) {
    StuckJob job("ssend_pair_deadlock", 2, "MPI_Ssend");

    EXPECT_EQ(job.observer().stack_of(WorldRank{2}).error().message, "no rank 2; there are 0 to 1");
    EXPECT_EQ(job.observer().stack_of(WorldRank{-1}).error().code, ErrorCode::InvalidArgument);
}

}  // namespace
}  // namespace mqinspect
