#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/analysis/local/summary.h"

namespace mqinspect::analysis::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Of these statements about window w of three processes, 64 bytes each in units of 4.
std::vector<std::string> checked_conflicts(const std::string& statements) {
    return check_between(
        3,
        "window w comm=MPI_COMM_WORLD parts=[[0x5000, 64, 4], [0x5000, 64, 4], [0x5000, 64, 4]]\n" +
            statements + "\n*: MPI_Win_free(win=w)");
}

TEST(RmaConflicts, OfTwoProcessesBetweenFences) {
    EXPECT_THAT(checked_conflicts(R"(
        *: MPI_Win_fence(win=w)
        0: MPI_Put(target_rank=2, target_disp=0, origin_count=2, target_count=2, win=w) @a.c:1
        1: MPI_Put(target_rank=2, target_disp=1, win=w) @a.c:2
        1: MPI_Put(target_rank=2, target_disp=2, win=w) @a.c:3
        0: MPI_Get(origin_addr=0x2000, target_rank=2, target_disp=2, win=w) @a.c:4
        *: MPI_Win_fence(win=w)
        0: MPI_Put(target_rank=2, target_disp=1, win=w) @a.c:5
        *: MPI_Win_fence(win=w)
    )"),
                ElementsAre("error RMA conflict 0,1: MPI_Put a.c:2, MPI_Put a.c:1",
                            "error RMA conflict 0,1: MPI_Put a.c:3, MPI_Get a.c:4"));
}

TEST(RmaConflicts, OfOneProcessInOneEpoch) {
    EXPECT_THAT(checked_conflicts(R"(
        0: MPI_Win_lock(rank=2, lock_type=234, win=w)
        0: MPI_Put(target_rank=2, win=w) @a.c:1
        0: MPI_Win_flush(rank=2, win=w)
        0: MPI_Put(target_rank=2, win=w) @a.c:2
        0: MPI_Get(origin_addr=0x2000, target_rank=2, win=w) @a.c:3
        0: MPI_Win_unlock(rank=2, win=w)
        2: MPI_Win_post(group=[1], win=w)
        2: MPI_Win_wait(win=w)
        2: MPI_Win_post(group=[1], win=w)
        2: MPI_Win_wait(win=w)
        1: MPI_Win_start(group=[2], win=w)
        1: MPI_Put(target_rank=2, win=w) @a.c:4
        1: MPI_Put(target_rank=2, win=w) @a.c:5
        1: MPI_Win_complete(win=w)
        1: MPI_Win_start(group=[2], win=w)
        1: MPI_Put(target_rank=2, win=w) @a.c:6
        1: MPI_Win_complete(win=w)
    )"),
                ElementsAre("error RMA conflict 0: MPI_Get a.c:3, MPI_Put a.c:2",
                            "error RMA conflict 1: MPI_Put a.c:5, MPI_Put a.c:4"));
}

TEST(RmaConflicts, ReadsAndEqualAccumulationsGoTogether) {
    EXPECT_THAT(checked_conflicts(R"(
        *: MPI_Win_fence(win=w)
        0: MPI_Accumulate(target_rank=2, op=MPI_SUM, win=w)
        1: MPI_Accumulate(target_rank=2, op=MPI_SUM, win=w)
        0: MPI_Get(target_rank=2, target_disp=1, origin_addr=0x2000, win=w)
        1: MPI_Get(target_rank=2, target_disp=1, origin_addr=0x2000, win=w)
        1: MPI_Fetch_and_op(target_rank=2, op=MPI_NO_OP, result_addr=0x3000, win=w)
        2: MPI_Fetch_and_op(target_rank=2, target_disp=1, op=MPI_NO_OP, result_addr=0x3000, win=w)
        *: MPI_Win_fence(win=w)
    )"),
                IsEmpty());
    EXPECT_THAT(checked_conflicts(R"(
        *: MPI_Win_fence(win=w)
        0: MPI_Accumulate(target_rank=2, op=MPI_SUM, win=w) @a.c:1
        1: MPI_Accumulate(target_rank=2, op=MPI_MAX, win=w) @a.c:2
        *: MPI_Win_fence(win=w)
        0: MPI_Accumulate(target_rank=2, op=MPI_SUM, win=w) @a.c:3
        1: MPI_Put(target_rank=2, win=w) @a.c:4
        *: MPI_Win_fence(win=w)
    )"),
                ElementsAre("error RMA conflict 0,1: MPI_Accumulate a.c:2, MPI_Accumulate a.c:1",
                            "error RMA conflict 0,1: MPI_Put a.c:4, MPI_Accumulate a.c:3"));
}

TEST(RmaConflicts, UnderSharedLocks) {
    EXPECT_THAT(checked_conflicts(R"(
        0,1: MPI_Win_lock(rank=2, lock_type=235, win=w)
        0,1: MPI_Put(target_rank=2, win=w) @a.c:1
        0,1: MPI_Win_unlock(rank=2, win=w)
    )"),
                ElementsAre("error RMA conflict 0,1: MPI_Put a.c:1, MPI_Put a.c:1"));
}

TEST(RmaConflicts, ExclusiveLocksAndMessagesOrder) {
    EXPECT_THAT(checked_conflicts(R"(
        0,1: MPI_Win_lock(rank=2, lock_type=234, win=w)
        0,1: MPI_Put(target_rank=2, win=w)
        0,1: MPI_Win_unlock(rank=2, win=w)
    )"),
                IsEmpty());
    EXPECT_THAT(checked_conflicts(R"(
        *: MPI_Win_lock_all(win=w)
        0: MPI_Put(target_rank=2, win=w)
        0: MPI_Win_flush(rank=2, win=w)
        *: MPI_Barrier()
        1: MPI_Put(target_rank=2, win=w)
        1: MPI_Win_flush(rank=2, win=w)
        1: MPI_Send(dest=0)
        0: MPI_Recv(source=1)
        0: MPI_Put(target_rank=2, win=w)
        *: MPI_Win_unlock_all(win=w)
    )"),
                IsEmpty());
}

TEST(RmaConflicts, OfStartsThatBelongToOnePost) {
    EXPECT_THAT(checked_conflicts(R"(
        0: MPI_Win_start(group=[2], win=w)
        0: MPI_Put(target_rank=2, win=w) @a.c:1
        0: MPI_Win_complete(win=w)
        1: MPI_Win_start(group=[2], win=w)
        1: MPI_Get(origin_addr=0x2000, target_rank=2, win=w) @a.c:2
        1: MPI_Win_complete(win=w)
        2: MPI_Win_post(group=[0, 1], win=w)
        2: MPI_Win_wait(win=w)
    )"),
                ElementsAre("error RMA conflict 0,1: MPI_Get a.c:2, MPI_Put a.c:1"));
    EXPECT_THAT(checked_conflicts(R"(
        0: MPI_Win_start(group=[2], win=w)
        0: MPI_Put(target_rank=2, win=w) @a.c:1
        0: MPI_Win_complete(win=w)
        1: MPI_Win_start(group=[2], win=w)
        1: MPI_Get(origin_addr=0x2000, target_rank=2, win=w) @a.c:2
        1: MPI_Win_complete(win=w)
        2: MPI_Win_post(group=[0], win=w)
        2: MPI_Win_wait(win=w)
        2: MPI_Win_post(group=[1], win=w)
        2: MPI_Win_wait(win=w)
    )"),
                IsEmpty());
}

TEST(RmaConflicts, WithOtherCallsOnTheMemoryOfAWindow) {
    EXPECT_THAT(checked_conflicts(R"(
        *: MPI_Win_fence(win=w)
        0: MPI_Put(target_rank=2, win=w) @a.c:1
        0: MPI_Get(origin_addr=0x2000, target_rank=2, target_disp=2, win=w) @a.c:2
        2: MPI_Send(buf=0x5000, dest=2) @a.c:3
        2: MPI_Recv(buf=0x5004, source=2)
        2: MPI_Send(buf=0x5008, dest=2)
        2: MPI_Recv(buf=0x500c, source=2)
        *: MPI_Win_fence(win=w)
        2: MPI_Send(buf=0x5000, dest=2)
        2: MPI_Recv(buf=0x5004, source=2)
        *: MPI_Win_fence(win=w)
    )"),
                ElementsAre("error RMA conflict 0,2: MPI_Send a.c:3, MPI_Put a.c:1"));
    EXPECT_THAT(checked_conflicts(R"(
        0: MPI_Win_start(group=[2], win=w)
        0: MPI_Get(origin_addr=0x2000, target_rank=2, win=w) @a.c:1
        0: MPI_Win_complete(win=w)
        2: MPI_Win_post(group=[0], win=w)
        2: MPI_Recv(buf=0x5000, source=2) @a.c:2
        2: MPI_Win_wait(win=w)
        2: MPI_Recv(buf=0x5000, source=2)
        2: MPI_Send(buf=0x6000, dest=2)
        2: MPI_Send(buf=0x6000, dest=2)
    )"),
                ElementsAre("error RMA conflict 0,2: MPI_Recv a.c:2, MPI_Get a.c:1"));
}

TEST(RmaConflicts, OperationsThatNoFlushHasCompletedPassABarrier) {
    constexpr const char* run = R"(
        *: MPI_Win_lock_all(win=w)
        0: MPI_Put(target_rank=2, win=w) @a.c:1
        %
        *: MPI_Barrier()
        1: MPI_Put(target_rank=2, win=w) @a.c:2
        *: MPI_Win_unlock_all(win=w)
    )";
    std::string open = run;
    std::string flushed = run;
    open.erase(open.find('%'), 1);
    flushed.replace(flushed.find('%'), 1, "0: MPI_Win_flush_all(win=w)");
    EXPECT_THAT(checked_conflicts(open),
                ElementsAre("error RMA conflict 0,1: MPI_Put a.c:2, MPI_Put a.c:1"));
    EXPECT_THAT(checked_conflicts(flushed), IsEmpty());
}

TEST(RmaConflicts, AccumulationsOfDifferentDatatypes) {
    EXPECT_THAT(checked_conflicts(R"(
        *: MPI_Win_fence(win=w)
        0: MPI_Accumulate(target_rank=2, op=MPI_SUM, win=w) @a.c:1
        1: MPI_Accumulate(origin_datatype=MPI_FLOAT, target_datatype=MPI_FLOAT, target_rank=2, op=MPI_SUM, win=w) @a.c:2
        *: MPI_Win_fence(win=w)
    )"),
                ElementsAre("error RMA conflict 0,1: MPI_Accumulate a.c:2, MPI_Accumulate a.c:1"));
}

TEST(RmaConflicts, StridedTargetsOfOneArrayAreApart) {
    EXPECT_THAT(checked_conflicts(R"(
        datatype column = MPI_COMBINER_VECTOR(4,1,4; ; MPI_INT)
        *: MPI_Win_fence(win=w)
        0: MPI_Put(target_rank=2, target_disp=0, origin_count=4, target_datatype=column, win=w)
        1: MPI_Put(target_rank=2, target_disp=1, origin_count=4, target_datatype=column, win=w)
        *: MPI_Win_fence(win=w)
    )"),
                IsEmpty());
}

TEST(RmaConflicts, OfTheTargetsProgramBetweenFences) {
    EXPECT_THAT(checked_conflicts(R"(
        *: MPI_Win_fence(win=w)
        2: stores 0x5008 1 @a.c:1
        0: MPI_Put(target_rank=2, target_disp=0, origin_count=2, target_count=2, win=w) @a.c:2
        2: loads 0x5004 1 @a.c:3
        2: stores 0x5003 2
        *: MPI_Win_fence(win=w) @a.c:4
        2: loads 0x5000 8 @a.c:5
        0: MPI_Get(origin_addr=0x2000, target_rank=2, win=w) @a.c:6
        2: loads 0x5000 1 @a.c:7
        *: MPI_Win_fence(win=w) @a.c:8
        2: stores 0x5000 8 @a.c:9
    )"),
                ElementsAre("error RMA conflict 0,2: MPI_Put a.c:2, at a.c:3",
                            "error RMA conflict 0,2: MPI_Put a.c:2, MPI_Win_fence a.c:4"));
}

TEST(RmaConflicts, OfAProcessWithItself) {
    EXPECT_THAT(checked_conflicts(R"(
        2: stores 0x5000 4 @a.c:1
        2: MPI_Win_lock(rank=2, lock_type=234, win=w)
        2: stores 0x5000 4 @a.c:2
        2: MPI_Put(target_rank=2, win=w) @a.c:3
        2: MPI_Win_unlock(rank=2, win=w)
        2: stores 0x5000 4 @a.c:4
        *: MPI_Barrier()
        2: MPI_Win_lock(rank=2, lock_type=234, win=w)
        2: MPI_Get(target_rank=2, origin_addr=0x2000, win=w) @a.c:5
        2: stores 0x5000 4 @a.c:6
        2: MPI_Win_unlock(rank=2, win=w)
    )"),
                ElementsAre("error RMA conflict 2: MPI_Get a.c:5, at a.c:6"));
}

TEST(RmaConflicts, OfTheTargetsProgramInAnExposureEpoch) {
    EXPECT_THAT(checked_conflicts(R"(
        2: stores 0x5000 4 @a.c:1
        2: MPI_Win_post(group=[1], win=w)
        2: stores 0x5000 4 @a.c:2
        1: MPI_Win_start(group=[2], win=w)
        1: MPI_Get(target_rank=2, origin_addr=0x2000, win=w) @a.c:3
        1: MPI_Win_complete(win=w)
        2: MPI_Win_wait(win=w)
        2: stores 0x5000 4 @a.c:4
    )"),
                ElementsAre("error RMA conflict 1,2: MPI_Get a.c:3, at a.c:2"));
}

TEST(RmaConflicts, UnderLocksStoresAndLoneLoadsThatNothingOrders) {
    const auto check_target = [](const std::string& target) {
        return checked_conflicts(R"(
            2: MPI_Win_lock(rank=1, lock_type=234, win=w)
            2: MPI_Win_unlock(rank=1, win=w)
            0: MPI_Win_lock(rank=2, lock_type=234, win=w)
            0: MPI_Put(target_rank=2, win=w) @a.c:1
            0: MPI_Win_unlock(rank=2, win=w)
            0: MPI_Send(dest=2)
        )" + target + R"(
            2: MPI_Recv(source=0)
            2: stores 0x5000 4 @a.c:4
            *: MPI_Barrier()
            2: stores 0x5000 4 @a.c:5
        )");
    };
    EXPECT_THAT(check_target("2: stores 0x5000 1 @a.c:2"),
                ElementsAre("error RMA conflict 0,2: MPI_Put a.c:1, at a.c:2"));
    EXPECT_THAT(check_target("2: loads 0x5000 1 @a.c:2"),
                ElementsAre("error RMA conflict 0,2: MPI_Put a.c:1, at a.c:2"));
    // A program that waits for what is put looks again, or says that it does so.
    EXPECT_THAT(check_target("2: loads 0x5000 1 @a.c:2\n 2: loads 0x5000 1 @a.c:2"), IsEmpty());
    EXPECT_THAT(check_target("2: MPI_Win_sync(win=w)\n 2: loads 0x5000 1 @a.c:2"), IsEmpty());
    EXPECT_THAT(check_target("2: MPI_Win_lock_all(win=w)\n 2: loads 0x5000 1 @a.c:2\n"
                             "2: MPI_Win_unlock_all(win=w)"),
                IsEmpty());
    EXPECT_THAT(check_target("2: MPI_Win_sync(win=w)\n 2: stores 0x5000 1 @a.c:2"), IsEmpty());
    EXPECT_THAT(check_target("2: stores 0x5010 1 @a.c:2"), IsEmpty());
}

// Whoever shares memory may tell others by storing to it.
TEST(RmaConflicts, OfTheTargetsProgramInSharedMemory) {
    const auto check_between_calls = [](const std::string& begin, const std::string& end) {
        return check_between(
            2,
            "window w comm=MPI_COMM_WORLD kind=MPI_Win_allocate_shared parts=[[0x5000, 64, 4], "
            "[0x5000, 64, 4]]\n" +
                begin + R"(
            1: stores 0x5000 1 @a.c:1
            0: MPI_Put(target_rank=1, win=w) @a.c:2
            )" + end +
                "\n*: MPI_Win_free(win=w)");
    };
    EXPECT_THAT(check_between_calls("*: MPI_Win_fence(win=w)", "*: MPI_Win_fence(win=w)"),
                ElementsAre("error RMA conflict 0,1: MPI_Put a.c:2, at a.c:1"));
    EXPECT_THAT(check_between_calls("*: MPI_Win_lock_all(win=w)", "*: MPI_Win_unlock_all(win=w)"),
                ElementsAre("error RMA conflict 0,1: MPI_Put a.c:2, at a.c:1"));
    // They may tell each other in the memory itself.
    EXPECT_THAT(check_between_calls("*: MPI_Win_lock_all(win=w)",
                                    "0: MPI_Win_sync(win=w)\n*: MPI_Win_unlock_all(win=w)"),
                IsEmpty());
}

}  // namespace
}  // namespace mqinspect::analysis::test
