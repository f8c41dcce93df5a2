// What mqinspect attach says when it cannot do the job: one line, exit code 2 or 3,
// never a wrong verdict, and never harm to the target.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/inspection.h"
#include "tests/support/mpi_job.h"

namespace mqinspect::testing {
namespace {

using std::chrono::seconds;
using ::testing::AnyOf;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

constexpr uid_t kNobody = 65534;

MpiJobOptions job_of(const std::string& program, int ranks) {
    MpiJobOptions options;
    options.ranks = ranks;
    options.command = {std::string(MQI_PROGRAMS) + "/" + program};
    return options;
}

void expect_refusal(const Inspection& inspection) {
    EXPECT_EQ(inspection.exit_code, 2);
    EXPECT_EQ(inspection.output, "");
    EXPECT_TRUE(is_one_line(inspection.errors)) << inspection.errors;
}

TEST(BadInput, PidThatDoesNotExist) {
    const pid_t never_used = std::stoi(read_text("/proc/sys/kernel/pid_max"));

    const Inspection inspection = inspect({never_used});

    expect_refusal(inspection);
    EXPECT_NE(inspection.errors.find(std::to_string(never_used)), std::string::npos);
}

TEST(BadInput, Init) {
    expect_refusal(inspect({1}));
}

TEST(BadInput, ProcessWithoutMpi) {
    const ChildProcess other(Command{{"tail", "-f", "/dev/null"}, {}, {}});

    const Inspection inspection = inspect({other.pid()});

    expect_refusal(inspection);
    EXPECT_NE(inspection.errors.find("MPI"), std::string::npos) << inspection.errors;
}

TEST(BadInput, Zombie) {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    siginfo_t ended;
    ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);

    const Inspection inspection = inspect({child});

    waitpid(child, nullptr, 0);
    expect_refusal(inspection);
}

TEST(BadInput, WrongWordsOnTheCommandLine) {
    const std::pair<std::vector<std::string>, const char*> cases[] = {
        {{"attach", "--batch", "ring"}, "\"ring\" is no process id; \"mqinspect attach --help\""},
        {{"attach", "-1"}, ""},
        {{"attach", "0"}, "\"0\" is no process id"},
        {{"attach", "--format", "pdf", "1"}, "pdf"},
        {{"watch"}, "there is no command \"watch\"; \"mqinspect --help\""},
        {{}, "subcommand is required"},
        {{"run"}, "COMMAND is required; \"mqinspect run --help\""},
    };
    for (const auto& [words, complaint] : cases) {
        Command command{{MQI_INSPECT}, {}, {}};
        command.arguments.insert(command.arguments.end(), words.begin(), words.end());

        const Completed completed = run_to_end(command, seconds(30));

        ASSERT_TRUE(completed.status.has_value());
        EXPECT_EQ(completed.status->code, 2);
        EXPECT_EQ(completed.output, "");
        EXPECT_THAT(completed.errors, ::testing::StartsWith("mqinspect: "));
        EXPECT_THAT(completed.errors, ::testing::HasSubstr(complaint));
        EXPECT_EQ(completed.errors.find('\n'), completed.errors.size() - 1) << completed.errors;
    }
}

/// A copy of the program and of its DLL that every user may execute.
Command inspect_as_nobody(const fs::path& folder, pid_t pid) {
    const fs::path program = MQI_INSPECT;
    fs::permissions(folder, fs::perms(0755));
    fs::create_directories(folder / "bin");
    fs::create_directories(folder / "lib");
    fs::copy_file(program, folder / "bin" / "mqinspect");
    fs::copy_file(program.parent_path().parent_path() / "lib" / "libmqs_mpich.so",
                  folder / "lib" / "libmqs_mpich.so");
    Command command;
    command.arguments = {folder / "bin" / "mqinspect", "attach", "--batch", std::to_string(pid)};
    command.user = kNobody;
    return command;
}

TEST(BadInput, ProcessOfAnotherUser) {
    if (geteuid() != 0) {
        // Without privileges every process of root is another user's.
        expect_refusal(inspect({1}));
        return;
    }
    const TemporaryDirectory folder;
    const MpiJob job(job_of("recv_ring_deadlock", 3));
    ASSERT_TRUE(job.wait_for_ranks(seconds(30)));

    const Completed of_rank =
        run_to_end(inspect_as_nobody(folder.path(), job.rank_pids().front()), seconds(30));

    ASSERT_TRUE(of_rank.status.has_value());
    EXPECT_EQ(of_rank.status->code, 2);
    EXPECT_EQ(of_rank.output, "");
    EXPECT_TRUE(is_one_line(of_rank.errors)) << of_rank.errors;
    EXPECT_NE(of_rank.errors.find("user"), std::string::npos) << of_rank.errors;
}

/// The launcher and the library without symbols and debug information, as Debian
/// packages them.
void strip_mpich(const fs::path& folder) {
    const fs::path prefix = MQI_MPICH_PREFIX;
    fs::create_directories(folder / "bin");
    fs::create_directories(folder / "lib");
    const std::vector<std::pair<fs::path, fs::path>> files = {
        {prefix / "lib" / "libmpi.so.12", folder / "lib" / "libmpi.so.12"},
        {prefix / "bin" / "mpiexec.hydra", folder / "bin" / "mpiexec.hydra"},
        {prefix / "bin" / "hydra_pmi_proxy", folder / "bin" / "hydra_pmi_proxy"}};
    for (const auto& [from, to] : files) {
        const Completed done = strip(from, to);
        ASSERT_TRUE(done.status && done.status->code == 0) << done.errors;
    }
}

TEST(BadInput, StrippedMpich) {
    const TemporaryDirectory folder;
    ASSERT_NO_FATAL_FAILURE(strip_mpich(folder.path()));
    MpiJobOptions options = job_of("recv_ring_deadlock", 3);
    options.mpiexec = folder.path() / "bin" / "mpiexec.hydra";
    options.environment = {"LD_LIBRARY_PATH=" + (folder.path() / "lib").string()};
    const MpiJob job(options);
    ASSERT_TRUE(job.wait_for_ranks(seconds(30)));

    for (const pid_t pid : {job.launcher_pid(), job.rank_pids().front()}) {
        // Ranks that are still in MPI_Init wait for nobody; after that nothing is known.
        Inspection inspection;
        poll_until(seconds(20), [&] {
            inspection = inspect({pid});
            return verdict_kind(inspection) != "none";
        });

        EXPECT_TRUE(inspection.exit_code == 2 || inspection.exit_code == 3)
            << inspection.exit_code << "\n"
            << inspection.output;
        const std::string kind = verdict_kind(inspection);
        EXPECT_TRUE(kind.empty() || kind == "unknown") << kind;
        const std::string said = inspection.errors + inspection.output;
        EXPECT_THAT(said, HasSubstr("debug information")) << "what is missing";
        EXPECT_THAT(said, AnyOf(HasSubstr("install"), HasSubstr("build"))) << "what to do";
        if (inspection.exit_code == 2) {
            EXPECT_TRUE(is_one_line(inspection.errors)) << said;
        }
    }
}

/// True once some process traces `pid`.
bool is_traced(pid_t pid) {
    std::ifstream status("/proc/" + std::to_string(pid) + "/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("TracerPid:")) return line.find_first_of("123456789") != line.npos;
    }
    return false;
}

/// Starts an inspection and returns when it traces `rank`; false if it had ended
/// before that was seen.
bool wait_until_traced(ChildProcess& inspector, pid_t rank) {
    while (!is_traced(rank)) {
        if (inspector.wait_for_exit(milliseconds(0))) return false;
    }
    return true;
}

Command inspection_of(pid_t pid) {
    return {{MQI_INSPECT, "attach", "--format", "json", "--batch", std::to_string(pid)}, {}, {}};
}

/// What is true of an inspection whose target has died under it: it says so or
/// reports what it has, and does not crash.
void expect_orderly_end(ChildProcess& inspector) {
    const auto status = inspector.wait_for_exit(seconds(30));
    ASSERT_TRUE(status.has_value()) << "mqinspect hangs";
    EXPECT_EQ(status->signal, 0) << "mqinspect crashed";
    EXPECT_GE(status->code, 0);
    EXPECT_LE(status->code, 3) << inspector.errors();
    const std::string errors = inspector.errors();
    EXPECT_TRUE(errors.empty() || is_one_line(errors)) << errors;
}

TEST(DyingTarget, RankIsKilledWhileItIsInspected) {
    for (int round = 0; round < 4; ++round) {
        const MpiJob job(job_of("recv_ring_deadlock", 3));
        ASSERT_TRUE(job.wait_for_ranks(seconds(30)));
        const std::vector<pid_t> ranks = job.rank_pids();
        const std::size_t victim = static_cast<std::size_t>(round) % ranks.size();
        ChildProcess inspector(inspection_of(job.launcher_pid()));

        wait_until_traced(inspector, ranks.back());
        kill(ranks[victim], SIGKILL);

        expect_orderly_end(inspector);
    }
}

TEST(DyingTarget, LauncherIsKilledWhileItIsInspected) {
    for (int round = 0; round < 3; ++round) {
        const MpiJob job(job_of("recv_ring_deadlock", 2));
        ASSERT_TRUE(job.wait_for_ranks(seconds(30)));
        const std::vector<pid_t> ranks = job.rank_pids();
        ChildProcess inspector(inspection_of(round == 0 ? ranks.front() : job.launcher_pid()));

        if (round != 1) wait_until_traced(inspector, ranks.back());
        kill(job.launcher_pid(), SIGKILL);
        for (const pid_t rank : ranks)
            kill(rank, SIGKILL);

        expect_orderly_end(inspector);
    }
}

TEST(DyingInspector, TheJobRunsOnAndFinishes) {
    MpiJob job(job_of("recv_ring_ok", 3));
    ASSERT_TRUE(job.wait_for_ranks(seconds(30)));
    const std::vector<pid_t> ranks = job.rank_pids();
    int killed_while_attached = 0;

    for (int round = 0; round < 100 && killed_while_attached < 5; ++round) {
        ChildProcess inspector(inspection_of(job.launcher_pid()));
        if (!wait_until_traced(inspector, ranks[static_cast<std::size_t>(round) % 3])) continue;
        kill(inspector.pid(), SIGKILL);
        const auto status = inspector.wait_for_exit(seconds(30));
        ASSERT_TRUE(status.has_value());
        killed_while_attached += status->signal == SIGKILL ? 1 : 0;
        for (const pid_t rank : ranks)
            EXPECT_TRUE(poll_until(seconds(10), [&] { return !is_traced(rank); }));
    }
    EXPECT_EQ(killed_while_attached, 5);

    job.release();
    const auto status = job.wait_for_exit(seconds(30));
    ASSERT_TRUE(status.has_value()) << "the job hangs";
    EXPECT_EQ(status->code, 0) << job.errors();
    EXPECT_EQ(job.finished_ranks(), 3) << job.output();
}

}  // namespace
}  // namespace mqinspect::testing
