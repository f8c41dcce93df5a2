/// A stub debugger that has set up one process of a fake MPICH.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/fake_mpich.h"
#include "tests/support/stub_debugger.h"

namespace mqinspect::test {

class DllTest : public testing::Test {
protected:
    void SetUp() override { ASSERT_EQ(debugger.set_up(mpich.target), mqs_ok); }
    void TearDown() override {
        StubDebugger::tear_down(mpich.target);
        EXPECT_EQ(debugger.blocks(), 0U) << "the DLL has not freed what it allocated";
    }
    SeenQueues look() { return test::look(mpich.target); }

    StubDebugger debugger;
    FakeMpich mpich;
};

}  // namespace mqinspect::test
