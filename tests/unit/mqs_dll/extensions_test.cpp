// Functions beyond the interface that independent debuggers ask for.
#include "tests/unit/mqs_dll/dll_fixture.h"

namespace mqinspect::test {
namespace {

class ExtensionsTest : public DllTest {
protected:
    mqs_process* process() { return mpich.target.process(); }
    /// The class's activity on the first communicator, MPI_COMM_WORLD; -1: no information.
    int active(int comm_class) {
        EXPECT_EQ(mqs_update_communicator_list(process()), mqs_ok);
        EXPECT_EQ(mqs_setup_communicator_iterator(process()), mqs_ok);
        int count = 77;
        int active = 77;
        const int result = mqs_get_comm_coll_state(process(), comm_class, &count, &active);
        if (result == mqs_no_information) return -1;
        EXPECT_EQ(result, mqs_ok);
        EXPECT_EQ(count, -1) << "MPICH counts no calls";
        return active;
    }
};

TEST_F(ExtensionsTest, MessagesTellWhichClassIsUnderWay) {
    mpich.post_receive(mpich.world, {.rank = 2, .tag = 1, .context_offset = 1});
    mpich.start_send(mpich.world,
                     {.rank = 1, .tag = 14 | 1 << 28, .state = kTypeSend, .context_offset = 1});
    EXPECT_EQ(active(mqs_comm_barrier), 1);
    EXPECT_EQ(active(mqs_comm_allreduce), 1);
    EXPECT_EQ(active(mqs_comm_broadcast), -1);
    EXPECT_EQ(active(mqs_comm_reduce), -1);
}

TEST_F(ExtensionsTest, TrafficOnALibrarysCommunicatorCountsForItsParent) {
    const std::uint64_t node = mpich.add_internal(mpich.world, 2, {0, 1});
    mpich.post_receive(node, {.rank = 1, .tag = 2, .context_offset = 1});
    EXPECT_EQ(active(mqs_comm_broadcast), 1);
}

TEST_F(ExtensionsTest, TheUsersMessagesAndNonblockingOperationsAreOfNoClass) {
    mpich.post_receive(mpich.world, {.rank = 2, .tag = 1});
    mpich.start_collective(mpich.world, 287);
    mpich.post_receive(mpich.world, {.rank = 2, .tag = 287, .context_offset = 1});
    mpich.post_receive(mpich.world, {.rank = 2, .tag = 25, .context_offset = 1});  // alltoallw
    for (int i = -1; i < 20; ++i)
        EXPECT_EQ(active(i), -1) << i;
}

TEST_F(ExtensionsTest, TheCollectiveStateNeedsACurrentCommunicator) {
    int count = 0;
    int active = 0;
    EXPECT_GE(mqs_get_comm_coll_state(process(), mqs_comm_barrier, &count, &active),
              mqs_first_user_code);
    ASSERT_EQ(mqs_update_communicator_list(process()), mqs_ok);
    EXPECT_GE(mqs_get_comm_coll_state(process(), mqs_comm_barrier, &count, &active),
              mqs_first_user_code);
}

TEST(GlobalRank, IsKnownAsSoonAsTheProcessIsSetUp) {
    StubDebugger debugger;
    FakeMpich mpich(4, 3);
    mpich.target.types["MPIR_Process_t"].fields["rank"] = 4;
    mpich.memory.store(mpich.symbol("MPIR_Process") + 4, 3);
    EXPECT_EQ(mqs_get_global_rank(mpich.target.process()), -1);
    ASSERT_EQ(debugger.set_up(mpich.target), mqs_ok);
    EXPECT_EQ(mqs_get_global_rank(mpich.target.process()), 3);
    mpich.memory.store(mpich.symbol("MPIR_Process"), 0);  // MPI is not initialised
    EXPECT_EQ(mqs_get_global_rank(mpich.target.process()), -1);
    StubDebugger::tear_down(mpich.target);
}

TEST(GlobalRank, IsUnknownWhereNothingSaysIt) {
    StubDebugger debugger;
    FakeMpich mpich(4, 3);
    ASSERT_EQ(debugger.set_up(mpich.target), mqs_ok);
    EXPECT_EQ(mqs_get_global_rank(mpich.target.process()), -1);
    StubDebugger::tear_down(mpich.target);
}

}  // namespace
}  // namespace mqinspect::test
