// The errors of the protocol, each with the calls that it is about.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "report/findings_protocol.h"
#include "report/recorded_source.h"
#include "report/utf8.h"

namespace mqinspect::report {
namespace {

using analysis::Finding;
using analysis::FindingClass;
using analysis::InvolvedCall;
using model::ProcessId;

bool is_about_hanging(FindingClass finding_class) {
    return finding_class == FindingClass::RealDeadlock ||
           finding_class == FindingClass::RealHangUp ||
           finding_class == FindingClass::PotentialDeadlock ||
           finding_class == FindingClass::PotentialHangUp;
}

bool is_real(FindingClass finding_class) {
    return finding_class == FindingClass::RealDeadlock || finding_class == FindingClass::RealHangUp;
}

std::string clock_text(std::int64_t ns) {
    const std::int64_t us = std::max<std::int64_t>(ns, 0) / 1000;
    const std::int64_t seconds = us / 1'000'000;
    return fmt::format(
        "{:02}.{:02}.{:02}.{:06}", seconds / 3600, seconds / 60 % 60, seconds % 60, us % 1'000'000);
}

class Errors {
public:
    explicit Errors(const CheckedRun& run) : run_(run) {}
    std::string print() &&;

private:
    void of_process(ProcessId process);
    void finding(ProcessId process, int number, const Finding& finding);
    void event(const InvolvedCall& call);
    void communicator(const Finding& finding);
    void hanging(const char* title, const char* word, bool real);

    const CheckedRun& run_;
    SourceFiles sources_;
    std::string out_;
};

void Errors::event(const InvolvedCall& call) {
    const analysis::KeptCall* kept = run_.call(call);
    const bool is_call = call.procedure.value >= 0;
    const std::string name = is_call ? procedure_name(run_, call) : call.part;
    out_ += fmt::format("    {}{} {}{}. src = {}",
                        call.event,
                        call.anomalous ? '!' : 'i',
                        is_call && !call.returned ? "call " : "",
                        printable(name),
                        protocol_place(run_, call.stack));
    if (kept != nullptr) out_ += " time=" + clock_text(kept->call.enter_ns);
    out_ += '\n';
    const std::string source = sources_.line(run_.location(call.stack));
    if (!source.empty()) out_ += "      " + printable(source) + "\n";
    if (kept == nullptr) return;
    out_ += "      " + printable(call_text(run_.execution, *kept)) + "\n";
    out_ +=
        fmt::format("      StartEvent={} FinishEvent={}\n",
                    call.event,
                    kept->call.leave_event ? fmt::format("{}", *kept->call.leave_event) : "undef");
}

void Errors::communicator(const Finding& finding) {
    if (!finding.communicator || finding.communicator->value < 0 ||
        finding.communicator->index() >= run_.execution.communicators.size())
        return;
    const model::RecordedCommunicator& communicator =
        run_.execution.communicators[finding.communicator->index()];
    out_ += fmt::format("    communicator = {}, {}, proc number = {}\n",
                        communicator.id.value,
                        printable(communicator_text(run_.execution, communicator.id)),
                        communicator.members.size() + communicator.remote_members.size());
}

void Errors::finding(ProcessId process, int number, const Finding& finding) {
    out_ += fmt::format("PROC {}  N {}  {}: {}\n",
                        process.value,
                        number,
                        name_of(finding.severity),
                        analysis::name_of(finding.finding_class));
    out_ += "    " + printable(finding.message) + "\n";
    if (finding.count > 1) out_ += fmt::format("    {} times\n", finding.count);
    communicator(finding);
    ProcessId shown(-1);
    for (const InvolvedCall& call : finding.calls) {
        if (call.process != shown)
            out_ += fmt::format("  Trace fragment of process {}\n", call.process.value);
        shown = call.process;
        event(call);
    }
    for (const std::string& consequence : finding.consequences)
        out_ += "    From this follows: " + printable(consequence) + "\n";
    out_ += '\n';
}

// A finding belongs to the process of its first call.
void Errors::of_process(ProcessId process) {
    int number = 0;
    for (const Finding& each : run_.findings.findings) {
        if (is_about_hanging(each.finding_class)) continue;
        const ProcessId owner = !each.calls.empty()       ? each.calls.front().process
                                : !each.processes.empty() ? each.processes.front()
                                                          : ProcessId(0);
        if (owner == process) finding(process, ++number, each);
    }
}

void Errors::hanging(const char* title, const char* word, bool real) {
    int number = 0;
    for (const Finding& each : run_.findings.findings) {
        if (!is_about_hanging(each.finding_class) || is_real(each.finding_class) != real) continue;
        if (number == 0) out_ += protocol_heading(title);
        out_ += protocol_heading(fmt::format("{} {}", word, ++number));
        std::string chain;
        for (const InvolvedCall& call : each.calls) {
            chain += fmt::format("{}:{}{}   ",
                                 call.process.value,
                                 call.returned ? "" : "call ",
                                 procedure_name(run_, call));
        }
        const bool deadlock = each.finding_class == FindingClass::RealDeadlock ||
                              each.finding_class == FindingClass::PotentialDeadlock;
        out_ += chain + (deadlock ? "deadlock !" : "hang-up !") + "\n";
        out_ += "    " + printable(each.message) + "\n";
        communicator(each);
        for (const InvolvedCall& call : each.calls) {
            out_ += fmt::format("  Proc={}\n", call.process.value);
            event(call);
        }
        for (const std::string& consequence : each.consequences)
            out_ += "    From this follows: " + printable(consequence) + "\n";
    }
}

std::string Errors::print() && {
    out_ += protocol_heading("Errors and warnings");
    for (const model::RecordedProcess& process : run_.execution.processes)
        of_process(process.id);
    if (!run_.findings.complete) out_ += "The limit of errors was exceeded.\n";
    hanging("Real deadlocks and hang-ups", "Error", true);
    hanging("Potential deadlocks and hang-ups", "Warning", false);
    return std::move(out_);
}

}  // namespace

std::string print_protocol_errors(const CheckedRun& run) {
    return Errors(run).print();
}

}  // namespace mqinspect::report
