#include "inspector/shell/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mqinspect::shell {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> words(std::string_view line) {
    return split_words(line).value_or(std::vector<std::string>{"<error>"});
}

TEST(Words, AreSeparatedByBlanks) {
    EXPECT_THAT(words("  queues\tcomm  ring "), ElementsAre("queues", "comm", "ring"));
    EXPECT_THAT(words(" \t "), IsEmpty());
}

TEST(Words, KeepBlanksInQuotes) {
    EXPECT_THAT(words("comm \"my grid\" 'a \"b\"' x\"y z\""),
                ElementsAre("comm", "my grid", "a \"b\"", "xy z"));
    EXPECT_THAT(words("comm ''"), ElementsAre("comm", ""));
}

TEST(Words, RefuseAQuoteThatDoesNotEnd) {
    EXPECT_FALSE(split_words("comm \"ring"));
}

TEST(Words, AreReadAgainAsTheyWereQuoted) {
    for (const std::string word : {"ring", "my grid", "it's", "\"", "", "a\tb"})
        EXPECT_THAT(words("comm " + quoted_word(word)), ElementsAre("comm", word));
}

TEST(Words, TextBehindTheFirstStaysAsItIs) {
    EXPECT_EQ(after_first_word(" print   a[1] + \"b c\"  "), "a[1] + \"b c\"");
    EXPECT_EQ(after_first_word("print"), "");
    EXPECT_EQ(after_first_word(""), "");
}

}  // namespace
}  // namespace mqinspect::shell
