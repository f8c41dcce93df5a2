#include "thread_level/link/finding.h"

#include <cxxabi.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "thread_level/facts/join.h"
#include "thread_level/facts/library_functions.h"

namespace mqinspect::thread_level::link {
namespace {

std::string demangled(const std::string& symbol) {
    constexpr std::size_t longest = 2048;  // the demangler recurses
    if (!symbol.starts_with("_Z") || symbol.size() > longest) return symbol;
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
    return status == 0 && name != nullptr ? name.get() : symbol;
}

SourcePlace place_of(const Unit& program, const Place& place) {
    return {.file = program.strings[place.file], .line = place.line, .column = place.column};
}

Finding finding_of(const Unit& program, const Diagnostic& diagnostic) {
    Finding finding;
    finding.rule = diagnostic.rule;
    finding.severity = diagnostic.severity;
    finding.place = place_of(program, diagnostic.place);
    finding.function = program.strings[diagnostic.function];
    finding.message = diagnostic.message;
    finding.required = diagnostic.required;
    finding.fix = diagnostic.fix;
    for (const Remark& remark : diagnostic.remarks) {
        finding.explanations.push_back(
            {place_of(program, remark.place), remark.message, remark.is_on_way});
    }
    finding.is_checked = !diagnostic.steps.empty();
    for (const auto& [function, id] : diagnostic.steps) {
        const Step& step = program.functions[function].steps[id];
        finding.calls.push_back(program.strings[step.name]);
        finding.call_places.push_back(place_of(program, step.place));
        finding.is_checked = finding.is_checked && step.is_checked;
    }
    return finding;
}

/// What stays when lines move; a number tells those apart that are alike.
void add_fingerprints(std::vector<Finding>& findings) {
    std::map<std::string, int> seen;
    for (Finding& finding : findings) {
        std::string key = option_of(finding.rule);
        key += '\n' + finding.place.file.substr(finding.place.file.rfind('/') + 1);
        key += '\n' + finding.function;
        for (const std::string& call : finding.calls)
            key += '\n' + call;
        key += fmt::format("\n{}", seen[key]++);
        finding.fingerprint = fmt::format("{:016x}", hash_of(key));
    }
}

/// Where the program makes the standard library start something that can't be told.
void add_unknown_starts(const Unit& program, std::vector<std::string>& callees) {
    std::set<std::string> told;
    std::vector<StringId> open{program.strings.find(kUnknownFunction)};
    std::set<StringId> seen(open.begin(), open.end());
    while (!open.empty()) {
        const StringId symbol = open.back();
        open.pop_back();
        for (const Function& function : program.functions) {
            for (const Step& step : function.steps) {
                const bool is_call =
                    step.kind == StepKind::Call || step.kind == StepKind::StartThread;
                if (!is_call || step.name != symbol) continue;
                if (is_of_standard_library(without_source(program.strings[function.symbol]))) {
                    if (seen.insert(function.symbol).second) open.push_back(function.symbol);
                } else {
                    told.insert(fmt::format("{}, called by way of {}:{}",
                                            kUnknownFunction,
                                            program.strings[step.place.file],
                                            step.place.line));
                }
            }
        }
    }
    callees.insert(callees.end(), told.begin(), told.end());
    if (told.empty()) callees.emplace_back(kUnknownFunction);
}

}  // namespace

const char* name_of(Evidence evidence) {
    switch (evidence) {
        case Evidence::Static:
            return "static";
        case Evidence::NotExecuted:
            return "not-executed";
        case Evidence::ExecutedAndOrdered:
            return "executed-and-ordered";
        case Evidence::ConfirmedContext:
            return "confirmed-context";
        case Evidence::ConfirmedUnordered:
            return "confirmed-unordered";
        case Evidence::ConfirmedOverlapped:
            return "confirmed-overlapped";
    }
    return "static";
}

void name_functions(Unit& unit) {
    for (Function& function : unit.functions) {
        const std::string& name = unit.strings[function.name];
        if (name.starts_with("_Z")) function.name = unit.strings.intern(demangled(name));
    }
}

Report make_report(const Unit& program, const Assessment& assessment) {
    Report report;
    for (const Diagnostic& diagnostic : assessment.diagnostics)
        report.findings.push_back(finding_of(program, diagnostic));
    add_fingerprints(report.findings);
    report.required = assessment.required;
    report.has_other_threads = assessment.has_other_threads;
    report.requested = assessment.requested;
    report.has_unknown_request = assessment.has_unknown_request;
    for (const Site& site : assessment.sites)
        if (site.states != 0) ++report.sites[static_cast<std::size_t>(site.required)];
    for (const StringId callee : assessment.unknown_callees) {
        const std::string& symbol = program.strings[callee];
        if (symbol == kUnknownFunction) {
            add_unknown_starts(program, report.unknown_callees);
        } else {
            report.unknown_callees.push_back(demangled(symbol));
        }
    }
    return report;
}

}  // namespace mqinspect::thread_level::link
