#include "inspector/job/job.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "inspector/job/job_builder.h"
#include "inspector/job/launcher.h"
#include "inspector/job/process_table.h"
#include "tests/unit/job/fake_job.h"

namespace mqinspect::job {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class FindJob : public ::testing::Test {
protected:
    Result<Job> find(const std::vector<pid_t>& pids) { return find_job(pids, images_); }

    static std::vector<pid_t> pids_of(const Job& job) {
        std::vector<pid_t> pids;
        for (const auto& process : job.processes)
            pids.push_back(process.pid);
        return pids;
    }

    static void expect_sound(const Result<Job>& job, const std::vector<pid_t>& pids) {
        ASSERT_TRUE(job) << job.error().message;
        EXPECT_EQ(pids, pids_of(*job));
        for (std::size_t i = 0; i < job->processes.size(); ++i) {
            const JobProcess& process = job->processes[i];
            EXPECT_EQ(static_cast<int>(i), process.rank.value);
            EXPECT_EQ("", process.problem);
            EXPECT_TRUE(process.alive);
            EXPECT_TRUE(process.local);
            EXPECT_EQ(rank_program(), process.executable);
            EXPECT_NE("", process.host);
        }
        EXPECT_TRUE(job->problems.empty());
    }

    target::ImageStore images_{""};
};

TEST_F(FindJob, ReadsTheTableOfALauncher) {
    const FakeJob fake(launcher("ranks=3"));

    const auto job = find({fake.pid()});

    expect_sound(job, fake.ranks());
    EXPECT_EQ(fake.pid(), job->launcher_pid);
    EXPECT_EQ("fake_launcher", job->launcher_name);
}

TEST_F(FindJob, WalksFromARankToItsLauncher) {
    const FakeJob fake(launcher("ranks=3"));

    const auto job = find({fake.ranks()[2]});

    expect_sound(job, fake.ranks());
    EXPECT_EQ(fake.pid(), job->launcher_pid);
}

TEST_F(FindJob, SeesALauncherThroughItsWrapper) {
    const FakeJob fake("sh -c '" + launcher("") + "; true'");

    const auto job = find({fake.pid()});

    expect_sound(job, fake.ranks());
    EXPECT_NE(fake.pid(), job->launcher_pid);
}

TEST_F(FindJob, RefusesToChooseBetweenLaunchers) {
    const std::string both =
        stripped_launcher("ranks=1") + " <&3 & " + stripped_launcher("ranks=1") + " <&3 ; wait";
    const FakeJob first("sh -c 'exec 3<&0; " + both + "'");
    // The line of the second launcher may still be under way; the processes are
    // there when both have printed, so ask until they are.
    Result<Job> job = find({first.pid()});
    while (job)
        job = find({first.pid()});

    EXPECT_EQ(ErrorCode::InvalidArgument, job.error().code);
    EXPECT_THAT(job.error().message, HasSubstr("runs 2 launchers"));
}

TEST_F(FindJob, NamesTheRankAndNotItsShell) {
    const FakeJob fake(launcher("ranks=2 wrapped=1"));
    const ProcessTable table = ProcessTable::read();

    for (const pid_t pid : {fake.pid(), fake.ranks()[1]}) {
        const auto job = find({pid});

        ASSERT_TRUE(job) << job.error().message;
        ASSERT_EQ(2U, job->processes.size());
        EXPECT_TRUE(table.is_descendant(job->processes[1].pid, fake.ranks()[1]));
        EXPECT_EQ(rank_program(), job->processes[1].executable);
        EXPECT_EQ("", job->processes[1].problem);
    }
}

TEST_F(FindJob, TakesTheEnvironmentWhereTheLauncherIsStripped) {
    const FakeJob fake(stripped_launcher("ranks=3"));

    for (const pid_t pid : {fake.pid(), fake.ranks()[0], fake.ranks()[2]}) {
        const auto job = find({pid});

        expect_sound(job, fake.ranks());
        EXPECT_EQ("mpiexec.hydra", job->launcher_name);
        EXPECT_EQ(fake.pid(), job->launcher_pid);
    }
}

TEST_F(FindJob, TakesTheEnvironmentWhereTheTableIsEmpty) {
    const FakeJob fake(launcher("ranks=2 table=empty"));

    expect_sound(find({fake.ranks()[1]}), fake.ranks());
}

TEST_F(FindJob, PrefersARankToItsForkedCopy) {
    const FakeJob fake(launcher("ranks=2 forks=1"));

    expect_sound(find({fake.pid()}), fake.ranks());
}

TEST_F(FindJob, CorrectsATableThatListsOneProcessForAllRanks) {
    const FakeJob fake(launcher("ranks=3 table=duplicate"));

    const auto job = find({fake.pid()});

    ASSERT_TRUE(job) << job.error().message;
    EXPECT_EQ(fake.ranks(), pids_of(*job));
    EXPECT_EQ("", job->processes[0].problem);
    EXPECT_THAT(job->processes[2].problem, HasSubstr("says that it is this rank"));
}

TEST_F(FindJob, KeepsADuplicateThatNothingCorrects) {
    const FakeJob fake(launcher("ranks=2 table=duplicate environment=0"));

    const auto job = find({fake.pid()});

    ASSERT_TRUE(job) << job.error().message;
    EXPECT_THAT(job->processes[1].problem, HasSubstr("for rank 0 too"));
}

TEST_F(FindJob, CorrectsATableInAnotherOrder) {
    const FakeJob fake(launcher("ranks=2 table=swapped"));

    const auto job = find({fake.pid()});

    ASSERT_TRUE(job) << job.error().message;
    EXPECT_EQ(fake.ranks(), pids_of(*job));
    EXPECT_THAT(job->processes[0].problem, HasSubstr("says that it is this rank"));
}

TEST_F(FindJob, KeepsAnEntryWithoutAPid) {
    const FakeJob fake(launcher("ranks=2 table=zero environment=0"));

    const auto job = find({fake.pid()});

    ASSERT_TRUE(job) << job.error().message;
    EXPECT_THAT(pids_of(*job), ElementsAre(fake.ranks()[0], 0));
    EXPECT_FALSE(job->processes[1].alive);
    EXPECT_THAT(job->processes[1].problem, HasSubstr("pid 0"));
}

TEST_F(FindJob, ARankThatIsGoneIsNotAlive) {
    const FakeJob fake(launcher("ranks=3 kill=1"));

    const auto job = find({fake.pid()});

    ASSERT_TRUE(job) << job.error().message;
    ASSERT_EQ(3U, job->processes.size());
    EXPECT_TRUE(job->processes[0].alive);
    EXPECT_FALSE(job->processes[1].alive);
    EXPECT_THAT(job->processes[1].problem, HasSubstr("is gone"));
}

TEST_F(FindJob, ARankThatIsYoungerThanTheTableOfProcessesIsAlive) {
    const ProcessTable before = ProcessTable::read();
    const FakeJob fake(launcher("ranks=2"));
    const auto found = as_launcher(fake.pid(), images_);

    const Job job = JobBuilder(before, images_, found).from_proctable(nullptr);

    ASSERT_EQ(2U, job.processes.size());
    for (const JobProcess& process : job.processes) {
        EXPECT_TRUE(process.alive);
        EXPECT_THAT(process.problem, HasSubstr("only just started"));
    }
}

TEST_F(FindJob, ARankThatIsGoneIsMissedInTheEnvironmentToo) {
    const FakeJob fake(stripped_launcher("ranks=3 kill=1"));

    const auto job = find({fake.pid()});

    ASSERT_TRUE(job) << job.error().message;
    ASSERT_EQ(3U, job->processes.size());
    // Nobody has seen it end: it may not have started yet.
    EXPECT_EQ(0, job->processes[1].pid);
    EXPECT_TRUE(job->processes[1].alive);
    EXPECT_TRUE(job->processes[1].local);
    EXPECT_THAT(job->processes[1].problem, HasSubstr("not found"));
}

TEST_F(FindJob, AZombieIsNotAliveAndLeadsToItsJob) {
    const FakeJob fake(launcher("ranks=2 zombie=1"));

    const auto job = find({fake.ranks()[1]});

    ASSERT_TRUE(job) << job.error().message;
    ASSERT_EQ(2U, job->processes.size());
    EXPECT_TRUE(job->processes[0].alive);
    EXPECT_FALSE(job->processes[1].alive);
    EXPECT_THAT(job->processes[1].problem, HasSubstr("has ended"));
}

TEST_F(FindJob, RanksOnOtherHostsAreNotLocal) {
    const FakeJob fake(launcher("ranks=3 table=other_host"));

    const auto job = find({fake.pid()});

    ASSERT_TRUE(job) << job.error().message;
    EXPECT_TRUE(job->processes[0].local);
    EXPECT_FALSE(job->processes[2].local);
    EXPECT_TRUE(job->processes[2].alive);
    EXPECT_EQ("node2.elsewhere", job->processes[2].host);
    EXPECT_EQ("./a.out", job->processes[2].executable);
}

TEST_F(FindJob, ReadsALargeTable) {
    const FakeJob fake(launcher("ranks=1 table=other_host entries=524288"));

    const auto job = find({fake.pid()});

    ASSERT_TRUE(job) << job.error().message;
    ASSERT_EQ(524'288U, job->processes.size());
    EXPECT_EQ("node524287.elsewhere", job->processes.back().host);
}

TEST_F(FindJob, DoesNotBelieveATableThatCannotBeRead) {
    for (const auto& table : {std::string("long"), std::string("wild")}) {
        const FakeJob fake(launcher("ranks=2 table=" + table));

        const auto job = find({fake.pid()});

        ASSERT_TRUE(job) << job.error().message;
        EXPECT_EQ(fake.ranks(), pids_of(*job));
        EXPECT_THAT(job->problems, ElementsAre(HasSubstr("process table")));
    }
}

TEST_F(FindJob, SpawnedProcessesAreAWorldOfTheJob) {
    const FakeJob fake(launcher("ranks=2 spawned=3"));

    for (const pid_t pid : {fake.pid(), fake.ranks()[1], fake.ranks()[4]}) {
        const auto job = find({pid});

        ASSERT_TRUE(job) << job.error().message;
        EXPECT_EQ(fake.ranks(), pids_of(*job));
        EXPECT_THAT(job->world_sizes, ElementsAre(2, 3));
        EXPECT_THAT(job->problems, ElementsAre());
        for (int i = 0; i < 5; ++i)
            EXPECT_EQ(i, job->processes[static_cast<std::size_t>(i)].rank.value);
    }
}

TEST_F(FindJob, PidsOfTwoJobsAreBothJobs) {
    const FakeJob first(launcher("ranks=2"));
    const FakeJob second(launcher("ranks=3"));

    for (const pid_t pid : {second.pid(), second.ranks()[2]}) {
        const auto job = find({first.pid(), pid});

        ASSERT_TRUE(job) << job.error().message;
        std::vector<pid_t> both = first.ranks();
        both.insert(both.end(), second.ranks().begin(), second.ranks().end());
        EXPECT_EQ(both, pids_of(*job));
        EXPECT_THAT(job->world_sizes, ElementsAre(2, 3));
        EXPECT_EQ(first.pid(), job->launcher_pid);
        EXPECT_THAT(job->other_launchers, ElementsAre(second.pid()));
    }
}

TEST_F(FindJob, SeveralRanksOfOneOfTwoJobsAreItsWholeList) {
    const FakeJob first(launcher("ranks=2"));
    const FakeJob second(launcher("ranks=3"));

    const auto job = find({second.ranks()[2], second.ranks()[0], first.ranks()[0]});

    ASSERT_TRUE(job) << job.error().message;
    EXPECT_THAT(
        pids_of(*job),
        ElementsAre(second.ranks()[0], 0, second.ranks()[2], first.ranks()[0], first.ranks()[1]));
}

TEST_F(FindJob, ALauncherIsNotNamedWithItsRanks) {
    const FakeJob fake(launcher("ranks=2"));

    const auto job = find({fake.pid(), fake.ranks()[0]});

    ASSERT_FALSE(job);
    EXPECT_THAT(job.error().message, HasSubstr("its own ranks"));
}

TEST_F(FindJob, AProcessWithoutALauncherIsAWorldOfItsOwn) {
    const FakeJob fake("env FAKE_READY_FD=1 sh -c 'echo $$; exec " + rank_program() + "'");
    Result<Job> job = find({fake.pid()});
    // Between its line and exec(3) the shell is no MPI process.
    while (!job)
        job = find({fake.pid()});

    expect_sound(job, {fake.pid()});
    EXPECT_EQ(0, job->launcher_pid);
}

TEST_F(FindJob, AListOfPidsIsTheWholeList) {
    const FakeJob fake(launcher("ranks=3"));

    const auto job = find({fake.ranks()[2], fake.ranks()[0]});

    ASSERT_TRUE(job) << job.error().message;
    EXPECT_THAT(pids_of(*job), ElementsAre(fake.ranks()[0], 0, fake.ranks()[2]));
    EXPECT_FALSE(job->processes[1].local);
    EXPECT_TRUE(job->processes[1].alive);
    EXPECT_THAT(job->processes[1].problem, HasSubstr("not among"));
}

TEST_F(FindJob, AListWithoutRanksCountsInItsOrder) {
    const FakeJob fake(launcher("ranks=3 environment=0"));

    const auto job = find({fake.ranks()[2], fake.ranks()[0]});

    ASSERT_TRUE(job) << job.error().message;
    EXPECT_THAT(pids_of(*job), ElementsAre(fake.ranks()[2], fake.ranks()[0]));
    EXPECT_THAT(job->processes[0].problem, HasSubstr("order"));
}

TEST_F(FindJob, RefusesListsThatMakeNoSense) {
    const FakeJob fake(launcher("ranks=2"));

    const auto twice = find({fake.ranks()[0], fake.ranks()[0]});
    const auto none = find({});
    const auto mixed = find({fake.ranks()[0], getpid()});

    ASSERT_FALSE(twice);
    EXPECT_THAT(twice.error().message, HasSubstr("named twice"));
    ASSERT_FALSE(none);
    EXPECT_EQ(ErrorCode::InvalidArgument, none.error().code);
    ASSERT_FALSE(mixed);
}

TEST_F(FindJob, RefusesWhatIsNoMpiProcess) {
    const auto shell = find({getpid()});
    const auto first = find({1});

    ASSERT_FALSE(shell);
    EXPECT_EQ(ErrorCode::InvalidArgument, shell.error().code);
    EXPECT_THAT(shell.error().message, HasSubstr("neither a launcher"));
    ASSERT_FALSE(first);
}

TEST_F(FindJob, SaysThatAProcessDoesNotExist) {
    for (const pid_t pid : {0, -1, 2'000'000'000}) {
        const auto job = find({pid});

        ASSERT_FALSE(job);
        EXPECT_EQ(ErrorCode::TargetExited, job.error().code);
    }
}

TEST_F(FindJob, AZombieOfNoJobHasEnded) {
    const pid_t child = fork();
    if (child == 0) _exit(EXIT_SUCCESS);
    siginfo_t info{};
    ASSERT_EQ(0, waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT));

    const auto job = find({child});

    waitpid(child, nullptr, 0);
    ASSERT_FALSE(job);
    EXPECT_EQ(ErrorCode::TargetExited, job.error().code);
}

TEST_F(FindJob, SaysWhoseAProcessIs) {
    const FakeJob fake(launcher("ranks=2"));
    const pid_t target = geteuid() == 0 ? fake.ranks()[0] : 1;

    const pid_t child = fork();
    if (child == 0) {
        constexpr uid_t kNobody = 65534;
        if (geteuid() == 0 && setuid(kNobody) != 0) _exit(2);
        const auto job = find({target});
        _exit(!job && job.error().code == ErrorCode::PermissionDenied ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);

    EXPECT_EQ(0, WEXITSTATUS(status));
}

}  // namespace
}  // namespace mqinspect::job
