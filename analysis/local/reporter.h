/// Collects what the checks of single processes find: equal findings of the same call sites
/// become one with a count, and each process has a limit.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/findings.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// Where a call was made, for as long as somebody may ask. Cheap to copy.
struct CallSite {
    model::ProcedureId procedure{-1};
    model::StackId stack{-1};
    std::uint64_t event = 0;
    int thread = 0;
    bool returned = true;
    std::uint64_t leave_event = 0;  ///< if it has returned
};

inline CallSite site_of(const model::RecordedCall& call) {
    return {call.procedure,
            call.stack,
            call.event,
            call.thread,
            call.leave_event.has_value(),
            call.leave_event.value_or(0)};
}

/// True: the call is made by a function of the program's that MPI calls during the other call.
inline bool is_inside(const model::RecordedCall& call, const CallSite& outer) {
    return call.thread == outer.thread && call.event > outer.event &&
           (!outer.returned || call.event < outer.leave_event);
}

/// A call of a finding: the first one is the one to look at.
struct Involved {
    CallSite site;
    std::string_view part{};  ///< InvolvedCall::part
    bool anomalous = true;
    model::ProcessId process{-1};  ///< -1: the one that the finding is reported for
};

class Reporter {
public:
    /// All of them must outlive it.
    Reporter(const model::Execution& execution, const CheckOptions& options, Findings& findings);

    /// The new finding, whose message the caller writes; null where there is nothing to write:
    /// the same call sites have been reported before, which is counted, or the class is not
    /// wanted, or the limit is reached. The pointer is valid until the next call. `times`: how
    /// often it has happened.
    Finding* report(FindingClass finding_class,
                    Severity severity,
                    model::ProcessId process,
                    std::span<const Involved> calls,
                    std::uint64_t times = 1);
    Finding* report(FindingClass finding_class,
                    Severity severity,
                    model::ProcessId process,
                    std::initializer_list<Involved> calls,
                    std::uint64_t times = 1) {
        return report(
            finding_class, severity, process, std::span{calls.begin(), calls.size()}, times);
    }

    /// Of what the run has hidden.
    Severity of_hidden() const { return options_.strict ? Severity::Error : Severity::Warning; }

    /// What has been reported since forget_last, new or counted; empty: nothing. The first.
    std::optional<std::size_t> last() const { return last_; }
    void forget_last() { last_.reset(); }
    /// What goes wrong in this call follows from that finding.
    void follow(std::size_t finding) { last_ = finding; }

    /// Something was not looked at: Findings::unchecked.
    void unchecked(std::string reason);

private:
    struct Key {
        FindingClass finding_class{};
        std::vector<std::int64_t> sites;

        friend bool operator==(const Key&, const Key&) = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const;
    };

    bool wanted(FindingClass finding_class) const;
    void add_calls(Finding& finding, model::ProcessId process, std::span<const Involved> calls);
    static bool add_process(Finding& finding, model::ProcessId process);

    const CheckOptions& options_;
    Findings& findings_;
    std::unordered_map<Key, std::size_t, KeyHash> known_;
    std::vector<std::size_t> per_process_;
    std::optional<std::size_t> last_;  ///< subscript of Findings::findings
};

/// Of a process, as messages write it: "3".
std::string rank_number(const model::Execution& execution, model::ProcessId process);
/// "0x1000".
std::string address_text(std::int64_t address);
/// "1 byte", "40 bytes".
std::string bytes_text(std::int64_t bytes);

}  // namespace mqinspect::analysis
