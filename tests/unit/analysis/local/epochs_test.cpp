#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/analysis/local/summary.h"

namespace mqinspect::analysis::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Of these calls of process 0 on a window of two processes.
std::vector<std::string> checked_epochs(const std::string& calls) {
    std::string statements =
        "window w comm=MPI_COMM_WORLD parts=[[0x5000, 64, 4], [0x5000, 64, 4]]\n";
    std::size_t from = 0;
    while (from < calls.size()) {
        const std::size_t end = std::min(calls.find('\n', from), calls.size());
        const std::string line = calls.substr(from, end - from);
        if (line.find("MPI") != std::string::npos)
            statements += "0: " + line.substr(line.find("MPI")) + "\n";
        from = end + 1;
    }
    return check_between(2, statements);
}

TEST(Epochs, OperationsBetweenFencesAreFine) {
    EXPECT_THAT(checked_epochs(R"(
        MPI_Win_fence(win=w)
        MPI_Put(target_rank=1, win=w)
        MPI_Win_fence(win=w)
        MPI_Win_free(win=w)
    )"),
                IsEmpty());
}

TEST(Epochs, OperationsNeedAnEpoch) {
    EXPECT_THAT(checked_epochs(R"(
        MPI_Put(target_rank=1, win=w) @a.c:1
        MPI_Win_lock(rank=0, win=w)
        MPI_Get(target_rank=1, win=w) @a.c:2
        MPI_Win_unlock(rank=0, win=w)
        MPI_Win_start(group=[0], win=w) @a.c:3
        MPI_Put(target_rank=1, win=w) @a.c:4
        MPI_Win_complete(win=w)
        MPI_Win_fence(win=w)
        MPI_Win_fence(win=w, assert=16384)
        MPI_Put(target_rank=1, win=w) @a.c:5
        MPI_Put(target_rank=MPI_PROC_NULL, win=w)
        MPI_Win_free(win=w)
    )"),
                ElementsAre("error epoch error 0: MPI_Put a.c:1",
                            "error epoch error 0: MPI_Get a.c:2",
                            "error epoch error 0: MPI_Put a.c:4, MPI_Win_start a.c:3",
                            "error epoch error 0: MPI_Put a.c:5"));
}

TEST(Epochs, OfStartAndPost) {
    EXPECT_THAT(checked_epochs(R"(
        MPI_Win_post(group=[1], win=w)
        MPI_Win_start(group=[1], win=w)
        MPI_Put(target_rank=1, win=w)
        MPI_Win_complete(win=w)
        MPI_Win_test(win=w, flag=0)
        MPI_Win_wait(win=w)
        MPI_Win_free(win=w)
    )"),
                IsEmpty());
    EXPECT_THAT(checked_epochs(R"(
        MPI_Win_complete(win=w) @a.c:1
        MPI_Win_wait(win=w) @a.c:2
        MPI_Win_post(group=[1], win=w) @a.c:3
        MPI_Win_post(group=[1], win=w) @a.c:4
        MPI_Win_start(group=[1], win=w) @a.c:5
        MPI_Win_start(group=[1], win=w) @a.c:6
        MPI_Win_complete(win=w)
        MPI_Win_wait(win=w)
        MPI_Win_free(win=w)
    )"),
                ElementsAre("error epoch error 0: MPI_Win_complete a.c:1",
                            "error epoch error 0: MPI_Win_wait a.c:2",
                            "error epoch error 0: MPI_Win_post a.c:4, MPI_Win_post a.c:3",
                            "error epoch error 0: MPI_Win_start a.c:6, MPI_Win_start a.c:5"));
}

TEST(Epochs, OfLocks) {
    EXPECT_THAT(checked_epochs(R"(
        MPI_Win_lock(rank=0, win=w)
        MPI_Win_lock(rank=1, win=w)
        MPI_Put(target_rank=1, win=w)
        MPI_Win_flush(rank=1, win=w)
        MPI_Win_flush_all(win=w)
        MPI_Win_unlock(rank=0, win=w)
        MPI_Win_unlock(rank=1, win=w)
        MPI_Win_lock_all(win=w)
        MPI_Get(target_rank=1, win=w)
        MPI_Win_flush_local_all(win=w)
        MPI_Win_unlock_all(win=w)
        MPI_Win_free(win=w)
    )"),
                IsEmpty());
    EXPECT_THAT(checked_epochs(R"(
        MPI_Win_unlock(rank=1, win=w) @a.c:1
        MPI_Win_flush(rank=1, win=w) @a.c:2
        MPI_Win_lock(rank=1, win=w) @a.c:3
        MPI_Win_lock(rank=1, win=w) @a.c:4
        MPI_Win_lock_all(win=w) @a.c:5
        MPI_Win_unlock_all(win=w)
        MPI_Win_unlock(rank=1, win=w)
        MPI_Win_unlock_all(win=w) @a.c:6
        MPI_Win_free(win=w)
    )"),
                ElementsAre("error epoch error 0: MPI_Win_unlock a.c:1",
                            "error epoch error 0: MPI_Win_flush a.c:2",
                            "error epoch error 0: MPI_Win_lock a.c:4, MPI_Win_lock a.c:3",
                            "error epoch error 0: MPI_Win_lock_all a.c:5, MPI_Win_lock a.c:4",
                            "error epoch error 0: MPI_Win_unlock_all a.c:6"));
}

TEST(Epochs, KindsAreNotMixed) {
    EXPECT_THAT(checked_epochs(R"(
        MPI_Win_fence(win=w) @a.c:1
        MPI_Put(target_rank=1, win=w)
        MPI_Win_lock(rank=1, win=w) @a.c:2
        MPI_Win_fence(win=w) @a.c:3
        MPI_Win_unlock(rank=1, win=w)
        MPI_Win_free(win=w)
    )"),
                ElementsAre("error epoch error 0: MPI_Win_lock a.c:2, MPI_Win_fence a.c:1",
                            "error epoch error 0: MPI_Win_fence a.c:3, MPI_Win_lock a.c:2"));
    // A fence that no operation follows opens nothing.
    EXPECT_THAT(checked_epochs(R"(
        MPI_Win_fence(win=w)
        MPI_Win_lock(rank=1, win=w)
        MPI_Win_unlock(rank=1, win=w)
        MPI_Win_free(win=w)
    )"),
                IsEmpty());
}

TEST(Epochs, AreClosed) {
    EXPECT_THAT(checked_epochs(R"(
        MPI_Win_fence(win=w)
        MPI_Put(target_rank=1, win=w) @a.c:1
        MPI_Win_free(win=w) @a.c:2
    )"),
                ElementsAre("error epoch error 0: MPI_Put a.c:1, MPI_Win_free a.c:2"));
    EXPECT_THAT(checked_epochs(R"(
        MPI_Win_lock(rank=1, win=w) @a.c:1
        MPI_Put(target_rank=1, win=w)
        MPI_Win_free(win=w) @a.c:2
    )"),
                ElementsAre("error epoch error 0: MPI_Win_lock a.c:1, MPI_Win_free a.c:2"));
    EXPECT_THAT(checked_epochs(R"(
        MPI_Win_post(group=[1], win=w) @a.c:1
    )"),
                ElementsAre("error epoch error 0: MPI_Win_post a.c:1, MPI_Finalize f.c:99"));
}

TEST(Epochs, AssertionsAreTrue) {
    EXPECT_THAT(checked_epochs(R"(
        MPI_Win_fence(win=w, assert=8192)
        MPI_Put(target_rank=1, win=w) @a.c:1
        MPI_Win_fence(win=w, assert=8192) @a.c:2
        MPI_Win_free(win=w)
    )"),
                ElementsAre("error epoch error 0: MPI_Win_fence a.c:2, MPI_Put a.c:1"));
}

TEST(Epochs, FetchingWithoutAnOperationNeedsNoOrigin) {
    EXPECT_THAT(checked_epochs(R"(
        MPI_Win_lock(rank=1, win=w)
        MPI_Fetch_and_op(origin_addr=0, result_addr=0x1000, target_rank=1, op=MPI_NO_OP, win=w)
        MPI_Fetch_and_op(origin_addr=0, result_addr=0x2000, target_rank=1, op=MPI_SUM, win=w) @a.c:1
        MPI_Win_unlock(rank=1, win=w)
        MPI_Win_free(win=w)
    )"),
                ElementsAre("error invalid argument 0: MPI_Fetch_and_op a.c:1"));
}

TEST(Epochs, OriginBuffersBelongToTheOperationUntilItIsComplete) {
    EXPECT_THAT(checked_epochs(R"(
        MPI_Win_lock(rank=1, win=w)
        MPI_Get(origin_addr=0x1000, target_rank=1, win=w) @a.c:1
        MPI_Send(buf=0x1000, dest=1) @a.c:2
        MPI_Win_flush_local(rank=1, win=w)
        MPI_Send(buf=0x1000, dest=1) @a.c:3
        MPI_Put(origin_addr=0x1000, target_rank=1, target_disp=1, win=w) @a.c:4
        MPI_Put(origin_addr=0x1000, target_rank=1, target_disp=2, win=w) @a.c:5
        MPI_Recv(buf=0x1000, source=1) @a.c:6
        MPI_Win_unlock(rank=1, win=w)
        MPI_Recv(buf=0x1000, source=1) @a.c:7
        MPI_Win_free(win=w)
    )"),
                ElementsAre("error RMA conflict 0: MPI_Send a.c:2, MPI_Get a.c:1",
                            "error RMA conflict 0: MPI_Recv a.c:6, MPI_Put a.c:4",
                            "error RMA conflict 0: MPI_Recv a.c:6, MPI_Put a.c:5"));
}

}  // namespace
}  // namespace mqinspect::analysis::test
