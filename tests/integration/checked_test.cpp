// Every program of tests/checked is recorded and checked, against what its first comment says.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/checked_expectation.h"
#include "tests/support/child_process.h"

namespace mqinspect::testing {
namespace {

using nlohmann::json;
using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::HasSubstr;

struct Program {
    const char* name;
    const char* source;
};

// GoogleTest prints parameters with this.
void PrintTo(const Program& program, std::ostream* out) {  // NOLINT: GoogleTest's name
    *out << program.source;
}

constexpr Program kPrograms[] = {
#include "checked_programs.inc"
};

class Checked : public ::testing::TestWithParam<Program> {
protected:
    std::string folder() const { return (directory_.path() / "record").string(); }

    /// A stuck job is ended as by Ctrl-C, two seconds after its start.
    Completed record(const CheckedExpectation& expectation) const {
        Command command{{MQI_INSPECT, "record", "-o", folder()}, {}, {}};
        if (!expectation.option.empty()) command.arguments.push_back(expectation.option);
        command.arguments.push_back("--");
        const std::vector<std::string> limit = {"timeout", "-s", "INT", "-k", "10", "2"};
        if (expectation.stuck)
            command.arguments.insert(command.arguments.end(), limit.begin(), limit.end());
        for (const std::string& word : {std::string(MQI_MPIEXEC),
                                        std::string("-n"),
                                        std::to_string(expectation.ranks),
                                        std::string(MQI_CHECKED "/") + GetParam().name})
            command.arguments.push_back(word);
        return run_to_end(command, seconds(60));
    }

    Completed check() const {
        return run_to_end({{MQI_INSPECT, "check", "--format", "json", folder()}, {}, {}},
                          seconds(60));
    }

private:
    TemporaryDirectory directory_;
};

/// Whether they catch anything: virtual machines may take them and do nothing.
bool has_watchpoints() {
    const Completed doctor = run_to_end({{MQI_INSPECT, "doctor"}, {}, {}}, seconds(60));
    return doctor.output.find("works    watchpoints") != std::string::npos;
}

TEST_P(Checked, HasTheFindingsThatItSays) {
    const auto source = std::filesystem::path(MQI_CHECKED_SOURCES) / GetParam().source;
    auto expectation = read_checked_expectation(source);
    ASSERT_TRUE(expectation) << expectation.error().message;
    expectation->may_miss = expectation->watchpoints && !has_watchpoints();

    const Completed recorded = record(*expectation);
    ASSERT_TRUE(recorded.status) << "the job does not end\n" << recorded.errors;
    const Completed checked = check();
    ASSERT_TRUE(checked.status) << "the check does not end";

    const json report = json::parse(checked.output, nullptr, false);
    ASSERT_FALSE(report.is_discarded()) << checked.output << checked.errors;
    std::string listed;
    for (const std::string& line : differences(*expectation, report))
        listed += "  " + line + "\n";
    EXPECT_EQ(listed, "") << recorded.errors << checked.errors;
    const bool any_error = std::ranges::any_of(
        expectation->findings, [](const auto& finding) { return finding.severity == "error"; });
    if (any_error && !expectation->may_miss) {
        EXPECT_EQ(checked.status->code, 1);
    }
    if (expectation->findings.empty()) {
        EXPECT_EQ(checked.status->code, 0) << checked.errors;
    }
}

std::string name_of(const ::testing::TestParamInfo<Program>& info) {
    return info.param.name;
}

TEST(RecordedErrors, AreExplainedWhereHandlersAreSetLate) {
    const TemporaryDirectory directory;
    const std::string folder = (directory.path() / "record").string();
    const Completed completed = run_to_end({{MQI_INSPECT,
                                             "record",
                                             "-o",
                                             folder,
                                             "--",
                                             MQI_MPIEXEC,
                                             "-n",
                                             "2",
                                             MQI_CHECKED "/errors_returned_error"},
                                            {},
                                            {}},
                                           seconds(60));

    ASSERT_TRUE(completed.status);
    EXPECT_EQ(completed.status->code, 0);
    EXPECT_EQ(completed.output, "to the end\n");
    EXPECT_THAT(completed.errors,
                AllOf(HasSubstr("wrong call MPI_Send (incorrect tag -5)"),
                      HasSubstr("wrong call MPI_Send (incorrect datatype, a null handle)"),
                      HasSubstr("wrong call MPI_Send (incorrect dest 7)"),
                      HasSubstr("wrong call MPI_Bcast (incorrect count -1)")));
}

INSTANTIATE_TEST_SUITE_P(Programs, Checked, ::testing::ValuesIn(kPrograms), name_of);

}  // namespace
}  // namespace mqinspect::testing
