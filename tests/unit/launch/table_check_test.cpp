#include "inspector/launch/table_check.h"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "inspector/job/job_builder.h"

namespace mqinspect::launch {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A child, as a rank is one of its launcher.
class Rank {
public:
    Rank() : pid_(fork()) {
        if (pid_ != 0) return;
        for (;;)
            pause();
    }
    Rank(const Rank&) = delete;
    Rank& operator=(const Rank&) = delete;
    ~Rank() {
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }
    pid_t pid() const { return pid_; }

private:
    pid_t pid_;
};

CheckedTable check(const std::vector<job::ProctableEntry>& entries) {
    return check_table(entries, job::ProcessTable::read(), getpid());
}

TEST(CheckTable, TakesTheRanksOfThisHost) {
    const Rank first;
    const Rank second;

    const CheckedTable checked = check({{job::this_host(), "a.out", first.pid()},
                                        {"node1.elsewhere", "a.out", 4711},
                                        {"localhost", "./a.out", second.pid()}});

    EXPECT_THAT(checked.pids, ElementsAre(first.pid(), second.pid()));
    EXPECT_THAT(checked.problems, IsEmpty());
}

TEST(CheckTable, KnowsAProcessOfThisHostUnderAnyName) {
    const Rank rank;

    EXPECT_THAT(check({{"node1.elsewhere", "a.out", rank.pid()}}).pids, ElementsAre(rank.pid()));
}

TEST(CheckTable, CountsEntriesThatCannotBeTrue) {
    const Rank rank;
    const std::string& here = job::this_host();

    const CheckedTable checked = check({{here, "a.out", rank.pid()},
                                        {here, "a.out", 0},
                                        {here, "a.out", -7},
                                        {here, "a.out", rank.pid()},
                                        {here, "a.out", 1}});

    EXPECT_THAT(checked.pids, ElementsAre(rank.pid()));
    EXPECT_THAT(checked.problems,
                ElementsAre(AllOf(HasSubstr("pid 0 for rank 1"), HasSubstr("1 more")),
                            HasSubstr("rank 3, which another rank has too"),
                            HasSubstr("pid 1 for rank 4")));
}

}  // namespace
}  // namespace mqinspect::launch
