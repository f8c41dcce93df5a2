#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/analysis/local/summary.h"

namespace mqinspect::analysis::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Endings, CallsThatDidNotReturn) {
    EXPECT_THAT(check(4, R"(
        *: MPI_Init()
        0: MPI_Send(dest=1) = - @a.c:1
        1: MPI_Recv(source=0) = - @a.c:2
        2: MPI_Barrier() = - @a.c:3
        3: MPI_Irecv(source=0, request=r) @a.c:4
        3: MPI_Wait(request=r) = - @a.c:5
    )"),
                ElementsAre("error unfinished send 0: MPI_Send a.c:1",
                            "error unfinished recv 1: MPI_Recv a.c:2",
                            "error incomplete call 2: MPI_Barrier a.c:3",
                            "error incomplete call 3: MPI_Wait a.c:5, MPI_Irecv a.c:4"));
}

TEST(Endings, AtWorkWhenTheRunWasEnded) {
    const std::string calls = R"(
        *: MPI_Init()
        0: MPI_Recv(source=1) = - @a.c:1
        1: MPI_Send(dest=0) @a.c:2
    )";
    EXPECT_THAT(
        check(2, calls + "*: run 100000"),
        ElementsAre("note unfinished recv 0: MPI_Recv a.c:1", "note abort 1: MPI_Send a.c:2"));
    // Process 1 has computed for longer than ever.
    EXPECT_THAT(
        check(2, calls + "*: run 60000000000"),
        ElementsAre("error unfinished recv 0: MPI_Recv a.c:1", "note abort 1: MPI_Send a.c:2"));
}

TEST(Endings, WhatFindsNothingIsNoStepForward) {
    std::string calls = R"(
        *: MPI_Init()
        0: MPI_Recv(source=1) = - @a.c:1
        1: MPI_Send(dest=0) @a.c:2
    )";
    for (int i = 0; i < 100; ++i)
        calls += "1: MPI_Iprobe(source=0, flag=0) @a.c:3\n";
    EXPECT_THAT(
        check(2, calls + "*: run 2100000"),
        ElementsAre("error unfinished recv 0: MPI_Recv a.c:1", "note abort 1: MPI_Iprobe a.c:3"));
    EXPECT_THAT(
        check(2, calls + "1: MPI_Send(dest=0) @a.c:4\n*: run 6000000"),
        ElementsAre("note unfinished recv 0: MPI_Recv a.c:1", "note abort 1: MPI_Send a.c:4"));
}

TEST(Endings, ACrashIsTheCauseOfTheOthersEnds) {
    EXPECT_THAT(check(2, R"(
        *: MPI_Init()
        0: MPI_Recv(source=1) = - @a.c:1
        1: MPI_Barrier(comm=MPI_COMM_SELF) @a.c:2
        1: signal 11
    )"),
                ElementsAre("error abend 1: MPI_Barrier a.c:2"));
}

TEST(Endings, TheLibraryEndsAProcessInACall) {
    EXPECT_THAT(check(2, R"(
        *: MPI_Init()
        0: MPI_Comm_size() = - @a.c:1
        0: exit 1
        1: MPI_Recv(source=0) = - @a.c:2
    )"),
                ElementsAre("error MPI error 0: MPI_Comm_size a.c:1"));
    EXPECT_THAT(check(1, R"(
        0: MPI_Init()
        0: MPI_Type_size(datatype=MPI_DATATYPE_NULL) = - @a.c:1
    )"),
                ElementsAre("error invalid argument 0: MPI_Type_size a.c:1"));
    EXPECT_THAT(check(1, R"(
        0: MPI_Init()
        0: MPI_Iprobe(source=0, flag=0) = - @a.c:1
    )"),
                ElementsAre("error incomplete call 0: MPI_Iprobe a.c:1"));
}

TEST(Endings, KilledInACallOfALoop) {
    EXPECT_THAT(check(1, R"(
        0: MPI_Init()
        0: MPI_Type_size(datatype=MPI_INT) @a.c:1
        0: MPI_Type_size(datatype=MPI_INT) = - @a.c:1
    )"),
                ElementsAre("error incomplete call 0: MPI_Type_size a.c:1"));
}

TEST(Endings, ACrashInACallThatIsGivenNonsense) {
    EXPECT_THAT(check(1, R"(
        *: MPI_Init()
        0: MPI_Send(dest=0, count=-1) = - @a.c:1
        0: signal 11
    )"),
                ElementsAre("error invalid argument 0: MPI_Send a.c:1"));
}

TEST(Endings, ACrashInACall) {
    EXPECT_THAT(check(1, R"(
        *: MPI_Init()
        0: MPI_Send(dest=0) = - @a.c:1
        0: signal 11
    )"),
                ElementsAre("error abend 0: MPI_Send a.c:1"));
}

TEST(Endings, AnAbortIsTheCauseOfTheOthersEnds) {
    EXPECT_THAT(check(2, R"(
        *: MPI_Init()
        0: MPI_Recv(source=1) = - @a.c:1
        1: MPI_Abort(errorcode=3) = - @a.c:2
        1: abort 3
    )"),
                ElementsAre("error abort 1: MPI_Abort a.c:2"));
}

TEST(Endings, AnExitInACallBesideAnAbortIsAConsequence) {
    EXPECT_THAT(check(2, R"(
        *: MPI_Init()
        0: MPI_Barrier() = - @a.c:1
        0: exit 255
        1: MPI_Abort(errorcode=3) = - @a.c:2
        1: abort 3
    )"),
                ElementsAre("error abort 1: MPI_Abort a.c:2"));
}

TEST(Endings, AnErrorOfMpiThatEndsTheProcessIsOneFinding) {
    EXPECT_THAT(check(2, R"(
        *: MPI_Init()
        0: MPI_Recv(source=1) = - @a.c:1
        1: MPI_Send(dest=7) = - @a.c:2
        1: error 6 MPI_ERR_RANK: invalid rank
        1: abort 6
    )"),
                ElementsAre("error invalid argument 1: MPI_Send a.c:2"));
}

TEST(Endings, ExitWithoutMpiFinalize) {
    EXPECT_THAT(check(2, R"(
        *: MPI_Init() @a.c:1
        0: MPI_Finalize()
        1: exit 0
    )"),
                ElementsAre("error missing finalize 1: MPI_Init a.c:1"));
}

TEST(Endings, ExitWithoutMpiSessionFinalize) {
    EXPECT_THAT(check(1, R"(
        0: MPI_Session_init(session=1) @a.c:1
        0: MPI_Session_init(session=2) @a.c:2
        0: MPI_Session_finalize(session=1) @a.c:3
        0: exit 0
    )"),
                ElementsAre("error missing finalize 0: MPI_Session_init a.c:2, "
                            "MPI_Session_finalize a.c:3"));
    EXPECT_THAT(check(1, R"(
        0: MPI_Session_init(session=1)
        0: MPI_Session_init(session=2)
        0: MPI_Session_finalize(session=1)
        0: MPI_Session_finalize(session=2)
        0: exit 0
    )"),
                IsEmpty());
}

TEST(Endings, EndedFromOutsideWhileItComputed) {
    EXPECT_THAT(check(1, "0: MPI_Init() @a.c:1"), ElementsAre("note abort 0: MPI_Init a.c:1"));
}

TEST(Endings, LimitsAndWantedClasses) {
    CheckOptions options;
    const char* const statements = R"(
        0: MPI_Init()
        0: MPI_Isend(dest=0, request=a) @a.c:1
        0: MPI_Send(dest=9) @a.c:2
        0: MPI_Send(dest=9) @a.c:3
        0: MPI_Finalize()
    )";
    options.without = {FindingClass::InvalidArgument};
    EXPECT_THAT(check(1, statements, options),
                ElementsAre("error unfinished send 0: MPI_Isend a.c:1, MPI_Finalize ?"));
    options.without = {};
    options.errors_per_process = 1;
    EXPECT_THAT(check(1, statements, options),
                ElementsAre("error invalid argument 0: MPI_Send a.c:2"));
}

TEST(Endings, AFinishedRunIsFine) {
    EXPECT_THAT(check_between(3, "*: MPI_Barrier()"), IsEmpty());
}

}  // namespace
}  // namespace mqinspect::analysis::test
