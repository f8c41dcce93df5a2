// What the fuzzer found once, and random damage with fixed seeds.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "tests/fuzz/damaged_mpich.h"

namespace mqinspect::test {
namespace {

TEST(MqsDllFuzz, SurvivesTheCorpus) {
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(MQI_FUZZ_CORPUS)) {
        std::ifstream file(entry.path(), std::ios::binary);
        const std::vector<char> text{std::istreambuf_iterator<char>(file), {}};
        const std::vector<std::uint8_t> bytes(text.begin(), text.end());
        EXPECT_TRUE(survive_damage(bytes.data(), bytes.size())) << entry.path();
        ++files;
    }
    EXPECT_GT(files, 0);
}

TEST(MqsDllFuzz, SurvivesRandomDamage) {
    for (std::uint32_t seed = 1; seed <= 2000; ++seed) {
        std::mt19937 random(seed);
        std::vector<std::uint8_t> bytes(1 + 6 * (1 + random() % 24));
        for (std::uint8_t& byte : bytes)
            byte = static_cast<std::uint8_t>(random());
        ASSERT_TRUE(survive_damage(bytes.data(), bytes.size())) << "seed " << seed;
    }
}

}  // namespace
}  // namespace mqinspect::test
