#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/analysis/local/summary.h"

namespace mqinspect::analysis::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Of these statements about window w of three processes, all of which have locked all of it.
std::vector<std::string> check_locked(const std::string& statements) {
    return check_between(
        3,
        "window w comm=MPI_COMM_WORLD parts=[[0x5000, 64, 4], [0x5000, 64, 4], [0x5000, 64, 4]]\n"
        "*: MPI_Win_lock_all(win=w)\n" +
            statements + "\n*: MPI_Win_unlock_all(win=w)\n*: MPI_Win_free(win=w)");
}

TEST(RmaOrder, MessagesBehindAFlush) {
    const auto check_told = [](const std::string& before, const std::string& after) {
        return check_locked("0: MPI_Put(target_rank=2, win=w) @a.c:1\n" + before + R"(
            0: MPI_Send(dest=1)
        )" + after + R"(
            1: MPI_Recv(source=0)
            1: MPI_Get(origin_addr=0x2000, target_rank=2, win=w) @a.c:2
        )");
    };
    EXPECT_THAT(check_told("0: MPI_Win_flush(rank=2, win=w)", ""), IsEmpty());
    const auto conflict = ElementsAre("error RMA conflict 0,1: MPI_Get a.c:2, MPI_Put a.c:1");
    EXPECT_THAT(check_told("", "0: MPI_Win_flush(rank=2, win=w)"), conflict);
    EXPECT_THAT(check_told("0: MPI_Win_flush_local(rank=2, win=w)", ""), conflict);
    EXPECT_THAT(check_told("0: MPI_Win_flush(rank=1, win=w)", ""), conflict);
}

TEST(RmaOrder, MessagesByWayOfAnother) {
    EXPECT_THAT(check_locked(R"(
        0: MPI_Put(target_rank=2, win=w)
        0: MPI_Win_flush(rank=2, win=w)
        0: MPI_Send(dest=2)
        2: MPI_Recv(source=0, buf=0x6000)
        2: MPI_Send(dest=1, buf=0x6000)
        1: MPI_Recv(source=2)
        1: MPI_Put(target_rank=2, win=w)
    )"),
                IsEmpty());
}

TEST(RmaOrder, CollectiveOperationsAsFarAsDataGoes) {
    const auto check_root = [](int root) {
        return check_locked(R"(
            0: MPI_Put(target_rank=2, win=w) @a.c:1
            0: MPI_Win_flush(rank=2, win=w)
            *: MPI_Bcast(buffer=0x6000, root=)" +
                            std::to_string(root) + R"()
            1: MPI_Put(target_rank=2, win=w) @a.c:2
        )");
    };
    EXPECT_THAT(check_root(0), IsEmpty());
    EXPECT_THAT(check_root(1), ElementsAre("error RMA conflict 0,1: MPI_Put a.c:2, MPI_Put a.c:1"));
}

TEST(RmaOrder, RequestsOfPutsAreLocal) {
    const auto check_waited = [](const std::string& operation) {
        return check_locked("0: " + operation + R"((target_rank=2, win=w, request=&r) @a.c:1
            0: MPI_Wait(request=&r)
            0: MPI_Put(target_rank=2, win=w, origin_addr=0x8000) @a.c:2
        )");
    };
    EXPECT_THAT(check_waited("MPI_Rput"),
                ElementsAre("error RMA conflict 0: MPI_Put a.c:2, MPI_Rput a.c:1"));
    EXPECT_THAT(check_waited("MPI_Rget"), IsEmpty());
}

TEST(RmaOrder, AtomicFetchesMayTellOfAnybody) {
    const auto check_fetched = [](const std::string& fetch) {
        return check_locked("0,1: " + fetch + R"(
            0,1: MPI_Win_flush(rank=2, win=w)
            0,1: MPI_Put(target_rank=2, win=w) @a.c:1
            0,1: MPI_Win_flush(rank=2, win=w)
        )");
    };
    const auto conflict = ElementsAre("error RMA conflict 0,1: MPI_Put a.c:1, MPI_Put a.c:1");
    const std::string fetch =
        "MPI_Fetch_and_op(target_rank=2, target_disp=4, op=MPI_SUM, result_addr=0x3000, win=w)";
    // Nobody stores behind the puts what a fetch could see.
    EXPECT_THAT(check_fetched(fetch), conflict);
    const auto check_handed_on = [&](const std::string& release) {
        return check_locked("0: " + fetch + R"(
            0: MPI_Win_flush(rank=2, win=w)
            0: MPI_Put(target_rank=2, win=w) @a.c:1
            0: MPI_Win_flush(rank=2, win=w)
            0: )" + release +
                            R"(
            0: MPI_Win_flush(rank=2, win=w)
            1: )" + fetch + R"(
            1: MPI_Win_flush(rank=2, win=w)
            1: MPI_Put(target_rank=2, win=w) @a.c:1
            1: MPI_Win_flush(rank=2, win=w)
        )");
    };
    EXPECT_THAT(check_handed_on(fetch), IsEmpty());
    EXPECT_THAT(check_handed_on("MPI_Put(target_rank=2, target_disp=4, win=w)"), SizeIs(1));
    EXPECT_THAT(check_handed_on("MPI_Fetch_and_op(target_rank=2, target_disp=6, op=MPI_SUM, "
                                "result_addr=0x3000, win=w)"),
                conflict);
    EXPECT_THAT(check_fetched("MPI_Get(target_rank=2, target_disp=4, origin_addr=0x3000, win=w)"),
                conflict);
}

// Who never fetches anything does not wait for what comes: a put to its memory tells it nothing.
TEST(RmaOrder, PutsAloneTellNothing) {
    const std::string conflict = "error RMA conflict 0,1: MPI_Put a.c:2, MPI_Put a.c:1";
    const auto check_put = [](const std::string& before) {
        return check_locked(before + R"(
            0: MPI_Put(target_rank=2, win=w) @a.c:1
            0: MPI_Win_flush(rank=2, win=w)
            0: MPI_Put(target_rank=1, win=w) @a.c:3
            0: MPI_Win_flush(rank=1, win=w)
            1: MPI_Put(target_rank=2, win=w) @a.c:2
            1: MPI_Win_flush(rank=2, win=w)
        )");
    };
    EXPECT_THAT(check_put(""), ElementsAre(conflict));
    EXPECT_THAT(check_put("1: MPI_Fetch_and_op(target_rank=1, target_disp=4, op=MPI_SUM, "
                          "result_addr=0x3000, win=w)\n1: MPI_Win_flush(rank=1, win=w)"),
                IsEmpty());
}

TEST(RmaOrder, LocksInDifferentOrders) {
    const auto check_orders = [](const std::string& second, const std::string& between) {
        return check_between(3, R"(
            window w comm=MPI_COMM_WORLD parts=[[0x5000, 64, 4], [0x5000, 64, 4], [0x5000, 64, 4]]
            0: MPI_Win_lock(rank=1, lock_type=234, win=w) @a.c:1
            0: MPI_Win_lock(rank=2, lock_type=234, win=w) @a.c:2
            0: MPI_Win_unlock(rank=2, win=w)
            0: MPI_Win_unlock(rank=1, win=w)
            )" + between + second + R"(
            *: MPI_Win_free(win=w)
        )");
    };
    const auto second = [](const std::string& first, const std::string& last) {
        return "1: MPI_Win_lock(rank=" + first + ", lock_type=234, win=w) @a.c:3\n" +
               "1: MPI_Win_lock(rank=" + last + ", lock_type=234, win=w) @a.c:4\n" +
               "1: MPI_Win_unlock(rank=" + last + ", win=w)\n1: MPI_Win_unlock(rank=" + first +
               ", win=w)\n";
    };
    EXPECT_THAT(check_orders(second("2", "1"), ""), SizeIs(1));
    EXPECT_THAT(check_orders(second("1", "2"), ""), IsEmpty());
    EXPECT_THAT(check_orders(second("2", "1"), "0: MPI_Send(dest=1)\n1: MPI_Recv(source=0)\n"),
                IsEmpty());
    // Nobody has that lock.
    EXPECT_THAT(check_orders(second("2", "MPI_PROC_NULL"), ""), IsEmpty());
    EXPECT_THAT(check_orders(second("MPI_PROC_NULL", "1"), ""), IsEmpty());
}

TEST(RmaOrder, AFetchThatIsCompleteHereIsOver) {
    EXPECT_THAT(check_locked(R"(
        0: MPI_Get(target_rank=2, origin_addr=0x3000, win=w)
        0: MPI_Win_flush_local(rank=2, win=w)
        0: MPI_Put(target_rank=2, win=w)
    )"),
                IsEmpty());
}

// The lock of another window may be what keeps the other away.
TEST(RmaOrder, LocksOfOtherTargets) {
    EXPECT_THAT(check_between(3, R"(
        window w comm=MPI_COMM_WORLD parts=[[0x5000, 64, 4], [0x5000, 64, 4], [0x5000, 64, 4]]
        window m comm=MPI_COMM_WORLD parts=[[0x7000, 64, 4], [0x7000, 64, 4], [0x7000, 64, 4]]
        *: MPI_Win_lock_all(win=w)
        0,1: MPI_Win_lock(rank=2, lock_type=234, win=m)
        0,1: MPI_Put(target_rank=2, win=w)
        0,1: MPI_Win_flush(rank=2, win=w)
        0,1: MPI_Win_unlock(rank=2, win=m)
        *: MPI_Win_unlock_all(win=w)
        *: MPI_Win_free(win=m)
        *: MPI_Win_free(win=w)
    )"),
                IsEmpty());
}

// Programs wait by loading; who was told by a message does not wait.
TEST(RmaOrder, LoadsByWhoWasToldTooEarly) {
    const auto check_load = [](const std::string& before, const std::string& between) {
        return check_locked("0: MPI_Put(target_rank=2, win=w) @a.c:1\n" + before + "\n" + between +
                            R"(
            2: MPI_Win_sync(win=w)
            2: loads 0x5000 1 @a.c:2
            0: MPI_Win_flush(rank=2, win=w)
        )");
    };
    const std::string told = "0: MPI_Send(dest=2)\n 2: MPI_Recv(source=0, buf=0x6000)";
    const auto conflict = ElementsAre("error RMA conflict 0,2: MPI_Put a.c:1, at a.c:2");
    EXPECT_THAT(check_load("", told), conflict);
    EXPECT_THAT(check_load("0: MPI_Win_flush_local(rank=2, win=w)", "*: MPI_Barrier()"), conflict);
    EXPECT_THAT(check_load("0: MPI_Win_flush(rank=2, win=w)", told), IsEmpty());
    EXPECT_THAT(check_load("", ""), IsEmpty());
    EXPECT_THAT(check_load("", told + "\n 2: MPI_Win_sync(win=w)"), IsEmpty());
}

TEST(RmaOrder, WindowsThatHaveMemoryInCommon) {
    const auto check_both = [](const std::string& between) {
        return check_between(3, R"(
            window all comm=MPI_COMM_WORLD kind=MPI_Win_create parts=[[0x5000, 64, 4], [0x5000, 64, 4], [0x5000, 64, 4]]
            window tail comm=MPI_COMM_WORLD kind=MPI_Win_create parts=[[0x5020, 32, 4], [0x5020, 32, 4], [0x5020, 32, 4]]
            0: MPI_Win_lock(rank=2, lock_type=MPI_LOCK_EXCLUSIVE, win=all)
            0: MPI_Put(target_rank=2, target_disp=9, win=all) @a.c:1
            0: MPI_Put(target_rank=2, target_disp=0, win=all) @a.c:2
            0: MPI_Win_unlock(rank=2, win=all)
            )" + between + R"(
            1: MPI_Win_lock(rank=2, lock_type=MPI_LOCK_EXCLUSIVE, win=tail)
            1: MPI_Put(target_rank=2, target_disp=1, win=tail) @a.c:3
            1: MPI_Win_unlock(rank=2, win=tail)
            *: MPI_Win_free(win=tail)
            *: MPI_Win_free(win=all)
        )");
    };
    EXPECT_THAT(check_both(""),
                ElementsAre("error RMA conflict 0,1: MPI_Put a.c:3, MPI_Put a.c:1"));
    EXPECT_THAT(check_both("*: MPI_Barrier()"), IsEmpty());
    EXPECT_THAT(check_both("0: MPI_Send(dest=1)\n1: MPI_Recv(source=0)\n"), IsEmpty());
}

/// Two windows of three processes over the same memory.
std::vector<std::string> check_common(const std::string& statements) {
    const std::string parts =
        " comm=MPI_COMM_WORLD kind=MPI_Win_create parts=[[0x5000, 64, 4], [0x5000, 64, 4], "
        "[0x5000, 64, 4]]\n";
    return check_between(3,
                         "window v" + parts + "window w" + parts + statements +
                             "\n*: MPI_Win_free(win=v)\n*: MPI_Win_free(win=w)");
}

TEST(RmaOrder, FencesOfWindowsThatHaveMemoryInCommon) {
    const auto check_fences = [](const std::string& between) {
        return check_common(
            "*: MPI_Win_fence(win=v)\n*: MPI_Win_fence(win=w)\n"
            "0: MPI_Put(target_rank=2, win=v) @a.c:1\n" +
            between + R"(
            1: MPI_Put(target_rank=2, win=w) @a.c:2
            *: MPI_Win_fence(win=v)
            *: MPI_Win_fence(win=w)
        )");
    };
    const auto conflict = ElementsAre("error RMA conflict 0,1: MPI_Put a.c:2, MPI_Put a.c:1");
    EXPECT_THAT(check_fences(""), conflict);
    // A fence of one window completes nothing of the other, and a message tells nothing.
    EXPECT_THAT(check_fences("*: MPI_Win_fence(win=w)"), conflict);
    EXPECT_THAT(check_fences("*: MPI_Barrier()"), conflict);
    EXPECT_THAT(check_fences("0: MPI_Send(dest=1)\n1: MPI_Recv(source=0)"), conflict);
    EXPECT_THAT(check_fences("*: MPI_Win_fence(win=v)"), IsEmpty());
    EXPECT_THAT(check_fences("0: MPI_Put(target_rank=2, target_disp=2, win=w)"), conflict);
}

TEST(RmaOrder, OfOneProcessByWindowsThatHaveMemoryInCommon) {
    EXPECT_THAT(check_common(R"(
        2: MPI_Win_post(group=[0], win=v)
        2: MPI_Win_post(group=[0], win=w)
        0: MPI_Win_start(group=[2], win=v)
        0: MPI_Put(target_rank=2, win=v) @a.c:1
        0: MPI_Win_start(group=[2], win=w)
        0: MPI_Put(target_rank=2, win=w) @a.c:2
        0: MPI_Win_complete(win=v)
        0: MPI_Win_complete(win=w)
        2: MPI_Win_wait(win=v)
        2: MPI_Win_wait(win=w)
    )"),
                ElementsAre("error RMA conflict 0: MPI_Put a.c:2, MPI_Put a.c:1"));
}

TEST(RmaOrder, PostsOfWindowsThatHaveMemoryInCommon) {
    const auto check_posts = [](const std::string& before, const std::string& between) {
        return check_common("2: MPI_Win_post(group=[0], win=v)\n" + before + R"(
            0: MPI_Win_start(group=[2], win=v)
            0: MPI_Put(target_rank=2, win=v) @a.c:1
            0: MPI_Win_complete(win=v)
            )" + between + R"(
            1: MPI_Win_start(group=[2], win=w)
            1: MPI_Put(target_rank=2, win=w) @a.c:2
            1: MPI_Win_complete(win=w)
            2: MPI_Win_wait(win=w)
        )");
    };
    const std::string post = "2: MPI_Win_post(group=[1], win=w)\n";
    const std::string wait = "2: MPI_Win_wait(win=v)\n";
    const auto conflict = ElementsAre("error RMA conflict 0,1: MPI_Put a.c:2, MPI_Put a.c:1");
    EXPECT_THAT(check_posts(post + wait, ""), conflict);
    EXPECT_THAT(check_posts("", wait + post), IsEmpty());
    EXPECT_THAT(check_posts(post + wait, "0: MPI_Send(dest=1)\n1: MPI_Recv(source=0)"), IsEmpty());
    // By way of the one who posts.
    EXPECT_THAT(
        check_posts("", "0: MPI_Send(dest=2)\n2: MPI_Recv(source=0, buf=0x9000)\n" + post + wait),
        IsEmpty());
}

}  // namespace
}  // namespace mqinspect::analysis::test
