#include "inspector/conformance/report.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace mqinspect::conformance {
namespace {

Outcome outcome_of(std::size_t scenario) {
    Outcome outcome;
    outcome.scenario = &scenarios()[scenario];
    outcome.findings.done = true;
    outcome.findings.figures[Figure::Communicators] = 3;
    outcome.findings.figures[Figure::Operations] = 4;
    outcome.findings.figures[Figure::Reads] = 10;
    outcome.findings.figures[Figure::PeakBytes] = 2048;
    return outcome;
}

TEST(Report, HasOneLineForEachViolation) {
    std::vector<Outcome> outcomes{outcome_of(0), outcome_of(1), outcome_of(2)};
    outcomes[0].findings.violations = {{Rule::NullAddress, "mqs_next_operation", "reads", 5}};
    outcomes[1].findings.violations = {{Rule::NullAddress, "mqs_next_operation", "reads", 1},
                                       {Rule::Crash, "dlopen", "crashed with SIGABRT", 1}};
    outcomes[2].findings.not_applicable = "no list";

    EXPECT_EQ(
        "documented: mqs_next_operation reads (5 times) (also in 1 other scenario) [padb: nothing "
        "lies at address 0]\n"
        "as-padb: dlopen crashed with SIGABRT [MQD 1.0: the DLL runs inside the debugger]\n"
        "not run: no-optional-callbacks: no list\n"
        "3 communicators and 4 operations shown with 10 target reads, 2.5 per operation, 2.0 KiB "
        "of memory\n"
        "2 violations in 3 scenarios\n",
        print_report(outcomes));
    EXPECT_EQ(ExitCode::Violations, exit_code_of(outcomes));
}

TEST(Report, SaysWhenTooLittleWasSeen) {
    std::vector<Outcome> outcomes{outcome_of(0)};
    EXPECT_EQ(ExitCode::Conformant, exit_code_of(outcomes));

    outcomes[0].findings.figures[Figure::Communicators] = 0;
    EXPECT_EQ(ExitCode::Partial, exit_code_of(outcomes));
}

TEST(Report, AViolationThatALackMayHaveCausedIsNone) {
    std::vector<Outcome> outcomes{outcome_of(0)};
    outcomes[0].findings.unrecorded = {"the symbol x"};
    outcomes[0].findings.violations = {{Rule::Group, "mqs_get_comm_group", "x", 1}};
    EXPECT_EQ(ExitCode::Partial, exit_code_of(outcomes));

    outcomes[0].findings.violations = {{Rule::Crash, "mqs_get_comm_group", "x", 1}};
    EXPECT_EQ(ExitCode::Violations, exit_code_of(outcomes));
}

}  // namespace
}  // namespace mqinspect::conformance
