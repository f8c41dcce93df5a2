#include <gmock/gmock.h>

#include "tests/unit/analysis/pairing/checked.h"

namespace mqinspect::analysis {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> lines(int processes, const std::string& statements) {
    return Checked(processes, statements + "\n*: MPI_Finalize()").lines;
}

TEST(PairedMessages, OfAllModesAndForms) {
    EXPECT_THAT(lines(2, R"(
        0: MPI_Send(dest=1, tag=1)
        0: MPI_Ssend(dest=1, tag=2)
        0: MPI_Ibsend(dest=1, tag=3, request=b)
        0: MPI_Send_init(dest=1, tag=4, request=p)
        0: MPI_Start(request=p)
        0: MPI_Waitall(count=2, array_of_requests=[b, p])
        0: MPI_Startall(count=1, array_of_requests=[p])
        0: MPI_Wait(request=p)
        0: MPI_Request_free(request=p)
        0: MPI_Isend(dest=1, tag=5, request=f)
        0: MPI_Request_free(request=f)
        0: MPI_Sendrecv(dest=1, sendtag=6, source=1, recvtag=7)
        0: MPI_Send(dest=MPI_PROC_NULL)
        0: MPI_Psend_init(dest=1, tag=8, partitions=2, count=3, request=q)
        0: MPI_Start(request=q)
        0: MPI_Pready(partition=0, request=q)
        0: MPI_Pready(partition=1, request=q)
        0: MPI_Wait(request=q)
        0: MPI_Send(dest=1, tag=9)
        0: MPI_Send(dest=1, tag=10)
        1: MPI_Recv(source=0, tag=3)
        1: MPI_Recv(source=MPI_ANY_SOURCE, tag=2, status=[0, 2, 4])
        1: MPI_Irecv(source=0, tag=MPI_ANY_TAG, request=a)
        1: MPI_Wait(request=a, status=[0, 1, 4])
        1: MPI_Recv_init(source=0, tag=4, request=r)
        1: MPI_Start(request=r)
        1: MPI_Wait(request=r)
        1: MPI_Start(request=r)
        1: MPI_Test(request=r)
        1: MPI_Recv(source=0, tag=5)
        1: MPI_Isendrecv(dest=0, sendtag=7, source=0, recvtag=6, request=s)
        1: MPI_Wait(request=s)
        1: MPI_Recv(source=MPI_PROC_NULL)
        1: MPI_Precv_init(source=0, tag=8, partitions=1, count=6, request=t)
        1: MPI_Start(request=t)
        1: MPI_Wait(request=t)
        1: MPI_Mprobe(source=MPI_ANY_SOURCE, tag=9, message=m, status=[0, 9, 4])
        1: MPI_Mrecv(message=m)
        1: MPI_Probe(source=0, tag=10)
        1: MPI_Recv(source=0, tag=10)
    )"),
                IsEmpty());
}

TEST(PairedMessages, DoNotOvertakeEachOther) {
    EXPECT_THAT(lines(2, R"(
        0: MPI_Send(dest=1, tag=1, datatype=MPI_INT)
        0: MPI_Send(dest=1, tag=2, datatype=MPI_FLOAT)
        0: MPI_Send(dest=1, tag=1, datatype=MPI_DOUBLE)
        1: MPI_Recv(source=0, tag=2, datatype=MPI_FLOAT)
        1: MPI_Recv(source=0, tag=MPI_ANY_TAG, datatype=MPI_INT, status=[0, 1, 4])
        1: MPI_Recv(source=0, tag=1, datatype=MPI_DOUBLE)
    )"),
                IsEmpty());
}

TEST(PairedMessages, WildcardsTakeWhatTheirStatusSays) {
    EXPECT_THAT(lines(3, R"(
        0: MPI_Irecv(source=MPI_ANY_SOURCE, datatype=MPI_FLOAT, request=a)
        0: MPI_Irecv(source=MPI_ANY_SOURCE, datatype=MPI_INT, request=b)
        1: MPI_Send(dest=0, datatype=MPI_INT)
        2: MPI_Send(dest=0, datatype=MPI_FLOAT)
        0: MPI_Waitall(count=2, array_of_requests=[a, b], array_of_statuses=[[2, 0, 4], [1, 0, 4]])
    )"),
                IsEmpty());
}

TEST(PairedMessages, UnknownSourcesAreInferredWhereOneIsLeft) {
    EXPECT_THAT(lines(3, R"(
        1: MPI_Send(dest=0, datatype=MPI_INT) @a.c:1
        0: MPI_Recv(source=MPI_ANY_SOURCE, datatype=MPI_FLOAT) @a.c:2
    )"),
                ElementsAre("error wrong data type: a.c:1 a.c:2"));
    EXPECT_THAT(lines(3, R"(
        1: MPI_Send(dest=0, datatype=MPI_INT)
        2: MPI_Send(dest=0, datatype=MPI_FLOAT)
        0: MPI_Irecv(source=MPI_ANY_SOURCE, datatype=MPI_INT, request=a)
        0: MPI_Irecv(source=MPI_ANY_SOURCE, datatype=MPI_FLOAT, request=b)
    )"),
                IsEmpty());
}

TEST(PairedMessages, CancelledOnesTakeNoMessage) {
    EXPECT_THAT(lines(2, R"(
        1: MPI_Irecv(source=0, datatype=MPI_FLOAT, request=r)
        0: MPI_Send(dest=1, datatype=MPI_INT)
        1: MPI_Cancel(request=r)
        1: MPI_Wait(request=r, status=[0, 0, 0, 1])
        1: MPI_Recv(source=0, datatype=MPI_INT)
    )"),
                IsEmpty());
    EXPECT_THAT(lines(2, R"(
        1: MPI_Irecv(source=0, request=r)
        1: MPI_Cancel(request=r)
        1: MPI_Request_free(request=r)
        0: MPI_Irecv(source=1, request=s)
        0: MPI_Cancel(request=s)
    )"),
                IsEmpty());
}

TEST(NonpairedSend, IsReportedOnceTheReceiverHasEnded) {
    EXPECT_THAT(lines(2, "0: MPI_Send(dest=1) @a.c:1"), ElementsAre("error nonpaired send: a.c:1"));
    EXPECT_THAT(lines(2, "0: MPI_Send(dest=1)\n1: MPI_Recv(source=0)"), IsEmpty());
    // A receiver that crashed might have come.
    EXPECT_THAT(Checked(2, "0: MPI_Send(dest=1)\n0: MPI_Finalize()\n1: signal 11").lines,
                IsEmpty());
}

TEST(NonpairedSend, NamesTheReceiveThatNearlyFits) {
    const Checked checked(2, R"(
        0: MPI_Send(dest=1, tag=1) @a.c:1
        1: MPI_Recv(source=0, tag=2) = - @a.c:2
        0: MPI_Finalize() = -
        1: exit 1
    )");
    EXPECT_THAT(
        checked.lines,
        ElementsAre("error nonpaired send: a.c:1 a.c:2", "error nonpaired recv: a.c:2 a.c:1"));
    EXPECT_THAT(checked.message(), HasSubstr("MPI_Recv(source 0, tag 2, MPI_COMM_WORLD)"));
}

TEST(NonpairedSend, OfAMessageThatOnlyAMatchedProbeHasTaken) {
    const Checked checked(2, R"(
        0: MPI_Send(dest=1) @a.c:1
        1: MPI_Mprobe(source=0, message=m) @a.c:2
        *: MPI_Finalize()
    )");
    EXPECT_THAT(checked.lines, ElementsAre("error nonpaired send: a.c:1 a.c:2"));
    EXPECT_THAT(checked.message(), HasSubstr("has not received it with MPI_Mrecv"));
}

TEST(WrongSendSize, IsThatOfACallThatRaisedTheError) {
    // What it had to send has been sent all the same.
    EXPECT_THAT(
        lines(2, R"(
        0: MPI_Sendrecv(sendcount=4, dest=1, recvcount=4, source=1) = 14 @a.c:1
        1: MPI_Sendrecv(sendcount=8, dest=0, recvcount=8, source=0) @a.c:2
        0: error 14 MPI_ERR_TRUNCATE truncated
    )"),
        ElementsAre("note incorrect send size: a.c:1 a.c:2", "error wrong send size: a.c:2 a.c:1"));
}

TEST(WrongSendSize, OfAWildcardThatSeveralCouldHaveMetIfAllSendTheSame) {
    const Checked checked(3, R"(
        1,2: MPI_Send(dest=0, count=2) @a.c:1
        0: MPI_Recv(source=MPI_ANY_SOURCE) = - @a.c:2
        0: error 15 MPI_ERR_TRUNCATE truncated
    )");
    EXPECT_THAT(checked.lines, ::testing::Contains("error wrong send size: a.c:1 a.c:2"));
    const Checked different(3, R"(
        1: MPI_Send(dest=0, count=2) @a.c:1
        2: MPI_Send(dest=0, count=3) @a.c:2
        0: MPI_Recv(source=MPI_ANY_SOURCE) = - @a.c:3
        0: error 15 MPI_ERR_TRUNCATE truncated
    )");
    EXPECT_THAT(different.lines, ::testing::Not(::testing::Contains(HasSubstr("wrong send size"))));
}

TEST(NonpairedReceive, IsReportedOnceTheSenderHasEnded) {
    EXPECT_THAT(Checked(2, "0: MPI_Finalize()\n1: MPI_Recv(source=0) = - @a.c:1").lines,
                ElementsAre("error nonpaired recv: a.c:1"));
    EXPECT_THAT(
        Checked(3, "0,2: MPI_Finalize()\n1: MPI_Recv(source=MPI_ANY_SOURCE) = - @a.c:1").lines,
        ElementsAre("error nonpaired recv: a.c:1"));
    // Both wait: that is a deadlock, and each might have sent later.
    EXPECT_THAT(Checked(2, "0: MPI_Recv(source=1) = -\n1: MPI_Recv(source=0) = -").lines,
                IsEmpty());
}

TEST(SizesOfMessages, AreComparedByType) {
    EXPECT_THAT(lines(2, "0: MPI_Send(dest=1, count=2) @a.c:1\n1: MPI_Recv(source=0) @a.c:2"),
                ElementsAre("error wrong send size: a.c:1 a.c:2"));
    EXPECT_THAT(lines(2, "0: MPI_Send(dest=1) @a.c:1\n1: MPI_Recv(source=0, count=2) @a.c:2"),
                ElementsAre("note incorrect send size: a.c:1 a.c:2"));
    EXPECT_THAT(lines(2, "0: MPI_Send(dest=1, count=2)\n1: MPI_Recv(source=0, count=2)"),
                IsEmpty());
}

TEST(WrongDataType, SuppressesTheSize) {
    const Checked checked(2, R"(
        0: MPI_Send(dest=1, count=4, datatype=MPI_INT) @a.c:1
        1: MPI_Recv(source=0, count=2, datatype=MPI_FLOAT) @a.c:2
    )");
    EXPECT_THAT(checked.lines, ElementsAre("error wrong data type: a.c:1 a.c:2"));
    EXPECT_THAT(checked.message(), HasSubstr("MPI_INT sent, MPI_FLOAT received"));
    EXPECT_THAT(lines(2, R"(
        datatype three = MPI_COMBINER_VECTOR(3,1,2; ; MPI_INT)
        0: MPI_Send(dest=1, count=1, datatype=three)
        1: MPI_Recv(source=0, count=3, datatype=MPI_INT)
    )"),
                IsEmpty());
}

TEST(ReceiveChecksum, ComparesBothEnds) {
    EXPECT_THAT(lines(2, R"(
        0: MPI_Send(dest=1, send_checksum=5) @a.c:1
        1: MPI_Recv(source=0, receive_checksum=6) @a.c:2
    )"),
                ElementsAre("error recv checksum: a.c:1 a.c:2"));
    EXPECT_THAT(lines(2, R"(
        0: MPI_Send(dest=1, send_checksum=5)
        1: MPI_Irecv(source=0, request=r)
        1: MPI_Wait(request=r, checksums=[5])
    )"),
                IsEmpty());
}

TEST(EqualFindings, AreOneWithACount) {
    const Checked checked(3, R"(
        0: MPI_Send(dest=1, count=2) @a.c:1
        0: MPI_Send(dest=2, count=2) @a.c:1
        1-2: MPI_Recv(source=0) @a.c:2
    )");
    EXPECT_THAT(checked.lines, ElementsAre("error wrong send size: a.c:1 a.c:2"));
    EXPECT_EQ(checked.findings.findings[0].count, 2U);
    EXPECT_EQ(checked.findings.findings[0].processes.size(), 3U);
}

TEST(Limit, LeavesOutWhatExceedsIt) {
    CheckOptions options;
    options.errors_per_process = 1;
    const Checked checked(2,
                          "0: MPI_Send(dest=1, count=2) @a.c:1\n1: MPI_Recv(source=0) @a.c:2\n"
                          "0: MPI_Send(dest=1, count=2) @a.c:3\n1: MPI_Recv(source=0) @a.c:4\n",
                          options);
    EXPECT_THAT(checked.lines, ElementsAre("error wrong send size: a.c:1 a.c:2"));
    EXPECT_FALSE(checked.findings.complete);
}

TEST(IncompleteRecord, IsSaidAndNotJudged) {
    const Checked checked(2, "0: MPI_Send(dest=1, count=2)\n1: MPI_Recv(source=0)\n1: incomplete");
    EXPECT_THAT(checked.lines, IsEmpty());
    EXPECT_THAT(checked.findings.unchecked, ElementsAre(HasSubstr("rank 1")));
}

TEST(ThreadsMessages, ThatAreLeftOutAreSaid) {
    std::string run = "0: threads communicate\n";
    for (int i = 0; i <= 1 << 14; ++i) {
        run += "0/" + std::to_string(i % 2) + ": MPI_Send(dest=1, send_checksum=5)\n";
        run += "1: MPI_Recv(source=0, receive_checksum=6)\n";
    }
    const Checked checked(2, run);
    EXPECT_THAT(checked.lines, ElementsAre(HasSubstr("recv checksum")));
    EXPECT_THAT(
        checked.findings.unchecked,
        ElementsAre("messages of threads that do not fit in the order of the record, behind "
                    "the first 16384 of them"));
}

}  // namespace
}  // namespace mqinspect::analysis
