// Collective operations: the nonblocking ones, and the internal traffic of all.
#include "tests/support/fake_windows.h"
#include "tests/unit/mqs_dll/dll_fixture.h"

namespace mqinspect::test {
namespace {

using testing::IsEmpty;
using testing::SizeIs;
using CollectivesTest = DllTest;

TEST_F(CollectivesTest, NonblockingOnesAreNumberedFromZero) {
    mpich.start_collective(mpich.world, 287);
    const std::uint64_t second = mpich.start_collective(mpich.world, 288);
    const SeenQueues seen = look();
    const SeenCommunicator& world = seen.named("MPI_COMM_WORLD");
    ASSERT_THAT(world.collectives.operations, SizeIs(2));
    EXPECT_EQ(world.collectives.details[0].sequence, 0);
    EXPECT_EQ(world.collectives.details[1].sequence, 1);
    EXPECT_EQ(world.collectives.details[1].kind, mqs_op_collective);
    EXPECT_EQ(world.collectives.details[1].request_address, second);
    EXPECT_EQ(world.collectives.details[1].request,
              static_cast<unsigned>(mpich.request(second).handle));
    EXPECT_EQ(world.details.collectives_started, 2);
    EXPECT_EQ(seen.named("MPI_COMM_SELF").details.collectives_started, 0);
    EXPECT_STREQ(world.collectives.operations[0].extra_text[0],
                 "nonblocking collective operation number 0");
}

TEST_F(CollectivesTest, SayWhomTheyWaitFor) {
    mpich.start_collective(mpich.world, 287);
    mpich.start_collective(mpich.world, 288);
    mpich.post_receive(mpich.world, {.rank = 3, .tag = 288, .context_offset = 1});
    mpich.add_request(
        kSend, mpich.world, {.rank = 2, .tag = 288, .state = kTypeSend, .context_offset = 1});
    const SeenQueue queue = look().named("MPI_COMM_WORLD").collectives;
    EXPECT_STREQ(queue.operations.at(0).extra_text[2], "");
    EXPECT_STREQ(queue.operations.at(1).extra_text[2], "waits for rank 3");
    EXPECT_STREQ(queue.operations.at(1).extra_text[3], "sends to rank 2");
}

TEST_F(CollectivesTest, CompletedOnesThatAreNotWaitedForAreShownComplete) {
    mpich.add_request(kColl, mpich.world, {.cc = 0});
    const SeenQueue queue = look().named("MPI_COMM_WORLD").collectives;
    EXPECT_EQ(queue.operations.at(0).status, mqs_st_complete);
    EXPECT_EQ(queue.details.at(0).sequence, -1);
}

TEST_F(CollectivesTest, AnUnknownFirstTagMakesNumbersUnknown) {
    mpich.start_collective(mpich.world, 12);
    mpich.comm(mpich.world).next_sched_tag = 13;
    const SeenQueues seen = look();
    EXPECT_EQ(seen.named("MPI_COMM_WORLD").details.collectives_started, -1);
    EXPECT_EQ(seen.named("MPI_COMM_WORLD").collectives.details.at(0).sequence, -1);
}

TEST_F(CollectivesTest, InternalTrafficBelongsToTheCommunicatorOfTheCall) {
    mpich.post_receive(mpich.world, {.rank = 2, .tag = 1, .context_offset = 1});
    mpich.post_receive(mpich.world, {.rank = 3, .tag = 50});
    const SeenQueue queue = look().named("MPI_COMM_WORLD").receives;
    ASSERT_THAT(queue.operations, SizeIs(2));
    // The user's own come first.
    EXPECT_EQ(queue.operations[0].desired_tag, 50);
    EXPECT_EQ(queue.details[0].collective, 0);
    EXPECT_EQ(queue.details[1].collective, 1);
    EXPECT_EQ(queue.details[1].request, 0U);
    EXPECT_STREQ(queue.operations[1].extra_text[0], "of a collective operation: receive");
}

TEST_F(CollectivesTest, TrafficOfANodesCommunicatorIsShownWithRanksOfTheParent) {
    const std::uint64_t user = mpich.add_comm({"user", 64, {3, 2, 1, 0}});
    const std::uint64_t node = mpich.add_internal(user, 2, {2, 0});
    const std::uint64_t receive =
        mpich.post_receive(node, {.rank = 0, .tag = 1, .context_offset = 1});
    SeenQueue queue = look().named("user").receives;
    ASSERT_THAT(queue.operations, SizeIs(1));
    EXPECT_EQ(queue.operations[0].desired_local_rank, 1);
    EXPECT_EQ(queue.operations[0].desired_global_rank, 2);
    EXPECT_EQ(queue.details[0].collective, 1);
    // Where internal ones are shown, it stays where it is.
    mqs_show_internal(mpich.target.process(), 1);
    const SeenQueues seen = look();
    EXPECT_THAT(seen.named("user").receives.operations, IsEmpty());
    for (const SeenCommunicator& comm : seen.communicators) {
        if (comm.details.address == node) {
            EXPECT_EQ(comm.receives.operations.at(0).desired_local_rank, 0);
            EXPECT_EQ(comm.receives.details.at(0).request_address, receive);
        }
    }
}

TEST_F(CollectivesTest, TrafficInTheLocalGroupOfAnIntercommunicatorBelongsToIt) {
    const std::uint64_t inter = mpich.add_comm({"inter", 64, {1, 3}, {0, 2}, 80});
    mpich.add_comm({"decoy", 64, {0, 1}});
    FakeComm local = mpich.comm(mpich.world);
    local.handle = static_cast<std::int32_t>(0x84000070U);
    local.context_id = local.recvcontext_id = 80 | 8;
    local.dev.vcrt = mpich.comm(inter).dev.local_vcrt;
    local.local_size = local.remote_size = 2;
    local.name[0] = '\0';
    local.comm_next = 0;
    const std::uint64_t address = mpich.memory.add(local);
    mpich.comm(inter).local_comm = address;
    mpich.post_receive(address, {.rank = 1, .tag = 1, .context_offset = 1});
    const SeenQueues seen = look();
    ASSERT_THAT(seen.named("inter").receives.operations, SizeIs(1));
    EXPECT_EQ(seen.named("inter").receives.operations[0].desired_global_rank, 2);
    EXPECT_THAT(seen.named("decoy").receives.operations, IsEmpty());
}

TEST_F(CollectivesTest, FinishedInternalTrafficIsNotShown) {
    mpich.add_request(kReceive, mpich.world, {.rank = 2, .cc = 0, .context_offset = 1});
    mpich.start_send(mpich.world, {.rank = 2, .state = kTypeSend, .cc = 0, .context_offset = 1});
    const SeenQueues seen = look();
    EXPECT_THAT(seen.named("MPI_COMM_WORLD").receives.operations, IsEmpty());
    EXPECT_THAT(seen.named("MPI_COMM_WORLD").sends.operations, IsEmpty());
}

TEST_F(CollectivesTest, ALoopInTheSchedulesIsAnError) {
    mpich.start_collective(mpich.world, 287);
    const std::uint64_t schedule = mpich.variable<std::uint64_t>("all_schedules");
    mpich.memory.at<FakeSchedule>(schedule).next = schedule;
    const SeenQueue queue = look().named("MPI_COMM_WORLD").collectives;
    EXPECT_THAT(queue.operations, SizeIs(1));
    EXPECT_GE(queue.end, mqs_first_user_code);
}

TEST_F(CollectivesTest, WithoutSchedulesThereIsNoInformation) {
    mpich.target.symbols.erase("all_schedules");
    EXPECT_EQ(look().named("MPI_COMM_WORLD").collectives.setup, mqs_no_information);
}

std::vector<int> peers_of_current(StubTarget& target, int direction) {
    std::vector<int> ranks(8, -1);
    int count = 0;
    const int code = mqs_get_operation_peers(target.process(), direction, ranks.data(), 8, &count);
    if (code != mqs_ok) return {-2};
    ranks.resize(static_cast<std::size_t>(count));
    return ranks;
}

TEST_F(CollectivesTest, SaysWhichPartsOfAScheduleAreUnderWay) {
    StubDebugger::tear_down(mpich.target);
    FakeWindows fakes(mpich);
    ASSERT_EQ(debugger.set_up(mpich.target), mqs_ok);
    const std::uint64_t user = mpich.add_comm({"user", 64, {3, 2, 1, 0}});
    const std::uint64_t node = mpich.add_internal(user, 2, {2, 0});
    const std::uint64_t collective = mpich.add_request(kColl, user, {});
    const auto part = [&](int cc) { return mpich.add_request(kSend, user, {.cc = cc}); };
    const std::uint64_t schedule = fakes.add_schedule(
        collective,
        {
            {2, 2, user, part(1), 0},  // complete
            {2, 1, user, part(1), 3},  // a receive that has begun
            {2, 1, user, part(0), 1},  // its request is complete
            {1, 1, node, part(1), 0},  // a send to rank 0 of the node: world rank 2
            {2, 1, user, part(1), 3},  // once more
            {2, 0, user, 0, 2},        // not begun
        });

    mqs_process* process = mpich.target.process();
    ASSERT_EQ(mqs_update_communicator_list(process), mqs_ok);
    ASSERT_EQ(mqs_setup_communicator_iterator(process), mqs_ok);
    mqs_communicator communicator{};
    while (mqs_get_communicator(process, &communicator) == mqs_ok &&
           std::string(communicator.name) != "user")
        ASSERT_EQ(mqs_next_communicator(process), mqs_ok);
    ASSERT_EQ(mqs_setup_operation_iterator(process, mqs_pending_collectives), mqs_ok);
    mqs_pending_operation operation{};
    ASSERT_EQ(mqs_next_operation(process, &operation), mqs_ok);
    EXPECT_THAT(peers_of_current(mpich.target, mqs_peers_receive), testing::ElementsAre(3));
    EXPECT_THAT(peers_of_current(mpich.target, mqs_peers_send), testing::ElementsAre(1));
    EXPECT_EQ(mqs_next_operation(process, &operation), mqs_end_of_list);

    // Lengths that cannot be true.
    mpich.memory.at<std::int32_t>(schedule + 40) = 1 << 30;
    EXPECT_GE(look().named("user").collectives.end, mqs_first_user_code);
    mpich.memory.at<std::int32_t>(schedule + 40) = -1;
    EXPECT_EQ(look().named("user").collectives.end, mqs_end_of_list);
}

// The second engine keeps its links inside of the request, and the communicator in
// the vertices of its graph.
TEST_F(CollectivesTest, AnIsendrecvIsToldByItsParts) {
    StubDebugger::tear_down(mpich.target);
    FakeWindows fakes(mpich);
    ASSERT_EQ(debugger.set_up(mpich.target), mqs_ok);
    const std::uint64_t request = mpich.add_request(kColl, mpich.world, {});
    const std::uint64_t receive = mpich.post_receive(mpich.world, {.rank = 3, .tag = 5});
    const std::uint64_t other = mpich.post_receive(mpich.world, {.rank = 3, .tag = 5});
    constexpr std::int32_t plain_send = 3, plain_receive = 4, started = 1, complete = 2;
    fakes.add_schedule(request,
                       {{plain_send, complete, mpich.world, 0, 1},
                        {plain_receive, started, mpich.world, receive, 3}},
                       -1);

    const SeenQueues seen = look();

    const SeenCommunicator& world = seen.named("MPI_COMM_WORLD");
    const auto handle = static_cast<unsigned>(mpich.request(request).handle);
    ASSERT_THAT(world.collectives.details, SizeIs(1));
    EXPECT_EQ(world.collectives.details[0].kind, mqs_op_sendrecv);
    EXPECT_EQ(world.collectives.details[0].request, handle);
    EXPECT_STREQ(world.collectives.operations[0].extra_text[0],
                 "nonblocking send and receive (MPI_Isendrecv)");
    ASSERT_THAT(world.receives.details, SizeIs(2));
    EXPECT_EQ(world.receives.details[0].part_of, handle);
    EXPECT_EQ(world.receives.details[0].request, 0U);
    EXPECT_STREQ(world.receives.operations[0].extra_text[0], "part of MPI_Isendrecv: receive");
    EXPECT_EQ(world.receives.details[1].part_of, 0U);
    EXPECT_EQ(world.receives.details[1].request,
              static_cast<unsigned>(mpich.request(other).handle));
}

TEST_F(CollectivesTest, OfTheGenericEngineAreFoundThroughTheirVertices) {
    auto& types = mpich.target.types;
    types["MPII_Coll_queue_t"] = {8, {{"head", 0}}};
    types["MPII_Coll_req_t"] = {16, {{"sched", 0}, {"next", 8}}};
    types["MPII_Genutil_sched_t"] = {16, {{"req", 0}, {"issued_head", 8}}};
    types["MPII_Genutil_vtx_t"] = {64, {{"vtx_kind", 0}, {"u", 8}, {"next", 56}}};
    StubDebugger::tear_down(mpich.target);
    ASSERT_EQ(debugger.set_up(mpich.target), mqs_ok);
    const std::uint64_t request = mpich.add_request(kColl, mpich.world, {});
    mpich.request(request).comm = 0;
    const std::uint64_t vertex = mpich.memory.allocate(64);
    mpich.memory.at<std::int32_t>(vertex) = 1;                      // a receive
    mpich.memory.at<std::int32_t>(vertex + 8 + 24) = 290;           // tag
    mpich.memory.at<std::uint64_t>(vertex + 8 + 32) = mpich.world;  // communicator
    const std::uint64_t schedule = mpich.memory.allocate(16);
    mpich.memory.at<std::uint64_t>(schedule) = request;
    mpich.memory.at<std::uint64_t>(schedule + 8) = vertex;
    const std::uint64_t entry = mpich.memory.allocate(16);
    mpich.memory.at<std::uint64_t>(entry) = schedule;
    mpich.target.symbols["MPII_coll_queue"] = mpich.memory.add(entry);
    EXPECT_EQ(look().named("MPI_COMM_WORLD").collectives.details.at(0).sequence, 3);
    mpich.memory.at<std::uint64_t>(vertex + 56) = vertex;
    EXPECT_GE(look().named("MPI_COMM_WORLD").collectives.end, mqs_first_user_code);
}

}  // namespace
}  // namespace mqinspect::test
