// What is made of the answers of Open MPI's own DLL. The target is this program, with
// objects like Open MPI's (fake_open_mpi.h).
#include "inspector/mqs_host/open_mpi.h"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "inspector/target/live_memory.h"
#include "inspector/target/process_view.h"
#include "tests/unit/mqs_host/fake_open_mpi.h"
#include "tests/unit/mqs_host/hosted.h"

namespace mqinspect::mqs_host {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint32_t kJob = 0x12340001;
constexpr std::uint32_t kInter = 1;
constexpr std::uint32_t kDense = 4;
constexpr int kActive = 2;
constexpr int kInactive = 1;
constexpr int kSynchronous = 0;
constexpr int kStandard = 4;

/// A process that has not been met: its name in place of an address.
opal_proc_t* unmet(std::uint32_t job, std::uint32_t rank) {
    const std::uint64_t word =
        std::uint64_t{rank} << 32U | (job & 0xFFFF0000U) | (job & 0x7FFFU) << 1U | 1U;
    return reinterpret_cast<opal_proc_t*>(word);
}

class OpenMpi : public testing::Test {
protected:
    void SetUp() override {
        for (std::uint32_t rank = 0; rank < processes_.size(); ++rank)
            processes_[rank].proc_name = {kJob, rank};
        ompi_proc_local_proc = &processes_[0];
        world_members_ = {&processes_[0], &processes_[1], unmet(kJob, 2)};
        world_group_ = {3, world_members_.data(), kDense};
        ompi_mpi_comm_world = {};
        ompi_mpi_comm_world.c_local_group = &world_group_;
        ompi_mpi_comm_world.c_remote_group = &world_group_;
        table_ = {&ompi_mpi_comm_world};
        publish();
        std::strcpy(mca_pml_base_selected_component.pmlm_version.mca_component_name, "ob1");
        std::strcpy(datatype_.name, "MPI_INT");

        auto view = target::ProcessView::create(getpid(), store_);
        ASSERT_TRUE(view) << view.error().message;
        view_ = std::make_unique<target::ProcessView>(std::move(*view));
        auto memory = target::LiveMemory::open(getpid());
        ASSERT_TRUE(memory) << memory.error().message;
        memory_ = std::move(*memory);
        // As the DLL has it: junk for a process that was not met.
        queues_.communicators.push_back(hosted_communicator("MPI_COMM_WORLD", 0, 0, {0, 1, 99}));
    }

    void publish() {
        ompi_mpi_communicators.size = static_cast<int>(table_.size());
        ompi_mpi_communicators.addr = table_.data();
    }

    mca_pml_base_send_request_t request(int tag, std::uint64_t sequence) {
        mca_pml_base_send_request_t result{};
        result.req_base.req_ompi.req_status.MPI_TAG = -1;
        result.req_base.req_ompi.req_state = kActive;
        result.req_base.req_datatype = &datatype_;
        result.req_base.req_count = 4;
        result.req_base.req_tag = tag;
        result.req_base.req_sequence = sequence;
        result.req_send_mode = kStandard;
        return result;
    }

    void list(int queue, const mca_pml_base_send_request_t& request, long peer, long tag) {
        HostedOperation operation = hosted_operation(queue, peer, tag);
        std::snprintf(operation.operation.extra_text[0],
                      sizeof operation.operation.extra_text[0],
                      "Request: 0x%llx",
                      reinterpret_cast<unsigned long long>(&request));
        std::strcpy(operation.operation.extra_text[1], "Data: 4 * MPI_");
        queues_.communicators.back().operations.push_back(operation);
    }

    void correct() { correct_open_mpi({model::WorldRank(0), view_.get(), memory_.get()}, queues_); }

    /// The block of objects that a list of requests of the library consists of.
    struct Block {
        opal_list_item_t item;
        std::array<mca_pml_base_send_request_t, 4> requests;
    };

    static void link(opal_free_list_t& list, Block& block) {
        list.fl_frag_size = sizeof(mca_pml_base_send_request_t);
        list.fl_frag_alignment = alignof(mca_pml_base_send_request_t);
        list.fl_num_per_alloc = list.fl_num_allocated = block.requests.size();
        opal_list_item_t& end = list.fl_allocations.opal_list_sentinel;
        end.opal_list_next = &block.item;
        block.item.opal_list_next = &end;
    }

    static mca_pml_base_send_request_t internal(int tag, int peer) {
        mca_pml_base_send_request_t result{};
        result.req_base.req_ompi.req_status.MPI_TAG = -1;
        result.req_base.req_ompi.req_state = kActive;
        result.req_base.req_comm = &ompi_mpi_comm_world;
        result.req_base.req_tag = tag;
        result.req_base.req_peer = peer;
        return result;
    }

    const HostedCommunicator& world() const { return queues_.communicators.front(); }
    const HostedOperation& first() const { return world().operations.front(); }

    std::array<opal_proc_t, 2> processes_{};
    std::vector<opal_proc_t*> world_members_;
    ompi_group_t world_group_{};
    std::vector<void*> table_;
    ompi_datatype_t datatype_{};
    target::ImageStore store_{""};
    std::unique_ptr<target::ProcessView> view_;
    std::unique_ptr<target::LiveMemory> memory_;
    HostedQueues queues_;
};

TEST_F(OpenMpi, RanksOfAGroupAreReadAlsoOfProcessesNotMet) {
    correct();

    EXPECT_THAT(world().group, ElementsAre(0, 1, 2));
    ASSERT_TRUE(world().has_details);
    EXPECT_EQ(world().details.kind, mqs_comm_intra);
    EXPECT_EQ(world().details.address, reinterpret_cast<std::uint64_t>(&ompi_mpi_comm_world));
    EXPECT_THAT(queues_.problems, IsEmpty());
}

TEST_F(OpenMpi, AProcessOfAnotherJobHasNoRank) {
    world_members_[2] = unmet(0x77770002, 2);

    correct();

    EXPECT_THAT(world().group, ElementsAre(0, 1, -1));
}

TEST_F(OpenMpi, BothGroupsOfAnIntercommunicatorAreTold) {
    std::vector<opal_proc_t*> left{&processes_[0]};
    std::vector<opal_proc_t*> right{&processes_[1], unmet(kJob, 2)};
    ompi_group_t local{1, left.data(), kDense};
    ompi_group_t remote{2, right.data(), kDense};
    ompi_communicator_t bridge{};
    bridge.c_contextid = 7;
    bridge.c_flags = kInter;
    bridge.c_local_group = &local;
    bridge.c_remote_group = &remote;
    table_.push_back(&bridge);
    publish();
    queues_.communicators.push_back(hosted_communicator("bridge", 7, 0, {0}));

    correct();

    const auto& found = queues_.communicators.back();
    EXPECT_EQ(found.details.kind, mqs_comm_inter);
    EXPECT_EQ(found.details.remote_size, 2);
    EXPECT_THAT(found.group, ElementsAre(0));
    EXPECT_THAT(found.remote_group, ElementsAre(1, 2));
}

TEST_F(OpenMpi, TheNullCommunicatorIsLeftOut) {
    queues_.communicators.push_back(hosted_communicator("MPI_COMM_NULL", 2, -1, {}));

    correct();

    EXPECT_EQ(queues_.communicators.size(), 1U);
}

TEST_F(OpenMpi, AnOperationThatAThreadWaitsForIsPending) {
    auto receive = request(5, 0);
    receive.req_base.req_ompi.req_complete = &receive;  // an address, not 0 or 1
    list(mqs_pending_receives, receive, 4294967295L, 5);
    queues_.communicators.back().operations.back().operation.status = mqs_st_complete;

    correct();

    ASSERT_EQ(world().operations.size(), 1U);
    EXPECT_EQ(first().operation.status, mqs_st_pending);
    EXPECT_EQ(first().operation.desired_local_rank, -1);
    EXPECT_EQ(first().details.count, 4);
    EXPECT_STREQ(first().details.datatype_name, "MPI_INT");
    EXPECT_STREQ(first().operation.extra_text[0], "");
    EXPECT_EQ(first().details.request_address, reinterpret_cast<std::uint64_t>(&receive));
}

TEST_F(OpenMpi, MessagesOfCollectiveOperationsAreReadFromTheListsOfRequests) {
    Block sends{};
    Block receives{};
    // Of a broadcast, of the first nonblocking operation, and of neither: finished, of a tag
    // that no operation has taken yet, of the user.
    receives.requests[0] = internal(-17, 2);
    receives.requests[1] = internal(-27, 1);
    receives.requests[2] = internal(-17, 1);
    receives.requests[2].req_base.req_pml_complete = 1;
    receives.requests[3] = internal(-28, 1);
    sends.requests[0] = internal(-27, 2);
    sends.requests[1] = internal(5, 1);
    link(mca_pml_base_send_requests, sends);
    link(mca_pml_base_recv_requests, receives);
    ompi_mpi_comm_world.c_nbc_tag = -28;

    correct();

    EXPECT_EQ(world().details.collectives_started, 1);
    ASSERT_EQ(world().operations.size(), 4U);
    const auto& operations = world().operations;
    EXPECT_EQ(operations[0].queue, mqs_pending_sends);
    EXPECT_EQ(operations[0].operation.desired_local_rank, 2);
    EXPECT_EQ(operations[1].queue, mqs_pending_receives);
    EXPECT_EQ(operations[1].operation.desired_local_rank, 2);
    EXPECT_EQ(operations[1].operation.desired_tag, 17);
    EXPECT_EQ(operations[1].operation.status, mqs_st_pending);
    EXPECT_EQ(operations[1].details.collective, 1);
    EXPECT_EQ(operations[2].operation.desired_tag, 27);
    EXPECT_EQ(operations[3].queue, mqs_pending_collectives);
    EXPECT_EQ(operations[3].details.sequence, 0);
    EXPECT_THAT(operations[3].receives_from, ElementsAre(1));
    EXPECT_THAT(operations[3].sends_to, ElementsAre(2));
    mca_pml_base_send_requests = {};
    mca_pml_base_recv_requests = {};
}

TEST_F(OpenMpi, AListOfRequestsThatIsCutTellsNothing) {
    Block receives{};
    receives.requests[0] = internal(-17, 2);
    link(mca_pml_base_recv_requests, receives);
    link(mca_pml_base_send_requests, receives);
    receives.item.opal_list_next = nullptr;
    ompi_mpi_comm_world.c_nbc_tag = -27;

    correct();

    EXPECT_THAT(world().operations, IsEmpty());
    EXPECT_EQ(world().details.collectives_started, -1);
    mca_pml_base_send_requests = {};
    mca_pml_base_recv_requests = {};
}

TEST_F(OpenMpi, AReceiveThatHasMetItsMessageIsMatched) {
    auto receive = request(5, 0);
    receive.req_base.req_ompi.req_status.MPI_TAG = 5;
    list(mqs_pending_receives, receive, 1, 5);

    correct();

    EXPECT_EQ(first().operation.status, mqs_st_matched);
}

TEST_F(OpenMpi, PersistentOperationsThatAreNotStartedAreLeftOut) {
    auto send = request(5, 0);
    send.req_base.req_ompi.req_state = kInactive;
    send.req_base.req_ompi.req_persistent = 1;
    list(mqs_pending_sends, send, 1, 5);

    correct();

    EXPECT_TRUE(world().operations.empty());
    EXPECT_TRUE(world().unknown_queues.empty());
}

TEST_F(OpenMpi, SendsHaveTheirMode) {
    auto synchronous = request(5, 0);
    synchronous.req_send_mode = kSynchronous;
    auto buffered = request(6, 1);  // the user is done, the library is not
    buffered.req_base.req_ompi.req_complete = reinterpret_cast<void*>(1);
    auto over = request(7, 2);
    over.req_base.req_ompi.req_complete = reinterpret_cast<void*>(1);
    over.req_base.req_pml_complete = 1;
    list(mqs_pending_sends, synchronous, 1, 5);
    list(mqs_pending_sends, buffered, 1, 6);
    list(mqs_pending_sends, over, 1, 7);

    correct();

    ASSERT_EQ(world().operations.size(), 3U);
    EXPECT_EQ(world().operations[0].details.kind, mqs_op_synchronous_send);
    EXPECT_EQ(world().operations[1].details.kind, mqs_op_buffered_send);
    EXPECT_EQ(world().operations[1].operation.status, mqs_st_pending);
    EXPECT_EQ(world().operations[2].operation.status, mqs_st_complete);
}

TEST_F(OpenMpi, ReceivesComeInTheOrderTheyWerePosted) {
    const auto third = request(3, 12);
    const auto first_posted = request(1, 10);
    const auto second = request(2, 11);
    list(mqs_pending_receives, third, 1, 3);
    list(mqs_pending_receives, first_posted, 1, 1);
    list(mqs_pending_receives, second, 1, 2);

    correct();

    std::vector<long> tags;
    for (const auto& operation : world().operations)
        tags.push_back(operation.operation.desired_tag);
    EXPECT_THAT(tags, ElementsAre(1, 2, 3));
}

TEST_F(OpenMpi, AnOperationThatCannotBeCheckedMakesItsQueueUnknown) {
    list(mqs_pending_receives, request(5, 0), 1, 5);
    std::strcpy(queues_.communicators.back().operations.back().operation.extra_text[0],
                "Receive: 0x10");

    correct();

    EXPECT_TRUE(world().operations.empty());
    EXPECT_THAT(world().unknown_queues, ElementsAre(mqs_pending_receives));
    EXPECT_THAT(queues_.problems, Contains(HasSubstr("MPI_COMM_WORLD")));
}

TEST_F(OpenMpi, ALayerThatMatchesElsewhereHasNoQueues) {
    std::strcpy(mca_pml_base_selected_component.pmlm_version.mca_component_name, "ucx");
    const auto receive = request(5, 0);
    list(mqs_pending_receives, receive, 1, 5);

    correct();

    EXPECT_TRUE(world().operations.empty());
    EXPECT_EQ(world().unknown_queues.size(), 3U);
    EXPECT_THAT(world().group, ElementsAre(0, 1, 2));
    EXPECT_THAT(queues_.problems, Contains(HasSubstr("ucx")));
}

TEST_F(OpenMpi, DamagedTablesMakeAllUnknown) {
    ompi_mpi_communicators.size = -5;

    correct();

    EXPECT_EQ(world().unknown_queues.size(), 3U);
    EXPECT_TRUE(world().group.empty());
}

TEST_F(OpenMpi, AGroupOfImpossibleSizeIsUnknown) {
    world_group_.grp_proc_count = -1;

    correct();

    EXPECT_TRUE(world().group.empty());
    EXPECT_EQ(world().unknown_queues.size(), 3U);
    EXPECT_THAT(queues_.problems, Contains(HasSubstr("-1 processes")));
}

}  // namespace
}  // namespace mqinspect::mqs_host
