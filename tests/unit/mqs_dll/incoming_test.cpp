// Packets in the receive queue and the fast boxes of the nemesis channel.
#include "mqs_dll/status.h"
#include "tests/unit/mqs_dll/dll_fixture.h"

namespace mqinspect::test {
namespace {

constexpr std::uint64_t kNowhere = 0x1000;
constexpr mqs_taddr_t kUntouched = 0x5a5a;
constexpr int kCorrupt = static_cast<int>(dll::Status::CorruptData);
constexpr int kUnreadable = static_cast<int>(dll::Status::UnreadableMemory);

struct Incoming {
    int result = mqs_ok;
    mqs_taddr_t count = kUntouched;
};

Incoming incoming(FakeMpich& mpich) {
    Incoming seen;
    seen.result = mqs_get_incoming_count(mpich.target.process(), &seen.count);
    return seen;
}

void expect_count(FakeMpich& mpich, mqs_taddr_t count) {
    const Incoming seen = incoming(mpich);
    EXPECT_EQ(seen.result, mqs_ok);
    EXPECT_EQ(seen.count, count);
}

/// What the caller has stays as it was: no number passes for an answer.
void expect_failure(FakeMpich& mpich, int result) {
    const Incoming seen = incoming(mpich);
    EXPECT_EQ(seen.result, result);
    EXPECT_EQ(seen.count, kUntouched);
}

class IncomingTest : public DllTest {
protected:
    void SetUp() override {
        DllTest::SetUp();
        mpich.set_up_channel();
    }
};

TEST_F(IncomingTest, AnEmptyQueueAndEmptyBoxesHoldNothing) {
    expect_count(mpich, 0);
}

TEST_F(IncomingTest, WhatSendersHaveQueuedCounts) {
    mpich.recv_queue().head = 0x240;
    mpich.recv_queue().tail = 0x240;
    expect_count(mpich, 1);
}

TEST_F(IncomingTest, WhatTheReceiverHasTakenOverCounts) {
    mpich.recv_queue().my_head = 0x240;
    expect_count(mpich, 1);
}

TEST_F(IncomingTest, TheQueueCountsOnce) {
    mpich.recv_queue().head = 0x480;
    mpich.recv_queue().my_head = 0x240;
    expect_count(mpich, 1);
}

TEST_F(IncomingTest, FullBoxesCountAndTheProcessHasNoneOfItsOwn) {
    ASSERT_EQ(mpich.memory.at<std::uint64_t>(mpich.fast_box_entry(0)), 0U);
    mpich.fast_box(1).flag = 1;
    mpich.fast_box(3).flag = 1;
    expect_count(mpich, 2);
    mpich.fast_box(2).flag = 1;
    mpich.recv_queue().head = 0x240;
    expect_count(mpich, 4);
}

TEST_F(IncomingTest, ANullBoxInTheMiddleDoesNotHideTheNext) {
    FakeMpich other(4, 2);
    other.set_up_channel();
    ASSERT_EQ(debugger.set_up(other.target), mqs_ok);
    ASSERT_EQ(other.memory.at<std::uint64_t>(other.fast_box_entry(2)), 0U);
    other.fast_box(1).flag = 1;
    other.fast_box(3).flag = 1;
    expect_count(other, 2);
    StubDebugger::tear_down(other.target);
}

TEST_F(IncomingTest, BoxesBeyondTheProcessesOfTheHostAreNotRead) {
    mpich.fast_box(1).flag = 1;
    mpich.fast_box(3).flag = 1;
    mpich.memory.at<std::uint64_t>(mpich.fast_box_entry(2)) = kNowhere;
    mpich.region().num_local = 2;
    expect_count(mpich, 1);
}

TEST_F(IncomingTest, BeforeTheChannelIsSetUpNothingHasArrived) {
    mpich.region() = FakeRegion{};
    expect_count(mpich, 0);
}

TEST_F(IncomingTest, WithoutATableOnlyTheQueueCounts) {
    mpich.region().mailboxes.in = 0;  // MPI_Init sets num_local first
    expect_count(mpich, 0);
    mpich.recv_queue().head = 0x240;
    expect_count(mpich, 1);
}

TEST_F(IncomingTest, WithoutAQueueTheBoxesStillCount) {
    mpich.region().my_recv_queue = 0;
    expect_count(mpich, 0);
    mpich.fast_box(1).flag = 1;
    expect_count(mpich, 1);
}

TEST_F(IncomingTest, WithoutOneOfTheTypesNothingIsKnown) {
    const auto types = mpich.target.types;
    for (const char* type : {"MPID_nem_mem_region_t",
                             "MPID_nem_queue_t",
                             "MPID_nem_fbox_arrays_t",
                             "MPID_nem_fastbox_t"}) {
        SCOPED_TRACE(type);
        StubDebugger::tear_down(mpich.target);
        mpich.target.types = types;
        ASSERT_EQ(mpich.target.types.erase(type), 1U);
        ASSERT_EQ(debugger.set_up(mpich.target), mqs_ok);
        expect_failure(mpich, mqs_no_information);
    }
}

TEST_F(IncomingTest, WithoutTheVariableNothingIsKnown) {
    mpich.target.symbols.erase("MPID_nem_mem_region");
    expect_failure(mpich, mqs_no_information);
}

TEST_F(IncomingTest, AnImpossibleNumberOfProcessesIsAnErrorWithoutAWalk) {
    for (const std::int32_t processes : {-1, INT32_MIN, 1 << 30, INT32_MAX}) {
        SCOPED_TRACE(processes);
        mpich.region().num_local = processes;
        const std::size_t before = mpich.target.reads;
        expect_failure(mpich, kCorrupt);
        EXPECT_LT(mpich.target.reads - before, 16U);
    }
}

TEST_F(IncomingTest, ATableShorterThanItsNumberIsAnError) {
    const std::uint64_t table = mpich.memory.allocate(8);  // at the end of what is mapped
    mpich.region().mailboxes.in = table;
    expect_failure(mpich, kUnreadable);
}

TEST_F(IncomingTest, AnUnreadableTableIsAnError) {
    mpich.region().mailboxes.in = kNowhere;
    expect_failure(mpich, kUnreadable);
    mpich.recv_queue().head = 0x240;  // what was found before is no answer either
    expect_failure(mpich, kUnreadable);
}

TEST_F(IncomingTest, ATableAtTheEndOfTheAddressSpaceIsAnError) {
    mpich.region().mailboxes.in = UINT64_MAX - 3;
    expect_failure(mpich, kUnreadable);
}

TEST_F(IncomingTest, AnUnreadableBoxIsAnError) {
    mpich.memory.at<std::uint64_t>(mpich.fast_box_entry(1)) = kNowhere;
    mpich.fast_box(2).flag = 1;
    expect_failure(mpich, kUnreadable);
}

TEST_F(IncomingTest, AnUnreadableQueueIsAnError) {
    mpich.region().my_recv_queue = kNowhere;
    expect_failure(mpich, kUnreadable);
}

TEST_F(IncomingTest, AnUnreadableRegionIsAnError) {
    mpich.target.symbols["MPID_nem_mem_region"] = kNowhere;
    expect_failure(mpich, kUnreadable);
}

}  // namespace
}  // namespace mqinspect::test
