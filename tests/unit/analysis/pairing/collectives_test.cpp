#include <gmock/gmock.h>

#include "tests/unit/analysis/pairing/checked.h"

namespace mqinspect::analysis {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

std::string message;

std::vector<std::string> checked(int processes, const std::string& statements) {
    const Checked run(processes, statements);
    message = run.message();
    return run.lines;
}

std::vector<std::string> collective_lines(int processes, const std::string& statements) {
    return checked(processes, statements + "\n*: MPI_Finalize()");
}

TEST(Collectives, ThatFitGiveNoFinding) {
    EXPECT_THAT(collective_lines(3, R"(
        communicator row members=[0,2]
        datatype pair = MPI_COMBINER_CONTIGUOUS(2; ; MPI_INT)
        operator mine function=app+0x10
        *: MPI_Barrier()
        0: MPI_Bcast(count=4, root=0)
        1-2: MPI_Bcast(count=2, datatype=pair, root=0)
        *: MPI_Ibarrier(request=b)
        *: MPI_Allreduce(count=3, op=mine)
        *: MPI_Wait(request=b)
        0,2: MPI_Gather(sendcount=2, recvcount=2, root=1, comm=row)
        0: MPI_Gather(sendbuf=MPI_IN_PLACE, recvcount=2, root=0)
        1-2: MPI_Gather(sendcount=2, recvcount=77, recvtype=MPI_CHAR, root=0)
        0: MPI_Gatherv(sendcount=1, recvcounts=[1,2,3], root=0)
        1: MPI_Gatherv(sendcount=2, root=0)
        2: MPI_Gatherv(sendcount=3, root=0)
        0: MPI_Scatterv(sendcounts=[1,2,3], recvcount=1, root=0)
        1: MPI_Scatterv(recvcount=2, root=0)
        2: MPI_Scatterv(recvcount=3, root=0)
        *: MPI_Scatter(sendcount=2, recvcount=1, recvtype=pair, root=2)
        *: MPI_Allgather(sendcount=2, recvcount=1, recvtype=pair)
        0: MPI_Allgatherv(sendcount=1, recvcounts=[1,2,3])
        1: MPI_Allgatherv(sendcount=2, recvcounts=[1,2,3])
        2: MPI_Allgatherv(sendcount=3, recvcounts=[1,2,3])
        *: MPI_Alltoall(sendcount=2, recvcount=2)
        0: MPI_Alltoallv(sendcounts=[1,2,3], recvcounts=[1,4,7])
        1: MPI_Alltoallv(sendcounts=[4,5,6], recvcounts=[2,5,8])
        2: MPI_Alltoallv(sendcounts=[7,8,9], recvcounts=[3,6,9])
        *: MPI_Reduce_scatter(recvcounts=[1,2,3])
        *: MPI_Bcast_init(count=2, root=1, request=p)
        *: MPI_Start(request=p)
        *: MPI_Wait(request=p)
        0: MPI_Start(request=p)
        1,2: MPI_Startall(count=1, array_of_requests=[p])
        *: MPI_Wait(request=p)
    )"),
                IsEmpty())
        << message;
}

TEST(DifferentCollectives, NamesTheMinorityFirst) {
    EXPECT_THAT(collective_lines(3, R"(
        0,2: MPI_Bcast() @a.c:1
        1: MPI_Barrier() @a.c:2
        *: MPI_Allreduce() @a.c:3
    )"),
                ElementsAre("error different collectives: a.c:2 a.c:1 a.c:1"));
    EXPECT_THAT(message, StartsWith("Rank 1 calls MPI_Barrier, but ranks 0 and 2 call MPI_Bcast"));
}

TEST(DifferentCollectives, BlockingNeverMeetsNonblocking) {
    EXPECT_THAT(collective_lines(2,
                                 "0: MPI_Barrier() @a.c:1\n1: MPI_Ibarrier(request=r) @a.c:2\n"
                                 "1: MPI_Wait(request=r)"),
                ElementsAre(StartsWith("error different collectives:")));
}

TEST(DifferentCollectives, AreSeenBeforeAllHaveCome) {
    EXPECT_THAT(checked(3, R"(
        0: MPI_Barrier() = - @a.c:1
        1: MPI_Bcast() @a.c:2
        1: MPI_Finalize() = -
        2: MPI_Recv(source=0) = -
    )"),
                ElementsAre(StartsWith("error different collectives:")));
}

TEST(WrongRoot, NamesTheMinorityFirst) {
    EXPECT_THAT(collective_lines(3, R"(
        0-1: MPI_Reduce(root=0) @a.c:1
        2: MPI_Reduce(root=2) @a.c:2
    )"),
                ElementsAre("error wrong root process: a.c:2 a.c:1 a.c:1"));
    EXPECT_THAT(message, HasSubstr("Rank 2 gives root 2, but ranks 0 and 1 give root 0"));
}

TEST(DifferentReductions, ComparesOperators) {
    EXPECT_THAT(collective_lines(
                    2, "0: MPI_Allreduce(op=MPI_SUM) @a.c:1\n1: MPI_Allreduce(op=MPI_MAX) @a.c:2"),
                ElementsAre(StartsWith("error diff reductions:")));
    EXPECT_THAT(message, HasSubstr("MPI_MAX"));
    EXPECT_THAT(collective_lines(2, R"(
        operator one function=app+0x10
        operator two function=app+0x10
        0: MPI_Allreduce(op=one)
        1: MPI_Allreduce(op=two)
    )"),
                IsEmpty());
}

TEST(InPlace, ByAllOrNobody) {
    const auto sent = [](const std::string& procedure, const std::string& buffer) {
        return collective_lines(2,
                                "0: " + procedure + "(sendbuf=MPI_IN_PLACE) @a.c:1\n1: " +
                                    procedure + "(sendbuf=" + buffer + ") @a.c:2");
    };
    for (const char* procedure : {"MPI_Alltoall", "MPI_Allgather", "MPI_Iallreduce"}) {
        EXPECT_THAT(sent(procedure, "0x8000"), ElementsAre("error invalid argument: a.c:1 a.c:2"));
        EXPECT_THAT(sent(procedure, "MPI_IN_PLACE"), IsEmpty());
    }
    EXPECT_THAT(sent("MPI_Scan", "0x8000"), IsEmpty());
}

TEST(TypesOfCollectives, OfRootedOnes) {
    EXPECT_THAT(collective_lines(2, "0: MPI_Bcast(count=2) @a.c:1\n1: MPI_Bcast(count=1) @a.c:2"),
                ElementsAre("error wrong recv size: a.c:2 a.c:1"));
    EXPECT_THAT(collective_lines(2, "0: MPI_Bcast(count=1) @a.c:1\n1: MPI_Bcast(count=2) @a.c:2"),
                ElementsAre("error incorrect recv size: a.c:2 a.c:1"));
    EXPECT_THAT(
        collective_lines(2, "0: MPI_Bcast() @a.c:1\n1: MPI_Bcast(datatype=MPI_FLOAT) @a.c:2"),
        ElementsAre("error wrong data type: a.c:2 a.c:1"));
    EXPECT_THAT(collective_lines(3, R"(
        0: MPI_Gatherv(sendcount=1, recvcounts=[1,2,3], root=0) @a.c:1
        1: MPI_Gatherv(sendcount=2, root=0) @a.c:2
        2: MPI_Gatherv(sendcount=4, root=0) @a.c:3
    )"),
                ElementsAre("error wrong recv size: a.c:3 a.c:1"));
    // A null pointer says nothing of sizes.
    EXPECT_THAT(collective_lines(2, R"(
        0: MPI_Gatherv(sendcount=1, recvcounts=[], root=0) @a.c:1
        1: MPI_Gatherv(sendcount=2, root=0) @a.c:2
    )"),
                IsEmpty());
    EXPECT_THAT(collective_lines(2, R"(
        0: MPI_Scatter(sendcount=1, recvcount=1, root=0) @a.c:1
        1: MPI_Scatter(recvcount=1, recvtype=MPI_DOUBLE, root=0) @a.c:2
    )"),
                ElementsAre("error wrong data type: a.c:2 a.c:1"));
}

TEST(TypesOfCollectives, OfThoseWhereAllGiveTheSame) {
    EXPECT_THAT(collective_lines(3, R"(
        0,2: MPI_Allreduce(count=4) @a.c:1
        1: MPI_Allreduce(count=3) @a.c:2
    )"),
                ElementsAre("error wrong recv size: a.c:2 a.c:1 a.c:1"));
    EXPECT_THAT(collective_lines(3, R"(
        0,2: MPI_Alltoall() @a.c:1
        1: MPI_Alltoall(sendcount=2, recvcount=2) @a.c:2
    )"),
                ElementsAre("error wrong recv size: a.c:2 a.c:1 a.c:1"));
    EXPECT_THAT(collective_lines(2, R"(
        0: MPI_Reduce_scatter(recvcounts=[1,2]) @a.c:1
        1: MPI_Reduce_scatter(recvcounts=[1,3]) @a.c:2
    )"),
                ElementsAre(StartsWith("error wrong recv size:")));
}

TEST(TypesOfCollectives, OfEachPairOfTheVariants) {
    EXPECT_THAT(collective_lines(2, R"(
        0: MPI_Alltoallv(sendcounts=[1,2], recvcounts=[1,1]) @a.c:1
        1: MPI_Alltoallv(sendcounts=[1,1], recvcounts=[1,1]) @a.c:2
    )"),
                ElementsAre("error wrong recv size: a.c:1 a.c:2"));
    EXPECT_THAT(collective_lines(2, R"(
        0: MPI_Alltoallw(sendcounts=[1,1], sendtypes=[MPI_INT,MPI_INT], recvcounts=[1,1], recvtypes=[MPI_INT,MPI_INT]) @a.c:1
        1: MPI_Alltoallw(sendcounts=[1,1], sendtypes=[MPI_FLOAT,MPI_INT], recvcounts=[1,1], recvtypes=[MPI_INT,MPI_INT]) @a.c:2
    )"),
                ElementsAre("error wrong data type: a.c:2 a.c:1"));
    EXPECT_THAT(collective_lines(2, R"(
        0: MPI_Allgatherv(sendcount=1, recvcounts=[1,1]) @a.c:1
        1: MPI_Allgatherv(sendcount=2, recvcounts=[1,1]) @a.c:2
    )"),
                ElementsAre("error wrong recv size: a.c:2 a.c:1"));
}

TEST(TypesOfCollectives, OfNeighbours) {
    const std::string grid = R"(
        communicator grid members=[0,1] topology=cartesian sources=[[1,1],[0,0]] destinations=[[1,1],[0,0]]
    )";
    EXPECT_THAT(collective_lines(2, grid + R"(
        0: MPI_Neighbor_alltoallv(sendcounts=[1,2], recvcounts=[3,4], comm=grid)
        1: MPI_Neighbor_alltoallv(sendcounts=[3,4], recvcounts=[1,2], comm=grid)
    )"),
                IsEmpty());
    EXPECT_THAT(collective_lines(2, grid + R"(
        0: MPI_Neighbor_alltoallv(sendcounts=[1,2], recvcounts=[3,4], comm=grid) @a.c:1
        1: MPI_Neighbor_alltoallv(sendcounts=[3,5], recvcounts=[1,2], comm=grid) @a.c:2
    )"),
                ElementsAre("error wrong recv size: a.c:2 a.c:1"));
}

TEST(Intercommunicators, SendAcross) {
    const std::string both = "communicator x members=[0,1] remote=[2]\n";
    EXPECT_THAT(collective_lines(3, both + R"(
        0: MPI_Bcast(count=2, root=MPI_ROOT, comm=x)
        1: MPI_Bcast(count=9, root=MPI_PROC_NULL, comm=x)
        2: MPI_Bcast(count=2, root=0, comm=x)
        0: MPI_Send(dest=0, comm=x)
        2: MPI_Recv(source=0, comm=x)
    )"),
                IsEmpty());
    EXPECT_THAT(collective_lines(3, both + R"(
        0: MPI_Bcast(count=2, root=MPI_ROOT, comm=x) @a.c:1
        1: MPI_Bcast(count=9, root=MPI_PROC_NULL, comm=x)
        2: MPI_Bcast(count=1, root=0, comm=x) @a.c:2
    )"),
                ElementsAre("error wrong recv size: a.c:2 a.c:1"));
}

TEST(Intercommunicators, ScatterAsMuchAsTheOtherGroupDoes) {
    const std::string both = "communicator x members=[0,1] remote=[2]\n";
    EXPECT_THAT(collective_lines(3, both + R"(
        0-1: MPI_Reduce_scatter_block(recvcount=2, comm=x)
        2: MPI_Reduce_scatter_block(recvcount=4, comm=x)
    )"),
                IsEmpty());
    EXPECT_THAT(collective_lines(3, both + R"(
        0-1: MPI_Reduce_scatter_block(recvcount=2, comm=x) @a.c:1
        2: MPI_Reduce_scatter_block(recvcount=2, comm=x) @a.c:2
    )"),
                ElementsAre(StartsWith("error wrong recv size:")));
    EXPECT_THAT(collective_lines(3, both + R"(
        0-1: MPI_Allreduce(count=2, comm=x)
        2: MPI_Allreduce(count=2, comm=x)
    )"),
                IsEmpty());
}

TEST(Intercommunicators, HaveTheRootInOneGroup) {
    const std::string both = "communicator x members=[0,1] remote=[2]\n";
    EXPECT_THAT(collective_lines(3, both + R"(
        0: MPI_Bcast(root=MPI_ROOT, comm=x) @a.c:1
        1: MPI_Bcast(root=MPI_PROC_NULL, comm=x) @a.c:2
        2: MPI_Bcast(root=1, comm=x) @a.c:3
    )"),
                ElementsAre(StartsWith("error wrong root process:")));
    EXPECT_THAT(collective_lines(3, both + R"(
        0: MPI_Bcast(root=MPI_PROC_NULL, comm=x) @a.c:1
        1: MPI_Bcast(root=MPI_PROC_NULL, comm=x) @a.c:1
        2: MPI_Bcast(root=0, comm=x) @a.c:3
    )"),
                ElementsAre(StartsWith("error wrong root process:")));
}

TEST(IncompleteCollective, NamesThoseWhoEnded) {
    EXPECT_THAT(checked(3, R"(
        0-1: MPI_Barrier() = - @a.c:1
        2: MPI_Finalize() = -
    )"),
                ElementsAre("error incomplete gop: a.c:1 a.c:1"));
    EXPECT_THAT(message, HasSubstr("rank 2 has ended without it"));
    // A member that crashed, or stands elsewhere, is not the one to blame.
    EXPECT_THAT(checked(2, "0: MPI_Barrier() = -\n1: signal 11"), IsEmpty());
    EXPECT_THAT(checked(2, "0: MPI_Barrier() = -\n1: MPI_Recv(source=0) = -"), IsEmpty());
}

TEST(IncompleteCollective, OfWhatSomeGiveBackWithoutIt) {
    EXPECT_THAT(collective_lines(3, R"(
        communicator all parent=MPI_COMM_WORLD constructor=MPI_Comm_split members=[0,1,2]
        0,2: MPI_Bcast(root=0, comm=all) @a.c:1
        *: MPI_Comm_free(comm=all) @a.c:2
    )"),
                ElementsAre("error incomplete gop: a.c:1 a.c:1 a.c:2"));
}

TEST(IncompleteCollective, OfAPersistentOneIsToldOnce) {
    EXPECT_THAT(collective_lines(2, R"(
        0: MPI_Barrier_init(request=r) @a.c:1
        0: MPI_Start(request=r) @a.c:2
    )"),
                ElementsAre("error incomplete gop: a.c:1 a.c:2"));
}

TEST(IncompleteCollective, OfWindowsFilesAndGroups) {
    const std::string window = "window w parts=[[0,8,1],[0,8,1]]\n";
    EXPECT_THAT(collective_lines(2, window + "*: MPI_Win_fence(win=w)"), IsEmpty());
    EXPECT_THAT(checked(2, window + R"(
        *: MPI_Win_fence(win=w)
        0: MPI_Win_fence(win=w) = - @a.c:1
        1: MPI_Finalize() = -
    )"),
                ElementsAre("error incomplete gop: a.c:1"));
    const std::string file = "file f = \"data\"\n*: MPI_File_open(filename=data, fh=f)\n";
    EXPECT_THAT(collective_lines(2, file + "*: MPI_File_close(fh=f)"), IsEmpty());
    EXPECT_THAT(checked(2, file + R"(
        0: MPI_File_close(fh=f) = - @a.c:1
        1: MPI_Finalize() = -
    )"),
                ElementsAre("error incomplete gop: a.c:1"));
    EXPECT_THAT(collective_lines(3, "0,2: MPI_Comm_create_group(group=[0,2], tag=4)"), IsEmpty());
    EXPECT_THAT(checked(3, R"(
        0: MPI_Comm_create_group(group=[0,2], tag=4) = - @a.c:1
        1-2: MPI_Finalize() = -
    )"),
                ElementsAre("error incomplete gop: a.c:1"));
}

TEST(UnfinishedCollective, HasBeenStartedByAll) {
    EXPECT_THAT(
        checked(2, "0: MPI_Barrier() = - @a.c:1\n1: MPI_Barrier() @a.c:2\n1: MPI_Finalize()"),
        ElementsAre("error unfinished gop: a.c:1 a.c:2"));
    // A request that nobody completes is an error of its process alone.
    EXPECT_THAT(collective_lines(2, "*: MPI_Ibarrier(request=r) @a.c:1\n0: MPI_Wait(request=r)"),
                IsEmpty());
    EXPECT_THAT(checked(2, "0: MPI_Barrier() = -\n1: MPI_Barrier()\n1: signal 11"), IsEmpty());
}

TEST(UnfinishedCollective, IsNoErrorIfTheRunWasEndedInIt) {
    const std::string barrier = "0: MPI_Barrier() = - @a.c:1\n1: MPI_Barrier() = - @a.c:2\n";
    EXPECT_THAT(checked(2, barrier + "*: run 50000"),
                ElementsAre("note unfinished gop: a.c:1 a.c:2"));
    EXPECT_THAT(checked(2, barrier + "*: run 60000000000"),
                ElementsAre("error unfinished gop: a.c:1 a.c:2"));
    // Who has left was not ended.
    EXPECT_THAT(checked(2, barrier + "0: exit 1\n*: run 50000"),
                ElementsAre(StartsWith("error unfinished gop:")));
}

TEST(UnfinishedCollective, IsAConsequenceOfDifferentOnes) {
    EXPECT_THAT(checked(2, "0: MPI_Barrier() = - @a.c:1\n1: MPI_Bcast() = - @a.c:2"),
                ElementsAre(StartsWith("error different collectives:")));
}

TEST(Collectives, GroupsOfNewCommunicatorsAreGivenByAllWhoAreInThem) {
    EXPECT_THAT(collective_lines(4, R"(
        0-1: MPI_Comm_create(group=[0,1])
        2: MPI_Comm_create(group=[2])
        3: MPI_Comm_create(group=[])
        *: MPI_Comm_create(group=[3,1])
        0: MPI_Comm_create(group=[1,3])
        1-3: MPI_Comm_create(group=[1,3])
    )"),
                IsEmpty());
    EXPECT_THAT(collective_lines(3, R"(
        0: MPI_Comm_create(group=[0,1]) @a.c:1
        1: MPI_Comm_create(group=[1,2]) @a.c:2
        2: MPI_Comm_create(group=[2,0]) @a.c:3
    )"),
                ElementsAre("error invalid argument: a.c:1 a.c:2"));
    EXPECT_EQ(message,
              "MPI_Comm_create on MPI_COMM_WORLD is given different groups by processes that are "
              "in them: rank 0 gives {0, 1}, but rank 1 gives {1, 2}.");
    EXPECT_THAT(collective_lines(2, R"(
        0: MPI_Comm_create(group=[0,1]) @a.c:1
        1: MPI_Comm_create(group=[1,0]) @a.c:2
    )"),
                ElementsAre("error invalid argument: a.c:1 a.c:2"));
}

TEST(Collectives, GroupsThatCrossInCreateGroup) {
    EXPECT_THAT(checked(3, R"(
        0: MPI_Comm_create_group(group=[0,1]) = - @a.c:1
        1: MPI_Comm_create_group(group=[1,0]) = - @a.c:2
    )"),
                ElementsAre("error invalid argument: a.c:1 a.c:2"));
    EXPECT_THAT(checked(3, R"(
        0: MPI_Comm_create_group(group=[0,1]) = - @a.c:1
        2: MPI_Comm_create_group(group=[2,1]) = - @a.c:2
    )"),
                IsEmpty());
    EXPECT_THAT(checked(2, R"(
        0: MPI_Comm_create_group(group=[0,1], tag=1) = - @a.c:1
        1: MPI_Comm_create_group(group=[0,1], tag=2) = - @a.c:2
    )"),
                ElementsAre("error invalid argument: a.c:1 a.c:2"));
    EXPECT_EQ(message,
              "MPI_Comm_create_group on MPI_COMM_WORLD is given different tags by processes of the "
              "same group: rank 0 gives 1, but rank 1 gives 2.");
}

// Other members with another tag: that may be two operations that cross.
TEST(Collectives, StringTags) {
    EXPECT_THAT(checked(2, R"(
        0: MPI_Comm_create_from_group(group=[0,1], stringtag="a") @a.c:1
        0: MPI_Comm_create_from_group(group=[0,1], stringtag="b") @a.c:2
        1: MPI_Comm_create_from_group(group=[0,1], stringtag="a") @a.c:3
        1: MPI_Comm_create_from_group(group=[0,1], stringtag="b") @a.c:4
    )"),
                IsEmpty());
    EXPECT_THAT(checked(2, R"(
        0: MPI_Comm_create_from_group(group=[0,1], stringtag="a") = - @a.c:1
        1: MPI_Comm_create_from_group(group=[0,1], stringtag="b") = - @a.c:2
    )"),
                ElementsAre("error invalid argument: a.c:1 a.c:2"));
    EXPECT_THAT(checked(2, R"(
        0: MPI_Comm_create_from_group(group=[0,1], stringtag="a") = - @a.c:1
        1: MPI_Comm_create_from_group(group=[1,0], stringtag="a") = - @a.c:2
    )"),
                ElementsAre("error invalid argument: a.c:1 a.c:2"));
    EXPECT_THAT(checked(3, R"(
        0: MPI_Comm_create_from_group(group=[0,1], stringtag="a") = - @a.c:1
        1: MPI_Comm_create_from_group(group=[1,0], stringtag="b") = - @a.c:2
    )"),
                IsEmpty());
}

TEST(Collectives, TopologiesAreTheSameForAll) {
    EXPECT_THAT(collective_lines(4, R"(
        0: MPI_Cart_create(comm_old=MPI_COMM_WORLD, dims=[2,2], periods=[0,1])
        1-3: MPI_Cart_create(comm_old=MPI_COMM_WORLD, dims=[2,2], periods=[0,2])
    )"),
                IsEmpty());
    EXPECT_THAT(collective_lines(4, R"(
        0,2-3: MPI_Cart_create(comm_old=MPI_COMM_WORLD, dims=[2,2], periods=[0,0]) @a.c:1
        1: MPI_Cart_create(comm_old=MPI_COMM_WORLD, dims=[4,1], periods=[0,0]) @a.c:2
    )"),
                ElementsAre(StartsWith("error invalid argument: a.c:2 a.c:1")));
    EXPECT_EQ(message,
              "Rank 1 gives the numbers {4, 1, 0, 0}, but ranks 0, 2 and 3 give the numbers "
              "{2, 2, 0, 0} in the same operation, MPI_Cart_create on MPI_COMM_WORLD.");
}

TEST(Collectives, SplitByOneTypeOrNone) {
    EXPECT_THAT(collective_lines(3, R"(
        0-1: MPI_Comm_split_type(split_type=1, newcomm=MPI_COMM_NULL)
        2: MPI_Comm_split_type(split_type=-32766, newcomm=MPI_COMM_NULL)
    )"),
                IsEmpty());
    EXPECT_THAT(collective_lines(3, R"(
        0-1: MPI_Comm_split_type(split_type=1, newcomm=MPI_COMM_NULL) @a.c:1
        2: MPI_Comm_split_type(split_type=2, newcomm=MPI_COMM_NULL) @a.c:2
    )"),
                ElementsAre(StartsWith("error invalid argument: a.c:2 a.c:1")));
    EXPECT_EQ(message,
              "Rank 2 gives split_type 2, but ranks 0 and 1 give split_type 1 in the same "
              "operation, MPI_Comm_split_type on MPI_COMM_WORLD.");
}

TEST(Collectives, FencesThatAreNeverPassedAssertTheSame) {
    const auto fences = [](const char* first, const char* second) {
        return checked(2, std::string("window w comm=MPI_COMM_WORLD\n") + first + "\n" + second);
    };
    EXPECT_THAT(fences("0: MPI_Win_fence(assert=8192, win=w) = - @a.c:1",
                       "1: MPI_Win_fence(assert=0, win=w) = - @a.c:2"),
                Contains(StartsWith("error invalid argument: a.c:")));
    EXPECT_THAT(fences("0: MPI_Win_fence(assert=8192, win=w) = - @a.c:1",
                       "1: MPI_Win_fence(assert=9216, win=w) = - @a.c:2"),
                Not(Contains(StartsWith("error invalid argument"))));
    // Others are for the windows' epochs to compare.
    EXPECT_THAT(fences("0: MPI_Win_fence(assert=8192, win=w) @a.c:1",
                       "1: MPI_Win_fence(assert=0, win=w) @a.c:2"),
                IsEmpty());
}

TEST(Collectives, EdgesAreGivenByBothEnds) {
    EXPECT_THAT(collective_lines(3, R"(
        0: MPI_Dist_graph_create_adjacent(sources=[2,1,1], destinations=[1])
        1: MPI_Dist_graph_create_adjacent(sources=[0], destinations=[0,2,0])
        2: MPI_Dist_graph_create_adjacent(sources=[1], destinations=[0])
    )"),
                IsEmpty());
    EXPECT_THAT(collective_lines(3, R"(
        0: MPI_Dist_graph_create_adjacent(sources=[2,1], destinations=[1]) @a.c:1
        1: MPI_Dist_graph_create_adjacent(sources=[0], destinations=[2]) @a.c:2
        2: MPI_Dist_graph_create_adjacent(sources=[1], destinations=[0]) @a.c:3
    )"),
                ElementsAre(StartsWith("error invalid argument: a.c:1 a.c:2")));
    EXPECT_EQ(
        message,
        "In MPI_Dist_graph_create_adjacent on MPI_COMM_WORLD rank 0 gives an edge from rank 1 "
        "that this one does not give.");
    EXPECT_THAT(collective_lines(2, R"(
        0: MPI_Dist_graph_create_adjacent(sources=[1], destinations=[1,1]) @a.c:1
        1: MPI_Dist_graph_create_adjacent(sources=[0], destinations=[0]) @a.c:2
    )"),
                ElementsAre(StartsWith("error invalid argument: a.c:1 a.c:2")));
}

/// Of ranks 0 and 1, and 2 and 3, whose leaders give what follows.
TEST(Reductions, OperatorsCommuteEverywhereOrNowhere) {
    EXPECT_THAT(collective_lines(2, R"(
        operator mine function=app+0x10
        operator other function=app+0x10 commutes=0
        0: MPI_Allreduce(op=mine)
        1: MPI_Allreduce(op=other)
    )"),
                ElementsAre(StartsWith("error diff reductions:")));
    EXPECT_THAT(message, HasSubstr("said not to commute"));
}

}  // namespace
}  // namespace mqinspect::analysis
