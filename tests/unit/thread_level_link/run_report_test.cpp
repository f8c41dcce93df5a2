#include "thread_level/link/run_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/thread_level_facts/unit_builder.h"
#include "tests/unit/thread_level_link/noted_objects.h"

namespace mqinspect::thread_level::link {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kStart = "mpi-thread-level-run 1\nprovided 1\n";

std::string site(int id, const std::string& procedure, int line) {
    return "site\t" + std::to_string(id) + "\t1\tc\ti\t" + procedure + "\tmain\t" +
           std::to_string(line) + "\t5\ta.c\n";
}

/// Calls at lines 10, 20, ... of a.c, with checks; and one finding on some of them.
class RunReportsOf : public ::testing::Test {
protected:
    void find(Rule rule, Level required, const std::vector<int>& lines) {
        Finding finding;
        finding.rule = rule;
        finding.required = required;
        finding.is_checked = true;
        for (const int line : lines) {
            finding.calls.emplace_back("MPI_Bcast");
            finding.call_places.push_back(
                {.file = "a.c", .line = static_cast<std::uint32_t>(line), .column = 5});
        }
        report_.findings = {finding};
    }

    Evidence evidence(const std::vector<std::string>& texts) {
        Function main;
        main.regions.emplace_back();
        for (const std::uint32_t line : {10U, 20U}) {
            Step step;
            step.kind = StepKind::Mpi;
            step.name = program_.strings.intern("MPI_Bcast");
            step.place = {.file = program_.strings.intern("a.c"), .line = line, .column = 5};
            step.is_checked = true;
            main.steps.push_back(step);
        }
        program_.functions = {main};
        for (const std::string& text : texts)
            runs_.add("x.run", text);
        runs_.apply(program_, report_);
        return report_.findings[0].evidence;
    }

    Unit program_;
    Report report_;
    RunReports runs_;
};

TEST_F(RunReportsOf, NoRunsSayNothing) {
    find(Rule::ThreadLevel, Level::Multiple, {10, 20});
    EXPECT_EQ(Evidence::Static, evidence({}));
    EXPECT_FALSE(report_.provided);
}

TEST_F(RunReportsOf, ContextConfirmsTheLevelThatItNeeds) {
    find(Rule::ThreadLevel, Level::Serialized, {10});
    EXPECT_EQ(Evidence::ExecutedAndOrdered,
              evidence({kStart + site(0, "MPI_Bcast", 10) + "context\t0\t1\n"}));
    EXPECT_EQ(Level::Funneled, report_.provided);
    EXPECT_EQ(Evidence::ConfirmedContext,
              evidence({kStart + site(0, "MPI_Bcast", 10) + "context\t0\t2\n"}));
}

TEST_F(RunReportsOf, AnyRankConfirmsAPair) {
    find(Rule::ThreadLevel, Level::Multiple, {10, 20});
    const std::string sites = kStart + site(0, "MPI_Bcast", 20) + site(1, "MPI_Bcast", 10);
    EXPECT_EQ(Evidence::ConfirmedUnordered, evidence({sites, sites + "pair\tunordered\t0\t1\n"}));
    EXPECT_EQ(Evidence::ConfirmedOverlapped, evidence({sites + "pair\toverlapped\t0\t1\n", sites}));
}

TEST_F(RunReportsOf, ThreadsTellOfTheirSitesInAnyOrder) {
    find(Rule::ThreadLevel, Level::Serialized, {10});
    EXPECT_EQ(Evidence::ConfirmedContext,
              evidence({kStart + site(1, "MPI_Bcast", 10) + "context\t1\t2\n" +
                        site(0, "MPI_Bcast", 20)}));
    EXPECT_THAT(runs_.problems(), IsEmpty());
}

TEST_F(RunReportsOf, OneCallMeetsItself) {
    find(Rule::ConcurrentRequest, Level::Multiple, {10});
    const std::string sites = kStart + site(0, "MPI_Bcast", 10) + site(1, "MPI_Bcast", 20);
    EXPECT_EQ(Evidence::ExecutedAndOrdered, evidence({sites + "pair\tunordered\t0\t1\n"}));
    EXPECT_EQ(Evidence::ConfirmedUnordered, evidence({sites + "pair\tunordered\t0\t0\n"}));
}

TEST_F(RunReportsOf, CallsAreNotAloneWithAnyOther) {
    const std::string text = kStart + site(0, "MPI_Bcast", 10) + site(1, "MPI_Bcast", 20) +
                             site(2, "MPI_Recv", 30) + "pair\tunordered\t1\t2\n";
    find(Rule::ThreadLevel, Level::Multiple, {10, 20});
    EXPECT_EQ(Evidence::ConfirmedUnordered, evidence({text}));
    find(Rule::ConcurrentCollectives, Level::Multiple, {10, 20});
    EXPECT_EQ(Evidence::ExecutedAndOrdered, evidence({text}));
}

TEST_F(RunReportsOf, CallsInTurnConfirmTheirOrderOnly) {
    const std::string text =
        kStart + site(0, "MPI_Bcast", 10) + site(1, "MPI_Bcast", 20) + "pair\tcollectives\t0\t1\n";
    find(Rule::ThreadLevel, Level::Multiple, {10, 20});
    EXPECT_EQ(Evidence::ExecutedAndOrdered, evidence({text}));
    find(Rule::CollectiveOrder, Level::Serialized, {10, 20});
    EXPECT_EQ(Evidence::ConfirmedUnordered, evidence({text}));
}

TEST_F(RunReportsOf, WhatWasNotExecutedIsNotProved) {
    find(Rule::ThreadLevel, Level::Multiple, {10, 20});
    EXPECT_EQ(Evidence::NotExecuted, evidence({kStart + site(0, "MPI_Bcast", 10)}));
}

TEST_F(RunReportsOf, CallsWithoutChecksStayAsTheyAre) {
    find(Rule::ThreadLevel, Level::Multiple, {10, 20});
    report_.findings[0].is_checked = false;
    EXPECT_EQ(Evidence::Static, evidence({kStart + site(0, "MPI_Bcast", 10)}));
}

TEST_F(RunReportsOf, TheLowestProvidedLevelCounts) {
    find(Rule::ThreadLevel, Level::Multiple, {10});
    evidence({"mpi-thread-level-run 1\nprovided 3\n", "mpi-thread-level-run 1\nprovided 2\n"});
    EXPECT_EQ(Level::Serialized, report_.provided);
}

TEST_F(RunReportsOf, AKilledProcessLeavesALineUnfinished) {
    find(Rule::ThreadLevel, Level::Serialized, {10});
    EXPECT_EQ(Evidence::ExecutedAndOrdered,
              evidence({kStart + site(0, "MPI_Bcast", 10) + "context\t0\t2"}));
    EXPECT_THAT(runs_.problems(), IsEmpty());
}

TEST_F(RunReportsOf, ProgramsThatReplaceThemselvesCountTheirSitesAgain) {
    find(Rule::ThreadLevel, Level::Serialized, {10});
    EXPECT_EQ(Evidence::ConfirmedContext,
              evidence({kStart + site(0, "MPI_Bcast", 20) + kStart + site(0, "MPI_Bcast", 10) +
                        "context\t0\t2\n"}));
    EXPECT_THAT(runs_.problems(), IsEmpty());
}

TEST_F(RunReportsOf, OtherProgramsAreToldFromThis) {
    find(Rule::ThreadLevel, Level::Multiple, {10});
    EXPECT_EQ(Evidence::Static, evidence({kStart + site(0, "MPI_Bcast", 11)}));
    EXPECT_THAT(runs_.problems(), ElementsAre(HasSubstr("of another program")));
}

TEST_F(RunReportsOf, LinesThatCannotBeAreNamedAndLeftOut) {
    find(Rule::ThreadLevel, Level::Serialized, {10});
    for (const char* line : {"context\t7\t2",
                             "context\t0\t3",
                             "context\t0",
                             "pair\tfriendly\t0\t0",
                             "pair\tunordered\t0\t99999999999999999999",
                             "provided\t4",
                             "provided\t-1",
                             "rank\tx",
                             "site\t5",
                             "site\t0\t1\tc\ti\tMPI_Send\tf\t1\t1\ta.c",
                             "site\t1\t2\tc\ti\tMPI_Send\tf\t1\t1\ta.c",
                             "",
                             "\t\t\t"}) {
        RunReports runs;
        runs.add("x.run", kStart + site(0, "MPI_Bcast", 10) + line + "\n");
        EXPECT_THAT(runs.problems(), ElementsAre("x.run:4: not understood")) << line;
    }
}

TEST(RunReports, ReadsAFolder) {
    const NotedObjects folder;
    folder.write("b.run", kStart);
    folder.write("a.run", "a picture\n");
    folder.write("notes.txt", "not looked at\n");
    RunReports runs;
    runs.read(folder.path("").string());
    EXPECT_THAT(runs.problems(), ElementsAre(HasSubstr("a.run: not a report of run-time checks")));
    EXPECT_FALSE(runs.is_empty());
}

TEST(RunReports, SaysWhatCannotBeRead) {
    const NotedObjects folder;
    RunReports runs;
    runs.read(folder.path("gone").string());
    runs.read(folder.path("").string());
    EXPECT_THAT(runs.problems(),
                ElementsAre(HasSubstr("gone: No such file"), HasSubstr("no file *.run")));
    EXPECT_TRUE(runs.is_empty());
}

}  // namespace
}  // namespace mqinspect::thread_level::link
