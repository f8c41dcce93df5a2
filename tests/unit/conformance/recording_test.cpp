#include "inspector/conformance/recording.h"

#include <array>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mqinspect::conformance {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t kPage = 0x7f00'0000'3000;

Recording example() {
    Recording recording;
    recording.images.resize(2);
    recording.images[0].symbols["MPIR_All_communicators"] = 0x7f00'0000'1234;
    recording.images[0].symbols["absent symbol"] = std::nullopt;
    recording.images[0].types["MPIR_Comm"] =
        target::TypeLayout{"MPIR_Comm", 160, {{"name", 16, 128}, {"with space", -1, 8}}};
    recording.images[0].types["MPIR_Absent"] = std::nullopt;
    recording.processes.push_back({.rank = 0, .image = 0, .pages = {}});
    recording.processes.push_back({.rank = 3, .image = 1, .pages = {}});
    auto& pages = recording.processes[1].pages;
    pages[kPage] = Recording::Page(kPageBytes);
    pages[kPage][kPageBytes - 1] = std::byte{0xab};
    pages[kPage + kPageBytes] = Recording::Page(kPageBytes, std::byte{0x11});
    pages[kPage + 2 * kPageBytes] = {};
    return recording;
}

TEST(Recording, ComesBackFromItsText) {
    const std::string text = write_recording(example());

    const auto parsed = parse_recording(text);

    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_EQ(text, write_recording(*parsed));
    EXPECT_EQ(3, parsed->processes[1].rank);
    EXPECT_EQ(1U, parsed->processes[1].image);
}

TEST(Recording, AnswersAsTheJobDid) {
    const auto job = replay(example());

    EXPECT_EQ(0x7f00'0000'1234U, job->find_symbol(0, "MPIR_All_communicators").value);
    EXPECT_TRUE(job->find_symbol(0, "absent symbol").recorded);
    EXPECT_FALSE(job->find_symbol(0, "absent symbol").value);
    EXPECT_FALSE(job->find_symbol(0, "never asked").recorded);
    ASSERT_TRUE(job->find_type(0, "MPIR_Comm").value);
    EXPECT_EQ(16, (*job->find_type(0, "MPIR_Comm").value)->offset_of("name"));
    EXPECT_TRUE(job->find_type(0, "MPIR_Absent").recorded);
    EXPECT_FALSE(job->find_type(0, "MPIR_Absent").value);
    EXPECT_FALSE(job->find_type(1, "MPIR_Comm").recorded);
}

TEST(Recording, ServesReadsThatCrossPages) {
    const auto job = replay(example());
    std::array<std::byte, 3> bytes{};

    EXPECT_TRUE(job->read(1, kPage + kPageBytes - 1, bytes).value);
    EXPECT_EQ((std::array{std::byte{0xab}, std::byte{0x11}, std::byte{0x11}}), bytes);
    EXPECT_FALSE(job->read(1, kPage + 2 * kPageBytes - 1, bytes).value);
    EXPECT_TRUE(job->read(1, kPage + 2 * kPageBytes - 1, bytes).recorded);
    EXPECT_FALSE(job->read(1, kPage - 1, bytes).recorded);
    EXPECT_FALSE(job->read(0, kPage, bytes).recorded);
}

TEST(Recording, IsMadeOfAnswersToTheQuestions) {
    const auto job = replay(example());
    Questions questions;
    questions.symbols = {{0, "MPIR_All_communicators"}, {0, "absent symbol"}, {0, "two\nlines"}};
    questions.types = {{0, "MPIR_Comm"}, {0, "MPIR_Absent"}};
    questions.pages = {{1, kPage}, {1, kPage + kPageBytes}, {1, kPage + 2 * kPageBytes}};

    EXPECT_EQ(write_recording(example()), write_recording(record(*job, questions)));
}

TEST(Recording, NamesTheLineThatIsWrong) {
    const std::string first = "mqs-recording 1\n";
    const std::string start = first + "image 0\nprocess 0 0\n";
    for (const std::string& text : {std::string("mqs-recording 2\n"),
                                    first,
                                    first + "process 0 0\n",
                                    first + "image 1\n",
                                    first + "image 0\nfield 0 4 name\n",
                                    first + "symbol 0x1 name\n",
                                    start + "page 0x123\n",
                                    start + "bytes 0 00\n",
                                    start + "page 0x1000\nbytes 4096 00\n",
                                    start + "page 0x1000\nbytes 0 0\n",
                                    start + "page 0x1000\nbytes 0 zz\n",
                                    start + "page 0x1000\nbytes 18446744073709551615 00\n",
                                    start + "unreadable 0x1000\nbytes 0 00\n",
                                    start + "nonsense\n",
                                    std::string()}) {
        EXPECT_FALSE(parse_recording(text)) << text;
    }
    EXPECT_THAT(parse_recording(start + "nonsense\n").error().message, HasSubstr("line 4"));
}

}  // namespace
}  // namespace mqinspect::conformance
