#include "inspector/session/sure_look.h"

#include <utility>

namespace mqinspect::session {

Findings look_until_sure(const Looks& looks, const Findings* last) {
    constexpr int max_looks = 3;
    const bool confirms = static_cast<bool>(looks.let_run);
    Findings findings;
    const model::JobSnapshot* before = nullptr;
    if (confirms && last != nullptr && analysis::is_alarm(last->verdict.kind)) {
        before = &last->snapshot;
    }
    double stopped_ms = 0;
    for (int look = 1; look <= max_looks; ++look) {
        if (before != nullptr) looks.let_run();
        model::JobSnapshot seen = looks.observe();
        stopped_ms += seen.stopped_ms;
        findings.verdict = before == nullptr ? analysis::analyze(seen)
                                             : analysis::analyze_confirmed(*before, seen);
        const bool compared = std::exchange(before, &findings.snapshot) != nullptr;
        findings.snapshot = std::move(seen);
        if (!confirms || !analysis::is_alarm(findings.verdict.kind)) break;
        if (compared && findings.verdict.kind != analysis::VerdictKind::Suspected) break;
    }
    findings.snapshot.stopped_ms = stopped_ms;
    return findings;
}

}  // namespace mqinspect::session
