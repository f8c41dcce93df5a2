#include "inspector/mqs_host/assemble.h"

#include <cstring>
#include <string>
#include <vector>

#include <climits>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/mqs_host/hosted.h"

namespace mqinspect::mqs_host {
namespace {

using model::CommRank;
using model::CommunicatorId;
using model::WorldRank;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<int> values(const std::vector<WorldRank>& ranks) {
    std::vector<int> result;
    for (const WorldRank rank : ranks)
        result.push_back(rank.value);
    return result;
}

model::JobSnapshot assembled(const std::vector<Result<HostedQueues>>& ranks) {
    model::JobSnapshot snapshot;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        snapshot.ranks.emplace_back().rank = WorldRank(static_cast<int>(i));
    }
    assemble(ranks, snapshot);
    return snapshot;
}

HostedQueues queues(std::vector<HostedCommunicator> communicators) {
    HostedQueues result;
    result.communicators = std::move(communicators);
    return result;
}

HostedCommunicator world(int rank, int size) {
    std::vector<int> group;
    for (int i = 0; i < size; ++i)
        group.push_back(i);
    return hosted_communicator("MPI_COMM_WORLD", 1, rank, std::move(group));
}

TEST(Assemble, MergesACommunicatorOfAllRanks) {
    const auto snapshot = assembled({queues({world(0, 2)}), queues({world(1, 2)})});

    ASSERT_EQ(1U, snapshot.communicators.size());
    EXPECT_EQ("MPI_COMM_WORLD", snapshot.communicators[0].name);
    EXPECT_THAT(values(snapshot.communicators[0].members), ElementsAre(0, 1));
    ASSERT_EQ(1U, snapshot.ranks[1].memberships.size());
    EXPECT_EQ(CommRank(1), snapshot.ranks[1].memberships[0].comm_rank);
    EXPECT_TRUE(snapshot.ranks[1].queues_known);
}

TEST(Assemble, TiesThePartsOfAWindowTogetherByTheirCommunicator) {
    const auto with_window = [](int rank) {
        HostedQueues result =
            queues({world(rank, 2), hosted_communicator("window halo", 7, 1 - rank, {1, 0})});
        HostedWindow& window = result.windows.emplace_back();
        std::strcpy(window.window.name, "halo\x01");
        window.window.handle = 0xa0000000U;
        window.window.communicator = 7;
        window.window.access = mqs_epoch_lock;
        window.window.exposure = 99;
        window.window.size = -1;
        window.window.locks_missing = -1;
        window.window.lock = mqs_lock_exclusive;
        window.window.holders = 1;
        window.peers = {{0, mqs_window_target, 0, mqs_lock_shared, mqs_lock_granted, 2, 0},
                        {0, mqs_window_lock_waiter, 5, mqs_lock_exclusive, 0, -1, 0},
                        {0, mqs_window_started, 1, 0, 0, 0, 0},
                        {0, mqs_window_request, 0, 0, 0, -1, 0xac000001U},
                        {0, mqs_window_request, 0, 0, 0, -1, 0},
                        {0, 77, 1, 0, 0, 0, 0}};
        return result;
    };
    const auto snapshot = assembled({with_window(0), with_window(1)});

    ASSERT_EQ(2U, snapshot.windows.size());
    const model::Window& window = snapshot.windows[1];
    EXPECT_EQ(WorldRank(1), window.rank);
    EXPECT_EQ(snapshot.windows[0].communicator, window.communicator);
    EXPECT_EQ("window halo", snapshot.communicators[window.communicator.index()].name);
    EXPECT_EQ("halo?", window.name);
    EXPECT_EQ(std::nullopt, window.bytes);
    EXPECT_EQ(std::nullopt, window.locks_missing);
    EXPECT_EQ(model::ExposureEpoch::Unknown, window.exposure);
    EXPECT_EQ(model::LockType::Exclusive, window.lock);
    EXPECT_THAT(window.requests,
                ::testing::ElementsAre(model::WindowRequest{WorldRank(1), 0xac000001U}));
    // Rank 0 of its communicator is rank 1 of the world; there is no rank 5.
    EXPECT_THAT(window.targets,
                ElementsAre(model::WindowTarget{
                    WorldRank(1), model::WindowTarget::Lock::Granted, model::LockType::Shared, 2}));
    EXPECT_THAT(window.waiters,
                ElementsAre(model::LockWaiter{model::kUnknownRank, model::LockType::Exclusive}));
    EXPECT_THAT(values(window.started), ElementsAre(0));
}

TEST(Assemble, AWindowWithoutItsCommunicatorIsLeftOut) {
    HostedQueues only = queues({world(0, 1)});
    only.windows.emplace_back().window.communicator = 7;

    EXPECT_TRUE(assembled({only}).windows.empty());
}

TEST(Assemble, NamesWhomACollectiveWaitsFor) {
    HostedQueues first = queues({hosted_communicator("reversed", 7, 1, {1, 0})});
    HostedOperation& operation =
        first.communicators[0].operations.emplace_back(hosted_operation(3, -1, -1));
    operation.receives_from = {0};
    operation.sends_to = {0, 2};
    const auto snapshot = assembled({first, queues({world(1, 2)})});

    ASSERT_EQ(1U, snapshot.operations.size());
    EXPECT_THAT(values(snapshot.operations[0].receives_from), ElementsAre(1));
    EXPECT_TRUE(snapshot.operations[0].sends_to.empty()) << "2 is no member";
}

/// Two worlds of two, joined by an intercommunicator.
std::vector<Result<HostedQueues>> two_worlds() {
    const auto of_world = [](long rank, std::vector<int> group) {
        return hosted_communicator("MPI_COMM_WORLD", 1, rank, std::move(group));
    };
    return {queues({of_world(0, {0, 1}), hosted_intercommunicator(9, 0, {0, 1}, {2, 3})}),
            queues({of_world(1, {0, 1}), hosted_intercommunicator(9, 1, {0, 1}, {2, 3})}),
            queues({of_world(0, {2, 3}), hosted_intercommunicator(9, 0, {2, 3}, {0, 1})}),
            queues({of_world(1, {2, 3}), hosted_intercommunicator(9, 1, {2, 3}, {0, 1})})};
}

TEST(Assemble, EachWorldHasItsOwn) {
    model::JobSnapshot snapshot;
    for (int i = 0; i < 4; ++i)
        snapshot.ranks.emplace_back().rank = WorldRank(i);
    snapshot.world_sizes = {2, 2};

    assemble(two_worlds(), snapshot);

    ASSERT_EQ(3U, snapshot.communicators.size());
    EXPECT_THAT(values(snapshot.communicators[0].members), ElementsAre(0, 1));
    EXPECT_TRUE(snapshot.communicators[1].inter);
    EXPECT_THAT(values(snapshot.communicators[1].members), ElementsAre(0, 1));
    EXPECT_THAT(values(snapshot.communicators[1].remote_members), ElementsAre(2, 3));
    EXPECT_EQ("MPI_COMM_WORLD", snapshot.communicators[2].name);
    EXPECT_THAT(values(snapshot.communicators[2].members), ElementsAre(2, 3));
}

TEST(Assemble, AWorldOfADllWithoutGroupsIsTheRanksOwn) {
    auto ranks = two_worlds();
    for (auto& rank : ranks) {
        rank->communicators.pop_back();
        rank->communicators[0] = without_group(rank->communicators[0]);
    }
    model::JobSnapshot snapshot;
    for (int i = 0; i < 4; ++i)
        snapshot.ranks.emplace_back().rank = WorldRank(i);
    snapshot.world_sizes = {2, 2};

    assemble(ranks, snapshot);

    ASSERT_EQ(2U, snapshot.communicators.size());
    EXPECT_THAT(values(snapshot.communicators[0].members), ElementsAre(0, 1));
    EXPECT_THAT(values(snapshot.communicators[1].members), ElementsAre(2, 3));
}

TEST(Assemble, KeepsThePartsOfASplitApart) {
    const auto half = [](long rank, std::vector<int> group) {
        return hosted_communicator("half", 7, rank, std::move(group));
    };
    const auto snapshot = assembled({queues({world(0, 4), half(1, {2, 0})}),
                                     queues({world(1, 4), half(0, {1, 3})}),
                                     queues({world(2, 4), half(0, {2, 0})}),
                                     queues({world(3, 4), half(1, {1, 3})})});

    ASSERT_EQ(3U, snapshot.communicators.size());
    EXPECT_THAT(values(snapshot.communicators[1].members), ElementsAre(2, 0));
    EXPECT_THAT(values(snapshot.communicators[2].members), ElementsAre(1, 3));
    EXPECT_EQ(CommunicatorId(1), snapshot.ranks[2].memberships[1].communicator);
    EXPECT_EQ(CommunicatorId(2), snapshot.ranks[3].memberships[1].communicator);
}

TEST(Assemble, SeesAnIntercommunicatorFromBothSides) {
    auto left = hosted_intercommunicator(9, 0, {2, 3}, {1, 0});
    left.operations.push_back(hosted_operation(mqs_pending_sends, 1, 5));
    const auto right = [](long rank) { return hosted_intercommunicator(9, rank, {1, 0}, {2, 3}); };
    const auto snapshot = assembled({queues({world(0, 4), right(1)}),
                                     queues({world(1, 4), right(0)}),
                                     queues({world(2, 4), left}),
                                     queues({world(3, 4)})});

    ASSERT_EQ(2U, snapshot.communicators.size());
    const auto& inter = snapshot.communicators[1];
    EXPECT_TRUE(inter.inter);
    EXPECT_THAT(values(inter.members), ElementsAre(1, 0));
    EXPECT_THAT(values(inter.remote_members), ElementsAre(2, 3));
    EXPECT_EQ(CommRank(0), snapshot.ranks[2].memberships[1].comm_rank);
    ASSERT_EQ(1U, snapshot.operations.size());
    EXPECT_EQ(WorldRank(0), snapshot.operations[0].world_peer);
}

TEST(Assemble, PutsMpiCommWorldFirst) {
    const auto self = [](int rank) { return hosted_communicator("MPI_COMM_SELF", 2, 0, {rank}); };
    const auto snapshot =
        assembled({queues({self(0), world(0, 2)}), queues({self(1), world(1, 2)})});

    ASSERT_EQ(3U, snapshot.communicators.size());
    EXPECT_EQ("MPI_COMM_WORLD", snapshot.communicators[0].name);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(CommunicatorId(static_cast<int>(i)), snapshot.communicators[i].id);
    }
    EXPECT_EQ(CommunicatorId(0), snapshot.ranks[1].memberships[0].communicator);
}

TEST(Assemble, WithoutGroupsMergesByIdSizeAndName) {
    const auto pair = [](long rank) {
        return without_group(hosted_communicator("pair", 5, rank, {0, 1}));
    };
    const auto snapshot = assembled({queues({pair(0)}), queues({pair(1)})});

    ASSERT_EQ(1U, snapshot.communicators.size());
    EXPECT_THAT(values(snapshot.communicators[0].members), ElementsAre(0, 1));
}

TEST(Assemble, WithoutGroupsDoesNotGuessWhoBelongsToWhom) {
    const auto half = [](long rank) {
        return without_group(hosted_communicator("half", 5, rank, {0, 1}));
    };
    const auto snapshot =
        assembled({queues({half(0)}), queues({half(0)}), queues({half(1)}), queues({half(1)})});

    EXPECT_EQ(4U, snapshot.communicators.size());
    EXPECT_THAT(values(snapshot.communicators[2].members), ElementsAre(-1, 2));
}

TEST(Assemble, KnowsMpiCommWorldByItsNameWhereIdsAreAddresses) {
    auto first = without_group(world(0, 2));
    auto second = without_group(world(1, 2));
    first.communicator.unique_id = 0x7000;
    second.communicator.unique_id = 0x9000;
    const auto snapshot = assembled({queues({first}), queues({second})});

    ASSERT_EQ(1U, snapshot.communicators.size());
    EXPECT_THAT(values(snapshot.communicators[0].members), ElementsAre(0, 1));
}

TEST(Assemble, TellsEqualKeysOfOneRankApart) {
    const auto dup = [](long rank) { return hosted_communicator("dup", 0, rank, {0, 1}); };
    const auto snapshot = assembled({queues({dup(0), dup(0)}), queues({dup(1), dup(1)})});

    ASSERT_EQ(2U, snapshot.communicators.size());
    EXPECT_EQ(CommunicatorId(1), snapshot.ranks[1].memberships[1].communicator);
}

TEST(Assemble, TakesAUsersNameBeforeAMadeUpOne) {
    auto unnamed = hosted_communicator("comm 0x84000001", 5, 0, {0, 1});
    unnamed.has_details = true;
    auto named = hosted_communicator("rows", 5, 1, {0, 1});
    named.has_details = true;
    named.details.named = 1;
    const auto snapshot = assembled({queues({unnamed}), queues({named})});

    ASSERT_EQ(1U, snapshot.communicators.size());
    EXPECT_EQ("rows", snapshot.communicators[0].name);
}

TEST(Assemble, CopiesWhatARankKnowsOfItsMembership) {
    auto communicator = world(0, 1);
    communicator.has_details = true;
    communicator.details.handle = 0x44000000;
    communicator.details.address = 0x1000;
    communicator.details.collectives_started = 3;
    auto hosted = queues({communicator});
    hosted.progress_count = 17;
    const auto snapshot = assembled({hosted});

    const auto& membership = snapshot.ranks[0].memberships.at(0);
    EXPECT_EQ(0x44000000U, membership.handle);
    EXPECT_EQ(0x1000U, membership.address);
    EXPECT_EQ(3, membership.collectives_started);
    EXPECT_EQ(17U, snapshot.ranks[0].progress_count);
}

TEST(Assemble, ARankInErrorHasUnknownQueues) {
    const auto snapshot = assembled(
        {queues({world(0, 2)}), Error{ErrorCode::System, "the debugger DLL crashed\nbadly"}});

    EXPECT_TRUE(snapshot.ranks[0].queues_known);
    EXPECT_FALSE(snapshot.ranks[1].queues_known);
    EXPECT_EQ("the debugger DLL crashed?badly", snapshot.ranks[1].problem);
    EXPECT_THAT(values(snapshot.communicators[0].members), ElementsAre(0, 1));
}

TEST(Assemble, AQueueWithoutInformationIsNotEmpty) {
    auto communicator = world(0, 1);
    communicator.unknown_queues = {mqs_unexpected_messages};
    auto hosted = queues({communicator});
    hosted.problems = {"torn"};
    const auto snapshot = assembled({hosted});

    EXPECT_FALSE(snapshot.ranks[0].queues_known);
    EXPECT_THAT(snapshot.ranks[0].problem, HasSubstr("unexpected messages"));
    EXPECT_THAT(snapshot.ranks[0].problem, HasSubstr("torn"));
}

TEST(Assemble, AListWithReceivesOfUnknownEnvelopesRulesNothingOut) {
    auto communicator = world(0, 1);
    communicator.unknown_queues = {mqs_unexpected_messages};
    communicator.operations = {hosted_operation(mqs_pending_receives, 0, 3)};
    const auto known = assembled({queues({communicator})});
    communicator.operations.push_back(hosted_operation(mqs_pending_receives, 0, -1));
    const auto unknown = assembled({queues({communicator})});

    EXPECT_TRUE(known.ranks[0].receives_known);
    EXPECT_FALSE(unknown.ranks[0].receives_known);
    EXPECT_TRUE(unknown.ranks[0].sends_known);
}

TEST(Assemble, BelievesNoGroupThatCannotBeTrue) {
    const std::vector<std::vector<int>> impossible{
        {0, 0}, {1, 2}, {0, 7}, {0, -5}, {INT_MAX, INT_MIN}};
    for (const auto& group : impossible) {
        const auto snapshot =
            assembled({queues({hosted_communicator("x", 5, 0, group)}), queues({})});

        ASSERT_EQ(1U, snapshot.communicators.size());
        EXPECT_THAT(values(snapshot.communicators[0].members), ElementsAre(0, -1));
    }
}

TEST(Assemble, SurvivesJunk) {
    auto junk = hosted_communicator("junk", ULONG_MAX, LONG_MIN, {});
    junk.communicator.size = LONG_MAX;
    junk.operations.push_back(hosted_operation(99, LONG_MAX, LONG_MIN));
    junk.operations.push_back(hosted_operation(mqs_pending_sends, LONG_MAX, LONG_MIN));
    const auto snapshot = assembled({queues({junk}), queues({junk})});

    EXPECT_EQ(2U, snapshot.communicators.size());
    EXPECT_TRUE(snapshot.ranks[0].memberships.empty());
    ASSERT_EQ(2U, snapshot.operations.size());
    EXPECT_FALSE(snapshot.operations[0].comm_peer);
    EXPECT_FALSE(snapshot.operations[0].world_peer);
    EXPECT_FALSE(snapshot.operations[0].tag);
}

TEST(Assemble, OrdersOperationsByRankAndCommunicator) {
    auto first = hosted_communicator("MPI_COMM_SELF", 2, 0, {0});
    first.operations.push_back(hosted_operation(mqs_pending_receives, 0, 1));
    auto second = world(0, 1);
    second.operations.push_back(hosted_operation(mqs_pending_receives, 0, 2));
    second.operations.push_back(hosted_operation(mqs_pending_receives, 0, 3));
    const auto snapshot = assembled({queues({first, second})});

    ASSERT_EQ(3U, snapshot.operations.size());
    EXPECT_EQ(2, snapshot.operations[0].tag);
    EXPECT_EQ(3, snapshot.operations[1].tag);
    EXPECT_EQ(1, snapshot.operations[2].tag);
}

}  // namespace
}  // namespace mqinspect::mqs_host
