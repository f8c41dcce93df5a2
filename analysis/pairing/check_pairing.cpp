#include "analysis/pairing/check_pairing.h"

#include "analysis/datatypes/signature.h"
#include "analysis/pairing/matcher.h"
#include "analysis/pairing/merged_calls.h"
#include "analysis/pairing/pair_checks.h"
#include "analysis/pairing/report.h"
#include "analysis/pairing/wave_checks.h"

namespace mqinspect::analysis {

namespace {

class Checks : public MatchVisitor {
public:
    Checks(const model::Recording& recording,
           const std::vector<CallKind>& kinds,
           const TypeSignatures& signatures,
           InterprocessReport& report)
        : matcher(recording, kinds, report.members(), this),
          pairs(signatures, report),
          waves(signatures, kinds, report) {}

    void on_pair(const Operation& send, const Operation& receive) override {
        pairs.check(send, receive, matcher);
    }
    void on_wave(const Wave& wave) override { waves.check(wave, matcher.wave_members(wave)); }

    Matcher matcher;
    PairChecks pairs;
    WaveChecks waves;
};

}  // namespace

void check_pairing(const model::Recording& recording,
                   const CheckOptions& options,
                   Findings& findings) {
    const model::Execution& execution = recording.execution();
    const std::vector<CallKind> kinds = classify_procedures(execution);
    const TypeSignatures signatures(execution);
    Members members(execution);
    InterprocessReport report(execution, options, members, findings);
    Checks checks(recording, kinds, signatures, report);

    MergedCalls calls(recording);
    while (const model::RecordedCall* call = calls.next())
        checks.matcher.feed(*call);
    for (const model::RecordedProcess& process : execution.processes) {
        if (checks.matcher.finalizing(process.id)) report.mark_over(process.id);
        if (!process.incomplete) continue;
        findings.unchecked.push_back("A part of the record of " + report.rank_text(process.id) +
                                     " is missing: messages to and from it, and collective "
                                     "operations with it, were not compared.");
    }
    checks.matcher.match_unresolved();
    checks.matcher.deliver_rest();
    checks.pairs.check_open(checks.matcher);
    checks.waves.check_open(checks.matcher);
}

}  // namespace mqinspect::analysis
