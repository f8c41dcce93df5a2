#include "report/utf8.h"

#include <gtest/gtest.h>

namespace mqinspect::report {
namespace {

TEST(Utf8, KeepsReadableText) {
    EXPECT_EQ(printable("grid, Größe, 通信, 🙂"), "grid, Größe, 通信, 🙂");
}

TEST(Utf8, SpellsControlCharacters) {
    EXPECT_EQ(printable("a\x1b[31mb\nc\td\x7f"), "a\\x1b[31mb\\nc\\td\\x7f");
    EXPECT_EQ(printable("\xc2\x9b"), "\\x9b")
        << "a one-character escape sequence of 8-bit terminals";
    EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
}

TEST(Utf8, SpellsWhatReordersALine) {
    EXPECT_EQ(printable("a\u202eb\u2066c\u2028"), "a\\u202eb\\u2066c\\u2028");
}

TEST(Utf8, SpellsBytesThatAreNotUtf8) {
    EXPECT_EQ(printable("a\xff\x80"), "a\\xff\\x80");
    EXPECT_EQ(printable("\xe9t\xe9"), "\\xe9t\\xe9") << "Latin-1";
    EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf") << "overlong";
    EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "surrogate";
    EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "above U+10FFFF";
    EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82") << "cut off";
}

TEST(Utf8, PrintableTextStaysAsItIs) {
    const std::string once = printable("\x1b\xff \\");
    EXPECT_EQ(printable(once), once);
}

TEST(Utf8, CountsColumnsNotBytes) {
    EXPECT_EQ(columns(""), 0U);
    EXPECT_EQ(columns("Größe"), 5U);
}

}  // namespace
}  // namespace mqinspect::report
