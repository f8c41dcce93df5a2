#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/analysis/local/summary.h"

namespace mqinspect::analysis::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Requests, CompletedOnesAreFine) {
    EXPECT_THAT(check_between(2, R"(
        0: MPI_Isend(buf=0x1000, dest=1, request=a) @a.c:1
        0: MPI_Isend(buf=0x2000, dest=1, request=b) @a.c:2
        0: MPI_Isend(buf=0x3000, dest=1, request=c) @a.c:3
        0: MPI_Isend(buf=0x4000, dest=1, request=d) @a.c:4
        0: MPI_Wait(request=a)
        0: MPI_Waitany(array_of_requests=[b, c], index=1)
        0: MPI_Waitsome(array_of_requests=[b, d], array_of_indices=[0, 1])
        1: MPI_Irecv(buf=0x1000, source=0, request=a) @a.c:5
        1: MPI_Test(request=a, flag=0)
        1: MPI_Test(request=a)
        1: MPI_Ibarrier(request=b)
        1: MPI_Testall(array_of_requests=[b])
    )"),
                IsEmpty());
}

TEST(Requests, UnfinishedOnesAreReportedAtMpiFinalize) {
    EXPECT_THAT(check_between(2, R"(
        0: MPI_Isend(dest=1, request=a) @a.c:1
        0: MPI_Test(request=a, flag=0) @a.c:2
        1: MPI_Irecv(source=0, request=a) @a.c:3
        *: MPI_Ibarrier(request=b) @a.c:4
    )"),
                ElementsAre("error unfinished send 0: MPI_Isend a.c:1, MPI_Finalize f.c:99",
                            "error unfinished gop 0,1: MPI_Ibarrier a.c:4, MPI_Finalize f.c:99, "
                            "MPI_Ibarrier a.c:4, MPI_Finalize f.c:99 x2",
                            "error unfinished recv 1: MPI_Irecv a.c:3, MPI_Finalize f.c:99"));
}

TEST(Requests, ManyOfOneCallSiteAreOneFinding) {
    EXPECT_THAT(check_between(2, R"(
        0: MPI_Isend(dest=1, request=a) @a.c:1
        0: MPI_Isend(dest=1, request=b) @a.c:1
        0: MPI_Isend(dest=1, request=c) @a.c:1
    )"),
                ElementsAre("error unfinished send 0: MPI_Isend a.c:1, MPI_Finalize f.c:99 x3"));
}

TEST(Requests, PersistentOnesAreToBeFreed) {
    EXPECT_THAT(
        check_between(2, R"(
        0: MPI_Send_init(dest=1, request=a) @a.c:1
        0: MPI_Start(request=a) @a.c:2
        0: MPI_Wait(request=a)
        1: MPI_Recv_init(source=0, request=a) @a.c:4
        1: MPI_Start(request=a) @a.c:5
        1: MPI_Wait(request=a)
        1: MPI_Request_free(request=a)
    )"),
        ElementsAre("warning nonfreed request 0: MPI_Send_init a.c:1, MPI_Finalize f.c:99"));
}

TEST(Requests, PersistentOnesThatRunAtMpiFinalizeAreUnfinished) {
    EXPECT_THAT(check_between(2, R"(
        0: MPI_Send_init(dest=1, request=a) @a.c:1
        0: MPI_Start(request=a) @a.c:2
    )"),
                ElementsAre("error unfinished send 0: MPI_Start a.c:2, MPI_Finalize f.c:99"));
}

TEST(Requests, PersistentOnesAreNotStartedTwice) {
    EXPECT_THAT(check_between(2, R"(
        0: MPI_Send_init(dest=1, request=a) @a.c:1
        0: MPI_Start(request=a) @a.c:2
        0: MPI_Start(request=a) @a.c:3
        0: MPI_Wait(request=a)
        0: MPI_Startall(array_of_requests=[a]) @a.c:4
        0: MPI_Waitall(array_of_requests=[a])
        0: MPI_Request_free(request=a)
    )"),
                ElementsAre("error invalid argument 0: MPI_Start a.c:3, MPI_Start a.c:2"));
}

TEST(Requests, WaitingForOneThatWasNeverStartedIsDoubtful) {
    EXPECT_THAT(check_between(2, R"(
        0: MPI_Recv_init(source=1, request=a) @a.c:1
        0: MPI_Wait(request=a) @a.c:2
        0: MPI_Request_free(request=a)
    )"),
                ElementsAre("warning request not started 0: MPI_Wait a.c:2, MPI_Recv_init a.c:1"));
    EXPECT_THAT(check_between(1, R"(
        0: MPI_Send_init(dest=0, request=a)
        0: MPI_Wait(request=a)
        0: MPI_Start(request=a)
        0: MPI_Wait(request=a)
        0: MPI_Request_free(request=a)
    )"),
                IsEmpty());
}

TEST(Requests, ActiveOnesStandInAListOnce) {
    EXPECT_THAT(check_between(1, R"(
        0: MPI_Irecv(source=0, buf=0x1000, request=a) @a.c:1
        0: MPI_Irecv(source=0, buf=0x2000, request=b) @a.c:2
        0: MPI_Testall(array_of_requests=[a, b, a], flag=0) @a.c:3
        0: MPI_Waitall(array_of_requests=[a, b])
    )"),
                ElementsAre("error invalid argument 0: MPI_Testall a.c:3, MPI_Irecv a.c:1"));
    EXPECT_THAT(check_between(1, R"(
        0: MPI_Irecv(source=0, buf=0x1000, request=b)
        0: MPI_Waitall(array_of_requests=[MPI_REQUEST_NULL, b, MPI_REQUEST_NULL])
    )"),
                IsEmpty());
}

TEST(Requests, OnesThatRunAreNotStarted) {
    EXPECT_THAT(check_between(2, R"(
        0: MPI_Irecv(source=1, request=a) @a.c:1
        0: MPI_Start(request=a) @a.c:2
        0: MPI_Wait(request=a)
    )"),
                ElementsAre("error invalid argument 0: MPI_Start a.c:2, MPI_Irecv a.c:1"));
}

TEST(Requests, FreeingOnesThatRun) {
    EXPECT_THAT(check_between(2, R"(
        0: MPI_Isend(buf=0x1000, dest=1, request=a) @a.c:1
        0: MPI_Request_free(request=a) @a.c:2
        0: MPI_Send_init(buf=0x2000, dest=1, request=b) @a.c:3
        0: MPI_Start(request=b) @a.c:4
        0: MPI_Request_free(request=b) @a.c:5
        0: MPI_Ibarrier(request=c) @a.c:6
        0: MPI_Request_free(request=c) @a.c:7
    )"),
                ElementsAre("warning nonpersistent request free 0: MPI_Request_free a.c:2, "
                            "MPI_Isend a.c:1",
                            "error wrong request free 0: MPI_Request_free a.c:5, MPI_Start a.c:4",
                            "error wrong request free 0: MPI_Request_free a.c:7, "
                            "MPI_Ibarrier a.c:6"));
}

TEST(Requests, CancellingIsAWarning) {
    EXPECT_THAT(check_between(2, R"(
        0: MPI_Irecv(source=1, request=a) @a.c:1
        0: MPI_Cancel(request=a) @a.c:2
        0: MPI_Wait(request=a)
        1: MPI_Ibarrier(request=a) @a.c:3
        1: MPI_Cancel(request=a) @a.c:4
        1: MPI_Wait(request=a)
    )"),
                ElementsAre("warning request cancel 0: MPI_Cancel a.c:2, MPI_Irecv a.c:1",
                            "error request cancel 1: MPI_Cancel a.c:4, MPI_Ibarrier a.c:3"));
}

TEST(Requests, CopiesOfHandlesDoNotOutliveThem) {
    EXPECT_THAT(check_between(2, R"(
        0: MPI_Irecv(source=1, request=a) @a.c:1
        0: MPI_Wait(request=a) @a.c:2
        0: MPI_Wait(request=a) @a.c:3
    )"),
                ElementsAre("error use after free 0: MPI_Wait a.c:3, MPI_Wait a.c:2"));
}

TEST(Requests, PartitionsBecomeReadyOnceInEachStart) {
    EXPECT_THAT(check_between(2, R"(
        0: MPI_Psend_init(partitions=3, dest=1, request=a) @a.c:1
        0: MPI_Start(request=a) @a.c:2
        0: MPI_Pready_range(partition_low=0, partition_high=1, request=a)
        0: MPI_Pready_list(array_of_partitions=[2, 1], request=a) @a.c:3
        0: MPI_Pready_range(partition_low=1, partition_high=3, request=a) @a.c:4
        0: MPI_Wait(request=a)
        0: MPI_Start(request=a)
        0: MPI_Pready(partition=1, request=a)
        0: MPI_Pready_list(array_of_partitions=[0, 2], request=a)
        0: MPI_Wait(request=a)
        0: MPI_Request_free(request=a)
        1: MPI_Precv_init(partitions=3, source=0, request=b) @a.c:5
        1: MPI_Start(request=b) @a.c:6
        1: MPI_Pready(partition=0, request=b) @a.c:7
        1: MPI_Parrived(partition=0, request=b)
        1: MPI_Parrived(partition=0, request=b)
        1: MPI_Wait(request=b)
        1: MPI_Request_free(request=b)
    )"),
                ElementsAre("error invalid argument 0: MPI_Pready_list a.c:3, MPI_Start a.c:2",
                            "error invalid argument 0: MPI_Pready_range a.c:4, MPI_Start a.c:2",
                            "error invalid argument 1: MPI_Pready a.c:7, MPI_Start a.c:6"));
}

TEST(Requests, PartitionsBelongToStartedOperations) {
    EXPECT_THAT(check_between(2, R"(
        0: MPI_Psend_init(partitions=4, dest=1, request=a) @a.c:1
        0: MPI_Pready(partition=0, request=a) @a.c:2
        0: MPI_Start(request=a) @a.c:3
        0: MPI_Pready(partition=3, request=a)
        0: MPI_Pready(partition=4, request=a) @a.c:4
        0: MPI_Wait(request=a)
        0: MPI_Request_free(request=a)
        1: MPI_Isend(dest=0, request=a) @a.c:5
        1: MPI_Pready(partition=0, request=a) @a.c:6
        1: MPI_Wait(request=a)
    )"),
                ElementsAre("error invalid argument 0: MPI_Pready a.c:2, MPI_Psend_init a.c:1",
                            "error invalid argument 0: MPI_Pready a.c:4, MPI_Start a.c:3",
                            "error invalid argument 1: MPI_Pready a.c:6, MPI_Isend a.c:5"));
}

TEST(Requests, OfPartitionsThatAreNeverReadyAreWaitedForInVain) {
    constexpr const char* begin = R"(
        0-1: MPI_Init()
        0: MPI_Psend_init(partitions=4, dest=1, request=a) @a.c:1
        0: MPI_Start(request=a) @a.c:2
        0: MPI_Pready_range(partition_low=0, partition_high=1, request=a)
    )";
    const auto after = [&](const std::string& rest) { return check(2, begin + rest); };
    EXPECT_THAT(after("0: MPI_Wait(request=a) = - @a.c:3"),
                Contains("error invalid argument 0: MPI_Wait a.c:3, MPI_Start a.c:2"));
    const std::string ready = "0: MPI_Pready_list(array_of_partitions=[2, 3], request=a)\n";
    EXPECT_THAT(after(ready + "0: MPI_Wait(request=a) = - @a.c:3"),
                Not(Contains(StartsWith("error invalid argument"))));
    // Another thread may make the others ready.
    EXPECT_THAT(after("0: threads MPI_THREAD_MULTIPLE\n0: threads communicate\n"
                      "0: MPI_Wait(request=a) = - @a.c:3"),
                Not(Contains(StartsWith("error invalid argument"))));
}

TEST(Requests, ChangedSendBuffersShowInTheirChecksums) {
    EXPECT_THAT(check_between(2, R"(
        0: MPI_Isend(buf=0x1000, dest=1, send_checksum=7, request=a) @a.c:1
        0: MPI_Isend(buf=0x2000, dest=1, send_checksum=7, request=b) @a.c:2
        0: MPI_Isend(buf=0x3000, dest=1, request=c) @a.c:3
        0: MPI_Waitall(array_of_requests=[a, b, c], checksums=[7, 8, 9]) @a.c:4
    )"),
                ElementsAre("error send checksum 0: MPI_Isend a.c:2, MPI_Waitall a.c:4"));
    EXPECT_THAT(check_between(2, R"(
        0: MPI_Send_init(buf=0x1000, dest=1, request=a) @a.c:1
        0: MPI_Start(request=a, send_checksum=5) @a.c:2
        0: MPI_Wait(request=a, checksums=[6]) @a.c:3
        0: MPI_Start(request=a, send_checksum=6) @a.c:4
        0: MPI_Wait(request=a, checksums=[6])
        0: MPI_Request_free(request=a)
    )"),
                ElementsAre("error send checksum 0: MPI_Start a.c:2, MPI_Wait a.c:3"));
}

TEST(Requests, ChecksumsOfReceivesAreNotCompared) {
    EXPECT_THAT(check_between(2, R"(
        0: MPI_Irecv(buf=0x1000, source=1, request=a) @a.c:1
        0: MPI_Isend(buf=0x2000, dest=1, send_checksum=7, request=b) @a.c:2
        0: MPI_Waitall(array_of_requests=[a, b], checksums=[3, 7]) @a.c:4
    )"),
                IsEmpty());
}

TEST(Requests, MessagesNameWhatIsWrong) {
    EXPECT_THAT(messages_between(2, "0: MPI_Isend(dest=1, request=a) @a.c:1"),
                ElementsAre(HasSubstr("This send was never completed")));
}

TEST(Requests, FilesAreClosedWhenOperationsAreComplete) {
    const std::string opened = "file f = \"data.bin\"\n0: MPI_File_open(fh=f)\n";
    EXPECT_THAT(
        check_between(1, opened + R"(
        0: MPI_File_iwrite(fh=f, request=a) @a.c:1
        0: MPI_File_close(fh=f) @a.c:2
    )"),
        ElementsAre("error pending operation 0: MPI_File_close a.c:2, MPI_File_iwrite a.c:1"));
    EXPECT_THAT(check_between(1, opened + R"(
        0: MPI_File_iwrite(fh=f, request=a)
        0: MPI_Wait(request=a)
        0: MPI_File_close(fh=f)
    )"),
                IsEmpty());
}

TEST(Requests, CommunicatorsAreDisconnectedWhenOperationsAreComplete) {
    const std::string made =
        "communicator row members=[0, 1]\n0-1: MPI_Comm_dup(newcomm=row)\n"
        "1: MPI_Send(dest=0, comm=row)\n"
        "0: MPI_Irecv(source=1, comm=row, request=a) @a.c:1\n";
    EXPECT_THAT(
        check_between(2, made + R"(
        0-1: MPI_Comm_disconnect(comm=row) @a.c:2
        0: MPI_Wait(request=a)
    )"),
        ElementsAre("error pending operation 0: MPI_Comm_disconnect a.c:2, MPI_Irecv a.c:1"));
    EXPECT_THAT(check_between(2, made + R"(
        0: MPI_Wait(request=a)
        0-1: MPI_Comm_disconnect(comm=row) @a.c:2
    )"),
                IsEmpty());
    // Freeing it is allowed.
    EXPECT_THAT(check_between(2, made + R"(
        0-1: MPI_Comm_free(comm=row) @a.c:2
        0: MPI_Wait(request=a)
    )"),
                IsEmpty());
}

TEST(Requests, FreedOnesAreUnderWayUntilSomethingCouldHaveTold) {
    EXPECT_THAT(check_between(2, R"(
        0: MPI_Isend(buf=0x1000, dest=1, request=a) @a.c:1
        0: MPI_Request_free(request=a) @a.c:2
        0: MPI_Isend(buf=0x1000, dest=1, tag=1, request=b)
        0: MPI_Irecv(buf=0x1000, source=1, request=c) @a.c:3
        1: MPI_Isend(buf=0x1000, dest=0, request=a) @a.c:4
        1: MPI_Request_free(request=a) @a.c:5
        1: MPI_Recv(buf=0x2000, source=0)
        1: MPI_Recv(buf=0x1000, source=0, tag=1)
        0: MPI_Waitall(array_of_requests=[b, c])
    )"),
                ElementsAre("warning nonpersistent request free 0: MPI_Request_free a.c:2, "
                            "MPI_Isend a.c:1",
                            "error overlapping 0: MPI_Irecv a.c:3, MPI_Isend a.c:1",
                            "error overlapping 0: MPI_Irecv a.c:3, MPI_Isend ?",
                            "warning nonpersistent request free 1: MPI_Request_free a.c:5, "
                            "MPI_Isend a.c:4"));
}

TEST(Requests, FunctionsOfTheProgramMakeItsCallsFail) {
    EXPECT_THAT(messages_between(2, R"(
        0: MPI_Grequest_start(request=a)
        0: MPI_Grequest_complete(request=a)
        0: MPI_Wait(request=a) = 79 @a.c:1
        0: MPI_Add_error_code(errorcode=1000)
        0: MPI_Send(dest=1) = 1000 @a.c:2
        0: MPI_Comm_call_errhandler(errorcode=1000) = 1000 @a.c:3
    )"),
                ElementsAre("MPI_Wait has failed because a function of a generalized request, "
                            "which is the program's own, has returned an error: error code 79.",
                            "MPI_Send has failed because a function that MPI has called, which is "
                            "the program's own, has returned an error: error code 1000.",
                            "MPI_Comm_call_errhandler gives the error handler an error of the "
                            "program's own: error code 1000."));
}

}  // namespace
}  // namespace mqinspect::analysis::test
