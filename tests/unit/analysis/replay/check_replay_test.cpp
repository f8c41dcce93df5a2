#include "analysis/replay/check_replay.h"

#include <gmock/gmock.h>

#include "tests/support/finding_list.h"

namespace mqinspect::analysis {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Checked {
    explicit Checked(int processes,
                     const std::string& statements,
                     const CheckOptions& options = {}) {
        const auto recording = test::recording_of(processes, statements);
        check_replay(*recording, options, findings);
        lines = test::lines_of(recording->execution(), findings);
    }

    std::string message() const {
        return findings.findings.empty() ? "" : findings.findings[0].message;
    }

    Findings findings;
    std::vector<std::string> lines;
};

std::vector<std::string> lines(int processes, const std::string& statements) {
    return Checked(processes, statements).lines;
}

TEST(RealDeadlock, OfReceives) {
    const Checked checked(3, R"(
        0: MPI_Recv(source=1, tag=1) = - @a.c:1
        1: MPI_Recv(source=0, tag=2) = - @a.c:2
        2: MPI_Recv(source=0) = - @a.c:3
    )");
    EXPECT_THAT(checked.lines, ElementsAre("error real deadlock: a.c:1 a.c:2"));
    EXPECT_THAT(checked.message(), HasSubstr("Ranks 0 and 1 wait for each other."));
    EXPECT_THAT(checked.message(),
                HasSubstr("Rank 0 waits in MPI_Recv(source 1, tag 1, "
                          "MPI_COMM_WORLD) for rank 1."));
    EXPECT_THAT(checked.findings.findings[0].consequences, ElementsAre(HasSubstr("Rank 2 waits")));
}

TEST(RealDeadlock, NamesTheMessageThatIsNotTaken) {
    const Checked checked(2, R"(
        0: MPI_Send(dest=1, tag=1)
        0: MPI_Recv(source=1) = - @a.c:1
        1: MPI_Recv(source=0, tag=2) = - @a.c:2
    )");
    EXPECT_THAT(checked.findings.findings[0].message, HasSubstr("MPI_Send(dest 1, tag 1"));
}

TEST(RealDeadlock, OfCollectiveAndMessage) {
    EXPECT_THAT(lines(2, "0: MPI_Barrier() = - @a.c:1\n1: MPI_Recv(source=0) = - @a.c:2"),
                ElementsAre("error real deadlock: a.c:1 a.c:2"));
    EXPECT_THAT(lines(2, "0: MPI_Barrier()\n1: MPI_Barrier()\n*: MPI_Finalize()"), IsEmpty());
}

TEST(RealDeadlock, OfCommunicatorsInDifferentOrder) {
    EXPECT_THAT(lines(2, R"(
        communicator other members=[0,1]
        0: MPI_Barrier() = - @a.c:1
        1: MPI_Barrier(comm=other) = - @a.c:2
    )"),
                ElementsAre("error real deadlock: a.c:1 a.c:2"));
}

TEST(PotentialDeadlock, OfSendsThatWereBuffered) {
    const Checked checked(2, R"(
        0: MPI_Send(dest=1) @a.c:1
        0: MPI_Recv(source=1) @a.c:2
        1: MPI_Send(dest=0) @a.c:3
        1: MPI_Recv(source=0) @a.c:4
        *: MPI_Finalize()
    )");
    EXPECT_THAT(checked.lines, ElementsAre("warning potential deadlock: a.c:1 a.c:3"));
    CheckOptions strict;
    strict.strict = true;
    EXPECT_THAT(Checked(2,
                        "0: MPI_Send(dest=1) @a.c:1\n0: MPI_Recv(source=1)\n"
                        "1: MPI_Send(dest=0) @a.c:3\n1: MPI_Recv(source=0)",
                        strict)
                    .lines,
                ElementsAre("error potential deadlock: a.c:1 a.c:3"));
    EXPECT_THAT(lines(2, R"(
        0: MPI_Send(dest=1)
        0: MPI_Recv(source=1)
        1: MPI_Recv(source=0)
        1: MPI_Send(dest=0)
        *: MPI_Finalize()
    )"),
                IsEmpty());
}

TEST(PotentialDeadlock, NotOfBufferedModeNorNonblocking) {
    EXPECT_THAT(lines(2, R"(
        *: MPI_Bsend(dest=0)
        0: MPI_Recv(source=0)
        0: MPI_Recv(source=1)
        0: MPI_Isend(dest=1, request=r)
        1: MPI_Isend(dest=0, request=r)
        0: MPI_Recv(source=1)
        1: MPI_Recv(source=0)
        *: MPI_Wait(request=r)
        0: MPI_Sendrecv(dest=1, source=1)
        1: MPI_Sendrecv(dest=0, source=0)
        0: MPI_Sendrecv(dest=0, source=0)
        *: MPI_Finalize()
    )"),
                IsEmpty());
    EXPECT_THAT(lines(2, R"(
        *: MPI_Isend(dest=0, request=r) @a.c:1
        *: MPI_Wait(request=r) @a.c:2
        0: MPI_Recv(source=0)
        0: MPI_Recv(source=1)
    )"),
                ElementsAre("warning potential deadlock: a.c:2 a.c:1"));
}

TEST(PotentialDeadlock, OfCollectivesThatDidNotWait) {
    EXPECT_THAT(lines(2, R"(
        0: MPI_Bcast(root=0) @a.c:1
        0: MPI_Send(dest=1) @a.c:2
        1: MPI_Recv(source=0) @a.c:3
        1: MPI_Bcast(root=0) @a.c:4
        *: MPI_Finalize()
    )"),
                ElementsAre("warning potential deadlock: a.c:1 a.c:3"));
    EXPECT_THAT(lines(2, R"(
        0: MPI_Ibcast(root=0, request=r)
        0: MPI_Send(dest=1)
        0: MPI_Wait(request=r)
        1: MPI_Recv(source=0)
        1: MPI_Ibcast(root=0, request=r)
        1: MPI_Wait(request=r)
        *: MPI_Finalize()
    )"),
                IsEmpty());
}

TEST(PotentialDeadlock, OfDifferentCollectivesInOneOperation) {
    // What follows on the communicator is by chance.
    EXPECT_THAT(lines(2, R"(
        0: MPI_Bcast(root=0) @a.c:1
        0: MPI_Allreduce() @a.c:2
        1: MPI_Allreduce() @a.c:3
        1: MPI_Bcast(root=0) @a.c:4
        *: MPI_Finalize()
    )"),
                ElementsAre("warning potential deadlock: a.c:1 a.c:3"));
    EXPECT_THAT(lines(2, R"(
        0: MPI_Barrier() = - @a.c:1
        1: MPI_Ibarrier(request=r) @a.c:2
        1: MPI_Wait(request=r) = - @a.c:3
    )"),
                ElementsAre("error real deadlock: a.c:1 a.c:3 a.c:2"));
}

TEST(PotentialDeadlock, DoesNotHideARealOneBehindIt) {
    EXPECT_THAT(
        lines(2, R"(
        0: MPI_Send(dest=1) @a.c:1
        0: MPI_Recv(source=1) @a.c:2
        1: MPI_Send(dest=0) @a.c:3
        1: MPI_Recv(source=0) @a.c:4
        0: MPI_Recv(source=1) = - @a.c:5
        1: MPI_Recv(source=0) = - @a.c:6
    )"),
        ElementsAre("warning potential deadlock: a.c:1 a.c:3", "error real deadlock: a.c:5 a.c:6"));
}

TEST(PotentialDeadlock, IsFoundInEachRoundOnce) {
    std::string statements;
    for (int round = 0; round < 200; ++round)
        statements +=
            "*: MPI_Isend(dest=0, request=r) @a.c:1\n*: MPI_Wait(request=r) @a.c:2\n"
            "0: MPI_Recv(source=0)\n0: MPI_Recv(source=1)\n";
    const Checked checked(2, statements + "*: MPI_Finalize()");
    EXPECT_THAT(checked.lines, ElementsAre("warning potential deadlock: a.c:2 a.c:1"));
    EXPECT_GT(checked.findings.findings[0].count, 10U);
}

TEST(Wildcards, WaitForAnyOfTheOthers) {
    EXPECT_THAT(lines(3, R"(
        0: MPI_Recv(source=MPI_ANY_SOURCE) = - @a.c:1
        1: MPI_Recv(source=0) = - @a.c:2
        2: MPI_Send(dest=1) = - @a.c:3
    )"),
                ElementsAre("error real deadlock: a.c:1 a.c:2 a.c:3"));
    // One of them still computed when the run was ended.
    EXPECT_THAT(lines(3, R"(
        0: MPI_Recv(source=MPI_ANY_SOURCE) = -
        1: MPI_Recv(source=0) = -
        2: MPI_Wtime()
    )"),
                IsEmpty());
}

TEST(Wildcards, TakeWhatTheyTookAlsoWhereTheirStatusComesLater) {
    EXPECT_THAT(lines(3, R"(
        0: MPI_Irecv(source=MPI_ANY_SOURCE, request=r)
        0: MPI_Barrier()
        1: MPI_Send(dest=0)
        1-2: MPI_Barrier()
        0: MPI_Wait(request=r, status=[1, 0, 4])
        *: MPI_Finalize()
    )"),
                IsEmpty());
}

TEST(HangUp, OfThoseThatWaitForOneThatEnded) {
    EXPECT_THAT(lines(2, "0: MPI_Finalize() = - @a.c:1\n1: MPI_Recv(source=0) = - @a.c:2"),
                ElementsAre("error real hang-up: a.c:2"));
    EXPECT_THAT(lines(2, "0: exit 0\n1: MPI_Barrier() = - @a.c:2"),
                ElementsAre("error real hang-up: a.c:2"));
    EXPECT_THAT(lines(2, "0: MPI_Finalize()\n1: MPI_Send(dest=0) @a.c:2\n1: MPI_Finalize()"),
                ElementsAre("warning potential hang-up: a.c:2"));
    EXPECT_THAT(lines(2, "0: exit 0\n1: MPI_Finalize() = - @a.c:2"),
                ElementsAre("error real hang-up: a.c:2"));
}

TEST(HangUp, IsAConsequenceAfterACrash) {
    EXPECT_THAT(lines(2, "0: signal 11\n1: MPI_Recv(source=0) = -"), IsEmpty());
    EXPECT_THAT(lines(2, "0: abort 1\n1: MPI_Finalize() = -"), IsEmpty());
    EXPECT_THAT(lines(2, "0: MPI_Recv(source=1) = -\n0: signal 11\n1: MPI_Recv(source=0) = -"),
                IsEmpty());
}

TEST(Completion, OfSeveralRequests) {
    EXPECT_THAT(lines(2, R"(
        0: MPI_Irecv(source=1, tag=1, request=a) @a.c:1
        0: MPI_Irecv(source=1, tag=2, request=b) @a.c:2
        0: MPI_Waitall(count=2, array_of_requests=[a, b]) = - @a.c:3
        1: MPI_Send(dest=0, tag=1)
        1: MPI_Recv(source=0) = - @a.c:4
    )"),
                ElementsAre("error real deadlock: a.c:3 a.c:2 a.c:4"));
    EXPECT_THAT(lines(2, R"(
        0: MPI_Irecv(source=1, tag=1, request=a)
        0: MPI_Irecv(source=1, tag=2, request=b)
        0: MPI_Waitany(count=2, array_of_requests=[a, b], index=0)
        0: MPI_Waitsome(incount=2, array_of_requests=[a, b]) = -
        1: MPI_Send(dest=0, tag=1)
        1: MPI_Recv(source=0) = -
    )"),
                ElementsAre(HasSubstr("error real deadlock")));
    EXPECT_THAT(lines(2, R"(
        0: MPI_Irecv(source=1, tag=1, request=a)
        0: MPI_Irecv(source=1, tag=2, request=b)
        0: MPI_Waitany(count=2, array_of_requests=[a, b]) = -
        1: MPI_Send(dest=0, tag=1)
        1: MPI_Recv(source=0) = -
    )"),
                IsEmpty());
}

TEST(Polling, IsNoDeadlock) {
    EXPECT_THAT(lines(2, R"(
        1: MPI_Irecv(source=0, tag=1, request=a)
        0: MPI_Send(dest=1, tag=2)
        0: MPI_Send(dest=1, tag=1)
        1: MPI_Test(request=a)
        1: MPI_Recv(source=0, tag=2)
        *: MPI_Finalize()
    )"),
                IsEmpty());
}

std::string often(const std::string& statement) {
    std::string all;
    for (int i = 0; i < 1200; ++i)
        all += statement + "\n";
    return all;
}

TEST(Polling, ForEverIsADeadlockOfAKilledRun) {
    const std::string tests = often("*: MPI_Test(request=r, flag=0) @a.c:2");
    const std::string receives =
        "0: MPI_Irecv(source=1, request=r) @a.c:1\n"
        "1: MPI_Irecv(source=0, request=r) @a.c:1\n";
    EXPECT_THAT(lines(2, receives + tests),
                ElementsAre("error real deadlock: a.c:2 a.c:1 a.c:2 a.c:1"));
    // One that may yet do something.
    EXPECT_THAT(lines(2, receives + often("0: MPI_Test(request=r, flag=0)")), IsEmpty());
    EXPECT_THAT(
        lines(2, "0: MPI_Send(dest=1)\n" + often("*: MPI_Iprobe(source=MPI_ANY_SOURCE, flag=0)")),
        IsEmpty());
    EXPECT_THAT(lines(2, often("*: MPI_Iprobe(source=MPI_ANY_SOURCE, flag=0) @a.c:1")),
                ElementsAre("error real deadlock: a.c:1 a.c:1"));
}

TEST(Probes, WaitForAMessage) {
    EXPECT_THAT(lines(2, R"(
        0: MPI_Probe(source=1, tag=3)
        0: MPI_Recv(source=1, tag=3)
        1: MPI_Send(dest=0, tag=3)
        0: MPI_Mprobe(source=MPI_ANY_SOURCE, tag=4, message=m, status=[1, 4, 4])
        0: MPI_Mrecv(message=m)
        1: MPI_Send(dest=0, tag=4)
        *: MPI_Finalize()
    )"),
                IsEmpty());
    EXPECT_THAT(lines(2, R"(
        0: MPI_Probe(source=1, tag=3) = - @a.c:1
        1: MPI_Send(dest=0, tag=4)
        1: MPI_Recv(source=0) = - @a.c:2
    )"),
                ElementsAre("error real deadlock: a.c:1 a.c:2"));
}

TEST(Threads, GoOnIndependently) {
    EXPECT_THAT(lines(2, R"(
        0: threads MPI_THREAD_MULTIPLE
        0/0: MPI_Recv(source=1, tag=1)
        0/1: MPI_Send(dest=1, tag=2)
        1: MPI_Recv(source=0, tag=2)
        1: MPI_Send(dest=0, tag=1)
        *: MPI_Finalize()
    )"),
                IsEmpty());
    EXPECT_THAT(lines(2, R"(
        0: threads MPI_THREAD_MULTIPLE
        0/0: MPI_Recv(source=1, tag=1) = - @a.c:1
        0/1: MPI_Recv(source=1, tag=2) = - @a.c:2
        1: MPI_Recv(source=0, tag=2) = - @a.c:3
    )"),
                ElementsAre("error real deadlock: a.c:1 a.c:2 a.c:3"));
}

// As where the main thread joins the other one before it frees the communicator and ends.
TEST(Threads, KeepTheOrderOfCollectiveCallsAndOfTheEnd) {
    EXPECT_THAT(lines(2, R"(
        communicator c parent=MPI_COMM_WORLD constructor=MPI_Comm_dup members=[0,1]
        0: threads MPI_THREAD_MULTIPLE
        1: threads MPI_THREAD_MULTIPLE
        0/1: MPI_Recv(source=1, tag=1, comm=c)
        0/1: MPI_Barrier(comm=c)
        0/0: MPI_Comm_free(comm=c)
        0/0: MPI_Finalize()
        1/1: MPI_Send(dest=0, tag=1, comm=c)
        1/1: MPI_Barrier(comm=c)
        1/0: MPI_Comm_free(comm=c)
        1/0: MPI_Finalize()
    )"),
                IsEmpty());
}

TEST(Persistent, OperationsWaitWhenStarted) {
    EXPECT_THAT(lines(2, R"(
        0: MPI_Recv_init(source=1, request=r) @a.c:1
        0: MPI_Start(request=r) @a.c:2
        0: MPI_Wait(request=r)
        1: MPI_Send(dest=0)
        0: MPI_Wait(request=r)
        0: MPI_Start(request=r) @a.c:3
        0: MPI_Wait(request=r) = - @a.c:4
        1: MPI_Recv(source=0) = - @a.c:5
    )"),
                ElementsAre("error real deadlock: a.c:4 a.c:3 a.c:5"));
    EXPECT_THAT(lines(2, R"(
        0: MPI_Psend_init(dest=1, partitions=2, request=r) @a.c:1
        0: MPI_Start(request=r) @a.c:2
        0: MPI_Pready(partition=0, request=r)
        0: MPI_Wait(request=r) = - @a.c:3
        1: MPI_Precv_init(source=0, partitions=2, request=r)
        1: MPI_Start(request=r)
        1: MPI_Wait(request=r) = - @a.c:4
    )"),
                ElementsAre("error real deadlock: a.c:3 a.c:2"));
}

TEST(Windows, PostStartCompleteWait) {
    const std::string window = "window w parts=[[0,8,1],[0,8,1]]\n";
    EXPECT_THAT(lines(2, window + R"(
        0: MPI_Win_post(group=[1], win=w)
        0: MPI_Win_wait(win=w)
        1: MPI_Win_start(group=[0], win=w)
        1: MPI_Win_complete(win=w)
        *: MPI_Finalize()
    )"),
                IsEmpty());
    EXPECT_THAT(lines(2, window + R"(
        0: MPI_Win_post(group=[1], win=w)
        0: MPI_Win_wait(win=w) = - @a.c:1
        1: MPI_Win_start(group=[0], win=w)
        1: MPI_Recv(source=0) = - @a.c:2
    )"),
                ElementsAre("error real deadlock: a.c:1 a.c:2"));
}

TEST(Windows, Locks) {
    const std::string window = "window w parts=[[0,8,1],[0,8,1]]\n";
    EXPECT_THAT(lines(2, window + R"(
        *: MPI_Win_lock(lock_type=MPI_LOCK_EXCLUSIVE, rank=0, win=w)
        *: MPI_Win_unlock(rank=0, win=w)
        *: MPI_Finalize()
    )"),
                IsEmpty());
    EXPECT_THAT(lines(2, window + R"(
        *: MPI_Win_lock(lock_type=MPI_LOCK_SHARED, rank=0, win=w)
        *: MPI_Barrier()
        *: MPI_Win_unlock(rank=0, win=w)
        *: MPI_Finalize()
    )"),
                IsEmpty());
    EXPECT_THAT(lines(2, window + R"(
        0: MPI_Win_lock(lock_type=MPI_LOCK_EXCLUSIVE, rank=0, win=w)
        0: MPI_Barrier() = - @a.c:1
        1: MPI_Win_lock(lock_type=MPI_LOCK_EXCLUSIVE, rank=0, win=w) = - @a.c:2
    )"),
                ElementsAre("error real deadlock: a.c:1 a.c:2"));
}

const char* const kWindow =
    "window w comm=MPI_COMM_WORLD kind=MPI_Win_create "
    "parts=[[0x5000,64,1],[0x5000,64,1]]\n";

TEST(Windows, AnEpochThatIsNotExposed) {
    EXPECT_THAT(lines(2, std::string(kWindow) + R"(
        0: MPI_Win_start(group=[1], win=w) @a.c:1
        0: MPI_Win_complete(win=w) = - @a.c:2
        1: MPI_Win_free(win=w) = - @a.c:3
    )"),
                ElementsAre("error real deadlock: a.c:2 a.c:3"));
}

TEST(Windows, LocksThatAreTakenLate) {
    // MPI_Win_lock may return before it has the lock: that it could have waited there is no
    // second finding.
    EXPECT_THAT(lines(2, std::string(kWindow) + R"(
        0: MPI_Win_lock(lock_type=234, rank=0, win=w)
        1: MPI_Win_lock(lock_type=234, rank=1, win=w)
        *: MPI_Barrier()
        0: MPI_Win_lock(lock_type=234, rank=1, win=w) @a.c:1
        1: MPI_Win_lock(lock_type=234, rank=0, win=w) @a.c:1
        0: MPI_Win_flush(rank=1, win=w) = - @a.c:2
        1: MPI_Win_unlock(rank=0, win=w) = - @a.c:3
    )"),
                ElementsAre("error real deadlock: a.c:2 a.c:3"));
    EXPECT_THAT(lines(2, std::string(kWindow) + R"(
        0: MPI_Win_lock(lock_type=234, rank=0, win=w)
        1: MPI_Win_lock(lock_type=234, rank=1, win=w)
        *: MPI_Barrier()
        0: MPI_Win_lock(lock_type=234, rank=1, win=w) @a.c:1
        1: MPI_Win_lock(lock_type=234, rank=0, win=w) @a.c:1
        0: MPI_Win_unlock(rank=0, win=w)
        1: MPI_Win_unlock(rank=1, win=w)
        0: MPI_Win_unlock(rank=1, win=w)
        1: MPI_Win_unlock(rank=0, win=w)
    )"),
                ElementsAre("warning potential deadlock: a.c:1 a.c:1"));
}

TEST(IncompleteRecord, IsNotPlayed) {
    const Checked checked(2, "0: MPI_Recv(source=1) = -\n1: MPI_Recv(source=0) = -\n1: incomplete");
    EXPECT_THAT(checked.lines, IsEmpty());
    EXPECT_THAT(checked.findings.unchecked, ElementsAre(HasSubstr("missing")));
}

TEST(Windows, GroupsThatDoNotFitAreNamed) {
    const std::string window = "window w parts=[[0,8,1],[0,8,1],[0,8,1]]\n";
    EXPECT_THAT(lines(3, window + R"(
        0: MPI_Win_post(group=[2], win=w) @a.c:1
        0: MPI_Win_wait(win=w) = - @a.c:2
        1: MPI_Win_start(group=[0], win=w) @a.c:3
        1: MPI_Win_complete(win=w) = - @a.c:4
        2: MPI_Recv(source=1) = - @a.c:5
    )"),
                ElementsAre(AllOf(HasSubstr("a.c:1"), HasSubstr("a.c:3"))));
}

}  // namespace
}  // namespace mqinspect::analysis
