#include "analysis/pairing/check_pairing.h"

#include "analysis/pairing/merged_calls.h"

namespace mqinspect::analysis {

PairingChecks::PairingChecks(const std::vector<CallKind>& kinds, InterprocessReport& report)
    : signatures_(report.execution()),
      report_(report),
      pairs_(signatures_, report),
      packed_(signatures_, report),
      waves_(signatures_, kinds, report) {}

void PairingChecks::finish(Findings& findings) {
    for (const model::RecordedProcess& process : report_.execution().processes) {
        if (matcher_->finalizing(process.id)) report_.mark_over(process.id);
        if (!process.incomplete) continue;
        findings.unchecked.push_back("A part of the record of " + report_.rank_text(process.id) +
                                     " is missing: messages to and from it, and collective "
                                     "operations with it, were not compared.");
    }
    matcher_->match_unresolved();
    matcher_->deliver_rest();
    pairs_.check_uncertain();
    pairs_.check_open(*matcher_);
    waves_.check_open(*matcher_);
}

void check_pairing(const model::Recording& recording,
                   const CheckOptions& options,
                   Findings& findings) {
    const model::Execution& execution = recording.execution();
    const std::vector<CallKind> kinds = classify_procedures(execution);
    Members members(execution);
    InterprocessReport report(execution, options, members, findings);
    PairingChecks checks(kinds, report);
    Matcher matcher(recording, kinds, members, &checks);
    checks.look_at(matcher);
    MergedCalls calls(recording);
    while (const model::RecordedCall* call = calls.next()) {
        if (checks.wants_calls()) checks.see(*call);
        matcher.feed(*call);
    }
    checks.finish(findings);
}

}  // namespace mqinspect::analysis
