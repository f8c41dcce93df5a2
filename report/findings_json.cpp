#include "report/findings_json.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/json_writer.h"
#include "report/protocol/protocol.h"
#include "report/recorded_source.h"
#include "report/recorded_values.h"

namespace mqinspect::report {
namespace {

using Layout = JsonWriter::Layout;
using analysis::Finding;
using analysis::Severity;
using model::Termination;

void text_or_null(JsonWriter& json, std::string_view name, std::string_view text) {
    json.key(name);
    text.empty() ? json.null() : json.value(text);
}

void location_members(JsonWriter& json, const model::SourceLocation& location) {
    text_or_null(json, "file", location.line > 0 ? location.file : "");
    json.key("line");
    location.line > 0 ? json.value(location.line) : json.null();
}

void stack_member(JsonWriter& json, const CheckedRun& run, model::StackId stack) {
    json.key("stack");
    json.begin_array();
    if (stack.value >= 0 && stack.index() < run.stacks.size()) {
        const ResolvedStack& resolved = run.stacks[stack.index()];
        for (std::size_t at = resolved.user_frame; at < resolved.frames.size(); ++at) {
            const model::Frame& frame = resolved.frames[at];
            json.begin_object();
            text_or_null(json, "function", frame.function);
            location_members(json, frame.location);
            text_or_null(json, "image", frame.image);
            json.member("offset", fmt::format("{:#x}", frame.pc));
            json.end_object();
        }
    }
    json.end_array();
}

void arguments_member(JsonWriter& json, const CheckedRun& run, const analysis::KeptCall* call) {
    json.key("arguments");
    if (call == nullptr) return json.null();
    const model::Procedure& procedure = run.execution.procedures[call->call.procedure.index()];
    json.begin_object();
    for (std::size_t at = 0; at < procedure.parameters.size(); ++at) {
        const model::Parameter& parameter = procedure.parameters[at];
        if (parameter.direction == model::Direction::Out || at >= call->before.size()) continue;
        json.member(parameter.name, value_text(run.execution, parameter, call->before[at]));
    }
    json.end_object();
}

// What it gave back.
void results_member(JsonWriter& json, const CheckedRun& run, const analysis::KeptCall* call) {
    json.key("results");
    if (call == nullptr || !call->call.leave_event) return json.null();
    const model::Procedure& procedure = run.execution.procedures[call->call.procedure.index()];
    json.begin_object();
    for (std::size_t at = 0; at < procedure.parameters.size(); ++at) {
        const model::Parameter& parameter = procedure.parameters[at];
        if (parameter.direction == model::Direction::In || at >= call->after.size()) continue;
        json.member(parameter.name, value_text(run.execution, parameter, call->after[at]));
    }
    json.end_object();
}

void call_object(JsonWriter& json,
                 const CheckedRun& run,
                 const analysis::InvolvedCall& call,
                 SourceFiles& sources) {
    const analysis::KeptCall* kept = run.call(call);
    json.begin_object();
    json.member("rank", call.process.value);
    json.member("thread", call.thread);
    const bool is_call = call.procedure.value >= 0;
    text_or_null(json, "function", procedure_name(run, call));
    location_members(json, run.location(call.stack));
    text_or_null(json, "source", sources.line(run.location(call.stack)));
    json.key("event");
    is_call ? json.value(call.event) : json.null();
    json.key("returned");
    is_call ? json.value(call.returned) : json.null();
    text_or_null(json, "part", call.part);
    json.member("anomalous", call.anomalous);
    json.key("multiplicity");
    kept != nullptr && kept->multiplicity > 0 ? json.value(kept->multiplicity) : json.null();
    json.key("entered_ns");
    kept != nullptr ? json.value(kept->call.enter_ns) : json.null();
    json.key("returned_ns");
    kept != nullptr && kept->call.leave_event ? json.value(kept->call.leave_ns) : json.null();
    arguments_member(json, run, kept);
    results_member(json, run, kept);
    stack_member(json, run, call.stack);
    json.end_object();
}

void finding_object(JsonWriter& json,
                    const CheckedRun& run,
                    const Finding& finding,
                    SourceFiles& sources) {
    json.begin_object(Layout::Lines);
    json.member("class", identifier_of(finding.finding_class));
    json.member("severity", name_of(finding.severity));
    json.member("name", analysis::name_of(finding.finding_class));
    json.member("code", error_code(finding.finding_class));
    json.key("ranks");
    json.begin_array();
    for (const model::ProcessId process : finding.processes)
        json.value(process.value);
    json.end_array();
    json.member("message", finding.message);
    json.key("communicator");
    finding.communicator ? json.value(communicator_text(run.execution, *finding.communicator))
                         : json.null();
    json.member("count", finding.count);
    json.member("fingerprint", fingerprint_of(run, finding));
    json.key("consequences");
    json.begin_array();
    for (const std::string& consequence : finding.consequences)
        json.value(std::string_view(consequence));
    json.end_array();
    json.key("calls");
    json.begin_array(Layout::Lines);
    for (const analysis::InvolvedCall& call : finding.calls)
        call_object(json, run, call, sources);
    json.end_array();
    json.end_object();
}

void process_object(JsonWriter& json,
                    const CheckedRun& run,
                    const model::RecordedProcess& process) {
    const analysis::ProcessProfile& profile = run.profile.processes[process.id.index()];
    json.begin_object();
    json.member("rank", process.id.value);
    json.member("world", process.world);
    json.member("rank_in_world", process.rank.value);
    text_or_null(json, "host", process.host);
    json.member("pid", process.pid);
    json.member("ended", name_of(process.termination.kind));
    json.member("code", process.termination.code);
    json.member("incomplete", process.incomplete);
    json.member("calls", profile.calls);
    json.member("sends", profile.sends);
    json.member("receives", profile.receives);
    json.member("collectives", profile.collectives);
    json.key("last_call");
    if (profile.last) {
        const model::RecordedCall& last = profile.last->call;
        json.begin_object();
        json.member("function", run.execution.procedures[last.procedure.index()].name);
        location_members(json, run.location(last.stack));
        json.member("event", last.event);
        json.member("returned", last.leave_event.has_value());
        json.end_object();
    } else {
        json.null();
    }
    json.end_object();
}

void texts_member(JsonWriter& json, std::string_view name, const std::vector<std::string>& texts) {
    json.key(name);
    json.begin_array();
    for (const std::string& text : texts)
        json.value(std::string_view(text));
    json.end_array();
}

void task_member(JsonWriter& json, const CheckedRun& run) {
    const auto ended = [&](Termination::Kind kind) {
        return std::ranges::count_if(run.execution.processes, [&](const auto& process) {
            return process.termination.kind == kind;
        });
    };
    const auto found = [&](Severity severity) {
        return std::ranges::count(run.findings.findings, severity, &Finding::severity);
    };
    json.key("task");
    json.begin_object(Layout::Lines);
    json.member("recording", run.folder);
    json.member("processes", run.execution.processes.size());
    for (const auto kind : {Termination::Kind::Finalized,
                            Termination::Kind::Exited,
                            Termination::Kind::Crashed,
                            Termination::Kind::Aborted,
                            Termination::Kind::Killed})
        json.member(name_of(kind), ended(kind));
    json.member("errors", found(Severity::Error));
    json.member("warnings", found(Severity::Warning));
    json.member("notes", found(Severity::Note));
    json.member("suppressed", run.suppressed);
    json.member("known", run.known);
    json.member("complete", run.findings.complete);
    texts_member(json, "unchecked", run.findings.unchecked);
    texts_member(json, "problems", run.execution.problems);
    json.key("ranks");
    json.begin_array(Layout::Lines);
    for (const model::RecordedProcess& process : run.execution.processes)
        process_object(json, run, process);
    json.end_array();
    json.key("stages");
    json.begin_array();
    for (const StageTime& stage : run.stages) {
        json.begin_object();
        json.member("name", stage.name);
        json.member("seconds", stage.seconds);
        json.end_object();
    }
    json.end_array();
    json.end_object();
}

void functions_member(JsonWriter& json, const CheckedRun& run) {
    json.key("functions");
    json.begin_array(Layout::Lines);
    for (std::size_t at = 0; at < run.execution.procedures.size(); ++at) {
        analysis::ProcedureUse sum;
        std::uint64_t ranks = 0;
        for (const analysis::ProcessProfile& process : run.profile.processes) {
            sum.calls += process.procedures[at].calls;
            sum.ns += process.procedures[at].ns;
            if (process.procedures[at].calls != 0) ++ranks;
        }
        if (sum.calls == 0) continue;
        json.begin_object();
        json.member("function", run.execution.procedures[at].name);
        json.member("calls", sum.calls);
        json.member("seconds", static_cast<double>(sum.ns) / 1e9);
        json.member("ranks", ranks);
        json.end_object();
    }
    json.end_array();
}

void communicators_member(JsonWriter& json, const CheckedRun& run) {
    json.key("communicators");
    json.begin_array(Layout::Lines);
    for (const model::RecordedCommunicator& communicator : run.execution.communicators) {
        json.begin_object();
        json.member("number", communicator.id.value);
        json.member("name", communicator.name);
        json.member("made_by", communicator.constructor);
        json.member("size", communicator.members.size() + communicator.remote_members.size());
        json.member("members", members_text(communicator));
        json.end_object();
    }
    json.end_array();
}

}  // namespace

std::string print_findings_json(const CheckedRun& run) {
    JsonWriter json;
    SourceFiles sources;
    json.begin_object(Layout::Lines);
    json.member("schema", "mqinspect.findings/1");
    json.key("findings");
    json.begin_array(Layout::Lines);
    for (const Finding& finding : run.findings.findings)
        finding_object(json, run, finding, sources);
    json.end_array();
    task_member(json, run);
    functions_member(json, run);
    communicators_member(json, run);
    json.end_object();
    return std::move(json).finish() + "\n";
}

}  // namespace mqinspect::report
