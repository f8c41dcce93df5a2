#include "analysis/local/overlaps.h"

#include <random>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/analysis/local/summary.h"

namespace mqinspect::analysis::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

TEST(Overlaps, WhatGoesToNobodyIsNotTouched) {
    EXPECT_THAT(check_between(2, R"(
        0: MPI_Sendrecv(sendbuf=0x1000, recvbuf=0x1000, dest=MPI_PROC_NULL, source=MPI_PROC_NULL)
        0: MPI_Send(buf=0, count=4, dest=MPI_PROC_NULL)
    )"),
                IsEmpty());
}

TEST(Overlaps, PackingIsTouching) {
    EXPECT_THAT(check_between(2, R"(
        0: MPI_Irecv(buf=0x1000, count=4, source=1, request=a) @a.c:1
        0: MPI_Pack(inbuf=0x1000, incount=1, outbuf=0x2000, outsize=100) @a.c:2
        0: MPI_Wait(request=a)
        0: MPI_Isend(buf=0x1000, count=4, dest=1, request=a) @a.c:3
        0: MPI_Pack(inbuf=0x1000, incount=1, outbuf=0x2000, outsize=100)
        0: MPI_Unpack(inbuf=0x2000, insize=100, outbuf=0x100c, outcount=1) @a.c:4
        0: MPI_Wait(request=a)
    )"),
                ElementsAre("error overlapping 0: MPI_Pack a.c:2, MPI_Irecv a.c:1",
                            "error overlapping 0: MPI_Unpack a.c:4, MPI_Isend a.c:3"));
}

TEST(Overlaps, SendsMayShareABuffer) {
    EXPECT_THAT(check_between(3, R"(
        0: MPI_Isend(buf=0x1000, dest=1, request=a) @a.c:1
        0: MPI_Isend(buf=0x1000, dest=2, request=b) @a.c:2
        0: MPI_Ibcast(buffer=0x1000, root=0, request=c)
        0: MPI_Waitall(array_of_requests=[a, b, c])
    )"),
                IsEmpty());
}

TEST(Overlaps, ReceivesShareTheirBufferWithNothing) {
    EXPECT_THAT(check_between(2, R"(
        0: MPI_Irecv(buf=0x1000, count=4, source=1, request=a) @a.c:1
        0: MPI_Irecv(buf=0x100c, count=4, source=1, request=b) @a.c:2
        0: MPI_Send(buf=0x1000, dest=1) @a.c:3
        0: MPI_Waitall(array_of_requests=[a, b])
        0: MPI_Send(buf=0x1000, dest=1) @a.c:4
        1: MPI_Irecv(buf=0x1000, count=4, source=0, request=a) @a.c:5
        1: MPI_Irecv(buf=0x1010, count=4, source=0, request=b) @a.c:6
        1: MPI_Waitall(array_of_requests=[a, b])
    )"),
                ElementsAre("error overlapping 0: MPI_Irecv a.c:2, MPI_Irecv a.c:1",
                            "error overlapping 0: MPI_Send a.c:3, MPI_Irecv a.c:1"));
}

TEST(Overlaps, ReceivesDoNotWriteWhatIsBeingSent) {
    EXPECT_THAT(check_between(2, R"(
        0: MPI_Isend(buf=0x1000, count=4, dest=1, request=a) @a.c:1
        0: MPI_Recv(buf=0x100c, count=1, source=1) @a.c:2
        0: MPI_Wait(request=a)
    )"),
                ElementsAre("error overlapping 0: MPI_Recv a.c:2, MPI_Isend a.c:1"));
}

TEST(Overlaps, ColumnsOfOneMatrixAreApart) {
    EXPECT_THAT(check_between(2, R"(
        datatype column = MPI_COMBINER_VECTOR(4,1,4; ; MPI_INT)
        0: MPI_Irecv(buf=0x1000, datatype=column, source=1, request=a) @a.c:1
        0: MPI_Irecv(buf=0x1004, datatype=column, source=1, request=b) @a.c:2
        0: MPI_Irecv(buf=0x1014, count=1, source=1, request=c) @a.c:3
        0: MPI_Waitall(array_of_requests=[a, b, c])
    )"),
                ElementsAre("error overlapping 0: MPI_Irecv a.c:3, MPI_Irecv a.c:2"));
}

TEST(Overlaps, PersistentOperationsCountFromTheirStart) {
    EXPECT_THAT(check_between(2, R"(
        0: MPI_Recv_init(buf=0x1000, source=1, request=a) @a.c:1
        0: MPI_Recv(buf=0x1000, source=1) @a.c:2
        0: MPI_Irecv(buf=0x1000, source=1, request=b) @a.c:3
        0: MPI_Start(request=a) @a.c:4
        0: MPI_Waitall(array_of_requests=[a, b])
        0: MPI_Request_free(request=a)
    )"),
                ElementsAre("error overlapping 0: MPI_Start a.c:4, MPI_Irecv a.c:3, "
                            "MPI_Recv_init a.c:1"));
}

TEST(Overlaps, OfTheTwoBuffersOfOneCall) {
    EXPECT_THAT(check_between(2, R"(
        0: MPI_Sendrecv(sendbuf=0x1000, sendcount=4, recvbuf=0x100c, recvcount=4, dest=1, source=1) @a.c:1
        1: MPI_Sendrecv(sendbuf=0x1000, sendcount=4, recvbuf=0x1010, recvcount=4, dest=0, source=0) @a.c:2
        *: MPI_Sendrecv_replace(buf=0x1000, dest=1, source=1) @a.c:3
        *: MPI_Allreduce(sendbuf=0x1000, recvbuf=0x1000, count=4) @a.c:4
        *: MPI_Allreduce(sendbuf=MPI_IN_PLACE, recvbuf=0x1000, count=4) @a.c:5
        *: MPI_Allgather(sendbuf=0x1004, recvbuf=0x1000, recvcount=1) @a.c:6
        *: MPI_Allgather(sendbuf=0x1008, recvbuf=0x1000, recvcount=1) @a.c:7
    )"),
                ElementsAre("error overlapping 0: MPI_Sendrecv a.c:1",
                            "error overlapping 0,1: MPI_Allreduce a.c:4, MPI_Allreduce a.c:4 x2",
                            "error overlapping 0,1: MPI_Allgather a.c:6, MPI_Allgather a.c:6 x2"));
}

TEST(Overlaps, OnlyTheRootHasTheBufferOfTheRoot) {
    EXPECT_THAT(check_between(2, R"(
        *: MPI_Gather(sendbuf=0x1000, recvbuf=0x1000, root=1) @a.c:1
        *: MPI_Reduce(sendbuf=0x1000, recvbuf=0x1000, root=1) @a.c:2
        *: MPI_Scatter(sendbuf=0x1000, recvbuf=0x1000, root=1) @a.c:3
        *: MPI_Bcast(buffer=0x1000, root=1) @a.c:4
    )"),
                ElementsAre("error overlapping 1: MPI_Gather a.c:1",
                            "error overlapping 1: MPI_Reduce a.c:2",
                            "error overlapping 1: MPI_Scatter a.c:3"));
}

TEST(Overlaps, OfThePartsOfOneBuffer) {
    EXPECT_THAT(check_between(3, R"(
        0: MPI_Gatherv(sendbuf=0x1000, recvbuf=0x2000, recvcounts=[4, 4, 4], displs=[0, 3, 8], root=0) @a.c:1
        0: MPI_Gatherv(sendbuf=0x1000, recvbuf=0x2000, recvcounts=[4, 4, 4], displs=[8, 4, 0], root=0) @a.c:2
        0: MPI_Alltoallv(sendbuf=0x1000, sendcounts=[4, 4, 4], sdispls=[0, 0, 0], recvbuf=0x2000, recvcounts=[1, 1, 1], rdispls=[0, 1, 1]) @a.c:3
        0: MPI_Scatterv(sendbuf=0x1000, sendcounts=[4, 4, 4], displs=[0, 3, 8], recvbuf=0x2000, root=0) @a.c:4
    )"),
                ElementsAre("error overlapping 0: MPI_Gatherv a.c:1",
                            "error overlapping 0: MPI_Alltoallv a.c:3",
                            "note overlapping 0: MPI_Scatterv a.c:4"));
}

TEST(Overlaps, OfCollectivesWithPendingOperations) {
    EXPECT_THAT(check_between(2, R"(
        0: MPI_Irecv(buf=0x1000, source=1, request=a) @a.c:1
        0: MPI_Bcast(buffer=0x1000, root=0) @a.c:2
        0: MPI_Wait(request=a)
        1: MPI_Iallreduce(sendbuf=0x1000, recvbuf=0x2000, request=a) @a.c:3
        1: MPI_Recv(buf=0x2000, source=0) @a.c:4
        1: MPI_Recv(buf=0x1000, source=0) @a.c:5
        1: MPI_Send(buf=0x1000, dest=0) @a.c:6
        1: MPI_Wait(request=a)
    )"),
                ElementsAre("error overlapping 0: MPI_Bcast a.c:2, MPI_Irecv a.c:1",
                            "error overlapping 1: MPI_Recv a.c:4, MPI_Iallreduce a.c:3",
                            "error overlapping 1: MPI_Recv a.c:5, MPI_Iallreduce a.c:3"));
}

TEST(Overlaps, MessagesGiveTheBytes) {
    EXPECT_THAT(messages_between(2, R"(
        0: MPI_Isend(buf=0x1000, count=4, dest=1, request=a) @a.c:1
        0: MPI_Recv(buf=0x100c, count=1, source=1) @a.c:2
        0: MPI_Wait(request=a)
    )"),
                ElementsAre("This call writes a buffer (bytes 0x100c-0x100f) that overlaps the one "
                            "which a pending operation reads (bytes 0x1000-0x100f)."));
}

TEST(ActiveBuffers, FindsWhatASearchThroughAllWouldFind) {
    std::mt19937 engine{3};
    ActiveBuffers active;
    std::vector<std::pair<ActiveSlot, ByteRange>> expected;
    const auto range = [&] {
        const auto low = static_cast<std::int64_t>(engine() % 5000);
        return ByteRange{low, low + 1 + static_cast<std::int64_t>(engine() % 60)};
    };
    for (int step = 0; step < 4000; ++step) {
        if (expected.size() > 200 || (engine() % 3 == 0 && !expected.empty())) {
            const std::size_t at = engine() % expected.size();
            active.remove(expected[at].first);
            expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(at));
        } else {
            Access access;
            access.hull = range();
            expected.emplace_back(active.add(access, {}, false, kNoSlot), access.hull);
        }
        const ByteRange wanted = range();
        std::multiset<std::int64_t> found;
        active.for_each_meeting(
            wanted, [&](ActiveSlot slot) { found.insert(active.at(slot).access.hull.low); });
        std::multiset<std::int64_t> right;
        for (const auto& [slot, hull] : expected)
            if (hull.meets(wanted)) right.insert(hull.low);
        ASSERT_EQ(found, right);
    }
}

// With each looked at beside all before it, this would take minutes.
TEST(Overlaps, ThousandsOfALoopInOneBuffer) {
    std::string statements;
    for (int i = 0; i < 50'000; ++i)
        statements +=
            "0: MPI_Irecv(source=0, buf=0x1000, request=r" + std::to_string(i) + ") @a.c:1\n";
    EXPECT_THAT(check_between(1, statements),
                Contains(StartsWith("error overlapping 0: MPI_Irecv a.c:1, MPI_Irecv a.c:1 x")));
}

TEST(Overlaps, WhatIsReceivedHasItsPlaceOnce) {
    EXPECT_THAT(check_between(2, R"(
        datatype folded = MPI_COMBINER_VECTOR(3,2,1; ; MPI_INT)
        datatype twice = MPI_COMBINER_INDEXED(2,2,2,0,1; ; MPI_INT)
        datatype column = MPI_COMBINER_VECTOR(4,1,4; ; MPI_INT)
        datatype near = MPI_COMBINER_RESIZED( ; 0,4; column)
        datatype nearer = MPI_COMBINER_RESIZED( ; 0,2; column)
        0: MPI_Send(datatype=folded, dest=1) @a.c:1
        1: MPI_Recv(datatype=folded, source=0) @a.c:2
        0: MPI_Send(datatype=twice, dest=1) @a.c:3
        1: MPI_Recv_init(datatype=twice, source=0, request=a) @a.c:4
        1: MPI_Start(request=a)
        1: MPI_Wait(request=a)
        1: MPI_Request_free(request=a)
        0: MPI_Send(datatype=near, count=4, dest=1) @a.c:5
        1: MPI_Recv(datatype=near, count=4, source=0) @a.c:6
        0: MPI_Send(datatype=nearer, count=2, dest=1) @a.c:7
        1: MPI_Recv(datatype=nearer, count=2, source=0) @a.c:8
        0: MPI_Send(datatype=nearer, dest=1) @a.c:9
        1: MPI_Recv(datatype=nearer, source=0) @a.c:10
        *: MPI_Bcast(datatype=folded, root=0) @a.c:11
    )"),
                ElementsAre("error overlapping 1: MPI_Recv a.c:2",
                            "error overlapping 1: MPI_Recv_init a.c:4",
                            "error overlapping 1: MPI_Recv a.c:8",
                            "error overlapping 1: MPI_Bcast a.c:11"));
}

TEST(Overlaps, WhatIsPutHasItsPlaceOnce) {
    EXPECT_THAT(
        check_between(2, R"(
        window w comm=MPI_COMM_WORLD kind=MPI_Win_create parts=[[0x5000,64,4],[0x5000,64,4]]
        datatype folded = MPI_COMBINER_VECTOR(3,2,1; ; MPI_INT)
        *: MPI_Win_fence(win=w)
        0: MPI_Put(origin_addr=0x1000, origin_count=6, origin_datatype=MPI_INT, target_rank=1, target_count=1, target_datatype=folded, win=w) @a.c:1
        1: MPI_Get(origin_addr=0x2000, origin_count=1, origin_datatype=folded, target_rank=0, target_count=6, target_datatype=MPI_INT, win=w) @a.c:2
        *: MPI_Win_fence(win=w)
        0: MPI_Put(origin_addr=0x1000, origin_count=1, origin_datatype=folded, target_rank=1, target_count=6, target_datatype=MPI_INT, win=w)
        *: MPI_Win_fence(win=w)
        *: MPI_Win_free(win=w)
    )"),
        ElementsAre("error overlapping 0: MPI_Put a.c:1", "error overlapping 1: MPI_Get a.c:2"));
}

}  // namespace
}  // namespace mqinspect::analysis::test
