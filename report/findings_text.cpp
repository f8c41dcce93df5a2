#include "report/findings_text.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "report/rank_ranges.h"
#include "report/recorded_source.h"
#include "report/recorded_values.h"
#include "report/utf8.h"

namespace mqinspect::report {
namespace {

using analysis::Finding;
using analysis::InvolvedCall;
using analysis::Severity;
using model::Termination;

// More calls than that are shown with --verbose only.
constexpr std::size_t kMostCalls = 6;
constexpr std::size_t kMostConsequences = 4;

class Page {
public:
    Page(const CheckedRun& run, const TextOptions& options) : run_(run), options_(options) {}
    std::string print() &&;

private:
    void headline();
    void endings();
    void finding(const Finding& finding);
    void call(const InvolvedCall& call);
    void stack(model::StackId stack);
    void remarks();
    std::string place(model::StackId stack) const;
    std::string colored(std::string_view text, const char* code) const {
        return options_.color ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
    }
    template <class... Parts>
    void line(fmt::format_string<Parts...> format, Parts&&... parts) {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Parts>(parts)...);
        out_ += '\n';
    }

    const CheckedRun& run_;
    const TextOptions& options_;
    SourceFiles sources_;
    std::string out_;
};

std::string counted(std::size_t count, std::string_view thing) {
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::size_t count_of(const analysis::Findings& findings, Severity severity) {
    return static_cast<std::size_t>(
        std::ranges::count(findings.findings, severity, &Finding::severity));
}

void Page::headline() {
    const std::size_t errors = count_of(run_.findings, Severity::Error);
    const std::size_t warnings = count_of(run_.findings, Severity::Warning);
    const std::size_t notes = count_of(run_.findings, Severity::Note);
    std::string text;
    const auto add = [&](std::size_t count, std::string_view thing) {
        if (count == 0) return;
        text += (text.empty() ? "" : ", ") + counted(count, thing);
    };
    add(errors, "error");
    add(warnings, "warning");
    add(notes, "note");
    if (text.empty()) {
        text = run_.execution.problems.empty() && run_.findings.unchecked.empty()
                   ? "No errors found"
                   : "No errors found in what could be read";
    }
    const bool several = run_.execution.processes.size() != 1;
    line("{} in the run of {} process{}.",
         text,
         run_.execution.processes.size(),
         several ? "es" : "");
    if (run_.suppressed != 0) line("{} suppressed.", counted(run_.suppressed, "finding"));
    if (run_.known != 0) line("{} known from the baseline.", counted(run_.known, "finding"));
}

// Those that did not end as they should.
void Page::endings() {
    std::map<std::string, std::vector<model::WorldRank>> ends;
    for (const model::RecordedProcess& process : run_.execution.processes) {
        const Termination& end = process.termination;
        const model::WorldRank rank(process.id.value);
        switch (end.kind) {
            case Termination::Kind::Finalized:
                break;
            case Termination::Kind::Exited:
                ends[fmt::format("ended with exit code {} and without MPI_Finalize", end.code)]
                    .push_back(rank);
                break;
            case Termination::Kind::Crashed:
                ends[fmt::format("crashed with signal {}{}",
                                 end.code,
                                 end.stack ? " at " + place(*end.stack) : "")]
                    .push_back(rank);
                break;
            case Termination::Kind::Aborted:
                ends[fmt::format("called MPI_Abort with code {}", end.code)].push_back(rank);
                break;
            case Termination::Kind::Killed:
                ends[end.running ? "had not ended when this was read"
                     : process.incomplete || !end.recorded
                         ? "ended in an unknown way"
                         : "ended without MPI_Finalize, exit or crash: killed"]
                    .push_back(rank);
                break;
        }
    }
    for (const auto& [how, ranks] : ends)
        line("Rank{} {} {}.", ranks.size() == 1 ? "" : "s", rank_ranges(ranks, 16), how);
}

std::string Page::place(model::StackId stack) const {
    const model::SourceLocation& location = run_.location(stack);
    if (location.line > 0) {
        const std::string file =
            options_.verbose ? location.file : location.file.substr(location.file.rfind('/') + 1);
        return fmt::format("{}:{}", printable(file), location.line);
    }
    const std::string code = run_.code_place(stack);
    return code.empty() ? "an unknown place" : printable(code);
}

void Page::stack(model::StackId stack) {
    if (stack.value < 0 || stack.index() >= run_.stacks.size()) return;
    const ResolvedStack& resolved = run_.stacks[stack.index()];
    for (std::size_t at = resolved.user_frame; at < resolved.frames.size(); ++at) {
        const model::Frame& frame = resolved.frames[at];
        line("          {} {} ({})",
             at == resolved.user_frame ? "in" : "from",
             frame.function.empty() ? "??" : printable(frame.function),
             frame.location.line > 0
                 ? fmt::format("{}:{}", printable(frame.location.file), frame.location.line)
                 : printable(code_text(frame)));
    }
}

void Page::call(const InvolvedCall& call) {
    const analysis::KeptCall* kept = run_.call(call);
    std::string text =
        kept != nullptr ? call_text(run_.execution, *kept) : procedure_name(run_, call);
    std::string remark = call.part;
    const bool is_call = call.procedure.value >= 0;
    if (is_call && !call.returned) remark += remark.empty() ? "not returned" : ", not returned";
    if (!is_call) text = std::exchange(remark, "");
    line("    {}, {}: {}{}",
         rank_text(run_.execution, call.process),
         place(call.stack),
         printable(text),
         remark.empty() ? "" : " [" + printable(remark) + "]");
    if (const std::string source = sources_.line(run_.location(call.stack)); !source.empty())
        line("      > {}", printable(source));
    if (options_.verbose) stack(call.stack);
}

void Page::finding(const Finding& finding) {
    const char* color = "1;36";
    if (finding.severity == Severity::Error) color = "1;31";
    if (finding.severity == Severity::Warning) color = "1;35";
    out_ += '\n';
    const std::string where =
        finding.calls.empty() ? "" : place(finding.calls.front().stack) + ": ";
    line("{}{}: {}",
         colored(where, "1"),
         colored(fmt::format("{}: {}", name_of(finding.severity), name_of(finding.finding_class)),
                 color),
         printable(finding.message));
    std::size_t shown = 0;
    for (const InvolvedCall& involved : finding.calls) {
        if (shown++ == kMostCalls && !options_.verbose) {
            line("    and {} more", counted(finding.calls.size() - kMostCalls, "call"));
            break;
        }
        call(involved);
    }
    if (finding.count > 1) line("    {} times like this", finding.count);
    shown = 0;
    for (const std::string& consequence : finding.consequences) {
        if (shown++ == kMostConsequences && !options_.verbose) {
            line("    and {} more that follow{} from it",
                 finding.consequences.size() - kMostConsequences,
                 finding.consequences.size() - kMostConsequences == 1 ? "s" : "");
            break;
        }
        line("    From this follows: {}", printable(consequence));
    }
}

void Page::remarks() {
    if (!run_.findings.complete)
        line("\nThe limit of errors was exceeded: there are more than are shown.");
    if (!run_.findings.unchecked.empty()) line("\nNot checked:");
    for (const std::string& text : run_.findings.unchecked)
        line("  {}", printable(text));
    if (!run_.execution.problems.empty()) line("\nNot read:");
    for (const std::string& text : run_.execution.problems)
        line("  {}", printable(text));
}

std::string Page::print() && {
    headline();
    endings();
    for (const Finding& each : run_.findings.findings)
        finding(each);
    remarks();
    return std::move(out_);
}

}  // namespace

std::string print_findings(const CheckedRun& run, const TextOptions& options) {
    return Page(run, options).print();
}

}  // namespace mqinspect::report
