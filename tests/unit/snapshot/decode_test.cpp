#include "inspector/snapshot/decode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "include/mpich_handles.h"
#include "inspector/snapshot/from_calls.h"

namespace mqinspect::snapshot {
namespace {

using model::CallClass;
using model::CommRank;
using model::CommunicatorId;
using model::Operation;
using model::Peer;
using model::Queue;
using model::WorldRank;

constexpr std::uint32_t kSplit = 0x84000002;

RawArgument argument(std::string name, std::string type, std::int64_t value) {
    return {std::move(name), std::move(type), value};
}

RawArgument comm(std::uint32_t handle) {
    return argument("comm", "MPI_Comm", static_cast<std::int32_t>(handle));
}

RawCall raw_call(std::string_view function, std::vector<RawArgument> arguments) {
    RawCall call;
    call.site.function = *model::find_mpi_function(function);
    call.arguments = std::move(arguments);
    return call;
}

/// Rank 0 of three ranks, in MPI_COMM_WORLD, a reversed split and, against rank 2,
/// an intercommunicator.
class DecodeCall : public testing::Test {
protected:
    DecodeCall() {
        snapshot_.communicators.push_back({CommunicatorId{0},
                                           "MPI_COMM_WORLD",
                                           false,
                                           false,
                                           {WorldRank{0}, WorldRank{1}, WorldRank{2}},
                                           {}});
        snapshot_.communicators.push_back(
            {CommunicatorId{1}, "reversed", false, false, {WorldRank{1}, WorldRank{0}}, {}});
        snapshot_.communicators.push_back({CommunicatorId{2},
                                           "bridge",
                                           true,
                                           false,
                                           {WorldRank{0}, WorldRank{1}},
                                           {WorldRank{2}}});
        snapshot_.ranks.resize(3);
        for (int i = 0; i < 3; ++i)
            snapshot_.ranks[static_cast<std::size_t>(i)].rank = WorldRank{i};
        snapshot_.ranks[0].state = model::RankState::Blocked;
        snapshot_.ranks[0].memberships = {
            {CommunicatorId{0}, CommRank{0}, mpich::kCommWorld, 0, std::nullopt},
            {CommunicatorId{1}, CommRank{1}, kSplit, 0, std::nullopt},
            {CommunicatorId{2}, CommRank{0}, kSplit + 1, 0, std::nullopt}};
    }

    std::size_t add(Operation operation) {
        operation.rank = WorldRank{0};
        snapshot_.operations.push_back(std::move(operation));
        return snapshot_.operations.size() - 1;
    }

    model::Call decode(const RawCall& raw) {
        const auto operations = RankOperations::index(snapshot_);
        return decode_call(raw, snapshot_, snapshot_.ranks[0], operations[0]);
    }

    model::JobSnapshot snapshot_;
};

TEST_F(DecodeCall, KnowsTheCommunicatorByAnyOfItsNamesInTheStandard) {
    for (const auto& [function, name] : {std::pair("MPI_Cart_create", "comm_old"),
                                         std::pair("MPI_Intercomm_create", "local_comm"),
                                         std::pair("MPI_Intercomm_merge", "intercomm")}) {
        const auto call =
            decode(raw_call(function, {argument(name, "MPI_Comm", static_cast<int>(kSplit))}));

        EXPECT_EQ(CommunicatorId{1}, call.communicator) << function;
    }
}

TEST_F(DecodeCall, NamesTheCommunicatorAndTranslatesThePeer) {
    const auto call = decode(raw_call(
        "MPI_Recv", {argument("source", "int", 0), argument("tag", "int", 7), comm(kSplit)}));

    EXPECT_EQ(call.communicator, CommunicatorId{1});
    ASSERT_TRUE(call.source);
    EXPECT_EQ(call.source->rank, CommRank{0});
    EXPECT_EQ(call.source->world_rank, WorldRank{1});
    EXPECT_EQ(call.receive_tag, 7);
    EXPECT_EQ(call.arguments[2].text, "reversed");
}

TEST_F(DecodeCall, CountsPeersOfAnIntercommunicatorInTheRemoteGroup) {
    const auto call = decode(raw_call("MPI_Send", {argument("dest", "int", 0), comm(kSplit + 1)}));

    ASSERT_TRUE(call.destination);
    EXPECT_EQ(call.destination->world_rank, WorldRank{2});
}

TEST_F(DecodeCall, TellsWildcardsFromRanks) {
    const auto call = decode(raw_call("MPI_Probe",
                                      {argument("source", "int", mpich::kAnySource),
                                       argument("tag", "int", mpich::kAnyTag),
                                       comm(mpich::kCommWorld)}));

    ASSERT_TRUE(call.source);
    EXPECT_EQ(call.source->kind, Peer::Kind::AnySource);
    EXPECT_TRUE(call.any_tag);
    EXPECT_FALSE(call.receive_tag);
    EXPECT_EQ(call.arguments[0].text, "MPI_ANY_SOURCE");
    EXPECT_EQ(call.arguments[1].text, "MPI_ANY_TAG");
}

TEST_F(DecodeCall, LeavesAPeerThatIsInNoGroupUnknown) {
    const auto call = decode(raw_call("MPI_Recv", {argument("source", "int", 9), comm(kSplit)}));

    EXPECT_FALSE(call.source);
}

TEST_F(DecodeCall, LeavesWhatCouldNotBeReadUnknown) {
    const auto call =
        decode(raw_call("MPI_Recv", {{"source", "int", {}}, {"comm", "MPI_Comm", {}}}));

    EXPECT_FALSE(call.communicator);
    EXPECT_FALSE(call.source);
    EXPECT_EQ(call.arguments[0].text, "?");
}

TEST_F(DecodeCall, TiesWaitedRequestsToOperations) {
    Operation receive;
    receive.request = 0x98000002;
    const std::size_t index = add(receive);
    RawCall raw = raw_call("MPI_Waitall", {argument("count", "int", 3)});
    raw.requests = {mpich::kRequestNull, 0x98000002, 0x6c000000};

    const auto call = decode(raw);

    ASSERT_TRUE(call.requests);
    EXPECT_TRUE((*call.requests)[0].null);
    EXPECT_EQ((*call.requests)[1].operation, index);
    EXPECT_TRUE((*call.requests)[2].finished);
}

TEST_F(DecodeCall, CountsAnUnlistedRequestThatIsCompleteAsFinished) {
    RawCall raw = raw_call("MPI_Waitall", {argument("count", "int", 2)});
    raw.requests = {0x98000005, 0x98000006};
    raw.request_objects = {0x1000, 0x2000};
    raw.request_complete = {true, false};

    const auto call = decode(raw);

    ASSERT_TRUE(call.requests);
    EXPECT_TRUE((*call.requests)[0].finished);
    EXPECT_FALSE((*call.requests)[1].finished);
}

TEST_F(DecodeCall, TiesOpenMpisCollectiveRequestsToOperationsByTheirNumbers) {
    Operation collective;
    collective.queue = Queue::Collective;
    collective.sequence = 0;
    add(collective);
    collective.sequence = 1;
    const std::size_t second = add(collective);
    RawCall raw = raw_call("MPI_Waitall", {argument("count", "int", 3)});
    raw.requests = {0x98000005, 0x98000006, 0x98000007};
    raw.request_objects = {0x1000, 0x2000, 0x3000};
    raw.request_complete = {false, false, false};
    raw.request_comms = {mpich::kCommWorld, mpich::kCommWorld, mpich::kCommWorld};
    raw.request_numbers = {1, 2, -1};

    const auto call = decode(raw);

    ASSERT_TRUE(call.requests);
    EXPECT_EQ((*call.requests)[0].operation, second);
    EXPECT_EQ((*call.requests)[1].operation, std::nullopt);
    EXPECT_EQ((*call.requests)[2].operation, std::nullopt);
}

TEST_F(DecodeCall, TiesOpenMpisCollectiveRequestToTheOnlyOperation) {
    Operation collective;
    collective.queue = Queue::Collective;
    collective.sequence = 4;
    const std::size_t only = add(collective);
    RawCall raw = raw_call("MPI_Waitall", {argument("count", "int", 2)});
    raw.requests = {0x98000005, 0x98000006};
    raw.request_objects = {0x1000, 0x2000};
    raw.request_comms = {mpich::kCommWorld, mpich::kCommWorld};
    raw.request_numbers = {-1, 3};

    const auto call = decode(raw);

    ASSERT_TRUE(call.requests);
    EXPECT_EQ((*call.requests)[0].operation, only);
    EXPECT_EQ((*call.requests)[1].operation, std::nullopt);
}

TEST_F(DecodeCall, FindsTheOwnOperationByTheLibrarysRequest) {
    Operation other;
    other.address = 0x1000;
    add(other);
    Operation own;
    own.address = 0x2000;
    const std::size_t index = add(own);
    RawCall raw = raw_call("MPI_Recv", {argument("source", "int", 1), comm(mpich::kCommWorld)});
    raw.own_requests = {0x2000};

    EXPECT_THAT(decode(raw).operations, testing::ElementsAre(index));
}

TEST_F(DecodeCall, FindsTheOwnOperationByBufferAndPeerOtherwise) {
    Operation posted;
    posted.queue = Queue::PostedReceive;
    posted.communicator = CommunicatorId{0};
    posted.comm_peer = CommRank{1};
    posted.buffer = 0x5000;
    add(posted);
    const std::size_t youngest = add(posted);
    posted.buffer = 0x6000;
    add(posted);

    const auto call = decode(raw_call("MPI_Recv",
                                      {argument("buf", "void *", 0x5000),
                                       argument("source", "int", 1),
                                       comm(mpich::kCommWorld)}));

    EXPECT_THAT(call.operations, testing::ElementsAre(youngest));
}

TEST_F(DecodeCall, TheArgumentsOfABlockingCallSayWhatItsOperationDoesNot) {
    Operation send;
    send.queue = Queue::PendingSend;
    const std::size_t own = add(send);
    Operation receive;
    receive.queue = Queue::PostedReceive;
    const std::size_t from_any = add(receive);
    model::Call call;
    call.function = "MPI_Ssend";
    call.communicator = send.communicator;
    call.destination =
        model::Peer{model::Peer::Kind::Rank, model::CommRank(1), model::WorldRank(1)};
    call.send_tag = 7;
    call.operations = {own};
    model::Call other;
    other.function = "MPI_Recv";
    other.communicator = receive.communicator;
    other.source = model::Peer{model::Peer::Kind::AnySource, {}, {}};
    other.any_tag = true;
    other.operations = {from_any};
    snapshot_.ranks[0].call = call;
    snapshot_.ranks[0].more_calls = {other};

    complete_operations(snapshot_);

    EXPECT_EQ(snapshot_.operations[own].comm_peer, model::CommRank(1));
    EXPECT_EQ(snapshot_.operations[own].world_peer, model::WorldRank(1));
    EXPECT_EQ(snapshot_.operations[own].tag, 7);
    EXPECT_EQ(snapshot_.operations[own].mode, model::SendMode::Synchronous);
    EXPECT_TRUE(snapshot_.operations[from_any].any_source);
    EXPECT_TRUE(snapshot_.operations[from_any].any_tag);
    EXPECT_FALSE(snapshot_.operations[from_any].tag);
}

TEST_F(DecodeCall, WhatTheQueuesSayIsNotOverwrittenByTheCall) {
    Operation send;
    send.queue = Queue::PendingSend;
    send.comm_peer = model::CommRank(2);
    send.tag = 3;
    const std::size_t own = add(send);
    model::Call call;
    call.function = "MPI_Send";
    call.communicator = send.communicator;
    call.destination =
        model::Peer{model::Peer::Kind::Rank, model::CommRank(1), model::WorldRank(1)};
    call.send_tag = 7;
    call.operations = {own};
    snapshot_.ranks[0].call = call;

    complete_operations(snapshot_);

    EXPECT_EQ(snapshot_.operations[own].comm_peer, model::CommRank(2));
    EXPECT_EQ(snapshot_.operations[own].tag, 3);
}

TEST_F(DecodeCall, ASendWithoutHandleIsAPartOfTheCollectiveCall) {
    Operation part;
    part.queue = Queue::PendingSend;
    part.comm_peer = model::CommRank(1);
    const std::size_t own = add(part);
    Operation users = part;
    users.request = 0x84000001;
    const std::size_t of_user = add(users);
    Operation known = part;
    known.tag = 5;
    const std::size_t with_tag = add(known);
    model::Call call;
    call.function = "MPI_Bcast";
    call.communicator = part.communicator;
    snapshot_.ranks[0].call = call;

    complete_operations(snapshot_);

    EXPECT_TRUE(snapshot_.operations[own].collective);
    EXPECT_FALSE(snapshot_.operations[of_user].collective);
    EXPECT_FALSE(snapshot_.operations[with_tag].collective);
}

TEST_F(DecodeCall, ASendOfAnotherThreadIsNotTakenForTheCollectiveCalls) {
    Operation part;
    part.queue = Queue::PendingSend;
    const std::size_t index = add(part);
    model::Call call;
    call.function = "MPI_Bcast";
    call.communicator = part.communicator;
    model::Call other;
    other.function = "MPI_Send";
    snapshot_.ranks[0].call = call;
    snapshot_.ranks[0].more_calls = {other};

    complete_operations(snapshot_);

    EXPECT_FALSE(snapshot_.operations[index].collective);
}

TEST_F(DecodeCall, NamesTheFunctionsThatStartedOperations) {
    Operation receive;
    receive.queue = Queue::PostedReceive;
    const std::size_t own = add(receive);
    const std::size_t other = add(receive);
    Operation send;
    send.queue = Queue::PendingSend;
    send.mode = model::SendMode::Synchronous;
    send.persistent = true;
    const std::size_t persistent = add(send);
    model::Call call;
    call.function = "MPI_Recv";
    call.operations = {own};
    snapshot_.ranks[0].call = call;

    name_functions(snapshot_);

    EXPECT_EQ(snapshot_.operations[own].function, "MPI_Recv");
    EXPECT_EQ(snapshot_.operations[other].function, "MPI_Irecv");
    EXPECT_EQ(snapshot_.operations[persistent].function, "MPI_Ssend_init");
}

TEST_F(DecodeCall, NamesNothingWhileABlockingCallCouldOwnIt) {
    Operation receive;
    receive.queue = Queue::PostedReceive;
    const std::size_t index = add(receive);
    model::Call call;
    call.function = "MPI_Recv";
    snapshot_.ranks[0].call = call;

    name_functions(snapshot_);

    EXPECT_EQ(snapshot_.operations[index].function, "");
}

TEST_F(DecodeCall, AWindowStandsForItsCommunicator) {
    model::Window window;
    window.rank = WorldRank{0};
    window.communicator = CommunicatorId{1};
    window.name = "halo";
    window.handle = 0xa0000000U;
    snapshot_.windows.push_back(window);
    RawCall raw = raw_call("MPI_Win_lock",
                           {argument("lock_type", "int", 234),
                            argument("rank", "int", 0),
                            argument("win", "MPI_Win", static_cast<std::int32_t>(0xa0000000U))});
    raw.window = 0xa0000000U;

    const model::Call call = decode(raw);

    EXPECT_EQ(CommunicatorId{1}, call.communicator);
    ASSERT_TRUE(call.destination);
    EXPECT_EQ(WorldRank{1}, call.destination->world_rank);
    EXPECT_EQ("halo", call.arguments[2].text);
}

TEST_F(DecodeCall, AWindowThatIsNotListedIsNotKnown) {
    RawCall raw = raw_call("MPI_Win_fence", {argument("win", "MPI_Win", 5)});
    raw.window = 5;

    EXPECT_FALSE(decode(raw).communicator);
}

TEST_F(DecodeCall, AFileIsKnownByTheCommunicatorThatItsOperationUses) {
    RawCall raw = raw_call("MPI_File_write_all", {argument("fh", "MPI_File", 0x5000)});
    raw.file_comm = kSplit;

    EXPECT_EQ(CommunicatorId{1}, decode(raw).communicator);
}

}  // namespace
}  // namespace mqinspect::snapshot
