#include "analysis/local/target_accesses.h"

namespace mqinspect::analysis {

Severity TargetAccesses::conflict(const TargetAccess& left, const TargetAccess& right) {
    using enum TargetAccess::Effect;
    const auto reads = [](const TargetAccess& one) {
        return one.effect == Read ||
               (one.effect == Accumulate && one.op == TargetAccess::kNoOperation);
    };
    if (reads(left) && reads(right)) return Severity::Note;
    if (left.effect == Accumulate && right.effect == Accumulate) {
        const bool together = left.op == right.op || left.op < 0 || right.op < 0;
        return together ? Severity::Note : Severity::Warning;
    }
    return Severity::Error;
}

bool TargetAccesses::concurrent(const TargetAccess& left, const TargetAccess& right, bool passive) {
    if (left.origin != right.origin)
        return !passive || (!left.exclusive && !right.exclusive && !left.ordered && !right.ordered);
    // A fetch whose request was waited for is over.
    if (right.completions >= 0 && right.completions != left.completions) return false;
    return !passive || left.flushes == right.flushes;
}

bool TargetAccesses::share_bytes(const Access& left, const Access& right, Footprints& footprints) {
    return overlap(footprints.of(left.address, left.count, left.type),
                   footprints.of(right.address, right.count, right.type)) == Overlap::Some;
}

}  // namespace mqinspect::analysis
