#include "thread_level/analysis/wording.h"

#include <algorithm>

#include "thread_level/analysis/states.h"

namespace mqinspect::thread_level {

std::string quoted(const Evidence& evidence, StringId name) {
    return "'" + evidence.program.unit().strings[name] + "'";
}

std::string quoted_call(const Evidence& evidence, FunctionId function, StepId step) {
    return quoted(evidence, evidence.step(function, step).name);
}

std::string quoted_function(const Evidence& evidence, FunctionId function) {
    const Function& facts = evidence.program.unit().functions[function];
    return quoted(evidence, facts.name == 0 ? facts.symbol : facts.name);
}

std::string kind_of(const Region& region) {
    switch (region.kind) {
        case RegionKind::Parallel:
            return "'parallel' region";
        case RegionKind::Single:
            return "'single' construct";
        case RegionKind::Master:
            return "'master' construct";
        case RegionKind::Masked:
            return "'masked' construct";
        case RegionKind::Sections:
            return "'sections' construct";
        case RegionKind::Section:
            return "'section'";
        case RegionKind::Loop:
            return "worksharing loop";
        case RegionKind::Ordered:
            return "'ordered' region";
        case RegionKind::Critical:
            return "'critical' section";
        case RegionKind::Task:
            return "'task'";
        case RegionKind::Taskloop:
            return "'taskloop'";
        case RegionKind::Taskgroup:
            return "'taskgroup'";
        case RegionKind::Scope:
            return "'scope' construct";
        case RegionKind::Teams:
            return "'teams' region";
        case RegionKind::Guard:
            return "condition on the thread";
        case RegionKind::Function:
            break;
    }
    return "function";
}

Diagnostic at_call(const Evidence& evidence, Rule rule, FunctionId function, StepId step) {
    Diagnostic diagnostic;
    diagnostic.rule = rule;
    diagnostic.place = evidence.step(function, step).place;
    const Function& facts = evidence.program.unit().functions[function];
    diagnostic.function = facts.name == 0 ? facts.symbol : facts.name;
    diagnostic.steps.emplace_back(function, step);
    return diagnostic;
}

void add_request(const Evidence& evidence, Diagnostic& diagnostic) {
    const Request* by = evidence.requested.by;
    if (by == nullptr) return;
    diagnostic.remarks.push_back({.place = evidence.step(by->function, by->step).place,
                                  .message = quoted_call(evidence, by->function, by->step) +
                                             " requests " + name_of(*evidence.requested.level) +
                                             " here"});
}

void add_chain(const Evidence& evidence, Node node, int state, Diagnostic& diagnostic) {
    constexpr int most_calls = 8;
    for (int calls = 0; calls < most_calls; ++calls) {
        const Contexts::Witness& by = evidence.contexts.witness(node, state);
        if (by.from == kNone) return;
        if (by.step != kNone && evidence.program.is_function(by.from)) {
            const Step& call = evidence.step(by.from, by.step);
            const bool is_start = call.kind == StepKind::StartThread;
            const std::string called =
                evidence.program.is_function(node) ? quoted_function(evidence, node) : "it";
            diagnostic.remarks.push_back(
                {.place = call.place,
                 .message = is_start ? "a thread that runs " + called + " is started here"
                                     : called + " is called from " +
                                           quoted_function(evidence, by.from) + " here",
                 .is_on_way = true});
            if (is_start || add_region(evidence, by.from, call.region, diagnostic)) return;
        }
        node = by.from;
        state = by.state;
    }
}

bool add_region(const Evidence& evidence,
                FunctionId function,
                RegionId region,
                Diagnostic& diagnostic) {
    const std::span<const Region> regions = evidence.program.regions(function);
    for (; region != 0; region = regions[region].parent) {
        if (!makes_team(regions[region])) continue;
        diagnostic.remarks.push_back(
            {.place = regions[region].place,
             .message = "in the " + kind_of(regions[region]) + " that begins here",
             .is_on_way = true});
        return true;
    }
    return false;
}

void add_calls(const Evidence& evidence,
               const Verdicts::Route& route,
               bool is_partners,
               Diagnostic& diagnostic) {
    for (auto call = route.calls.rbegin(); call != route.calls.rend(); ++call) {
        diagnostic.remarks.push_back(
            {.place = evidence.step(call->first, call->second).place,
             .message = "reached by a call in " + quoted_function(evidence, call->first),
             .is_on_way = !is_partners});
    }
}

Diagnostic* Clusters::find(const std::vector<std::uint64_t>& key) {
    const auto found = known_.find(key);
    return found == known_.end() ? nullptr : &assessment_.diagnostics[found->second];
}

void Clusters::add(const std::vector<std::uint64_t>& key, Diagnostic diagnostic) {
    known_.emplace(key, assessment_.diagnostics.size());
    assessment_.diagnostics.push_back(std::move(diagnostic));
}

void Clusters::alias(const std::vector<std::uint64_t>& other,
                     const std::vector<std::uint64_t>& known) {
    known_.emplace(other, known_.at(known));
}

}  // namespace mqinspect::thread_level
