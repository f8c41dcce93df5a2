#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/analysis/local/summary.h"

namespace mqinspect::analysis::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

/// Of these statements about the dynamic window w of three processes, locked by all.
std::string locked(const std::string& statements) {
    return "window w comm=MPI_COMM_WORLD kind=MPI_Win_create_dynamic "
           "parts=[[0, 0, 1], [0, 0, 1], [0, 0, 1]]\n*: MPI_Win_lock_all(win=w)\n" +
           statements + "\n*: MPI_Win_unlock_all(win=w)\n*: MPI_Win_free(win=w)";
}

std::vector<std::string> checked_attachments(const std::string& statements) {
    return check_between(3, locked(statements));
}

TEST(Attachments, MayAdjoinEachOther) {
    EXPECT_THAT(checked_attachments(R"(
        datatype apart = MPI_COMBINER_VECTOR(2,1,4; ; MPI_INT)
        1: MPI_Win_attach(win=w, base=0x5000, size=16)
        1: MPI_Win_attach(win=w, base=0x5010, size=8)
        *: MPI_Barrier()
        0: MPI_Put(target_rank=1, target_disp=0x5000, origin_count=6, target_count=6, win=w)
        1: MPI_Win_attach(win=w, base=0x6000, size=4)
        1: MPI_Win_attach(win=w, base=0x6010, size=4)
        *: MPI_Barrier()
        2: MPI_Put(target_rank=1, target_disp=0x6000, origin_count=2, target_datatype=apart, win=w)
        0: MPI_Win_flush(rank=1, win=w)
        *: MPI_Barrier()
        1: MPI_Win_detach(win=w, base=0x5000)
        1: MPI_Win_attach(win=w, base=0x5000, size=4)
        *: MPI_Barrier()
        0: MPI_Put(target_rank=1, target_disp=0x5000, win=w)
    )"),
                IsEmpty());
}

TEST(Attachments, AccessesBeyondThemAreWrong) {
    const std::string statements = R"(
        1: MPI_Win_attach(win=w, base=0x5000, size=16) @a.c:1
        *: MPI_Barrier()
        0: MPI_Put(target_rank=1, target_disp=0x500c, origin_count=2, target_count=2, win=w) @a.c:2
        2: MPI_Get(target_rank=1, target_disp=0x7000, win=w) @a.c:3
        1: MPI_Put(target_rank=2, target_disp=0x5000, win=w) @a.c:4
    )";
    EXPECT_THAT(
        checked_attachments(statements),
        UnorderedElementsAre("error invalid argument 0,1: MPI_Put a.c:2, MPI_Win_attach a.c:1",
                             "error invalid argument 1: MPI_Put a.c:4",
                             "error invalid argument 2: MPI_Get a.c:3"));
    EXPECT_THAT(messages_between(3, locked(statements)),
                UnorderedElementsAre(
                    "MPI_Put accesses memory of process 1 (4 bytes from 0x5010 on) that is "
                    "not attached: MPI_Win_attach has added 16 bytes from 0x5000 on.",
                    "MPI_Put accesses memory of process 2 (4 bytes from 0x5000 on) that is "
                    "not attached to the dynamic window by MPI_Win_attach.",
                    "MPI_Get accesses memory of process 1 (4 bytes from 0x7000 on) that is "
                    "not attached to the dynamic window by MPI_Win_attach."));
}

TEST(Attachments, WhoKnowsThatTheyAreOver) {
    EXPECT_THAT(checked_attachments(R"(
        1: MPI_Win_attach(win=w, base=0x5000, size=16)
        *: MPI_Barrier()
        0: MPI_Put(target_rank=1, target_disp=0x5000, win=w) @a.c:1
        0: MPI_Win_flush(rank=1, win=w)
        0: MPI_Send(dest=1)
        1: MPI_Recv(source=0)
        1: MPI_Win_detach(win=w, base=0x5000) @a.c:2
        1: MPI_Send(dest=2) @a.c:3
        2: MPI_Recv(source=1)
        2: MPI_Put(target_rank=1, target_disp=0x5004, win=w) @a.c:4
    )"),
                ElementsAre("error invalid argument 1,2: MPI_Put a.c:4, MPI_Win_detach a.c:2"));
}

TEST(Attachments, DoNotOverlapAndAreDetachedOnce) {
    EXPECT_THAT(
        checked_attachments(R"(
        1: MPI_Win_attach(win=w, base=0x5000, size=16) @a.c:1
        1: MPI_Win_attach(win=w, base=0x500c, size=8) @a.c:2
        1: MPI_Win_detach(win=w, base=0x5000)
        1: MPI_Win_attach(win=w, base=0x5000, size=8)
        1: MPI_Win_detach(win=w, base=0x6000) @a.c:3
    )"),
        UnorderedElementsAre("error invalid argument 1: MPI_Win_attach a.c:2, MPI_Win_attach a.c:1",
                             "error invalid argument 1: MPI_Win_detach a.c:3"));
}

TEST(Attachments, AreThereUntilOperationsAreComplete) {
    const auto check_told = [](const std::string& before, const std::string& after) {
        return checked_attachments(R"(
            1: MPI_Win_attach(win=w, base=0x5000, size=16)
            *: MPI_Barrier()
            0: MPI_Put(target_rank=1, target_disp=0x5004, win=w) @a.c:1
        )" + before + R"(
            0: MPI_Send(dest=1)
        )" + after + R"(
            1: MPI_Recv(source=0)
            1: MPI_Win_detach(win=w, base=0x5000) @a.c:2
        )");
    };
    EXPECT_THAT(check_told("0: MPI_Win_flush(rank=1, win=w)", ""), IsEmpty());
    const auto conflict =
        ElementsAre("error RMA conflict 0,1: MPI_Put a.c:1, MPI_Win_detach a.c:2");
    EXPECT_THAT(check_told("", "0: MPI_Win_flush(rank=1, win=w)"), conflict);
    EXPECT_THAT(check_told("0: MPI_Win_flush_local(rank=1, win=w)", ""), conflict);
}

TEST(Attachments, AreThereBeforeOperationsBegin) {
    const auto check_order = [](const std::string& first, const std::string& second) {
        return checked_attachments(first + R"(
            1: MPI_Send(dest=0)
            0: MPI_Recv(source=1)
        )" + second + R"(
            0: MPI_Get(target_rank=1, target_disp=0x5000, win=w) @a.c:2
        )");
    };
    const std::string attach = "1: MPI_Win_attach(win=w, base=0x5000, size=16) @a.c:1";
    EXPECT_THAT(check_order(attach, ""), IsEmpty());
    EXPECT_THAT(check_order("", attach),
                ElementsAre("error RMA conflict 0,1: MPI_Get a.c:2, MPI_Win_attach a.c:1"));
}

TEST(Attachments, DetachedBehindFencesAndByWhoHasAccessed) {
    const std::string window =
        "window w comm=MPI_COMM_WORLD kind=MPI_Win_create_dynamic "
        "parts=[[0, 0, 1], [0, 0, 1]]\n";
    EXPECT_THAT(check_between(2, window + R"(
        1: MPI_Win_attach(win=w, base=0x5000, size=16)
        *: MPI_Win_fence(win=w)
        0: MPI_Put(target_rank=1, target_disp=0x5000, win=w)
        *: MPI_Win_fence(win=w)
        1: MPI_Win_detach(win=w, base=0x5000)
        *: MPI_Win_free(win=w)
    )"),
                IsEmpty());
    EXPECT_THAT(check_between(2, window + R"(
        1: MPI_Win_attach(win=w, base=0x5000, size=16)
        *: MPI_Win_fence(win=w)
        0: MPI_Put(target_rank=1, target_disp=0x5000, win=w) @a.c:1
        1: MPI_Win_detach(win=w, base=0x5000) @a.c:2
        *: MPI_Win_fence(win=w)
        *: MPI_Win_free(win=w)
    )"),
                ElementsAre("error RMA conflict 0,1: MPI_Put a.c:1, MPI_Win_detach a.c:2"));
    EXPECT_THAT(checked_attachments(R"(
        1: MPI_Win_attach(win=w, base=0x5000, size=16)
        1: MPI_Put(target_rank=1, target_disp=0x5000, win=w) @a.c:1
        1: MPI_Win_detach(win=w, base=0x5000) @a.c:2
    )"),
                ElementsAre("error RMA conflict 1: MPI_Put a.c:1, MPI_Win_detach a.c:2"));
}

}  // namespace
}  // namespace mqinspect::analysis::test
