#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/analysis/local/summary.h"

namespace mqinspect::analysis::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Of these statements about window w of three processes.
std::vector<std::string> checked_orders(const std::string& statements) {
    return check_between(
        3,
        "window w comm=MPI_COMM_WORLD parts=[[0x5000, 64, 4], [0x5000, 64, 4], [0x5000, 64, 4]]\n" +
            statements + "\n*: MPI_Win_free(win=w)");
}

TEST(LockOrders, HeldWhileSomebodyNeedsTheLock) {
    const auto check_types = [](const std::string& one, const std::string& other) {
        return checked_orders("1: MPI_Win_lock(lock_type=" + one + R"(, rank=0, win=w) @a.c:1
            1: MPI_Win_unlock(rank=0, win=w)
            1: MPI_Send(dest=2)
            2: MPI_Win_lock(lock_type=)" +
                              other + R"(, rank=0, win=w) @a.c:2
            2: MPI_Recv(source=1) @a.c:3
            2: MPI_Win_unlock(rank=0, win=w)
        )");
    };
    const auto potential = ElementsAre(
        "warning potential deadlock 1,2: MPI_Recv a.c:3, MPI_Win_lock a.c:2, MPI_Win_lock a.c:1");
    EXPECT_THAT(check_types("MPI_LOCK_EXCLUSIVE", "MPI_LOCK_EXCLUSIVE"), potential);
    EXPECT_THAT(check_types("MPI_LOCK_SHARED", "MPI_LOCK_EXCLUSIVE"), potential);
    EXPECT_THAT(check_types("MPI_LOCK_SHARED", "MPI_LOCK_SHARED"), IsEmpty());
}

TEST(LockOrders, TakenWhenTheOtherOneIsKnownToBeOver) {
    EXPECT_THAT(checked_orders(R"(
        1: MPI_Win_lock(lock_type=MPI_LOCK_EXCLUSIVE, rank=0, win=w)
        1: MPI_Win_unlock(rank=0, win=w)
        1: MPI_Send(dest=2)
        1: MPI_Send(dest=2)
        2: MPI_Recv(source=1)
        2: MPI_Win_lock(lock_type=MPI_LOCK_EXCLUSIVE, rank=0, win=w)
        2: MPI_Recv(source=1)
        2: MPI_Win_unlock(rank=0, win=w)
    )"),
                IsEmpty());
    EXPECT_THAT(checked_orders(R"(
        1: MPI_Win_lock(lock_type=MPI_LOCK_EXCLUSIVE, rank=0, win=w)
        1: MPI_Win_unlock(rank=0, win=w)
        1: MPI_Send(dest=2)
        2: MPI_Win_lock(lock_type=MPI_LOCK_EXCLUSIVE, rank=1, win=w)
        2: MPI_Recv(source=1)
        2: MPI_Win_unlock(rank=1, win=w)
    )"),
                IsEmpty());
}

TEST(LockOrders, HeldWhileAMessageComesByWayOfAnother) {
    EXPECT_THAT(checked_orders(R"(
        0: MPI_Win_lock(lock_type=MPI_LOCK_EXCLUSIVE, rank=0, win=w) @a.c:1
        0: MPI_Win_unlock(rank=0, win=w)
        0: MPI_Send(dest=1)
        1: MPI_Recv(source=0)
        1: MPI_Send(dest=2)
        2: MPI_Win_lock(lock_type=MPI_LOCK_EXCLUSIVE, rank=0, win=w) @a.c:2
        2: MPI_Recv(source=1) @a.c:3
        2: MPI_Win_unlock(rank=0, win=w)
    )"),
                ElementsAre("warning potential deadlock 0,2: MPI_Recv a.c:3, MPI_Win_lock a.c:2, "
                            "MPI_Win_lock a.c:1"));
}

}  // namespace
}  // namespace mqinspect::analysis::test
