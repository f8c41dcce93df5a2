// mqinspect run: jobs that hang, crash, end, spawn; launchers of every kind; and nothing
// that the job could notice.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/child_process.h"
#include "tests/support/inspection.h"

namespace mqinspect::testing {
namespace {

using nlohmann::json;
using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

using Words = std::vector<std::string>;

std::string program(const std::string& name) {
    return std::string(MQI_PROGRAMS) + "/" + name;
}

Words mpiexec(int ranks, const Words& command) {
    Words words = {MQI_MPIEXEC, "-n", std::to_string(ranks)};
    words.insert(words.end(), command.begin(), command.end());
    return words;
}

/// The line that ends in "// @MARK".
std::string place(const std::string& source, const std::string& mark) {
    std::ifstream file(std::string(MQI_PROGRAM_SOURCES) + "/" + source);
    int number = 1;
    for (std::string line; std::getline(file, line); ++number) {
        if (line.find('@' + mark) != line.npos) return source + ":" + std::to_string(number);
    }
    return "no such mark";
}

class Run : public ::testing::Test {
protected:
    Command command(const Words& options, const Words& job) const {
        Command result;
        result.arguments = {MQI_INSPECT, "run", "--batch", "--format", "json", "-o", report_file()};
        result.arguments.insert(result.arguments.end(), options.begin(), options.end());
        result.arguments.emplace_back("--");
        result.arguments.insert(result.arguments.end(), job.begin(), job.end());
        result.environment = {"MQI_RELEASE=" + release_file()};
        return result;
    }
    Completed run(const Words& options, const Words& job) const {
        return run_to_end(command(options, job), seconds(90));
    }
    Completed run_bare(const Words& job) const {
        return run_to_end({job, {"MQI_RELEASE=" + release_file()}, {}}, seconds(90));
    }
    void release() const { std::ofstream(release_file()) << "go\n"; }
    bool has_report() const { return fs::exists(report_file()); }
    /// Discarded if there is none.
    json report() const { return json::parse(read_text(report_file()), nullptr, false); }
    std::string verdict() const {
        const json page = report();
        return page.is_discarded() ? "" : page["verdict"]["kind"].get<std::string>();
    }
    std::string report_file() const { return directory_.path() / "report.json"; }
    std::string release_file() const { return directory_.path() / "release"; }

    TemporaryDirectory directory_;
};

/// Those below a command that run this program.
std::vector<pid_t> processes_of(const ChildProcess& command, const std::string& program) {
    std::vector<pid_t> pids = command.family();
    std::erase_if(pids, [&](pid_t pid) {
        std::error_code gone;
        const fs::path file = fs::read_symlink("/proc/" + std::to_string(pid) + "/exe", gone);
        return gone || file.filename() != fs::path(program).filename();
    });
    return pids;
}

int code_of(const Completed& completed) {
    return completed.status ? completed.status->code : -1;
}

const Words kSoon = {"--hang-after", "1"};
const Words kKillSoon = {"--hang-after", "1", "--kill"};

TEST_F(Run, AHangIsReportedAndKilled) {
    ChildProcess inspector(command(kKillSoon, mpiexec(3, {program("recv_ring_deadlock")})));

    const auto status = inspector.wait_for_exit(seconds(60));

    ASSERT_TRUE(status.has_value());
    EXPECT_EQ(1, status->code) << inspector.errors();
    EXPECT_EQ("deadlock", verdict());
    EXPECT_EQ(3U, report()["ranks"].size());
    EXPECT_THAT(inspector.errors(), HasSubstr("the job hangs"));
    EXPECT_TRUE(inspector.family().empty()) << "processes are left";
}

TEST_F(Run, AHangIsReportedOnceAndTheJobLeftAlone) {
    ChildProcess inspector(command(kSoon, mpiexec(2, {program("recv_ring_deadlock")})));
    ASSERT_TRUE(poll_until(seconds(60), [&] { return has_report(); }));

    fs::remove(report_file());
    EXPECT_FALSE(poll_until(seconds(4), [&] { return has_report(); }));
    EXPECT_FALSE(inspector.wait_for_exit(milliseconds(0)));
    kill(inspector.pid(), SIGTERM);

    const auto status = inspector.wait_for_exit(seconds(60));
    ASSERT_TRUE(status.has_value()) << "the signal was not handed on";
    EXPECT_EQ(1, status->code);
}

TEST_F(Run, AJobThatIsWellEndsAsWithoutUs) {
    release();

    const Completed completed = run({}, mpiexec(3, {program("recv_ring_ok")}));

    EXPECT_EQ(0, code_of(completed));
    EXPECT_THAT(completed.output, AllOf(HasSubstr("finished 0"), HasSubstr("finished 2")));
    EXPECT_EQ("", completed.errors);
    EXPECT_FALSE(has_report());
}

TEST_F(Run, TheExitCodeIsThatOfTheJob) {
    for (const Words& job : {Words{"sh", "-c", "exit 7"}, Words{"false"}}) {
        const Completed bare = run_bare(mpiexec(1, job));
        EXPECT_EQ(code_of(bare), code_of(run({}, mpiexec(1, job))));
        EXPECT_NE(0, code_of(bare));
    }
    EXPECT_EQ(128 + SIGUSR1, code_of(run({}, {"sh", "-c", "kill -USR1 $$"})));
}

TEST_F(Run, ACommandThatCannotBeRun) {
    const TemporaryDirectory folder;
    const fs::path script = folder.path() / "mpiexec";
    std::ofstream(script) << "#!/bin/sh\n";
    for (const std::string& name : {std::string("no-such-launcher"), script.string()}) {
        const Completed completed = run({}, {name, "-n", "2", "./app"});

        EXPECT_EQ(2, code_of(completed));
        EXPECT_TRUE(is_one_line(completed.errors)) << completed.errors;
        EXPECT_THAT(completed.errors, HasSubstr(name));
    }
}

TEST_F(Run, ACommandWithoutMpi) {
    const Completed completed = run(kSoon, {"sh", "-c", "echo here; exit 3"});

    EXPECT_EQ(3, code_of(completed));
    EXPECT_EQ("here\n", completed.output);
    EXPECT_THAT(completed.errors, HasSubstr("no MPI process"));
}

TEST_F(Run, ARankThatCrashes) {
    const std::string line = place("crash.c", "fault");
    const Words job = mpiexec(3, {program("crash"), "fault"});

    const Completed completed = run({}, job);

    EXPECT_EQ(code_of(run_bare(job)), code_of(completed));
    EXPECT_THAT(
        completed.errors,
        AllOf(HasSubstr("rank 1"), HasSubstr("SIGSEGV"), HasSubstr("0x10"), HasSubstr(line)));
    const json page = report();
    ASSERT_FALSE(page.is_discarded());
    EXPECT_EQ("hang_up", verdict());
    EXPECT_EQ(json({1}), page["verdict"]["crashed"]);
    EXPECT_EQ("SIGSEGV", page["ranks"][1]["signal"]["name"]);
    EXPECT_EQ("store", page["ranks"][1]["stack"][0]["function"]);
    EXPECT_EQ("MPI_Sendrecv_replace", page["ranks"][0]["call"]["function"]);
    EXPECT_EQ("MPI_Sendrecv_replace", page["ranks"][2]["call"]["function"]);
}

TEST_F(Run, EachRankThatCrashesIsToldOf) {
    const std::string line = place("crash.c", "fault");
    const Completed completed = run({}, mpiexec(3, {program("crash"), "all"}));

    for (const char* rank : {"rank 1 (", "rank 2 ("}) {
        const std::size_t start = completed.errors.find(rank);
        ASSERT_NE(start, std::string::npos) << completed.errors;
        EXPECT_THAT(completed.errors.substr(start, completed.errors.find('\n', start) - start),
                    AllOf(HasSubstr("SIGSEGV"), HasSubstr(line)));
    }
}

TEST_F(Run, RanksThatAreStoppedAreNoHang) {
    ChildProcess inspector(command(kKillSoon, mpiexec(2, {program("recv_ring_ok")})));
    std::vector<pid_t> ranks;
    ASSERT_TRUE(poll_until(seconds(60), [&] {
        ranks = processes_of(inspector, program("recv_ring_ok"));
        return ranks.size() == 2;
    }));
    for (const pid_t rank : ranks)
        kill(rank, SIGSTOP);
    EXPECT_TRUE(poll_until(seconds(60), [&] {
        return inspector.errors().find("2 of 2 ranks are stopped") != std::string::npos;
    })) << inspector.errors();

    release();
    for (const pid_t rank : ranks)
        kill(rank, SIGCONT);

    const auto status = inspector.wait_for_exit(seconds(60));
    ASSERT_TRUE(status.has_value());
    EXPECT_EQ(0, status->code) << inspector.errors();
    EXPECT_FALSE(has_report());
}

TEST_F(Run, ARankThatAborts) {
    const Completed completed = run({}, mpiexec(2, {program("crash"), "abort"}));

    EXPECT_THAT(completed.errors, AllOf(HasSubstr("rank 1"), HasSubstr("SIGABRT")));
    EXPECT_FALSE(report().is_discarded());
}

TEST_F(Run, ARankThatCrashesAtOnce) {
    const Completed completed = run({}, mpiexec(2, {program("crash"), "early"}));

    EXPECT_THAT(completed.errors,
                AllOf(HasSubstr("rank 1"), HasSubstr("SIGSEGV"), HasSubstr("crash.c")));
    EXPECT_EQ("SIGSEGV", report()["ranks"][1]["signal"]["name"]);
}

TEST_F(Run, ARankThatComputesIsNoHang) {
    ChildProcess inspector(command(kKillSoon, mpiexec(3, {program("endless_loop_ok")})));
    ASSERT_TRUE(poll_until(seconds(60), [&] {
        return inspector.errors().find("no hang") != std::string::npos;
    })) << inspector.errors();

    release();

    const auto status = inspector.wait_for_exit(seconds(60));
    ASSERT_TRUE(status.has_value());
    EXPECT_EQ(0, status->code);
    EXPECT_THAT(inspector.errors(), HasSubstr("wait for rank 1"));
    EXPECT_THAT(inspector.output(), HasSubstr("finished 1"));
    EXPECT_FALSE(has_report());
}

TEST_F(Run, RanksThatAreStuckWhileOthersGetOn) {
    const Completed completed = run(kKillSoon, mpiexec(3, {program("partly_stuck")}));

    EXPECT_EQ(1, code_of(completed)) << completed.errors;
    EXPECT_EQ("deadlock", verdict());
    EXPECT_EQ(json({0, 1}), report()["verdict"]["cores"][0]["ranks"]);
}

TEST_F(Run, AJobThatSpawns) {
    const Completed completed = run(kKillSoon, mpiexec(2, {program("spawn_merge_deadlock")}));

    EXPECT_EQ(1, code_of(completed)) << completed.errors;
    EXPECT_EQ("deadlock", verdict());
    EXPECT_EQ(5U, report()["ranks"].size());
}

TEST_F(Run, AScriptThatRunsTheLauncher) {
    const std::string line =
        "echo before; " MQI_MPIEXEC " -n 2 " + program("recv_ring_deadlock") + "; echo after";

    ChildProcess inspector(command(kKillSoon, {"sh", "-c", line}));
    const auto status = inspector.wait_for_exit(seconds(60));

    ASSERT_TRUE(status.has_value());
    EXPECT_EQ(1, status->code) << inspector.errors();
    EXPECT_EQ("deadlock", verdict());
    EXPECT_THAT(inspector.output(), HasSubstr("before"));
    EXPECT_TRUE(inspector.family().empty()) << "processes are left";
}

TEST_F(Run, ALauncherWithoutMpir) {
    const TemporaryDirectory folder;
    const fs::path prefix = fs::path(MQI_MPIEXEC).parent_path();
    for (const std::string name : {"mpiexec.hydra", "hydra_pmi_proxy"}) {
        const std::string to = folder.path() / name;
        const Completed done = strip(prefix / name, to);
        ASSERT_EQ(0, code_of(done)) << done.errors;
    }
    const Words launch = {folder.path() / "mpiexec.hydra", "-n", "2"};
    Words hang = launch;
    hang.push_back(program("recv_ring_deadlock"));
    Words crash = launch;
    crash.insert(crash.end(), {program("crash"), "fault"});

    const Completed of_hang = run(kKillSoon, hang);
    EXPECT_EQ(1, code_of(of_hang)) << of_hang.errors;
    EXPECT_EQ("deadlock", verdict());
    EXPECT_THAT(of_hang.errors, HasSubstr("does not offer MPIR"));

    const Completed of_crash = run({}, crash);
    EXPECT_THAT(of_crash.errors, AllOf(HasSubstr("rank 1"), HasSubstr("SIGSEGV")));
}

TEST_F(Run, AJobOfOpenMpi) {
    if (!fs::exists(MQI_OPENMPI_MPIRUN))
        GTEST_SKIP() << "needs Debian's packages openmpi-bin and libopenmpi-dev";
    Words job = {
        MQI_OPENMPI_MPIRUN, "--allow-run-as-root", "--oversubscribe", "--mca", "pml", "ob1"};
    job.insert(job.end(), {"-n", "2", program("open_mpi/recv_ring_deadlock")});

    const Completed completed = run(kKillSoon, job);

    EXPECT_EQ(1, code_of(completed)) << completed.errors;
    EXPECT_EQ("deadlock", verdict());
    EXPECT_THAT(completed.errors, Not(HasSubstr("does not offer MPIR")));
}

TEST_F(Run, TheJobSeesNoDescriptorsOrVariablesOfOurs) {
    const std::string script = "ls /proc/self/fd; env | sort";

    const Completed bare = run_bare({"sh", "-c", "sh -c \"" + script + "\"; true"});
    const Completed ours = run({}, {"sh", "-c", "sh -c \"" + script + "\"; true"});

    const auto without_marks = [](const std::string& text) {
        std::string result;
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);)
            if (!line.starts_with("MQI_TEST_PROCESS=")) result += line + "\n";
        return result;
    };
    EXPECT_EQ(without_marks(bare.output), without_marks(ours.output));
    EXPECT_NE("", bare.output);
}

TEST_F(Run, AnInterruptOfTheTerminalReachesTheJobOnce) {
    const std::string script = "trap 'echo interrupted' INT; echo ready; while [ ! -e " +
                               release_file() + " ]; do sleep 0.05; done";
    ChildProcess inspector(command({}, {"sh", "-c", script}));
    ASSERT_TRUE(poll_until(seconds(60), [&] { return inspector.output() == "ready\n"; }));

    kill(-inspector.pid(), SIGINT);  // its session's only group, as of a terminal

    EXPECT_TRUE(
        poll_until(seconds(20), [&] { return inspector.output() == "ready\ninterrupted\n"; }));
    EXPECT_FALSE(inspector.wait_for_exit(milliseconds(500)));
    release();
    const auto status = inspector.wait_for_exit(seconds(20));
    ASSERT_TRUE(status.has_value());
    EXPECT_EQ("ready\ninterrupted\n", inspector.output());
}

TEST_F(Run, TheJobOutlivesUs) {
    const std::string code = directory_.path() / "code";
    std::string line;
    for (const std::string& word : mpiexec(2, {program("recv_ring_ok")}))
        line += word + " ";
    ChildProcess inspector(command(kSoon, {"sh", "-c", line + "; echo $? > " + code}));
    ASSERT_TRUE(poll_until(seconds(60), [&] {
        return inspector.errors().find("no hang") != std::string::npos;
    })) << inspector.errors();

    kill(inspector.pid(), SIGKILL);
    ASSERT_TRUE(inspector.wait_for_exit(seconds(20)));
    release();

    EXPECT_TRUE(poll_until(seconds(60), [&] { return !read_text(code).empty(); }));
    EXPECT_EQ("0\n", read_text(code));
    EXPECT_THAT(inspector.output(), AllOf(HasSubstr("finished 0"), HasSubstr("finished 1")));
}

/// docs/ci.md's example, as a project of a user.
TEST_F(Run, ATestOfCTestThatHangs) {
    const fs::path build = directory_.path() / "build";
    const std::string tools = fs::path(MQI_INSPECT).parent_path().string() + ":" +
                              fs::path(MQI_MPIEXEC).parent_path().string();
    const std::vector<std::string> environment = {"PATH=" + tools + ":" + std::getenv("PATH")};
    const Completed configured =
        run_to_end({{"cmake", "-S", MQI_CTEST_PROJECT, "-B", build}, environment, {}}, seconds(90));
    ASSERT_EQ(0, code_of(configured)) << configured.output << configured.errors;
    const Completed built = run_to_end({{"cmake", "--build", build}, environment, {}}, seconds(90));
    ASSERT_EQ(0, code_of(built)) << built.output << built.errors;

    const Completed tested = run_to_end(
        {{"ctest", "--test-dir", build, "--output-on-failure"}, environment, {}}, seconds(120));

    EXPECT_NE(0, code_of(tested));
    EXPECT_THAT(tested.output, AllOf(HasSubstr("Deadlock: ranks 0 and 1"), HasSubstr("hangs.c:8")));
    EXPECT_THAT(tested.output, HasSubstr("50% tests passed, 1 tests failed out of 2"));
}

}  // namespace
}  // namespace mqinspect::testing
