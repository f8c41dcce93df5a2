#include "analysis/local/conflict_report.h"

#include <string>
#include <string_view>

namespace mqinspect::analysis {

namespace {

using Doing = TargetAccess::Doing;

std::string name_of(const model::Execution& execution, const TargetAccess& access) {
    switch (access.doing) {
        case Doing::Call:
        case Doing::Attachment:
            return execution.procedures[access.site.procedure.index()].name;
        case Doing::Load:
            return "a load";
        case Doing::Store:
        case Doing::StoredBefore:
            return "a store";
    }
    return "";
}

std::string bytes_of(const TargetAccess& access) {
    return std::to_string(access.memory.hull.low) + " to " +
           std::to_string(access.memory.hull.high - 1);
}

/// `first` is an operation.
std::string attachment_text(const model::Execution& execution,
                            const TargetAccess& first,
                            const TargetAccess& second) {
    const std::string name = name_of(execution, second);
    return name_of(execution, first) + " of process " + rank_number(execution, first.origin) +
           " accesses memory of process " + rank_number(execution, second.origin) + " that " +
           (name == "MPI_Win_detach" ? name + " may take away before it is complete"
                                     : name + " may not have added yet") +
           ": nothing orders them.";
}

}  // namespace

Involved involved(const TargetAccess& access) {
    std::string_view part;
    if (access.doing == Doing::Load) part = "loads from it";
    if (access.doing == Doing::Store) part = "stores to it";
    if (access.doing == Doing::StoredBefore) part = "behind the store";
    return {access.site, part, access.doing != Doing::StoredBefore, access.origin};
}

void report_conflict(const model::Execution& execution,
                     const TargetAccess& made,
                     const TargetAccess& other,
                     model::ProcessId target,
                     Reporter& reporter) {
    // A call comes before what is none; of two calls that of the higher rank, whichever was read
    // first.
    const bool turned =
        made.doing != Doing::Call || (other.doing == Doing::Call && made.origin < other.origin);
    const TargetAccess& first = turned ? other : made;
    const TargetAccess& second = turned ? made : other;
    Finding* const finding = reporter.report(FindingClass::RmaConflict,
                                             Severity::Error,
                                             first.origin,
                                             {involved(first), involved(second)});
    if (finding == nullptr) return;
    if (second.doing == Doing::Attachment) {
        finding->message = attachment_text(execution, first, second);
        return;
    }
    const std::string one = name_of(execution, first);
    const std::string two = name_of(execution, second);
    const bool operators = first.effect == TargetAccess::Effect::Accumulate &&
                           second.effect == TargetAccess::Effect::Accumulate;
    finding->message =
        (first.origin == second.origin
             ? "Two operations of process " + rank_number(execution, first.origin) + ", " + one +
                   " and " + two + ","
             : one + " of process " + rank_number(execution, first.origin) + " and " + two +
                   " of process " + rank_number(execution, second.origin)) +
        " access the same memory of process " + rank_number(execution, target) +
        (first.window >= 0
             ? ", by two windows that have it in common"
             : " (bytes " + bytes_of(first) + " and " + bytes_of(second) + " of its window)") +
        ", and nothing orders them" +
        (operators ? "; they accumulate with different operators or datatypes." : ".");
}

}  // namespace mqinspect::analysis
