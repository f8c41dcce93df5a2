#include "thread_level/notes/packing.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

namespace mqinspect::thread_level::notes {
namespace {

std::string through(const std::string& bytes) {
    const std::string packed = pack(bytes);
    if (packed.empty()) return bytes;
    Reader reader(packed, 0);
    std::string unpacked = unpack(reader, bytes.size());
    EXPECT_EQ("", reader.error());
    EXPECT_LE(bytes.size(), kMostUnpacked * packed.size());
    return unpacked;
}

std::string packing_error(std::string_view packed, std::size_t length) {
    Reader reader(packed, 10);
    unpack(reader, length);
    return reader.error();
}

TEST(Packing, GivesBackWhatItGot) {
    for (const std::string bytes : {"", "a", "ab", "abc", "abcabcabcabcabcabc", "abcdabceabcdabce"})
        EXPECT_EQ(bytes, through(bytes));
    for (const std::size_t length : {15U, 16U, 17U, 47U, 48U, 49U, 50U, 127U, 300U, 5000U}) {
        EXPECT_EQ(std::string(length, 'x'), through(std::string(length, 'x')));
        std::string counting;
        for (std::size_t at = 0; at < length; ++at)
            counting += static_cast<char>(at % 251);
        EXPECT_EQ(counting, through(counting));
    }
}

TEST(Packing, GivesBackRandomBytes) {
    std::mt19937 random(2015);
    for (unsigned round = 0; round < 400; ++round) {
        std::string bytes;
        const unsigned letters = 1 + round % 40;
        for (std::size_t length = random() % 2000; length > 0; --length)
            bytes += static_cast<char>(random() % letters);
        ASSERT_EQ(bytes, through(bytes)) << round;
    }
}

TEST(Packing, SaysTwiceOnce) {
    const std::string row = "call of timer_start in 0 with 21 and 17, ";
    std::string bytes;
    for (char at = 'a'; at <= 'z'; ++at)
        bytes += row + at;
    EXPECT_LT(pack(bytes).size(), row.size() + 26 * 5);
}

TEST(Packing, LeavesWhatWouldGetTooShort) {
    EXPECT_EQ("", pack(std::string(5000, 'x')));
    EXPECT_NE("", pack("abcabcabcabcabcabc"));
}

TEST(Packing, NamesWhatIsDamaged) {
    const std::string packed = pack("abcabcabcabcabcabc");
    EXPECT_EQ("offset 10: it is said to be too long", packing_error(packed, 1000));
    const std::string damaged = "its packed bytes are damaged";
    const auto ends_with_it = [&](const std::string& error) { return error.ends_with(damaged); };
    EXPECT_TRUE(ends_with_it(packing_error(packed, 17)));
    EXPECT_TRUE(ends_with_it(packing_error(packed, 19)));
    EXPECT_TRUE(ends_with_it(packing_error(packed + "x", 18)));
    EXPECT_TRUE(ends_with_it(packing_error(packed.substr(0, packed.size() - 1), 18)));
    EXPECT_TRUE(ends_with_it(packing_error("\xff\xff\xff\xff", 18)));
}

}  // namespace
}  // namespace mqinspect::thread_level::notes
