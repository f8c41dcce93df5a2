// Pending sends.
#include "tests/unit/mqs_dll/dll_fixture.h"

namespace mqinspect::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class SendsTest : public DllTest {
protected:
    SeenQueue sends() { return look().named("MPI_COMM_WORLD").sends; }
    std::vector<long> tags() {
        std::vector<long> result;
        for (const mqs_pending_operation& send : sends().operations) {
            result.push_back(send.desired_tag);
        }
        return result;
    }
};

TEST_F(SendsTest, OldestComesFirstAndABlockingOneLast) {
    const OperationSpec blocking{.rank = 2, .tag = 99, .count = 3, .state = kTypeSynchronous};
    mpich.add_request(kSend, mpich.world, blocking);
    mpich.start_send(mpich.world, {.rank = 1, .tag = 1, .state = kTypeSend});
    mpich.start_send(mpich.world, {.rank = 1, .tag = 2, .state = kTypeSend});
    mpich.start_send(mpich.world, {.rank = 1, .tag = 3, .state = kTypeSend});
    EXPECT_THAT(tags(), ElementsAre(1, 2, 3, 99));
}

TEST_F(SendsTest, ABlockedSynchronousSendIsShown) {
    mpich.add_request(
        kSend, mpich.world, {.rank = 2, .tag = 99, .count = 3, .state = kTypeSynchronous | kEager});
    const SeenQueue queue = sends();
    ASSERT_THAT(queue.operations, SizeIs(1));
    EXPECT_EQ(queue.operations[0].desired_local_rank, 2);
    EXPECT_EQ(queue.operations[0].actual_global_rank, 2);
    EXPECT_EQ(queue.operations[0].actual_tag, 99);
    EXPECT_EQ(queue.operations[0].desired_length, 12);
    EXPECT_EQ(queue.operations[0].status, mqs_st_pending);
    EXPECT_STREQ(queue.operations[0].extra_text[0], "synchronous send");
    EXPECT_EQ(queue.details[0].kind, mqs_op_synchronous_send);
    EXPECT_EQ(queue.details[0].protocol, mqs_protocol_eager);
}

TEST_F(SendsTest, KindsAndProtocolsAreTold) {
    mpich.start_send(mpich.world, {.rank = 1, .state = kTypeSend | kRendezvous});
    mpich.start_send(mpich.world, {.rank = 1, .state = kTypeReady});
    mpich.start_send(mpich.world, {.rank = 0, .state = kTypeSend | kSelf});
    const SeenQueue queue = sends();
    EXPECT_STREQ(queue.operations.at(0).extra_text[0], "nonblocking send");
    EXPECT_STREQ(queue.operations.at(0).extra_text[3], "rendezvous");
    EXPECT_EQ(queue.details.at(0).kind, mqs_op_send);
    EXPECT_EQ(queue.details.at(0).protocol, mqs_protocol_rendezvous);
    EXPECT_EQ(queue.details.at(1).kind, mqs_op_ready_send);
    EXPECT_EQ(queue.details.at(2).protocol, mqs_protocol_self);
}

TEST_F(SendsTest, AnUnmarkedBlockingSendMayBeRendezvous) {
    mpich.add_request(kSend, mpich.world, {.rank = 1, .tag = 5, .state = kTypeSend});
    const SeenQueue queue = sends();
    ASSERT_THAT(queue.operations, SizeIs(1));
    EXPECT_EQ(queue.details[0].protocol, mqs_protocol_unknown);
}

TEST_F(SendsTest, CompletedOnesThatAreNotWaitedForAreShownComplete) {
    mpich.start_send(mpich.world, {.rank = 1, .tag = 7, .state = kTypeSend, .cc = 0});
    EXPECT_EQ(sends().operations.at(0).status, mqs_st_complete);
}

TEST_F(SendsTest, CompletedOnesThatTheUserNeverSawAreNot) {
    mpich.add_request(kSend, mpich.world, {.rank = 1, .state = kTypeSend, .cc = 0});
    EXPECT_THAT(sends().operations, IsEmpty());
}

TEST_F(SendsTest, AnActivePersistentOneIsPendingAsItsTransferIs) {
    const std::uint64_t real =
        mpich.add_request(kSend, mpich.world, {.rank = 1, .tag = 5, .state = kTypeSynchronous});
    const std::uint64_t persistent = mpich.add_persistent(real);
    mpich.remember_send(persistent);
    ASSERT_EQ(mpich.request(persistent).cc, 0);  // its own counter says complete
    const SeenQueue queue = sends();
    ASSERT_THAT(queue.operations, SizeIs(1));
    EXPECT_EQ(queue.operations[0].status, mqs_st_pending);
    EXPECT_STREQ(queue.operations[0].extra_text[0], "persistent synchronous send");
    EXPECT_EQ(queue.details[0].request_address, persistent);
    EXPECT_EQ(queue.details[0].active_address, real);
    EXPECT_EQ(queue.details[0].persistent, 1);
}

TEST_F(SendsTest, AnInactivePersistentOneIsNotShown) {
    const std::uint64_t real =
        mpich.add_request(kSend, mpich.world, {.rank = 1, .tag = 5, .state = kTypeSend});
    const std::uint64_t persistent = mpich.add_persistent(real);
    mpich.remember_send(persistent);
    mpich.free_request(real);
    mpich.request(persistent).u[1] = 0;
    mpich.request(persistent).cc_ptr = persistent + offsetof(FakeRequest, cc);
    EXPECT_THAT(sends().operations, IsEmpty());
}

TEST_F(SendsTest, TheEntryOfAFreedPersistentOneIsNotShownNorWhatReusedItsPlace) {
    const std::uint64_t persistent =
        mpich.add_request(kPersistentSend, mpich.world, {.rank = 1, .tag = 45, .count = 3});
    mpich.remember_send(persistent);
    mpich.free_request(persistent);
    EXPECT_THAT(sends().operations, IsEmpty());
    FakeRequest& reused = mpich.request(persistent);
    reused.ref_count = 1;
    reused.kind = kPersistentReceive;
    EXPECT_THAT(sends().operations, IsEmpty());
    reused.kind = kSend;
    reused.u[0] = 0;
    reused.dev.match.tag = 46;
    reused.dev.state = kTypeSend;
    EXPECT_THAT(tags(), ElementsAre(46));
}

TEST_F(SendsTest, BufferedOnesAreKnownByTheirBuffer) {
    mpich.variable<std::uint64_t>("BsendBuffer") = 0x9000;
    mpich.memory.at<std::uint64_t>(mpich.symbol("BsendBuffer") + 8) = 0x1000;
    mpich.add_request(
        kSend,
        mpich.world,
        {.rank = 1, .count = 8, .datatype = 0x4c00010f, .state = kTypeSend, .buffer = 0x9800});
    // Handed over to MPI, and finished: nobody waits for it.
    mpich.add_request(
        kSend, mpich.world, {.rank = 1, .state = kTypeSend, .cc = 0, .buffer = 0x9900});
    const SeenQueue queue = sends();
    ASSERT_THAT(queue.operations, SizeIs(1));
    EXPECT_EQ(queue.details[0].kind, mqs_op_buffered_send);
    EXPECT_EQ(queue.operations[0].system_buffer, 1);
    EXPECT_EQ(queue.operations[0].desired_length, 8);
}

TEST_F(SendsTest, RequestsOfTheDeviceAreNotShown) {
    const std::uint64_t packet =
        mpich.add_request(kSend, mpich.world, {.rank = 1, .state = kTypeSend});
    mpich.request(packet).comm = 0;
    EXPECT_THAT(sends().operations, IsEmpty());
}

TEST_F(SendsTest, ABlockingOneThatWaitsForRoomIsReadFromItsPacket) {
    const std::uint64_t reversed = mpich.add_comm({"reversed", 64, {3, 2, 1, 0}});
    mpich.add_waiting_packet(reversed, 2, 0, 65, 4000);
    mpich.add_waiting_packet(reversed, 3, 1, 66, 8);
    mpich.add_waiting_packet(reversed, 1, 4, 67, 12);
    mpich.add_waiting_packet(reversed, 1, 3, 68, 16);  // an acknowledgement
    const SeenQueue queue = look().named("reversed").sends;
    ASSERT_THAT(queue.operations, SizeIs(3));
    EXPECT_EQ(queue.operations[0].desired_local_rank, 1);
    EXPECT_EQ(queue.operations[0].desired_global_rank, 2);
    EXPECT_EQ(queue.operations[0].desired_tag, 65);
    EXPECT_EQ(queue.operations[0].desired_length, 4000);
    EXPECT_STREQ(queue.operations[0].extra_text[1], "eager, waits for room in the transport");
    EXPECT_EQ(queue.details[0].request, 0U);
    EXPECT_EQ(queue.operations[1].desired_length, 8);
    EXPECT_EQ(queue.details[2].kind, mqs_op_ready_send);
}

TEST_F(SendsTest, APacketWhoseHeaderIsSentTellsNothing) {
    const std::uint64_t packet = mpich.add_waiting_packet(mpich.world, 2, 0, 65, 4000);
    mpich.request(packet).dev.iov[0] = 0x5000;
    EXPECT_THAT(sends().operations, IsEmpty());
}

TEST_F(SendsTest, OnAnIntercommunicatorMatchTheContextToSendWith) {
    const std::uint64_t inter = mpich.add_comm({"inter", 64, {1, 3}, {0, 2}, 80});
    mpich.add_comm({"decoy", 80, {0, 1}});
    const std::uint64_t send = mpich.start_send(inter, {.rank = 1, .tag = 33, .state = kTypeSend});
    mpich.post_receive(inter, {.rank = 0, .tag = 21});
    const SeenQueues seen = look();
    ASSERT_THAT(seen.named("inter").sends.operations, SizeIs(1));
    EXPECT_EQ(seen.named("inter").sends.operations[0].desired_global_rank, 3);
    ASSERT_THAT(seen.named("inter").receives.operations, SizeIs(1));
    EXPECT_EQ(seen.named("inter").receives.operations[0].desired_global_rank, 1);
    EXPECT_THAT(seen.named("decoy").sends.operations, IsEmpty());
    EXPECT_THAT(seen.named("decoy").receives.operations, IsEmpty());
    // Also where the request does not name its communicator.
    mpich.request(send).comm = 0x123450;
    EXPECT_THAT(look().named("inter").sends.operations, SizeIs(1));
}

TEST_F(SendsTest, WithoutTheDebuggersListComeFromThePool) {
    mpich.start_send(mpich.world, {.rank = 1, .tag = 1, .state = kTypeSend});
    mpich.target.symbols.erase("MPIR_Sendq_head");
    EXPECT_THAT(tags(), ElementsAre(1));
}

TEST_F(SendsTest, ALoopInTheListIsAnErrorAfterWhatIsGood) {
    mpich.start_send(mpich.world, {.rank = 1, .tag = 1, .state = kTypeSend});
    const std::uint64_t entry = mpich.variable<std::uint64_t>("MPIR_Sendq_head");
    mpich.memory.at<FakeSendq>(entry).next = entry;
    const SeenQueue queue = sends();
    EXPECT_THAT(queue.operations, SizeIs(1));
    EXPECT_GE(queue.end, mqs_first_user_code);
}

TEST_F(SendsTest, AnUnreadablePoolIsAnError) {
    const std::uint64_t send = mpich.start_send(mpich.world, {.rank = 1, .state = kTypeSend});
    mpich.memory.forbid(send + 8);
    EXPECT_GE(sends().end, mqs_first_user_code);
}

}  // namespace
}  // namespace mqinspect::test
