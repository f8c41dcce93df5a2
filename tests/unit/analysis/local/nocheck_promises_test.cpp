#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/analysis/local/summary.h"

namespace mqinspect::analysis::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kNoCheck = "assert=1024";  // MPICH's number

/// Of these statements about window w of three processes; NOCHECK stands for the assertion.
std::vector<std::string> checked_nocheck(std::string statements) {
    for (std::size_t at = 0; (at = statements.find("NOCHECK", at)) != std::string::npos;)
        statements.replace(at, 7, kNoCheck);
    return check_between(
        3,
        "window w comm=MPI_COMM_WORLD parts=[[0x5000, 64, 4], [0x5000, 64, 4], [0x5000, 64, 4]]\n" +
            statements + "\n*: MPI_Win_free(win=w)");
}

const auto* const kConflict = "error epoch error 0,1: MPI_Win_lock a.c:2, MPI_Win_lock a.c:1";

/// Process 0 promises, and process 1 locks behind `between`.
std::vector<std::string> check_locks(const std::string& between,
                                     const std::string& first = "234",
                                     const std::string& second = "234") {
    return checked_nocheck("0: MPI_Win_lock(rank=2, lock_type=" + first +
                           ", NOCHECK, win=w) @a.c:1\n0: MPI_Win_unlock(rank=2, win=w)\n" +
                           between + "\n1: MPI_Win_lock(rank=2, lock_type=" + second +
                           ", win=w) @a.c:2\n1: MPI_Win_unlock(rank=2, win=w)");
}

TEST(NoCheckPromises, OfALockThatNobodyElseAsksFor) {
    EXPECT_THAT(check_locks(""), ElementsAre(kConflict));
    EXPECT_THAT(check_locks("", "235"), ElementsAre(kConflict));
    EXPECT_THAT(check_locks("", "234", "235"), ElementsAre(kConflict));
    EXPECT_THAT(check_locks("", "235", "235"), IsEmpty());
}

TEST(NoCheckPromises, OfALockThatIsOver) {
    EXPECT_THAT(check_locks("0: MPI_Send(dest=1)\n1: MPI_Recv(source=0)"), IsEmpty());
    EXPECT_THAT(check_locks("*: MPI_Barrier()"), IsEmpty());
    EXPECT_THAT(check_locks("1: MPI_Send(dest=0)\n0: MPI_Recv(source=1)"), ElementsAre(kConflict));
}

TEST(NoCheckPromises, OfLocksThatSomethingElseOrders) {
    // A lock of another target, or of another window, may be what orders them.
    EXPECT_THAT(checked_nocheck(R"(
        0,1: MPI_Win_lock(rank=0, lock_type=234, win=w)
        0,1: MPI_Win_lock(rank=2, lock_type=234, NOCHECK, win=w)
        0,1: MPI_Win_unlock(rank=2, win=w)
        0,1: MPI_Win_unlock(rank=0, win=w)
    )"),
                IsEmpty());
    EXPECT_THAT(check_locks(R"(
        1: MPI_Win_lock(rank=0, lock_type=235, win=w)
        1: MPI_Fetch_and_op(origin_addr=0x2000, result_addr=0x3000, target_rank=0, win=w)
        1: MPI_Win_unlock(rank=0, win=w)
    )"),
                IsEmpty());
}

TEST(NoCheckPromises, OfOneTargetAndOfAll) {
    const auto check_all = [](const std::string& type, const std::string& rank) {
        return checked_nocheck(
            "0: MPI_Win_lock_all(NOCHECK, win=w) @a.c:1\n1: MPI_Win_lock(rank=" + rank +
            ", lock_type=" + type + ", win=w) @a.c:2\n1: MPI_Win_unlock(rank=" + rank +
            ", win=w)\n0: MPI_Win_unlock_all(win=w)");
    };
    EXPECT_THAT(check_all("234", "2"),
                ElementsAre("error epoch error 0,1: MPI_Win_lock a.c:2, MPI_Win_lock_all a.c:1"));
    EXPECT_THAT(check_all("235", "2"), IsEmpty());
    EXPECT_THAT(checked_nocheck(R"(
        0: MPI_Win_lock(rank=1, lock_type=234, NOCHECK, win=w)
        0: MPI_Win_unlock(rank=1, win=w)
        1: MPI_Win_lock(rank=2, lock_type=234, NOCHECK, win=w)
        1: MPI_Win_unlock(rank=2, win=w)
        1: MPI_Win_lock(rank=2, lock_type=234, NOCHECK, win=w)
        1: MPI_Win_unlock(rank=2, win=w)
    )"),
                IsEmpty());
}

TEST(NoCheckPromises, OfAPostThatHasBeenMade) {
    const auto check_start = [](const std::string& before, const std::string& between) {
        return checked_nocheck(before + R"(
            1: MPI_Win_post(group=[0], NOCHECK, win=w) @a.c:1
            )" + between + R"(
            0: MPI_Win_start(group=[1], NOCHECK, win=w) @a.c:2
            0: MPI_Win_complete(win=w)
            1: MPI_Win_wait(win=w)
        )");
    };
    const auto early =
        ElementsAre("error epoch error 0,1: MPI_Win_start a.c:2, MPI_Win_post a.c:1");
    EXPECT_THAT(check_start("", ""), early);
    EXPECT_THAT(check_start("*: MPI_Barrier()", ""), early);
    EXPECT_THAT(check_start("", "0: MPI_Send(dest=1)\n1: MPI_Recv(source=0)"), early);
    EXPECT_THAT(check_start("", "*: MPI_Barrier()"), IsEmpty());
    EXPECT_THAT(check_start("", "1: MPI_Send(dest=0)\n0: MPI_Recv(source=1)"), IsEmpty());
}

TEST(NoCheckPromises, OfBothOrOfNone) {
    EXPECT_THAT(checked_nocheck(R"(
        1,2: MPI_Win_post(group=[0], win=w) @a.c:1
        *: MPI_Barrier()
        0: MPI_Win_start(group=[1,2], NOCHECK, win=w) @a.c:2
        0: MPI_Win_complete(win=w)
        1,2: MPI_Win_wait(win=w)
        1: MPI_Win_post(group=[0], NOCHECK, win=w) @a.c:3
        0: MPI_Win_start(group=[1], win=w) @a.c:4
        0: MPI_Win_complete(win=w)
        1: MPI_Win_wait(win=w)
    )"),
                ElementsAre("error epoch error 0,1: MPI_Win_start a.c:2, MPI_Win_post a.c:1 x2",
                            "error epoch error 0,1: MPI_Win_start a.c:4, MPI_Win_post a.c:3"));
}

}  // namespace
}  // namespace mqinspect::analysis::test
