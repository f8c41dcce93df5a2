#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <tuple>

#include "thread_level/analysis/assessment.h"
#include "thread_level/analysis/handed_functions.h"
#include "thread_level/analysis/initialized_flags.h"
#include "thread_level/analysis/region_flags.h"
#include "thread_level/analysis/rules.h"
#include "thread_level/analysis/thread_flags.h"
#include "thread_level/analysis/unwinding.h"

namespace mqinspect::thread_level {
namespace {

void list_sites(const Evidence& evidence) {
    Assessment& assessment = evidence.assessment;
    for (const SiteVerdict& verdict : evidence.verdicts.sites()) {
        assessment.sites.push_back(verdict.site);
        if (verdict.site.states == 0) continue;
        assessment.required = std::max(assessment.required, verdict.site.required);
        const Checks::Point point{.function = verdict.site.function, .step = verdict.site.step};
        const Level allowed = evidence.requested.level.value_or(Level::Single);
        if (verdict.site.required > allowed) assessment.checks.words.push_back(point);
        if (verdict.cause != kNone) assessment.checks.concurrent.push_back(point);
    }
    for (const Request& request : evidence.requests) {
        for (const Level level : request.levels)
            assessment.requested.push_back(level);
        if (request.levels.empty()) assessment.has_unknown_request = true;
    }
}

/// By file, line, rule.
void sort_diagnostics(const Strings& strings, std::vector<Diagnostic>& diagnostics) {
    const auto key = [](const Diagnostic& each) {
        return std::tuple(each.place.line, each.rule, each.place.column);
    };
    std::stable_sort(
        diagnostics.begin(), diagnostics.end(), [&](const Diagnostic& a, const Diagnostic& b) {
            if (a.place.file != b.place.file) return strings[a.place.file] < strings[b.place.file];
            return key(a) < key(b);
        });
}

Assessment assess(const Program& program, const Settings& settings) {
    Assessment assessment;
    const Contexts contexts(program, settings);
    Summaries summaries(program, contexts);
    const Verdicts verdicts(program, contexts, summaries);
    const std::vector<Request> requests = requests_of(program, contexts);
    const Requested requested = requested_level(program, requests, verdicts.sites(), settings);
    const Handles handles(program, contexts, summaries.outer_locks());
    const Evidence evidence{.program = program,
                            .contexts = contexts,
                            .summaries = summaries,
                            .verdicts = verdicts,
                            .requests = requests,
                            .requested = requested,
                            .handles = handles,
                            .settings = settings,
                            .assessment = assessment};
    assessment.unknown_callees = program.unknown_callees();
    list_sites(evidence);
    check_levels(evidence);
    check_meetings(evidence);
    check_turns(evidence);
    check_program(evidence);
    check_nesting(evidence);
    sort_diagnostics(program.unit().strings, assessment.diagnostics);
    return assessment;
}

/// What is added to a unit by what its variables say.
using Addition = std::optional<Unit> (*)(const Program&);

Assessment assess_with(const Program& program,
                       std::span<const Addition> additions,
                       const Settings& settings) {
    if (additions.empty()) return assess(program, settings);
    const std::optional<Unit> more = additions.front()(program);
    return more
               ? assess_with(Program(*more, settings.whole_program), additions.subspan(1), settings)
               : assess_with(program, additions.subspan(1), settings);
}

}  // namespace

Assessment assess(const Unit& unit, const Settings& settings) {
    const std::optional<Unit> executed = without_unwinding(unit);
    const Unit& given = executed ? *executed : unit;
    const std::optional<HandedFunctions> handed = with_handed_functions(given);
    const Program program(handed ? handed->unit : given, settings.whole_program);
    constexpr std::array<Addition, 3> additions = {
        with_region_flags, with_initialized_flags, with_thread_flags};
    Assessment assessment = assess_with(program, additions, settings);
    if (handed) fold_copies(*handed, assessment);
    return assessment;
}

}  // namespace mqinspect::thread_level
