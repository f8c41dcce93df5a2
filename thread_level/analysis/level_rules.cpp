#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "thread_level/analysis/rules.h"
#include "thread_level/analysis/states.h"

namespace mqinspect::thread_level {
namespace {

RegionId team_around(const Evidence& evidence, FunctionId function, RegionId region) {
    const std::span<const Region> regions = evidence.program.regions(function);
    RegionId team = 0;
    for (; region != 0; region = regions[region].parent) {
        if (makes_team(regions[region])) team = region;
    }
    return team;
}

/// The construct whose missing barrier lets the two meet; kNone: it isn't that.
RegionId nowait_of(const Evidence& evidence, const Pair& pair) {
    const std::span<const Region> regions = evidence.program.regions(pair.function);
    const Group& first = evidence.verdicts.first_of(pair);
    const Group& second = evidence.verdicts.second_of(pair);
    const bool in_one = first.worksharing != kNone && first.worksharing == second.worksharing;
    if (in_one && &first != &second && regions[first.worksharing].kind == RegionKind::Sections)
        return kNone;  // sections of one construct
    for (const Group* group : {&first, &second}) {
        const RegionId region = group->worksharing;
        if (region == kNone || regions[region].barrier_at_end) continue;
        if (regions[region].kind == RegionKind::Single ||
            regions[region].kind == RegionKind::Sections)
            return region;
    }
    return kNone;
}

std::string why(const Evidence& evidence, const SiteVerdict& verdict) {
    const std::string call = quoted_call(evidence, verdict.site.function, verdict.site.step);
    if (verdict.cause != kNone) {
        const Pair& pair = evidence.verdicts.causes()[verdict.cause].pair;
        if (pair.first == pair.second) return "several threads may call " + call + " at a time";
        return call + " may run at the same time as another MPI call";
    }
    if (verdict.site.required == Level::Funneled)
        return call + " is called by the main thread of a team of threads";
    return call + " may be called by another thread than the main one";
}

void add_partner(const Evidence& evidence, const SiteVerdict& verdict, Diagnostic& diagnostic) {
    if (verdict.cause == kNone) return;
    const Cause& cause = evidence.verdicts.causes()[verdict.cause];
    const bool is_self = cause.pair.first == cause.pair.second;
    if (!is_self) {
        const Verdicts::Route partner =
            evidence.verdicts.route_to(cause.pair, !verdict.is_second, verdict.site.step);
        if (partner.step != kNone) {
            diagnostic.remarks.push_back(
                {.place = evidence.step(partner.function, partner.step).place,
                 .message = "at the same time as " +
                            quoted_call(evidence, partner.function, partner.step) + " here"});
            diagnostic.steps.emplace_back(partner.function, partner.step);
            add_calls(evidence, partner, true, diagnostic);
        }
    }
    if (cause.is_presumed_apart) diagnostic.message += ", unless what is called around it locks";
    if (cause.is_collective && cause.communicator == Sameness::Unknown)
        diagnostic.message += "; it is an error at every level if the communicators are equal";
    const RegionId nowait = nowait_of(evidence, cause.pair);
    const std::string level = name_of(verdict.site.required);
    if (nowait != kNone) {
        const Region& region = evidence.region(cause.pair.function, nowait);
        diagnostic.remarks.push_back(
            {.place = region.place,
             .message = "no thread waits at the end of this " + kind_of(region)});
        diagnostic.fix = "remove 'nowait' of this construct, or request " + level;
    } else if (is_self) {
        diagnostic.fix = "let one thread call it, or request " + level;
    } else {
        diagnostic.fix =
            "put a barrier or a critical section around the calls, or request " + level;
    }
}

/// Of the way to a call, what comes before a thread is started says nothing.
void begin_with_start(const Evidence& evidence, Verdicts::Route& route) {
    const auto starts = [&evidence](const std::pair<FunctionId, StepId>& call) {
        return evidence.step(call.first, call.second).kind == StepKind::StartThread;
    };
    const auto last = std::find_if(route.calls.rbegin(), route.calls.rend(), starts);
    const auto outside = std::find_if(last, route.calls.rend(), [&evidence](const auto& call) {
        return !is_inside_library(evidence, call.first);
    });
    if (outside != route.calls.rend())
        route.calls.erase(route.calls.begin(), std::prev(outside.base()));
}

/// The way on which the call meets the other one, if the call is not in a region itself.
bool add_way_of_meeting(const Evidence& evidence,
                        const SiteVerdict& verdict,
                        Diagnostic& diagnostic) {
    if (verdict.cause == kNone) return false;
    const Pair& pair = evidence.verdicts.causes()[verdict.cause].pair;
    Verdicts::Route route = evidence.verdicts.route_to_site(
        pair, verdict.is_second, verdict.site.function, verdict.site.step);
    if (route.calls.empty()) return false;
    begin_with_start(evidence, route);
    Diagnostic way;
    const RegionId scope = evidence.summaries.region_of(pair.function, pair.scope);
    if (!add_calls(evidence, route, false, way) && !add_region(evidence, pair.function, scope, way))
        return false;
    std::ranges::move(way.remarks, std::back_inserter(diagnostic.remarks));
    return true;
}

Diagnostic describe(const Evidence& evidence, const SiteVerdict& verdict) {
    const FunctionId function = verdict.site.function;
    Diagnostic diagnostic = at_call(evidence, Rule::ThreadLevel, function, verdict.site.step);
    const bool is_unsure = verdict.cause == kNone
                               ? verdict.is_unsure
                               : evidence.verdicts.causes()[verdict.cause].is_unsure;
    diagnostic.severity = is_unsure ? Severity::Note : Severity::Warning;
    diagnostic.required = verdict.site.required;
    const std::string level = name_of(verdict.site.required);
    diagnostic.message = why(evidence, verdict) + ": that needs " + level +
                         ", but the program requests " + name_of(*evidence.requested.level);
    diagnostic.fix = "request " + level;
    add_partner(evidence, verdict, diagnostic);
    const RegionId region = evidence.step(function, verdict.site.step).region;
    if (!add_region(evidence, function, region, diagnostic) &&
        !add_way_of_meeting(evidence, verdict, diagnostic) && verdict.state >= 0)
        add_chain(evidence, function, verdict.state, diagnostic);
    add_request(evidence, diagnostic);
    return diagnostic;
}

bool is_reported_elsewhere(const Evidence& evidence, const SiteVerdict& verdict) {
    const Use use =
        evidence.program.procedure(evidence.step(verdict.site.function, verdict.site.step).name)
            .use;
    if (use == Use::Init || use == Use::InitThread || use == Use::Finalize) return true;
    if (verdict.cause == kNone) return false;
    const Cause& cause = evidence.verdicts.causes()[verdict.cause];
    return cause.is_collective && cause.communicator == Sameness::Same;
}

/// As in the sources, whatever order the compiler has for functions; those first that are wrong by
/// themselves, without another call that they meet.
std::vector<const SiteVerdict*> by_place(const Evidence& evidence) {
    std::vector<const SiteVerdict*> sites;
    for (const SiteVerdict& verdict : evidence.verdicts.sites())
        sites.push_back(&verdict);
    const auto place = [&evidence](const SiteVerdict* verdict) {
        const Place& at = evidence.step(verdict->site.function, verdict->site.step).place;
        const bool is_by_itself =
            verdict->cause != kNone &&
            evidence.verdicts.meets_itself(evidence.verdicts.causes()[verdict->cause].pair);
        return std::tuple(!is_by_itself,
                          std::string_view(evidence.program.unit().strings[at.file]),
                          at.line,
                          at.column);
    };
    std::stable_sort(
        sites.begin(), sites.end(), [&place](const SiteVerdict* left, const SiteVerdict* right) {
            return place(left) < place(right);
        });
    return sites;
}

}  // namespace

void check_levels(const Evidence& evidence) {
    Clusters clusters(evidence.assessment);
    std::set<std::pair<FunctionId, StepId>> partners;  // of what is reported already
    for (const SiteVerdict* each : by_place(evidence)) {
        const SiteVerdict& verdict = *each;
        if (verdict.site.states == 0 || !evidence.is_required_above(verdict.site.required) ||
            is_reported_elsewhere(evidence, verdict))
            continue;
        const FunctionId function = verdict.site.function;
        if (verdict.cause != kNone && partners.count({function, verdict.site.step}) != 0) continue;
        const RegionId region = evidence.step(function, verdict.site.step).region;
        const std::vector<std::uint64_t> key = {
            function,
            team_around(evidence, function, region),
            static_cast<std::uint64_t>(verdict.site.required),
            verdict.cause != kNone && evidence.verdicts.causes()[verdict.cause].is_unsure ? 1U
                                                                                          : 0U};
        if (Diagnostic* known = clusters.find(key); known != nullptr) {
            extend(evidence, function, verdict.site.step, *known);
        } else {
            Diagnostic diagnostic = describe(evidence, verdict);
            partners.insert(diagnostic.steps.begin() + 1, diagnostic.steps.end());
            clusters.add(key, std::move(diagnostic));
        }
    }
}

}  // namespace mqinspect::thread_level
