// What counted messages say of the operations that a recorder lists.
#include "inspector/mqs_host/message_counts.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "include/pending_operations.h"

namespace mqinspect::mqs_host {
namespace {

using model::Operation;
using model::OperationState;
using model::Queue;
using model::WorldRank;
using testing::ElementsAre;
using testing::IsEmpty;

/// Ranks 0 and 1, and what 0 has sent to 1.
class MessageCounts : public testing::Test {
protected:
    MessageCounts() {
        for (int i = 0; i < 2; ++i)
            snapshot.ranks.emplace_back().rank = WorldRank(i);
        model::Communicator world;
        world.id = model::CommunicatorId(0);
        world.name = "MPI_COMM_WORLD";
        world.members = {WorldRank(0), WorldRank(1)};
        snapshot.communicators.push_back(world);
    }
    void list(Queue queue, int tag) {
        Operation operation;
        operation.rank = WorldRank(queue == Queue::PendingSend ? 0 : 1);
        operation.communicator = model::CommunicatorId(0);
        operation.queue = queue;
        operation.world_peer = WorldRank(queue == Queue::PendingSend ? 1 : 0);
        operation.comm_peer = model::CommRank(operation.world_peer->value);
        operation.tag = tag;
        snapshot.operations.push_back(operation);
    }
    void count(const std::vector<int>& sent, const std::vector<int>& received) {
        mqs_message_counts sender{};
        sender.peer = 1;
        for (const int tag : sent) {
            ++sender.sent;
            sender.sent_tags += static_cast<unsigned>(tag);
            sender.sent_hashes += pending::hash_of_tag(tag);
        }
        mqs_message_counts receiver{};
        receiver.peer = 0;
        for (const int tag : received) {
            ++receiver.received;
            receiver.received_tags += static_cast<unsigned>(tag);
            receiver.received_hashes += pending::hash_of_tag(tag);
        }
        const std::vector counts_of_sender{sender};
        const std::vector counts_of_receiver{receiver};
        settle(
            std::vector<CountedCommunicator>{
                {WorldRank(0), model::CommunicatorId(0), of_sender, counts_of_sender},
                {WorldRank(1), model::CommunicatorId(0), of_receiver, counts_of_receiver}},
            snapshot);
    }
    /// Tags of sends that are pending, "?" a doubtful one.
    std::vector<std::string> under_way() const {
        std::vector<std::string> tags;
        for (const Operation& each : snapshot.operations) {
            if (each.queue != Queue::PendingSend || each.state == OperationState::Complete)
                continue;
            tags.push_back(each.doubtful ? "?" : std::to_string(*each.tag));
        }
        return tags;
    }

    model::JobSnapshot snapshot;
    Counted of_sender = Counted::Yes;
    Counted of_receiver = Counted::Yes;
};

TEST_F(MessageCounts, WhatWasReceivedIsNoLongerUnderWay) {
    list(Queue::PendingSend, 5);
    count({5}, {5});
    EXPECT_THAT(under_way(), IsEmpty());
    EXPECT_EQ(snapshot.operations.size(), 1U);
}

TEST_F(MessageCounts, WhatIsListedIsUnderWayIfItWasNotReceived) {
    list(Queue::PendingSend, 5);
    list(Queue::PendingSend, 7);
    count({1, 5, 7}, {1});
    EXPECT_THAT(under_way(), ElementsAre("5", "7"));
}

TEST_F(MessageCounts, OfTheListedOnlyThoseThatAreLeft) {
    list(Queue::PendingSend, 5);
    list(Queue::PendingSend, 7);
    count({5, 7}, {7});
    EXPECT_THAT(under_way(), ElementsAre("5"));
}

TEST_F(MessageCounts, MessagesOfOneTagAreReceivedInOrder) {
    list(Queue::PendingSend, 5);
    list(Queue::PendingSend, 5);
    count({5, 5}, {5});
    ASSERT_EQ(snapshot.operations.size(), 2U);
    EXPECT_EQ(snapshot.operations[0].state, OperationState::Complete);
    EXPECT_EQ(snapshot.operations[1].state, OperationState::Pending);
}

TEST_F(MessageCounts, AMessageOfACallThatHasReturnedIsUnderWay) {
    count({3, 4, 4}, {3});
    EXPECT_THAT(under_way(), ElementsAre("4", "4"));
    EXPECT_EQ(snapshot.operations[0].world_peer, WorldRank(1));
}

TEST_F(MessageCounts, AMessageOfACallThatHasReturnedIsToldFromListedOnes) {
    list(Queue::PendingSend, 5);
    count({3, 5}, {});
    EXPECT_THAT(under_way(), ElementsAre("3", "5"));
}

TEST_F(MessageCounts, WhatCannotBeToldIsDoubtful) {
    list(Queue::PostedReceive, 3);
    list(Queue::PostedReceive, 9);
    count({3, 4, 8}, {});
    EXPECT_THAT(under_way(), ElementsAre("?"));
}

TEST_F(MessageCounts, TheOnlyOperationOfARankIsPending) {
    list(Queue::PostedReceive, 3);
    count({4, 8}, {});
    EXPECT_THAT(under_way(), IsEmpty());
}

TEST_F(MessageCounts, ASenderThatHasNotCountedLeavesDoubts) {
    of_sender = Counted::Incomplete;
    list(Queue::PostedReceive, 3);
    list(Queue::PostedReceive, 9);
    count({}, {});
    EXPECT_THAT(under_way(), ElementsAre("?"));
}

TEST_F(MessageCounts, MoreReceivedThanSentIsNoKnowledge) {
    list(Queue::PendingSend, 5);
    list(Queue::PostedReceive, 3);
    list(Queue::PostedReceive, 4);
    count({}, {3});
    EXPECT_THAT(under_way(), ElementsAre("?", "5"));
}

TEST_F(MessageCounts, ASendBesideOtherOperationsMayBeBuffered) {
    for (const int tag : {5, 6}) {
        list(Queue::PendingSend, tag);
        snapshot.operations.back().mode = model::SendMode::Standard;
        snapshot.operations.back().bytes = tag == 5 ? 1000 : 10'000'000;
    }
    list(Queue::PendingSend, 7);
    snapshot.operations.back().mode = model::SendMode::Synchronous;
    snapshot.operations.back().bytes = 4;
    count({5, 6, 7}, {});
    EXPECT_EQ(snapshot.operations[0].protocol, model::Protocol::Eager);
    EXPECT_EQ(snapshot.operations[1].protocol, model::Protocol::Unknown) << "too long";
    EXPECT_EQ(snapshot.operations[2].protocol, model::Protocol::Unknown) << "waits for its match";
}

TEST_F(MessageCounts, TheOnlySendOfARankIsWaitedFor) {
    list(Queue::PendingSend, 5);
    snapshot.operations.back().mode = model::SendMode::Standard;
    snapshot.operations.back().bytes = 4;
    count({5}, {});
    EXPECT_EQ(snapshot.operations[0].protocol, model::Protocol::Unknown);
}

TEST_F(MessageCounts, WhereNobodyCountsNothingChanges) {
    of_sender = of_receiver = Counted::No;
    list(Queue::PendingSend, 5);
    count({5}, {5});
    EXPECT_THAT(under_way(), ElementsAre("5"));
}

}  // namespace
}  // namespace mqinspect::mqs_host
