#include "trace_io/byte_reader.h"

#include <array>
#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mqinspect::trace_io {
namespace {

using ::testing::ElementsAre;

std::vector<std::uint8_t> varints(const std::vector<std::uint64_t>& values) {
    std::vector<std::uint8_t> bytes;
    for (const std::uint64_t value : values) {
        std::array<std::uint8_t, model::kMaxVarintBytes> one{};
        bytes.insert(bytes.end(), one.data(), model::put_varint(one.data(), value));
    }
    return bytes;
}

// Of all lengths.
std::vector<std::uint64_t> some_numbers() {
    std::mt19937_64 random(7);
    std::vector<std::uint64_t> values = {0, 127, 128, UINT64_MAX};
    for (unsigned round = 0; round < 200; ++round)
        values.push_back(random() >> (random() % 64));
    return values;
}

TEST(ByteReader, ReadsVarintsOfAllLengths) {
    const std::vector<std::uint64_t> values = some_numbers();
    const std::vector<std::uint8_t> bytes = varints(values);

    ByteReader reader(bytes);

    for (const std::uint64_t value : values)
        EXPECT_EQ(reader.varint(), value);
    EXPECT_TRUE(reader.at_end());
    EXPECT_TRUE(reader.ok());
}

TEST(ByteReader, ReadsAnyBytesAsTheFormatSays) {
    std::mt19937_64 random(11);
    for (int round = 0; round < 20'000; ++round) {
        std::vector<std::uint8_t> bytes(1 + random() % 14);
        for (std::uint8_t& byte : bytes)
            byte = static_cast<std::uint8_t>(random() % 4 == 0 ? random() % 3 : 0x80 | random());
        std::uint64_t expected = 0;
        const std::uint8_t* const end = bytes.data() + bytes.size();
        const std::uint8_t* const behind = model::get_varint(bytes.data(), end, expected);

        ByteReader reader(bytes);
        const std::uint64_t value = reader.varint();

        ASSERT_EQ(reader.ok(), behind != nullptr) << "round " << round;
        ASSERT_EQ(value, behind == nullptr ? 0 : expected) << "round " << round;
        const auto length = behind == nullptr ? 0 : behind - bytes.data();
        ASSERT_EQ(reader.offset(), static_cast<std::size_t>(length));
    }
}

TEST(ByteReader, SkipsWhatItWouldRead) {
    const std::vector<std::uint64_t> values = some_numbers();
    const std::vector<std::uint8_t> bytes = varints(values);
    for (std::size_t count = 0; count <= values.size(); ++count) {
        ByteReader reading(bytes);
        ByteReader skipping(bytes);

        for (std::size_t i = 0; i < count; ++i)
            reading.varint();
        skipping.skip_varints(count);

        EXPECT_EQ(skipping.offset(), reading.offset());
    }
    ByteReader reader(bytes);
    reader.skip_varints(values.size() + 1);
    EXPECT_FALSE(reader.ok());
}

TEST(ByteReader, AddsDifferencesUp) {
    const std::vector<std::uint8_t> bytes =
        varints({model::zigzag(5), model::zigzag(-7), model::zigzag(1000)});
    std::array<std::int64_t, 3> list{};

    ByteReader reader(bytes);
    reader.differences(list);

    EXPECT_THAT(list, ElementsAre(5, -2, 998));
}

TEST(ByteReader, FailsForGood) {
    const std::vector<std::uint8_t> bytes = {0x80};

    ByteReader reader(bytes);
    reader.varint();

    EXPECT_FALSE(reader.ok());
    EXPECT_TRUE(reader.at_end());
    EXPECT_EQ(reader.varint(), 0U);
    EXPECT_EQ(reader.length(), 0U);
    EXPECT_TRUE(reader.text().empty());
}

}  // namespace
}  // namespace mqinspect::trace_io
