#include "inspector/mqs_host/operation.h"

#include <string>
#include <vector>

#include <climits>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/mqs_host/hosted.h"

namespace mqinspect::mqs_host {
namespace {

using model::CommRank;
using model::Operation;
using model::OperationState;
using model::WorldRank;
using testing::ElementsAre;

/// A communicator of three, in reverse order, in a job of four.
class Convert : public testing::Test {
protected:
    Operation converted(const HostedOperation& hosted) {
        const auto result =
            convert(hosted, WorldRank(0), model::CommunicatorId(1), {&members_, 3, 4});
        EXPECT_TRUE(result);
        return result.value_or(Operation{});
    }

    std::vector<WorldRank> members_{WorldRank(3), WorldRank(2), model::kUnknownRank};
};

TEST_F(Convert, TranslatesThePeerThroughTheGroup) {
    auto hosted = hosted_operation(mqs_pending_sends, 1, 42);
    hosted.operation.desired_global_rank = 1;  // the DLL's own word counts less

    const Operation operation = converted(hosted);

    EXPECT_EQ(model::Queue::PendingSend, operation.queue);
    EXPECT_EQ(CommRank(1), operation.comm_peer);
    EXPECT_EQ(WorldRank(2), operation.world_peer);
    EXPECT_EQ(42, operation.tag);
    EXPECT_EQ(16U, operation.bytes);
    EXPECT_EQ("", operation.function);
}

TEST_F(Convert, AForeignPeerHasNoWorldRank) {
    const Operation operation = converted(hosted_operation(mqs_pending_sends, 2, 0));

    EXPECT_EQ(CommRank(2), operation.comm_peer);
    EXPECT_FALSE(operation.world_peer);
}

TEST_F(Convert, TakesTheWorldRankOfTheDllWhereTheGroupIsNotKnown) {
    auto hosted = hosted_operation(mqs_pending_sends, 1, 0);
    hosted.operation.desired_global_rank = 3;

    const auto known = convert(hosted, WorldRank(0), model::CommunicatorId(0), {nullptr, 3, 4});
    hosted.operation.desired_global_rank = 4;
    const auto junk = convert(hosted, WorldRank(0), model::CommunicatorId(0), {nullptr, 3, 4});

    ASSERT_TRUE(known && junk);
    EXPECT_EQ(WorldRank(3), known->world_peer);
    EXPECT_FALSE(junk->world_peer);
}

TEST_F(Convert, APeerWithoutARankInTheGroupKeepsItsWorldRank) {
    auto hosted = hosted_operation(mqs_pending_sends, -1, 0);
    hosted.operation.desired_global_rank = 1;

    const Operation operation = converted(hosted);

    EXPECT_FALSE(operation.comm_peer);
    EXPECT_EQ(WorldRank(1), operation.world_peer);
}

TEST_F(Convert, KnowsBothWaysToSayAnySource) {
    for (const long any : {-1, -2}) {
        auto hosted = hosted_operation(mqs_pending_receives, any, 0);
        hosted.operation.tag_wild = 1;

        const Operation operation = converted(hosted);

        EXPECT_TRUE(operation.any_source);
        EXPECT_TRUE(operation.any_tag);
        EXPECT_FALSE(operation.comm_peer);
        EXPECT_FALSE(operation.tag);
    }
    EXPECT_FALSE(converted(hosted_operation(mqs_pending_sends, -1, 0)).any_source);
    EXPECT_FALSE(converted(hosted_operation(mqs_pending_receives, -3, 0)).any_source);
}

TEST_F(Convert, AMatchedWildcardReceiveNamesItsSender) {
    auto hosted = hosted_operation(mqs_pending_receives, -1, 0);
    hosted.operation.tag_wild = 1;
    hosted.operation.status = mqs_st_matched;
    hosted.operation.actual_local_rank = 0;
    hosted.operation.actual_tag = 8;

    const Operation operation = converted(hosted);

    EXPECT_EQ(OperationState::Matched, operation.state);
    EXPECT_FALSE(operation.any_source);
    EXPECT_FALSE(operation.any_tag);
    EXPECT_EQ(WorldRank(3), operation.world_peer);
    EXPECT_EQ(8, operation.tag);
}

TEST_F(Convert, AMatchedReceiveOfAnUnknownSenderStaysAWildcard) {
    auto hosted = hosted_operation(mqs_pending_receives, -1, 5);
    hosted.operation.status = mqs_st_complete;

    const Operation operation = converted(hosted);

    EXPECT_EQ(OperationState::Complete, operation.state);
    EXPECT_TRUE(operation.any_source);
    EXPECT_EQ(5, operation.tag);
}

TEST_F(Convert, AnUnexpectedMessageHasTheLengthThatArrived) {
    auto hosted = hosted_operation(mqs_unexpected_messages, 1, 9);
    EXPECT_FALSE(converted(hosted).bytes);
    EXPECT_EQ(CommRank(1), converted(hosted).comm_peer);

    hosted.operation.actual_local_rank = 0;
    hosted.operation.actual_tag = 10;
    hosted.operation.actual_length = 28;
    hosted.has_details = true;
    hosted.details.count = -1;
    hosted.details.synchronous = 1;
    hosted.details.protocol = mqs_protocol_rendezvous;
    const Operation operation = converted(hosted);

    EXPECT_EQ(CommRank(0), operation.comm_peer);
    EXPECT_EQ(10, operation.tag);
    EXPECT_EQ(28U, operation.bytes);
    EXPECT_TRUE(operation.synchronous);
    EXPECT_EQ(model::Protocol::Rendezvous, operation.protocol);
    EXPECT_FALSE(operation.count);
}

TEST_F(Convert, CopiesTheDetails) {
    auto hosted = hosted_operation(mqs_pending_sends, 0, 1);
    hosted.has_details = true;
    hosted.details.kind = mqs_op_synchronous_send;
    hosted.details.request = 0xAC000001;
    hosted.details.request_address = 0x10;
    hosted.details.active_address = 0x20;
    hosted.details.persistent = 1;
    hosted.details.count = 4;
    std::strcpy(hosted.details.datatype_name, "MPI_INT");

    const Operation operation = converted(hosted);

    EXPECT_EQ(model::SendMode::Synchronous, operation.mode);
    EXPECT_EQ(0xAC000001U, operation.request);
    EXPECT_EQ(0x10U, operation.address);
    EXPECT_EQ(0x20U, operation.active_address);
    EXPECT_TRUE(operation.persistent);
    EXPECT_EQ(4U, operation.count);
    EXPECT_EQ("MPI_INT", operation.datatype);
}

TEST_F(Convert, ACollectiveHasANumberAndNoPeer) {
    auto hosted = hosted_operation(mqs_pending_collectives, -1, -1);
    hosted.has_details = true;
    hosted.details.kind = mqs_op_collective;
    hosted.details.sequence = 6;
    hosted.details.count = -1;

    const Operation operation = converted(hosted);

    EXPECT_EQ(model::Queue::Collective, operation.queue);
    EXPECT_EQ(6, operation.sequence);
    EXPECT_FALSE(operation.any_source);
    EXPECT_FALSE(operation.bytes);
}

TEST_F(Convert, JunkIsUnknown) {
    auto hosted = hosted_operation(mqs_pending_receives, LONG_MAX, LONG_MAX);
    hosted.operation.status = 77;
    hosted.operation.desired_length = -4;
    hosted.operation.desired_global_rank = LONG_MIN;

    const Operation operation = converted(hosted);

    EXPECT_EQ(OperationState::Pending, operation.state);
    EXPECT_FALSE(operation.comm_peer);
    EXPECT_FALSE(operation.world_peer);
    EXPECT_FALSE(operation.tag);
    EXPECT_FALSE(operation.bytes);
    EXPECT_FALSE(convert(
        hosted_operation(4, 0, 0), WorldRank(0), model::CommunicatorId(0), {nullptr, 1, 1}));
}

TEST_F(Convert, ShowsExtraTextUpToTheFirstEmptyLine) {
    auto hosted = hosted_operation(mqs_pending_receives, 0, 0);
    std::strcpy(hosted.operation.extra_text[0], "receive\n");
    std::strcpy(hosted.operation.extra_text[1], "\xC3\xBC \xFF");
    std::strcpy(hosted.operation.extra_text[3], "left over");

    EXPECT_THAT(converted(hosted).extra_text, ElementsAre("receive?", "\xC3\xBC ?"));
}

TEST(Printable, KeepsWellFormedUtf8Only) {
    EXPECT_EQ("grid", printable("grid"));
    EXPECT_EQ("\xE2\x82\xAC", printable("\xE2\x82\xAC"));
    EXPECT_EQ("\xF0\x9F\x98\x80", printable("\xF0\x9F\x98\x80"));
    EXPECT_EQ("??", printable("\xC0\x80"));            // overlong
    EXPECT_EQ("???", printable("\xED\xA0\x80"));       // a surrogate
    EXPECT_EQ("????", printable("\xF4\x90\x80\x80"));  // beyond Unicode
    EXPECT_EQ("??", printable("\xE2\x82"));            // cut off
    EXPECT_EQ("?[31m", printable("\x1B[31m"));
}

}  // namespace
}  // namespace mqinspect::mqs_host
