// What is made of the answers of MPICH's own DLL. The target is this program, with a
// communicator like MPICH's (fake_mpir_comm.h).
#include "inspector/mqs_host/mpich_dll.h"

#include <unistd.h>

#include <cstring>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "inspector/target/live_memory.h"
#include "inspector/target/process_view.h"
#include "tests/unit/mqs_host/fake_mpir_comm.h"
#include "tests/unit/mqs_host/hosted.h"

namespace mqinspect::mqs_host {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

class MpichDll : public testing::Test {
protected:
    void SetUp() override {
        fake_mpir_comm = {.handle = 0x44000000,
                          .context_id = 0,
                          .recvcontext_id = 4,
                          .local_size = 3,
                          .remote_size = 3,
                          .comm_kind = 0,
                          .hierarchy_kind = 0};
        auto view = target::ProcessView::create(getpid(), store_);
        ASSERT_TRUE(view) << view.error().message;
        view_ = std::make_unique<target::ProcessView>(std::move(*view));
        auto memory = target::LiveMemory::open(getpid());
        ASSERT_TRUE(memory) << memory.error().message;
        memory_ = std::move(*memory);
        queues_.communicators.push_back(without_group(hosted_communicator(
            "MPI_COMM_WORLD", reinterpret_cast<unsigned long>(&fake_mpir_comm), 0, {0, 1, 2})));
    }

    void list(const HostedOperation& operation) {
        queues_.communicators.front().operations.push_back(operation);
    }
    void correct(bool show_internal = false) {
        correct_mpich_dll(
            {model::WorldRank(0), view_.get(), memory_.get()}, show_internal, queues_);
    }
    const HostedCommunicator& world() const { return queues_.communicators.front(); }

    target::ImageStore store_{""};
    std::unique_ptr<target::ProcessView> view_;
    std::unique_ptr<target::LiveMemory> memory_;
    HostedQueues queues_;
};

TEST_F(MpichDll, CommunicatorsAreDescribedByTheirObjects) {
    correct();

    ASSERT_TRUE(world().has_details);
    EXPECT_EQ(world().details.handle, 0x44000000U);
    EXPECT_EQ(world().details.kind, mqs_comm_intra);
    EXPECT_EQ(world().details.address, reinterpret_cast<std::uint64_t>(&fake_mpir_comm));
    EXPECT_EQ(world().communicator.unique_id, 4U) << "an address differs between ranks";
    EXPECT_THAT(queues_.problems, IsEmpty());
}

TEST_F(MpichDll, AnIntercommunicatorHasTheSizeOfItsLocalGroup) {
    fake_mpir_comm.comm_kind = 1;
    fake_mpir_comm.local_size = 2;
    fake_mpir_comm.remote_size = 1;
    queues_.communicators.front().communicator.size = 1;

    correct();

    EXPECT_EQ(world().details.kind, mqs_comm_inter);
    EXPECT_EQ(world().communicator.size, 2);
    EXPECT_EQ(world().details.remote_size, 1);
}

TEST_F(MpichDll, InternalCommunicatorsAreHiddenUnlessWanted) {
    fake_mpir_comm.hierarchy_kind = 3;
    const HostedQueues before = queues_;

    correct();
    EXPECT_TRUE(queues_.communicators.empty());

    queues_ = before;
    correct(true);
    ASSERT_EQ(queues_.communicators.size(), 1U);
    EXPECT_EQ(world().details.internal, 1);
}

TEST_F(MpichDll, LengthsAreCounts) {
    HostedOperation message = hosted_operation(mqs_unexpected_messages, 1, 7);
    message.operation.buffer = 0xdead;
    list(hosted_operation(mqs_pending_receives, 1, 5));
    list(message);

    correct();

    ASSERT_EQ(world().operations.size(), 2U);
    EXPECT_EQ(world().operations[0].operation.desired_length, -1);
    EXPECT_EQ(world().operations[0].details.count, 16);
    EXPECT_FALSE(world().operations[0].doubtful);
    EXPECT_EQ(world().operations[1].details.count, -1);
    EXPECT_EQ(world().operations[1].operation.actual_length, -1);
    EXPECT_EQ(world().operations[1].operation.buffer, 0U);
}

TEST_F(MpichDll, SendsComeInOrderAndAreDoubtful) {
    list(hosted_operation(mqs_pending_sends, 1, 9));
    list(hosted_operation(mqs_pending_sends, 1, 8));
    list(hosted_operation(mqs_pending_receives, 1, 5));

    correct();

    EXPECT_EQ(world().operations[0].operation.desired_tag, 8);
    EXPECT_EQ(world().operations[1].operation.desired_tag, 9);
    EXPECT_TRUE(world().operations[0].doubtful);
    EXPECT_EQ(world().operations[2].operation.desired_tag, 5);
    EXPECT_THAT(world().unknown_queues, Contains(mqs_pending_sends));
}

TEST_F(MpichDll, ACommunicatorThatCannotBeReadIsSaidSo) {
    queues_.communicators.front().communicator.unique_id = 0x10;

    correct();

    EXPECT_FALSE(world().has_details);
    EXPECT_THAT(queues_.problems, Contains(HasSubstr("MPI_COMM_WORLD")));
}

}  // namespace
}  // namespace mqinspect::mqs_host
