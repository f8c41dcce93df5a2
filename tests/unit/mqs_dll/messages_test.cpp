// Unexpected messages.
#include <chrono>

#include "tests/unit/mqs_dll/dll_fixture.h"

namespace mqinspect::test {
namespace {

using testing::SizeIs;
using MessagesTest = DllTest;

TEST_F(MessagesTest, ShowTheirOwnEnvelopeAndNotStaleFields) {
    mpich.arrive(mpich.world, {.rank = 2, .tag = 60, .state = kEager, .cc = 0}, 28);
    const SeenQueue queue = look().named("MPI_COMM_WORLD").messages;
    ASSERT_THAT(queue.operations, SizeIs(1));
    const mqs_pending_operation& message = queue.operations[0];
    EXPECT_EQ(message.desired_local_rank, 2);
    EXPECT_EQ(message.actual_local_rank, 2);
    EXPECT_EQ(message.actual_global_rank, 2);
    EXPECT_EQ(message.actual_tag, 60);
    EXPECT_EQ(message.desired_length, 28);
    EXPECT_EQ(message.actual_length, 28);
    EXPECT_EQ(message.system_buffer, 1);
    EXPECT_EQ(message.buffer, 0x7777000U);
    EXPECT_STREQ(message.extra_text[0], "eager");
    EXPECT_EQ(queue.details[0].protocol, mqs_protocol_eager);
    EXPECT_EQ(queue.details[0].synchronous, 0);
    EXPECT_EQ(queue.details[0].request, 0U);
    EXPECT_EQ(queue.details[0].count, -1);
}

TEST_F(MessagesTest, OfRendezvousHaveNoDataYetAndTheSenderWaits) {
    mpich.arrive(mpich.world, {.rank = 1, .tag = 2, .state = kRendezvous}, std::int64_t{5} << 32);
    const SeenQueue queue = look().named("MPI_COMM_WORLD").messages;
    EXPECT_EQ(queue.operations.at(0).actual_length, std::int64_t{5} << 32);
    EXPECT_EQ(queue.operations.at(0).buffer, 0U);
    EXPECT_EQ(queue.details.at(0).protocol, mqs_protocol_rendezvous);
    EXPECT_EQ(queue.details.at(0).synchronous, 1);
}

TEST_F(MessagesTest, OfSynchronousSendsSaySo) {
    mpich.arrive(mpich.world, {.rank = 1, .tag = 2, .state = kEager | kSyncFlag, .cc = 0}, 4);
    mpich.arrive(mpich.world, {.rank = 0, .tag = 3, .state = kSelf}, 8);
    const SeenQueue queue = look().named("MPI_COMM_WORLD").messages;
    EXPECT_EQ(queue.details.at(0).synchronous, 1);
    EXPECT_STREQ(queue.operations.at(0).extra_text[0], "eager, the sender waits for the match");
    EXPECT_EQ(queue.details.at(1).protocol, mqs_protocol_self);
    EXPECT_EQ(queue.details.at(1).synchronous, 1);
    EXPECT_EQ(queue.operations.at(1).desired_length, 8);
}

TEST_F(MessagesTest, ForACommunicatorThatDoesNotExistHereAreLeftOut) {
    mpich.arrive(mpich.world, {.rank = 1, .state = kEager, .context_offset = 0x100}, 4);
    EXPECT_THAT(look().named("MPI_COMM_WORLD").messages.operations, SizeIs(0));
}

TEST_F(MessagesTest, OfCollectiveOperationsHaveTheirTagWithoutMarks) {
    mpich.arrive(mpich.world,
                 {.rank = 1, .tag = 1 | 1 << 30 | 1 << 28, .state = kEager, .context_offset = 1},
                 4);
    const SeenQueue queue = look().named("MPI_COMM_WORLD").messages;
    EXPECT_EQ(queue.operations.at(0).actual_tag, 1);
    EXPECT_EQ(queue.details.at(0).collective, 1);
}

TEST_F(MessagesTest, AListThatRunsIntoTheOtherIsAnError) {
    const std::uint64_t message = mpich.arrive(mpich.world, {.rank = 1, .state = kEager}, 4);
    const std::uint64_t receive = mpich.post_receive(mpich.world, {.rank = 2});
    mpich.request(receive).next = message;
    EXPECT_GE(look().named("MPI_COMM_WORLD").receives.end, mqs_first_user_code);
}

TEST(ManyMessages, CostFewReadsAndLittleMemoryEach) {
    constexpr std::size_t kMessages = 100000;
    StubDebugger debugger;
    FakeMpich mpich(4, 0, std::size_t{64} << 20);
    for (std::size_t i = 0; i < kMessages; ++i) {
        mpich.arrive(mpich.world, {.rank = 1, .tag = static_cast<int>(i), .state = kEager}, 4);
    }
    ASSERT_EQ(debugger.set_up(mpich.target), mqs_ok);
    const auto start = std::chrono::steady_clock::now();
    ASSERT_EQ(mqs_update_communicator_list(mpich.target.process()), mqs_ok);
    ASSERT_EQ(mqs_setup_communicator_iterator(mpich.target.process()), mqs_ok);
    ASSERT_EQ(mqs_setup_operation_iterator(mpich.target.process(), mqs_unexpected_messages),
              mqs_ok);
    std::size_t seen = 0;
    mqs_pending_operation operation;
    while (mqs_next_operation(mpich.target.process(), &operation) == mqs_ok) {
        ASSERT_EQ(operation.actual_tag, static_cast<mqs_tword_t>(seen));
        ++seen;
    }
    const auto took = std::chrono::steady_clock::now() - start;
    RecordProperty(
        "milliseconds",
        static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(took).count()));
    EXPECT_EQ(seen, kMessages);
    EXPECT_LE(mpich.target.reads, kMessages / 10);
    EXPECT_LE(debugger.peak_bytes(), kMessages * 600);
    StubDebugger::tear_down(mpich.target);
    EXPECT_EQ(debugger.blocks(), 0U);
}

TEST_F(MessagesTest, ThatAMatchedProbeHasTakenAreShownAsSuch) {
    const std::uint64_t request = mpich.add_request(
        11, mpich.world, {.rank = 2, .tag = 7, .state = kEager | kSyncFlag, .cc = 0});
    const SeenQueue queue = look().named("MPI_COMM_WORLD").messages;
    ASSERT_EQ(queue.operations.size(), 1U);
    EXPECT_EQ(queue.operations[0].status, mqs_st_matched);
    EXPECT_EQ(queue.operations[0].desired_local_rank, 2);
    EXPECT_EQ(queue.operations[0].desired_tag, 7);
    EXPECT_EQ(queue.details[0].synchronous, 1);
    EXPECT_EQ(queue.details[0].request, static_cast<unsigned>(mpich.request(request).handle));
    EXPECT_STREQ(queue.operations[0].extra_text[1], "taken by a matched probe, not received");
}

}  // namespace
}  // namespace mqinspect::test
