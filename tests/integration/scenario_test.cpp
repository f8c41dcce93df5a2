// Every scenario program of tests/programs, against what its first comment says.
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/devices.h"
#include "tests/support/expectation.h"
#include "tests/support/inspection.h"
#include "tests/support/mpi_job.h"

namespace mqinspect::testing {
namespace {

using std::chrono::seconds;

struct Program {
    const char* name;
    const char* source;
    const char* device;  ///< empty: the MPICH that the project uses
};

// GoogleTest prints parameters with this.
void PrintTo(const Program& program, std::ostream* out) {  // NOLINT: GoogleTest's name
    *out << program.source << " on " << program.device;
}

constexpr Program kPrograms[] = {
#include "programs.inc"
};

std::string name_of(const ::testing::TestParamInfo<Program>& info) {
    const std::string device = info.param.device;
    return device.empty() ? info.param.name : device + "_" + info.param.name;
}

std::string listed(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines)
        text += "  " + line + "\n";
    return text;
}

bool is_alarm(const std::string& kind) {
    return kind == "deadlock" || kind == "hang_up";
}

MpiJobOptions options_for(const Program& program, const Expectation& expectation) {
    const std::string executable = program_path(program.name, program.device);
    MpiJobOptions options;
    options.mpiexec = mpiexec_of(program.device);
    options.ranks = expectation.starts;
    options.launcher_options = expectation.launcher_options;
    options.command = expectation.launch;
    for (std::string& argument : options.command) {
        const std::size_t place = argument.find("{}");
        if (place != std::string::npos) argument.replace(place, 2, executable);
    }
    if (options.command.empty()) options.command = {executable};
    return options;
}

class Scenario : public ::testing::TestWithParam<Program> {
protected:
    /// Inspects until the report says what the program says of itself. `allowed` is
    /// asked about each report on the way. What still differs at the end.
    template <class Allowed>
    std::vector<std::string> inspect_until_as_expected(const MpiJob& job, Allowed allowed) {
        std::vector<std::string> differ = {"no report"};
        poll_until(seconds(30), [&] {
            const Inspection inspection = inspect({job.launcher_pid()});
            if (!inspection.report.is_object()) {
                differ = {"no report: " + inspection.errors};
                return false;
            }
            differ = differences(expectation_, inspection.report);
            return !allowed(inspection) || differ.empty();
        });
        return differ;
    }

    /// One more look, which must find the same.
    void expect_same_again(const std::vector<pid_t>& pids, int exit_code) {
        const Inspection inspection = inspect(pids);
        ASSERT_TRUE(inspection.report.is_object()) << inspection.errors;
        EXPECT_EQ(listed(differences(expectation_, inspection.report)), "");
        EXPECT_EQ(listed(schema_problems(inspection.report)), "");
        EXPECT_EQ(inspection.exit_code, exit_code);
        EXPECT_EQ(inspection.errors, "");
    }

    void expect_finish(MpiJob& job) {
        const auto status = job.wait_for_exit(seconds(30));
        ASSERT_TRUE(status.has_value()) << "the job does not end after it was released";
        EXPECT_EQ(status->code, 0) << job.errors();
        EXPECT_EQ(job.finished_ranks(), expectation_.ranks) << job.output();
    }

    void run_stuck(const MpiJob& job) {
        const auto differ = inspect_until_as_expected(job, [](const Inspection&) { return true; });
        ASSERT_EQ(listed(differ), "");
        const std::vector<pid_t> ranks = job.rank_pids();
        ASSERT_FALSE(ranks.empty());

        expect_same_again({job.launcher_pid()}, 1);
        expect_same_again({ranks.back()}, 1);
    }

    void run_waiting(MpiJob& job, const std::string& difference) {
        std::string false_alarm;
        const auto differ = inspect_until_as_expected(job, [&](const Inspection& inspection) {
            if (is_alarm(verdict_kind(inspection))) false_alarm = inspection.output;
            return false_alarm.empty();
        });
        ASSERT_EQ(false_alarm, "") << "there is no deadlock";
        ASSERT_EQ(listed(differ), "");
        const std::vector<pid_t> ranks = job.rank_pids();
        ASSERT_FALSE(ranks.empty());

        for (int look = 0; look < 4; ++look) {
            if (difference == "suspected") {
                expect_no_alarm(job.launcher_pid());
            } else {
                expect_same_again({job.launcher_pid()}, 0);
            }
        }
        if (difference != "suspected") expect_same_again({ranks.front()}, 0);

        if (difference == "stays") return;
        job.release();
        expect_finish(job);
    }

    static void expect_no_alarm(pid_t pid) {
        const Inspection inspection = inspect({pid});
        EXPECT_FALSE(is_alarm(verdict_kind(inspection))) << inspection.output;
    }

    /// What the ranks wait for is not known: neither an alarm nor its absence. `perhaps`: or
    /// it is known and as expected.
    void run_unknown(MpiJob& job, bool perhaps) {
        std::string last;
        std::string alarm;
        const bool unknown = poll_until(seconds(30), [&] {
            const Inspection inspection = inspect({job.launcher_pid()});
            last = inspection.output;
            const std::string kind = verdict_kind(inspection);
            const bool right = perhaps && kind == expectation_.verdict;
            if (is_alarm(kind) && !right) alarm = inspection.output;
            return !alarm.empty() || right || (kind == "unknown" && inspection.exit_code == 3);
        });
        ASSERT_EQ(alarm, "");
        ASSERT_TRUE(unknown) << last;
        if (expectation_.verdict != "none") return;
        job.release();
        expect_finish(job);
    }

    /// A job that ends of itself is inspected all the time until it has.
    void run_finishing(MpiJob& job) {
        while (!job.wait_for_exit(milliseconds(0))) {
            const Inspection inspection = inspect({job.launcher_pid()});
            ASSERT_FALSE(is_alarm(verdict_kind(inspection))) << inspection.output;
        }
        expect_finish(job);
    }

    /// With UCX all messages are matched out of sight: what is known is right.
    static std::string difference_of(const Expectation& expectation) {
        const std::string device = GetParam().device;
        const std::string said = expectation.difference_on(device);
        const bool perhaps = device == "ch4_ucx" && (said.empty() || said == "unknown");
        return perhaps ? "perhaps_unknown" : said;
    }

    Expectation expectation_;
};

TEST_P(Scenario, IsReportedAsItIs) {
    const auto source = std::filesystem::path(MQI_PROGRAM_SOURCES) / GetParam().source;
    auto expectation = read_expectation(source);
    ASSERT_TRUE(expectation) << expectation.error().message;
    expectation_ = *std::move(expectation);
    expectation_.settle_waits_on(GetParam().device);
    MpiJob job(options_for(GetParam(), expectation_));

    const std::string difference = difference_of(expectation_);
    const bool finishes = expectation_.verdict == "finishes";
    if (difference.ends_with("unknown") && !finishes) {
        run_unknown(job, difference == "perhaps_unknown");
        return;
    }
    if (difference.starts_with("ends ")) {
        expectation_.exited = {std::stoi(difference.substr(5))};
    }
    if (finishes) {
        run_finishing(job);
    } else if (expectation_.verdict == "none") {
        run_waiting(job, difference);
    } else {
        run_stuck(job);
    }
}

INSTANTIATE_TEST_SUITE_P(Programs, Scenario, ::testing::ValuesIn(kPrograms), name_of);

}  // namespace
}  // namespace mqinspect::testing
