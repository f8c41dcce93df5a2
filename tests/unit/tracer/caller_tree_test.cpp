// Sites that are told apart by their callers.
#include "tracer/stack/caller_tree.h"

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace mqinspect::tracer {
namespace {

class CallerTree : public ::testing::Test {
protected:
    /// With callers at these words of the stack.
    Site& add(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& callers) {
        frames_.emplace_back();
        for (const auto& [word, address] : callers)
            frames_.back().push_back({word * sizeof(std::uint64_t), address});
        Site& site = sites_.emplace_back();
        site.frames = frames_.back().data();
        site.frame_count = static_cast<std::uint32_t>(callers.size());
        EXPECT_TRUE(tree_.add(arena_, site));
        return site;
    }
    const Site* find(const std::vector<std::uint64_t>& stack) const {
        return tree_.find(reinterpret_cast<const std::uint8_t*>(stack.data()),
                          stack.size() * sizeof(std::uint64_t));
    }

    tracer::CallerTree tree_;

private:
    Arena arena_;
    std::deque<Site> sites_;
    std::deque<std::vector<Frame>> frames_;
};

TEST_F(CallerTree, AnEmptyOneHasNothing) {
    EXPECT_EQ(nullptr, find({1, 2, 3}));
    EXPECT_EQ(nullptr, find({}));
}

TEST_F(CallerTree, StacksThatDifferAnywhere) {
    const Site& first = add({{0, 10}, {2, 20}, {4, 30}});
    const Site& other_end = add({{0, 10}, {2, 20}, {4, 31}});
    const Site& other_middle = add({{0, 10}, {2, 21}, {3, 30}});
    const Site& other_begin = add({{0, 11}, {2, 20}, {4, 30}});

    EXPECT_EQ(&first, find({10, 0, 20, 0, 30}));
    EXPECT_EQ(&other_end, find({10, 0, 20, 0, 31, 99}));
    EXPECT_EQ(&other_middle, find({10, 0, 21, 30, 0}));
    EXPECT_EQ(&other_begin, find({11, 0, 20, 0, 30}));
    EXPECT_EQ(nullptr, find({10, 0, 20, 0, 32}));
    EXPECT_EQ(nullptr, find({12, 0, 20, 0, 30}));
}

TEST_F(CallerTree, NothingBeyondTheEndOfTheStackIsRead) {
    add({{0, 10}, {4, 30}});

    EXPECT_EQ(nullptr, find({10, 0, 0, 0}));
}

TEST_F(CallerTree, AFunctionThatTakesSpaceOfVaryingSize) {
    const Site& small = add({{0, 10}, {2, 20}, {3, 40}});
    const Site& large = add({{0, 10}, {5, 20}, {6, 40}});

    EXPECT_EQ(&small, find({10, 0, 20, 40, 0, 0, 0}));
    EXPECT_EQ(&large, find({10, 0, 0, 0, 0, 20, 40}));
    // What an earlier call has left there leads astray at first.
    EXPECT_EQ(&small, find({10, 0, 20, 40, 0, 20, 41}));
    EXPECT_EQ(&large, find({10, 0, 20, 41, 0, 20, 40}));
}

TEST_F(CallerTree, AStackThatIsTheBeginningOfAnother) {
    const Site& longer = add({{0, 10}, {1, 20}, {2, 30}});
    const Site& shorter = add({{0, 10}, {1, 20}});

    EXPECT_EQ(&longer, find({10, 20, 30}));
    EXPECT_EQ(&shorter, find({10, 20, 31}));
    EXPECT_EQ(nullptr, find({10, 21, 30}));
}

TEST_F(CallerTree, ASiteWithoutCallersFitsWhatHasNoOther) {
    const Site& alone = add({});
    const Site& called = add({{1, 20}});

    EXPECT_EQ(&called, find({0, 20}));
    EXPECT_EQ(&alone, find({0, 21}));
    EXPECT_EQ(&alone, find({}));
}

}  // namespace
}  // namespace mqinspect::tracer
