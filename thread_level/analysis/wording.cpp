#include "thread_level/analysis/wording.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <optional>

#include "thread_level/analysis/states.h"
#include "thread_level/facts/join.h"
#include "thread_level/facts/library_functions.h"
#include "thread_level/facts/values.h"

namespace mqinspect::thread_level {

std::string quoted(const Evidence& evidence, StringId name) {
    return "'" + evidence.program.unit().strings[name] + "'";
}

std::string readable_variable(std::string_view name) {
    constexpr std::size_t longest = 2048;  // the demangler recurses
    const std::size_t start = name.find("_Z");
    if (start == std::string_view::npos || name.size() > longest)
        return std::string(name.substr(0, name.find('@')));
    const std::size_t end = std::min(name.find_first_of(".(@", start), name.size());
    const std::string symbol(name.substr(start, end - start));
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
    if (text == nullptr) return std::string(name);
    std::string readable = text.get();
    std::string_view rest = name.substr(end);
    if (rest.starts_with(kResult) && readable.ends_with(')')) rest.remove_prefix(kResult.size());
    return readable += rest;
}

std::string quoted_variable(const Evidence& evidence, StringId name) {
    std::string_view variable = evidence.program.unit().strings[name];
    const std::size_t end = variable.rfind(kOfFunction);
    const bool is_of_function = end != std::string_view::npos &&
                                variable.find(':', end) == std::string_view::npos &&
                                variable.find('@', end) != std::string_view::npos;
    if (is_of_function) variable.remove_prefix(end + 1);
    return "'" + readable_variable(variable) + "'";
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

/// C++ has several symbols for one constructor or destructor, of which one only calls another.
bool is_other_symbol(std::string_view a, std::string_view b) {
    if (a.size() != b.size() || a == b) return false;
    const auto at = std::mismatch(a.begin(), a.end(), b.begin());
    const auto index = static_cast<std::size_t>(at.first - a.begin());
    if (index == 0 || a.substr(index + 1) != b.substr(index + 1)) return false;
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    return (a[index - 1] == 'C' || a[index - 1] == 'D') && is_digit(a[index]) && is_digit(b[index]);
}

bool is_alias(const Evidence& evidence, FunctionId caller, StepId step) {
    const Unit& unit = evidence.program.unit();
    const Step& call = evidence.step(caller, step);
    return call.kind == StepKind::Call &&
           is_other_symbol(unit.strings[unit.functions[caller].symbol], unit.strings[call.name]);
}

bool is_inside_library(const Evidence& evidence, FunctionId function) {
    const Unit& unit = evidence.program.unit();
    return is_of_standard_library(without_source(unit.strings[unit.functions[function].symbol]));
}

/// Of what the library starts: a call of the program's own functions that leads to `node`, as far
/// as the unit tells; else nothing.
std::optional<Place> call_of_library(const Evidence& evidence, Node node) {
    constexpr std::size_t most_functions = 64;
    std::vector<Node> open{node};
    for (std::size_t at = 0; at < open.size() && at < most_functions; ++at) {
        for (const CallerEdge& caller : evidence.program.callers(open[at])) {
            const bool is_function = evidence.program.is_function(caller.from);
            if (is_function && !is_inside_library(evidence, caller.from))
                return evidence.step(caller.from, caller.step).place;
            if (std::ranges::find(open, caller.from) == open.end()) open.push_back(caller.from);
        }
    }
    return std::nullopt;
}

Remark way_by(const Evidence& evidence,
              FunctionId called,
              FunctionId caller,
              StepId step,
              bool starts_thread) {
    const std::string name = called == kNone ? "it" : quoted_function(evidence, called);
    return {.place = evidence.step(caller, step).place,
            .message = starts_thread ? "a thread that runs " + name + " is started here"
                                     : name + " is called from " +
                                           quoted_function(evidence, caller) + " here",
            .is_on_way = true};
}

/// Of a long way the first calls, the last one, and how many are between.
static void shorten(std::vector<Remark>& calls) {
    constexpr std::size_t most_told = 8;
    if (calls.size() <= most_told + 1) return;
    Remark& more = calls[most_told - 1];
    more.message = "and " + std::to_string(calls.size() - most_told) + " more callers";
    calls.erase(calls.begin() + most_told, calls.end() - 1);
}

bool add_chain(const Evidence& evidence, Node node, int state, Diagnostic& diagnostic) {
    constexpr std::size_t most_calls = 1000;
    std::vector<Remark> calls;
    Diagnostic region;
    bool starts = false;
    FunctionId called = kNone;
    for (std::size_t followed = 0; followed < most_calls && !starts; ++followed) {
        const Contexts::Witness& by = evidence.contexts.witness(node, state);
        if (by.from == kNone) break;
        if (evidence.program.is_function(node) && !is_inside_library(evidence, node)) called = node;
        if (by.step != kNone && evidence.program.is_function(by.from) &&
            !is_alias(evidence, by.from, by.step)) {
            const Step& call = evidence.step(by.from, by.step);
            starts = call.kind == StepKind::StartThread;
            const bool is_inside = is_inside_library(evidence, by.from);
            Remark remark = way_by(evidence, called, by.from, by.step, starts);
            if (starts && is_inside)
                remark.place = call_of_library(evidence, by.from).value_or(remark.place);
            if (starts || !is_inside) calls.push_back(std::move(remark));
            if (!starts && add_region(evidence, by.from, call.region, region)) break;
        }
        node = by.from;
        state = by.state;
    }
    shorten(calls);
    std::move(calls.begin(), calls.end(), std::back_inserter(diagnostic.remarks));
    std::move(region.remarks.begin(), region.remarks.end(), std::back_inserter(diagnostic.remarks));
    return starts;
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

bool add_calls(const Evidence& evidence,
               const Verdicts::Route& route,
               bool is_partners,
               Diagnostic& diagnostic) {
    std::vector<Remark> calls;
    bool has_start = false;
    bool starts = false;  // in the library, which the next call leads to
    FunctionId called = route.function;
    for (auto call = route.calls.rbegin(); call != route.calls.rend(); ++call) {
        const auto& [caller, step] = *call;
        starts = starts || evidence.step(caller, step).kind == StepKind::StartThread;
        has_start = has_start || starts;
        if (is_alias(evidence, caller, step) || is_inside_library(evidence, caller)) continue;
        Remark remark = way_by(evidence, called, caller, step, starts);
        remark.is_on_way = !is_partners;
        calls.push_back(std::move(remark));
        called = caller;
        starts = false;
    }
    shorten(calls);
    std::move(calls.begin(), calls.end(), std::back_inserter(diagnostic.remarks));
    return has_start;
}

void extend(const Evidence& evidence, FunctionId function, StepId step, Diagnostic& diagnostic) {
    constexpr std::size_t most_places = 8;
    const std::pair<FunctionId, StepId> call{function, step};
    if (std::ranges::find(diagnostic.steps, call) != diagnostic.steps.end()) return;
    diagnostic.steps.push_back(call);
    if (diagnostic.steps.size() > most_places) return;
    diagnostic.remarks.push_back(
        {.place = evidence.step(function, step).place,
         .message = "the same holds for " + quoted_call(evidence, function, step)});
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
