// What a device of MPICH keeps to itself is said, and never taken for nothing.
#include "tests/support/devices.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/child_process.h"
#include "tests/support/inspection.h"
#include "tests/support/mpi_job.h"

namespace mqinspect::testing {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;

class Libfabric : public ::testing::TestWithParam<std::string> {
protected:
    /// Ranks that MPICH takes for as many nodes, so that libfabric is between them.
    static MpiJobOptions job_of_two_nodes(std::vector<std::string> environment) {
        MpiJobOptions options;
        options.ranks = 2;
        options.mpiexec = mpiexec_of(GetParam());
        options.command = {program_path("ssend_pair_deadlock", GetParam())};
        options.environment = std::move(environment);
        options.environment.emplace_back("MPIR_CVAR_NUM_CLIQUES=2");
        return options;
    }

    static Inspection inspect_until(const MpiJob& job, const std::string& verdict) {
        Inspection inspection;
        poll_until(seconds(30), [&] {
            inspection = inspect({job.launcher_pid()});
            return verdict_kind(inspection) == verdict;
        });
        return inspection;
    }
};

TEST_P(Libfabric, KeepsMessagesBetweenNodesToItselfAndTheReportSaysSo) {
    const MpiJob job(job_of_two_nodes({}));

    // Neither rank has posted a receive: that much MPICH itself knows.
    const Inspection inspection = inspect_until(job, "deadlock");

    ASSERT_EQ(verdict_kind(inspection), "deadlock") << inspection.output;
    EXPECT_EQ(inspection.exit_code, 1);
    for (const auto& rank : inspection.report.at("ranks"))
        EXPECT_EQ(rank.at("queues_known"), false);
    const std::string problems = inspection.report.at("problems").dump();
    EXPECT_NE(problems.find("no information on unexpected messages"), std::string::npos);
    EXPECT_NE(problems.find("libfabric"), std::string::npos) << problems;
    EXPECT_NE(problems.find("MPIR_CVAR_CH4_OFI_ENABLE_TAGGED=0"), std::string::npos) << problems;
}

TEST_P(Libfabric, LeavesMatchingToMpichIfItIsTold) {
    const MpiJob job(job_of_two_nodes({"MPIR_CVAR_CH4_OFI_ENABLE_TAGGED=0"}));

    const Inspection inspection = inspect_until(job, "deadlock");

    ASSERT_EQ(verdict_kind(inspection), "deadlock") << inspection.output;
    EXPECT_EQ(inspection.exit_code, 1);
    for (const auto& rank : inspection.report.at("ranks")) {
        EXPECT_EQ(rank.at("queues_known"), true);
        EXPECT_TRUE(rank.at("problem").is_null()) << rank.at("problem");
    }
}

/// What `mqinspect check` says of a recorded job of two ranks.
std::string checked(const std::string& device, const std::string& mode) {
    const TemporaryDirectory directory;
    const std::string folder = (directory.path() / "record").string();
    run_to_end({{MQI_INSPECT,
                 "record",
                 "-o",
                 folder,
                 "--",
                 mpiexec_of(device),
                 "-n",
                 "2",
                 program_path("partitions", device),
                 mode},
                {},
                {}},
               seconds(60));
    return run_to_end({{MQI_INSPECT, "check", folder}, {}, {}}, seconds(60)).output;
}

// Those of MPICH with ch3 are not implemented.
TEST_P(Libfabric, PartitionsAreTheLibrarysForAWhile) {
    EXPECT_THAT(checked(GetParam(), "ok"), HasSubstr("No errors found"));
    const std::string errors = checked(GetParam(), "error");
    EXPECT_THAT(errors, HasSubstr("error: pending buffer access"));
    EXPECT_THAT(errors, HasSubstr("@stores"));
    EXPECT_THAT(errors, HasSubstr("@loads"));
}

std::vector<std::string> devices_with_libfabric() {
    std::vector<std::string> names = further_devices();
    std::erase_if(names, [](const std::string& name) { return name != "ch4_ofi"; });
    return names;
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Libfabric);
INSTANTIATE_TEST_SUITE_P(Devices,
                         Libfabric,
                         ::testing::ValuesIn(devices_with_libfabric()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace mqinspect::testing
