// mqs-conformance on a real job: our DLL, MPICH's own, and a recording.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/mpi_job.h"

namespace mqinspect::testing {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;

class ConformanceOnAJob : public ::testing::Test {
protected:
    /// All four ranks have reached their last call.
    void SetUp() override {
        ASSERT_TRUE(job_.wait_for_ranks(seconds(30)));
        ASSERT_TRUE(poll_until(seconds(30), [this] {
            for (int rank = 0; rank < 4; ++rank) {
                if (!std::filesystem::exists(folder_.path() / (std::to_string(rank) + ".json"))) {
                    return false;
                }
            }
            return true;
        }));
    }

    Completed drive(const std::string& dll, const std::vector<std::string>& more) {
        Command command;
        command.arguments = {MQI_CONFORMANCE, dll};
        command.arguments.insert(command.arguments.end(), more.begin(), more.end());
        return run_to_end(command, seconds(120));
    }
    Completed drive_live(const std::string& dll, std::vector<std::string> more = {}) {
        more.push_back(std::to_string(job_.launcher_pid()));
        return drive(dll, more);
    }

    TemporaryDirectory folder_;
    MpiJob job_{
        {.ranks = 4,
         .command = {std::string(MQI_PROGRAMS) + "/everything_pending", folder_.path().string()},
         .launcher_options = {},
         .environment = {},
         .mpiexec = {}}};
};

TEST_F(ConformanceOnAJob, OursKeepsTheRules) {
    const Completed run = drive_live(MQI_BUNDLED_DLL);

    ASSERT_TRUE(run.status);
    EXPECT_EQ(0, run.status->code) << run.output << run.errors;
    EXPECT_THAT(run.output, HasSubstr("\n0 violations in "));
    EXPECT_THAT(run.output, ::testing::Not(HasSubstr("not run")));
}

TEST_F(ConformanceOnAJob, MpichsOwnHasItsKnownDefects) {
    const Completed run =
        drive_live(std::string(MQI_MPICH_PREFIX) + "/lib/libtvmpich.so", {"--patience", "2000"});

    ASSERT_TRUE(run.status);
    EXPECT_EQ(1, run.status->code) << run.output << run.errors;
    for (const char* line : {
             "documented: mqs_get_comm_group is missing",
             "is 1 in MPI_COMM_WORLD, not -1",
             "operations-first: mqs_next_operation crashed with SIGSEGV",
             "communicators-freed: mqs_update_communicator_list crashed with SIGSEGV",
             "long-names: mqs_get_communicator the name 'nnn",
             "list-without-an-end: mqs_update_communicator_list does not return within 2000 ms",
             "no-types: mqs_image_has_queues returns mqs_ok, but none of its 4 lookups",
             "no-symbols: mqs_dll_error_string has no text for 104",
             "no-memory: mqs_update_communicator_list shows 0 communicators and no error",
             "mqs_next_operation reads at address 0",
         }) {
        EXPECT_THAT(run.output, HasSubstr(line));
    }
}

TEST_F(ConformanceOnAJob, ARecordingAnswersAsTheJob) {
    const std::string file = (folder_.path() / "recording").string();

    const Completed live = drive_live(MQI_BUNDLED_DLL, {"--record", file});
    const Completed replayed = drive(MQI_BUNDLED_DLL, {"--replay", file});

    ASSERT_TRUE(replayed.status);
    EXPECT_EQ(0, replayed.status->code) << replayed.output << replayed.errors;
    EXPECT_EQ(live.output, replayed.output);
}

TEST_F(ConformanceOnAJob, TheJobRunsOn) {
    drive_live(MQI_BUNDLED_DLL);

    job_.release();
    const auto status = job_.wait_for_exit(seconds(60));
    ASSERT_TRUE(status);
    EXPECT_EQ(0, status->code) << job_.errors();
}

TEST(Conformance, OpenMpisDllHasItsKnownDefects) {
    if (!std::filesystem::exists(MQI_OPENMPI_MPIRUN) || !std::filesystem::exists(MQI_OPENMPI_DLL)) {
        GTEST_SKIP() << "needs Debian's packages openmpi-bin and libopenmpi-dev";
    }
    const MpiJob job(open_mpi_job(
        MQI_OPENMPI_MPIRUN, 4, {std::string(MQI_PROGRAMS) + "/open_mpi/foreign_hang"}));
    Command command;
    command.arguments = {
        MQI_CONFORMANCE, MQI_OPENMPI_DLL, std::to_string(job.launcher_pid()), "--patience", "3000"};
    Completed run;

    // Until the ranks have posted what they wait for.
    poll_until(seconds(60), [&] {
        run = run_to_end(command, seconds(60));
        return run.output.find("desired_local_rank 4294967295") != std::string::npos;
    });

    ASSERT_TRUE(run.status);
    EXPECT_EQ(1, run.status->code) << run.output << run.errors;
    for (const char* line : {
             "'MPI_COMM_NULL': rank 4294967294 of a size of 0",
             "desired_local_rank 4294967295",
             "no-optional-callbacks: mqs_image_has_queues crashed with SIGSEGV",
             "operations-first: mqs_next_operation crashed with SIGSEGV",
             "no-types: prints 'WARNING: ",
             "not run: communicators-freed",
         }) {
        EXPECT_THAT(run.output, HasSubstr(line));
    }
}

TEST(Conformance, SaysWhatItCannotDo) {
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{MQI_BUNDLED_DLL},
          {MQI_BUNDLED_DLL, "--replay", "/absent"},
          {MQI_BUNDLED_DLL, "--replay", MQI_BUNDLED_DLL},
          {MQI_BUNDLED_DLL, "1"},
          {"/absent", "1"}}) {
        Command command;
        command.arguments = {MQI_CONFORMANCE};
        command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
        const Completed run = run_to_end(command, seconds(30));
        ASSERT_TRUE(run.status);
        EXPECT_EQ(2, run.status->code);
        EXPECT_EQ("", run.output);
        EXPECT_NE("", run.errors);
    }
}

}  // namespace
}  // namespace mqinspect::testing
