#include "inspector/target/stack.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "inspector/target/stop.h"
#include "tests/unit/target/inspected.h"

namespace mqinspect::target {
namespace {

using mqinspect::testing::Child;
using mqinspect::testing::Inspected;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

// The functions of the fixture, in order, without those of the C library.
std::vector<std::string> own_functions(const Inspected& inspected) {
    std::vector<std::string> names;
    for (const UnwoundFrame& frame : inspected.stack.frames) {
        const auto described = inspected.view->describe(frame.pc, frame.is_return_address);
        if (described.image == inspected.view->modules().front().image->path())
            names.push_back(described.function);
    }
    return names;
}

TEST(Unwind, ReachesTheStartOfTheProgram) {
    for (const char* program : {FIXTURE_WAITER_O0, FIXTURE_WAITER_FIXED}) {
        const Inspected inspected(program, {"stack", "2"});

        EXPECT_EQ(inspected.stack.problem, "");
        EXPECT_EQ(
            own_functions(inspected),
            (std::vector<std::string>{
                "wait_for_byte", "inner", "middle", "outer", "outer", "outer", "main", "_start"}));
        EXPECT_FALSE(inspected.stack.frames.front().is_return_address);
        EXPECT_TRUE(inspected.stack.frames.back().is_return_address);
    }
}

TEST(Unwind, SeesOptimisedCodeToo) {
    const Inspected inspected(FIXTURE_WAITER_O2, {"forgetful", "1"});

    EXPECT_EQ(inspected.stack.problem, "");
    EXPECT_THAT(own_functions(inspected), IsSupersetOf({"inner", "forgetful", "main", "_start"}));
}

TEST(Unwind, GivesLinesOfCallsAndGrowingFrameAddresses) {
    const Inspected inspected(FIXTURE_WAITER_O0, {"stack", "0"});
    const UnwoundFrame& middle = inspected.stack.frames[inspected.frame("middle")];

    const auto frame = inspected.view->describe(middle.pc, middle.is_return_address);
    EXPECT_THAT(frame.location.file, HasSubstr("waiter.c"));
    EXPECT_EQ(frame.location.line, 46);
    std::uint64_t last = 0;
    for (const UnwoundFrame& one : inspected.stack.frames) {
        ASSERT_TRUE(one.cfa);
        EXPECT_GT(*one.cfa, last);
        last = *one.cfa;
        EXPECT_EQ(one.registers[16], to_integer(one.pc));
    }
}

TEST(Unwind, NeedsNothingOfTheProcessButTheCapturedStack) {
    Inspected inspected(FIXTURE_WAITER_O0, {"stack", "1"});
    inspected.child.reset();  // killed

    const auto stack = unwind(*inspected.view, inspected.thread, *inspected.memory);

    EXPECT_EQ(stack.problem, "");
    EXPECT_EQ(stack.frames.size(), inspected.stack.frames.size());
}

TEST(Unwind, SaysWhereACopyThatIsTooShortEnds) {
    Inspected inspected(FIXTURE_WAITER_O0, {"stack", "30"});
    const auto short_copy = capture_thread(*inspected.view,
                                           *inspected.memory,
                                           inspected.child->pid(),
                                           inspected.thread.registers,
                                           512);
    ASSERT_TRUE(short_copy);
    EXPECT_EQ(short_copy->stack.size(), 512U);
    // The rest is read from the living process.
    EXPECT_EQ(unwind(*inspected.view, *short_copy, *inspected.memory).problem, "");
    inspected.child.reset();

    const auto stack = unwind(*inspected.view, *short_copy, *inspected.memory);

    EXPECT_NE(stack.problem, "");
    EXPECT_GT(stack.frames.size(), 1U);
    EXPECT_LT(stack.frames.size(), inspected.stack.frames.size());
}

TEST(Unwind, StopsAtTheLimit) {
    const Inspected inspected(FIXTURE_WAITER_O0, {"stack", "5"});

    const auto stack = unwind(*inspected.view, inspected.thread, *inspected.memory, 3);

    EXPECT_EQ(stack.frames.size(), 3U);
    EXPECT_THAT(stack.problem, HasSubstr("3 frames"));
}

TEST(Unwind, CrossesASignalHandler) {
    const Inspected inspected(FIXTURE_WAITER_O0, {"handler"});

    EXPECT_EQ(inspected.stack.problem, "");
    EXPECT_THAT(own_functions(inspected),
                IsSupersetOf({"inner", "block_in_handler", "interrupted", "main", "_start"}));
    // One frame beside the innermost was interrupted, not called from.
    EXPECT_EQ(std::count_if(inspected.stack.frames.begin() + 1,
                            inspected.stack.frames.end(),
                            [](const UnwoundFrame& frame) { return !frame.is_return_address; }),
              1);
    EXPECT_EQ(inspected.number("block_in_handler", "number"), 10);
}

TEST(Unwind, FollowsTheFramePointerWhereTablesAreMissing) {
    const Inspected inspected(FIXTURE_WAITER_O0, {"no-cfi"});

    EXPECT_THAT(own_functions(inspected),
                IsSupersetOf({"inner", "through_no_cfi", "call_without_cfi", "main", "_start"}));
    EXPECT_THAT(inspected.stack.problem, HasSubstr("followed the frame pointer"));
}

TEST(Unwind, ReturnsFromAJumpToNowhere) {
    Inspected inspected(FIXTURE_WAITER_O0, {"stack", "0"});
    // As if the function inner had called through a null pointer: the address to
    // return to is on top of the stack.
    const std::size_t callee = inspected.frame("inner") - 1;
    const UnwoundFrame& caller = inspected.stack.frames[callee + 1];
    inspected.thread.registers.rip = 0;
    inspected.thread.registers.rsp = *inspected.stack.frames[callee].cfa - 8;
    inspected.thread.registers.rbp = *caller.registers[6];

    const auto stack = unwind(*inspected.view, inspected.thread, *inspected.memory);

    ASSERT_GT(stack.frames.size(), 3U);
    EXPECT_EQ(stack.frames[1].pc, caller.pc);
    EXPECT_THAT(stack.problem, HasSubstr("no code at 0x0"));
    EXPECT_EQ(inspected.view->describe(stack.frames.back().pc, true).function, "_start");
}

TEST(Unwind, EndsOnAStackThatMakesNoSense) {
    Inspected inspected(FIXTURE_WAITER_O0, {"stack", "3"});
    CapturedThread broken = inspected.thread;
    for (const std::byte value : {std::byte{0}, std::byte{0xff}, std::byte{0x41}}) {
        std::fill(broken.stack.begin(), broken.stack.end(), value);
        const auto stack = unwind(*inspected.view, broken, *inspected.memory);
        EXPECT_GE(stack.frames.size(), 1U);
        EXPECT_LE(stack.frames.size(), 3U);
    }
    // A stack pointer that points nowhere.
    broken.registers.rsp = 0x10;
    broken.registers.rbp = UINT64_MAX;
    EXPECT_EQ(unwind(*inspected.view, broken, *inspected.memory).frames.size(), 1U);
    EXPECT_FALSE(capture_thread(*inspected.view, *inspected.memory, 1, broken.registers));
}

TEST(Unwind, CrossesTheVdso) {
    Child child(FIXTURE_WAITER_O0, {"clock"});
    ImageStore store("");
    const auto view = ProcessView::create(child.pid(), store);
    const auto memory = LiveMemory::open(child.pid());
    ASSERT_TRUE(view && memory);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    // Nearly all of its time it is in there.
    while (std::chrono::steady_clock::now() < deadline) {
        const auto stopped = StoppedProcesses::stop(std::array{child.pid()});
        ASSERT_TRUE(stopped.threads(0));
        const auto& registers = stopped.threads(0)->front().registers;
        if (view->describe(Address{registers.rip}, false).image != "[vdso]") continue;
        const auto thread = capture_thread(*view, **memory, child.pid(), registers);
        ASSERT_TRUE(thread);
        const auto stack = unwind(*view, *thread, **memory);
        EXPECT_EQ(stack.problem, "");
        EXPECT_EQ(view->describe(stack.frames.back().pc, true).function, "_start");
        return;
    }
    FAIL() << "never seen in the vdso";
}

}  // namespace
}  // namespace mqinspect::target
