#include "inspector/shell/completion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/snapshot_text.h"

namespace mqinspect::shell {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;

std::vector<std::string> complete(std::string_view line) {
    static const model::JobSnapshot snapshot = *model::parse_snapshot(R"(
        communicator 0 "MPI_COMM_WORLD"
        communicator 1 "ring"
        communicator 2 "my grid"
        communicator 3 "\x1b[2J"
        rank 0-11 running)");
    return completions(line, snapshot);
}

TEST(Completion, OfCommands) {
    EXPECT_THAT(complete("que"), ElementsAre("queues"));
    EXPECT_THAT(complete("re"), ElementsAre("refresh", "report"));
    EXPECT_THAT(complete(""), Contains("help"));
    EXPECT_THAT(complete("help wai"), ElementsAre("waits"));
    EXPECT_THAT(complete("xyz "), IsEmpty());
}

TEST(Completion, OfRanks) {
    EXPECT_THAT(complete("why 1"), ElementsAre("1", "10", "11"));
}

TEST(Completion, OfCommunicatorNames) {
    EXPECT_THAT(complete("comms r"), ElementsAre("ring"));
    EXPECT_THAT(complete("comms my"), ElementsAre("\"my grid\""));
    EXPECT_THAT(complete("comms \"my g"), ElementsAre("\"my grid\""));
    EXPECT_THAT(complete("queues comm #"), ElementsAre("#3")) << "a name that cannot be typed";
}

TEST(Completion, OfFilters) {
    EXPECT_THAT(complete("queues "), IsSupersetOf({"comm", "rank", "size", "local", "all"}));
    EXPECT_THAT(complete("queues comm ring st"), ElementsAre("state"));
    EXPECT_THAT(complete("queues queue "),
                ElementsAre("collective", "posted", "send", "unexpected"));
    EXPECT_THAT(complete("queues state m"), ElementsAre("matched"));
    EXPECT_THAT(complete("queues size "), IsEmpty());
}

TEST(Completion, OfFormats) {
    EXPECT_THAT(complete("report j"), ElementsAre("json"));
}

TEST(Completion, FindsWhereTheLastWordBegins) {
    EXPECT_EQ(start_of_last_word("comms \"my g"), 6U);
    EXPECT_EQ(start_of_last_word("comms "), 6U);
    EXPECT_EQ(start_of_last_word(""), 0U);
}

}  // namespace
}  // namespace mqinspect::shell
