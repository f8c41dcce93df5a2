// The lists of a recorder in a process whose MPI library shows nothing.
#include <array>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "include/pending_operations.h"
#include "tests/support/recorded_process.h"

namespace mqinspect::test {
namespace {

using pending::Kind;
using pending::State;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint64_t kWorld = RecordedProcess::kWorld;
constexpr std::size_t kPlaces = RecordedProcess::kPlaces;

/// Under a debugger that counts what the DLL allocates.
class SeenProcess : public RecordedProcess {
public:
    SeenQueues look() {
        SeenQueues seen;
        seen.update = debugger.set_up(target);
        if (seen.update == mqs_ok) seen = test::look(target);
        StubDebugger::tear_down(target);
        EXPECT_EQ(debugger.blocks(), 0U) << "the DLL has not freed what it allocated";
        return seen;
    }

    StubDebugger debugger;
};

std::vector<long> tags_of(const SeenQueue& queue) {
    std::vector<long> tags;
    for (const mqs_pending_operation& each : queue.operations)
        tags.push_back(each.desired_tag);
    return tags;
}

TEST(RecorderLists, ShowReceivesAndSendsInTheOrderInWhichTheyWereStarted) {
    SeenProcess process;
    process.request(3) = recorded_operation(Kind::Receive, 0, 30, 3);
    process.request(9) = recorded_operation(Kind::Receive, 2, 10, 1);
    process.request(5) = recorded_operation(Kind::SynchronousSend, 2, 20, 2);
    process.blocked().send = recorded_operation(Kind::Send, 3, 40, 0);

    const SeenQueues seen = process.look();

    EXPECT_EQ(seen.world_rank, 1);
    const SeenCommunicator& world = seen.named("MPI_COMM_WORLD");
    EXPECT_THAT(world.group, ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(tags_of(world.receives), ElementsAre(10, 30));
    EXPECT_THAT(tags_of(world.sends), ElementsAre(20, 40));
    EXPECT_EQ(world.receives.end, mqs_end_of_list);
    EXPECT_EQ(world.sends.end, mqs_end_of_list);
    EXPECT_EQ(world.messages.setup, mqs_no_information) << "only their senders know";
    EXPECT_EQ(world.sends.details[0].kind, mqs_op_synchronous_send);
    EXPECT_EQ(world.sends.details[0].request, 0xac000002U);
    EXPECT_EQ(world.sends.operations[0].desired_length, 12);
    EXPECT_EQ(world.sends.operations[0].desired_global_rank, 2);
    EXPECT_EQ(world.sends.details[1].request, 0U) << "a blocking call has no handle";
}

TEST(RecorderLists, ShowWildcardsAndSkipWhatWaitsForNobody) {
    SeenProcess process;
    process.request(0) = recorded_operation(Kind::Receive, -2, -1, 1);
    process.request(1) = recorded_operation(Kind::Receive, -1, 7, 2);  // MPI_PROC_NULL
    process.request(2) = recorded_operation(Kind::Send, 2, 8, 3);
    process.request(2).persistent = 1;  // not started
    process.request(3) = recorded_operation(Kind::Other, 2, 9, 4);

    const SeenQueues seen = process.look();

    const SeenCommunicator& world = seen.named("MPI_COMM_WORLD");
    ASSERT_EQ(world.receives.operations.size(), 1U);
    EXPECT_EQ(world.receives.operations[0].desired_local_rank, -1);
    EXPECT_NE(world.receives.operations[0].tag_wild, 0);
    EXPECT_THAT(world.sends.operations, IsEmpty());
}

TEST(RecorderLists, ShowNonblockingCollectives) {
    SeenProcess process;
    process.request(0) = recorded_operation(Kind::Collective, 0, 0, 1);
    process.request(0).sequence = 4;
    process.communicator(process.world).collectives = 5;
    const char name[] = "MPI_Ibarrier";
    std::array<char, 64> text{};
    std::memcpy(text.data(), name, sizeof name);
    process.request(0).function = process.memory.add(text);

    const SeenQueues seen = process.look();

    const SeenCommunicator& world = seen.named("MPI_COMM_WORLD");
    ASSERT_EQ(world.collectives.details.size(), 1U);
    EXPECT_EQ(world.collectives.details[0].sequence, 4);
    EXPECT_STREQ(world.collectives.details[0].function, "MPI_Ibarrier");
    EXPECT_EQ(world.details.collectives_started, 5);
}

TEST(RecorderLists, ShowMessagesThatMatchedProbesHaveTaken) {
    SeenProcess process;
    process.head().messages = {
        process.memory.add(pending::Request{recorded_operation(Kind::MatchedReceive, 2, 6, 1), {}}),
        1};

    const SeenQueues seen = process.look();

    const SeenQueue& messages = seen.named("MPI_COMM_WORLD").messages;
    ASSERT_EQ(messages.operations.size(), 1U);
    EXPECT_EQ(messages.operations[0].status, mqs_st_matched);
    EXPECT_EQ(messages.operations[0].actual_tag, 6);
    EXPECT_EQ(messages.operations[0].actual_local_rank, 2);
    EXPECT_EQ(messages.end, mqs_no_information) << "there may be more";
}

TEST(RecorderLists, HideSendsAndReceivesBesideAPartitionedOperation) {
    SeenProcess process;
    process.request(0) = recorded_operation(Kind::PartitionedSend, 2, 1, 1);

    const SeenQueues seen = process.look();

    const SeenCommunicator& world = seen.named("MPI_COMM_WORLD");
    EXPECT_EQ(world.receives.setup, mqs_no_information);
    EXPECT_EQ(world.sends.setup, mqs_no_information);
}

TEST(RecorderLists, ShowBothPartsOfMpiIsendrecv) {
    SeenProcess process;
    process.entry(0) = {
        recorded_operation(Kind::SendReceive, 2, 1, 1),
        {.peer = 3, .tag = 7, .count = 5, .datatype = 0x4c000405, .element_bytes = 4}};

    const SeenQueues seen = process.look();

    const SeenCommunicator& world = seen.named("MPI_COMM_WORLD");
    ASSERT_EQ(world.collectives.details.size(), 1U);
    EXPECT_EQ(world.collectives.details[0].kind, mqs_op_sendrecv);
    const std::uint32_t whole = world.collectives.details[0].request;
    ASSERT_EQ(world.receives.operations.size(), 1U);
    EXPECT_EQ(world.receives.operations[0].desired_local_rank, 3);
    EXPECT_EQ(world.receives.operations[0].desired_tag, 7);
    EXPECT_EQ(world.receives.operations[0].desired_length, 20);
    EXPECT_EQ(world.receives.details[0].part_of, whole);
    ASSERT_EQ(world.sends.operations.size(), 1U);
    EXPECT_EQ(world.sends.operations[0].desired_local_rank, 2);
    EXPECT_EQ(world.sends.operations[0].desired_tag, 1);
    EXPECT_EQ(world.sends.details[0].part_of, whole);
}

TEST(RecorderLists, HaveNoPartOfMpiIsendrecvForTheNullProcess) {
    SeenProcess process;
    process.entry(0) = {recorded_operation(Kind::SendReceive, 2, 1, 1), {.peer = -1, .tag = 7}};

    const SeenQueues seen = process.look();

    EXPECT_THAT(seen.named("MPI_COMM_WORLD").receives.operations, IsEmpty());
}

TEST(RecorderLists, ListCommunicatorsOldestFirstBehindThoseThatAreAlwaysThere) {
    SeenProcess process;
    process.add_communicator({.handle = 0x84000001, .name = "rows", .size = 2, .rank = 1},
                             {{3, 1, -2}});
    process.add_communicator({.handle = 0x44000001, .name = "MPI_COMM_SELF", .size = 1, .rank = 0},
                             {{1, 1, 1}});

    const SeenQueues seen = process.look();

    ASSERT_EQ(seen.communicators.size(), 3U);
    EXPECT_STREQ(seen.communicators[0].communicator.name, "MPI_COMM_WORLD");
    EXPECT_STREQ(seen.communicators[1].communicator.name, "MPI_COMM_SELF");
    EXPECT_STREQ(seen.communicators[2].communicator.name, "rows");
    EXPECT_THAT(seen.communicators[2].group, ElementsAre(3, 1));
}

TEST(RecorderLists, TellCountedMessages) {
    SeenProcess process;
    std::array<pending::MessageCounts, 4> counts{};
    counts[2].sent = 3;
    counts[2].sent_tags = 21;
    counts[0].received = 1;
    process.communicator(process.world).counts = process.memory.add(counts);
    ASSERT_EQ(process.debugger.set_up(process.target), mqs_ok);
    mqs_process* handle = process.target.process();
    ASSERT_EQ(mqs_update_communicator_list(handle), mqs_ok);
    ASSERT_EQ(mqs_setup_communicator_iterator(handle), mqs_ok);

    ASSERT_EQ(mqs_setup_message_counts(handle), mqs_ok);
    mqs_message_counts seen{};
    seen.struct_size = sizeof seen;
    ASSERT_EQ(mqs_next_message_counts(handle, &seen), mqs_ok);
    EXPECT_EQ(seen.peer, 0);
    EXPECT_EQ(seen.received, 1U);
    ASSERT_EQ(mqs_next_message_counts(handle, &seen), mqs_ok);
    EXPECT_EQ(seen.peer, 2);
    EXPECT_EQ(seen.sent_tags, 21U);
    EXPECT_EQ(mqs_next_message_counts(handle, &seen), mqs_end_of_list);
    StubDebugger::tear_down(process.target);
}

TEST(RecorderLists, CountTheCallsOfAllThreads) {
    SeenProcess process;
    process.blocked().calls = 7;
    pending::Thread older;
    older.calls = 4;
    process.blocked().next = process.memory.add(older);
    ASSERT_EQ(process.debugger.set_up(process.target), mqs_ok);
    mqs_taddr_t count = 0;
    EXPECT_EQ(mqs_get_progress_count(process.target.process(), &count), mqs_ok);
    EXPECT_EQ(count, 11U);
    StubDebugger::tear_down(process.target);
}

TEST(RecorderLists, SayThatMessagesWereNotCounted) {
    SeenProcess process;
    process.communicator(process.world).uncounted = 1;
    ASSERT_EQ(process.debugger.set_up(process.target), mqs_ok);
    mqs_process* handle = process.target.process();
    ASSERT_EQ(mqs_update_communicator_list(handle), mqs_ok);
    ASSERT_EQ(mqs_setup_communicator_iterator(handle), mqs_ok);
    EXPECT_GE(mqs_setup_message_counts(handle), mqs_first_user_code);
    StubDebugger::tear_down(process.target);
}

TEST(RecorderLists, AreNotThereWithoutARecording) {
    for (const auto& spoil : std::vector<std::function<void(pending::Head&)>>{
             [](pending::Head& head) { head.state = State::None; },
             [](pending::Head& head) { head.version = pending::kVersion + 1; },
             [](pending::Head& head) { head.magic = 0; },
             [](pending::Head& head) { head.communicator_bytes = 8; }}) {
        SeenProcess process;
        spoil(process.head());
        char* message = nullptr;
        process.debugger.set_up(process.target);
        EXPECT_NE(mqs_process_has_queues(process.target.process(), &message), mqs_ok);
        ASSERT_NE(message, nullptr);
        EXPECT_NE(std::string(message).find("debug information"), std::string::npos) << message;
        StubDebugger::tear_down(process.target);
    }
}

TEST(RecorderLists, SayWhereTheyComeFrom) {
    SeenProcess process;
    ASSERT_EQ(process.debugger.set_up(process.target), mqs_ok);
    char* message = nullptr;
    ASSERT_EQ(mqs_process_has_queues(process.target.process(), &message), mqs_ok);
    ASSERT_NE(message, nullptr);
    EXPECT_NE(std::string(message).find("recorder"), std::string::npos) << message;
    StubDebugger::tear_down(process.target);
}

TEST(RecorderLists, HaveNothingPendingAfterMpiFinalize) {
    SeenProcess process;
    process.request(0) = recorded_operation(Kind::Receive, 0, 30, 3);
    process.head().state = State::Finalized;
    EXPECT_THAT(process.look().communicators, IsEmpty());
}

TEST(RecorderLists, AreNotWholeWhereACallWasNotRecordedOrATableChanges) {
    for (const auto& spoil : std::vector<std::function<void(pending::Head&)>>{
             [](pending::Head& head) { head.state = State::Incomplete; },
             [](pending::Head& head) { head.changing = 1; },
             [](pending::Head& head) { head.requests.places = std::uint64_t{1} << 60; },
             [](pending::Head& head) { head.requests.entries = 0x10; },
             [](pending::Head& head) { head.request_bytes = 16; },
             [](pending::Head& head) { head.threads = 0x10; }}) {
        SeenProcess process;
        process.request(0) = recorded_operation(Kind::Receive, 0, 30, 3);
        spoil(process.head());
        const SeenQueues seen = process.look();
        const SeenCommunicator& world = seen.named("MPI_COMM_WORLD");
        EXPECT_FALSE(world.receives.setup == mqs_ok && world.receives.end == mqs_end_of_list);
        EXPECT_FALSE(world.sends.setup == mqs_ok && world.sends.end == mqs_end_of_list);
    }
}

TEST(RecorderLists, OfCommunicatorsEndWhereTheyRunInCircles) {
    SeenProcess process;
    process.communicator(process.world).next = process.world;
    EXPECT_NE(process.look().end, mqs_end_of_list);
}

TEST(RecorderLists, OfThreadsEndWhereTheyRunInCircles) {
    SeenProcess process;
    process.blocked().next = process.thread;
    const SeenQueues seen = process.look();
    EXPECT_NE(seen.named("MPI_COMM_WORLD").receives.end, mqs_end_of_list);
}

TEST(RecorderLists, KnowNoMembersWhereTheRangesAreNotThoseOfTheGroup) {
    for (const pending::Ranks& range : {pending::Ranks{0, 2, 1},
                                        pending::Ranks{0, 4, 1},
                                        pending::Ranks{0, 3, 0},
                                        pending::Ranks{0, 2147483647, 1}}) {
        SeenProcess process;
        process.memory.store(process.communicator(process.world).members, range);
        EXPECT_THAT(process.look().named("MPI_COMM_WORLD").group, IsEmpty());
    }
}

TEST(RecorderLists, SurviveRandomDamage) {
    for (std::uint32_t seed = 1; seed <= 500; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 random(seed);
        SeenProcess process;
        process.request(0) = recorded_operation(Kind::Receive, 0, 30, 3);
        process.request(1) = recorded_operation(Kind::Collective, 0, 30, 4);
        std::array<pending::MessageCounts, 4> counts{};
        process.communicator(process.world).counts = process.memory.add(counts);
        for (std::uint32_t i = 0; i <= random() % 16; ++i) {
            const std::uint64_t address =
                FakeMemory::kBase + random() % (process.memory.used() / 8) * 8;
            switch (random() % 4) {
                case 0:
                    process.memory.store(address, std::uint64_t{random()});
                    break;
                case 1:
                    process.memory.store(address,
                                         FakeMemory::kBase + random() % process.memory.used());
                    break;
                case 2:
                    process.memory.store(address, std::uint64_t{random()} << 32);
                    break;
                default:
                    process.memory.forbid(address);
                    break;
            }
        }
        process.look();
    }
}

}  // namespace
}  // namespace mqinspect::test
