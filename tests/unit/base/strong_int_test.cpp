#include "base/strong_int.h"

#include <type_traits>
#include <unordered_set>

#include <gtest/gtest.h>

namespace mqinspect {
namespace {

using Apples = StrongInt<struct ApplesTag>;
using Pears = StrongInt<struct PearsTag>;

static_assert(!std::is_convertible_v<int, Apples>);
static_assert(!std::is_convertible_v<Apples, int>);
static_assert(!std::is_convertible_v<Apples, Pears>);

TEST(StrongInt, ComparesAndHashes) {
    EXPECT_LT(Apples(1), Apples(2));
    EXPECT_EQ(Apples(), Apples(0));
    EXPECT_EQ(Apples(7).index(), 7U);
    const std::unordered_set<Apples> apples{Apples(1), Apples(1), Apples(2)};
    EXPECT_EQ(apples.size(), 2U);
    EXPECT_EQ(apples.count(Apples(2)), 1U);
}

}  // namespace
}  // namespace mqinspect
