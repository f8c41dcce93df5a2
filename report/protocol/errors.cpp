// The errors of the protocol: of each process in the order in which they happened, then deadlocks
// and hang-ups; each with the calls that it is about and what these belong to.
#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "analysis/event_references.h"
#include "report/protocol/event_text.h"
#include "report/protocol/parts.h"
#include "report/protocol/protocol.h"
#include "report/recorded_values.h"
#include "report/text_table.h"
#include "report/utf8.h"

namespace mqinspect::report::protocol {
namespace {

using analysis::CallKey;
using analysis::Finding;
using analysis::FindingClass;
using analysis::InvolvedCall;
using analysis::KeptCall;
using model::ProcessId;
using model::Role;

/// Of a call that has a value in that role.
const model::Parameter& parameter_of(const model::Procedure& procedure, Role role) {
    return procedure.parameters[static_cast<std::size_t>(model::subscript_of(procedure, role))];
}

std::string rule() {
    return "    " + std::string(60, '-') + "\n";
}

class Errors {
public:
    explicit Errors(const CheckedRun& run) : run_(run), events_(run) {}
    std::string of_processes() &&;
    std::string of_hanging() &&;

private:
    void head(ProcessId process, int number, const Finding& finding);
    void types(const Finding& finding);
    void place(const InvolvedCall& call);
    void fragments(const Finding& finding);
    void other_place(const InvolvedCall& call);
    void finding(ProcessId process, int number, const Finding& finding);
    void hanging(const char* title, bool real);
    void tail(const Finding& finding);
    std::optional<std::int64_t> value(const KeptCall* kept, Role role) const {
        return kept == nullptr ? std::nullopt : value_of(run_, *kept, role);
    }
    const KeptCall* call_of(const CallKey& key) const;
    std::string ending(const Finding& finding) const;
    std::vector<CallKey> related(const Finding& finding) const;

    const CheckedRun& run_;
    EventText events_;
    std::string out_;
};

// The row that begins an error: what is sent or received, as far as the first call has it.
void Errors::head(ProcessId process, int number, const Finding& finding) {
    const KeptCall* kept = finding.calls.empty() ? nullptr : run_.call(finding.calls.front());
    const auto source = value(kept, Role::Source);
    const auto destination = value(kept, Role::Destination);
    const auto root = value(kept, Role::Root);
    const char* peer_title = "peer";
    if (source) peer_title = "src";
    if (destination) peer_title = "dest";
    if (root) peer_title = "root";
    const auto text = [&](Role role) {
        const auto found = value(kept, role);
        if (!found) return std::string("-");
        const model::Procedure& procedure = run_.execution.procedures[kept->call.procedure.index()];
        return value_text(run_.execution, parameter_of(procedure, role), {*found});
    };
    std::string peer = "-";
    for (const auto& [role, has] :
         {std::pair(Role::Source, source), {Role::Destination, destination}, {Role::Root, root}})
        if (has) peer = text(role);
    const auto bytes = kept == nullptr ? std::nullopt : size_of(run_, *kept);
    std::string size = bytes ? fmt::format("{}", *bytes) : "-";
    TextTable table(
        {"PROC", "N", "code", "Error", peer_title, "tag", "size", "count", "type", "event num"});
    table.add({fmt::format("{}", process.value),
               fmt::format("{}", number),
               fmt::format("{} {}", error_code(finding.finding_class), word_of(finding.severity)),
               std::string(analysis::name_of(finding.finding_class)),
               std::move(peer),
               text(Role::Tag),
               std::move(size),
               text(Role::Count),
               text(Role::Datatype),
               finding.calls.empty() || finding.calls.front().procedure.value < 0
                   ? "-"
                   : fmt::format("{}", finding.calls.front().event)});
    out_ += table.print() + rule();
}

// Of a message both sides' types.
void Errors::types(const Finding& finding) {
    TextTable table({"", "count", "type", "dtcode"});
    std::set<bool> sides;
    for (const InvolvedCall& call : finding.calls) {
        const KeptCall* kept = run_.call(call);
        const auto type = value(kept, Role::Datatype);
        const bool sends = value(kept, Role::Destination).has_value();
        if (!type || (!sends && !value(kept, Role::Source)) || !sides.insert(sends).second)
            continue;
        const model::Procedure& procedure = run_.execution.procedures[kept->call.procedure.index()];
        table.add({sends ? "send" : "receive",
                   fmt::format("{}", value(kept, Role::Count).value_or(0)),
                   value_text(run_.execution, parameter_of(procedure, Role::Datatype), {*type}),
                   fmt::format("{}", *type)});
    }
    if (sides.size() == 2) out_ += table.print() + rule();
}

// Function, multiplicity and source of a call.
void Errors::place(const InvolvedCall& call) {
    const KeptCall* kept = run_.call(call);
    const std::string name = call.procedure.value < 0
                                 ? call.part
                                 : (call.returned ? "" : "call ") + procedure_name(run_, call);
    out_ += fmt::format(
        "    {}: {}{} src={}{}\n",
        rank_text(run_.execution, call.process),
        printable(name),
        kept != nullptr && kept->multiplicity > 0 ? fmt::format(" ({})", kept->multiplicity) : "",
        place_text(run_, call.stack),
        call.procedure.value < 0 || call.part.empty() ? "" : "  [" + printable(call.part) + "]");
    out_ += events_.source(call.stack);
    if (stack_length(run_, call.stack) > 1)
        out_ += "      stack: " + stack_text(run_, call.stack) + "\n";
}

const KeptCall* Errors::call_of(const CallKey& key) const {
    const auto found = run_.profile.involved.find(key);
    if (found != run_.profile.involved.end()) return &found->second;
    if (run_.references == nullptr) return nullptr;
    const auto other = run_.references->calls.find(key);
    return other == run_.references->calls.end() ? nullptr : &other->second;
}

// The calls of the finding and those that they refer to: what started or completed the same
// operation, and what it met.
std::vector<CallKey> Errors::related(const Finding& finding) const {
    std::set<CallKey> keys;
    for (const InvolvedCall& call : finding.calls) {
        if (call.procedure.value < 0) continue;
        const CallKey key{call.process, call.thread, call.event};
        keys.insert(key);
        if (run_.references == nullptr) continue;
        const auto found = run_.references->operations.find(key);
        if (found == run_.references->operations.end()) continue;
        for (const analysis::OperationReferences& operation : found->second) {
            for (const auto& other : {operation.init, operation.start, operation.finish})
                if (other) keys.insert(*other);
            keys.insert(operation.matched.begin(), operation.matched.end());
        }
    }
    return {keys.begin(), keys.end()};
}

void Errors::other_place(const InvolvedCall& call) {
    out_ += fmt::format("  Process {}\n    {} {}. src = {}\n",
                        call.process.value,
                        call.anomalous ? '!' : 'i',
                        printable(call.part),
                        place_text(run_, call.stack));
    out_ += events_.source(call.stack);
}

// By process and thread, in the order of the events.
void Errors::fragments(const Finding& finding) {
    std::map<CallKey, bool> anomalous;
    for (const InvolvedCall& call : finding.calls) {
        if (call.procedure.value < 0) {
            other_place(call);
        } else {
            anomalous[{call.process, call.thread, call.event}] |= call.anomalous;
        }
    }
    std::pair<int, int> shown{-1, -1};
    for (const CallKey& key : related(finding)) {
        const KeptCall* kept = call_of(key);
        if (kept == nullptr) continue;
        const std::pair<int, int> where{std::get<0>(key).value, std::get<1>(key)};
        if (where != shown) {
            const std::string title =
                fmt::format("Trace fragment of process {}{}",
                            where.first,
                            where.second == 0 ? "" : fmt::format(", thread {}", where.second));
            out_ += fmt::format("  {}\n  {}\n", title, std::string(title.size(), '-'));
        }
        shown = where;
        const auto own = anomalous.find(key);
        out_ += events_.call(*kept, own != anomalous.end() && own->second ? '!' : 'i');
    }
}

void Errors::tail(const Finding& finding) {
    for (const std::string& consequence : finding.consequences)
        out_ += "    From this follows: " + printable(consequence) + "\n";
    out_ += '\n';
}

void Errors::finding(ProcessId process, int number, const Finding& finding) {
    head(process, number, finding);
    types(finding);
    out_ += "    " + printable(finding.message) + "\n";
    if (finding.count > 1) out_ += fmt::format("    {} times\n", finding.count);
    out_ += rule();
    for (const InvolvedCall& call : finding.calls)
        place(call);
    if (finding.communicator) out_ += rule() + events_.communicator(*finding.communicator);
    fragments(finding);
    tail(finding);
}

std::string Errors::of_processes() && {
    out_ += heading("Errors and warnings");
    for (const model::RecordedProcess& process : run_.execution.processes) {
        std::vector<const Finding*> own;
        for (const Finding& each : run_.findings.findings) {
            if (!is_about_hanging(each.finding_class) && owner_of(each) == process.id)
                own.push_back(&each);
        }
        std::ranges::stable_sort(own, {}, [](const Finding* each) {
            return each->calls.empty() ? 0 : each->calls.front().event;
        });
        int number = 0;
        for (const Finding* each : own)
            finding(process.id, ++number, *each);
    }
    if (!run_.findings.complete) out_ += "The limit of errors was exceeded.\n";
    return std::move(out_);
}

// A chain ends in itself, or at a process that has ended in some way.
std::string Errors::ending(const Finding& finding) const {
    const bool deadlock = finding.finding_class == FindingClass::RealDeadlock ||
                          finding.finding_class == FindingClass::PotentialDeadlock;
    if (deadlock) return "deadlock !\n";
    for (const ProcessId process : finding.processes) {
        const auto kind = run_.execution.processes[process.index()].termination.kind;
        const bool crashed =
            kind == model::Termination::Kind::Crashed || kind == model::Termination::Kind::Aborted;
        if (crashed) return fmt::format("{} !\n", name_of(kind));
    }
    return "hang-up !\n";
}

void Errors::hanging(const char* title, bool real) {
    int number = 0;
    for (const Finding& each : run_.findings.findings) {
        if (!is_about_hanging(each.finding_class) || is_real(each.finding_class) != real) continue;
        if (number == 0) out_ += heading(title);
        const char* word = each.severity == analysis::Severity::Error ? "Error" : "Warning";
        out_ += heading(fmt::format("{} {}", word, ++number));
        for (const InvolvedCall& call : each.calls) {
            out_ += fmt::format(
                "{}:{}{}   ",
                call.process.value,
                call.returned || call.procedure.value < 0 ? "" : "call ",
                call.procedure.value < 0 ? printable(call.part) : procedure_name(run_, call));
        }
        out_ += ending(each);
        out_ += "    " + printable(each.message) + "\n";
        if (each.count > 1) out_ += fmt::format("    {} times\n", each.count);
        for (const InvolvedCall& call : each.calls)
            place(call);
        if (each.communicator) out_ += events_.communicator(*each.communicator);
        fragments(each);
        tail(each);
    }
}

std::string Errors::of_hanging() && {
    hanging("Real deadlocks and hang-ups", true);
    hanging("Potential deadlocks and hang-ups", false);
    return std::move(out_);
}

}  // namespace

std::string errors(const CheckedRun& run) {
    return Errors(run).of_processes();
}

std::string deadlocks(const CheckedRun& run) {
    return Errors(run).of_hanging();
}

}  // namespace mqinspect::report::protocol
