#include "tests/unit/analysis/local/summary.h"

#include "analysis/local/check_local.h"
#include "tests/support/execution_builder.h"

namespace mqinspect::analysis::test {

namespace {

std::string between(std::string_view statements) {
    return "*: MPI_Init() @f.c:1\n" + std::string{statements} + "\n*: MPI_Finalize() @f.c:99\n";
}

Findings findings_of(const model::Recording& recording, const CheckOptions& options) {
    Findings findings;
    check_local(recording, options, findings);
    return findings;
}

}  // namespace

std::string summary(const model::Execution& execution, const Finding& finding) {
    constexpr std::string_view severities[] = {"error", "warning", "note"};
    std::string text{severities[static_cast<std::size_t>(finding.severity)]};
    text += " " + std::string{name_of(finding.finding_class)};
    std::string separator = " ";
    for (const model::ProcessId process : finding.processes) {
        text += separator + std::to_string(process.value);
        separator = ",";
    }
    separator = ": ";
    for (const InvolvedCall& call : finding.calls) {
        const bool is_call = call.procedure.value >= 0;
        text += separator + (is_call ? execution.procedures[call.procedure.index()].name : "at") +
                " " + mqinspect::test::place_of(execution, call.stack);
        separator = ", ";
    }
    return finding.count > 1 ? text + " x" + std::to_string(finding.count) : text;
}

std::vector<std::string> check(int processes,
                               std::string_view statements,
                               const CheckOptions& options) {
    const auto recording = mqinspect::test::recording_of(processes, statements);
    std::vector<std::string> result;
    for (const Finding& finding : findings_of(*recording, options).findings)
        result.push_back(summary(recording->execution(), finding));
    return result;
}

std::vector<std::string> check_between(int processes,
                                       std::string_view statements,
                                       const CheckOptions& options) {
    return check(processes, between(statements), options);
}

std::vector<std::string> messages_between(int processes,
                                          std::string_view statements,
                                          const CheckOptions& options) {
    const auto recording = mqinspect::test::recording_of(processes, between(statements));
    std::vector<std::string> result;
    for (const Finding& finding : findings_of(*recording, options).findings)
        result.push_back(finding.message);
    return result;
}

}  // namespace mqinspect::analysis::test
