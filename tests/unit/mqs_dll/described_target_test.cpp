// The text that describes a process: what it puts where, and what is wrong with it.
#include "tests/support/described_target.h"

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mqinspect::test {
namespace {

namespace fs = std::filesystem;

class DescribedTargetTest : public testing::Test {
protected:
    void SetUp() override { fs::create_directories(folder_); }
    void TearDown() override { fs::remove_all(folder_); }

    fs::path write(const std::string& name, const std::string& text) {
        std::ofstream(folder_ / name) << text;
        return folder_ / name;
    }
    /// The complaint about the text.
    std::string refusal(const std::string& text) {
        try {
            const DescribedTarget described(write("x.layout", text));
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return "none";
    }
    static std::int32_t word(const DescribedTarget& described, const char* object, int offset) {
        return described.memory.load<std::int32_t>(described.objects.find(object)->second.address +
                                                   static_cast<std::uint64_t>(offset));
    }

private:
    fs::path folder_ = fs::path(testing::TempDir()) /
                       testing::UnitTest::GetInstance()->current_test_info()->name();
};

constexpr const char* kPoint = "type Point 16\n  x 0 int32\n  y 4 int16[2]\n  next 8 pointer\n";

TEST_F(DescribedTargetTest, LaysOutValuesStringsAndReferences) {
    const DescribedTarget described(write("a.layout",
                                          std::string(kPoint) +
                                              "variable head pointer = &p[1].next+4\n"
                                              "object p Point 2   # two of them\n"
                                              "  [0].x = -2\n"
                                              "  [1].y = 0xffff 7\n"
                                              "  [1].next = &p\n"
                                              "object name char 8 = \"a # b\"\n"));
    const std::uint64_t p = described.objects.at("p").address;
    EXPECT_EQ(word(described, "p", 0), -2);
    EXPECT_EQ(word(described, "p", 20), 0x7ffff);
    EXPECT_EQ(described.memory.load<std::uint64_t>(p + 24), p);
    EXPECT_EQ(described.memory.load<std::uint64_t>(described.target.symbols.at("head")), p + 28);
    EXPECT_EQ(word(described, "name", 0), 0x20232061);
    EXPECT_EQ(described.target.types.at("Point").size, 16);
    EXPECT_EQ(described.target.types.at("Point").fields.at("y"), 4);
    EXPECT_FALSE(described.target.symbols.contains("p"));
}

TEST_F(DescribedTargetTest, TheDebuggerMayKnowLessThanThereIs) {
    write("types", kPoint);
    const DescribedTarget described(write("a.layout",
                                          "include types\n"
                                          "hidden Inner 4\n"
                                          "  value 0 int32\n"
                                          "type Outer 8\n"
                                          "  inner 4 Inner\n"
                                          "alias Spot Point\n"
                                          "variable v Outer\n"
                                          "  inner.value = 5\n"
                                          "symbol w = &v.inner\n"
                                          "unreadable v.inner\n"
                                          "unknown v\n"
                                          "unknown Point.x\n"
                                          "debugger invents-types\n"));
    std::int32_t value = 0;
    const std::uint64_t v = described.objects.at("v").address;
    EXPECT_EQ(word(described, "v", 4), 5);
    EXPECT_FALSE(described.memory.read(v + 4, 4, &value));
    EXPECT_TRUE(described.memory.read(v, 4, &value));
    EXPECT_FALSE(described.target.types.contains("Inner"));
    EXPECT_EQ(described.target.types.at("Spot").fields.at("x"), 0);
    EXPECT_FALSE(described.target.types.at("Point").fields.contains("x"));
    EXPECT_FALSE(described.target.symbols.contains("v"));
    EXPECT_EQ(described.target.symbols.at("w"), v + 4);
    EXPECT_TRUE(described.target.invents_types);
}

TEST_F(DescribedTargetTest, MistakesAreNamedWithTheirLine) {
    EXPECT_EQ(refusal("\nobject p Point\n"), "x.layout:2: no type Point");
    EXPECT_EQ(refusal("type T 4\n  a 2 int32\n"), "x.layout:2: lies beyond its type");
    EXPECT_EQ(refusal("object p int32 = 0x100000000\n"), "x.layout:1: 0x100000000 does not fit");
    EXPECT_EQ(refusal("object p int8 = -129\n"), "x.layout:1: -129 does not fit");
    EXPECT_EQ(refusal("object p int8 2 = 1 2 3\n"), "x.layout:1: more values than elements");
    EXPECT_EQ(refusal("object p pointer = &q\n"), "x.layout:1: no object q");
    EXPECT_EQ(refusal("object p int32 = five\n"), "x.layout:1: five is no number");
    EXPECT_EQ(refusal("object p char 2 = \"abc\"\n"), "x.layout:1: no room for it");
    EXPECT_EQ(refusal("object p char 2 = \"a\n"), "x.layout:1: a string has no end");
    EXPECT_EQ(refusal("object p int8\nobject p int8\n"), "x.layout:2: p is there already");
    EXPECT_EQ(refusal("  a = 1\n"), "x.layout:1: belongs to no type and no object");
    EXPECT_EQ(refusal(std::string(kPoint) + "object p Point\n  z = 1\n"),
              "x.layout:6: no member z");
    EXPECT_EQ(refusal(std::string(kPoint) + "object p Point 2\n  [2].x = 1\n"),
              "x.layout:6: no such element");
    EXPECT_EQ(refusal(std::string(kPoint) + "object p Point = 1\n"),
              "x.layout:5: only numbers, pointers and strings have a value");
    EXPECT_EQ(refusal("unknown x\n"), "x.layout:1: no type, member or symbol x");
    EXPECT_EQ(refusal("object p int64 1000000\n"), "x.layout:1: too much memory");
    EXPECT_EQ(refusal("mystery\n"), "x.layout:1: not understood");
}

}  // namespace
}  // namespace mqinspect::test
