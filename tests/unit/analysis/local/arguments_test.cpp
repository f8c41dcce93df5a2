#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/analysis/local/summary.h"

namespace mqinspect::analysis::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// The message about one call of process 0 of two; empty: it is all right.
std::string message_of(const std::string& call) {
    const auto messages = messages_between(2, "0: " + call + " @a.c:1");
    if (messages.empty()) return {};
    EXPECT_EQ(messages.size(), 1U);
    return messages[0];
}

TEST(Arguments, Ranks) {
    EXPECT_EQ(message_of("MPI_Send(dest=2)"),
              "MPI_Send is given destination 2, but MPI_COMM_WORLD has 2 ranks (0 to 1).");
    EXPECT_EQ(message_of("MPI_Ssend(dest=-7)"),
              "MPI_Ssend is given destination -7, but MPI_COMM_WORLD has 2 ranks (0 to 1).");
    EXPECT_EQ(message_of("MPI_Send(dest=MPI_ANY_SOURCE)"),
              "MPI_Send is given MPI_ANY_SOURCE as destination.");
    EXPECT_EQ(message_of("MPI_Recv(source=2)"),
              "MPI_Recv is given source 2, but MPI_COMM_WORLD has 2 ranks (0 to 1).");
    EXPECT_EQ(message_of("MPI_Probe(source=5)"),
              "MPI_Probe is given source 5, but MPI_COMM_WORLD has 2 ranks (0 to 1).");
    EXPECT_EQ(message_of("MPI_Bcast(root=2)"),
              "MPI_Bcast is given root 2, but MPI_COMM_WORLD has 2 ranks (0 to 1).");
    EXPECT_EQ(message_of("MPI_Send(dest=MPI_PROC_NULL)"), "");
    EXPECT_EQ(message_of("MPI_Recv(source=MPI_ANY_SOURCE)"), "");
    EXPECT_EQ(message_of("MPI_Recv(source=MPI_PROC_NULL)"), "");
}

TEST(Arguments, RanksOfIntercommunicators) {
    const auto messages = messages_between(4, R"(
        communicator inter members=[0] remote=[1, 2, 3]
        0: MPI_Send(dest=2, comm=inter) @a.c:1
        0: MPI_Send(dest=3, comm=inter) @a.c:2
        0: MPI_Bcast(root=MPI_ROOT, comm=inter) @a.c:3
        0: MPI_Bcast(root=MPI_PROC_NULL, comm=inter) @a.c:4
        0: MPI_Bcast(root=3, comm=inter) @a.c:5
    )");
    EXPECT_THAT(
        messages,
        ElementsAre("MPI_Send is given destination 3, but the remote group of inter has 3 ranks (0 "
                    "to 2).",
                    "MPI_Bcast is given root 3, but the remote group of inter has 3 ranks (0 to "
                    "2)."));
}

TEST(Arguments, Tags) {
    EXPECT_EQ(message_of("MPI_Send(dest=1, tag=-5)"),
              "MPI_Send is given tag -5: tags are not negative.");
    EXPECT_EQ(message_of("MPI_Send(dest=1, tag=MPI_ANY_TAG)"),
              "MPI_Send is given MPI_ANY_TAG as the tag of what it sends.");
    EXPECT_EQ(message_of("MPI_Recv(source=1, tag=MPI_ANY_TAG)"), "");
    EXPECT_EQ(message_of("MPI_Recv(source=1, tag=-2)"),
              "MPI_Recv is given tag -2: tags are not negative.");
    EXPECT_EQ(message_of("MPI_Sendrecv(dest=1, source=1, sendtag=-1)"),
              "MPI_Sendrecv is given MPI_ANY_TAG as the tag of what it sends.");
}

TEST(Arguments, Counts) {
    EXPECT_EQ(message_of("MPI_Send(dest=1, count=-1)"), "MPI_Send is given a negative count (-1).");
    EXPECT_EQ(message_of("MPI_Gather(recvcount=-3, root=0)"),
              "MPI_Gather is given a negative receive count (-3).");
    EXPECT_EQ(message_of("MPI_Gather(recvcount=-3, root=1)"), "");
    EXPECT_EQ(message_of("MPI_Alltoallv(sendcounts=[1, -2], sdispls=[0, 1], recvcounts=[1, 1], "
                         "rdispls=[0, 1])"),
              "MPI_Alltoallv is given a negative send count (-2).");
    EXPECT_EQ(message_of("MPI_Send(dest=1, count=0, buf=0)"), "");
}

TEST(Arguments, NullAndInvalidHandles) {
    EXPECT_EQ(message_of("MPI_Send(dest=1, comm=MPI_COMM_NULL)"),
              "MPI_Send is given MPI_COMM_NULL where it needs a communicator.");
    EXPECT_EQ(message_of("MPI_Barrier(comm=-2)"),
              "MPI_Barrier is given a communicator handle that this process has never had.");
    EXPECT_EQ(message_of("MPI_Send(dest=1, datatype=MPI_DATATYPE_NULL)"),
              "MPI_Send is given MPI_DATATYPE_NULL where it needs a datatype.");
    EXPECT_EQ(message_of("MPI_Allreduce(op=MPI_OP_NULL)"),
              "MPI_Allreduce is given MPI_OP_NULL where it needs a reduction operator.");
    EXPECT_EQ(message_of("MPI_Start(request=MPI_REQUEST_NULL)"),
              "MPI_Start is given MPI_REQUEST_NULL where it needs a request.");
    EXPECT_EQ(message_of("MPI_Wait(request=MPI_REQUEST_NULL)"), "");
    EXPECT_EQ(message_of("MPI_Allgather(sendbuf=MPI_IN_PLACE, sendtype=MPI_DATATYPE_NULL)"), "");
    EXPECT_EQ(message_of("MPI_Scatter(sendtype=MPI_DATATYPE_NULL, root=1)"), "");
}

TEST(Arguments, DatatypesAreCommitted) {
    EXPECT_THAT(check_between(2, R"(
        datatype vec = MPI_COMBINER_VECTOR(2,1,3; ; MPI_INT)
        0: MPI_Type_vector(count=2, blocklength=1, stride=3, oldtype=MPI_INT, newtype=vec) @a.c:1
        0: MPI_Send(dest=1, datatype=vec) @a.c:2
        0: MPI_Type_commit(datatype=vec)
        0: MPI_Send(dest=1, datatype=vec) @a.c:3
        0: MPI_Type_free(datatype=vec)
    )"),
                ElementsAre("error invalid argument 0: MPI_Send a.c:2, MPI_Type_vector a.c:1"));
}

TEST(Arguments, Buffers) {
    EXPECT_EQ(message_of("MPI_Send(dest=1, buf=0, count=3)"),
              "MPI_Send is given a null pointer as buffer of 3 elements.");
    EXPECT_EQ(message_of("MPI_Recv(source=1, buf=16)"),
              "MPI_Recv is given a buffer at an address where no memory is.");
    const auto absolute = messages_between(2, R"(
        datatype absolute = MPI_COMBINER_HINDEXED(1,4; 65536; MPI_INT)
        0: MPI_Send(dest=1, buf=MPI_BOTTOM, datatype=absolute)
    )");
    EXPECT_THAT(absolute, IsEmpty());
}

TEST(Arguments, InPlace) {
    EXPECT_EQ(message_of("MPI_Send(dest=1, buf=MPI_IN_PLACE)"),
              "MPI_Send is given MPI_IN_PLACE as buffer, which it has no use for.");
    EXPECT_EQ(message_of("MPI_Gather(sendbuf=MPI_IN_PLACE, root=1)"),
              "MPI_Gather is given MPI_IN_PLACE as send buffer, which only the root may do.");
    EXPECT_EQ(message_of("MPI_Gather(sendbuf=MPI_IN_PLACE, root=0)"), "");
    EXPECT_EQ(message_of("MPI_Reduce(recvbuf=MPI_IN_PLACE, root=1)"), "");
    EXPECT_EQ(message_of("MPI_Allreduce(recvbuf=MPI_IN_PLACE)"),
              "MPI_Allreduce is given MPI_IN_PLACE as receive buffer: it belongs in the place of "
              "the send buffer.");
}

TEST(Arguments, OperatorsFitTheirDatatypes) {
    EXPECT_EQ(message_of("MPI_Allreduce(op=MPI_BAND, datatype=MPI_DOUBLE)"),
              "MPI_Allreduce is given the operator MPI_BAND, which is not defined for MPI_DOUBLE.");
    EXPECT_EQ(message_of("MPI_Allreduce(op=MPI_MAXLOC, datatype=MPI_INT)"),
              "MPI_Allreduce is given the operator MPI_MAXLOC, which is not defined for MPI_INT.");
    EXPECT_EQ(message_of("MPI_Allreduce(op=MPI_MAXLOC, datatype=MPI_DOUBLE_INT)"), "");
    EXPECT_EQ(message_of("MPI_Allreduce(op=MPI_SUM, datatype=MPI_DOUBLE)"), "");
    EXPECT_EQ(message_of("MPI_Allreduce(op=MPI_BOR, datatype=MPI_BYTE)"), "");
    EXPECT_EQ(message_of("MPI_Allreduce(op=MPI_SUM, datatype=MPI_BYTE)"),
              "MPI_Allreduce is given the operator MPI_SUM, which is not defined for MPI_BYTE.");
}

TEST(Arguments, TheUsersOperatorsFitEverything) {
    EXPECT_THAT(messages_between(2, R"(
        operator mine function=app+0x10
        datatype vec = MPI_COMBINER_VECTOR(2,1,3; ; MPI_INT)
        0: MPI_Allreduce(op=mine, datatype=vec)
    )"),
                IsEmpty());
}

TEST(Arguments, TargetsOfOneSidedOperations) {
    const std::string window =
        "window w comm=MPI_COMM_WORLD parts=[[0x5000, 64, 4], [0x5000, 16, 4]]\n"
        "*: MPI_Win_fence(win=w)\n";
    const std::string end = "\n*: MPI_Win_fence(win=w)";
    EXPECT_THAT(
        messages_between(2, window + "0: MPI_Put(target_rank=1, target_disp=4, win=w)" + end),
        ElementsAre("MPI_Put is given a target that reaches from byte 16 to byte 19 of the "
                    "target's window, which has 16 bytes."));
    EXPECT_THAT(
        messages_between(2, window + "0: MPI_Put(target_rank=1, target_disp=3, win=w)" + end),
        IsEmpty());
    EXPECT_THAT(
        messages_between(2, window + "0: MPI_Get(target_rank=2, win=w)" + end),
        ElementsAre("MPI_Get is given target rank 2, but the window has 2 ranks (0 to 1)."));
}

TEST(Arguments, WhatMpiSaidIsAConsequence) {
    EXPECT_THAT(check_between(2, "0: MPI_Send(dest=2) = 6 @a.c:1"),
                ElementsAre("error invalid argument 0: MPI_Send a.c:1"));
    EXPECT_THAT(check_between(2, "0: MPI_Send(dest=1) = 6 @a.c:1"),
                ElementsAre("error MPI error 0: MPI_Send a.c:1"));
    EXPECT_THAT(check_between(2, "file f = \"x\"\n0: MPI_File_open(fh=f) = 6 @a.c:1"),
                ElementsAre("warning MPI error 0: MPI_File_open a.c:1"));
}

}  // namespace
}  // namespace mqinspect::analysis::test
