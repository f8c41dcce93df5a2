// Ways to name a job and to ask for a report, all of one deadlock.

#include <csignal>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/inspection.h"
#include "tests/support/mpi_job.h"

namespace mqinspect::testing {
namespace {

using std::chrono::seconds;

MpiJobOptions ring(const std::string& program) {
    MpiJobOptions options;
    options.ranks = 3;
    options.command = {std::string(MQI_PROGRAMS) + "/" + program};
    return options;
}

bool becomes(const std::string& verdict, const std::vector<pid_t>& pids) {
    return poll_until(seconds(30), [&] { return verdict_kind(inspect(pids)) == verdict; });
}

Completed attach(const std::vector<std::string>& arguments, pid_t pid) {
    Command command{{MQI_INSPECT, "attach"}, {}, {}};
    command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
    command.arguments.push_back(std::to_string(pid));
    return run_to_end(command, seconds(30));
}

TEST(Attach, AllRanksByTheirPids) {
    const MpiJob job(ring("recv_ring_deadlock"));
    ASSERT_TRUE(job.wait_for_ranks(seconds(30)));
    std::vector<pid_t> pids = job.rank_pids();
    std::swap(pids.front(), pids.back());

    EXPECT_TRUE(becomes("deadlock", pids));
}

TEST(Attach, EachRankByItsPid) {
    const MpiJob job(ring("recv_ring_deadlock"));
    ASSERT_TRUE(job.wait_for_ranks(seconds(30)));
    ASSERT_TRUE(becomes("deadlock", {job.launcher_pid()}));

    for (const pid_t pid : job.rank_pids()) {
        const Inspection inspection = inspect({pid});

        EXPECT_EQ(verdict_kind(inspection), "deadlock") << inspection.errors;
        ASSERT_TRUE(inspection.report.is_object());
        EXPECT_EQ(inspection.report["job"]["size"], 3);
    }
}

TEST(Attach, ShellThatRunsTheLauncher) {
    const std::string line =
        std::string(MQI_MPIEXEC) + " -n 2 " + MQI_PROGRAMS + "/ssend_pair_deadlock; exit $?";
    const ChildProcess shell(Command{{"sh", "-c", line}, {}, {}});

    EXPECT_TRUE(becomes("deadlock", {shell.pid()}));
}

TEST(Attach, TextBeginsWithOneSentence) {
    const MpiJob job(ring("recv_ring_deadlock"));
    ASSERT_TRUE(becomes("deadlock", {job.launcher_pid()}));

    const Completed completed = attach({"--batch"}, job.launcher_pid());

    ASSERT_TRUE(completed.status.has_value());
    EXPECT_EQ(completed.status->code, 1);
    const std::string first = completed.output.substr(0, completed.output.find('\n'));
    EXPECT_NE(first.find("eadlock"), std::string::npos) << completed.output;
    EXPECT_NE(completed.output.find("recv_ring_deadlock.c:"), std::string::npos);
    EXPECT_EQ(completed.output.find('\x1b'), std::string::npos) << "colours without a terminal";
    EXPECT_EQ(completed.errors, "");
}

TEST(Attach, ReportGoesToTheFile) {
    const TemporaryDirectory folder;
    const std::string file = folder.path() / "report.json";
    const MpiJob job(ring("recv_ring_deadlock"));
    ASSERT_TRUE(becomes("deadlock", {job.launcher_pid()}));

    const Completed completed =
        attach({"--batch", "--format", "json", "-o", file}, job.launcher_pid());

    ASSERT_TRUE(completed.status.has_value());
    EXPECT_EQ(completed.status->code, 1);
    EXPECT_EQ(completed.output, "");
    const auto report = nlohmann::json::parse(read_text(file), nullptr, false);
    ASSERT_TRUE(report.is_object());
    EXPECT_EQ(report["verdict"]["kind"], "deadlock");
}

TEST(Attach, WithoutConfirmation) {
    const MpiJob job(ring("recv_ring_deadlock"));
    ASSERT_TRUE(becomes("deadlock", {job.launcher_pid()}));

    const Completed completed = attach({"--batch", "--confirm", "0"}, job.launcher_pid());

    ASSERT_TRUE(completed.status.has_value());
    EXPECT_EQ(completed.status->code, 1) << completed.errors;
}

char state_of(pid_t pid) {
    const std::string stat = read_text("/proc/" + std::to_string(pid) + "/stat");
    const std::size_t name_end = stat.rfind(')');
    return name_end == std::string::npos ? '?' : stat[name_end + 2];
}

TEST(Attach, RankThatTheUserStoppedStaysStopped) {
    MpiJob job(ring("recv_ring_ok"));
    ASSERT_TRUE(job.wait_for_ranks(seconds(30)));
    ASSERT_TRUE(becomes("none", {job.launcher_pid()}));
    const pid_t stopped = job.rank_pids().at(1);
    kill(stopped, SIGSTOP);
    ASSERT_TRUE(poll_until(seconds(10), [&] { return state_of(stopped) == 'T'; }));

    const Inspection inspection = inspect({job.launcher_pid()});

    EXPECT_EQ(verdict_kind(inspection), "none") << inspection.output << inspection.errors;
    for (std::size_t rank = 0; rank < 3; ++rank)
        EXPECT_EQ(rank == 1, inspection.report["ranks"][rank]["suspended"]) << rank;
    const std::string text = attach({"--batch"}, job.launcher_pid()).output;
    EXPECT_NE(text.find("Stopped by a signal such as SIGSTOP, until SIGCONT: rank 1"),
              std::string::npos)
        << text;
    EXPECT_TRUE(poll_until(seconds(10), [&] { return state_of(stopped) == 'T'; }));
    kill(stopped, SIGCONT);
    job.release();
    const auto status = job.wait_for_exit(seconds(30));
    ASSERT_TRUE(status.has_value()) << "the job hangs";
    EXPECT_EQ(status->code, 0) << job.errors();
    EXPECT_EQ(job.finished_ranks(), 3);
}

TEST(Attach, TwoInspectorsAtOnce) {
    MpiJob job(ring("recv_ring_ok"));
    ASSERT_TRUE(job.wait_for_ranks(seconds(30)));
    const Command command{
        {MQI_INSPECT, "attach", "--batch", std::to_string(job.launcher_pid())}, {}, {}};

    for (int round = 0; round < 5; ++round) {
        ChildProcess first(command);
        ChildProcess second(command);
        for (ChildProcess* inspector : {&first, &second}) {
            const auto status = inspector->wait_for_exit(seconds(30));
            ASSERT_TRUE(status.has_value()) << "mqinspect hangs";
            EXPECT_EQ(status->signal, 0);
            EXPECT_NE(status->code, 1) << inspector->output();
        }
    }

    job.release();
    const auto status = job.wait_for_exit(seconds(30));
    ASSERT_TRUE(status.has_value()) << "the job hangs";
    EXPECT_EQ(job.finished_ranks(), 3);
}

}  // namespace
}  // namespace mqinspect::testing
