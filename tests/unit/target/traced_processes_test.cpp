#include "inspector/target/traced_processes.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "inspector/target/stop.h"
#include "tests/unit/target/child.h"

namespace mqinspect::target {
namespace {

using mqinspect::testing::Child;
using mqinspect::testing::wait_for_state;
using ::testing::HasSubstr;
using Kind = TraceEvent::Kind;

/// The next event, at most 20 s from now.
std::optional<TraceEvent> wait_for_event(TracedProcesses& traced) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (std::chrono::steady_clock::now() < deadline) {
        if (auto event = traced.next()) return event;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ADD_FAILURE() << "no event";
    return std::nullopt;
}

/// The next one of a kind; all others are resumed, with their signal.
std::optional<TraceEvent> wait_for(TracedProcesses& traced, Kind kind) {
    for (;;) {
        auto event = wait_for_event(traced);
        if (!event || event->kind == kind) return event;
        if (event->kind != Kind::Ended) traced.resume(event->tid, event->signal);
    }
}

std::vector<std::string> shell(const std::string& script) {
    return {"sh", "-c", script};
}

TEST(TracedProcesses, BeginsWithTheExecOfTheCommand) {
    TracedProcesses traced;
    const auto pid = traced.start({"true"});
    ASSERT_TRUE(pid) << pid.error().message;

    const auto exec = wait_for_event(traced);
    ASSERT_TRUE(exec && exec->kind == Kind::Exec);
    EXPECT_EQ(*pid, exec->pid);
    traced.resume(exec->tid);
    const auto end = wait_for(traced, Kind::Ended);
    ASSERT_TRUE(end);
    EXPECT_EQ(*pid, end->pid);
    EXPECT_TRUE(WIFEXITED(end->status));
}

TEST(TracedProcesses, RefusesWhatCannotBeExecuted) {
    TracedProcesses traced;

    const auto pid = traced.start({"/no/such/program"});

    ASSERT_FALSE(pid);
    EXPECT_EQ(ErrorCode::InvalidArgument, pid.error().code);
    EXPECT_THAT(pid.error().message, HasSubstr("/no/such/program"));
}

TEST(TracedProcesses, StopsAtTheFirstInstruction) {
    TracedProcesses traced;
    ASSERT_TRUE(traced.start({"true"}));
    const auto exec = wait_for(traced, Kind::Exec);
    ASSERT_TRUE(exec);
    ASSERT_TRUE(traced.stop_at_entry(exec->pid));
    traced.resume(exec->tid);

    const auto entry = wait_for_event(traced);

    ASSERT_TRUE(entry && entry->kind == Kind::Breakpoint);
    traced.resume(entry->tid);
    const auto end = wait_for_event(traced);
    ASSERT_TRUE(end && end->kind == Kind::Ended);
    EXPECT_TRUE(WIFEXITED(end->status) && WEXITSTATUS(end->status) == 0);
}

TEST(TracedProcesses, SeesACrashBeforeItKills) {
    TracedProcesses traced;
    ASSERT_TRUE(traced.start(shell("ulimit -c 0; kill -SEGV $$")));

    const auto crash = wait_for(traced, Kind::Crash);

    ASSERT_TRUE(crash);
    EXPECT_EQ(SIGSEGV, crash->signal);
    EXPECT_FALSE(crash->address) << "no fault";
    traced.resume(crash->tid, crash->signal);
    const auto end = wait_for(traced, Kind::Ended);
    ASSERT_TRUE(end && WIFSIGNALED(end->status));
    EXPECT_EQ(SIGSEGV, WTERMSIG(end->status));
}

TEST(TracedProcesses, SignalsThatAreHandledPass) {
    for (const std::string signal : {"TERM", "SEGV", "USR1"}) {
        TracedProcesses traced;
        const auto pid =
            traced.start(shell("trap 'exit 5' " + signal + "; kill -" + signal + " $$; exit 6"));
        ASSERT_TRUE(pid);

        std::optional<TraceEvent> event;
        while ((event = wait_for_event(traced)) && event->kind == Kind::Exec)
            traced.resume(event->tid);

        ASSERT_TRUE(event && event->kind == Kind::Ended);
        EXPECT_EQ(5, WEXITSTATUS(event->status)) << signal;
    }
}

TEST(TracedProcesses, FollowsWhatIsStarted) {
    TracedProcesses traced;
    const auto pid = traced.start(shell("sh -c 'ulimit -c 0; kill -ABRT $$'; exit 7"));
    ASSERT_TRUE(pid);

    const auto crash = wait_for(traced, Kind::Crash);

    ASSERT_TRUE(crash);
    EXPECT_NE(*pid, crash->pid);
    EXPECT_THAT(traced.processes(), ::testing::ElementsAre(*pid, crash->pid));
    traced.resume(crash->tid, crash->signal);
    auto end = wait_for(traced, Kind::Ended);
    while (end && end->pid != *pid)
        end = wait_for(traced, Kind::Ended);
    ASSERT_TRUE(end);
    EXPECT_EQ(7, WEXITSTATUS(end->status));
}

TEST(TracedProcesses, LeavesJobControlAsItIs) {
    TracedProcesses traced;
    const auto pid = traced.start(shell("kill -STOP $$; exit 8"));
    ASSERT_TRUE(pid);
    const auto exec = wait_for(traced, Kind::Exec);
    ASSERT_TRUE(exec);
    traced.resume(exec->tid);

    while (!traced.last_received(*pid, SIGSTOP))
        EXPECT_FALSE(traced.next());
    for (int i = 0; i < 50; ++i) {
        EXPECT_FALSE(traced.next()) << "it went on";
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    kill(*pid, SIGCONT);

    const auto end = wait_for(traced, Kind::Ended);
    ASSERT_TRUE(end);
    EXPECT_EQ(8, WEXITSTATUS(end->status));
}

/// A process that was running when it was seized.
class Seized : public ::testing::Test {
protected:
    void SetUp() override {
        const auto seized = traced_.seize(child_.pid());
        ASSERT_TRUE(seized) << seized.error().message;
    }
    StoppedProcesses stop() { return StoppedProcesses::stop(std::array{child_.pid()}); }
    void expect_running() {
        child_.send('?');
        EXPECT_EQ("?", child_.read_line());
    }

    Child child_{FIXTURE_WAITER_O0, {"echo"}};
    TracedProcesses traced_;
};

TEST_F(Seized, RunsOn) {
    expect_running();
}

TEST_F(Seized, CanBeStoppedForALookAndStaysTraced) {
    for (int i = 0; i < 3; ++i) {
        auto stopped = stop();
        ASSERT_TRUE(stopped.threads(0)) << stopped.threads(0).error().message;
        EXPECT_NE(0U, stopped.threads(0)->front().registers.rip);
        stopped.release();
        EXPECT_FALSE(traced_.next());
        expect_running();
    }

    kill(child_.pid(), SIGBUS);
    const auto crash = wait_for_event(traced_);
    ASSERT_TRUE(crash && crash->kind == Kind::Crash);
    traced_.resume(crash->tid);
    expect_running();
}

TEST_F(Seized, StandsBeforeItsSignalDuringALook) {
    kill(child_.pid(), SIGBUS);
    const auto crash = wait_for_event(traced_);
    ASSERT_TRUE(crash && crash->kind == Kind::Crash);

    auto stopped = stop();
    EXPECT_TRUE(stopped.threads(0));
    stopped.release();

    EXPECT_TRUE(wait_for_state(child_.pid(), 't'));
    traced_.resume(crash->tid, crash->signal);
    const auto end = wait_for(traced_, Kind::Ended);
    ASSERT_TRUE(end && WIFSIGNALED(end->status));
    EXPECT_EQ(SIGBUS, WTERMSIG(end->status));
}

TEST_F(Seized, ALookLeavesEventsToTheirOwner) {
    kill(child_.pid(), SIGBUS);
    ASSERT_TRUE(wait_for_state(child_.pid(), 't'));

    auto stopped = stop();
    EXPECT_TRUE(stopped.threads(0));
    stopped.release();

    const auto crash = wait_for_event(traced_);
    ASSERT_TRUE(crash && crash->kind == Kind::Crash);
    EXPECT_EQ(SIGBUS, crash->signal);
    traced_.resume(crash->tid);
    expect_running();
}

}  // namespace
}  // namespace mqinspect::target
