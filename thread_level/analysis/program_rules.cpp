#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "thread_level/analysis/rules.h"
#include "thread_level/analysis/states.h"

namespace mqinspect::thread_level {
namespace {

constexpr StateSet kByOne = set_of(State::OneThread) | set_of(State::MainThread);

/// Whether it is a thread that the program starts which makes the call.
bool explain(const Evidence& evidence, const SiteVerdict& verdict, Diagnostic& diagnostic) {
    const FunctionId function = verdict.site.function;
    const RegionId region = evidence.step(function, verdict.site.step).region;
    return !add_region(evidence, function, region, diagnostic) && verdict.state >= 0 &&
           add_chain(evidence, function, verdict.state, diagnostic);
}

void check_init(const Evidence& evidence, const SiteVerdict& verdict) {
    const auto states = static_cast<StateSet>(verdict.site.states & ~set_of(State::Serial));
    if (states == 0) return;
    Diagnostic diagnostic =
        at_call(evidence, Rule::InitInParallel, verdict.site.function, verdict.site.step);
    const bool by_several = (states & ~kByOne) != 0;
    diagnostic.severity = by_several ? Severity::Error : Severity::Warning;
    diagnostic.required = verdict.site.required;
    const std::string call = quoted_call(evidence, verdict.site.function, verdict.site.step);
    const bool is_by_thread = explain(evidence, verdict, diagnostic);
    diagnostic.message =
        by_several ? call + " may be called by several threads; a process has to call it once"
                   : call +
                         (is_by_thread ? " is called by a thread that the program starts"
                                       : " is called inside of a parallel region") +
                         "; the thread that calls it becomes MPI's main thread";
    diagnostic.fix = "call it before threads are made";
    evidence.assessment.diagnostics.push_back(std::move(diagnostic));
}

void check_finalize(const Evidence& evidence, const SiteVerdict& verdict) {
    const auto states = static_cast<StateSet>(verdict.site.states & ~kMainThread);
    if (states == 0) return;
    Diagnostic diagnostic =
        at_call(evidence, Rule::Finalize, verdict.site.function, verdict.site.step);
    const bool by_several = verdict.cause != kNone;
    diagnostic.severity = by_several ? Severity::Error : Severity::Warning;
    diagnostic.required = verdict.site.required;
    diagnostic.message =
        by_several
            ? "several threads may call 'MPI_Finalize'; a process has to call it once"
            : "'MPI_Finalize' may be called by another thread than the one that initialized MPI";
    const bool is_by_thread = explain(evidence, verdict, diagnostic);
    diagnostic.fix = is_by_thread ? "let the thread call it that initializes MPI"
                                  : "call it behind the parallel region";
    evidence.assessment.diagnostics.push_back(std::move(diagnostic));
}

/// Whether the program asks for the level later on, and compares that.
bool is_asked_later(const Evidence& evidence) {
    for (const SiteVerdict& verdict : evidence.verdicts.sites()) {
        const Step& step = evidence.step(verdict.site.function, verdict.site.step);
        if (step.mpi.tests_provided && verdict.site.states != 0 &&
            evidence.program.unit().strings[step.name] == "MPI_Query_thread")
            return true;
    }
    return false;
}

void check_untested(const Evidence& evidence, const Request& request) {
    const Step& step = evidence.step(request.function, request.step);
    if (evidence.program.procedure(step.name).use != Use::InitThread || step.mpi.tests_provided)
        return;
    const bool asks = std::any_of(request.levels.begin(), request.levels.end(), [](Level level) {
        return level > Level::Single;
    });
    if ((!asks && !request.levels.empty()) || is_asked_later(evidence)) return;
    Diagnostic diagnostic =
        at_call(evidence, Rule::ProvidedUntested, request.function, request.step);
    diagnostic.severity = Severity::Note;
    diagnostic.message =
        "the thread level that 'MPI_Init_thread' provides is never compared with the one that is "
        "requested";
    diagnostic.fix = "end the program if 'provided' is lower";
    evidence.assessment.diagnostics.push_back(std::move(diagnostic));
}

/// Where a process gets other threads, by a parallel region or its own.
struct OtherThreads {
    FunctionId function = 0;
    Place place;
    bool is_team = false;
};

/// Where each way there has looked, and found a level with other threads to be provided.
bool has_looked(const Evidence& evidence, FunctionId function, RegionId region) {
    const StateSet entered = evidence.contexts.entered(function);
    for (int state = 0; state < kAllStates; ++state) {
        if ((entered >> state & 1) == 0) continue;
        const bool is_serial = state == static_cast<int>(State::Serial);
        const Level assured = std::max(evidence.contexts.assured(function, state),
                                       evidence.contexts.assured_in(function, region, is_serial));
        if (assured == Level::Single) return false;
    }
    return true;
}

/// A parallel region that is executed.
std::optional<OtherThreads> first_team(const Evidence& evidence) {
    for (FunctionId function = 0; function < evidence.program.unit().functions.size(); ++function) {
        if (evidence.contexts.entered(function) == 0) continue;
        const std::span<const Region> regions = evidence.program.regions(function);
        for (RegionId id = 1; id < regions.size(); ++id) {
            if (makes_team(regions[id]) && evidence.contexts.states_in(function, id) != 0 &&
                !has_looked(evidence, function, id)) {
                return OtherThreads{
                    .function = function, .place = regions[id].place, .is_team = true};
            }
        }
    }
    return std::nullopt;
}

/// A thread is started that is executed, whatever it does.
std::optional<OtherThreads> first_start(const Evidence& evidence) {
    for (FunctionId function = 0; function < evidence.program.unit().functions.size(); ++function) {
        if (evidence.contexts.entered(function) == 0) continue;
        for (const Step& step : evidence.program.steps(function)) {
            if (step.kind == StepKind::StartThread && !has_looked(evidence, function, step.region))
                return OtherThreads{.function = function, .place = step.place};
        }
    }
    return std::nullopt;
}

std::optional<OtherThreads> first_other_threads(const Evidence& evidence) {
    const auto team = first_team(evidence);
    return team ? team : first_start(evidence);
}

bool leads_to_mpi(const Evidence& evidence, FunctionId function, StepId step) {
    for (const CallEdge& edge : evidence.program.calls_of(function, step)) {
        const std::vector<Summary>& scopes = evidence.summaries.scopes(edge.to);
        if (!scopes.empty() && !scopes.front().groups.empty()) return true;
    }
    return false;
}

/// The highest level that MPI is called under the condition of, there or on the way to there.
Level asked_level(const Evidence& evidence) {
    Level asked = Level::Single;
    for (FunctionId function = 0; function < evidence.program.unit().functions.size(); ++function) {
        const StateSet entered = evidence.contexts.entered(function);
        const std::span<const Step> steps = evidence.program.steps(function);
        for (StepId id = 0; id < steps.size() && entered != 0; ++id) {
            const bool is_mpi = steps[id].kind == StepKind::Mpi;
            if (!is_mpi && !leads_to_mpi(evidence, function, id)) continue;
            asked = std::max(asked, evidence.contexts.assured_in(function, steps[id].region, true));
            if (!is_mpi) continue;
            for (int state = 0; state < kAllStates; ++state) {
                if ((entered >> state & 1) != 0)
                    asked = std::max(asked, evidence.contexts.assured(function, state));
            }
        }
    }
    return asked;
}

/// What the standard wants at least: with MPI_THREAD_SINGLE there are no other threads, whoever
/// calls MPI.
Level least_level(const Evidence& evidence) {
    const Level teams = evidence.assessment.has_other_threads ? Level::Funneled : Level::Single;
    return std::max({evidence.assessment.required, teams, asked_level(evidence)});
}

/// Of a program that is all there.
void check_too_high(const Evidence& evidence, const Request& request) {
    const bool is_whole =
        evidence.settings.whole_program ||
        (evidence.contexts.has_main() && evidence.assessment.unknown_callees.empty());
    if (!is_whole || evidence.settings.requested.has_value()) return;
    // What comes of it where that is put right is not known.
    const auto& found = evidence.assessment.diagnostics;
    if (std::any_of(found.begin(), found.end(), [](const Diagnostic& each) {
            return each.rule == Rule::Finalize;
        }))
        return;
    // Where a lock is not taken, as its condition does not hold, more is.
    const std::vector<Pair>& turns = evidence.verdicts.turns();
    if (std::any_of(turns.begin(), turns.end(), [](const Pair& pair) {
            return pair.meeting == Meeting::InSomeTurn;
        }))
        return;
    const Level required = least_level(evidence);
    for (const Level level : request.levels) {
        if (level <= required || request.is_choice) continue;
        Diagnostic diagnostic =
            at_call(evidence, Rule::LevelTooHigh, request.function, request.step);
        diagnostic.severity = Severity::Note;
        diagnostic.required = required;
        diagnostic.message = std::string(name_of(level)) + " is requested, but " +
                             name_of(required) + " is enough for the calls that are seen";
        evidence.assessment.diagnostics.push_back(std::move(diagnostic));
    }
}

/// Strictly, no other thread may be there at all under MPI_THREAD_SINGLE; once a program.
void check_strict_single(const Evidence& evidence) {
    if (evidence.requested.level != Level::Single) return;
    const auto threads = first_other_threads(evidence);
    if (!threads) return;
    Diagnostic diagnostic;
    diagnostic.rule = Rule::StrictSingle;
    diagnostic.severity = evidence.settings.strict_single ? Severity::Warning : Severity::Note;
    diagnostic.place = threads->place;
    diagnostic.function = evidence.program.unit().functions[threads->function].name;
    diagnostic.required = Level::Funneled;
    diagnostic.message =
        std::string(threads->is_team ? "a parallel region" : "a thread is started") +
        " in a process that requests MPI_THREAD_SINGLE, which means that it has "
        "no other threads";
    diagnostic.fix = "request MPI_THREAD_FUNNELED";
    add_request(evidence, diagnostic);
    evidence.assessment.diagnostics.push_back(std::move(diagnostic));
}

}  // namespace

void check_program(const Evidence& evidence) {
    for (const SiteVerdict& verdict : evidence.verdicts.sites()) {
        const Step& step = evidence.step(verdict.site.function, verdict.site.step);
        const Use use = evidence.program.procedure(step.name).use;
        if (use == Use::Init || use == Use::InitThread) check_init(evidence, verdict);
        if (use == Use::Finalize) check_finalize(evidence, verdict);
    }
    evidence.assessment.has_other_threads = first_other_threads(evidence).has_value();
    for (const Request& request : evidence.requests) {
        check_untested(evidence, request);
        check_too_high(evidence, request);
    }
    check_strict_single(evidence);
}

}  // namespace mqinspect::thread_level
