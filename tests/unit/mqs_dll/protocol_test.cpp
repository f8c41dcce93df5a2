// The calls themselves: what may come in any order, and what a debugger may leave out.
#include <set>
#include <utility>

#include "tests/unit/mqs_dll/dll_fixture.h"

namespace mqinspect::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using ProtocolTest = DllTest;

TEST_F(ProtocolTest, NothingIsKnownBeforeTheFirstUpdate) {
    mqs_process* process = mpich.target.process();
    mqs_communicator communicator;
    mqs_pending_operation operation;
    EXPECT_EQ(mqs_setup_communicator_iterator(process), mqs_no_information);
    EXPECT_NE(mqs_get_communicator(process, &communicator), mqs_ok);
    EXPECT_NE(mqs_next_communicator(process), mqs_ok);
    EXPECT_EQ(mqs_setup_operation_iterator(process, mqs_pending_sends), mqs_no_information);
    EXPECT_NE(mqs_next_operation(process, &operation), mqs_ok);
}

TEST_F(ProtocolTest, OperationsNeedACurrentCommunicator) {
    mqs_process* process = mpich.target.process();
    mqs_pending_operation operation;
    int ranks[4];
    ASSERT_EQ(mqs_update_communicator_list(process), mqs_ok);
    EXPECT_GE(mqs_setup_operation_iterator(process, mqs_pending_sends), mqs_first_user_code);
    EXPECT_GE(mqs_next_operation(process, &operation), mqs_first_user_code);
    EXPECT_GE(mqs_get_comm_group(process, ranks), mqs_first_user_code);
    EXPECT_GE(mqs_get_comm_remote_group(process, ranks), mqs_first_user_code);
    mqs_operation_details details{};
    EXPECT_GE(mqs_get_operation_details(process, &details), mqs_first_user_code);
    mqs_comm_details comm_details{};
    EXPECT_GE(mqs_get_comm_details(process, &comm_details), mqs_first_user_code);
}

TEST_F(ProtocolTest, SteppingPastTheEndStaysThere) {
    mqs_process* process = mpich.target.process();
    mpich.post_receive(mpich.world, {.rank = 1});
    mqs_communicator communicator;
    mqs_pending_operation operation;
    ASSERT_EQ(mqs_update_communicator_list(process), mqs_ok);
    ASSERT_EQ(mqs_setup_communicator_iterator(process), mqs_ok);
    ASSERT_EQ(mqs_setup_operation_iterator(process, mqs_pending_receives), mqs_ok);
    EXPECT_EQ(mqs_next_operation(process, &operation), mqs_ok);
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(mqs_next_operation(process, &operation), mqs_end_of_list);
    EXPECT_EQ(mqs_next_communicator(process), mqs_ok);
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(mqs_next_communicator(process), mqs_end_of_list);
    EXPECT_NE(mqs_get_communicator(process, &communicator), mqs_ok);
    EXPECT_NE(mqs_setup_operation_iterator(process, mqs_pending_receives), mqs_ok);
    EXPECT_EQ(mqs_setup_communicator_iterator(process), mqs_ok);
    EXPECT_EQ(mqs_get_communicator(process, &communicator), mqs_ok);
}

TEST_F(ProtocolTest, AnUpdateEndsTheIterations) {
    mqs_process* process = mpich.target.process();
    mpich.post_receive(mpich.world, {.rank = 1});
    ASSERT_EQ(mqs_update_communicator_list(process), mqs_ok);
    ASSERT_EQ(mqs_setup_communicator_iterator(process), mqs_ok);
    ASSERT_EQ(mqs_setup_operation_iterator(process, mqs_pending_receives), mqs_ok);
    mqs_pending_operation operation;
    ASSERT_EQ(mqs_next_operation(process, &operation), mqs_ok);
    ASSERT_EQ(mqs_update_communicator_list(process), mqs_ok);
    EXPECT_GE(mqs_next_operation(process, &operation), mqs_first_user_code);
    mqs_operation_details details{};
    EXPECT_GE(mqs_get_operation_details(process, &details), mqs_first_user_code);
}

TEST_F(ProtocolTest, UnknownClassesAreRefused) {
    mqs_process* process = mpich.target.process();
    ASSERT_EQ(mqs_update_communicator_list(process), mqs_ok);
    ASSERT_EQ(mqs_setup_communicator_iterator(process), mqs_ok);
    for (const int queue : {-1, 4, 1000}) {
        EXPECT_GE(mqs_setup_operation_iterator(process, queue), mqs_first_user_code);
    }
}

TEST_F(ProtocolTest, EmptyQueuesCanBeSetUpAndEndAtOnce) {
    const SeenQueues seen = look();
    EXPECT_EQ(seen.named("MPI_COMM_WORLD").sends.setup, mqs_ok);
    EXPECT_EQ(seen.named("MPI_COMM_WORLD").sends.end, mqs_end_of_list);
    EXPECT_EQ(seen.end, mqs_end_of_list);
}

TEST_F(ProtocolTest, AnOlderHostGetsNoMoreThanItsStructHolds) {
    mqs_process* process = mpich.target.process();
    ASSERT_EQ(mqs_update_communicator_list(process), mqs_ok);
    ASSERT_EQ(mqs_setup_communicator_iterator(process), mqs_ok);
    mqs_comm_details details;
    std::memset(&details, 0x5a, sizeof details);
    details.struct_size = offsetof(mqs_comm_details, kind);
    ASSERT_EQ(mqs_get_comm_details(process, &details), mqs_ok);
    EXPECT_EQ(details.handle, 0x44000000U);
    EXPECT_EQ(details.kind, 0x5a5a5a5a);
    details.struct_size = 0;
    EXPECT_NE(mqs_get_comm_details(process, &details), mqs_ok);
}

TEST_F(ProtocolTest, ProgressIsCounted) {
    mpich.variable<std::uint32_t>("MPIDI_CH3I_progress_completion_count") = 0xfffffff0U;
    mqs_taddr_t count = 0;
    ASSERT_EQ(mqs_get_progress_count(mpich.target.process(), &count), mqs_ok);
    EXPECT_EQ(count, 0xfffffff0U);
    mpich.target.symbols.erase("MPIDI_CH3I_progress_completion_count");
    look();
    EXPECT_EQ(mqs_get_progress_count(mpich.target.process(), &count), mqs_no_information);
}

// A lookup may cost a debugger a search of every library.
TEST_F(ProtocolTest, SymbolsAreLookedUpOnceForEachUpdate) {
    mqs_taddr_t count = 0;
    ASSERT_EQ(mqs_update_communicator_list(mpich.target.process()), mqs_ok);
    const std::size_t lookups = mpich.target.symbol_lookups;
    ASSERT_EQ(mqs_get_progress_count(mpich.target.process(), &count), mqs_ok);
    mqs_get_incoming_count(mpich.target.process(), &count);
    mqs_get_global_rank(mpich.target.process());
    EXPECT_EQ(mpich.target.symbol_lookups, lookups);
    ASSERT_EQ(mqs_update_communicator_list(mpich.target.process()), mqs_ok);
    EXPECT_EQ(mpich.target.symbol_lookups, 2 * lookups);
}

TEST_F(ProtocolTest, ALibraryThatIsLoadedLaterIsFoundByTheNextUpdate) {
    mqs_taddr_t count = 0;
    auto symbols = std::exchange(mpich.target.symbols, {});
    EXPECT_EQ(mqs_get_progress_count(mpich.target.process(), &count), mqs_no_information);
    EXPECT_NE(look().update, mqs_ok);
    mpich.target.symbols = std::move(symbols);
    EXPECT_EQ(look().update, mqs_ok);
    EXPECT_EQ(mqs_get_progress_count(mpich.target.process(), &count), mqs_ok);
}

TEST_F(ProtocolTest, SeveralProcessesDoNotMix) {
    FakeMpich other(4, 1);
    ASSERT_EQ(debugger.set_up(other.target), mqs_ok);
    mpich.post_receive(mpich.world, {.rank = 1, .tag = 10});
    other.post_receive(other.world, {.rank = 0, .tag = 20});
    ASSERT_EQ(mqs_update_communicator_list(mpich.target.process()), mqs_ok);
    const SeenQueues there = test::look(other.target);
    EXPECT_EQ(there.named("MPI_COMM_WORLD").receives.operations.at(0).desired_tag, 20);
    ASSERT_EQ(mqs_setup_communicator_iterator(mpich.target.process()), mqs_ok);
    ASSERT_EQ(mqs_setup_operation_iterator(mpich.target.process(), mqs_pending_receives), mqs_ok);
    mqs_pending_operation operation;
    ASSERT_EQ(mqs_next_operation(mpich.target.process(), &operation), mqs_ok);
    EXPECT_EQ(operation.desired_tag, 10);
    StubDebugger::tear_down(other.target);
}

TEST_F(ProtocolTest, TheImageMayGoBeforeTheProcess) {
    look();
    mqs_destroy_image_info(mpich.target.image_info);
    mpich.target.image_info = nullptr;
    EXPECT_EQ(look().update, mqs_ok);
}

TEST(Protocol, NothingWorksWithoutTheDebuggersCallbacks) {
    mqs_setup_basic_callbacks(nullptr);
    FakeMpich mpich;
    const mqs_image_callbacks image{};
    const mqs_process_callbacks process{};
    EXPECT_GE(mqs_setup_image(mpich.target.image(), &image), mqs_first_user_code);
    EXPECT_GE(mqs_image_has_queues(mpich.target.image(), nullptr), mqs_first_user_code);
    EXPECT_GE(mqs_setup_process(mpich.target.process(), &process), mqs_first_user_code);
    EXPECT_GE(mqs_update_communicator_list(mpich.target.process()), mqs_first_user_code);
    EXPECT_EQ(mqs_destroy_image_info(nullptr), mqs_ok);
    EXPECT_EQ(mqs_destroy_process_info(nullptr), mqs_ok);
}

TEST(Protocol, AProcessWhoseImageWasNotSetUpIsRefused) {
    StubDebugger debugger;
    FakeMpich mpich;
    EXPECT_GE(mqs_setup_process(mpich.target.process(), &debugger.process_callbacks()),
              mqs_first_user_code);
    mpich.target.image_is_missing = true;
    EXPECT_GE(mqs_setup_process(mpich.target.process(), &debugger.process_callbacks()),
              mqs_first_user_code);
    EXPECT_GE(mqs_process_has_queues(mpich.target.process(), nullptr), mqs_first_user_code);
}

TEST(Protocol, MissingFieldsAreAllNamed) {
    StubDebugger debugger;
    FakeMpich mpich;
    mpich.target.types["MPIR_Comm"].fields.erase("rank");
    mpich.target.types["MPIDI_Request"].fields["datatype"] = 100000;  // beyond the type
    ASSERT_EQ(mqs_setup_image(mpich.target.image(), &debugger.image_callbacks()), mqs_ok);
    char* message = nullptr;
    const int result = mqs_image_has_queues(mpich.target.image(), &message);
    ASSERT_GE(result, mqs_first_user_code);
    ASSERT_NE(message, nullptr);
    EXPECT_THAT(message, HasSubstr("MPIR_Comm.rank"));
    EXPECT_THAT(message, HasSubstr("MPIDI_Request.datatype"));
    EXPECT_THAT(message, HasSubstr("%s"));
    EXPECT_THAT(mqs_dll_error_string(result), HasSubstr("MPIR_Comm.rank"));
    StubDebugger::tear_down(mpich.target);
}

TEST(Protocol, AnAbsentTypeIsNamedWithoutItsFieldsAndWithWhatToDo) {
    for (const bool invents : {false, true}) {
        StubDebugger debugger;
        FakeMpich mpich;
        mpich.target.types.clear();
        mpich.target.invents_types = invents;
        ASSERT_EQ(mqs_setup_image(mpich.target.image(), &debugger.image_callbacks()), mqs_ok);
        char* message = nullptr;
        ASSERT_GE(mqs_image_has_queues(mpich.target.image(), &message), mqs_first_user_code);
        ASSERT_NE(message, nullptr);
        EXPECT_THAT(message, HasSubstr("debug information on MPIR_Comm, MPIR_Request, "));
        EXPECT_THAT(message, HasSubstr("--enable-debuginfo --enable-g=dbg and not stripped"));
        StubDebugger::tear_down(mpich.target);
    }
}

TEST(Protocol, ASuccessHasNoMessage) {
    StubDebugger debugger;
    FakeMpich mpich;
    char text[] = "before";
    char* message = text;
    ASSERT_EQ(mqs_setup_image(mpich.target.image(), &debugger.image_callbacks()), mqs_ok);
    ASSERT_EQ(mqs_image_has_queues(mpich.target.image(), &message), mqs_ok);
    EXPECT_EQ(message, nullptr);
    StubDebugger::tear_down(mpich.target);
}

TEST(Protocol, EveryCodeHasAText) {
    std::set<std::string> texts;
    for (int code = mqs_first_user_code; code < mqs_first_user_code + 10; ++code) {
        texts.insert(mqs_dll_error_string(code));
    }
    EXPECT_THAT(texts, SizeIs(10));
    EXPECT_THAT(texts, testing::Not(testing::Contains("unknown error code")));
    EXPECT_STREQ(mqs_dll_error_string(999), "unknown error code");
    EXPECT_STREQ(mqs_dll_error_string(-5), "unknown error code");
}

TEST(Protocol, SaysItsVersionAndWidth) {
    EXPECT_EQ(mqs_version_compatibility(), 2);
    EXPECT_EQ(mqs_dll_taddr_width(), 8);
    EXPECT_THAT(mqs_version_string(), HasSubstr("mqinspect"));
}

// A debugger that knows few types, no sizes, and answers the others with types that
// have no fields: MPICH's own test of its DLL is one.
TEST(Protocol, AFewTypesAreEnoughForTheCore) {
    StubDebugger debugger;
    FakeMpich mpich;
    const std::map<std::string, std::set<std::string>> known = {
        {"MPIR_Comm",
         {"name", "comm_next", "remote_size", "rank", "context_id", "recvcontext_id", "dev"}},
        {"MPIR_Comm_list", {"sequence_number", "head"}},
        {"MPIR_Request", {"dev", "status", "cc", "next"}},
        {"MPIR_Sendq", {"next", "tag", "rank", "context_id", "sreq"}},
        {"MPIDI_Request", {"match", "user_buf", "user_count", "datatype"}},
        {"MPIDI_Message_match", {"parts"}},
        {"MPIDI_Message_match_parts_t", {"tag", "rank", "context_id"}}};
    auto types = std::move(mpich.target.types);
    mpich.target.types.clear();
    for (const auto& [type, fields] : known) {
        for (const std::string& field : fields) {
            mpich.target.types[type].fields[field] = types[type].fields.at(field);
        }
    }
    mpich.target.invents_types = true;
    debugger.image_callbacks().mqs_sizeof_fp = nullptr;
    const std::uint64_t dup = mpich.add_comm({"Dup of comm world", 64, {0, 1, 2, 3}});
    mpich.add_internal(dup, 2, {0, 1});
    mpich.post_receive(dup, {.rank = 1, .tag = 17, .count = 1});
    mpich.post_receive(dup, {.rank = 1, .tag = 19, .count = 10});
    mpich.start_send(mpich.world, {.rank = 1, .tag = 18, .count = 1});
    mpich.start_send(mpich.world, {.rank = 2, .tag = 20, .count = 1, .cc = 0});
    mpich.arrive(mpich.world, {.rank = 2, .tag = 5}, 8);
    ASSERT_EQ(debugger.set_up(mpich.target), mqs_ok);
    const SeenQueues seen = look(mpich.target);
    EXPECT_EQ(seen.update, mqs_ok);
    EXPECT_THAT(seen.communicators, SizeIs(3));
    const SeenQueue receives = seen.named("Dup of comm world").receives;
    ASSERT_THAT(receives.operations, SizeIs(2));
    EXPECT_EQ(receives.operations[1].desired_tag, 19);
    EXPECT_EQ(receives.operations[1].desired_length, 40);
    const SeenQueue sends = seen.named("MPI_COMM_WORLD").sends;
    ASSERT_THAT(sends.operations, SizeIs(2));
    EXPECT_EQ(sends.operations[0].desired_tag, 18);
    EXPECT_EQ(sends.operations[0].status, mqs_st_pending);
    EXPECT_EQ(sends.operations[1].desired_tag, 20);
    EXPECT_EQ(sends.operations[1].status, mqs_st_complete);
    EXPECT_EQ(seen.named("MPI_COMM_WORLD").messages.operations.at(0).actual_length, -1);
    StubDebugger::tear_down(mpich.target);
    EXPECT_EQ(debugger.blocks(), 0U);
}

TEST(Protocol, RunningOutOfMemoryIsACodeWhereverItHappens) {
    bool failed = true;
    std::size_t failures = 0;
    for (std::size_t allowed = 0; failed; ++allowed) {
        StubDebugger debugger;
        FakeMpich mpich;
        mpich.post_receive(mpich.world,
                           {.rank = 1, .count = 1, .datatype = mpich.add_datatype(8, "t")});
        mpich.start_send(mpich.world, {.rank = 1, .state = kTypeSend});
        mpich.arrive(mpich.world, {.rank = 1, .state = kEager}, 4);
        mpich.start_collective(mpich.world, 287);
        debugger.fail_allocation_after(allowed);
        if (debugger.set_up(mpich.target) == mqs_ok) {
            const SeenQueues seen = look(mpich.target);
            failed = debugger.allocation_failed();
            failures += failed ? 1 : 0;
            EXPECT_TRUE(failed || seen.update == mqs_ok);
        }
        StubDebugger::tear_down(mpich.target);
        ASSERT_EQ(debugger.blocks(), 0U) << "after " << allowed << " allocations";
    }
    EXPECT_GT(failures, 10U);
}

}  // namespace
}  // namespace mqinspect::test
