#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/analysis/local/summary.h"

namespace mqinspect::analysis::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kThings = R"(
    communicator row members=[0, 1]
    datatype vec = MPI_COMBINER_VECTOR(2,1,3; ; MPI_INT)
    operator mine function=app+0x10
    window w comm=MPI_COMM_WORLD parts=[[0x5000, 64, 4], [0x5000, 64, 4]]
    file f = "data.bin"
    0: MPI_Comm_split(newcomm=row) @a.c:1
    0: MPI_Comm_group(group=[0, 1]) @a.c:2
    0: MPI_Type_contiguous(oldtype=MPI_INT, newtype=vec) @a.c:3
    0: MPI_Op_create(op=mine) @a.c:4
    0: MPI_Win_create(disp_unit=1, win=w) @a.c:5
    0: MPI_File_open(fh=f) @a.c:6
    0: MPI_Type_commit(datatype=vec)
)";

TEST(Handles, GivenBackOnesAreFine) {
    EXPECT_THAT(check_between(2, std::string{kThings} + R"(
        0: MPI_Comm_free(comm=row)
        0: MPI_Group_free(group=[0, 1])
        0: MPI_Type_free(datatype=vec)
        0: MPI_Op_free(op=mine)
        0: MPI_Win_free(win=w)
        0: MPI_File_close(fh=f)
    )"),
                IsEmpty());
}

TEST(Handles, LeaksAreReportedWhereTheyAreMade) {
    EXPECT_THAT(check_between(2, kThings),
                ElementsAre("warning leaked communicator 0: MPI_Comm_split a.c:1",
                            "warning leaked group 0: MPI_Comm_group a.c:2",
                            "warning leaked datatype 0: MPI_Type_contiguous a.c:3",
                            "warning leaked operator 0: MPI_Op_create a.c:4",
                            "warning leaked window 0: MPI_Win_create a.c:5",
                            "warning leaked file 0: MPI_File_open a.c:6"));
}

TEST(Handles, InfoObjectsErrorHandlersAndKeys) {
    constexpr const char* made = R"(
        0: MPI_Info_create(info=10) @a.c:1
        0: MPI_Comm_create_errhandler(errhandler=20) @a.c:2
        0: MPI_Type_create_keyval(type_keyval=30) @a.c:3
    )";
    EXPECT_THAT(check_between(1, made),
                ElementsAre("warning leaked info 0: MPI_Info_create a.c:1",
                            "warning leaked error handler 0: MPI_Comm_create_errhandler a.c:2",
                            "warning leaked attribute key 0: MPI_Type_create_keyval a.c:3"));
    EXPECT_THAT(
        check_between(1, std::string{made} + R"(
        0: MPI_Comm_set_errhandler(errhandler=20)
        0: MPI_Errhandler_free(errhandler=20) @a.c:4
        0: MPI_Comm_get_errhandler(errhandler=20)
        0: MPI_Errhandler_free(errhandler=20) @a.c:5
        0: MPI_Comm_set_errhandler(errhandler=20) @a.c:6
        0: MPI_Info_free(info=10) @a.c:7
        0: MPI_Info_set(info=10) @a.c:8
        0: MPI_Type_free_keyval(type_keyval=30) @a.c:9
        0: MPI_Type_delete_attr(type_keyval=30)
        0: MPI_Type_set_attr(type_keyval=30) @a.c:10
    )"),
        ElementsAre(
            "error use after free 0: MPI_Comm_set_errhandler a.c:6, MPI_Errhandler_free a.c:5",
            "error use after free 0: MPI_Info_set a.c:8, MPI_Info_free a.c:7",
            "error use after free 0: MPI_Type_set_attr a.c:10, MPI_Type_free_keyval a.c:9"));
}

TEST(Handles, WhatIsFreedBehindMpiFinalizeIsNoLeak) {
    EXPECT_THAT(check(1, R"(
        0: MPI_Info_create(info=10)
        0: MPI_Init()
        0: MPI_Finalize()
        0: MPI_Info_free(info=10)
    )"),
                IsEmpty());
}

TEST(Handles, MatchedMessages) {
    EXPECT_THAT(check_between(2, R"(
        0: MPI_Mprobe(source=1, message=m) @a.c:1
        0: MPI_Mprobe(source=1, message=n) @a.c:2
        0: MPI_Mrecv(message=m)
    )"),
                ElementsAre("error unfinished recv 0: MPI_Mprobe a.c:2"));
}

TEST(Handles, NullHandlesOfWhatHasBeenFreed) {
    EXPECT_THAT(check_between(2, R"(
        communicator row members=[0, 1]
        0: MPI_Barrier(comm=MPI_COMM_NULL) @a.c:1
        0: MPI_Comm_split(newcomm=row)
        0: MPI_Comm_free(comm=row) @a.c:2
        0: MPI_Barrier(comm=MPI_COMM_NULL) @a.c:3
        0: MPI_Comm_split(newcomm=MPI_COMM_NULL)
        0: MPI_Barrier(comm=MPI_COMM_NULL) @a.c:4
    )"),
                ElementsAre("error invalid argument 0: MPI_Barrier a.c:1",
                            "error use after free 0: MPI_Barrier a.c:3, MPI_Comm_free a.c:2",
                            "error invalid argument 0: MPI_Barrier a.c:4"));
}

TEST(Handles, NoLeaksOfARunThatDidNotGetToItsEnd) {
    EXPECT_THAT(check(2, "0: MPI_Init()\n" + std::string{kThings} + "0: abort 3"),
                ElementsAre("error abort 0: MPI_Type_commit ?"));
}

TEST(Handles, UsesOfWhatHasBeenFreed) {
    EXPECT_THAT(check_between(2, R"(
        communicator row members=[0, 1]
        datatype vec = MPI_COMBINER_VECTOR(2,1,3; ; MPI_INT)
        0: MPI_Comm_split(newcomm=row) @a.c:1
        0: MPI_Comm_free(comm=row) @a.c:2
        0: MPI_Barrier(comm=row) @a.c:3
        0: MPI_Comm_free(comm=row) @a.c:4
        0: MPI_Type_contiguous(oldtype=MPI_INT, newtype=vec)
        0: MPI_Type_commit(datatype=vec)
        0: MPI_Type_free(datatype=vec) @a.c:5
        0: MPI_Send(dest=1, datatype=vec) @a.c:6
    )"),
                ElementsAre("error use after free 0: MPI_Barrier a.c:3, MPI_Comm_free a.c:2",
                            "error use after free 0: MPI_Comm_free a.c:4, MPI_Comm_free a.c:2",
                            "error use after free 0: MPI_Send a.c:6, MPI_Type_free a.c:5"));
}

TEST(Handles, EqualDatatypesAreCounted) {
    EXPECT_THAT(check_between(2, R"(
        datatype vec = MPI_COMBINER_VECTOR(2,1,3; ; MPI_INT)
        0: MPI_Type_contiguous(oldtype=MPI_INT, newtype=vec) @a.c:1
        0: MPI_Type_contiguous(oldtype=MPI_INT, newtype=vec) @a.c:2
        0: MPI_Type_commit(datatype=vec)
        0: MPI_Type_commit(datatype=vec)
        0: MPI_Type_free(datatype=vec)
        0: MPI_Send(dest=1, datatype=vec)
    )"),
                ElementsAre("warning leaked datatype 0: MPI_Type_contiguous a.c:2"));
}

TEST(Handles, OfTheParentBelongsToNobody) {
    EXPECT_THAT(check_between(2, R"(
        communicator parents members=[0, 1] constructor=MPI_Comm_spawn
        0: MPI_Comm_spawn(intercomm=parents) @a.c:1
        0: MPI_Comm_disconnect(comm=parents)
    )"),
                IsEmpty());
}

TEST(Handles, WhatTheRecordDoesNotTellOfIsNotJudged) {
    EXPECT_THAT(check_between(2, R"(
        communicator row members=[0, 1]
        datatype vec = MPI_COMBINER_VECTOR(2,1,3; ; MPI_INT)
        0: MPI_Send(dest=1, datatype=vec, comm=row)
        0: MPI_Comm_group(group=[]) @a.c:1
    )"),
                IsEmpty());
}

TEST(Handles, ErrorHandlersThatAreAskedForAreToBeFreed) {
    EXPECT_THAT(check_between(1, R"(
        0: MPI_Comm_create_errhandler(errhandler=20) @a.c:1
        0: MPI_Comm_set_errhandler(errhandler=20)
        0: MPI_Comm_get_errhandler(errhandler=20) @a.c:2
        0: MPI_Errhandler_free(errhandler=20)
    )"),
                ElementsAre("warning leaked error handler 0: MPI_Comm_get_errhandler a.c:2"));
    EXPECT_THAT(check_between(1, R"(
        0: MPI_Comm_create_errhandler(errhandler=20) @a.c:1
        0: MPI_Comm_set_errhandler(errhandler=20)
        0: MPI_Errhandler_free(errhandler=20)
        0: MPI_Comm_get_errhandler(errhandler=20) @a.c:2
    )"),
                ElementsAre("warning leaked error handler 0: MPI_Comm_get_errhandler a.c:2"));
    EXPECT_THAT(messages_between(1, R"(
        0: MPI_Comm_create_errhandler(errhandler=20)
        0: MPI_Errhandler_free(errhandler=20)
        0: MPI_Comm_get_errhandler(errhandler=20)
    )"),
                ElementsAre("The error handler that this call gives out is never freed with "
                            "MPI_Errhandler_free."));
    // A predefined one.
    EXPECT_THAT(check_between(1, "0: MPI_Comm_get_errhandler(errhandler=20)"), IsEmpty());
}

TEST(Handles, EqualGroupsAreToldApartByTheirNumbers) {
    EXPECT_THAT(check_between(2, R"(
        0: MPI_Comm_group(group=[0, 1], group_handle=5) @a.c:1
        0: MPI_Group_incl(group=[0, 1], newgroup=[0, 1], group_handle=5, newgroup_handle=6) @a.c:2
        0: MPI_Group_free(group=[0, 1], group_handle=6)
        1: MPI_Comm_group(group=[0, 1], group_handle=5) @a.c:3
        1: MPI_Group_incl(group=[0, 1], newgroup=[0, 1], group_handle=5, newgroup_handle=6) @a.c:4
        1: MPI_Group_free(group=[0, 1], group_handle=5)
    )"),
                ElementsAre("warning leaked group 0: MPI_Comm_group a.c:1",
                            "warning leaked group 1: MPI_Group_incl a.c:4"));
}

TEST(Handles, OfEqualGroupsWithOneNumberTheLastIsFreedFirst) {
    EXPECT_THAT(check_between(1, R"(
        0: MPI_Comm_group(group=[0], group_handle=5) @a.c:1
        0: MPI_Comm_group(group=[0], group_handle=5) @a.c:2
        0: MPI_Group_free(group=[0], group_handle=5)
    )"),
                ElementsAre("warning leaked group 0: MPI_Comm_group a.c:1"));
}

TEST(Handles, ANullHandleThatACallGaveIsNotAFreedOne) {
    EXPECT_THAT(check_between(2, R"(
        communicator row members=[0]
        1: MPI_Comm_split(newcomm=MPI_COMM_NULL) @a.c:1
        1: MPI_Barrier(comm=MPI_COMM_NULL) @a.c:2
        0: MPI_Comm_split(newcomm=row)
        0: MPI_Comm_create(newcomm=MPI_COMM_NULL)
        0: MPI_Comm_free(comm=row)
        0: MPI_Barrier(comm=MPI_COMM_NULL) @a.c:3
    )"),
                ElementsAre("error invalid argument 0: MPI_Barrier a.c:3",
                            "error invalid argument 1: MPI_Barrier a.c:2, MPI_Comm_split a.c:1"));
}

TEST(Handles, ADuplicateThatIsNeverCompleteIsNoLeak) {
    constexpr const char* made = R"(
        communicator copy members=[0, 1] constructor=MPI_Comm_idup
        0: MPI_Comm_idup(newcomm=copy, request=r) @a.c:1
    )";
    EXPECT_THAT(check_between(1, std::string{made} + "0: MPI_Wait(request=r) = 15 @a.c:2"),
                ElementsAre("error MPI error 0: MPI_Wait a.c:2"));
    EXPECT_THAT(check_between(1, made),
                ElementsAre("error unfinished gop 0: MPI_Comm_idup a.c:1, MPI_Finalize f.c:99"));
    EXPECT_THAT(check_between(1, std::string{made} + "0: MPI_Wait(request=r)"),
                ElementsAre("warning leaked communicator 0: MPI_Comm_idup a.c:1"));
}

}  // namespace
}  // namespace mqinspect::analysis::test
