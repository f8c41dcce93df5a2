#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/analysis/local/summary.h"

namespace mqinspect::analysis::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(InfoPromises, NobodyLocksTheWindow) {
    const std::string with = R"(
        window w comm=MPI_COMM_WORLD kind=MPI_Win_create parts=[[0x5000, 64, 4]]
        0: MPI_Info_create(info=7)
        0: MPI_Info_set(info=7, key=no_locks, value=VALUE)
        0: MPI_Win_create(base=0x5000, size=64, disp_unit=4, info=7, win=w) @a.c:1
        0: MPI_Info_free(info=7)
        0: MPI_Win_lock(rank=0, win=w) @a.c:2
        0: MPI_Win_unlock(rank=0, win=w)
        0: MPI_Win_free(win=w)
    )";
    const auto of_value = [&](const std::string& value) {
        std::string statements = with;
        return check_between(1, statements.replace(with.find("VALUE"), 5, value));
    };
    EXPECT_THAT(of_value("true"),
                ElementsAre("error epoch error 0: MPI_Win_lock a.c:2, MPI_Win_create a.c:1"));
    EXPECT_THAT(of_value("false"), IsEmpty());
}

TEST(InfoPromises, ReceivesNameTheirSourceAndTag) {
    EXPECT_THAT(
        check_between(2, R"(
        communicator copy parent=MPI_COMM_WORLD constructor=MPI_Comm_dup_with_info members=[0,1]
        0: MPI_Info_create(info=7)
        0: MPI_Info_set(info=7, key=mpi_assert_no_any_source, value=true)
        0: MPI_Comm_dup_with_info(info=7, newcomm=copy) @a.c:1
        0: MPI_Info_set(info=7, key=mpi_assert_no_any_tag, value=true)
        0: MPI_Recv(source=MPI_ANY_SOURCE, comm=copy) @a.c:2
        0: MPI_Recv(source=MPI_ANY_SOURCE)
        0: MPI_Recv(source=1, tag=MPI_ANY_TAG, comm=copy)
        0: MPI_Comm_set_info(comm=copy, info=7) @a.c:3
        0: MPI_Probe(source=1, tag=MPI_ANY_TAG, comm=copy) @a.c:4
        0: MPI_Info_free(info=7)
        0: MPI_Comm_free(comm=copy)
    )"),
        ElementsAre("error invalid argument 0: MPI_Recv a.c:2, MPI_Comm_dup_with_info a.c:1",
                    "error invalid argument 0: MPI_Probe a.c:4, MPI_Comm_set_info a.c:3"));
}

TEST(InfoPromises, PartsOfAWindowAreAlike) {
    const std::string with = R"(
        window w comm=MPI_COMM_WORLD kind=MPI_Win_create parts=[[0x5000, 64, 4], [0x5000, SIZE, 1]]
        *: MPI_Info_create(info=7)
        *: MPI_Info_set(info=7, key=same_size, value=true)
        *: MPI_Win_create(base=0x5000, size=64, disp_unit=4, info=7, win=w) @a.c:1
        *: MPI_Info_free(info=7)
        *: MPI_Win_free(win=w)
    )";
    const auto of_size = [&](const std::string& size) {
        std::string statements = with;
        return check_between(2, statements.replace(with.find("SIZE"), 4, size));
    };
    EXPECT_THAT(of_size("32"),
                ElementsAre("error invalid argument 0,1: MPI_Win_create a.c:1, "
                            "MPI_Win_create a.c:1 x2"));
    EXPECT_THAT(of_size("64"), IsEmpty());
}

}  // namespace
}  // namespace mqinspect::analysis::test
