// mqinspect record: what is in the recording of a job, however the job ends, and that the job does
// not notice.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/execution.h"
#include "tests/integration/record_case.h"

#include "trace_io/recording.h"

namespace mqinspect::testing {
namespace {

using model::Termination;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
namespace fs = std::filesystem;

/// The code of mpiexec if its only rank ends with `code` before MPI_Finalize: 1 if hydra sees the
/// rank's connection closed before it sees it dead, which happens once in fifty runs.
auto is_code_of_lost_rank(int code) {
    return ::testing::AnyOf(code, 1);
}

TEST_F(Record, ACleanRunIsReadBack) {
    const Completed completed = record({}, job(2, {"recorded", "many", "3"}));

    EXPECT_EQ(0, code_of(completed)) << completed.errors;
    ASSERT_TRUE(recording_);
    EXPECT_THAT(execution().problems, IsEmpty());
    ASSERT_EQ(2U, execution().processes.size());
    std::vector<std::string> names;
    for (const Kept& call : calls(0))
        names.push_back(call.name);
    EXPECT_THAT(names,
                ElementsAre("MPI_Init_thread",
                            "MPI_Comm_rank",
                            "MPI_Comm_size",
                            "MPI_Irecv",
                            "MPI_Isend",
                            "MPI_Waitall",
                            "MPI_Irecv",
                            "MPI_Isend",
                            "MPI_Waitall",
                            "MPI_Irecv",
                            "MPI_Isend",
                            "MPI_Waitall",
                            "MPI_Finalize"));
    EXPECT_EQ(Termination::Kind::Finalized, end_of(0).kind);
    EXPECT_EQ("MPI_THREAD_MULTIPLE", execution().processes[0].thread_required);
}

TEST_F(Record, ArgumentsAndWhatCameOfThem) {
    record({}, job(2, {"recorded", "many", "2"}));

    ASSERT_TRUE(recording_);
    const Kept send = calls_of(1, "MPI_Isend").at(1);
    EXPECT_EQ(4, send.before.at("count"));
    EXPECT_EQ(0, send.before.at("dest"));
    EXPECT_EQ(7, send.before.at("tag"));
    EXPECT_NE(0, send.before.at("send_checksum"));
    const Kept wait = calls_of(0, "MPI_Waitall").at(1);
    EXPECT_THAT(wait.lists.at("array_of_requests"),
                ElementsAre(model::kNullHandle, model::kNullHandle));
    const auto& statuses = wait.lists.at("array_of_statuses");
    ASSERT_EQ(2 * model::kStatusValues, statuses.size());
    EXPECT_THAT(std::vector<std::int64_t>(statuses.begin(), statuses.begin() + 5),
                ElementsAre(1, 7, 0, 16, 0));
    EXPECT_EQ(send.before.at("send_checksum"), wait.lists.at("checksums").at(0));
}

TEST_F(Record, AKilledRunIsReadUpToItsEnd) {
    record({}, job(2, {"recorded", "killed", "2000"}));

    ASSERT_TRUE(recording_);
    EXPECT_EQ(Termination::Kind::Killed, end_of(1).kind);
    EXPECT_EQ(2000U, calls_of(1, "MPI_Waitall").size());
    const Kept last = calls(1).back();
    EXPECT_EQ("MPI_Barrier", last.name);
    const Kept receive = calls(0).back();
    // On a busy machine the launcher may be faster than its way out of the barrier.
    EXPECT_THAT(receive.name, ::testing::AnyOf("MPI_Recv", "MPI_Barrier"));
    EXPECT_FALSE(receive.returned);
    // So is one whose call a signal handler has ended with exit.
    record({}, job(1, {"recorded", "ended_by_signal"}));
    ASSERT_TRUE(recording_);
    EXPECT_EQ(Termination::Kind::Killed, end_of(0).kind);
}

TEST_F(Record, AJobThatRunsOnIsReadAndEndsWithItsRecorder) {
    Words words = {MQI_INSPECT, "record", "--limit", "256MiB", "-o", folder(), "--"};
    for (const std::string& word : job(2, {"recorded", "paced"}))
        words.push_back(word);
    const auto is_read_as = [this](bool running) {
        auto opened = trace_io::open_recording(folder());
        if (!opened) return false;
        recording_ = std::move(*opened);
        return execution().processes.size() == 2 && end_of(0).running == running &&
               end_of(1).running == running;
    };
    const ChildProcess recorder({words, {}, {}});
    // Ranks are not known before MPI_Init has returned.
    ASSERT_TRUE(poll_until(std::chrono::seconds(30),
                           [&] { return is_read_as(true) && execution().problems.empty(); }));

    const Completed checked =
        run_to_end({{MQI_INSPECT, "check", folder()}, {}, {}}, std::chrono::seconds(60));
    EXPECT_THAT(checked.output, HasSubstr("Ranks 0,1 had not ended when this was read."));
    EXPECT_THAT(checked.output, Not(HasSubstr("error:")));

    kill(recorder.pid(), SIGKILL);
    EXPECT_TRUE(poll_until(std::chrono::seconds(30), [&] { return is_read_as(false); }));
}

TEST_F(Record, ACrashHasItsAddressAndIsExplained) {
    const Words command = job(2, {"recorded", "crash"});
    const Completed completed = record({}, command);

    EXPECT_EQ(code_of(run_bare(command)), code_of(completed));
    ASSERT_TRUE(recording_);
    EXPECT_EQ(Termination::Kind::Crashed, end_of(1).kind);
    EXPECT_EQ(SIGSEGV, end_of(1).code);
    EXPECT_EQ(0x10U, end_of(1).address);
    ASSERT_TRUE(end_of(1).stack.has_value());
    EXPECT_THAT(completed.errors,
                AllOf(HasSubstr("rank 1"), HasSubstr("SIGSEGV"), HasSubstr("*place = 1;")));
}

TEST_F(Record, ABadEndIsToldWithWhatEachRankDidLast) {
    const Completed completed = record({}, job(2, {"recorded", "crash_after_meeting"}));

    EXPECT_THAT(completed.errors,
                AllOf(HasSubstr("mqinspect: rank 0 was in MPI_Ssend, recorded.c("),
                      HasSubstr("mqinspect: rank 1 had returned from MPI_Probe, recorded.c(")));

    EXPECT_THAT(record({}, job(2, {"recorded", "many", "3"})).errors, Not(HasSubstr("MPI_")));
}

TEST_F(Record, TheNewestCallsCanBeReadAlone) {
    record({}, job(1, {"recorded", "many", "20000"}));
    ASSERT_TRUE(recording_);
    const std::size_t all = calls(0).size();

    auto newest = trace_io::open_recording(folder(), trace_io::Extent::Newest);
    ASSERT_TRUE(newest) << newest.error().message;
    recording_ = std::move(*newest);

    EXPECT_LT(calls(0).size(), all / 2);
    EXPECT_EQ("MPI_Finalize", calls(0).back().name);
    EXPECT_EQ(Termination::Kind::Finalized, end_of(0).kind);
}

TEST_F(Record, TheProgramsOwnHandlerStillRuns) {
    // With more ranks mpiexec's code depends on which of them it sees end first.
    const Completed completed = record({}, job(1, {"recorded", "own_handler"}));

    EXPECT_THAT(code_of(completed), is_code_of_lost_rank(SIGSEGV));
    EXPECT_THAT(completed.output, HasSubstr("own handler"));
}

TEST_F(Record, EndsWithoutFinalize) {
    for (const auto& [way, exit_code] : {std::pair{"ended", 4}, std::pair{"ended_quickly", 5}}) {
        EXPECT_THAT(code_of(record({}, job(1, {"recorded", way}))),
                    is_code_of_lost_rank(exit_code));
        ASSERT_TRUE(recording_);
        EXPECT_EQ(Termination::Kind::Exited, end_of(0).kind);
        EXPECT_EQ(exit_code, end_of(0).code);
        EXPECT_TRUE(end_of(0).stack.has_value());
    }

    EXPECT_EQ(9, code_of(record({}, job(1, {"recorded", "aborted"}))));
    ASSERT_TRUE(recording_);
    EXPECT_EQ(Termination::Kind::Aborted, end_of(0).kind);
    EXPECT_EQ(9, end_of(0).code);
}

TEST_F(Record, AnErrorOfMpiIsExplainedAndEndsTheJobAsEver) {
    const Words command = job(2, {"recorded", "wrong_destination"});
    const Completed completed = record({}, command);

    EXPECT_EQ(code_of(run_bare(command)), code_of(completed));
    EXPECT_THAT(completed.errors,
                AllOf(HasSubstr("wrong call MPI_Send (incorrect dest 4)"),
                      HasSubstr("recorded.c("),
                      HasSubstr("size + 2")));
    ASSERT_TRUE(recording_);
    EXPECT_THAT(execution().error_codes, Not(IsEmpty()));
}

TEST_F(Record, ErrorHandlersAreAsTheProgramSetsThem) {
    const Completed completed = record({}, job(1, {"recorded", "returned_error"}));

    EXPECT_EQ(0, code_of(completed));
    EXPECT_EQ("fatal\nerror\nfinished 0\n", completed.output);
    EXPECT_THAT(completed.errors, HasSubstr("wrong call MPI_Send (incorrect dest 3)"));
    ASSERT_TRUE(recording_);
    EXPECT_NE(0, calls_of(0, "MPI_Send").at(0).error_code);
}

TEST_F(Record, AFullDiskEndsTheRecordingOnly) {
    std::string line = "ulimit -f 300; exec";
    // With more ranks MPICH's own files would be over the limit.
    for (const std::string& word : job(1, {"recorded", "many", "40000"}))
        line += " " + word;

    const Completed completed = record({}, {"bash", "-c", line});

    EXPECT_EQ(0, code_of(completed)) << completed.errors;
    EXPECT_THAT(completed.output, HasSubstr("finished 0"));
    EXPECT_THAT(completed.errors, HasSubstr("recording ends here"));
    ASSERT_TRUE(recording_);
    EXPECT_TRUE(execution().processes[0].incomplete);
    EXPECT_GT(calls_of(0, "MPI_Waitall").size(), 1000U);
}

TEST_F(Record, ARingKeepsTheNewest) {
    // Two ranks that share a processor would take minutes for so many messages.
    const Completed completed =
        record({"--limit", "512KiB"}, job(1, {"recorded", "many", "40000"}));

    EXPECT_EQ(0, code_of(completed));
    ASSERT_TRUE(recording_);
    for (const auto& file : fs::directory_iterator(folder()))
        EXPECT_LE(file.file_size(), 576U * 1024) << file.path();
    EXPECT_TRUE(execution().processes[0].incomplete);
    EXPECT_EQ("MPI_Finalize", calls(0).back().name);
    EXPECT_LT(calls_of(0, "MPI_Waitall").size(), 40000U);
    EXPECT_EQ(Termination::Kind::Finalized, end_of(0).kind);
}

TEST_F(Record, ThreadsHaveTheirOwnSequences) {
    const Completed completed = record({}, job(1, {"recorded", "threads", "3000"}));

    EXPECT_EQ(0, code_of(completed)) << completed.errors;
    ASSERT_TRUE(recording_);
    EXPECT_THAT(execution().problems, IsEmpty());
    std::map<int, int> calls_of_thread;
    for (const Kept& call : calls_of(0, "MPI_Sendrecv"))
        ++calls_of_thread[call.thread];
    EXPECT_EQ(4U, calls_of_thread.size());
    for (const auto& [thread, count] : calls_of_thread)
        EXPECT_EQ(3000, count) << thread;
}

TEST_F(Record, AChildOfAForkWritesNothing) {
    const Completed completed = record({}, job(1, {"recorded", "forked"}));

    EXPECT_EQ(0, code_of(completed));
    ASSERT_TRUE(recording_);
    EXPECT_EQ(1U, execution().processes.size());
    EXPECT_THAT(execution().problems, IsEmpty());
    EXPECT_THAT(calls_of(0, "MPI_Initialized"), IsEmpty());
    EXPECT_EQ(Termination::Kind::Finalized, end_of(0).kind);
}

TEST_F(Record, CommunicatorsDatatypesWindowsAndPersistentRequests) {
    const Completed completed = record({}, job(2, {"recorded", "things"}));

    EXPECT_EQ(0, code_of(completed)) << completed.errors;
    ASSERT_TRUE(recording_);
    EXPECT_THAT(execution().problems, IsEmpty());
    std::vector<std::string> names;
    for (const auto& communicator : execution().communicators)
        names.push_back(communicator.name.empty() ? communicator.constructor : communicator.name);
    EXPECT_THAT(names, ::testing::IsSupersetOf({"MPI_COMM_WORLD", "MPI_Comm_split", "ring"}));
    bool found = false;
    for (const auto& datatype : execution().datatypes) {
        found = found || (datatype.combiner == "MPI_COMBINER_STRUCT" && datatype.size == 24 &&
                          datatype.true_extent == 40);
    }
    EXPECT_TRUE(found);
    ASSERT_EQ(1U, execution().windows.size());
    EXPECT_EQ(16, execution().windows[0].parts.at(0).bytes);
    const Kept started = calls_of(0, "MPI_Start").at(0);
    EXPECT_EQ(started.before.at("request"), started.after.at("request"));
    EXPECT_EQ(model::kNullHandle, calls_of(0, "MPI_Request_free").at(0).after.at("request"));
}

TEST_F(Record, PollingIsLeftOutOfReducedRecordings) {
    record({}, job(1, {"recorded", "polling"}));
    ASSERT_TRUE(recording_);
    const std::size_t all = calls_of(0, "MPI_Test").size();

    record({"--reduced"}, job(1, {"recorded", "polling"}));

    ASSERT_TRUE(recording_);
    EXPECT_GE(all, 11U);
    EXPECT_EQ(1U, calls_of(0, "MPI_Test").size());
    EXPECT_EQ(1, calls_of(0, "MPI_Test").at(0).after.at("flag"));
}

TEST_F(Record, WatchedDataAreNotedWhenTheyChange) {
    const Completed completed = record({}, job(1, {"recorded", "watched"}));

    EXPECT_EQ(0, code_of(completed)) << completed.errors;
    ASSERT_TRUE(recording_);
    std::vector<std::string> names;
    for (const auto& event : execution().events)
        if (event.kind == model::EventKind::UserData) names.push_back(event.text);
    EXPECT_THAT(names, ElementsAre("once", "table", "table"));
}

TEST_F(Record, AnnotationsDoNothingWithoutTheRecorder) {
    EXPECT_EQ(0, code_of(run_bare(job(1, {"recorded", "watched"}))));
}

TEST_F(Record, AFolderWithOtherThingsIsLeftAlone) {
    fs::create_directory(folder());
    std::ofstream(fs::path(folder()) / "thesis.tex") << "years of work\n";

    const Completed completed = record({}, {"echo", "started"});

    EXPECT_EQ(2, code_of(completed));
    EXPECT_EQ("", completed.output);
    EXPECT_TRUE(is_one_line(completed.errors)) << completed.errors;
    EXPECT_THAT(completed.errors, HasSubstr("thesis.tex"));
    EXPECT_TRUE(fs::exists(fs::path(folder()) / "thesis.tex"));
}

TEST_F(Record, ARecordingIsReplaced) {
    record({}, job(2, {"recorded", "many"}));
    record({}, job(1, {"recorded", "many"}));

    ASSERT_TRUE(recording_);
    EXPECT_EQ(1U, execution().processes.size());
}

TEST_F(Record, ExitCodesAndCommandsWithoutMpi) {
    const Completed completed = record({}, {"sh", "-c", "echo here; exit 7"});
    EXPECT_EQ(7, code_of(completed));
    EXPECT_EQ("here\n", completed.output);
    EXPECT_THAT(completed.errors, HasSubstr("nothing was recorded"));

    EXPECT_EQ(128 + SIGUSR1, code_of(record({}, {"sh", "-c", "trap - USR1; kill -USR1 $$"})));
    const Completed missing = record({}, {"no-such-launcher"});
    EXPECT_EQ(2, code_of(missing));
    EXPECT_TRUE(is_one_line(missing.errors)) << missing.errors;
}

}  // namespace
}  // namespace mqinspect::testing
