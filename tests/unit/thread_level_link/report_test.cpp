#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/unit/thread_level_facts/unit_builder.h"
#include "tests/unit/thread_level_link/noted_objects.h"

#include "thread_level/link/json_report.h"
#include "thread_level/link/rules.h"
#include "thread_level/link/text_report.h"

namespace mqinspect::thread_level::link {
namespace {

Report report_of(const std::string& file) {
    Finding finding;
    finding.place = {.file = file, .line = 2, .column = 2};
    finding.function = "exchange";
    finding.calls = {"MPI_Bcast"};
    finding.call_places = {finding.place};
    finding.message = "'MPI_Bcast' needs MPI_THREAD_SERIALIZED";
    finding.explanations = {{{.file = file, .line = 1, .column = 1},
                             "in the 'parallel' region that begins here",
                             true}};
    finding.required = Level::Serialized;
    finding.fix = "request MPI_THREAD_SERIALIZED";
    finding.fingerprint = "0123456789abcdef";
    Report report;
    report.files = {"solver"};
    report.findings = {finding};
    report.required = Level::Serialized;
    report.requested = {Level::Funneled};
    report.sites = {3, 0, 1, 0};
    report.units = report.has_main = true;
    return report;
}

TEST(TextReport, LooksLikeGccs) {
    const NotedObjects folder;
    folder.write("a.c", "#pragma omp parallel\n\tMPI_Bcast(buffer);\n");
    const std::string file = folder.path("a.c").string();
    SourceLines sources;

    EXPECT_EQ(file + ": In function 'exchange':\n" + file +
                  ":2:2: warning: 'MPI_Bcast' needs MPI_THREAD_SERIALIZED "
                  "[-Wmpi-thread-level]\n"
                  "    2 |         MPI_Bcast(buffer);\n"
                  "      |         ^~~~~~~~~\n" +
                  file + ":2:2: note: request MPI_THREAD_SERIALIZED\n" + file +
                  ":1:1: note: in the 'parallel' region that begins here\n"
                  "    1 | #pragma omp parallel\n"
                  "      | ^\n",
              print_text(report_of(file), sources, false));
}

TEST(TextReport, ErrorsAreWarningsUntilTheUserWantsThemAsErrors) {
    SourceLines sources;
    Report report = report_of("gone.c");
    report.findings[0].severity = Severity::Error;
    EXPECT_NE(std::string::npos, print_text(report, sources, false).find("gone.c:2:2: warning: "));

    report.findings[0].is_promoted = true;
    EXPECT_NE(std::string::npos, print_text(report, sources, false).find("gone.c:2:2: error: "));
}

TEST(TextReport, DoesWithoutTheSource) {
    SourceLines sources;
    Report report = report_of("gone.c");
    report.findings[0].explanations.clear();
    report.findings[0].place.column = 0;
    report.findings[0].function.clear();
    report.findings[0].fix.clear();
    report.findings[0].is_promoted = true;
    report.findings[0].severity = Severity::Error;
    report.findings[0].evidence = Evidence::ConfirmedOverlapped;

    EXPECT_EQ(
        "gone.c:2: error: 'MPI_Bcast' needs MPI_THREAD_SERIALIZED [-Werror=mpi-thread-level]\n"
        "gone.c:2: note: confirmed by a run: the calls were under way at the same time\n",
        print_text(report, sources, false));
}

TEST(TextReport, ColorsAreGccs) {
    SourceLines sources;
    Report report = report_of("gone.c");
    report.findings[0].function.clear();

    const std::string text = print_text(report, sources, true);

    EXPECT_TRUE(
        text.starts_with("\33[01m\33[Kgone.c:2:2:\33[m\33[K \33[01;35m\33[Kwarning: "
                         "\33[m\33[K'MPI_Bcast' needs"))
        << text;
    EXPECT_NE(std::string::npos, text.find("[\33[01;35m\33[K-Wmpi-thread-level\33[m\33[K]"));
}

TEST(TextReport, TableSaysWhatIsNeededAndWhatIsNotKnown) {
    Report report = report_of("a.c");
    report.unknown_callees = {"solve()"};
    report.without_notes = {"mesh.o"};
    report.provided = Level::Multiple;

    EXPECT_EQ(
        "Program    solver\n"
        "Requested  MPI_THREAD_FUNNELED\n"
        "Provided   MPI_THREAD_MULTIPLE\n"
        "Required   MPI_THREAD_SERIALIZED\n"
        "Verdict    not compliant\n"
        "MPI calls by the level that each needs\n"
        "  MPI_THREAD_SINGLE          3\n"
        "  MPI_THREAD_FUNNELED        0\n"
        "  MPI_THREAD_SERIALIZED      1\n"
        "  MPI_THREAD_MULTIPLE        0\n"
        "Called, but not in any note\n"
        "  solve()\n"
        "Without notes\n"
        "  mesh.o\n",
        print_table(report));
}

TEST(TextReport, TableTellsOfThreadsThatCallNothing) {
    Report report;
    report.has_other_threads = true;

    EXPECT_NE(std::string::npos,
              print_table(report).find(
                  "Required   MPI_THREAD_SINGLE\n"
                  "           by the calls; MPI_THREAD_FUNNELED as there are other threads\n"));
    report.required = Level::Funneled;
    EXPECT_EQ(std::string::npos, print_table(report).find("other threads"));
}

TEST(TextReport, VerdictsClaimNoMoreThanIsKnown) {
    Report report;
    EXPECT_EQ("unknown: there are no notes", verdict_of(report));
    report.units = 1;
    EXPECT_EQ("unknown: no call of MPI_Init was found", verdict_of(report));
    report.has_unknown_request = true;
    EXPECT_EQ("unknown: the level that MPI_Init_thread is given is not a constant",
              verdict_of(report));
    report.requested = {Level::Funneled};
    EXPECT_EQ("compliant", verdict_of(report));
    report.without_notes = {"mesh.o"};
    EXPECT_EQ("compliant, as far as the notes tell", verdict_of(report));
    report.required = Level::Multiple;
    EXPECT_EQ("not compliant", verdict_of(report));
}

TEST(JsonReport, HoldsAllOfTheReport) {
    const auto json = nlohmann::json::parse(print_json(report_of("a.c")));

    EXPECT_EQ(1, json["version"]);
    EXPECT_EQ("not compliant", json["verdict"]);
    EXPECT_EQ("MPI_THREAD_FUNNELED", json["requested"][0]);
    EXPECT_TRUE(json["provided"].is_null());
    EXPECT_EQ(3, json["calls"]["MPI_THREAD_SINGLE"]);
    const auto& finding = json["findings"][0];
    EXPECT_EQ("mpi-thread-level", finding["rule"]);
    EXPECT_EQ(2, finding["line"]);
    EXPECT_EQ("MPI_Bcast", finding["calls"][0]["procedure"]);
    EXPECT_EQ("in the 'parallel' region that begins here", finding["explanations"][0]["message"]);
}

TEST(SarifReport, HasARuleWithHelpForEachKind) {
    const auto json = nlohmann::json::parse(print_sarif(Report{}, ""));

    EXPECT_EQ("2.1.0", json["version"]);
    const auto& rules = json["runs"][0]["tool"]["driver"]["rules"];
    ASSERT_EQ(std::size(kRules), rules.size());
    for (const auto& rule : rules)
        EXPECT_FALSE(rule["help"]["text"].get<std::string>().empty());
    EXPECT_EQ("mpi-strict-single", rules.back()["id"]);
}

TEST(SarifReport, ResultsNameThePlaceTheWayThereAndTheEvidence) {
    const auto json = nlohmann::json::parse(print_sarif(report_of("/src/a b.c"), "/src"));

    const auto& result = json["runs"][0]["results"][0];
    EXPECT_EQ("mpi-thread-level", result["ruleId"]);
    EXPECT_EQ(0, result["ruleIndex"]);
    EXPECT_EQ("warning", result["level"]);
    const auto& place = result["locations"][0]["physicalLocation"];
    EXPECT_EQ("a%20b.c", place["artifactLocation"]["uri"]);
    EXPECT_EQ("%SRCROOT%", place["artifactLocation"]["uriBaseId"]);
    EXPECT_EQ(2, place["region"]["startLine"]);
    EXPECT_EQ("in the 'parallel' region that begins here",
              result["relatedLocations"][0]["message"]["text"]);
    const auto& flow = result["codeFlows"][0]["threadFlows"][0]["locations"];
    EXPECT_EQ(2U, flow.size());
    EXPECT_EQ("essential", flow[1]["importance"]);
    EXPECT_EQ("0123456789abcdef", result["partialFingerprints"]["threadLevel/v1"]);
    EXPECT_EQ("static", result["properties"]["evidence"]);
}

TEST(SarifReport, ThePartnersWayIsNotTheCalls) {
    Report report = report_of("a.c");
    report.findings[0].explanations.push_back(
        {{.file = "a.c", .line = 9, .column = 1}, "'f' is called from 'main' here", false});

    const auto json = nlohmann::json::parse(print_sarif(report, ""));

    const auto& result = json["runs"][0]["results"][0];
    EXPECT_EQ(2U, result["relatedLocations"].size());
    EXPECT_EQ(2U, result["codeFlows"][0]["threadFlows"][0]["locations"].size());
}

TEST(Findings, FingerprintsStayWhenLinesMove) {
    const auto fingerprints = [](std::uint32_t shift) {
        UnitBuilder builder("dir/a.c");
        builder.function("main");
        Assessment assessment;
        for (std::uint32_t number = 0; number < 2; ++number) {
            const StepId id = builder.step(StepKind::Mpi, 0, "MPI_Send");
            builder.current().steps[id].place.line += shift;
            Diagnostic diagnostic;
            diagnostic.place = builder.current().steps[id].place;
            diagnostic.function = builder.current().name;
            diagnostic.steps = {{0, id}};
            assessment.diagnostics.push_back(diagnostic);
        }
        const Report report = make_report(builder.unit, assessment);
        return std::pair(report.findings[0].fingerprint, report.findings[1].fingerprint);
    };

    EXPECT_EQ(fingerprints(0), fingerprints(40));
    EXPECT_NE(fingerprints(0).first, fingerprints(0).second);
    EXPECT_EQ("9276cde00282c219", fingerprints(0).first);
}

TEST(Findings, FunctionsOfCppGetNamesForPeople) {
    UnitBuilder builder;
    builder.function("_ZN6Solver3runEi");
    builder.function("solve");
    builder.function("_Zbad");

    name_functions(builder.unit);

    EXPECT_EQ("Solver::run(int)", builder.unit.strings[builder.unit.functions[0].name]);
    EXPECT_EQ("solve", builder.unit.strings[builder.unit.functions[1].name]);
    EXPECT_EQ("_Zbad", builder.unit.strings[builder.unit.functions[2].name]);
}

}  // namespace
}  // namespace mqinspect::thread_level::link
