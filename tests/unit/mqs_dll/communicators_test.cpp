// Communicators, their groups, and who is behind a rank.
#include "tests/unit/mqs_dll/dll_fixture.h"

namespace mqinspect::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class CommunicatorsTest : public DllTest {
protected:
    std::vector<std::string> names() {
        std::vector<std::string> result;
        for (const SeenCommunicator& seen : look().communicators) {
            result.emplace_back(seen.communicator.name);
        }
        return result;
    }
};

TEST_F(CommunicatorsTest, WorldComesFirstThenSelfThenByContext) {
    mpich.add_comm({"late", 0x1f0, {0, 1}});
    mpich.add_comm({"early", 0x40, {0, 1}});
    EXPECT_THAT(names(), ElementsAre("MPI_COMM_WORLD", "MPI_COMM_SELF", "early", "late"));
}

TEST_F(CommunicatorsTest, RanksOfAReversedSplitAreTranslated) {
    const std::uint64_t reversed = mpich.add_comm({"reversed", 64, {3, 2, 1, 0}});
    mpich.post_receive(reversed, {.rank = 0, .tag = 1});
    mpich.start_send(reversed, {.rank = 1, .tag = 1, .state = kTypeSend});
    const SeenQueues seen = look();
    const SeenCommunicator& comm = seen.named("reversed");
    EXPECT_THAT(comm.group, ElementsAre(3, 2, 1, 0));
    EXPECT_EQ(comm.communicator.local_rank, 3);
    EXPECT_EQ(comm.receives.operations.at(0).desired_global_rank, 3);
    EXPECT_EQ(comm.sends.operations.at(0).actual_global_rank, 2);
}

TEST_F(CommunicatorsTest, AProcessOfAnotherJobIsInvalid) {
    const std::uint64_t merged = mpich.add_comm({"merged", 64, {0, 7}});
    mpich.post_receive(merged, {.rank = 1});
    const SeenQueues seen = look();
    EXPECT_THAT(seen.named("merged").group, ElementsAre(0, MQS_INVALID_PROCESS));
    EXPECT_EQ(seen.named("merged").receives.operations.at(0).desired_global_rank,
              MQS_INVALID_PROCESS);
}

TEST_F(CommunicatorsTest, AShorterCommunicatorSharesTheTableOfALongerOne) {
    const std::uint64_t prefix = mpich.add_comm({"prefix", 64, {0, 1}});
    mpich.comm(prefix).dev.vcrt = mpich.comm(mpich.world).dev.vcrt;
    EXPECT_THAT(look().named("prefix").group, ElementsAre(0, 1));
}

TEST_F(CommunicatorsTest, AnIntercommunicatorHasTwoGroupsAndItsOwnSize) {
    mpich.add_comm({"inter", 64, {1, 3, 2}, {0}, 80});
    const SeenQueues seen = look();
    const SeenCommunicator& inter = seen.named("inter");
    EXPECT_EQ(inter.communicator.size, 1);
    EXPECT_EQ(inter.communicator.local_rank, 0);
    EXPECT_EQ(inter.details.kind, mqs_comm_inter);
    EXPECT_EQ(inter.details.remote_size, 3);
    EXPECT_THAT(inter.group, ElementsAre(0));
    EXPECT_THAT(inter.remote_group, ElementsAre(1, 3, 2));
    EXPECT_THAT(seen.named("MPI_COMM_WORLD").remote_group, IsEmpty());
}

TEST_F(CommunicatorsTest, UniqueIdsAreSmallAndAgreeOnBothSidesOfAnIntercommunicator) {
    mpich.add_comm({"inter", 64, {1}, {0}, 80});
    const SeenQueues here = look();
    FakeMpich other(4, 1);
    other.add_comm({"inter", 80, {0}, {1}, 64});
    ASSERT_EQ(debugger.set_up(other.target), mqs_ok);
    const SeenQueues there = test::look(other.target);
    EXPECT_EQ(here.named("inter").communicator.unique_id,
              there.named("inter").communicator.unique_id);
    EXPECT_EQ(here.named("MPI_COMM_WORLD").communicator.unique_id, 1U);
    EXPECT_LT(here.named("inter").communicator.unique_id, std::uint64_t{1} << 62);
    StubDebugger::tear_down(other.target);
}

TEST_F(CommunicatorsTest, InternalOnesAreHiddenUnlessAskedFor) {
    mpich.add_internal(mpich.world, 2, {0, 1, 2, 3});
    mpich.add_internal(mpich.world, 4, {0});
    mpich.add_comm({"MPI_ICOMM_WORLD", 32, {0, 1, 2, 3}, {}, 0, 0x44000002});
    EXPECT_THAT(names(), ElementsAre("MPI_COMM_WORLD", "MPI_COMM_SELF"));
    ASSERT_EQ(mqs_show_internal(mpich.target.process(), 1), mqs_ok);
    const SeenQueues seen = look();
    EXPECT_THAT(seen.communicators, SizeIs(5));
    EXPECT_EQ(seen.named("MPI_ICOMM_WORLD").details.internal, 1);
    ASSERT_EQ(mqs_show_internal(mpich.target.process(), 0), mqs_ok);
    EXPECT_THAT(names(), SizeIs(2));
}

TEST_F(CommunicatorsTest, UnnamedOnesOfTheUserGetAName) {
    mpich.add_comm({"", 64, {0, 1}, {}, 0, static_cast<int>(0x84000005U)});
    const SeenQueues seen = look();
    EXPECT_EQ(seen.named("comm 0x84000005").details.named, 0);
    EXPECT_EQ(seen.named("MPI_COMM_WORLD").details.named, 1);
}

TEST_F(CommunicatorsTest, LongNamesAreCutAndTerminated) {
    mpich.add_comm({std::string(127, 'x'), 64, {0, 1}});
    EXPECT_THAT(look().named(std::string(63, 'x')).group, SizeIs(2));
}

TEST_F(CommunicatorsTest, NamesAreReadAnewThoughNoCommunicatorCameOrWent) {
    const std::uint64_t comm = mpich.add_comm({"old", 64, {0, 1}});
    EXPECT_THAT(names(), testing::Contains("old"));
    std::strcpy(mpich.comm(comm).name, "new");
    EXPECT_THAT(names(), testing::Contains("new"));
}

TEST_F(CommunicatorsTest, FreedOnesDisappearAtTheNextUpdate) {
    const std::uint64_t first = mpich.add_comm({"first", 64, {0, 1}});
    const std::uint64_t second = mpich.add_comm({"second", 80, {0, 1}});
    EXPECT_THAT(names(), SizeIs(4));
    mpich.remove_comm(first);
    EXPECT_THAT(names(), ElementsAre("MPI_COMM_WORLD", "MPI_COMM_SELF", "second"));
    mpich.remove_comm(second);
    EXPECT_THAT(names(), SizeIs(2));
}

TEST_F(CommunicatorsTest, ALoopOrAnUnreadableNodeIsAnError) {
    mpich.comm(mpich.world).comm_next = mpich.self;
    SeenQueues seen = look();
    EXPECT_GE(seen.update, mqs_first_user_code);
    EXPECT_THAT(seen.communicators, SizeIs(2));
    EXPECT_GE(seen.end, mqs_first_user_code);
    mpich.comm(mpich.world).comm_next = 0x10;
    EXPECT_GE(look().update, mqs_first_user_code);
}

TEST_F(CommunicatorsTest, SizesThatCannotBeTrueAreAnError) {
    mpich.comm(mpich.world).local_size = 1 << 30;
    EXPECT_GE(look().update, mqs_first_user_code);
    mpich.comm(mpich.world).local_size = 0;
    EXPECT_GE(look().update, mqs_first_user_code);
}

TEST_F(CommunicatorsTest, AnMpiThatIsNotInitialisedHasNone) {
    mpich.variable<std::int32_t>("MPIR_Process") = 0;
    const SeenQueues seen = look();
    EXPECT_EQ(seen.update, mqs_ok);
    EXPECT_EQ(seen.end, mqs_end_of_list);
    EXPECT_THAT(seen.communicators, IsEmpty());
}

TEST_F(CommunicatorsTest, WithoutTheListComeFromTheirPools) {
    FakeComm user = mpich.comm(mpich.add_comm({"user", 64, {0, 1}}));
    user.handle = static_cast<std::int32_t>(0x84000000U);
    const std::uint64_t direct = mpich.memory.allocate(8 * sizeof(FakeComm));
    mpich.memory.at<FakeComm>(direct + sizeof(FakeComm)) = user;
    for (std::size_t i = 0; i < 8; ++i) {
        if (i != 1) mpich.memory.at<FakeComm>(direct + i * sizeof(FakeComm)).ref_count = 0;
    }
    const std::uint64_t builtin = mpich.memory.allocate(3 * sizeof(FakeComm));
    mpich.memory.at<FakeComm>(builtin) = mpich.comm(mpich.world);
    mpich.memory.at<FakeComm>(builtin + sizeof(FakeComm)) = mpich.comm(mpich.self);
    auto& pool = mpich.variable<FakePool>("MPIR_Comm_mem");
    pool = {};
    pool.initialized = 1;
    pool.size = static_cast<std::int32_t>(sizeof(FakeComm));
    pool.direct = direct;
    pool.direct_size = 8;
    mpich.target.symbols["MPIR_Comm_builtin"] = builtin;
    mpich.target.symbols.erase("MPIR_All_communicators");
    EXPECT_THAT(names(), ElementsAre("MPI_COMM_WORLD", "MPI_COMM_SELF", "user"));
}

TEST_F(CommunicatorsTest, WithoutTheTypesOfConnectionsOnlyWorldIsTranslated) {
    for (const char* type : {"MPIDI_VCRT", "MPIDI_VC"})
        mpich.target.types.erase(type);
    const std::uint64_t reversed = mpich.add_comm({"reversed", 64, {3, 2, 1, 0}});
    mpich.post_receive(reversed, {.rank = 1});
    mpich.post_receive(mpich.world, {.rank = 1});
    StubDebugger::tear_down(mpich.target);
    ASSERT_EQ(debugger.set_up(mpich.target), mqs_ok);
    const SeenQueues seen = look();
    EXPECT_THAT(seen.named("reversed").group, IsEmpty());
    EXPECT_EQ(seen.named("reversed").receives.operations.at(0).desired_global_rank,
              MQS_INVALID_PROCESS);
    EXPECT_EQ(seen.named("MPI_COMM_WORLD").receives.operations.at(0).desired_global_rank, 1);
}

TEST_F(CommunicatorsTest, ConnectionsThatAreNotInOneArrayAreReadSingly) {
    const std::uint64_t stray =
        mpich.memory.add(FakeConnection{0, mpich.variable<std::uint64_t>("MPIDI_Process"), 2});
    const std::uint64_t comm = mpich.add_comm({"stray", 64, {0, 1}});
    mpich.memory.at<std::uint64_t>(mpich.comm(comm).dev.vcrt + 16) = stray;
    EXPECT_THAT(look().named("stray").group, ElementsAre(0, 2));
}

TEST(LargeJobs, TranslateRanksWithFewReads) {
    StubDebugger debugger;
    FakeMpich mpich(16384, 0, std::size_t{4} << 20);
    for (std::uint16_t i = 0; i < 16; ++i) {
        const auto context = static_cast<std::uint16_t>(48 + 16 * i);
        const std::uint64_t comm = mpich.add_comm({"dup", context, {0}});
        mpich.comm(comm).remote_size = mpich.comm(comm).local_size = 16384;
        mpich.comm(comm).dev.vcrt = mpich.comm(mpich.world).dev.vcrt;
    }
    ASSERT_EQ(debugger.set_up(mpich.target), mqs_ok);
    const SeenQueues seen = look(mpich.target);
    EXPECT_EQ(seen.communicators.at(17).group.at(16383), 16383);
    EXPECT_LE(mpich.target.reads, 60U);
    EXPECT_LE(debugger.peak_bytes(), std::size_t{1} << 20);
    StubDebugger::tear_down(mpich.target);
}

}  // namespace
}  // namespace mqinspect::test
