// Windows of one-sided communication, as device ch3 keeps them.
#include <cstddef>
#include <cstring>
#include <memory>

#include "tests/support/fake_windows.h"
#include "tests/support/stub_debugger.h"
#include "tests/unit/mqs_dll/dll_fixture.h"

namespace mqinspect::test {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

class WindowsTest : public DllTest {
protected:
    void SetUp() override {
        DllTest::SetUp();
        StubDebugger::tear_down(mpich.target);
        fakes = std::make_unique<FakeWindows>(mpich);
        ASSERT_EQ(debugger.set_up(mpich.target), mqs_ok);
        comm = mpich.add_comm({"", 64, {3, 2, 1, 0}});
    }
    FakeWindow& add_window() { return fakes->add(comm); }
    std::vector<SeenWindow> windows() {
        mqs_update_communicator_list(mpich.target.process());
        return look_at_windows(mpich.target, end);
    }

    std::unique_ptr<FakeWindows> fakes;
    std::uint64_t comm = 0;
    int end = mqs_ok;
};

TEST_F(WindowsTest, AreInTwoLists) {
    add_window();
    fakes->add(comm, true);
    EXPECT_THAT(windows(), SizeIs(2));
    EXPECT_EQ(end, mqs_end_of_list);
}

TEST_F(WindowsTest, SayWhatTheyAre) {
    FakeWindow& window = add_window();
    std::strcpy(window.name, "halo");
    window.flavor = 4;
    window.shm_allocated = 1;
    window.counter = 3;
    const auto seen = windows();
    ASSERT_THAT(seen, SizeIs(1));
    const mqs_window& found = seen[0].window;
    EXPECT_EQ(found.handle, 0xa0000000U);
    EXPECT_STREQ(found.name, "halo");
    EXPECT_EQ(found.named, 1);
    EXPECT_EQ(found.size, 32);
    EXPECT_EQ(found.flavor, mqs_window_allocate_shared);
    EXPECT_EQ(found.shared_memory, 1);
    EXPECT_EQ(found.access, mqs_epoch_none);
    EXPECT_EQ(found.exposure, mqs_epoch_none);
    EXPECT_EQ(found.lock, mqs_lock_none);
    EXPECT_EQ(found.completions_missing, 3);
    EXPECT_EQ(found.communicator_address, comm);
    EXPECT_EQ(look().named("window halo").communicator.unique_id, found.communicator);
}

TEST_F(WindowsTest, WithoutANameTheirCommunicatorIsCalledAfterTheHandle) {
    add_window();
    EXPECT_STREQ(windows().at(0).window.name, "window 0xa0000000");
    EXPECT_EQ(look().named("window 0xa0000000").details.named, 0);
}

TEST_F(WindowsTest, TellLocksOfOrigins) {
    FakeWindow& window = add_window();
    window.access = kPerTarget;
    const std::uint64_t operation = mpich.memory.allocate(16);
    fakes->add_target(window, {.rank = 2, .state = kLockIssued, .lock_type = kLockExclusive});
    fakes->add_target(window,
                      {.net_operations = operation,
                       .rank = 1,
                       .state = kLockGranted,
                       .lock_type = kLockShared,
                       .acks = 2});
    const auto seen = windows();
    ASSERT_THAT(seen.at(0).peers, SizeIs(2));
    const auto& peers = seen[0].peers;
    EXPECT_EQ(seen[0].window.access, mqs_epoch_lock);
    EXPECT_EQ(peers[0].role, mqs_window_target);
    EXPECT_EQ(peers[0].rank, 1);
    EXPECT_EQ(peers[0].lock, mqs_lock_shared);
    EXPECT_EQ(peers[0].state, mqs_lock_granted);
    EXPECT_EQ(peers[0].operations, 3);
    EXPECT_EQ(peers[1].rank, 2);
    EXPECT_EQ(peers[1].lock, mqs_lock_exclusive);
    EXPECT_EQ(peers[1].state, mqs_lock_requested);
    EXPECT_EQ(peers[1].operations, 0);
}

TEST_F(WindowsTest, TellWhichTargetARequestOfTheUserIsFor) {
    FakeWindow& window = add_window();
    const std::uint64_t waiting = mpich.add_request(kRma, mpich.world, {});
    const std::uint64_t sent = mpich.add_request(kRma, mpich.world, {});
    const std::uint64_t part = mpich.add_request(kSend, mpich.world, {});
    const std::uint64_t answer = mpich.add_request(kSend, mpich.world, {});
    const std::uint64_t target =
        fakes->add_target(window, {.net_operations = fakes->add_operation(waiting), .rank = 2});
    mpich.request(part).dev.rma_target = target;
    mpich.request(part).dev.request_handle = mpich.request(sent).handle;
    // On behalf of another process: the handle is that process's.
    mpich.request(answer).dev.request_handle = mpich.request(waiting).handle;

    const auto seen = windows();

    ASSERT_THAT(seen.at(0).peers, SizeIs(3));
    const auto& peers = seen[0].peers;
    EXPECT_EQ(peers[0].role, mqs_window_request);
    EXPECT_EQ(peers[0].rank, 2);
    EXPECT_EQ(peers[0].request, static_cast<unsigned>(mpich.request(waiting).handle));
    EXPECT_EQ(peers[1].request, static_cast<unsigned>(mpich.request(sent).handle));
    EXPECT_EQ(peers[2].role, mqs_window_target);
    EXPECT_EQ(peers[2].operations, 1);
    EXPECT_EQ(peers[2].request, 0U);
}

TEST_F(WindowsTest, TellTheLockOfTheTargetAndWhoWaits) {
    FakeWindow& window = add_window();
    window.lock = kLockShared;
    window.shared_locks = 2;
    fakes->add_waiter(window, 3, kAsksExclusive);
    const auto seen = windows();
    EXPECT_EQ(seen.at(0).window.lock, mqs_lock_shared);
    EXPECT_EQ(seen[0].window.holders, 2);
    ASSERT_THAT(seen[0].peers, SizeIs(1));
    EXPECT_EQ(seen[0].peers[0].role, mqs_window_lock_waiter);
    EXPECT_EQ(seen[0].peers[0].rank, 3);
    EXPECT_EQ(seen[0].peers[0].lock, mqs_lock_exclusive);
}

TEST_F(WindowsTest, TellEpochsWithGroups) {
    FakeWindow& window = add_window();
    fakes->set_started(window, {1, 3});
    window.exposure = kPosted;
    const auto seen = windows();
    EXPECT_EQ(seen.at(0).window.access, mqs_epoch_start);
    EXPECT_EQ(seen[0].window.access_granted, 0);
    EXPECT_EQ(seen[0].window.exposure, mqs_epoch_post);
    ASSERT_THAT(seen[0].peers, SizeIs(2));
    EXPECT_EQ(seen[0].peers[1].role, mqs_window_started);
    EXPECT_EQ(seen[0].peers[1].rank, 3);
}

TEST_F(WindowsTest, ThatAreBeingMadeAreNotShown) {
    add_window().comm = 0;
    EXPECT_THAT(windows(), IsEmpty());
    EXPECT_EQ(end, mqs_end_of_list);
}

TEST_F(WindowsTest, ADamagedListIsAnError) {
    FakeWindow& window = add_window();
    const std::uint64_t address = mpich.variable<std::uint64_t>("MPIDI_RMA_Win_inactive_list_head");
    window.next = address;
    EXPECT_THAT(windows(), SizeIs(1));
    EXPECT_GE(end, mqs_first_user_code);
    window.next = 8;
    EXPECT_THAT(windows(), SizeIs(1));
    EXPECT_GE(end, mqs_first_user_code);
}

TEST_F(WindowsTest, DamagedPartsAreErrors) {
    FakeWindow& window = add_window();
    window.slot_count = -1;
    window.slots = 8;
    windows();
    EXPECT_GE(end, mqs_first_user_code);
    window.slot_count = 0;
    window.slots = 0;
    fakes->add_target(window, {.rank = 9});
    windows();
    EXPECT_GE(end, mqs_first_user_code);
    window.slot_count = 0;
    window.lock_queue = 8;
    windows();
    EXPECT_GE(end, mqs_first_user_code);
    window.lock_queue = 0;
    window.access = kStartIssued;
    window.started = 8;
    window.started_count = 1 << 30;
    windows();
    EXPECT_GE(end, mqs_first_user_code);
}

TEST_F(WindowsTest, OfAnotherDeviceThereIsNoInformation) {
    mpich.target.symbols.erase("MPIDI_RMA_Win_active_list_head");
    windows();
    EXPECT_EQ(end, mqs_no_information);
    mqs_window_peer peer{};
    peer.struct_size = sizeof peer;
    EXPECT_NE(mqs_next_window_peer(mpich.target.process(), &peer), mqs_ok);
}

TEST_F(WindowsTest, AnOlderHostGetsNoMoreThanItsStructHolds) {
    add_window();
    mqs_update_communicator_list(mpich.target.process());
    ASSERT_EQ(mqs_setup_window_iterator(mpich.target.process()), mqs_ok);
    mqs_window window{};
    window.struct_size = offsetof(mqs_window, size);
    window.size = -7;
    ASSERT_EQ(mqs_next_window(mpich.target.process(), &window), mqs_ok);
    EXPECT_EQ(window.handle, 0xa0000000U);
    EXPECT_EQ(window.size, -7);
    EXPECT_EQ(window.struct_size, offsetof(mqs_window, size));
}

}  // namespace
}  // namespace mqinspect::test
