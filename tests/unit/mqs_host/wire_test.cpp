#include "inspector/mqs_host/wire.h"

#include <cstring>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/mqs_host/hosted.h"

namespace mqinspect::mqs_host::wire {
namespace {

Reader body_of(const std::vector<std::byte>& buffer) {
    return Reader(std::span(buffer).subspan(sizeof(Header)));
}

TEST(Wire, BringsAnOperationOver) {
    HostedOperation sent = hosted_operation(mqs_pending_sends, 3, 42);
    std::strcpy(sent.operation.extra_text[0], "first");
    std::strcpy(sent.operation.extra_text[1], "second");
    std::strcpy(sent.operation.extra_text[3], "not shown");
    sent.has_details = true;
    sent.details.count = 12;
    std::strcpy(sent.details.datatype_name, "MPI_INT");
    Writer writer;
    put_operation(writer, sent);

    HostedOperation received;
    Reader reader = body_of(writer.buffer());
    take_operation(reader, received);

    EXPECT_TRUE(reader.ok());
    EXPECT_EQ(42, received.operation.desired_tag);
    EXPECT_STREQ("second", received.operation.extra_text[1]);
    EXPECT_STREQ("", received.operation.extra_text[3]);
    EXPECT_EQ(12, received.details.count);
    EXPECT_STREQ("MPI_INT", received.details.datatype_name);
}

TEST(Wire, BringsThePeersOfACollectiveOver) {
    HostedOperation sent = hosted_operation(mqs_pending_collectives, -1, -1);
    sent.receives_from = {1, 3};
    sent.sends_to = {2};
    Writer writer;
    put_operation(writer, sent);

    HostedOperation received;
    Reader reader = body_of(writer.buffer());
    take_operation(reader, received);

    EXPECT_TRUE(reader.ok());
    EXPECT_EQ(sent.receives_from, received.receives_from);
    EXPECT_EQ(sent.sends_to, received.sends_to);
}

TEST(Wire, BringsAWindowOver) {
    HostedWindow sent;
    std::strcpy(sent.window.name, "halo");
    sent.window.communicator = 9;
    sent.peers.resize(2);
    sent.peers[1].rank = 4;
    Writer writer;
    put_window(writer, sent);

    Reader reader = body_of(writer.buffer());
    const HostedWindow received = take_window(reader);

    EXPECT_TRUE(reader.ok());
    EXPECT_STREQ("halo", received.window.name);
    EXPECT_EQ(9U, received.window.communicator);
    ASSERT_EQ(2U, received.peers.size());
    EXPECT_EQ(4, received.peers[1].rank);
}

TEST(Wire, AWindowWithMorePeersThanBytesIsNone) {
    Writer writer;
    writer.begin(Kind::Window);
    writer.put(mqs_window{});
    writer.put(std::uint32_t{0xffffffff});
    writer.end();

    Reader reader = body_of(writer.buffer());
    EXPECT_TRUE(take_window(reader).peers.empty());
    EXPECT_FALSE(reader.ok());
}

TEST(Wire, BringsACommunicatorOver) {
    Writer writer;
    put_communicator(writer, hosted_intercommunicator(5, 1, {0, 1}, {2, 3, 4}));

    Reader reader = body_of(writer.buffer());
    const HostedCommunicator received = take_communicator(reader);

    EXPECT_TRUE(reader.ok());
    EXPECT_EQ(5U, received.communicator.unique_id);
    EXPECT_EQ((std::vector{0, 1}), received.group);
    EXPECT_EQ((std::vector{2, 3, 4}), received.remote_group);
    EXPECT_TRUE(received.has_details);
}

TEST(Wire, TerminatesTextsThatFillTheirRoom) {
    HostedOperation sent = hosted_operation(mqs_pending_sends, 0, 0);
    std::memset(sent.operation.extra_text, 'x', sizeof sent.operation.extra_text);
    Writer writer;
    put_operation(writer, sent);

    HostedOperation received;
    Reader reader = body_of(writer.buffer());
    take_operation(reader, received);

    for (const auto& line : received.operation.extra_text)
        EXPECT_EQ(63U, std::strlen(line));
}

TEST(Wire, NoticesARecordThatIsCutShort) {
    Writer writer;
    put_communicator(writer, hosted_communicator("name", 1, 0, {0, 1, 2}));
    const auto& buffer = writer.buffer();

    for (std::size_t length = sizeof(Header); length < buffer.size(); ++length) {
        const auto part = std::span(buffer).subspan(sizeof(Header), length - sizeof(Header));
        Reader reader(part);
        take_communicator(reader);
        EXPECT_FALSE(reader.ok()) << length;
    }
}

TEST(Wire, SurvivesRandomRecords) {
    std::mt19937 random(20260301);
    std::vector<std::byte> bytes(700);
    for (int round = 0; round < 2000; ++round) {
        for (auto& byte : bytes)
            byte = static_cast<std::byte>(random());
        Reader communicator(bytes);
        take_communicator(communicator);
        Reader operation(bytes);
        HostedOperation received;
        take_operation(operation, received);
        Reader error(bytes);
        take_error(error);
    }
}

}  // namespace
}  // namespace mqinspect::mqs_host::wire
