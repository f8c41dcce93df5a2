// The shell on a terminal, driven with keys, and as a script.

#include <csignal>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/inspection.h"
#include "tests/support/mpi_job.h"
#include "tests/support/terminal.h"

namespace mqinspect::testing {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::Not;

MpiJobOptions ranks_of(int ranks, const std::string& program) {
    MpiJobOptions options;
    options.ranks = ranks;
    options.command = {std::string(MQI_PROGRAMS) + "/" + program};
    return options;
}

bool becomes(const std::string& verdict, const MpiJob& job) {
    return poll_until(seconds(30),
                      [&] { return verdict_kind(inspect({job.launcher_pid()})) == verdict; });
}

char state_of(pid_t pid) {
    const std::string stat = read_text("/proc/" + std::to_string(pid) + "/stat");
    const std::size_t name_end = stat.rfind(')');
    return name_end == std::string::npos ? '?' : stat[name_end + 2];
}

bool all_traced(const std::vector<pid_t>& pids, bool traced) {
    for (const pid_t pid : pids) {
        if ((state_of(pid) == 't') != traced) return false;
    }
    return true;
}

Command attach(pid_t pid, const std::string& history = "") {
    return {{MQI_INSPECT, "attach", "--color", "never", std::to_string(pid)},
            {"MQI_HISTORY=" + history},
            {}};
}

constexpr std::string_view kRunning = "mqinspect (running)> ";
constexpr std::string_view kStopped = "mqinspect (stopped)> ";
constexpr std::string_view kEnded = "mqinspect (ended)> ";

TEST(Shell, ShowsTheReportThenAsks) {
    const MpiJob job(ranks_of(3, "recv_ring_deadlock"));
    ASSERT_TRUE(becomes("deadlock", job));
    Terminal terminal(attach(job.launcher_pid()));

    ASSERT_TRUE(terminal.expect("Deadlock")) << terminal.seen();
    ASSERT_TRUE(terminal.expect(kRunning)) << terminal.seen();
    terminal.type("ranks 1\r");
    ASSERT_TRUE(terminal.expect(kRunning)) << terminal.seen();
    EXPECT_THAT(terminal.last(), HasSubstr("recv_ring_deadlock.c:"));
    terminal.type("queues queue posted rank 0\r");
    ASSERT_TRUE(terminal.expect(kRunning));
    EXPECT_THAT(terminal.last(), HasSubstr("posted receive"));
    terminal.type("why 0\r");
    ASSERT_TRUE(terminal.expect("wait for each other"));
    ASSERT_TRUE(terminal.expect(kRunning));
    terminal.type("ranks 17\r");
    ASSERT_TRUE(terminal.expect("no rank 17; ranks are 0 to 2"));
    ASSERT_TRUE(terminal.expect(kRunning)) << "the shell goes on";
    terminal.type("\x04");

    const auto status = terminal.wait_for_exit();
    ASSERT_TRUE(status) << terminal.seen();
    EXPECT_EQ(status->code, 1);
    EXPECT_TRUE(all_traced(job.rank_pids(), false));
}

TEST(Shell, CompletesCommandsRanksAndCommunicators) {
    const MpiJob job(ranks_of(2, "ssend_pair_deadlock"));
    ASSERT_TRUE(becomes("deadlock", job));
    Terminal terminal(attach(job.launcher_pid()));
    ASSERT_TRUE(terminal.expect(kRunning)) << terminal.seen();

    terminal.type("que\t");
    ASSERT_TRUE(terminal.expect("queues ", seconds(5))) << terminal.seen();
    terminal.type("com\tMPI_COMM_W\t");
    ASSERT_TRUE(terminal.expect("comm MPI_COMM_WORLD ", seconds(5))) << terminal.seen();
    terminal.type("sta\tpe\t\r");
    ASSERT_TRUE(terminal.expect("state pending ", seconds(5))) << terminal.seen();
    ASSERT_TRUE(terminal.expect("Pending operations"));
}

TEST(Shell, KeepsAHistory) {
    const TemporaryDirectory folder;
    const std::string file = folder.path() / "lines";
    const MpiJob job(ranks_of(2, "ssend_pair_deadlock"));
    ASSERT_TRUE(becomes("deadlock", job));
    {
        Terminal terminal(attach(job.launcher_pid(), file));
        ASSERT_TRUE(terminal.expect(kRunning));
        terminal.type("comms\r");
        ASSERT_TRUE(terminal.expect(kRunning));
        terminal.type("quit\r");
        ASSERT_TRUE(terminal.wait_for_exit());
    }
    EXPECT_EQ(read_text(file), "comms\nquit\n");

    Terminal terminal(attach(job.launcher_pid(), file));
    ASSERT_TRUE(terminal.expect(kRunning));
    terminal.type("\x1b[A\x1b[A");  // two lines up
    EXPECT_TRUE(terminal.expect("comms", seconds(5))) << terminal.seen();
}

TEST(Shell, InterruptKeyStopsTheJobAndContinueLetsItGo) {
    MpiJob job(ranks_of(3, "recv_ring_ok"));
    ASSERT_TRUE(becomes("none", job));
    const std::vector<pid_t> pids = job.rank_pids();
    Terminal terminal(attach(job.launcher_pid()));
    ASSERT_TRUE(terminal.expect(kRunning)) << terminal.seen();
    EXPECT_TRUE(all_traced(pids, false));

    terminal.type("wai\x03");
    ASSERT_TRUE(terminal.expect(kStopped)) << terminal.seen();
    EXPECT_TRUE(all_traced(pids, true));
    terminal.type("refresh\r");
    ASSERT_TRUE(terminal.expect(kStopped)) << terminal.seen();
    EXPECT_TRUE(all_traced(pids, true)) << "a look leaves them stopped";
    terminal.type("\x03");
    ASSERT_TRUE(terminal.expect(kStopped)) << "the shell goes on";
    terminal.type("watch\r");
    ASSERT_TRUE(terminal.expect("continue first"));
    terminal.type("continue\r");
    ASSERT_TRUE(terminal.expect(kRunning)) << terminal.seen();
    EXPECT_TRUE(all_traced(pids, false));
    terminal.type("interrupt\r");
    ASSERT_TRUE(terminal.expect(kStopped));
    terminal.type("\x04");
    ASSERT_TRUE(terminal.wait_for_exit());
    EXPECT_TRUE(all_traced(pids, false)) << "leaving lets go";

    job.release();
    const auto status = job.wait_for_exit(seconds(30));
    ASSERT_TRUE(status) << "the job hangs";
    EXPECT_EQ(status->code, 0) << job.errors();
    EXPECT_EQ(job.finished_ranks(), 3);
}

TEST(Shell, StoppedDeadlockStaysConfirmed) {
    const MpiJob job(ranks_of(3, "recv_ring_deadlock"));
    ASSERT_TRUE(becomes("deadlock", job));
    Terminal terminal(attach(job.launcher_pid()));
    ASSERT_TRUE(terminal.expect(kRunning));

    terminal.type("\x03");

    ASSERT_TRUE(terminal.expect(kStopped));
    EXPECT_THAT(terminal.last(), HasSubstr("Deadlock: ranks 0-2")) << "seen before the stop, too";
}

TEST(Shell, WatchEndsWhenTheVerdictChangesOrAtCtrlC) {
    MpiJob job(ranks_of(3, "recv_ring_ok"));
    ASSERT_TRUE(becomes("none", job));
    Terminal terminal(attach(job.launcher_pid()));
    ASSERT_TRUE(terminal.expect(kRunning)) << terminal.seen();

    terminal.type("watch 0.1\r");
    ASSERT_TRUE(terminal.expect("Watching"));
    terminal.type("\x03");
    ASSERT_TRUE(terminal.expect("No change"));
    ASSERT_TRUE(terminal.expect(kRunning)) << "the job was not stopped";
    terminal.type("watch 0.1\r");
    ASSERT_TRUE(terminal.expect("Watching"));
    job.release();

    ASSERT_TRUE(terminal.expect(kEnded)) << terminal.seen();
    const auto status = job.wait_for_exit(seconds(30));
    ASSERT_TRUE(status);
    EXPECT_EQ(status->code, 0);
}

TEST(Shell, SaysThatTheJobHasEndedAndKeepsItsSnapshot) {
    MpiJob job(ranks_of(3, "recv_ring_deadlock"));
    ASSERT_TRUE(becomes("deadlock", job));
    Terminal terminal(attach(job.launcher_pid()));
    ASSERT_TRUE(terminal.expect(kRunning));

    kill(job.launcher_pid(), SIGTERM);

    ASSERT_TRUE(terminal.expect("The job has ended; the last snapshot of it stays."))
        << terminal.seen();
    ASSERT_TRUE(terminal.expect(kEnded)) << terminal.seen();
    terminal.type("refresh\r");
    ASSERT_TRUE(terminal.expect("the job has ended; its last snapshot is still here"));
    terminal.type("why 1\r");
    ASSERT_TRUE(terminal.expect("wait for each other"));
    terminal.type("quit\r");
    const auto status = terminal.wait_for_exit();
    ASSERT_TRUE(status);
    EXPECT_EQ(status->code, 1);
}

TEST(Shell, KillAsksFirst) {
    MpiJob job(ranks_of(3, "recv_ring_deadlock"));
    ASSERT_TRUE(becomes("deadlock", job));
    Terminal terminal(attach(job.launcher_pid()));
    ASSERT_TRUE(terminal.expect(kRunning));

    terminal.type("kill\r");
    ASSERT_TRUE(terminal.expect("[y/N] "));
    terminal.type("n\r");
    ASSERT_TRUE(terminal.expect("Not killed."));
    ASSERT_TRUE(terminal.expect(kRunning));
    EXPECT_FALSE(has_ended(job.launcher_pid()));
    terminal.type("kill\r");
    ASSERT_TRUE(terminal.expect("[y/N] "));
    terminal.type("y\r");

    ASSERT_TRUE(terminal.expect("The job was killed")) << terminal.seen();
    ASSERT_TRUE(terminal.expect(kEnded));
    EXPECT_TRUE(job.wait_for_exit(seconds(10)));
}

TEST(Shell, DetachLetsGoAndKeepsTheSnapshot) {
    const MpiJob job(ranks_of(3, "recv_ring_deadlock"));
    ASSERT_TRUE(becomes("deadlock", job));
    Terminal terminal(attach(job.launcher_pid()));
    ASSERT_TRUE(terminal.expect(kRunning));

    terminal.type("interrupt\r");
    ASSERT_TRUE(terminal.expect(kStopped));
    terminal.type("detach\r");
    ASSERT_TRUE(terminal.expect("mqinspect (detached)> "));
    EXPECT_TRUE(all_traced(job.rank_pids(), false));
    terminal.type("waits 0\r");
    ASSERT_TRUE(terminal.expect("receive from rank"));
    terminal.type("diff\r");
    ASSERT_TRUE(terminal.expect("the job was let go of"));
}

TEST(Shell, GdbOnARankOfAStoppedJob) {
    const MpiJob job(ranks_of(2, "ssend_pair_deadlock"));
    ASSERT_TRUE(becomes("deadlock", job));
    Terminal terminal(attach(job.launcher_pid()));
    ASSERT_TRUE(terminal.expect(kRunning));

    terminal.type("interrupt\r");
    ASSERT_TRUE(terminal.expect(kStopped));
    terminal.type("gdb 1\r");
    ASSERT_TRUE(terminal.expect("(gdb) ", seconds(60))) << terminal.seen();
    terminal.type("print $_inferior\r");
    ASSERT_TRUE(terminal.expect("$1 = 1")) << terminal.seen();
    terminal.type("detach\r");
    ASSERT_TRUE(terminal.expect("detached"));
    terminal.type("quit\r");
    ASSERT_TRUE(terminal.expect(kRunning)) << terminal.seen();
    terminal.type("diff\r");
    ASSERT_TRUE(terminal.expect("Deadlock")) << terminal.seen();
}

TEST(Shell, StacksWithVariablesWhetherTheJobRunsOrStands) {
    const MpiJob job(ranks_of(3, "recv_ring_deadlock"));
    ASSERT_TRUE(becomes("deadlock", job));
    Terminal terminal(attach(job.launcher_pid()));
    ASSERT_TRUE(terminal.expect(kRunning));

    terminal.type("where\r");
    ASSERT_TRUE(terminal.expect("0-2")) << terminal.seen();
    ASSERT_TRUE(terminal.expect(kRunning));
    EXPECT_THAT(terminal.last(), HasSubstr("main"));
    terminal.type("print 1 rank\r");
    ASSERT_TRUE(terminal.expect("(int) 1\n")) << terminal.seen();
    terminal.type("print 1 rank +\r");
    ASSERT_TRUE(terminal.expect(kRunning)) << "a wrong expression is a line";
    terminal.type("interrupt\r");
    ASSERT_TRUE(terminal.expect(kStopped)) << terminal.seen();
    terminal.type("stack 2 locals\r");
    ASSERT_TRUE(terminal.expect("rank = 2")) << terminal.seen();
    ASSERT_TRUE(terminal.expect(kStopped));
    EXPECT_TRUE(all_traced(job.rank_pids(), true));
    terminal.type("print 2 #999 rank\r");
    ASSERT_TRUE(terminal.expect(kStopped));
    terminal.type("print 0 rank == 0\r");
    ASSERT_TRUE(terminal.expect("1\n")) << terminal.seen();
}

TEST(Shell, CommandsOfAScript) {
    const MpiJob job(ranks_of(3, "recv_ring_deadlock"));
    ASSERT_TRUE(becomes("deadlock", job));
    const Command command{{MQI_INSPECT,
                           "attach",
                           std::to_string(job.launcher_pid()),
                           "--command",
                           "ranks 0",
                           "--command",
                           "interrupt",
                           "--command",
                           "diff"},
                          {},
                          {}};

    const Completed completed = run_to_end(command, seconds(30));

    ASSERT_TRUE(completed.status);
    EXPECT_EQ(completed.status->code, 1) << completed.errors;
    EXPECT_THAT(completed.output, HasSubstr("RANK"));
    EXPECT_THAT(completed.output, HasSubstr("Nothing has moved."));
    EXPECT_THAT(completed.output, Not(HasSubstr("Pending operations")));
    EXPECT_EQ(completed.errors, "");
    EXPECT_TRUE(all_traced(job.rank_pids(), false));
}

TEST(Shell, ScriptWithACommandThatCannotBeDone) {
    const MpiJob job(ranks_of(2, "ssend_pair_deadlock"));
    ASSERT_TRUE(becomes("deadlock", job));
    const Command command{{MQI_INSPECT,
                           "attach",
                           std::to_string(job.launcher_pid()),
                           "--command",
                           "queues comm nowhere",
                           "--command",
                           "ranks"},
                          {},
                          {}};

    const Completed completed = run_to_end(command, seconds(30));

    ASSERT_TRUE(completed.status);
    EXPECT_EQ(completed.status->code, 2);
    EXPECT_TRUE(is_one_line(completed.errors)) << completed.errors;
    EXPECT_THAT(completed.errors, HasSubstr("no communicator \"nowhere\""));
    EXPECT_THAT(completed.output, HasSubstr("RANK")) << "the next one is carried out";
}

}  // namespace
}  // namespace mqinspect::testing
