/// What is wrong with messages: sizes, datatypes, contents, partners that never came.
#pragma once

#include <span>

#include "analysis/datatypes/signature.h"
#include "analysis/pairing/matcher.h"
#include "analysis/pairing/report.h"

namespace mqinspect::analysis {

class PairChecks {
public:
    /// Keeps references.
    PairChecks(const TypeSignatures& signatures, InterprocessReport& report)
        : signatures_(signatures), report_(report) {}

    void check(const Operation& send, const Operation& receive, const Matcher& matcher);
    /// What has met nothing at the end of the run. An operation whose peer might still have
    /// come, had it not crashed or stood in a deadlock, is no finding of its own.
    void check_open(Matcher& matcher);

private:
    Fit fit(const Operation& send, const Operation& receive) const;
    void report(FindingClass finding_class,
                const Operation& send,
                const Operation& receive,
                const Matcher& matcher);
    /// A message that a matched probe has taken and that no receive has followed.
    void report_unclaimed(const Operation& send, const Operation& probe);
    bool will_never_be_met(const Operation& operation) const;
    void report_open(const Operation& operation,
                     std::span<const Operation* const> open,
                     const Matcher& matcher);

    const TypeSignatures& signatures_;
    InterprocessReport& report_;
};

}  // namespace mqinspect::analysis
