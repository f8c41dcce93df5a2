// Programs in Python (mpi4py, of Open MPI): their source lines.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/integration/record_case.h"
#include "tests/support/inspection.h"
#include "tests/support/mpi_job.h"

namespace mqinspect::testing {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kPrograms = MQI_PROGRAM_SOURCES "/python/";

/// The lines with marks "@mark".
std::map<std::string, int> marks_of(const std::string& path) {
    std::map<std::string, int> marks;
    std::ifstream file(path);
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        const auto mark = line.find("  # @");
        if (mark != std::string::npos) marks[line.substr(mark + 5)] = number;
    }
    return marks;
}

bool has_mpi4py() {
    return fs::exists(MQI_OPENMPI_MPIRUN) &&
           code_of(run_to_end({{MQI_PYTHON, "-c", "import mpi4py"}, {}, {}}, seconds(30))) == 0;
}

class RecordedPython : public Record {
protected:
    void SetUp() override {
        if (!has_mpi4py()) GTEST_SKIP() << "needs Debian's packages openmpi-bin and python3-mpi4py";
    }

    Completed record_mode(const std::string& mode) {
        return record(
            {}, open_mpi_words(MQI_OPENMPI_MPIRUN, {MQI_PYTHON, kPrograms + "recorded.py", mode}));
    }
    nlohmann::json findings() const {
        const Completed checked =
            run_to_end({{MQI_INSPECT, "check", "--format", "json", folder()}, {}, {}}, seconds(60));
        const auto report = nlohmann::json::parse(checked.output, nullptr, false);
        return report.is_object() ? report.at("findings") : nlohmann::json::array();
    }
    /// "name at mark" of each, by its first call.
    std::vector<std::string> named(const nlohmann::json& findings) const {
        std::vector<std::string> names;
        for (const auto& finding : findings) {
            const auto& call = finding.at("calls").at(0);
            std::string place = std::to_string(call.value("line", 0));
            for (const auto& [mark, line] : marks_)
                if (line == call.value("line", 0)) place = mark;
            names.push_back(finding.at("name").get<std::string>() + " at " + place);
        }
        return names;
    }
    static std::vector<std::string> functions(const nlohmann::json& call) {
        std::vector<std::string> names;
        for (const auto& frame : call.at("stack"))
            names.push_back(frame.at("function").get<std::string>());
        return names;
    }
    std::string place(const std::string& mark) const {
        return "recorded.py(" + std::to_string(marks_.at(mark)) + ")";
    }

    std::map<std::string, int> marks_ = marks_of(kPrograms + "recorded.py");
};

TEST_F(RecordedPython, FindingsHaveItsLines) {
    const Completed completed = record_mode("leaks");

    EXPECT_EQ(0, code_of(completed)) << completed.errors;
    const nlohmann::json findings = this->findings();
    // The statement begins two lines before its mark.
    marks_["forgotten"] -= 2;
    EXPECT_THAT(named(findings),
                ElementsAre("nonpaired send at forgotten", "leaked communicator at leaked"));
    ASSERT_EQ(2U, findings.size());
    EXPECT_THAT(functions(findings[0].at("calls").at(0)),
                ElementsAre("Solver.forget", "main", "<module>"));
    EXPECT_THAT(functions(findings[1].at("calls").at(0)),
                ElementsAre("leak.<locals>.<listcomp>", "leak", "main", "<module>"));
    EXPECT_EQ(findings[1].at("calls").at(0).at("file"), kPrograms + "recorded.py");
}

TEST_F(RecordedPython, WrongCallsAreExplainedWithItsLines) {
    const Completed completed = record_mode("wrong");

    EXPECT_NE(0, code_of(completed));
    EXPECT_THAT(completed.errors, HasSubstr("incorrect dest 99"));
    EXPECT_THAT(completed.errors, HasSubstr(place("wrong")));
    EXPECT_THAT(named(findings()), ElementsAre("invalid argument at wrong"));
}

TEST_F(RecordedPython, CrashesAreWhereTheProgramItselfIs) {
    const Completed completed = record_mode("crash");

    EXPECT_NE(0, code_of(completed));
    EXPECT_THAT(completed.errors, HasSubstr("SIGSEGV: No memory there, addr=0x10, "));
    EXPECT_THAT(completed.errors, HasSubstr(place("crash")));
    const nlohmann::json findings = this->findings();
    EXPECT_THAT(named(findings), ElementsAre("abend at crash"));
    ASSERT_EQ(1U, findings.size());
    EXPECT_THAT(functions(findings[0].at("calls").at(0)),
                ElementsAre("crash", "main.<locals>.<lambda>", "main", "<module>"));
}

TEST_F(RecordedPython, EndsHaveItsLines) {
    record_mode("exit");

    EXPECT_THAT(named(findings()), ElementsAre("missing finalize at exit"));
}

TEST_F(RecordedPython, ThreadsHaveFramesOfTheirOwn) {
    const Completed completed = record_mode("threads");

    EXPECT_EQ(0, code_of(completed)) << completed.errors;
    const nlohmann::json findings = this->findings();
    ASSERT_FALSE(findings.empty());
    for (const std::string& name : named(findings))
        EXPECT_THAT(name, ::testing::EndsWith(" at thread"));
}

MpiJobOptions job_of_python(int ranks, const Words& command) {
    Words words = {MQI_PYTHON, kPrograms + command.front()};
    words.insert(words.end(), command.begin() + 1, command.end());
    return open_mpi_job(MQI_OPENMPI_MPIRUN, ranks, std::move(words));
}

/// The last look is left in `last`.
bool comes_to(const std::string& verdict, const MpiJob& job, Inspection& last) {
    return poll_until(seconds(30), [&] {
        last = inspect({job.launcher_pid()});
        return verdict_kind(last) == verdict;
    });
}

TEST(HungPython, IsInItsLines) {
    if (!has_mpi4py()) GTEST_SKIP() << "needs Debian's packages openmpi-bin and python3-mpi4py";
    const MpiJob job(job_of_python(2, {"hang.py"}));

    Inspection last;
    EXPECT_TRUE(comes_to("deadlock", job, last)) << last.output;
    ASSERT_TRUE(last.report.is_object()) << last.errors;
    for (const auto& operation : last.report.at("operations"))
        EXPECT_EQ(operation.at("function"), "MPI_Mprobe") << operation;
    const int line = marks_of(kPrograms + "hang.py").at("hangs") - 1;
    for (const auto& rank : last.report.at("ranks")) {
        EXPECT_EQ(rank.at("call").at("file"), kPrograms + "hang.py");
        EXPECT_EQ(rank.at("call").at("line"), line);
        std::vector<std::string> functions;
        for (const auto& frame : rank.at("stack"))
            if (frame.at("line").is_number())
                functions.push_back(frame.at("function").get<std::string>());
        if (rank.at("rank") == 0) {
            EXPECT_THAT(functions, ElementsAre("wait_for_other", "<module>"));
        } else {
            EXPECT_THAT(functions,
                        ElementsAre("wait_for_other",
                                    "Thread.run",
                                    "Thread._bootstrap_inner",
                                    "Thread._bootstrap"));
        }
    }
}

class WaitingPython : public ::testing::TestWithParam<std::string> {};

/// Python and mpi4py come stripped, and Python at addresses that fit into an int.
TEST_P(WaitingPython, HasAVerdict) {
    if (!has_mpi4py()) GTEST_SKIP() << "needs Debian's packages openmpi-bin and python3-mpi4py";
    Inspection last;
    {
        const MpiJob job(job_of_python(4, {"waits.py", GetParam()}));
        EXPECT_TRUE(comes_to("deadlock", job, last)) << last.output;
    }
    const MpiJob job(job_of_python(4, {"waits.py", GetParam(), "ok"}));
    const auto others_wait = [&last] {
        if (verdict_kind(last) != "none" || last.report.at("ranks").size() != 4) return false;
        const auto& ranks = last.report.at("ranks");
        return std::ranges::count_if(
                   ranks, [](const auto& rank) { return rank.at("state") == "blocked"; }) == 3;
    };
    EXPECT_TRUE(poll_until(seconds(30), [&] {
        last = inspect({job.launcher_pid()});
        EXPECT_NE(verdict_kind(last), "deadlock") << last.output;
        return others_wait();
    })) << last.output;
}

INSTANTIATE_TEST_SUITE_P(Modes,
                         WaitingPython,
                         ::testing::Values("send",
                                           "ssend",
                                           "recv",
                                           "wait",
                                           "waitall",
                                           "waitany",
                                           "any",
                                           "probe",
                                           "bcast",
                                           "gather",
                                           "ibarrier",
                                           "sub"));

}  // namespace
}  // namespace mqinspect::testing
