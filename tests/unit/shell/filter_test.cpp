#include "inspector/shell/filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "inspector/shell/words.h"
#include "model/snapshot_text.h"

namespace mqinspect::shell {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Operations are numbered from 0.
const model::JobSnapshot& job() {
    static const model::JobSnapshot snapshot = *model::parse_snapshot(R"(
        communicator 0 "MPI_COMM_WORLD"
        communicator 1 "odd ones" members 3,1
        communicator 2 "row" members 0,1
        communicator 3 "row" members 2,3
        rank 0-3 running
        rank 0 posted comm 0 source 1 tag 7 bytes 4
        rank 0 send comm 2 to 1 tag 8 bytes 2048 matched
        rank 1 posted comm 1 source 0 any_tag bytes 100
        rank 2 unexpected comm 3 source 1 tag 7 bytes 0
        rank 3 posted comm 1 any_source tag 7
        rank 3 collective comm 0 by MPI_Ibarrier complete)");
    return snapshot;
}

/// Numbers of the operations that fit.
std::vector<std::size_t> fitting(std::string_view text) {
    const auto filter = parse_filter(*split_words(text), job());
    EXPECT_TRUE(filter) << text << ": " << (filter ? "" : filter.error().message);
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; filter && i < job().operations.size(); ++i) {
        if (filter->fits(job(), job().operations[i])) numbers.push_back(i);
    }
    return numbers;
}

std::string error_of(std::string_view text) {
    const auto filter = parse_filter(*split_words(text), job());
    EXPECT_FALSE(filter) << text;
    return filter ? "" : filter.error().message;
}

TEST(Filter, WithoutWordsLeavesNothingOut) {
    EXPECT_THAT(fitting(""), ElementsAre(0U, 1U, 2U, 3U, 4U, 5U));
}

TEST(Filter, ByCommunicator) {
    EXPECT_THAT(fitting("comm \"odd ones\""), ElementsAre(2U, 4U));
    EXPECT_THAT(fitting("comm row"), ElementsAre(1U, 3U)) << "both of that name";
    EXPECT_THAT(fitting("comm #3"), ElementsAre(3U));
}

TEST(Filter, ByRankInTheJobOrInTheCommunicator) {
    EXPECT_THAT(fitting("rank 0,2-3"), ElementsAre(0U, 1U, 3U, 4U, 5U));
    EXPECT_THAT(fitting("rank 0 local"), ElementsAre(0U, 1U, 3U, 4U));
    EXPECT_THAT(fitting("local comm \"odd ones\" rank 1"), ElementsAre(2U));
}

TEST(Filter, ByTagWithWildcardsThatTakeIt) {
    EXPECT_THAT(fitting("tag 7"), ElementsAre(0U, 2U, 3U, 4U));
    EXPECT_THAT(fitting("tag any"), ElementsAre(2U));
}

TEST(Filter, ByQueueSizeAndState) {
    EXPECT_THAT(fitting("queue posted"), ElementsAre(0U, 2U, 4U));
    EXPECT_THAT(fitting("queue collective"), ElementsAre(5U));
    EXPECT_THAT(fitting("size 4"), ElementsAre(0U));
    EXPECT_THAT(fitting("size >100"), ElementsAre(1U));
    EXPECT_THAT(fitting("size <2k"), ElementsAre(0U, 2U, 3U));
    EXPECT_THAT(fitting("state matched"), ElementsAre(1U));
    EXPECT_THAT(fitting("state complete"), ElementsAre(5U));
}

TEST(Filter, AllConditionsMustBeMet) {
    EXPECT_THAT(fitting("queue posted tag 7 rank 3"), ElementsAre(4U));
    EXPECT_THAT(fitting("queue send tag 7"), IsEmpty());
}

TEST(Filter, SaysWhatIsWrong) {
    EXPECT_EQ(error_of("foo"),
              "\"foo\" is no filter; there is comm, rank, tag, queue, size, state, local, all");
    EXPECT_EQ(error_of("tag"), "\"tag\" needs a value behind it");
    EXPECT_THAT(error_of("comm ring"), HasSubstr("there is MPI_COMM_WORLD, odd ones, row"));
    EXPECT_EQ(error_of("rank 4"), "no rank 4; ranks are 0 to 3");
    EXPECT_EQ(error_of("rank 2 local comm row"), "no rank 2; ranks are 0 to 1");
    EXPECT_THAT(error_of("rank x"), HasSubstr("names no ranks"));
    EXPECT_THAT(error_of("rank 3-1"), HasSubstr("names no ranks"));
    EXPECT_THAT(error_of("rank 0,"), HasSubstr("names no ranks"));
    EXPECT_THAT(error_of("tag seven"), HasSubstr("is no tag"));
    EXPECT_EQ(error_of("queue up"), "\"up\" is none of posted, unexpected, send, collective");
    EXPECT_EQ(error_of("state up"), "\"up\" is none of pending, matched, complete");
    for (const char* size : {"size x",
                             "size >",
                             "size k",
                             "size -1",
                             "size 99999999999999999999",
                             "size 18014398509481984k"}) {
        EXPECT_THAT(error_of(size), HasSubstr("is no size"));
    }
    EXPECT_THAT(error_of("comm 'a\x1b[2J'"), HasSubstr("\\x1b"));
}

}  // namespace
}  // namespace mqinspect::shell
