#include "report/findings_protocol.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "report/recorded_source.h"
#include "report/text_table.h"
#include "report/utf8.h"

namespace mqinspect::report {
namespace {

using analysis::Finding;
using analysis::FindingClass;
using analysis::InvolvedCall;
using analysis::Severity;
using model::ProcessId;
using model::Termination;

std::string text_of(std::uint64_t number) {
    return fmt::format("{}", number);
}

bool is_of(const Finding& finding, ProcessId process) {
    return std::ranges::binary_search(finding.processes, process);
}

std::uint64_t count_of(const CheckedRun& run, Severity severity) {
    return static_cast<std::uint64_t>(
        std::ranges::count(run.findings.findings, severity, &Finding::severity));
}

// Of one process, or of all.
std::uint64_t count_of(const CheckedRun& run, FindingClass finding_class) {
    return static_cast<std::uint64_t>(
        std::ranges::count(run.findings.findings, finding_class, &Finding::finding_class));
}

std::string task_state(const CheckedRun& run) {
    std::map<Termination::Kind, std::uint64_t> ends;
    for (const model::RecordedProcess& process : run.execution.processes)
        ++ends[process.termination.kind];
    TextTable table(
        {"Nproc", "abend", "abort", "normal", "unknown", "Nerr", "Nwarn", "NPsend", "NPrecv"});
    table.add({text_of(run.execution.processes.size()),
               text_of(ends[Termination::Kind::Crashed]),
               text_of(ends[Termination::Kind::Aborted]),
               text_of(ends[Termination::Kind::Finalized]),
               text_of(ends[Termination::Kind::Killed] + ends[Termination::Kind::Exited]),
               text_of(count_of(run, Severity::Error)),
               text_of(count_of(run, Severity::Warning)),
               text_of(count_of(run, FindingClass::UnfinishedSend)),
               text_of(count_of(run, FindingClass::UnfinishedReceive))});
    return protocol_heading("Task state") + table.print();
}

// "call" for one that has not returned, "ret" for one that has.
std::string current_function(const CheckedRun& run, const model::RecordedCall& call) {
    return fmt::format("{} {}",
                       call.leave_event ? "ret" : "call",
                       run.execution.procedures[call.procedure.index()].name);
}

struct Point {
    std::set<int> processes;
    std::set<std::string> places;
};

std::string current_functions(const CheckedRun& run) {
    std::map<std::string, Point> functions;
    std::map<std::pair<std::string, std::string>, Point> places;
    for (const model::RecordedProcess& process : run.execution.processes) {
        const auto& last = run.profile.processes[process.id.index()].last;
        if (!last) continue;
        const std::string function = current_function(run, last->call);
        const std::string place = protocol_place(run, last->call.stack);
        functions[function].processes.insert(process.id.value);
        functions[function].places.insert(place);
        places[{place, function}].processes.insert(process.id.value);
    }
    TextTable by_function({"N", "function", "Nproc", "Nsrc"});
    std::uint64_t number = 0;
    for (const auto& [function, point] : functions) {
        by_function.add({text_of(++number),
                         function,
                         text_of(point.processes.size()),
                         text_of(point.places.size())});
    }
    TextTable by_place({"N", "src", "Nproc", "function"});
    number = 0;
    for (const auto& [key, point] : places)
        by_place.add({text_of(++number), key.first, text_of(point.processes.size()), key.second});
    return protocol_heading("Current functions") + by_function.print() +
           protocol_heading("Current source code points (src)") + by_place.print();
}

std::string all_errors(const CheckedRun& run) {
    std::map<std::pair<FindingClass, Severity>, std::tuple<std::uint64_t, Point>> kinds;
    for (const Finding& finding : run.findings.findings) {
        auto& [count, point] = kinds[{finding.finding_class, finding.severity}];
        count += finding.count;
        for (const ProcessId process : finding.processes)
            point.processes.insert(process.value);
        for (const InvolvedCall& call : finding.calls)
            point.places.insert(protocol_place(run, call.stack));
    }
    TextTable table({"N", "error code", "error name", "Nerr", "Nproc", "Nsrc"});
    std::uint64_t number = 0;
    for (const auto& [key, value] : kinds) {
        const auto& [count, point] = value;
        const char* severity = key.second == Severity::Error ? "err" : "warn";
        table.add({text_of(++number),
                   fmt::format("{} {}",
                               static_cast<int>(key.first) + 1,
                               key.second == Severity::Note ? "note" : severity),
                   std::string(analysis::name_of(key.first)),
                   text_of(count),
                   text_of(point.processes.size()),
                   text_of(point.places.size())});
    }
    return protocol_heading("All errors/warnings") + table.print();
}

// Of one class, or of all.
std::string error_places(const CheckedRun& run, const FindingClass* only) {
    std::map<std::pair<std::string, std::string>, std::set<int>> places;
    for (const Finding& finding : run.findings.findings) {
        if (only != nullptr && finding.finding_class != *only) continue;
        for (const InvolvedCall& call : finding.calls) {
            const std::string name =
                call.procedure.value >= 0 ? procedure_name(run, call) : call.part;
            places[{protocol_place(run, call.stack),
                    call.returned || call.procedure.value < 0 ? name : "call " + name}]
                .insert(call.process.value);
        }
    }
    TextTable table({"N", "src", "Nproc", "function"});
    std::uint64_t number = 0;
    for (const auto& [key, processes] : places)
        table.add({text_of(++number), key.first, text_of(processes.size()), key.second});
    return protocol_heading("Source code points of " +
                            (only == nullptr ? std::string("all errors/warnings")
                                             : std::string(analysis::name_of(*only)))) +
           table.print();
}

std::uint64_t of_process(const CheckedRun& run, ProcessId process, Severity severity) {
    return static_cast<std::uint64_t>(
        std::ranges::count_if(run.findings.findings, [&](const Finding& finding) {
            return finding.severity == severity && is_of(finding, process);
        }));
}

std::uint64_t of_process(const CheckedRun& run, ProcessId process, FindingClass finding_class) {
    return static_cast<std::uint64_t>(
        std::ranges::count_if(run.findings.findings, [&](const Finding& finding) {
            return finding.finding_class == finding_class && is_of(finding, process);
        }));
}

std::string process_states(const CheckedRun& run) {
    SourceFiles sources;
    std::string out = protocol_heading("State of processes");
    for (const model::RecordedProcess& process : run.execution.processes) {
        const analysis::ProcessProfile& profile = run.profile.processes[process.id.index()];
        TextTable table(
            {"Proc", "Term", "Nerr", "Nwarn", "NPrecv", "NPsend", "Nrecv", "Nsend", "Ngop"});
        table.add({text_of(process.id.index()),
                   std::string(name_of(process.termination.kind)),
                   text_of(of_process(run, process.id, Severity::Error)),
                   text_of(of_process(run, process.id, Severity::Warning)),
                   text_of(of_process(run, process.id, FindingClass::UnfinishedReceive)),
                   text_of(of_process(run, process.id, FindingClass::UnfinishedSend)),
                   text_of(profile.receives),
                   text_of(profile.sends),
                   text_of(profile.collectives)});
        out += table.print();
        if (profile.last) {
            const model::RecordedCall& last = profile.last->call;
            out += fmt::format("    {} ({}) src={}\n",
                               current_function(run, last),
                               profile.last->multiplicity,
                               protocol_place(run, last.stack));
            const std::string source = sources.line(run.location(last.stack));
            if (!source.empty()) out += "      " + printable(source) + "\n";
        }
        out += '\n';
    }
    return out;
}

std::string calls_of_functions(const CheckedRun& run) {
    TextTable table({"function", "calls", "seconds", "Nproc"});
    TextTable by_process({"Proc", "function", "calls", "seconds"});
    for (std::size_t at = 0; at < run.execution.procedures.size(); ++at) {
        analysis::ProcedureUse sum;
        std::uint64_t processes = 0;
        for (const analysis::ProcessProfile& process : run.profile.processes) {
            const analysis::ProcedureUse& use = process.procedures[at];
            sum.calls += use.calls;
            sum.ns += use.ns;
            processes += use.calls == 0 ? 0 : 1;
        }
        if (sum.calls == 0) continue;
        table.add({run.execution.procedures[at].name,
                   text_of(sum.calls),
                   fmt::format("{:.6f}", static_cast<double>(sum.ns) / 1e9),
                   text_of(processes)});
    }
    for (std::size_t process = 0; process < run.profile.processes.size(); ++process) {
        const auto& procedures = run.profile.processes[process].procedures;
        for (std::size_t at = 0; at < procedures.size(); ++at) {
            if (procedures[at].calls == 0) continue;
            by_process.add({text_of(process),
                            run.execution.procedures[at].name,
                            text_of(procedures[at].calls),
                            fmt::format("{:.6f}", static_cast<double>(procedures[at].ns) / 1e9)});
        }
    }
    return protocol_heading("Calls of MPI functions") + table.print() +
           protocol_heading("Calls of MPI functions by process") + by_process.print();
}

// Runs of ranks with even steps: "0-6:2 7".
std::string triplets(const std::vector<ProcessId>& members) {
    std::string text;
    for (std::size_t at = 0; at < members.size();) {
        std::size_t end = at + 1;
        const int step = end < members.size() ? members[end].value - members[at].value : 1;
        while (end < members.size() && members[end].value - members[end - 1].value == step)
            ++end;
        text += fmt::format("{}init={} last={} step={}",
                            text.empty() ? "" : "; ",
                            members[at].value,
                            members[end - 1].value,
                            end - at == 1 ? 1 : step);
        at = end;
    }
    return text;
}

std::string communicators(const CheckedRun& run) {
    TextTable table({"comm", "name", "made by", "proc number", "members"});
    for (const model::RecordedCommunicator& communicator : run.execution.communicators) {
        std::string members = triplets(communicator.members);
        if (communicator.inter) members += " | " + triplets(communicator.remote_members);
        table.add({text_of(communicator.id.index()),
                   communicator.name,
                   communicator.constructor,
                   text_of(communicator.members.size() + communicator.remote_members.size()),
                   members});
    }
    return protocol_heading("Communicators") + table.print();
}

std::string source_references(const CheckedRun& run) {
    TextTable table({"src", "stack, innermost first"});
    for (std::size_t at = 0; at < run.stacks.size(); ++at) {
        const ResolvedStack& stack = run.stacks[at];
        if (stack.frames.empty()) continue;
        std::string places;
        for (std::size_t frame = stack.user_frame; frame < stack.frames.size(); ++frame) {
            const model::SourceLocation& location = stack.frames[frame].location;
            if (location.line <= 0) continue;
            places += fmt::format("{}({}, {})",
                                  places.empty() ? "" : " ",
                                  location.file.substr(location.file.rfind('/') + 1),
                                  location.line);
        }
        table.add({text_of(at), places.empty() ? "?" : places});
    }
    return protocol_heading("Source references") + table.print();
}

std::string environment(const CheckedRun& run) {
    TextTable table({"Proc", "host", "pid", "program", "thread level", "MPI library"});
    for (const model::RecordedProcess& process : run.execution.processes) {
        table.add({text_of(process.id.index()),
                   process.host,
                   fmt::format("{}", process.pid),
                   process.executable,
                   process.thread_provided,
                   process.mpi_library.substr(0, process.mpi_library.find('\n'))});
    }
    return protocol_heading("Environment") + table.print();
}

std::string stage_times(const CheckedRun& run) {
    TextTable table({"stage", "seconds"});
    for (const StageTime& stage : run.stages)
        table.add({stage.name, fmt::format("{:.3f}", stage.seconds)});
    return protocol_heading("Times of the stages") + table.print();
}

}  // namespace

std::string protocol_heading(const std::string& text) {
    return "\n" + text + "\n" + std::string(text.size(), '=') + "\n";
}

std::string protocol_place(const CheckedRun& run, model::StackId stack) {
    const model::SourceLocation& location = run.location(stack);
    if (location.line > 0) {
        return printable(fmt::format(
            "{}({})", location.file.substr(location.file.rfind('/') + 1), location.line));
    }
    const bool known =
        stack.index() < run.execution.stacks.size() && !run.execution.stacks[stack.index()].empty();
    if (!known) return "?";
    const model::CodePlace& code = run.execution.stacks[stack.index()].front();
    if (code.image < 0) return fmt::format("{:#x}", code.offset);
    const std::string& path = run.execution.images[static_cast<std::size_t>(code.image)].path;
    return printable(fmt::format("{}+{:#x}", path.substr(path.rfind('/') + 1), code.offset));
}

std::string print_protocol(const CheckedRun& run) {
    std::string out =
        task_state(run) + current_functions(run) + all_errors(run) + error_places(run, nullptr);
    std::set<FindingClass> classes;
    for (const Finding& finding : run.findings.findings)
        classes.insert(finding.finding_class);
    for (const FindingClass each : classes)
        out += error_places(run, &each);
    out += process_states(run) + print_protocol_errors(run) + calls_of_functions(run) +
           communicators(run) + source_references(run) + environment(run) + stage_times(run);
    return out;
}

}  // namespace mqinspect::report
