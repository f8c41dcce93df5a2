#include "thread_level/link/filter.h"

#include <gtest/gtest.h>

#include "tests/support/child_process.h"
#include "tests/unit/thread_level_link/noted_objects.h"

#include "thread_level/link/json_report.h"

namespace mqinspect::thread_level::link {
namespace {

Report one_finding() {
    Finding finding;
    finding.rule = Rule::ConcurrentCollectives;
    finding.place = {.file = "src/solver.c", .line = 3, .column = 1};
    finding.function = "exchange";
    finding.calls = {"MPI_Bcast", "MPI_Reduce"};
    finding.call_places = {finding.place, finding.place};
    finding.fingerprint = "0123456789abcdef";
    Report report;
    report.findings = {finding};
    return report;
}

std::size_t left_with(const std::string& text) {
    Suppressions suppressions = parse_suppressions(text);
    EXPECT_EQ("", suppressions.error);
    SourceLines sources;
    Report report = one_finding();
    apply(report, {}, suppressions, {}, sources);
    EXPECT_EQ(1U, report.findings.size() + report.suppressed);
    return report.findings.size();
}

TEST(Suppressions, TakeOutWhatFitsInAllWords) {
    EXPECT_EQ(0U, left_with("reason=all of it"));
    EXPECT_EQ(0U, left_with("rule=mpi-concurrent-* reason=a"));
    EXPECT_EQ(0U, left_with("rule=-Wmpi-concurrent-collectives reason=a"));
    EXPECT_EQ(0U, left_with("# comment\n\n function=exch* callee=MPI_Reduce reason=a"));
    EXPECT_EQ(0U, left_with("path=src/*.c reason=a"));
    EXPECT_EQ(0U, left_with("path=solver.c reason=a\r\n"));
    EXPECT_EQ(1U, left_with("rule=mpi-finalize reason=a"));
    EXPECT_EQ(1U, left_with("function=exchange callee=MPI_Send reason=a"));
    EXPECT_EQ(1U, left_with("path=lib/*.c reason=a"));
    EXPECT_EQ(1U, left_with(""));
}

TEST(Suppressions, KeepTheReason) {
    EXPECT_EQ("guarded by use_lock, issue 12",
              parse_suppressions("reason=guarded by use_lock, issue 12").entries.at(0).reason);
}

TEST(Suppressions, MistakesAreNamedWithTheirLine) {
    EXPECT_EQ("line 2: a reason is missing", parse_suppressions("#\nrule=x").error);
    EXPECT_EQ("line 1: 'file' is none of rule, function, callee, path, reason",
              parse_suppressions("file=x reason=y").error);
    EXPECT_EQ("line 1: 'rule' is no KEY=VALUE", parse_suppressions("rule reason=y").error);
}

TEST(WarningOptions, SayWhatIsShownAndWhatIsAnError) {
    WarningOptions options;
    EXPECT_TRUE(options.add("no-mpi-finalize"));
    EXPECT_TRUE(options.add("error=mpi-thread-level"));
    EXPECT_FALSE(options.add("error=mpi-nonsense"));
    EXPECT_FALSE(options.add("all"));
    EXPECT_FALSE(options.is_enabled(Rule::Finalize));
    EXPECT_TRUE(options.is_error(Rule::ThreadLevel));
    EXPECT_FALSE(options.is_error(Rule::MessageOrder));

    EXPECT_TRUE(options.add("error"));
    EXPECT_TRUE(options.add("no-error=mpi-message-order"));
    EXPECT_TRUE(options.is_error(Rule::CollectiveOrder));
    EXPECT_FALSE(options.is_error(Rule::MessageOrder));
}

TEST(WarningOptions, PromoteWarningsAndDropRules) {
    SourceLines sources;
    Suppressions none;
    WarningOptions error;
    error.add("error");
    Report report = one_finding();
    apply(report, error, none, {}, sources);
    EXPECT_EQ(Severity::Error, report.findings.at(0).severity);
    EXPECT_TRUE(report.findings.at(0).is_promoted);

    WarningOptions off;
    off.add("no-mpi-concurrent-collectives");
    apply(report, off, none, {}, sources);
    EXPECT_TRUE(report.findings.empty());
    EXPECT_EQ(0U, report.suppressed);
}

TEST(Baseline, IsReadFromBothFormats) {
    for (const std::string& text : {print_json(one_finding()), print_sarif(one_finding(), "")}) {
        std::string error;
        const std::set<std::string> baseline = read_baseline(text, error);
        EXPECT_EQ("", error);
        SourceLines sources;
        Suppressions none;
        Report report = one_finding();
        apply(report, {}, none, baseline, sources);
        EXPECT_TRUE(report.findings.empty());
        EXPECT_EQ(1U, report.known);
    }
}

TEST(Baseline, OfSomethingElseIsAMistake) {
    for (const char* text : {"", "[]", "{\"a\": 1}", "{\"findings\": 3}", "nonsense"}) {
        std::string error;
        EXPECT_TRUE(read_baseline(text, error).empty());
        EXPECT_NE("", error) << text;
    }
    std::string error;
    EXPECT_TRUE(read_baseline("{\"runs\": [3, {\"results\": [4, {}]}]}", error).empty());
    EXPECT_TRUE(read_baseline("{\"findings\": [3, {\"fingerprint\": 4}]}", error).empty());
    EXPECT_EQ("", error);
}

TEST(SourceComments, TakeOutTheFindingOfTheirLineAndTheNext) {
    const NotedObjects folder;
    folder.write("a.c",
                 "f(); // mpi-thread-level: ignore, ordered by the caller\n"
                 "g();\n"
                 "h();\n");
    const std::string file = folder.path("a.c").string();
    SourceLines sources;

    EXPECT_TRUE(sources.is_ignored(file, 1));
    EXPECT_TRUE(sources.is_ignored(file, 2));
    EXPECT_FALSE(sources.is_ignored(file, 3));
    EXPECT_FALSE(sources.is_ignored(file, 0));
    EXPECT_FALSE(sources.is_ignored("nowhere.c", 1));
}

}  // namespace
}  // namespace mqinspect::thread_level::link
