#include "analysis/local/id_map.h"

#include <map>
#include <random>

#include <gtest/gtest.h>

namespace mqinspect::analysis {
namespace {

TEST(IdMap, AgreesWithAMap) {
    std::mt19937 engine{7};
    IdMap ids;
    std::map<std::int64_t, std::uint32_t> expected;
    for (std::uint32_t step = 0; step < 20'000; ++step) {
        const auto id = static_cast<std::int64_t>(engine() % 300) - 20;
        if (expected.count(id) != 0) {
            ids.erase(id);
            expected.erase(id);
        } else {
            ids.insert(id, step);
            expected[id] = step;
        }
        const auto other = static_cast<std::int64_t>(engine() % 300) - 20;
        const auto found = expected.find(other);
        ASSERT_EQ(ids.find(other), found == expected.end() ? IdMap::kNone : found->second);
        ASSERT_EQ(ids.size(), expected.size());
    }
}

}  // namespace
}  // namespace mqinspect::analysis
