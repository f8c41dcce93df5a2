#include "base/result.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>

namespace mqinspect {
namespace {

Result<int> half(int number) {
    if (number % 2 != 0) return Error{ErrorCode::InvalidArgument, "odd"};
    return number / 2;
}

Result<std::string> quarter(int number) {
    const int first = TRY(half(number));
    const int second = TRY(half(first));
    return std::to_string(second);
}

Result<Done> store(int number, int& place) {
    place = TRY(half(number));
    return Done{};
}

TEST(Result, HoldsAValueOrAnError) {
    ASSERT_TRUE(half(4));
    EXPECT_EQ(*half(4), 2);
    ASSERT_FALSE(half(3).has_value());
    EXPECT_EQ(half(3).error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(half(3).value_or(7), 7);
    EXPECT_EQ(half(6).value_or(7), 3);
    EXPECT_EQ(quarter(8)->size(), 1U);
}

TEST(Result, TryPassesErrorsOn) {
    EXPECT_EQ(*quarter(12), "3");
    EXPECT_EQ(quarter(3).error().message, "odd");
    EXPECT_EQ(quarter(6).error().message, "odd");
    int place = 0;
    EXPECT_TRUE(store(10, place));
    EXPECT_EQ(place, 5);
    EXPECT_FALSE(store(1, place));
}

TEST(Result, MovesWhatCannotBeCopied) {
    const auto make = []() -> Result<std::unique_ptr<int>> { return std::make_unique<int>(5); };
    const auto use = [&]() -> Result<int> {
        const std::unique_ptr<int> taken = TRY(make());
        return *taken;
    };

    EXPECT_EQ(*use(), 5);
    const std::unique_ptr<int> moved = *make();
    EXPECT_EQ(*moved, 5);
}

TEST(Error, NamesItsPlace) {
    const Error error{ErrorCode::BadAddress, "cannot read 8 bytes"};

    const Error placed = error.in("posted receives").in("rank 3");

    EXPECT_EQ(placed.code, ErrorCode::BadAddress);
    EXPECT_EQ(placed.message, "rank 3: posted receives: cannot read 8 bytes");
}

}  // namespace
}  // namespace mqinspect
