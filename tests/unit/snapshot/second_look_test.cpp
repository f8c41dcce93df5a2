#include "inspector/snapshot/second_look.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>

#include <gtest/gtest.h>

namespace mqinspect::snapshot {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

class Child {
public:
    enum class Does { Sleeps, Computes };

    explicit Child(Does what) : pid_(fork()) {
        if (pid_ != 0) return;
        while (what == Does::Computes) {
        }
        for (;;)
            pause();
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    ~Child() {
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }
    pid_t pid() const { return pid_; }

private:
    pid_t pid_;
};

milliseconds waited_for(RunMark& mark, milliseconds at_least, milliseconds at_most) {
    const auto start = steady_clock::now();
    mark.wait_until_ranks_ran(at_least, at_most);
    return std::chrono::duration_cast<milliseconds>(steady_clock::now() - start);
}

constexpr milliseconds kForEver = seconds(60);

TEST(RunMark, EndsForRanksThatComputeAndRanksThatSleep) {
    const Child computes(Child::Does::Computes);
    const Child sleeps(Child::Does::Sleeps);
    const std::array pids{computes.pid(), sleeps.pid()};
    RunMark mark(pids);

    EXPECT_LT(waited_for(mark, milliseconds(1), kForEver), kForEver);
}

TEST(RunMark, TheTimeCountsFromTheMark) {
    const Child computes(Child::Does::Computes);
    const std::array pids{computes.pid()};
    const auto before = steady_clock::now();
    RunMark mark(pids);

    mark.wait_until_ranks_ran(milliseconds(50), kForEver);
    EXPECT_GE(steady_clock::now() - before, milliseconds(50));
    // All of it is over: nothing is left to wait for. A busy machine can stretch any single
    // wait, a time that counted from the call would stretch all.
    milliseconds shortest = kForEver;
    for (int attempt = 0; attempt < 20; ++attempt)
        shortest = std::min(shortest, waited_for(mark, milliseconds(50), kForEver));
    EXPECT_LT(shortest, milliseconds(50));
}

TEST(RunMark, ARankThatHasEndedHasNothingMoreToNotice) {
    const Child computes(Child::Does::Computes);
    const std::array pids{computes.pid()};
    RunMark mark(pids);
    kill(computes.pid(), SIGKILL);

    EXPECT_LT(waited_for(mark, milliseconds(0), kForEver), kForEver);
}

TEST(RunMark, WithoutRanksThereIsNothingToWaitFor) {
    RunMark mark({});

    EXPECT_LT(waited_for(mark, milliseconds(20), kForEver), kForEver);
}

}  // namespace
}  // namespace mqinspect::snapshot
