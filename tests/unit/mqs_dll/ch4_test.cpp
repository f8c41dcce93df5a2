// What only device ch4 has: several interfaces, and messages that a library matches.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/described_target.h"
#include "tests/support/stub_debugger.h"

namespace mqinspect::test {
namespace {

using testing::HasSubstr;
using testing::IsNull;
using testing::SizeIs;

class Ch4Test : public testing::Test {
protected:
    void open(const std::string& name) {
        described = std::make_unique<DescribedTarget>(std::filesystem::path(MQI_FIXTURES) / name);
        ASSERT_EQ(debugger.set_up(described->target), mqs_ok);
    }
    void TearDown() override {
        StubDebugger::tear_down(described->target);
        EXPECT_EQ(debugger.blocks(), 0U) << "the DLL has not freed what it allocated";
    }
    SeenQueues look() { return test::look(described->target); }
    /// The message of mqs_process_has_queues.
    char* message() {
        char* text = nullptr;
        EXPECT_EQ(mqs_process_has_queues(handle(), &text), mqs_ok);
        return text;
    }
    mqs_process* handle() { return described->target.process(); }

    StubDebugger debugger;
    std::unique_ptr<DescribedTarget> described;
};

TEST_F(Ch4Test, TheListsOfAllInterfacesAreRead) {
    open("ch4_4.0_two_interfaces.scene");

    const SeenQueue receives = look().named("pair").receives;

    ASSERT_THAT(receives.operations, SizeIs(2));
    EXPECT_EQ(receives.operations[0].desired_tag, 63);
    EXPECT_EQ(receives.operations[0].status, mqs_st_pending);
    EXPECT_EQ(receives.end, mqs_end_of_list);
}

TEST_F(Ch4Test, ProgressIsThatOfAllInterfaces) {
    open("ch4_4.0_two_interfaces.scene");
    mqs_taddr_t count = 0;
    ASSERT_EQ(mqs_get_progress_count(handle(), &count), mqs_ok);
    EXPECT_EQ(count, 42U);
}

TEST_F(Ch4Test, WithoutTheSizeOfAnInterfaceTheOthersAreNotTakenForEmpty) {
    debugger.image_callbacks().mqs_sizeof_fp = nullptr;
    open("ch4_4.0_two_interfaces.scene");

    const SeenCommunicator world = look().named("MPI_COMM_WORLD");

    EXPECT_EQ(world.receives.setup, mqs_no_information);
    EXPECT_EQ(world.messages.setup, mqs_no_information);
}

TEST_F(Ch4Test, OnOneNodeNothingIsHiddenFromTheJobsOwnCommunicators) {
    open("ch4_4.0_one_node.layout");

    EXPECT_THAT(message(), IsNull());
    EXPECT_EQ(look().named("MPI_COMM_WORLD").messages.end, mqs_end_of_list);
}

TEST_F(Ch4Test, WhatLibfabricMatchesIsSaidWithTheReasonAndWhatToDo) {
    open("ch4_4.0_two_nodes.layout");

    EXPECT_THAT(message(), HasSubstr("libfabric"));
    EXPECT_THAT(message(), HasSubstr("MPIR_CVAR_CH4_OFI_ENABLE_TAGGED=0"));
    const SeenQueues seen = look();
    EXPECT_EQ(seen.named("MPI_COMM_WORLD").messages.end, mqs_no_information);
    EXPECT_EQ(seen.named("odd").messages.setup, mqs_no_information);
    EXPECT_EQ(seen.named("pair").messages.end, mqs_end_of_list) << "both on this node";
    EXPECT_EQ(seen.named("MPI_COMM_SELF").messages.end, mqs_end_of_list);
}

TEST_F(Ch4Test, WhereMpichMatchesNothingIsHidden) {
    open("ch4_4.0_active_messages.layout");

    EXPECT_THAT(message(), IsNull());
    EXPECT_EQ(look().named("MPI_COMM_WORLD").messages.end, mqs_end_of_list);
}

TEST_F(Ch4Test, AReceiveFromAnySourceIsShownOnce) {
    open("ch4_4.0_active_messages.layout");

    const SeenQueues seen = look();

    const auto& receives = seen.named("MPI_COMM_WORLD").receives.operations;
    EXPECT_EQ(1, std::ranges::count(receives, 0x1100U, &mqs_pending_operation::buffer));
}

TEST_F(Ch4Test, ASendOfTheNetworkThatNoListHoldsHidesTheSends) {
    open("ch4_4.0_two_nodes.layout");
    // The blocking send [13] gets no communicator, as libfabric's have none.
    const std::uint64_t request = described->objects.at("request").address + 13 * 448;
    described->memory.store(request + 40, std::uint64_t{0});
    described->memory.store(request + 176, std::uint32_t{0});

    const SeenQueues seen = look();

    EXPECT_EQ(seen.named("MPI_COMM_WORLD").sends.end, mqs_no_information);
    EXPECT_EQ(seen.named("pair").sends.end, mqs_end_of_list);
}

TEST_F(Ch4Test, WithUcxOnlyCommunicatorsOfOneProcessAreWhole) {
    open("ch4_4.0_one_node.layout");
    described->target.symbols["MPIDI_UCX_global"] = described->objects.at("nodes").address;
    described->target.symbols.erase("MPIDI_OFI_global");
    described->target.symbols.erase("MPIR_Process");

    EXPECT_THAT(message(), HasSubstr("UCX"));
    const SeenQueues seen = look();
    EXPECT_EQ(seen.named("MPI_COMM_WORLD").messages.end, mqs_no_information);
    EXPECT_EQ(seen.named("MPI_COMM_WORLD").receives.end, mqs_no_information);
    EXPECT_EQ(seen.named("MPI_COMM_SELF").receives.end, mqs_end_of_list);
}

}  // namespace
}  // namespace mqinspect::test
