/// Messages and collective operations between processes: what has no partner, and what does
/// not fit its partner. Classes II.1 to II.12, and DifferentCollectives.
#pragma once

#include "analysis/datatypes/signature.h"
#include "analysis/findings.h"
#include "analysis/pairing/matcher.h"
#include "analysis/pairing/packed_messages.h"
#include "analysis/pairing/pair_checks.h"
#include "analysis/pairing/report.h"
#include "analysis/pairing/wave_checks.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// Compares what a matcher has matched, whoever feeds that.
class PairingChecks : public MatchVisitor {
public:
    /// Keeps references.
    PairingChecks(const std::vector<CallKind>& kinds, InterprocessReport& report);

    /// Precondition of all that follows: called once, with the matcher whose visitor this is.
    void look_at(Matcher& matcher) { matcher_ = &matcher; }
    /// Whether see() is to be called.
    bool wants_calls() const { return packed_.wanted(); }
    /// The next call of its process, before the matcher learns of it.
    void see(const model::RecordedCall& call) { packed_.see(call); }
    void on_pair(const Operation& send, const Operation& receive) override {
        pairs_.check(send, receive, *matcher_);
        packed_.check(send, receive, *matcher_);
    }
    void on_wave(const Wave& wave) override {
        waves_.check(wave, matcher_->wave_members(wave));
        packed_.check(wave);
    }
    /// After the last call: what is left over.
    void finish(Findings& findings);

private:
    TypeSignatures signatures_;
    InterprocessReport& report_;
    PairChecks pairs_;
    PackedMessages packed_;
    WaveChecks waves_;
    Matcher* matcher_ = nullptr;
};

/// Reads the run once, in the order of time and in memory that grows with what is open in it.
void check_pairing(const model::Recording& recording,
                   const CheckOptions& options,
                   Findings& findings);

}  // namespace mqinspect::analysis
