// The state of the task and of its processes, and where errors are.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "analysis/event_references.h"
#include "report/protocol/parts.h"
#include "report/protocol/protocol.h"
#include "report/recorded_source.h"
#include "report/text_table.h"
#include "report/utf8.h"

namespace mqinspect::report::protocol {
namespace {

using analysis::Finding;
using analysis::FindingClass;
using analysis::InvolvedCall;
using analysis::Severity;
using model::ProcessId;
using model::Termination;

constexpr int kSourceLines = 2;

std::string text_of(std::uint64_t number) {
    return fmt::format("{}", number);
}

// The analyzer counts each time that an error happens.
template <class Wanted>
std::uint64_t sum_of(const CheckedRun& run, Wanted wanted) {
    std::uint64_t sum = 0;
    for (const Finding& finding : run.findings.findings)
        if (wanted(finding)) sum += finding.count;
    return sum;
}

std::uint64_t sum_of(const CheckedRun& run, Severity severity) {
    return sum_of(run, [&](const Finding& finding) { return finding.severity == severity; });
}

analysis::OpenOperations open_of(const CheckedRun& run, std::size_t process) {
    return run.references == nullptr || process >= run.references->open.size()
               ? analysis::OpenOperations{}
               : run.references->open[process];
}

struct Points {
    std::set<int> processes;
    std::set<Place> places;
};

/// Rows N, line, file, Nproc, function.
class PlaceTable {
public:
    void add(const CheckedRun& run, model::StackId stack, std::string function, ProcessId process) {
        rows_[{place_of(run, stack), std::move(function)}].insert(process.value);
    }
    std::string print(const std::string& title) const {
        TextTable table({"N", "line", "file", "Nproc", "function"});
        std::uint64_t number = 0;
        for (const auto& [key, processes] : rows_) {
            const auto& [place, function] = key;
            table.add(
                {text_of(++number), place.line, place.file, text_of(processes.size()), function});
        }
        return heading(title) + table.print();
    }

private:
    std::map<std::pair<Place, std::string>, std::set<int>> rows_;
};

/// The kind of errors that a table of source code points is about.
std::string kind_of(FindingClass finding_class) {
    switch (finding_class) {
        case FindingClass::Abend:
        case FindingClass::Abort:
            return "abends/aborts";
        case FindingClass::RealDeadlock:
        case FindingClass::RealHangUp:
            return "real deadlocks and hang-ups";
        case FindingClass::PotentialDeadlock:
        case FindingClass::PotentialHangUp:
            return "potential deadlocks and hang-ups";
        case FindingClass::WrongDataType:
            return "data type errors";
        default:
            return std::string(analysis::name_of(finding_class)) + " errors";
    }
}

std::string function_of(const CheckedRun& run, const InvolvedCall& call) {
    if (call.procedure.value < 0) return call.part;
    return (call.returned ? "" : "call ") + procedure_name(run, call);
}

std::string error_places(const CheckedRun& run) {
    PlaceTable all;
    std::map<int, std::pair<std::string, PlaceTable>> kinds;  ///< by the lowest code
    std::map<std::string, int> first_code;
    for (const Finding& finding : run.findings.findings) {
        const std::string kind = kind_of(finding.finding_class);
        const int code = first_code.emplace(kind, error_code(finding.finding_class)).first->second;
        kinds[code].first = kind;
        for (const InvolvedCall& call : finding.calls) {
            const std::string function = function_of(run, call);
            all.add(run, call.stack, function, call.process);
            kinds[code].second.add(run, call.stack, function, call.process);
        }
    }
    std::string out = all.print("Source code points of all errors/warnings");
    for (const auto& [code, kind] : kinds)
        out += kind.second.print("Source code points of " + kind.first);
    return out;
}

std::string state_of(const CheckedRun& run,
                     const model::RecordedProcess& process,
                     SourceFiles& sources) {
    const auto of_process = [&](Severity severity) {
        return sum_of(run, [&](const Finding& finding) {
            return finding.severity == severity && counts_for(finding, process.id);
        });
    };
    const analysis::ProcessProfile& profile = run.profile.processes[process.id.index()];
    const analysis::OpenOperations open = open_of(run, process.id.index());
    TextTable table(
        {"Proc", "Term", "Nerr", "Nwarn", "NPrecv", "NPsend", "Nrecv", "Nsend", "Ngop"});
    table.add({text_of(process.id.index()),
               std::string(name_of(process.termination.kind)),
               text_of(of_process(Severity::Error)),
               text_of(of_process(Severity::Warning)),
               text_of(open.receives),
               text_of(open.sends),
               text_of(profile.receives),
               text_of(profile.sends),
               text_of(profile.collectives)});
    std::string out = table.print();
    if (!profile.last) return out + "    no call of MPI\n\n";
    const model::RecordedCall& last = profile.last->call;
    out += fmt::format("    {} ({}) src={}\n",
                       current_function(run, last),
                       profile.last->multiplicity,
                       place_text(run, last.stack));
    for (const std::string& line : sources.fragment(run.location(last.stack), kSourceLines))
        out += "      " + printable(line) + "\n";
    if (stack_length(run, last.stack) > 1)
        out += "    stack: " + stack_text(run, last.stack) + "\n";
    return out + "\n";
}

}  // namespace

std::string task_state(const CheckedRun& run) {
    std::map<Termination::Kind, std::uint64_t> ends;
    analysis::OpenOperations open;
    std::set<std::string> programs;
    for (const model::RecordedProcess& process : run.execution.processes) {
        ++ends[process.termination.kind];
        const analysis::OpenOperations own = open_of(run, process.id.index());
        open.sends += own.sends;
        open.receives += own.receives;
        programs.insert(process.executable.substr(process.executable.rfind('/') + 1));
    }
    TextTable table(
        {"Nproc", "abend", "abort", "normal", "unknown", "Nerr", "Nwarn", "NPsend", "NPrecv"});
    table.add({text_of(run.execution.processes.size()),
               text_of(ends[Termination::Kind::Crashed]),
               text_of(ends[Termination::Kind::Aborted]),
               text_of(ends[Termination::Kind::Finalized]),
               text_of(ends[Termination::Kind::Killed] + ends[Termination::Kind::Exited]),
               text_of(sum_of(run, Severity::Error)),
               text_of(sum_of(run, Severity::Warning)),
               text_of(open.sends),
               text_of(open.receives)});
    std::string names;
    for (const std::string& program : programs)
        names += (names.empty() ? "" : ", ") + printable(program);
    return heading("Task state") + names + "\n" + table.print();
}

std::string current_functions(const CheckedRun& run) {
    std::map<std::string, Points> functions;
    PlaceTable places;
    for (const model::RecordedProcess& process : run.execution.processes) {
        const auto& last = run.profile.processes[process.id.index()].last;
        if (!last) continue;
        const std::string function = current_function(run, last->call);
        functions[function].processes.insert(process.id.value);
        functions[function].places.insert(place_of(run, last->call.stack));
        places.add(run, last->call.stack, function, process.id);
    }
    TextTable by_function({"N", "function", "Nproc", "Nsrc"});
    std::uint64_t number = 0;
    for (const auto& [function, points] : functions) {
        by_function.add({text_of(++number),
                         function,
                         text_of(points.processes.size()),
                         text_of(points.places.size())});
    }
    return heading("Current functions") + by_function.print() +
           places.print("Current source code points (src)");
}

std::string all_errors(const CheckedRun& run) {
    struct Kind {
        std::uint64_t count = 0;
        Points points;
        std::set<std::string> names;
    };
    std::map<std::pair<int, Severity>, Kind> kinds;
    for (const Finding& finding : run.findings.findings) {
        Kind& kind = kinds[{error_code(finding.finding_class), finding.severity}];
        kind.count += finding.count;
        kind.names.emplace(analysis::name_of(finding.finding_class));
        for (const ProcessId process : finding.processes)
            kind.points.processes.insert(process.value);
        for (const InvolvedCall& call : finding.calls)
            kind.points.places.insert(place_of(run, call.stack));
    }
    std::vector<decltype(kinds)::const_pointer> ordered;
    ordered.reserve(kinds.size());
    for (const auto& kind : kinds)
        ordered.push_back(&kind);
    std::ranges::stable_sort(
        ordered, std::greater<>{}, [](auto* kind) { return kind->second.count; });
    TextTable table({"N", "error code", "error name", "Nerr", "Nproc", "Nsrc"});
    std::uint64_t number = 0;
    for (const auto* kind : ordered) {
        table.add({text_of(++number),
                   fmt::format("{} {}", kind->first.first, word_of(kind->first.second)),
                   fmt::format("{}", fmt::join(kind->second.names, "/")),
                   text_of(kind->second.count),
                   text_of(kind->second.points.processes.size()),
                   text_of(kind->second.points.places.size())});
    }
    return heading("All errors/warnings") + table.print() + error_places(run);
}

std::string process_states(const CheckedRun& run) {
    SourceFiles sources;
    std::string out = heading("State of processes");
    for (const model::RecordedProcess& process : run.execution.processes)
        out += state_of(run, process, sources);
    return out;
}

}  // namespace mqinspect::report::protocol
