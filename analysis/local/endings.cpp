#include "analysis/local/endings.h"

#include <algorithm>

#include "analysis/under_way.h"
#include "model/signal.h"

namespace mqinspect::analysis {

namespace {

using Kind = model::Termination::Kind;

// More of them say the same.
constexpr std::size_t kMaxConsequences = 8;

class EndingReport {
public:
    EndingReport(const model::Execution& execution,
                 const std::vector<Ending>& endings,
                 Findings& findings,
                 Reporter& reporter)
        : execution_(execution), endings_(endings), findings_(findings), reporter_(reporter) {}

    void report() {
        bool broken = false;
        for (const Ending& ending : endings_)
            broken = report_broken(ending) || broken;
        for (const Ending& ending : endings_) {
            if (is_broken(ending)) continue;
            if (broken) {
                add_consequences(ending);
            } else {
                report_open_calls(ending);
            }
            report_missing_finalize(ending, broken);
        }
    }

private:
    const model::RecordedProcess& process(const Ending& ending) const {
        return execution_.processes[ending.process.index()];
    }
    std::string title(const Ending& ending) const {
        return "Process " + std::to_string(process(ending).rank.value);
    }
    const std::string& name(const CallSite& site) const {
        return execution_.procedures[site.procedure.index()].name;
    }

    /// Somebody has ended the job while it was under way: a process has just come forward, or
    /// computed no longer than it had done before.
    bool was_at_work() const {
        if (!execution_.end_ns) return false;
        const std::int64_t end_ns = *execution_.end_ns;
        const std::int64_t moment_ns = moment_before_end(end_ns);
        return std::ranges::any_of(endings_, [&](const Ending& ending) {
            if (process(ending).termination.kind != Kind::Killed) return false;
            const bool computes = std::ranges::all_of(ending.open, &OpenCall::asks);
            return ending.progress.has_just_moved(end_ns, moment_ns) ||
                   (computes && ending.progress.is_used_to(end_ns));
        });
    }

    /// In no procedure of MPI.
    static CallSite place_of(model::StackId stack) {
        CallSite place;
        place.procedure = model::ProcedureId{-1};
        place.stack = stack;
        place.returned = false;
        return place;
    }

    bool is_broken(const Ending& ending) const {
        const Kind kind = process(ending).termination.kind;
        return kind == Kind::Crashed || kind == Kind::Aborted || ending.refused ||
               ended_by_library(ending);
    }

    /// exit was called inside a call: by the MPI library, which takes something for hopeless. Or
    /// it has let the launcher kill the process: in a call that is over at once, nobody else will
    /// have done that.
    bool ended_by_library(const Ending& ending) const {
        if (ending.open.empty() || process(ending).incomplete) return false;
        const OpenCall& call = ending.open.back();
        const Kind kind = process(ending).termination.kind;
        if (kind == Kind::Exited) return call.cause || !is_job_ended_by_another(ending);
        return kind == Kind::Killed && call.at_once;
    }

    /// The launcher ends the others then, and some libraries make an exit of that.
    bool is_job_ended_by_another(const Ending& ending) const {
        return std::ranges::any_of(execution_.processes, [&](const model::RecordedProcess& other) {
            return other.id != ending.process && (other.termination.kind == Kind::Crashed ||
                                                  other.termination.kind == Kind::Aborted);
        });
    }

    /// True: the job cannot have gone on after this.
    bool report_broken(const Ending& ending) {
        const model::Termination& end = process(ending).termination;
        // What MPI did after it had refused a call is no cause of its own.
        if (ending.refused) {
            if (!cause_) cause_ = ending.refusal;
            return true;
        }
        if (end.kind == Kind::Crashed) return report_crash(ending, end);
        if (ended_by_library(ending)) return report_ended(ending);
        if (end.kind != Kind::Aborted) return false;
        std::vector<Involved> calls;
        if (ending.abort) {
            calls.push_back({*ending.abort});
        } else if (ending.last) {
            calls.push_back({*ending.last, "the last call"});
        }
        remember(reporter_.report(FindingClass::Abort, Severity::Error, ending.process, calls),
                 title(ending) + " has ended the job with MPI_Abort (error code " +
                     std::to_string(end.code) + ").");
        return true;
    }

    /// As a consequence, if it is known what is wrong with the call.
    bool report_ended(const Ending& ending) {
        const OpenCall& call = ending.open.back();
        const std::string text = "The MPI library has ended the process in this call.";
        if (call.cause) return blame(*call.cause, text);
        remember(reporter_.report(
                     FindingClass::MpiError, Severity::Error, ending.process, {{call.site}}),
                 "MPI refused " + name(call.site) + ": it has ended the process.");
        return true;
    }

    /// True.
    bool blame(std::size_t finding, std::string text) {
        add_consequence(findings_.findings[finding], std::move(text));
        findings_.findings[finding].ends_process = true;
        findings_.findings[finding].severity = Severity::Error;
        if (!cause_) cause_ = finding;
        return true;
    }

    template <class Which>
    std::optional<std::size_t> first_finding(Which which) const {
        const auto found = std::ranges::find_if(findings_.findings, which);
        if (found == findings_.findings.end()) return std::nullopt;
        return static_cast<std::size_t>(found - findings_.findings.begin());
    }

    /// What reaches where the process has crashed, or else what MPI has written to the process's
    /// memory and should not have.
    std::optional<std::size_t> cause_of_crash(model::ProcessId process,
                                              std::uint64_t address) const {
        const auto at = static_cast<std::int64_t>(address);
        const auto reaching = first_finding([&](const Finding& finding) {
            return finding.reaches && finding.reaches->process == process &&
                   finding.reaches->low <= at && at < finding.reaches->high;
        });
        if (reaching) return reaching;
        return first_finding([&](const Finding& finding) {
            return finding.spoils_memory && std::ranges::binary_search(finding.processes, process);
        });
    }

    bool report_crash(const Ending& ending, const model::Termination& end) {
        std::vector<Involved> calls;
        const CallSite* const inside = ending.open.empty() ? nullptr : &ending.open.front().site;
        if (end.stack) calls.push_back({place_of(*end.stack), "the crash"});
        if (inside != nullptr) {
            calls.push_back({*inside, "in this call"});
        } else if (ending.last) {
            calls.push_back({*ending.last, "the last call of MPI", false});
        }
        std::string text =
            title(ending) + " has crashed with " + model::signal_name(static_cast<int>(end.code));
        if (end.address != 0)
            text += " (address " + address_text(static_cast<std::int64_t>(end.address)) + ")";
        if (inside != nullptr) text += " in " + name(*inside);
        if (inside != nullptr && ending.open.front().cause)
            return blame(*ending.open.front().cause, text + ".");
        if (const auto wrong = cause_of_crash(ending.process, end.address))
            return blame(*wrong, text + ".");
        remember(reporter_.report(FindingClass::Abend, Severity::Error, ending.process, calls),
                 text + ".");
        return true;
    }

    /// The first of them is what the others' ends are consequences of.
    void remember(Finding* finding, std::string message) {
        if (finding == nullptr) return;
        finding->message = std::move(message);
        finding->ends_process = true;
        if (!cause_) cause_ = static_cast<std::size_t>(finding - findings_.findings.data());
    }

    void add_consequences(const Ending& ending) {
        if (!cause_ || ending.open.empty()) return;
        auto& consequences = findings_.findings[*cause_].consequences;
        if (consequences.size() >= kMaxConsequences) return;
        consequences.push_back(title(ending) + " was ended in " + name(ending.open.front().site) +
                               ".");
    }

    /// What ends the call, if no process of the run can be named.
    std::string_view awaited_by(const OpenCall& call) const {
        if (name(call.site) == "MPI_Comm_connect") return "MPI_Comm_accept of another process";
        if (name(call.site) == "MPI_Comm_accept") return "MPI_Comm_connect of another process";
        const bool generalized = !call.waits_for.empty() &&
                                 std::ranges::all_of(call.waits_for, [&](const CallSite& start) {
                                     return name(start) == "MPI_Grequest_start";
                                 });
        return generalized ? "MPI_Grequest_complete" : "";
    }

    void report_open_calls(const Ending& ending) {
        // The end of the record may be missing, and in it the return.
        if (process(ending).incomplete) return;
        const bool at_work = process(ending).termination.kind == Kind::Killed && was_at_work();
        for (const OpenCall& call : ending.open) {
            if (call.cause) continue;
            const FindingClass finding_class = call.receive ? FindingClass::UnfinishedReceive
                                               : call.send  ? FindingClass::UnfinishedSend
                                                            : FindingClass::IncompleteCall;
            std::vector<Involved> calls{{call.site}};
            for (const CallSite& start : call.waits_for)
                calls.push_back({start, "waited for", false});
            Finding* const finding = reporter_.report(
                finding_class, at_work ? Severity::Note : Severity::Error, ending.process, calls);
            if (finding == nullptr) continue;
            finding->message = name(call.site) + " has not returned.";
            if (at_work) finding->message += under_way_text(execution_);
            const std::string_view awaited = awaited_by(call);
            if (!awaited.empty()) finding->message += " It waits for " + std::string{awaited} + ".";
        }
    }

    void report_missing_finalize(const Ending& ending, bool broken) {
        const Kind kind = process(ending).termination.kind;
        if (!process(ending).termination.recorded) return;
        // MPI_Finalize ends no session (MPI 4.0, 11.3.1).
        const bool ended = kind == Kind::Exited || (kind == Kind::Finalized && ending.session);
        if (ended && ending.initialized && !ending.finalized && ending.open.empty()) {
            std::vector<Involved> calls;
            if (ending.session) calls.push_back({*ending.session, "begins the session"});
            const auto& stack = process(ending).termination.stack;
            if (stack) calls.push_back({place_of(*stack), "the end"});
            if (ending.last) calls.push_back({*ending.last, "the last call", !stack});
            Finding* const finding = reporter_.report(
                FindingClass::MissingFinalize, Severity::Error, ending.process, calls);
            if (finding != nullptr) {
                finding->message = title(ending) + " has ended without calling " +
                                   (ending.session ? "MPI_Session_finalize." : "MPI_Finalize.");
            }
        }
        // Ended from outside while it computed: by a user, a time limit, a batch system.
        const bool running = process(ending).termination.running;
        if (kind == Kind::Killed && !running && !broken && ending.open.empty() && ending.last) {
            Finding* const finding = reporter_.report(FindingClass::Abort,
                                                      Severity::Note,
                                                      ending.process,
                                                      {{*ending.last, "the last call", false}});
            if (finding != nullptr) {
                finding->message =
                    title(ending) + " was ended from outside, while it was not in MPI.";
            }
        }
    }

    const model::Execution& execution_;
    const std::vector<Ending>& endings_;
    Findings& findings_;
    Reporter& reporter_;
    std::optional<std::size_t> cause_;
};

}  // namespace

void report_endings(const model::Execution& execution,
                    const std::vector<Ending>& endings,
                    Findings& findings,
                    Reporter& reporter) {
    EndingReport(execution, endings, findings, reporter).report();
}

}  // namespace mqinspect::analysis
