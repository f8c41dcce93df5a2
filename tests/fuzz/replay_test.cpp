// What the fuzzer found once, and random damage with fixed seeds.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/fuzz/walkers.h"

namespace mqinspect::test {
namespace {

namespace fs = std::filesystem;

class Walker : public testing::TestWithParam<std::string> {};

TEST_P(Walker, SurvivesTheCorpus) {
    const fs::path folder = fs::path(MQI_FUZZ_CORPUS) / GetParam();
    if (!fs::exists(folder)) return;
    for (const auto& entry : fs::directory_iterator(folder)) {
        std::ifstream file(entry.path(), std::ios::binary);
        const std::vector<char> text{std::istreambuf_iterator<char>(file), {}};
        const std::vector<std::uint8_t> bytes(text.begin(), text.end());
        EXPECT_TRUE(survive_damage(GetParam(), bytes.data(), bytes.size())) << entry.path();
    }
}

TEST_P(Walker, SurvivesRandomDamage) {
    for (std::uint32_t seed = 1; seed <= 500; ++seed) {
        std::mt19937 random(seed);
        std::vector<std::uint8_t> bytes(1 + 9 * (1 + random() % 24));
        for (std::uint8_t& byte : bytes)
            byte = static_cast<std::uint8_t>(random());
        ASSERT_TRUE(survive_damage(GetParam(), bytes.data(), bytes.size())) << "seed " << seed;
    }
}

std::string name_of(const testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    std::erase_if(name, [](char c) { return c == '.' || c == '_'; });
    return name;
}

INSTANTIATE_TEST_SUITE_P(MqsDllFuzz, Walker, testing::ValuesIn(walker_names()), name_of);

TEST(MqsDllFuzz, TheCorpusIsThatOfWalkers) {
    const auto names = walker_names();
    for (const auto& entry : fs::directory_iterator(MQI_FUZZ_CORPUS)) {
        EXPECT_NE(names.end(),
                  std::find(names.begin(), names.end(), entry.path().filename().string()))
            << entry.path();
    }
}

}  // namespace
}  // namespace mqinspect::test
