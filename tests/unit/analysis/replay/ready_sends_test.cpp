#include <gmock/gmock.h>

#include "analysis/replay/check_replay.h"
#include "tests/support/finding_list.h"

namespace mqinspect::analysis {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> ready_lines(int processes, const std::string& statements) {
    const auto recording = test::recording_of(processes, statements + "\n*: MPI_Finalize()");
    Findings findings;
    check_replay(*recording, {}, findings);
    return test::lines_of(recording->execution(), findings);
}

TEST(ReadySends, AfterWordOfTheReceive) {
    EXPECT_THAT(ready_lines(2, R"(
        1: MPI_Irecv(source=0, tag=1, request=r)
        1: MPI_Send(dest=0, tag=2)
        0: MPI_Recv(source=1, tag=2)
        0: MPI_Rsend(dest=1, tag=1)
        1: MPI_Wait(request=r)
    )"),
                IsEmpty());
    EXPECT_THAT(ready_lines(2, R"(
        1: MPI_Irecv(source=0, tag=1, request=r)
        *: MPI_Barrier()
        0: MPI_Rsend(dest=1, tag=1)
        1: MPI_Wait(request=r)
    )"),
                IsEmpty());
}

TEST(ReadySends, BeforeTheReceiveIsCertain) {
    EXPECT_THAT(ready_lines(2, R"(
        *: MPI_Barrier()
        1: MPI_Irecv(source=0, tag=1, request=r) @a.c:1
        0: MPI_Rsend(dest=1, tag=1) @a.c:2
        1: MPI_Wait(request=r)
    )"),
                ElementsAre("error invalid argument: a.c:2 a.c:1"));
    EXPECT_THAT(ready_lines(2, "0: MPI_Rsend(dest=1, tag=1) @a.c:2"),
                Contains("error invalid argument: a.c:2"));
}

TEST(ReadySends, AfterASynchronousSendThatALaterReceiveTakes) {
    EXPECT_THAT(ready_lines(2, R"(
        1: MPI_Irecv(source=0, tag=1, request=r)
        1: MPI_Recv(source=0, tag=2)
        0: MPI_Ssend(dest=1, tag=2)
        0: MPI_Rsend(dest=1, tag=1)
        1: MPI_Wait(request=r)
    )"),
                IsEmpty());
    EXPECT_THAT(ready_lines(2, R"(
        1: MPI_Irecv(source=0, tag=1, request=r)
        1: MPI_Irecv(source=0, tag=2, request=q)
        0: MPI_Issend(dest=1, tag=2, request=s)
        0: MPI_Wait(request=s)
        0: MPI_Rsend(dest=1, tag=1)
        1: MPI_Wait(request=q)
        1: MPI_Wait(request=r)
    )"),
                IsEmpty());
}

TEST(ReadySends, BeforeASynchronousSendHasBeenWaitedFor) {
    EXPECT_THAT(ready_lines(2, R"(
        1: MPI_Irecv(source=0, tag=1, request=r) @a.c:1
        1: MPI_Recv(source=0, tag=2)
        0: MPI_Issend(dest=1, tag=2, request=s)
        0: MPI_Rsend(dest=1, tag=1) @a.c:2
        0: MPI_Wait(request=s)
        1: MPI_Wait(request=r)
    )"),
                ElementsAre("error invalid argument: a.c:2 a.c:1"));
    EXPECT_THAT(ready_lines(2, R"(
        1: MPI_Irecv(source=0, tag=2, request=q)
        1: MPI_Irecv(source=0, tag=1, request=r) @a.c:1
        0: MPI_Ssend(dest=1, tag=2)
        0: MPI_Rsend(dest=1, tag=1) @a.c:2
        1: MPI_Wait(request=q)
        1: MPI_Wait(request=r)
    )"),
                ElementsAre("error invalid argument: a.c:2 a.c:1"));
}

TEST(ReadySends, ToItself) {
    EXPECT_THAT(ready_lines(1, R"(
        0: MPI_Irecv(source=0, request=r)
        0: MPI_Rsend(dest=0)
        0: MPI_Wait(request=r)
    )"),
                IsEmpty());
}

}  // namespace
}  // namespace mqinspect::analysis
