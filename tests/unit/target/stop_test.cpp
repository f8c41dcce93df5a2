#include "inspector/target/stop.h"

#include <dirent.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <functional>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/target/child.h"

namespace mqinspect::target {
namespace {

using mqinspect::testing::Child;
using mqinspect::testing::process_state;
using mqinspect::testing::wait_for_state;
using ::testing::HasSubstr;

StoppedProcesses stop_one(pid_t pid) {
    return StoppedProcesses::stop(std::array{pid});
}

// It answers, so it runs.
void expect_running(Child& child) {
    child.send('?');
    EXPECT_EQ(child.read_line(), "?");
}

// Runs the function in a forked process that then waits to be killed; returns
// once the function has ended.
class Helper {
public:
    explicit Helper(const std::function<void()>& work) {
        std::array<int, 2> ends{};
        if (pipe(ends.data()) != 0) return;
        pid_ = fork();
        if (pid_ == 0) {
            work();
            if (write(ends[1], "x", 1) != 1) _exit(1);
            for (;;)
                pause();
        }
        close(ends[1]);
        char byte = 0;
        EXPECT_EQ(read(ends[0], &byte, 1), 1);
        close(ends[0]);
    }
    Helper(const Helper&) = delete;
    Helper& operator=(const Helper&) = delete;
    ~Helper() { end(); }
    void end() {
        if (pid_ <= 0) return;
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
        pid_ = -1;
    }
    pid_t pid() const { return pid_; }

private:
    pid_t pid_ = -1;
};

TEST(StoppedProcesses, StopsAndLetsRunAgain) {
    Child child(FIXTURE_WAITER_O0, {"echo"});
    auto stopped = stop_one(child.pid());

    ASSERT_TRUE(stopped.threads(0)) << stopped.threads(0).error().message;
    ASSERT_EQ(stopped.threads(0)->size(), 1U);
    EXPECT_EQ(stopped.threads(0)->front().tid, child.pid());
    EXPECT_NE(stopped.threads(0)->front().registers.rip, 0U);
    EXPECT_EQ(process_state(child.pid()), 't');
    EXPECT_GT(stopped.stopped_ms(), 0.0);

    stopped.release();
    expect_running(child);
    const double at_release = stopped.stopped_ms();
    stopped.release();
    EXPECT_EQ(stopped.stopped_ms(), at_release);
}

TEST(StoppedProcesses, LetsGoOnDestructionAndAfterAMove) {
    Child child(FIXTURE_WAITER_O0, {"echo"});
    {
        auto first = stop_one(child.pid());
        StoppedProcesses second = std::move(first);
        EXPECT_EQ(process_state(child.pid()), 't');
        second = stop_one(0);
        expect_running(child);
        second = stop_one(child.pid());
        EXPECT_EQ(process_state(child.pid()), 't');
    }
    expect_running(child);
}

TEST(StoppedProcesses, StopsAllThreadsTheMainOneFirst) {
    Child child(FIXTURE_WAITER_O0, {"threads", "12"});
    auto stopped = stop_one(child.pid());

    ASSERT_TRUE(stopped.threads(0));
    EXPECT_EQ(stopped.threads(0)->size(), 13U);
    EXPECT_EQ(stopped.threads(0)->front().tid, child.pid());
    stopped.release();
    expect_running(child);
}

TEST(StoppedProcesses, GivesEachProcessItsOwnOutcome) {
    Child one(FIXTURE_WAITER_O0, {"echo"});
    Child two(FIXTURE_WAITER_O0, {"threads", "2"});
    const pid_t ended = fork();
    if (ended == 0) _exit(0);
    waitpid(ended, nullptr, 0);

    const std::array pids{one.pid(), ended, two.pid(), 0};
    auto stopped = StoppedProcesses::stop(pids);

    EXPECT_TRUE(stopped.threads(0));
    ASSERT_FALSE(stopped.threads(1));
    EXPECT_EQ(stopped.threads(1).error().code, ErrorCode::TargetExited);
    EXPECT_TRUE(stopped.threads(2));
    EXPECT_FALSE(stopped.threads(3));
    stopped.release();
    expect_running(one);
    expect_running(two);
}

TEST(StoppedProcesses, ReportsAZombieAndLeavesItToItsParent) {
    const pid_t zombie = fork();
    if (zombie == 0) _exit(9);
    ASSERT_TRUE(wait_for_state(zombie, 'Z'));

    const auto stopped = stop_one(zombie);

    ASSERT_FALSE(stopped.threads(0));
    EXPECT_EQ(stopped.threads(0).error().code, ErrorCode::TargetExited);
    EXPECT_THAT(stopped.threads(0).error().message, HasSubstr("zombie"));
    int status = 0;
    EXPECT_EQ(waitpid(zombie, &status, 0), zombie);
    EXPECT_EQ(WEXITSTATUS(status), 9);
}

TEST(StoppedProcesses, LeavesOtherChildrenOfTheCallerAlone) {
    Child child(FIXTURE_WAITER_O0, {"echo"});
    const pid_t other = fork();
    if (other == 0) _exit(7);
    ASSERT_TRUE(wait_for_state(other, 'Z'));

    stop_one(child.pid()).release();

    int status = 0;
    EXPECT_EQ(waitpid(other, &status, 0), other);
    EXPECT_EQ(WEXITSTATUS(status), 7);
}

TEST(StoppedProcesses, DeliversASignalThatCameWhileStopped) {
    Child child(FIXTURE_WAITER_O0, {"echo"});
    auto stopped = stop_one(child.pid());
    kill(child.pid(), SIGUSR1);
    EXPECT_EQ(process_state(child.pid()), 't');

    stopped.release();

    EXPECT_EQ(child.read_line(), "signal");
    expect_running(child);
}

TEST(StoppedProcesses, LosesNoSignalOfAStream) {
    const int signals = 400;
    Child child(FIXTURE_WAITER_O0, {"count", std::to_string(signals)});
    for (int sent = 0; sent < signals; ++sent) {
        ASSERT_EQ(sigqueue(child.pid(), SIGRTMIN, {}), 0);
        if (sent % 4 != 0) continue;
        auto stopped = stop_one(child.pid());
        ASSERT_TRUE(stopped.threads(0)) << stopped.threads(0).error().message;
    }
    EXPECT_EQ(child.read_line(), std::to_string(signals));
}

TEST(StoppedProcesses, KeepsAProcessStoppedThatJobControlStopped) {
    Child child(FIXTURE_WAITER_O0, {"threads", "2"});
    kill(child.pid(), SIGSTOP);
    ASSERT_TRUE(wait_for_state(child.pid(), 'T'));

    // Released, it runs for a moment before it stands again: that is no reason not to see it.
    for (int look = 0; look < 50; ++look) {
        auto stopped = stop_one(child.pid());
        ASSERT_TRUE(stopped.threads(0)) << stopped.threads(0).error().message;
        EXPECT_EQ(stopped.threads(0)->size(), 3U);
        EXPECT_TRUE(std::ranges::all_of(*stopped.threads(0), &StoppedThread::suspended)) << look;
        stopped.release();
    }

    EXPECT_TRUE(wait_for_state(child.pid(), 'T'));
    kill(child.pid(), SIGCONT);
    auto stopped = stop_one(child.pid());
    ASSERT_TRUE(stopped.threads(0));
    EXPECT_TRUE(std::ranges::none_of(*stopped.threads(0), &StoppedThread::suspended));
    stopped.release();
    expect_running(child);
}

TEST(StoppedProcesses, SurvivesThatATargetIsKilled) {
    Child survivor(FIXTURE_WAITER_O0, {"echo"});
    auto victim = std::make_unique<Child>(FIXTURE_WAITER_O0, std::vector<std::string>{"echo"});
    const std::array pids{victim->pid(), survivor.pid()};
    auto stopped = StoppedProcesses::stop(pids);
    ASSERT_TRUE(stopped.threads(0));
    kill(victim->pid(), SIGKILL);
    ASSERT_TRUE(wait_for_state(victim->pid(), 'Z'));

    stopped.release();

    // The caller's own child stays for the caller to reap.
    EXPECT_EQ(process_state(victim->pid()), 'Z');
    expect_running(survivor);
}

TEST(StoppedProcesses, SaysWhoTracesAlready) {
    Child child(FIXTURE_WAITER_O0, {"echo"});
    const Helper tracer([&child] {
        auto held = new StoppedProcesses(stop_one(child.pid()));
        if (!held->threads(0)) _exit(1);
    });

    const auto stopped = stop_one(child.pid());

    ASSERT_FALSE(stopped.threads(0));
    EXPECT_EQ(stopped.threads(0).error().code, ErrorCode::System);
    EXPECT_THAT(stopped.threads(0).error().message,
                HasSubstr("already traced by PID " + std::to_string(tracer.pid())));
}

TEST(StoppedProcesses, LetsTargetsRunOnWhenTheTracerIsKilled) {
    Child child(FIXTURE_WAITER_O0, {"threads", "3"});
    Helper tracer([&child] {
        auto held = new StoppedProcesses(stop_one(child.pid()));
        if (!held->threads(0)) _exit(1);
    });
    EXPECT_EQ(process_state(child.pid()), 't');

    tracer.end();

    expect_running(child);
}

TEST(StoppedProcesses, NamesTheOwnerOfSomebodyElsesProcess) {
    if (geteuid() != 0) GTEST_SKIP() << "needs root to become another user";
    Child child(FIXTURE_WAITER_O0, {"echo"});
    std::array<int, 2> ends{};
    ASSERT_EQ(pipe(ends.data()), 0);
    const pid_t other = fork();
    if (other == 0) {
        if (setgid(65534) != 0 || setuid(65534) != 0) _exit(3);
        const auto stopped = stop_one(child.pid());
        if (stopped.threads(0) || stopped.threads(0).error().code != ErrorCode::PermissionDenied)
            _exit(4);
        const std::string& text = stopped.threads(0).error().message;
        _exit(write(ends[1], text.data(), text.size()) > 0 ? 0 : 5);
    }
    int status = 0;
    waitpid(other, &status, 0);
    close(ends[1]);
    ASSERT_EQ(WEXITSTATUS(status), 0);
    std::string text(512, '\0');
    text.resize(
        static_cast<std::size_t>(std::max<ssize_t>(read(ends[0], text.data(), text.size()), 0)));
    close(ends[0]);
    EXPECT_THAT(text, HasSubstr("belongs to root"));
    expect_running(child);
}

TEST(StoppedProcesses, RefusesAKernelThread) {
    if (!mqinspect::testing::sees_kernel_threads() || geteuid() != 0)
        GTEST_SKIP() << "no kernel thread to try";
    const auto stopped = stop_one(2);
    ASSERT_FALSE(stopped.threads(0));
    EXPECT_THAT(stopped.threads(0).error().message, HasSubstr("kernel thread"));
}

TEST(StoppedProcesses, StopsManyThatCompute) {
    std::vector<std::unique_ptr<Child>> children;
    std::vector<pid_t> pids;
    for (int i = 0; i < 16; ++i) {
        children.push_back(
            std::make_unique<Child>(FIXTURE_WAITER_O0, std::vector<std::string>{"clock"}));
        pids.push_back(children.back()->pid());
    }

    auto stopped = StoppedProcesses::stop(pids);

    for (std::size_t i = 0; i < pids.size(); ++i) {
        EXPECT_TRUE(stopped.threads(i));
        EXPECT_EQ(process_state(pids[i]), 't');
    }
    stopped.release();
    for (const pid_t pid : pids)
        EXPECT_TRUE(wait_for_state(pid, 'R'));
}

}  // namespace
}  // namespace mqinspect::target
