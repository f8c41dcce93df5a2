#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/target/inspected.h"

namespace mqinspect::target {
namespace {

using mqinspect::testing::Inspected;

TEST(Variables, AreReadFromUnoptimisedFrames) {
    const Inspected inspected(FIXTURE_WAITER_O0, {"stack", "1"});

    EXPECT_EQ(inspected.number("inner", "number"), 1780);
    EXPECT_EQ(inspected.number("inner", "local"), 2670);
    EXPECT_EQ(inspected.number("inner", "calls"), 71);  // static
    EXPECT_EQ(inspected.number("middle", "count"), 890);
    EXPECT_EQ(inspected.number("outer", "depth"), 0);  // the innermost of them
    EXPECT_EQ(inspected.number("main", "argc"), 3);

    const auto ratio = inspected.variable("middle", "ratio");
    ASSERT_TRUE(ratio);
    double value = 0;
    ASSERT_EQ(ratio->bytes.size(), sizeof value);
    std::memcpy(&value, ratio->bytes.data(), sizeof value);
    EXPECT_EQ(value, 2.5);
}

TEST(Variables, KnowTheirTypeAddressAndKind) {
    const Inspected inspected(FIXTURE_WAITER_O0, {"stack", "0"});

    const auto point = inspected.variable("inner", "point");
    ASSERT_TRUE(point);
    EXPECT_EQ(point->type, "Point");
    EXPECT_TRUE(point->is_parameter);
    ASSERT_TRUE(point->address);
    EXPECT_EQ(*read_value<int>(*inspected.memory, *point->address + 4), 22);
    EXPECT_EQ(inspected.variable("inner", "text")->type, "const char *");
    EXPECT_EQ(inspected.variable("main", "argv")->type, "char **");
    const auto values = inspected.variable("outer", "values");
    ASSERT_TRUE(values);
    EXPECT_EQ(values->type, "int [3]");
    EXPECT_EQ(values->bytes.size(), 12U);
    EXPECT_FALSE(values->is_parameter);
    const auto text = inspected.number("inner", "text");
    EXPECT_EQ(*read_string(*inspected.memory, Address{static_cast<std::uint64_t>(text)}, 100),
              "done\n");
}

TEST(Variables, OfOptimisedCodeAreReadWhereTheyAreKept) {
    const Inspected inspected(FIXTURE_WAITER_O2, {"forgetful", "24"});

    EXPECT_EQ(inspected.number("inner", "number"), 100);
    // Only the caller knows what it passed.
    EXPECT_EQ(inspected.number("forgetful", "passed"), 100);
    EXPECT_EQ(inspected.number("forgetful", "kept"), 3);
}

TEST(Variables, ThatAreNotThereAreNotInvented) {
    const Inspected inspected(FIXTURE_WAITER_O0, {"stack", "0"});

    EXPECT_EQ(inspected.variable("inner", "nothing").error().code, ErrorCode::MissingDebugInfo);
    EXPECT_EQ(inspected.variable("_start", "argc").error().code, ErrorCode::MissingDebugInfo);
    const CapturedMemory memory(inspected.thread, *inspected.memory);
    EXPECT_FALSE(read_variable(*inspected.view, inspected.stack, 1000, memory, "number"));

    // A register that no frame preserved.
    UnwoundStack stack = inspected.stack;
    const std::size_t inner = inspected.frame("inner");
    stack.frames[inner].registers.fill(std::nullopt);
    stack.frames[inner].cfa.reset();
    EXPECT_EQ(read_variable(*inspected.view, stack, inner, memory, "number").error().code,
              ErrorCode::BadAddress);
}

TEST(Variables, ParameterNamesComeInOrder) {
    const Inspected inspected(FIXTURE_WAITER_O2, {"forgetful", "1"});
    const auto names = [&inspected](std::string_view function) {
        return parameter_names(*inspected.view, inspected.stack.frames[inspected.frame(function)]);
    };

    EXPECT_EQ(names("inner"), (std::vector<std::string>{"number", "text", "point"}));
    EXPECT_EQ(names("forgetful"), (std::vector<std::string>{"passed", "kept"}));
    EXPECT_EQ(names("main"), (std::vector<std::string>{"argc", "argv"}));
    EXPECT_TRUE(names("_start").empty());
}

}  // namespace
}  // namespace mqinspect::target
