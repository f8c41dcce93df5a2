#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/analysis/local/summary.h"

namespace mqinspect::analysis::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// MPICH's numbers.
constexpr const char* kNoStore = "2048";
constexpr const char* kNoPut = "4096";
constexpr const char* kNoPrecede = "8192";

/// Of these statements about window w of three processes; NAMES stand for assertions.
std::vector<std::string> checked_promises(std::string statements) {
    const std::pair<std::string, std::string> names[] = {
        {"NOSTORE", kNoStore}, {"NOPUT", kNoPut}, {"NOPRECEDE", kNoPrecede}};
    for (const auto& [name, number] : names) {
        for (std::size_t at = 0; (at = statements.find(name, at)) != std::string::npos;)
            statements.replace(at, name.size(), number);
    }
    return check_between(
        3,
        "window w comm=MPI_COMM_WORLD parts=[[0x5000, 64, 4], [0x5000, 64, 4], [0x5000, 64, 4]]\n" +
            statements + "\n*: MPI_Win_free(win=w)");
}

TEST(Promises, NobodyPutsBetweenFences) {
    EXPECT_THAT(checked_promises(R"(
        0: MPI_Win_fence(assert=NOPUT, win=w) @a.c:1
        1-2: MPI_Win_fence(win=w) @a.c:2
        2: MPI_Put(target_rank=1, win=w) @a.c:3
        2: MPI_Get(origin_addr=0x2000, target_rank=0, win=w) @a.c:4
        1: MPI_Put(target_rank=0, target_disp=4, win=w) @a.c:5
        *: MPI_Win_fence(win=w)
        1: MPI_Put(target_rank=0, target_disp=4, win=w) @a.c:6
        *: MPI_Win_fence(assert=NOPUT, win=w)
    )"),
                ElementsAre("error epoch error 0,1: MPI_Put a.c:5, MPI_Win_fence a.c:1"));
}

TEST(Promises, NobodyPutsBehindAPost) {
    EXPECT_THAT(checked_promises(R"(
        0: MPI_Win_post(group=[1], assert=NOPUT, win=w) @a.c:1
        0: MPI_Win_wait(win=w)
        0: MPI_Win_post(group=[1], win=w)
        0: MPI_Win_wait(win=w)
        1: MPI_Win_start(group=[0], win=w)
        1: MPI_Get(origin_addr=0x2000, target_rank=0, win=w)
        1: MPI_Put(target_rank=0, target_disp=4, win=w) @a.c:2
        1: MPI_Win_complete(win=w)
        1: MPI_Win_start(group=[0], win=w)
        1: MPI_Put(target_rank=0, target_disp=4, win=w) @a.c:3
        1: MPI_Win_complete(win=w)
    )"),
                ElementsAre("error epoch error 0,1: MPI_Put a.c:2, MPI_Win_post a.c:1"));
}

TEST(Promises, AllSayThatNothingPrecedesOrNobody) {
    EXPECT_THAT(checked_promises(R"(
        *: MPI_Win_fence(assert=NOPRECEDE, win=w)
        0-1: MPI_Win_fence(win=w) @a.c:1
        2: MPI_Win_fence(assert=NOPRECEDE, win=w) @a.c:2
    )"),
                ElementsAre("error epoch error 0,2: MPI_Win_fence a.c:1, MPI_Win_fence a.c:2"));
}

TEST(Promises, TheProcessHasNotStored) {
    EXPECT_THAT(checked_promises(R"(
        0: stores 0x5000 4 @a.c:1
        *: MPI_Win_fence(assert=NOSTORE, win=w) @a.c:2
        1: stores 0x5000 4 @a.c:3
        *: MPI_Win_fence(assert=NOSTORE, win=w) @a.c:4
        2: loads 0x5000 4 @a.c:5
        1: MPI_Recv(buf=0x5000, source=0)
        *: MPI_Win_fence(win=w) @a.c:6
        *: MPI_Win_fence(assert=NOSTORE, win=w) @a.c:7
    )"),
                ElementsAre("error epoch error 1: MPI_Win_fence a.c:4, at a.c:3"));
    EXPECT_THAT(checked_promises(R"(
        *: MPI_Win_fence(win=w)
        0: MPI_Send(dest=1)
        1: MPI_Recv(buf=0x5000, source=0) @a.c:1
        *: MPI_Win_fence(assert=NOSTORE, win=w) @a.c:2
    )"),
                ElementsAre("error epoch error 1: MPI_Win_fence a.c:2, MPI_Recv a.c:1"));
}

}  // namespace
}  // namespace mqinspect::analysis::test
