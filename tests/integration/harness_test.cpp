// The ground that the other tests stand on: jobs leave nothing behind, and what the
// programs expect can be read.
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/expectation.h"
#include "tests/support/mpi_job.h"

namespace mqinspect::testing {
namespace {

using std::chrono::seconds;

MpiJobOptions stuck_job() {
    MpiJobOptions options;
    options.ranks = 2;
    options.command = {"sh", "-c", std::string(MQI_PROGRAMS) + "/ssend_pair_deadlock; exit $?"};
    return options;
}

TEST(MpiJob, EndsEveryProcessWithItsLife) {
    std::vector<pid_t> ranks;
    pid_t launcher = 0;
    {
        const MpiJob job(stuck_job());
        // While a shell starts the program, it is not always seen which of the two is
        // the rank.
        ASSERT_TRUE(poll_until(seconds(30), [&] {
            ranks = job.rank_pids();
            return ranks.size() == 2;
        }));
        launcher = job.launcher_pid();
    }
    for (const pid_t rank : ranks)
        EXPECT_TRUE(poll_until(seconds(10), [&] { return has_ended(rank); }));
    EXPECT_TRUE(has_ended(launcher));
}

TEST(MpiJob, FindsTheProgramBehindAShell) {
    const MpiJob job(stuck_job());
    ASSERT_TRUE(poll_until(seconds(30), [&] {
        for (const pid_t rank : job.rank_pids()) {
            std::ifstream name("/proc/" + std::to_string(rank) + "/comm");
            std::string text;
            if (!std::getline(name, text) || !text.starts_with("ssend_pair")) return false;
        }
        return job.rank_pids().size() == 2;
    }));
}

TEST(MpiJob, EndsWhenTheTestIsKilled) {
    const TemporaryDirectory folder;
    const std::string report = folder.path() / "pids";
    const pid_t test = fork();
    if (test == 0) {
        const MpiJob job(stuck_job());
        job.wait_for_ranks(seconds(30));
        std::ofstream(report + ".part") << job.rank_pids().front() << "\n";
        rename((report + ".part").c_str(), report.c_str());
        for (;;)
            pause();
    }
    ASSERT_TRUE(poll_until(seconds(30), [&] { return std::filesystem::exists(report); }));
    const pid_t rank = std::stoi(read_text(report));
    ASSERT_FALSE(has_ended(rank));

    kill(test, SIGKILL);

    EXPECT_TRUE(poll_until(seconds(20), [&] { return has_ended(rank); }));
}

TEST(Expectation, OfEveryProgramCanBeRead) {
    int programs = 0;
    for (const auto& entry : std::filesystem::directory_iterator(MQI_PROGRAM_SOURCES)) {
        const std::string name = entry.path().stem();
        if (!name.ends_with("_deadlock") && !name.ends_with("_ok") && !name.ends_with("_hang_up"))
            continue;
        ++programs;
        const auto expectation = read_expectation(entry.path());
        ASSERT_TRUE(expectation) << expectation.error().message;
        const bool stuck = expectation->verdict == "deadlock" || expectation->verdict == "hang_up";
        EXPECT_EQ(stuck, !name.ends_with("_ok")) << name;
        EXPECT_EQ(stuck, !expectation->cores.empty()) << name;
        std::size_t in_cores = 0;
        for (const auto& core : expectation->cores)
            in_cores += core.size();
        EXPECT_EQ(expectation->waits.size(), in_cores) << name;
    }
    EXPECT_GE(programs, 100);
}

TEST(Expectation, MarksAreOnTheLineOfTheCall) {
    for (const auto& entry : std::filesystem::directory_iterator(MQI_PROGRAM_SOURCES)) {
        std::ifstream source(entry.path());
        for (std::string line; std::getline(source, line);) {
            const bool marked = line.find("// @") != line.npos || line.find("! @") != line.npos;
            const bool calls = line.find(" MPI_") != line.npos || line.find(" MPI::") != line.npos;
            EXPECT_TRUE(calls || !marked) << entry.path() << ": " << line;
        }
    }
}

}  // namespace
}  // namespace mqinspect::testing
