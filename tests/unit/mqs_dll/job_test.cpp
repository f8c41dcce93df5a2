// Jobs: processes of several worlds, as the debugger numbers them.
#include <sys/mman.h>

#include <cstring>

#include "tests/unit/mqs_dll/dll_fixture.h"

namespace mqinspect::test {
namespace {

using testing::ElementsAre;

/// A process of a world of three that has spawned a world of two, and one of those.
class JobTest : public testing::Test {
protected:
    JobTest() : parent(3, 1), child(2, 0) {}

    void SetUp() override {
        parent.name_world("kvs_parent");
        child.name_world("kvs_child");
        children = parent.connect("kvs_child", 2);
        parents = child.connect("kvs_parent", 3);
        parent.add_comm({"bridge", 64, children, {0, 1, 2}, 80});
        child.add_comm({"bridge", 80, parents, {0, 1}, 64});
        for (FakeMpich* process : {&parent, &child}) {
            process->target.job = &job;
            ASSERT_EQ(debugger.set_up(process->target), mqs_ok);
        }
    }
    void TearDown() override {
        StubDebugger::tear_down(parent.target);
        StubDebugger::tear_down(child.target);
        StubDebugger::tear_down(job);
        EXPECT_EQ(debugger.blocks(), 0U) << "the DLL has not freed what it allocated";
    }
    /// The world of three is 0 to 2, that of two is 3 and 4; not all are attached.
    void give_identities() {
        ASSERT_EQ(StubDebugger::set_up(job), mqs_ok);
        ASSERT_EQ(mqs_set_process_identity(parent.target.process(), 1), mqs_ok);
        ASSERT_EQ(mqs_set_process_identity(child.target.process(), 3), mqs_ok);
    }

    StubDebugger debugger;
    StubJob job;
    FakeMpich parent;
    FakeMpich child;
    std::vector<int> children, parents;
};

TEST_F(JobTest, WithoutIdentitiesAProcessOfAnotherWorldIsInvalid) {
    EXPECT_THAT(look(parent.target).named("bridge").remote_group, ElementsAre(-1, -1));
    EXPECT_THAT(look(child.target).named("bridge").group, ElementsAre(0, 1));
}

TEST_F(JobTest, ProcessesAreCalledByTheirIdentity) {
    give_identities();
    ASSERT_EQ(mqs_set_world_identities(child.target.process(), 3), mqs_ok);

    const SeenQueues of_parent = look(parent.target);
    EXPECT_THAT(of_parent.named("bridge").group, ElementsAre(0, 1, 2));
    EXPECT_THAT(of_parent.named("bridge").remote_group, ElementsAre(3, 4));
    const SeenQueues of_child = look(child.target);
    EXPECT_THAT(of_child.named("MPI_COMM_WORLD").group, ElementsAre(3, 4));
    EXPECT_THAT(of_child.named("bridge").remote_group, ElementsAre(-1, 1, -1));
}

TEST_F(JobTest, WhoHasNoIdentityIsInvalidOutsideOfTheFirstWorld) {
    give_identities();

    EXPECT_THAT(look(parent.target).named("MPI_COMM_WORLD").group, ElementsAre(0, 1, 2));
    EXPECT_THAT(look(parent.target).named("bridge").remote_group, ElementsAre(3, -1));
    EXPECT_THAT(look(child.target).named("MPI_COMM_WORLD").group, ElementsAre(3, -1));
}

TEST_F(JobTest, OperationsNameTheirPeersOfAnotherWorld) {
    const std::uint64_t merged = parent.add_comm({"merged", 96, {0, 1, 2, children[1]}});
    parent.post_receive(merged, {.rank = 3, .tag = 5});
    parent.start_send(merged, {.rank = 3, .tag = 6, .state = kTypeSend});
    parent.arrive(merged, {.rank = 3, .tag = 7}, 4);
    give_identities();
    ASSERT_EQ(mqs_set_process_identity(child.target.process(), 3), mqs_ok);
    ASSERT_EQ(mqs_set_world_identities(child.target.process(), 3), mqs_ok);

    const SeenQueues seen = look(parent.target);
    const SeenCommunicator& comm = seen.named("merged");
    EXPECT_THAT(comm.group, ElementsAre(0, 1, 2, 4));
    EXPECT_EQ(comm.receives.operations.at(0).desired_local_rank, 3);
    EXPECT_EQ(comm.receives.operations.at(0).desired_global_rank, 4);
    EXPECT_EQ(comm.sends.operations.at(0).actual_global_rank, 4);
    EXPECT_EQ(comm.messages.operations.at(0).actual_global_rank, 4);
}

TEST_F(JobTest, AWorldWithoutANameIsKnownToItsOwnProcesses) {
    child.group().id = 0;
    give_identities();
    ASSERT_EQ(mqs_set_world_identities(child.target.process(), 3), mqs_ok);

    EXPECT_THAT(look(child.target).named("MPI_COMM_WORLD").group, ElementsAre(3, 4));
    EXPECT_THAT(look(parent.target).named("bridge").remote_group, ElementsAre(-1, -1));
}

TEST_F(JobTest, AProcessKeepsItsIdentityAfterItWasDestroyed) {
    give_identities();
    StubDebugger::tear_down(child.target);

    EXPECT_THAT(look(parent.target).named("bridge").remote_group, ElementsAre(3, -1));
}

TEST_F(JobTest, TheJobMayBeDestroyedBeforeItsProcesses) {
    give_identities();
    StubDebugger::tear_down(job);

    EXPECT_THAT(look(parent.target).named("bridge").remote_group, ElementsAre(3, -1));
}

TEST_F(JobTest, AWorldWhoseNameCannotBeReadHasNoIdentities) {
    parent.memory.at<FakeGroup>(parent.group().next).id = 8;  // unmapped
    give_identities();
    EXPECT_THAT(look(parent.target).named("bridge").remote_group, ElementsAre(-1, -1));

    parent.group().id = parent.memory.add(std::array<char, 4096>{});
    std::memset(&parent.memory.at<char>(parent.group().id), 'x', 4096);
    ASSERT_EQ(mqs_set_process_identity(parent.target.process(), 1), mqs_ok);
    EXPECT_THAT(look(parent.target).named("MPI_COMM_WORLD").group, ElementsAre(0, 1, 2));
}

TEST_F(JobTest, IdentitiesNeedAJob) {
    EXPECT_NE(mqs_set_process_identity(parent.target.process(), 1), mqs_ok);
    parent.target.job = nullptr;
    EXPECT_NE(mqs_set_process_identity(parent.target.process(), 1), mqs_ok);
    EXPECT_NE(mqs_set_world_identities(parent.target.process(), 0), mqs_ok);
    parent.target.job = &job;
    ASSERT_EQ(StubDebugger::set_up(job), mqs_ok);
    EXPECT_NE(mqs_set_process_identity(parent.target.process(), -1), mqs_ok);
    EXPECT_EQ(mqs_set_process_identity(parent.target.process(), 1), mqs_ok);
    EXPECT_EQ(mqs_set_process_identity(parent.target.process(), 2), mqs_ok);
}

TEST_F(JobTest, RunningOutOfMemoryIsAResult) {
    for (std::size_t allocations = 0; allocations < 8; ++allocations) {
        debugger.fail_allocation_after(allocations);
        StubJob other;
        const int set_up = StubDebugger::set_up(other);
        parent.target.job = &other;
        if (set_up == mqs_ok) mqs_set_process_identity(parent.target.process(), 1);
        StubDebugger::tear_down(parent.target);
        StubDebugger::tear_down(other);
        debugger.fail_allocation_after(SIZE_MAX - 1);
        ASSERT_EQ(debugger.set_up(parent.target), mqs_ok);
    }
}

TEST_F(JobTest, NewProcessesAreThoseWithoutIdentity) {
    mqs_process_location location;
    for (const auto next : {&next_new_process, &mqs_next_new_process}) {
        ASSERT_EQ(mqs_setup_new_process_iterator(parent.target.process()), mqs_ok);
        ASSERT_EQ(next(parent.target.process(), &location), mqs_ok);
        EXPECT_EQ(location.pid, -1);
        EXPECT_STREQ(location.host_name, "there");
        EXPECT_STREQ(location.image_name, "");
        ASSERT_EQ(next(parent.target.process(), &location), mqs_ok);
        EXPECT_EQ(next(parent.target.process(), &location), mqs_end_of_list);
        EXPECT_EQ(next(parent.target.process(), &location), mqs_end_of_list);
    }

    give_identities();
    ASSERT_EQ(mqs_setup_new_process_iterator(parent.target.process()), mqs_ok);
    EXPECT_EQ(mqs_next_new_process(parent.target.process(), &location), mqs_ok);
    EXPECT_EQ(mqs_next_new_process(parent.target.process(), &location), mqs_end_of_list);
}

TEST_F(JobTest, AProcessThatIsConnectedWithNobodyHasNoNewProcesses) {
    parent.group().next = 0;
    EXPECT_EQ(mqs_setup_new_process_iterator(parent.target.process()), mqs_end_of_list);
    parent.target.symbols.erase("MPIDI_PG_list");
    EXPECT_EQ(mqs_setup_new_process_iterator(parent.target.process()), mqs_no_information);
}

TEST_F(JobTest, AListOfGroupsWithoutEndIsAnError) {
    FakeGroup& other = parent.memory.at<FakeGroup>(parent.group().next);
    other.next = parent.group().next;
    EXPECT_GE(mqs_setup_new_process_iterator(parent.target.process()), mqs_first_user_code);
    other.next = 8;
    EXPECT_GE(mqs_setup_new_process_iterator(parent.target.process()), mqs_first_user_code);
    other.next = 0;
    other.size = -1;
    EXPECT_GE(mqs_setup_new_process_iterator(parent.target.process()), mqs_first_user_code);
    other.size = INT32_MAX;
    EXPECT_GE(mqs_setup_new_process_iterator(parent.target.process()), mqs_first_user_code);
}

TEST_F(JobTest, TheSpawnBreakpointIsAFunctionOfTheImage) {
    char name[64];
    EXPECT_GE(mqs_spawn_breakpoint_name(parent.target.process(), name, sizeof name),
              mqs_first_user_code);
    parent.target.symbols["MPIR_Comm_commit"] = 0x1000;
    EXPECT_EQ(mqs_spawn_breakpoint_name(parent.target.process(), name, sizeof name), mqs_ok);
    EXPECT_STREQ(name, "MPIR_Comm_commit");
    parent.target.symbols["MPIDI_PG_Dup_vcr"] = 0x2000;
    EXPECT_EQ(mqs_spawn_breakpoint_name(parent.target.process(), name, 17), mqs_ok);
    EXPECT_STREQ(name, "MPIDI_PG_Dup_vcr");
    for (const int room : {16, 0, -1}) {
        EXPECT_GE(mqs_spawn_breakpoint_name(parent.target.process(), name, room),
                  mqs_first_user_code);
    }
}

TEST_F(JobTest, TwoIntercommunicatorsMaySendWithOneContext) {
    // Each spawned world has chosen the id without knowing of the other.
    const std::vector<int> others = parent.connect("kvs_other", 1);
    const std::uint64_t first = parent.add_comm({"first", 128, children, {1}, 144});
    const std::uint64_t second = parent.add_comm({"second", 128, others, {1}, 160});
    for (const auto& [comm, member] : {std::pair(first, children[1]), std::pair(second, others[0])})
        parent.add_waiting_packet(comm, member, 0, 9, 12);
    give_identities();

    const SeenQueues seen = look(parent.target);
    EXPECT_EQ(seen.named("first").sends.operations.at(0).desired_local_rank, 1);
    EXPECT_EQ(seen.named("second").sends.operations.at(0).desired_local_rank, 0);
}

TEST(HostLevel, IsTwoUntilTheDebuggerHasAnnouncedThree) {
    StubDebugger debugger;
    mqs_host_compatibility(2);
    EXPECT_EQ(mqs_version_compatibility(), 2);
    EXPECT_EQ(mqs_host_compatibility(3), 3);
    EXPECT_EQ(mqs_version_compatibility(), 3);
    EXPECT_EQ(mqs_host_compatibility(4), 3);
    EXPECT_EQ(mqs_version_compatibility(), 3);
    mqs_host_compatibility(2);
    StubJob job;
    ASSERT_EQ(StubDebugger::set_up(job), mqs_ok);
    EXPECT_EQ(mqs_version_compatibility(), 3);
    StubDebugger::tear_down(job);
    mqs_host_compatibility(2);
}

/// Bytes at the end of a page that nothing readable follows.
template <class T>
T* at_the_end(const T& value, std::size_t bytes) {
    constexpr std::size_t page = 4096;
    void* pages =
        mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(static_cast<char*>(pages) + page, page, PROT_NONE);
    void* place = static_cast<char*>(pages) + page - bytes;
    std::memcpy(place, &value, bytes);
    return static_cast<T*>(place);
}

TEST(HostLevel, TheTablesOfLevelTwoAreNotReadBeyondTheirEnd) {
    StubDebugger debugger;
    FakeMpich mpich;
    mqs_host_compatibility(2);
    const mqs_basic_callbacks* basic = at_the_end(StubDebugger::basic_callbacks(), 64);
    const mqs_process_callbacks* process = at_the_end(debugger.process_callbacks(), 32);
    mqs_setup_basic_callbacks(basic);
    ASSERT_EQ(mqs_setup_image(mpich.target.image(), &debugger.image_callbacks()), mqs_ok);
    char* message = nullptr;
    ASSERT_EQ(mqs_image_has_queues(mpich.target.image(), &message), mqs_ok);
    ASSERT_EQ(mqs_setup_process(mpich.target.process(), process), mqs_ok);
    EXPECT_THAT(look(mpich.target).named("MPI_COMM_WORLD").group, ElementsAre(0, 1, 2, 3));
    StubDebugger::tear_down(mpich.target);
}

}  // namespace
}  // namespace mqinspect::test
