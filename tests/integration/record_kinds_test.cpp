// mqinspect record with Fortran's ways to MPI, with Open MPI, and what it sees of the program's use
// of memory between the calls.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/execution.h"
#include "tests/integration/record_case.h"

namespace mqinspect::testing {
namespace {

using model::Termination;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
namespace fs = std::filesystem;

TEST_F(Record, GuardsCatchTheProgramWhereItTouchesABuffer) {
    const Completed recorded = record({"--guard-buffers"}, job(2, {"guarded_buffers"}));
    const std::string touched = touched_places();

    EXPECT_EQ(0, code_of(recorded)) << recorded.errors;
    const auto watched = AllOf(HasSubstr("@reads"), HasSubstr("@same"), HasSubstr("@loads"));
    EXPECT_THAT(touched, AllOf(watched, HasSubstr("@writes")));
    EXPECT_EQ(4, std::ranges::count(touched, '@')) << touched;

    // Without being asked for only behind the first few returns of a call site.
    EXPECT_EQ("", record({"--quiet"}, job(2, {"guarded_buffers"})).errors);
    EXPECT_THAT(touched_places(), watched);

    record({"--no-guards"}, job(2, {"guarded_buffers"}));
    EXPECT_THAT(touched_places(), Not(HasSubstr("@")));
}

TEST_F(Record, WindowsAreLookedAtWithCare) {
    const Completed completed = record({}, job(1, {"recorded", "windows"}));
    const auto kind = model::EventKind::LocalAccess;
    EXPECT_EQ(0, code_of(completed)) << completed.errors;
    EXPECT_EQ(0, std::ranges::count(execution().events, kind, &model::RecordedEvent::kind));
}

TEST_F(Record, AProgramThatLoadsMpiItself) {
    const std::string library = MQI_PROGRAMS "/librecorded.so";
    const Completed completed = record({}, job(2, {"loads_library", library, "things"}));

    EXPECT_EQ(0, code_of(completed)) << completed.errors;
    ASSERT_TRUE(recording_);
    EXPECT_THAT(execution().problems, IsEmpty());
    EXPECT_EQ(Termination::Kind::Finalized, end_of(0).kind);
}

class RecordFortran : public Record, public ::testing::WithParamInterface<std::string> {};

TEST_P(RecordFortran, CallsAreRecorded) {
    const Completed completed = record({}, job(2, {"recorded_" + GetParam()}));

    EXPECT_EQ(0, code_of(completed)) << completed.errors;
    ASSERT_TRUE(recording_);
    EXPECT_THAT(execution().problems, IsEmpty());
    std::vector<std::string> names;
    for (const Kept& call : calls(1))
        names.push_back(call.name);
    EXPECT_THAT(names,
                ElementsAre(::testing::StartsWith("MPI_Init"),
                            "MPI_Comm_rank",
                            "MPI_Comm_size",
                            "MPI_Irecv",
                            "MPI_Isend",
                            "MPI_Waitall",
                            "MPI_Bcast",
                            "MPI_Finalize"));
    EXPECT_EQ(5, calls_of(1, "MPI_Isend").at(0).before.at("tag"));
}

INSTANTIATE_TEST_SUITE_P(Ways, RecordFortran, ::testing::Values("mpif", "use", "f08"));

/// Of a job of two processes that run `recorded weights`.
void expect_weights(const std::vector<Kept>& made) {
    ASSERT_EQ(2U, made.size());
    for (const char* weights : {"sourceweights", "destweights"}) {
        EXPECT_THAT(made[0].given.at(weights), ElementsAre(2));
        EXPECT_THAT(made[1].given.at(weights), ElementsAre(model::kUnweighted));
    }
}

TEST_F(Record, WeightsAreNumbersUnlessTheyAreNone) {
    const Completed completed = record({}, job(2, {"recorded", "weights"}));

    EXPECT_EQ(0, code_of(completed)) << completed.errors;
    ASSERT_TRUE(recording_);
    expect_weights(calls_of(0, "MPI_Dist_graph_create_adjacent"));
}

Words job_of_open_mpi(Words words) {
    words.front() = MQI_PROGRAMS "/open_mpi/" + words.front();
    return open_mpi_words(MQI_OPENMPI_MPIRUN, words);
}

class RecordOpenMpi : public Record {
protected:
    void SetUp() override {
        if (!fs::exists(MQI_OPENMPI_MPIRUN))
            GTEST_SKIP() << "needs Debian's packages openmpi-bin and libopenmpi-dev";
    }
};

TEST_F(RecordOpenMpi, WeightsAreNumbersUnlessTheyAreNone) {
    const Completed completed = record({}, job_of_open_mpi({"recorded", "weights"}));

    EXPECT_EQ(0, code_of(completed)) << completed.errors;
    ASSERT_TRUE(recording_);
    expect_weights(calls_of(0, "MPI_Dist_graph_create_adjacent"));
}

TEST_F(RecordOpenMpi, AJob) {
    const Completed completed = record({}, job_of_open_mpi({"recorded", "many", "2"}));

    EXPECT_EQ(0, code_of(completed)) << completed.errors;
    ASSERT_TRUE(recording_);
    EXPECT_THAT(execution().problems, IsEmpty());
    ASSERT_EQ(2U, execution().processes.size());
    const Kept send = calls_of(1, "MPI_Isend").at(1);
    EXPECT_EQ(0, send.before.at("dest"));
    const Kept wait = calls_of(0, "MPI_Waitall").at(1);
    EXPECT_EQ(16, wait.lists.at("array_of_statuses").at(3));
    EXPECT_EQ(send.before.at("send_checksum"), wait.lists.at("checksums").at(0));
    EXPECT_EQ(Termination::Kind::Finalized, end_of(0).kind);
}

// Sends that are through at once all have the handle of one request.
TEST_F(RecordOpenMpi, CopiesOfOneHandleAreRequestsOfTheirOwn) {
    const Completed completed = record({}, job_of_open_mpi({"recorded", "copied"}));

    EXPECT_EQ(0, code_of(completed)) << completed.errors;
    ASSERT_TRUE(recording_);
    std::vector<std::int64_t> started;
    for (const Kept& send : calls_of(0, "MPI_Isend"))
        started.push_back(send.after.at("request"));
    EXPECT_THAT(calls_of(0, "MPI_Waitall").at(0).given.at("array_of_requests"),
                ::testing::ElementsAreArray(started));
}

TEST_F(RecordOpenMpi, AProgramThatLoadsMpiItself) {
    Words command = job_of_open_mpi({"recorded"});
    command.back() = MQI_PROGRAMS "/loads_library";
    for (const char* word : {MQI_PROGRAMS "/open_mpi/librecorded.so", "things"})
        command.emplace_back(word);
    const Completed completed = record({}, command);

    EXPECT_EQ(0, code_of(completed)) << completed.errors;
    ASSERT_TRUE(recording_);
    EXPECT_THAT(execution().problems, IsEmpty());
    EXPECT_EQ(Termination::Kind::Finalized, end_of(0).kind);
}

TEST_F(RecordOpenMpi, AScriptHidesTheLibrary) {
    std::string line;
    for (const std::string& word : job_of_open_mpi({"recorded", "many", "2"}))
        line += word + " ";
    const Words script = {"bash", "-c", line};

    const Completed refused = record({}, script);
    EXPECT_NE(0, code_of(refused));
    EXPECT_THAT(refused.errors, HasSubstr("uses Open MPI, and is recorded for MPICH"));
    EXPECT_THAT(refused.errors, HasSubstr("mqinspect record --mpi openmpi"));

    EXPECT_EQ(0, code_of(record({"--mpi", "openmpi"}, script)));
    ASSERT_TRUE(recording_);
    EXPECT_EQ(Termination::Kind::Finalized, end_of(0).kind);

    EXPECT_THAT(record({"--mpi", "openmpi"}, job(1, {"recorded", "many", "2"})).errors,
                HasSubstr("mqinspect record --mpi mpich"));
}

TEST_F(RecordOpenMpi, GuardsCatchTheProgram) {
    const Completed completed = record({}, job_of_open_mpi({"guarded_buffers"}));

    EXPECT_EQ(0, code_of(completed)) << completed.errors;
    const std::string touched = touched_places();
    EXPECT_THAT(touched, AllOf(HasSubstr("@reads"), HasSubstr("@same"), HasSubstr("@loads")));
}

}  // namespace
}  // namespace mqinspect::testing
