#include "analysis/check.h"

#include <algorithm>
#include <vector>

#include "analysis/combine.h"
#include "analysis/local/check_local.h"
#include "analysis/merge_findings.h"
#include "analysis/replay/check_replay.h"

namespace mqinspect::analysis {

Findings check(const model::Recording& recording, const CheckOptions& options) {
    const auto begin = [&](const char* stage) {
        if (options.begin_stage) options.begin_stage(stage);
    };
    Findings findings;
    begin("Error detection");
    check_local(recording, options, findings);
    // Events are matched and played in one pass over the logs.
    begin("Event reference creation and deadlock detection");
    check_pairing_and_replay(recording, options, findings);
    std::erase_if(findings.findings, [&](const Finding& finding) {
        return std::ranges::find(options.without, finding.finding_class) != options.without.end();
    });
    attach_consequences(findings);
    merge_equal(findings);
    sort_by_severity(findings);
    return findings;
}

}  // namespace mqinspect::analysis
