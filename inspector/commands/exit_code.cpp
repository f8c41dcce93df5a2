#include "inspector/commands/exit_code.h"

#include <algorithm>

#include "inspector/commands/output.h"

namespace mqinspect::commands {

ExitCode exit_code_of(const model::JobSnapshot& snapshot, const analysis::Verdict& verdict) {
    if (analysis::is_alarm(verdict.kind)) return ExitCode::Findings;
    const bool any_missing = std::ranges::any_of(snapshot.ranks, [](const auto& rank) {
        return rank.state == model::RankState::Unreadable;
    });
    const bool unknown = verdict.kind == analysis::VerdictKind::Unknown;
    return unknown || any_missing ? ExitCode::Partial : ExitCode::NothingFound;
}

int settle(const Result<ExitCode>& result) {
    if (!result) complain(result.error());
    return static_cast<int>(result ? *result : ExitCode::CannotDo);
}

}  // namespace mqinspect::commands
