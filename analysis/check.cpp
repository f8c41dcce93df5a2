#include "analysis/check.h"

#include "analysis/combine.h"
#include "analysis/local/check_local.h"
#include "analysis/replay/check_replay.h"

namespace mqinspect::analysis {

Findings check(const model::Recording& recording, const CheckOptions& options) {
    Findings findings;
    check_local(recording, options, findings);
    check_pairing_and_replay(recording, options, findings);
    attach_consequences(findings);
    merge_equal(findings);
    sort_by_severity(findings);
    return findings;
}

}  // namespace mqinspect::analysis
