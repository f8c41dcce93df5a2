// Jobs of Open MPI, through its own debugger DLL and a type donor of ours.
#include <algorithm>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/child_process.h"
#include "tests/support/expectation.h"
#include "tests/support/inspection.h"
#include "tests/support/mpi_job.h"

namespace mqinspect::testing {
namespace {

using std::chrono::seconds;

/// What is said of a program: what its first comment says, honestly nothing, or that or
/// no more than a suspicion, as of a job that moves between any two looks.
/// Verdict: ranks wait for others than with MPICH, whose algorithm is another one.
enum class Answer { AsExpected, Unknown, AsExpectedOrSuspected, Verdict };

struct Program {
    const char* name;
    Answer answer = Answer::AsExpected;
    const char* source = nullptr;  ///< without its extension, if it is not the name
};

void PrintTo(const Program& program, std::ostream* out) {  // NOLINT: GoogleTest's name
    *out << program.name;
}

constexpr Program kPrograms[] = {
#include "tests/integration/open_mpi_programs.inc"
};

MpiJobOptions open_mpi_job(const std::string& program, int ranks) {
    return testing::open_mpi_job(
        MQI_OPENMPI_MPIRUN, ranks, {std::string(MQI_PROGRAMS) + "/open_mpi/" + program});
}

std::string listed(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines)
        text += "  " + line + "\n";
    return text;
}

class OpenMpi : public ::testing::TestWithParam<Program> {
protected:
    void SetUp() override {
        if (!std::filesystem::exists(MQI_OPENMPI_MPIRUN)) {
            GTEST_SKIP() << "needs Debian's packages openmpi-bin and libopenmpi-dev";
        }
    }
};

bool answers(const Inspection& inspection, const Expectation& expectation, Answer answer) {
    if (answer == Answer::Unknown) return verdict_kind(inspection) == "unknown";
    if (answer == Answer::Verdict) return verdict_kind(inspection) == expectation.verdict;
    const bool may_suspect = answer == Answer::AsExpectedOrSuspected;
    if (may_suspect && verdict_kind(inspection) == "suspected") return true;
    return inspection.report.is_object() && differences(expectation, inspection.report).empty();
}

/// No look may say the opposite of the truth on the way to the answer.
bool is_wrong(const std::string& kind, const Expectation& expectation) {
    const bool alarm = kind == "deadlock" || kind == "hang_up";
    return alarm && expectation.verdict != kind;
}

TEST_P(OpenMpi, IsReportedAsItIs) {
    const Program& program = GetParam();
    const std::string name = program.source != nullptr ? program.source : program.name;
    auto source = std::filesystem::path(MQI_PROGRAM_SOURCES) / (name + ".c");
    if (!std::filesystem::exists(source)) source.replace_extension(".f90");
    auto expectation = read_expectation(source);
    ASSERT_TRUE(expectation) << expectation.error().message;
    // Near misses lie among the unexpected messages, which are not known.
    expectation->hints.clear();
    MpiJob job(open_mpi_job(program.name, expectation->ranks));

    if (expectation->verdict == "finishes") {
        while (!job.wait_for_exit(milliseconds(0))) {
            const Inspection inspection = inspect({job.launcher_pid()});
            ASSERT_FALSE(is_wrong(verdict_kind(inspection), *expectation)) << inspection.output;
        }
        EXPECT_EQ(job.finished_ranks(), expectation->ranks) << job.errors();
        return;
    }
    Inspection last;
    poll_until(seconds(60), [&] {
        last = inspect({job.launcher_pid()});
        return is_wrong(verdict_kind(last), *expectation) ||
               answers(last, *expectation, program.answer);
    });
    ASSERT_FALSE(is_wrong(verdict_kind(last), *expectation)) << last.output;
    ASSERT_TRUE(answers(last, *expectation, program.answer))
        << last.errors << last.output
        << (last.report.is_object() ? listed(differences(*expectation, last.report)) : "");
    EXPECT_EQ(listed(schema_problems(last.report)), "");
    EXPECT_EQ(last.errors, "");

    const std::vector<pid_t> ranks = job.rank_pids();
    ASSERT_FALSE(ranks.empty());
    // While the job starts, an unknown may be another one.
    Inspection of_rank;
    EXPECT_TRUE(poll_until(seconds(10), [&] {
        of_rank = inspect({ranks.back()});
        return answers(of_rank, *expectation, program.answer);
    })) << of_rank.output;
    EXPECT_FALSE(is_wrong(verdict_kind(of_rank), *expectation)) << of_rank.output;

    if (expectation->verdict != "none") return;
    job.release();
    const auto status = job.wait_for_exit(seconds(30));
    ASSERT_TRUE(status.has_value()) << "the job does not end after it was released";
    EXPECT_EQ(job.finished_ranks(), expectation->ranks) << job.errors();
}

std::string name_of(const ::testing::TestParamInfo<Program>& info) {
    return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Programs, OpenMpi, ::testing::ValuesIn(kPrograms), name_of);

const nlohmann::json* find_operation(const nlohmann::json& report,
                                     int rank,
                                     const std::string& queue,
                                     const nlohmann::json& tag) {
    for (const auto& operation : report.at("operations")) {
        if (operation.at("rank") == rank && operation.at("queue") == queue &&
            operation.at("tag") == tag) {
            return &operation;
        }
    }
    return nullptr;
}

class OpenMpiHang : public ::testing::Test {
protected:
    void SetUp() override {
        if (!std::filesystem::exists(MQI_OPENMPI_MPIRUN)) {
            GTEST_SKIP() << "needs Debian's packages openmpi-bin and libopenmpi-dev";
        }
    }

    /// Looks until all ranks stand in MPI_Wait.
    static Inspection look(const MpiJob& job) {
        Inspection last;
        poll_until(seconds(30), [&] {
            last = inspect({job.launcher_pid()});
            if (!last.report.is_object()) return false;
            const auto& ranks = last.report.at("ranks");
            return ranks.size() == 4 && std::ranges::all_of(ranks, [](const auto& rank) {
                       return rank.at("call").is_object() &&
                              rank.at("call").at("function") == "MPI_Wait";
                   });
        });
        return last;
    }
};

/// The caller's instructions show the arguments, or they are those of the only pending operation.
TEST_F(OpenMpiHang, MessagesAreUnderstoodInAStrippedProgram) {
    const TemporaryDirectory directory;
    for (const auto& [program, ranks, verdict] :
         {std::tuple{"mprobe_deadlock", 3, "deadlock"},
          std::tuple{"mprobe_ok", 3, "none"},
          std::tuple{"recv_ring_deadlock", 3, "deadlock"},
          std::tuple{"recv_ring_ok", 3, "none"},
          std::tuple{"ssend_pair_deadlock", 2, "deadlock"},
          std::tuple{"ssend_pair_ok", 2, "none"},
          std::tuple{"send_pair_deadlock", 2, "deadlock"},
          std::tuple{"indirect_call_deadlock", 3, "deadlock"},
          std::tuple{"indirect_call_ok", 4, "none"}}) {
        const std::string stripped = (directory.path() / program).string();
        MpiJobOptions options = open_mpi_job(program, ranks);
        strip(options.command.front(), stripped);
        options.command = {stripped};
        const MpiJob job(options);

        Inspection last;
        EXPECT_TRUE(poll_until(seconds(20),
                               [&, verdict = verdict] {
                                   last = inspect({job.launcher_pid()});
                                   return verdict_kind(last) == verdict;
                               }))
            << program << last.output;
    }
}

TEST_F(OpenMpiHang, JobSaysWhatWasUsed) {
    const MpiJob job(open_mpi_job("foreign_hang", 4));
    const Inspection inspection = look(job);
    ASSERT_TRUE(inspection.report.is_object()) << inspection.errors;

    const auto& about = inspection.report.at("job");

    EXPECT_TRUE(about.at("mpi").get<std::string>().starts_with("Open MPI 4.")) << about;
    EXPECT_TRUE(about.at("mpi").get<std::string>().ends_with("pml ob1")) << about;
    EXPECT_TRUE(about.at("dll").get<std::string>().ends_with("libompi_dbg_msgq.so")) << about;
    ASSERT_EQ(about.at("types").size(), 1U) << about;
    EXPECT_EQ(about.at("size"), 4);
}

TEST_F(OpenMpiHang, ShowsTheGroupsOfCommunicators) {
    const MpiJob job(open_mpi_job("foreign_hang", 4));
    const Inspection inspection = look(job);
    ASSERT_TRUE(inspection.report.is_object()) << inspection.errors;

    std::vector<std::vector<int>> even;
    std::vector<std::vector<int>> odd;
    for (const auto& communicator : inspection.report.at("communicators")) {
        EXPECT_NE(communicator.at("name"), "MPI_COMM_NULL");
        if (communicator.at("name") == "even reversed") even.push_back(communicator.at("members"));
        if (communicator.at("name") == "odd reversed") odd.push_back(communicator.at("members"));
    }

    EXPECT_EQ(even, (std::vector<std::vector<int>>{{2, 0}}));
    EXPECT_EQ(odd, (std::vector<std::vector<int>>{{3, 1}}));
}

TEST_F(OpenMpiHang, ShowsReceivesInBytesAndInOrder) {
    const MpiJob job(open_mpi_job("foreign_hang", 4));
    const Inspection inspection = look(job);
    ASSERT_TRUE(inspection.report.is_object()) << inspection.errors;
    const auto& report = inspection.report;

    const auto* named = find_operation(report, 0, "posted_receive", 42);
    const auto* on_half = find_operation(report, 0, "posted_receive", 99);
    const auto* wild = find_operation(report, 0, "posted_receive", nullptr);

    ASSERT_TRUE(named != nullptr && on_half != nullptr && wild != nullptr) << inspection.output;
    EXPECT_EQ(named->at("bytes"), 4000);
    EXPECT_EQ(named->at("count"), 1000);
    EXPECT_EQ(named->at("datatype"), "MPI_INT");
    EXPECT_EQ(named->at("world_peer"), 1);
    EXPECT_EQ(named->at("state"), "pending");
    EXPECT_EQ(on_half->at("bytes"), 16);
    EXPECT_EQ(on_half->at("world_peer"), 2);
    EXPECT_EQ(wild->at("any_source"), true);
    EXPECT_EQ(wild->at("any_tag"), true);
    EXPECT_EQ(wild->at("world_peer"), nullptr);
    EXPECT_LT(on_half, wild);
}

TEST_F(OpenMpiHang, ShowsSendsWithTheirPeersInTheWorld) {
    const MpiJob job(open_mpi_job("foreign_hang", 4));
    const Inspection inspection = look(job);
    ASSERT_TRUE(inspection.report.is_object()) << inspection.errors;
    const auto& report = inspection.report;

    const auto* large = find_operation(report, 2, "pending_send", 9);
    const auto* synchronous = find_operation(report, 2, "pending_send", 11);

    ASSERT_TRUE(large != nullptr && synchronous != nullptr) << inspection.output;
    EXPECT_EQ(large->at("bytes"), 1 << 20);
    EXPECT_EQ(large->at("world_peer"), 3);
    EXPECT_EQ(large->at("mode"), "standard");
    EXPECT_EQ(synchronous->at("mode"), "synchronous");
    EXPECT_EQ(synchronous->at("bytes"), 4);
    for (const auto& operation : report.at("operations"))
        EXPECT_NE(operation.at("tag"), 13) << "a persistent operation that is not started";
}

TEST_F(OpenMpiHang, NamesTheRequestThatIsWaitedFor) {
    const MpiJob job(open_mpi_job("foreign_hang", 4));
    const Inspection inspection = look(job);

    EXPECT_EQ(verdict_kind(inspection), "deadlock") << inspection.output;
}

TEST_F(OpenMpiHang, TypesThatDoNotFitAreRefusedWithOneLine) {
    const MpiJob job(open_mpi_job("foreign_hang", 4));
    ASSERT_TRUE(look(job).report.is_object());

    const Inspection inspection = inspect_with({"--types", MQI_WRONG_TYPES}, {job.launcher_pid()});

    EXPECT_EQ(inspection.exit_code, 2);
    EXPECT_TRUE(is_one_line(inspection.errors)) << inspection.errors;
    EXPECT_NE(inspection.errors.find("does not fit"), std::string::npos) << inspection.errors;
}

}  // namespace
}  // namespace mqinspect::testing
