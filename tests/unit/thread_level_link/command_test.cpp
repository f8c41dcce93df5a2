// The program itself, on a program with notes.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/unit/thread_level_link/noted_objects.h"

namespace mqinspect::thread_level::link {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class LinkStep : public ::testing::Test {
protected:
    LinkStep() {
        const Unit unit = hybrid_unit();
        objects_.compile("noted.o", "int main(void) { return 0; }", &unit);
        objects_.write("solver.c", kHybridCode);
        objects_.run({MQI_C_COMPILER, "noted.o", "-o", "solver"});
    }

    testing::Completed link_step(const std::vector<std::string>& words) const {
        testing::Command command;
        command.arguments = {"env", "-C", objects_.path("").string(), MQI_LINK_STEP};
        command.arguments.insert(command.arguments.end(), words.begin(), words.end());
        return run_to_end(command, std::chrono::seconds(20));
    }

    NotedObjects objects_;
};

TEST_F(LinkStep, WarnsOfACallAboveTheLevel) {
    const auto done = link_step({"solver"});

    EXPECT_EQ(1, done.status->code);
    EXPECT_THAT(done.output, HasSubstr("solver.c:6:2: "));
    EXPECT_THAT(done.output, HasSubstr("MPI_THREAD_SERIALIZED"));
    EXPECT_THAT(done.output,
                HasSubstr("[-Wmpi-thread-level]\n"
                          "    6 |         MPI_Bcast(buffer);\n"
                          "      |         ^~~~~~~~~\n"));
    EXPECT_THAT(done.errors, IsEmpty());
}

TEST_F(LinkStep, ExitCodesFollowTheSeverity) {
    EXPECT_EQ(0, link_step({"--warn-only", "solver"}).status->code);
    EXPECT_EQ(1, link_step({"--warn-only", "-Werror", "solver"}).status->code);
    EXPECT_EQ(0, link_step({"-Wno-mpi-thread-level", "solver"}).status->code);
    EXPECT_EQ(0, link_step({"--level", "serialized", "solver"}).status->code);
    EXPECT_EQ(0, link_step({"--level", "MPI_THREAD_MULTIPLE", "solver"}).status->code);
    EXPECT_EQ(2, link_step({"--level", "none", "solver"}).status->code);
    EXPECT_EQ(2, link_step({"solver", "nowhere"}).status->code);
    EXPECT_EQ(2, link_step({"-Wnonsense", "solver"}).status->code);
    EXPECT_EQ(2, link_step({}).status->code);
    EXPECT_EQ(0, link_step({"--help"}).status->code);
}

TEST_F(LinkStep, BadInputLosesNothingOfTheRest) {
    const auto done = link_step({"nowhere", "solver.c", "solver"});

    EXPECT_EQ(2, done.status->code);
    EXPECT_EQ(
        "mpi-thread-level-link: nowhere: No such file or directory\n"
        "mpi-thread-level-link: solver.c: neither an ELF file nor an archive\n",
        done.errors);
    EXPECT_THAT(done.output, HasSubstr("[-Wmpi-thread-level]"));
}

TEST_F(LinkStep, StrictSingleMakesAWarningOfTheNote) {
    EXPECT_THAT(link_step({"--level", "single", "solver"}).output,
                HasSubstr("note: a parallel region"));
    EXPECT_THAT(link_step({"--level", "single", "--strict-single", "solver"}).output,
                HasSubstr("warning: a parallel region"));
    EXPECT_THAT(link_step({"--strict-single", "solver"}).output,
                Not(HasSubstr("-Wmpi-strict-single")));
}

TEST_F(LinkStep, TableOfTheProgram) {
    const auto done = link_step({"--table", "solver"});

    EXPECT_THAT(done.output,
                HasSubstr("Requested  MPI_THREAD_FUNNELED\n"
                          "Required   MPI_THREAD_SERIALIZED\n"
                          "Verdict    not compliant\n"));
}

TEST_F(LinkStep, ABaselineLeavesWhatIsNew) {
    for (const char* format : {"json", "sarif"}) {
        link_step({"--format", format, "-o", "before", "solver"});
        const auto done = link_step({"--baseline", "before", "solver"});
        EXPECT_EQ(0, done.status->code) << done.errors;
        EXPECT_THAT(done.output, IsEmpty());
    }
    EXPECT_EQ(2, link_step({"--baseline", "solver.c", "solver"}).status->code);
}

TEST_F(LinkStep, SuppressionsInAFileOrASource) {
    objects_.write("ignored",
                   "callee=MPI_Bcast reason=one thread\nrule=mpi-finalize reason=none\n");
    const auto done = link_step({"--suppressions", "ignored", "solver"});
    EXPECT_EQ(0, done.status->code);
    EXPECT_EQ("mpi-thread-level-link: ignored: line 2: nothing to suppress\n", done.errors);
    EXPECT_EQ(2, link_step({"--suppressions", "solver.c", "solver"}).status->code);

    std::string code = kHybridCode;
    code.insert(code.find("\n\tMPI_Bcast"), " // mpi-thread-level: ignore");
    objects_.write("solver.c", code);
    EXPECT_EQ(0, link_step({"solver"}).status->code);
}

TEST_F(LinkStep, SarifOfAProgram) {
    const auto done = link_step({"--format", "sarif", "solver"});

    const auto json = nlohmann::json::parse(done.output);
    const auto& results = json["runs"][0]["results"];
    ASSERT_EQ(1U, results.size());
    EXPECT_EQ("solver.c",
              results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]);
}

TEST_F(LinkStep, WithoutNotesNothingIsClaimed) {
    objects_.compile("bare.o", "int main(void) { return 0; }", nullptr);
    const auto done = link_step({"--table", "bare.o"});

    EXPECT_EQ(2, done.status->code);
    EXPECT_THAT(done.errors, HasSubstr("there are no notes"));
    EXPECT_THAT(done.output, Not(HasSubstr("Verdict    compliant")));
}

}  // namespace
}  // namespace mqinspect::thread_level::link
