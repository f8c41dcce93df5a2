// Posted, matched and completed receives.
#include "tests/unit/mqs_dll/dll_fixture.h"

namespace mqinspect::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StrEq;
using ReceivesTest = DllTest;

TEST_F(ReceivesTest, AreListedInTheOrderOfMatching) {
    mpich.post_receive(mpich.world, {.rank = 1, .tag = 17, .count = 10});
    mpich.post_receive(mpich.world, {.rank = 3, .tag = 5});
    mpich.post_receive(mpich.world, {.rank = 2, .tag = 99});
    const SeenQueue queue = look().named("MPI_COMM_WORLD").receives;
    ASSERT_THAT(queue.operations, SizeIs(3));
    EXPECT_EQ(queue.operations[0].desired_tag, 17);
    EXPECT_EQ(queue.operations[0].desired_local_rank, 1);
    EXPECT_EQ(queue.operations[0].desired_global_rank, 1);
    EXPECT_EQ(queue.operations[0].buffer, 0x5000U);
    EXPECT_EQ(queue.operations[0].system_buffer, 0);
    EXPECT_EQ(queue.operations[0].status, mqs_st_pending);
    EXPECT_EQ(queue.operations[1].desired_tag, 5);
    EXPECT_EQ(queue.operations[2].desired_tag, 99);
    EXPECT_EQ(queue.end, mqs_end_of_list);
}

TEST_F(ReceivesTest, FromAnySourceWithAnyTagIsAWildcardAndNotRank65534) {
    mpich.post_receive(mpich.world, {.rank = -2, .tag = -1, .count = 1});
    const auto operation = look().named("MPI_COMM_WORLD").receives.operations.at(0);
    EXPECT_EQ(operation.desired_local_rank, -1);
    EXPECT_EQ(operation.desired_global_rank, MQS_INVALID_PROCESS);
    EXPECT_NE(operation.tag_wild, 0);
}

TEST_F(ReceivesTest, LengthsAreBytesAndNotCounts) {
    mpich.post_receive(mpich.world, {.rank = 1, .count = 10, .datatype = 0x4c00080b});
    const int derived = mpich.add_datatype(24, "triple");
    mpich.post_receive(mpich.world, {.rank = 1, .count = 5, .datatype = derived});
    const SeenQueue queue = look().named("MPI_COMM_WORLD").receives;
    EXPECT_EQ(queue.operations.at(0).desired_length, 80);
    EXPECT_EQ(queue.operations.at(1).desired_length, 120);
    EXPECT_STREQ(queue.details.at(0).datatype_name, "MPI_DOUBLE");
    EXPECT_STREQ(queue.details.at(1).datatype_name, "triple");
    EXPECT_EQ(queue.details.at(1).count, 5);
}

TEST_F(ReceivesTest, LengthsBeyond32BitsAreKept) {
    mpich.post_receive(mpich.world, {.rank = 1, .count = std::int64_t{3} << 32});
    EXPECT_EQ(look().named("MPI_COMM_WORLD").receives.operations.at(0).desired_length,
              std::int64_t{12} << 32);
}

TEST_F(ReceivesTest, LengthsThatAreUnknownOrOverflowAreUnknown) {
    mpich.post_receive(mpich.world, {.rank = 1, .count = INT64_MAX});
    mpich.post_receive(mpich.world,
                       {.rank = 1, .count = 1, .datatype = static_cast<int>(0xcc000005)});
    const int unnamed = mpich.add_datatype(8, "");
    mpich.post_receive(mpich.world, {.rank = 1, .count = 1, .datatype = unnamed + 5});
    const SeenQueue queue = look().named("MPI_COMM_WORLD").receives;
    for (const mqs_pending_operation& operation : queue.operations) {
        EXPECT_EQ(operation.desired_length, -1);
    }
    EXPECT_STREQ(queue.details.at(1).datatype_name, "");
}

TEST_F(ReceivesTest, UnnamedDerivedDatatypesAreShownByHandle) {
    const int datatype = mpich.add_datatype(8, "");
    mpich.post_receive(mpich.world, {.rank = 1, .count = 2, .datatype = datatype});
    const std::string name = look().named("MPI_COMM_WORLD").receives.details.at(0).datatype_name;
    // The first direct handles are those of the predefined pair types.
    EXPECT_EQ(name, "MPI_FLOAT_INT");
    for (int i = 0; i < 5; ++i)
        mpich.add_datatype(8, "");
    mpich.post_receive(mpich.world, {.rank = 1, .count = 2, .datatype = datatype + 5});
    EXPECT_STREQ(look().named("MPI_COMM_WORLD").receives.details.at(1).datatype_name,
                 "derived 0x8c000005");
}

TEST_F(ReceivesTest, PendingOnesHaveNoActualEnvelope) {
    mpich.post_receive(mpich.world, {.rank = -2, .tag = -1, .count = 1});
    const auto operation = look().named("MPI_COMM_WORLD").receives.operations.at(0);
    EXPECT_EQ(operation.actual_local_rank, -1);
    EXPECT_EQ(operation.actual_global_rank, -1);
    EXPECT_EQ(operation.actual_length, -1);
}

TEST_F(ReceivesTest, MatchedOnesNameTheirSender) {
    const std::uint64_t address = mpich.add_request(
        kReceive, mpich.world, {.rank = -2, .tag = -1, .count = 100, .state = kRendezvous});
    mpich.request(address).status = {400, 0, 2, 7, 0};
    const SeenQueue queue = look().named("MPI_COMM_WORLD").receives;
    const auto operation = queue.operations.at(0);
    EXPECT_EQ(operation.status, mqs_st_matched);
    EXPECT_EQ(operation.actual_local_rank, 2);
    EXPECT_EQ(operation.actual_global_rank, 2);
    EXPECT_EQ(operation.actual_tag, 7);
    EXPECT_EQ(operation.actual_length, 400);
    EXPECT_EQ(operation.desired_local_rank, -1);
    EXPECT_EQ(queue.details.at(0).protocol, mqs_protocol_rendezvous);
}

TEST_F(ReceivesTest, CompletedOnesThatAreNotWaitedForAreShownComplete) {
    const std::uint64_t address =
        mpich.add_request(kReceive, mpich.world, {.rank = 1, .tag = 3, .count = 100, .cc = 0});
    mpich.request(address).ref_count = 1;
    mpich.request(address).status = {40, 0, 1, 3, 0};
    const SeenQueue queue = look().named("MPI_COMM_WORLD").receives;
    EXPECT_EQ(queue.operations.at(0).status, mqs_st_complete);
    EXPECT_EQ(queue.operations.at(0).actual_length, 40);
    EXPECT_THAT(queue.operations.at(0).extra_text, Not(Contains(StrEq("cancelled"))));
}

TEST_F(ReceivesTest, CancelledOnesKeepTheEnvelopeOfTheirCall) {
    const std::uint64_t address =
        mpich.add_request(kReceive, mpich.world, {.rank = 1, .tag = 17, .count = 10, .cc = 0});
    mpich.request(address).status = {0, 1, 0, 0, 0};
    const SeenQueue queue = look().named("MPI_COMM_WORLD").receives;
    ASSERT_THAT(queue.operations, SizeIs(1));
    const mqs_pending_operation& operation = queue.operations[0];
    EXPECT_EQ(operation.status, mqs_st_complete);
    EXPECT_EQ(operation.desired_local_rank, 1);
    EXPECT_EQ(operation.desired_global_rank, 1);
    EXPECT_EQ(operation.desired_tag, 17);
    EXPECT_EQ(operation.tag_wild, 0);
    EXPECT_EQ(operation.desired_length, 40);
    EXPECT_EQ(operation.actual_local_rank, -1);
    EXPECT_EQ(operation.actual_global_rank, -1);
    EXPECT_EQ(operation.actual_tag, -1);
    EXPECT_EQ(operation.actual_length, -1);
    EXPECT_THAT(operation.extra_text, Contains(StrEq("cancelled")));
    EXPECT_EQ(queue.details[0].protocol, mqs_protocol_unknown);
}

TEST_F(ReceivesTest, CancelledWildcardsStayWildcards) {
    const std::uint64_t address =
        mpich.add_request(kReceive, mpich.world, {.rank = -2, .tag = -1, .count = 10, .cc = 0});
    mpich.request(address).status = {0, 1, 0, 0, 0};
    const auto operation = look().named("MPI_COMM_WORLD").receives.operations.at(0);
    EXPECT_EQ(operation.status, mqs_st_complete);
    EXPECT_EQ(operation.desired_local_rank, -1);
    EXPECT_NE(operation.tag_wild, 0);
    EXPECT_EQ(operation.actual_local_rank, -1);
    EXPECT_EQ(operation.actual_tag, -1);
}

TEST_F(ReceivesTest, FreedRequestsAreNotShown) {
    mpich.free_request(mpich.add_request(kReceive, mpich.world, {.rank = 1}));
    const std::uint64_t filled = mpich.add_request(kReceive, mpich.world, {.rank = 1});
    mpich.request(filled).ref_count = static_cast<std::int32_t>(0xececececU);
    EXPECT_THAT(look().named("MPI_COMM_WORLD").receives.operations, IsEmpty());
}

TEST_F(ReceivesTest, ActivePersistentOnesAreShownOnceWithTheUsersRequest) {
    const std::uint64_t real = mpich.post_receive(mpich.world, {.rank = 1, .tag = 4, .count = 1});
    const std::uint64_t persistent = mpich.add_persistent(real);
    const SeenQueue queue = look().named("MPI_COMM_WORLD").receives;
    ASSERT_THAT(queue.operations, SizeIs(1));
    EXPECT_EQ(queue.details[0].persistent, 1);
    EXPECT_EQ(queue.details[0].request_address, persistent);
    EXPECT_EQ(queue.details[0].active_address, real);
    EXPECT_EQ(queue.details[0].request, static_cast<unsigned>(mpich.request(persistent).handle));
    EXPECT_STREQ(queue.operations[0].extra_text[0], "persistent receive");
}

TEST_F(ReceivesTest, SayWhatTheyAre) {
    const std::uint64_t address =
        mpich.post_receive(mpich.world, {.rank = 1, .tag = 17, .count = 10});
    const SeenQueue queue = look().named("MPI_COMM_WORLD").receives;
    EXPECT_STREQ(queue.operations.at(0).extra_text[0], "receive");
    EXPECT_STREQ(queue.operations.at(0).extra_text[1], "count 10 x MPI_INT");
    EXPECT_STREQ(queue.operations.at(0).extra_text[2], "request 0xec000000");
    EXPECT_STREQ(queue.operations.at(0).extra_text[3], "");
    EXPECT_STREQ(queue.operations.at(0).extra_text[4], "");
    EXPECT_EQ(queue.details.at(0).kind, mqs_op_receive);
    EXPECT_EQ(queue.details.at(0).request_address, address);
}

TEST_F(ReceivesTest, OnCommSelfAreShown) {
    mpich.post_receive(mpich.self, {.rank = 0, .tag = 1, .count = 1});
    EXPECT_THAT(look().named("MPI_COMM_SELF").receives.operations, SizeIs(1));
}

TEST_F(ReceivesTest, ALoopInTheListIsAnErrorAfterWhatIsGood) {
    const std::uint64_t first = mpich.post_receive(mpich.world, {.rank = 1, .tag = 1});
    const std::uint64_t second = mpich.post_receive(mpich.world, {.rank = 1, .tag = 2});
    mpich.request(second).next = first;
    const SeenQueue queue = look().named("MPI_COMM_WORLD").receives;
    EXPECT_THAT(queue.operations, SizeIs(2));
    EXPECT_GE(queue.end, mqs_first_user_code);
}

TEST_F(ReceivesTest, AnUnreadableNodeIsAnErrorAndNoEmptyList) {
    const std::uint64_t only = mpich.post_receive(mpich.world, {.rank = 1, .tag = 1});
    mpich.request(only).next = 0x10;
    SeenQueue queue = look().named("MPI_COMM_WORLD").receives;
    EXPECT_THAT(queue.operations, SizeIs(1));
    EXPECT_GE(queue.end, mqs_first_user_code);

    mpich.variable<std::uint64_t>("recvq_posted_head") = 0x10;
    queue = look().named("MPI_COMM_WORLD").receives;
    EXPECT_THAT(queue.operations, IsEmpty());
    EXPECT_GE(queue.end, mqs_first_user_code);
    // The other queues are not concerned.
    EXPECT_EQ(look().named("MPI_COMM_WORLD").messages.end, mqs_end_of_list);
}

TEST_F(ReceivesTest, ANodeOutsideOfThePoolIsReadSingly) {
    FakeRequest request = mpich.request(mpich.add_request(kReceive, mpich.world, {.rank = 2}));
    request.dev.match.tag = 44;
    const std::uint64_t address = mpich.memory.add(request);
    mpich.request(address).cc_ptr = address + offsetof(FakeRequest, cc);
    mpich.variable<std::uint64_t>("recvq_posted_head") = address;
    EXPECT_EQ(look().named("MPI_COMM_WORLD").receives.operations.at(0).desired_tag, 44);
}

TEST_F(ReceivesTest, WithoutTheListThereIsNoInformation) {
    mpich.target.symbols.erase("recvq_posted_head");
    EXPECT_EQ(look().named("MPI_COMM_WORLD").receives.setup, mqs_no_information);
}

TEST_F(ReceivesTest, TheHeadIsFoundThroughThePointerForDebuggers) {
    const std::uint64_t head = mpich.symbol("recvq_posted_head");
    mpich.post_receive(mpich.world, {.rank = 1, .tag = 8});
    mpich.target.symbols.erase("recvq_posted_head");
    mpich.target.symbols["MPID_Recvq_posted_head_ptr"] = mpich.memory.add(head);
    EXPECT_THAT(look().named("MPI_COMM_WORLD").receives.operations, SizeIs(1));
}

TEST_F(ReceivesTest, HeadsAreReadAnewAtEachUpdate) {
    EXPECT_THAT(look().named("MPI_COMM_WORLD").receives.operations, IsEmpty());
    mpich.post_receive(mpich.world, {.rank = 1, .tag = 8});
    EXPECT_THAT(look().named("MPI_COMM_WORLD").receives.operations, SizeIs(1));
}

}  // namespace
}  // namespace mqinspect::test
