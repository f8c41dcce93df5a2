#include <gmock/gmock.h>

#include "tests/unit/thread_level/assessed.h"

namespace mqinspect::thread_level::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Tasks, AnyThreadRunsThem) {
    EXPECT_THAT(complaints("FUNNELED", "parallel { master { task { a: MPI_Send } } }"),
                ElementsAre("warning thread-level a"));
    EXPECT_THAT(complaints("SERIALIZED", "parallel { master { task { MPI_Send } } }"), IsEmpty());
}

TEST(Tasks, MeetWhatTheirMakerDoesNext) {
    EXPECT_THAT(
        complaints("SERIALIZED", "parallel { single { task { a: MPI_Send } b: MPI_Recv } }"),
        ElementsAre("warning thread-level a b"));
    EXPECT_THAT(
        complaints("SERIALIZED", "parallel { single { task { MPI_Send } taskwait MPI_Recv } }"),
        IsEmpty());
    EXPECT_THAT(complaints("SERIALIZED",
                           "parallel { single { taskgroup { task { MPI_Send } } MPI_Recv } }"),
                IsEmpty());
    EXPECT_THAT(complaints("SERIALIZED", "parallel { single { MPI_Recv task { MPI_Send } } }"),
                IsEmpty());
    EXPECT_THAT(
        complaints("SERIALIZED", "parallel { single { task undeferred { MPI_Send } MPI_Recv } }"),
        IsEmpty());
}

TEST(Tasks, MeetEachOther) {
    EXPECT_THAT(complaints("SERIALIZED",
                           "parallel { single { task { a: MPI_Send } task { b: MPI_Recv } } }"),
                ElementsAre("warning thread-level a b"));
    EXPECT_THAT(complaints("SERIALIZED",
                           "parallel { single { task { MPI_Send } taskwait task { MPI_Recv } } }"),
                IsEmpty());
}

TEST(Tasks, MeetThemselvesInALoop) {
    EXPECT_THAT(complaints("SERIALIZED", "parallel { single { loop { task { a: MPI_Send } } } }"),
                ElementsAre("warning thread-level a"));
    EXPECT_THAT(
        complaints("SERIALIZED", "parallel { single { loop { task { MPI_Send } taskwait } } }"),
        IsEmpty());
    EXPECT_THAT(complaints("SERIALIZED", "parallel { task { a: MPI_Send } }"),
                ElementsAre("warning thread-level a"));
    EXPECT_THAT(complaints("SERIALIZED", "parallel { single { taskloop { a: MPI_Send } } }"),
                ElementsAre("warning thread-level a"));
}

TEST(Tasks, EndAtBarriers) {
    EXPECT_THAT(
        complaints("SERIALIZED", "parallel { single { task { MPI_Send } } single { MPI_Recv } }"),
        IsEmpty());
    EXPECT_THAT(
        complaints("SERIALIZED",
                   "parallel { single nowait { task { a: MPI_Send } } single { b: MPI_Recv } }"),
        ElementsAre("warning thread-level a b"));
    EXPECT_THAT(complaints("SERIALIZED",
                           "parallel { master { task { a: MPI_Send } } master { b: MPI_Recv } }"),
                ElementsAre("warning thread-level a b"));
    EXPECT_THAT(complaints("SERIALIZED",
                           "parallel { master { task { MPI_Send } } barrier master { MPI_Recv } }"),
                IsEmpty());
}

TEST(Tasks, Dependences) {
    EXPECT_THAT(
        complaints("SERIALIZED",
                   "parallel { single { task out(x) { MPI_Send } task in(x) { MPI_Recv } } }"),
        IsEmpty());
    EXPECT_THAT(
        complaints("SERIALIZED",
                   "parallel { single { task in(x) { a: MPI_Send } task in(x) { b: MPI_Recv } } }"),
        ElementsAre("warning thread-level a b"));
    EXPECT_THAT(
        complaints(
            "SERIALIZED",
            "parallel { single { task out(x) { a: MPI_Send } task out(y) { b: MPI_Recv } } }"),
        ElementsAre("warning thread-level a b"));
    EXPECT_THAT(
        complaints("SERIALIZED",
                   "parallel { single { task out(x) { MPI_Send } task in(x) out(y) { } task "
                   "in(y) { MPI_Recv } } }"),
        IsEmpty());
    EXPECT_THAT(
        complaints("SERIALIZED",
                   "parallel { single { task in(x) { a: MPI_Send } task in(x) { b: MPI_Recv } "
                   "task out(x) { } } }"),
        ElementsAre("warning thread-level a b"));
    EXPECT_THAT(
        complaints("SERIALIZED", "parallel { single { loop { task out(x) { MPI_Send } } } }"),
        IsEmpty());
    EXPECT_THAT(complaints("SERIALIZED",
                           "parallel { single { loop { task out(each.x) { a: MPI_Send } } } }"),
                ElementsAre("warning thread-level a"));
}

TEST(Tasks, TaskwaitWaitsForChildrenOnly) {
    EXPECT_THAT(
        complaints("SERIALIZED",
                   "parallel { single { task { task { a: MPI_Send } } taskwait b: MPI_Recv } }"),
        ElementsAre("warning thread-level a b"));
    EXPECT_THAT(
        complaints("SERIALIZED",
                   "parallel { single { taskgroup { task { task { MPI_Send } } } MPI_Recv } }"),
        IsEmpty());
    EXPECT_THAT(complaints("SERIALIZED",
                           "parallel { single { task { task { MPI_Send } taskwait MPI_Recv } } }"),
                IsEmpty());
}

TEST(Tasks, MadeByAFunction) {
    const std::string start = " main() { MPI_Init_thread(SERIALIZED, tested) parallel { ";

    EXPECT_THAT(
        Assessed("f() { task { a: MPI_Send } }" + start + "single { call f() b: MPI_Recv } } }")
            .complaints(),
        ElementsAre("warning thread-level a b"));
    EXPECT_THAT(
        Assessed("f() { task { MPI_Send } taskwait }" + start + "single { call f() MPI_Recv } } }")
            .complaints(),
        IsEmpty());
    EXPECT_THAT(Assessed("f() { task { MPI_Send } } wait() { taskwait }" + start +
                         "single { call f() call wait() MPI_Recv } } }")
                    .complaints(),
                IsEmpty());
    EXPECT_THAT(
        Assessed("f() { task { a: MPI_Send } b: MPI_Recv }" + start + "single { call f() } } }")
            .complaints(),
        ElementsAre("warning thread-level a b"));
    EXPECT_THAT(
        Assessed("f() { task { MPI_Send } MPI_Recv } main() { MPI_Init call f() }").complaints(),
        IsEmpty());
}

TEST(Tasks, Recursive) {
    EXPECT_THAT(
        Assessed("f() { a: MPI_Send maybe { task { call f() } task { call f() } taskwait } } "
                 "main() { MPI_Init_thread(SERIALIZED, tested) parallel { single { call f() } } }")
            .complaints(),
        ElementsAre("warning thread-level a"));
}

TEST(Tasks, MadeByTasksOfAFunction) {
    const std::string start = " main() { MPI_Init_thread(SERIALIZED, tested) parallel { single { ";
    const std::string deep = "f() { task { task { a: MPI_Send } } }";

    EXPECT_THAT(Assessed(deep + start + "call f() taskwait b: MPI_Recv } } }").complaints(),
                ElementsAre("warning thread-level a b"));
    EXPECT_THAT(Assessed("f() { task { a: MPI_Send } } g() { task { call f() } }" + start +
                         "call g() taskwait b: MPI_Recv } } }")
                    .complaints(),
                ElementsAre("warning thread-level a b"));
    EXPECT_THAT(Assessed("f() { task { task { MPI_Send } taskwait } }" + start +
                         "call f() taskwait MPI_Recv } } }")
                    .complaints(),
                IsEmpty());
    EXPECT_THAT(Assessed(deep + start + "taskgroup { call f() } MPI_Recv } single { MPI_Recv } } }")
                    .complaints(),
                IsEmpty());
}

}  // namespace
}  // namespace mqinspect::thread_level::test
