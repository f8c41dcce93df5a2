#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "inspector/target/process_maps.h"

namespace mqinspect::target {
namespace {

TEST(ProcessMaps, ReadsEveryFieldOfALine) {
    const auto lines = parse_maps(
        "7f01a000-7f01c000 r-xp 00002000 08:1f 1234567                    /usr/lib/libc.so.6\n");

    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(lines[0].start, 0x7f01a000U);
    EXPECT_EQ(lines[0].end, 0x7f01c000U);
    EXPECT_TRUE(lines[0].readable);
    EXPECT_TRUE(lines[0].executable);
    EXPECT_EQ(lines[0].offset, 0x2000U);
    EXPECT_EQ(lines[0].device, (std::uint64_t{8} << 32) + 0x1f);
    EXPECT_EQ(lines[0].inode, 1234567U);
    EXPECT_EQ(lines[0].path, "/usr/lib/libc.so.6");
}

TEST(ProcessMaps, KeepsBlanksAndDeletionInThePath) {
    const auto lines = parse_maps("1000-2000 ---p 00000000 00:00 7   /tmp/my app (deleted)\n");

    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(lines[0].path, "/tmp/my app (deleted)");
    EXPECT_FALSE(lines[0].readable);
}

TEST(ProcessMaps, AcceptsAnonymousAndSpecialMappings) {
    const auto lines = parse_maps(
        "1000-2000 rw-p 00000000 00:00 0 \n"
        "3000-4000 rw-p 00000000 00:00 0\n"
        "5000-6000 r-xp 00000000 00:00 0                          [vdso]\n"
        "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0  [vsyscall]");

    ASSERT_EQ(lines.size(), 4U);
    EXPECT_EQ(lines[0].path, "");
    EXPECT_EQ(lines[1].path, "");
    EXPECT_EQ(lines[2].path, "[vdso]");
    EXPECT_EQ(lines[3].start, 0xffffffffff600000U);
}

TEST(ProcessMaps, LeavesOutLinesThatCannotBeTrue) {
    EXPECT_THAT(parse_maps("nonsense\n"), ::testing::IsEmpty());
    EXPECT_THAT(parse_maps("2000-1000 r-xp 0 00:00 0\n"), ::testing::IsEmpty());
    EXPECT_THAT(parse_maps("1000-2000 r-xp"), ::testing::IsEmpty());
    EXPECT_THAT(parse_maps("1000-12345678901234567890 r-xp 0 00:00 0\n"), ::testing::IsEmpty());
    // Ranges are sorted; one that goes back is not the kernel's.
    EXPECT_EQ(parse_maps("5000-6000 r-xp 0 00:00 0\n1000-2000 r-xp 0 00:00 0\n").size(), 1U);
}

TEST(ProcessMaps, SurvivesAnyText) {
    std::mt19937 random(20240501);
    const std::string alphabet = "0123456789abcdef-: rwxp/[]\n";
    for (int round = 0; round < 2000; ++round) {
        std::string text(random() % 200, ' ');
        for (char& c : text)
            c = alphabet[random() % alphabet.size()];
        for (const MapsLine& line : parse_maps(text))
            EXPECT_LT(line.start, line.end) << "round " << round;
    }
}

}  // namespace
}  // namespace mqinspect::target
