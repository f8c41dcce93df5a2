// The kept inputs of the fuzzer of recorded runs, and each of them damaged in many ways.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "tests/fuzz/recording_subject.h"

namespace mqinspect::fuzz {
namespace {

std::vector<std::filesystem::path> inputs() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(MQI_RECORDING_CORPUS))
        files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

std::vector<std::uint8_t> content(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(RecordingCorpus, IsReadWithoutHarm) {
    std::size_t calls = 0;
    for (const auto& path : inputs())
        calls += read_recorded(content(path));
    EXPECT_GT(calls, 0U);
}

TEST(RecordingCorpus, DamagedIsReadWithoutHarm) {
    std::mt19937_64 random(2006);
    for (const auto& path : inputs()) {
        const std::vector<std::uint8_t> whole = content(path);
        for (int round = 0; round < 300; ++round) {
            std::vector<std::uint8_t> bytes = whole;
            for (std::uint64_t change = 1 + random() % 4; change > 0; --change)
                bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
            if (random() % 4 == 0) bytes.resize(random() % bytes.size() + 1);
            read_recorded(bytes);
        }
    }
}

}  // namespace
}  // namespace mqinspect::fuzz
