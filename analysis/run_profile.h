/// What a report tells of a recorded run beside the findings: numbers for each process and
/// procedure, where each process has come to, and the calls that findings are about.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "analysis/findings.h"
#include "model/execution.h"

namespace mqinspect::analysis {

/// Process, thread, RecordedCall::event.
using CallKey = std::tuple<model::ProcessId, int, std::uint64_t>;

/// A copy of a RecordedCall, with what its spans show.
struct KeptCall {
    model::RecordedCall call;  ///< its spans are empty
    /// By subscript in Procedure::parameters; a number is a list of one. `after` is empty for a
    /// call that has not returned. Long lists are cut.
    std::vector<std::vector<std::int64_t>> before;
    std::vector<std::vector<std::int64_t>> after;
    /// Which of the process's calls of this procedure from this stack it is, from 1; 0: unknown.
    std::uint64_t multiplicity = 0;
};

struct ProcedureUse {
    std::uint64_t calls = 0;
    std::int64_t ns = 0;  ///< from entry to return, of those that have returned
};

struct ProcessProfile {
    std::vector<ProcedureUse> procedures;  ///< by ProcedureId
    std::uint64_t calls = 0;
    std::uint64_t sends = 0;  ///< Sendrecv included; of persistent ones nothing
    std::uint64_t receives = 0;
    std::uint64_t collectives = 0;
    std::optional<KeptCall> last;  ///< of the entries
};

struct RunProfile {
    std::vector<ProcessProfile> processes;
    std::map<CallKey, KeptCall> involved;
};

KeptCall keep(const model::Procedure& procedure,
              const model::RecordedCall& call,
              std::uint64_t multiplicity);

/// Reads the run once, on all processors.
RunProfile profile(const model::Recording& recording, const Findings& findings);

}  // namespace mqinspect::analysis
