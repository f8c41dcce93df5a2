/// What a report tells of a recorded run beside the findings: numbers for each process and
/// procedure, where each process has come to, and the calls that findings are about.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
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

/// The same recording, which counts for a profile while it is read for something else, so that
/// the numbers do not take a pass of their own. Borrows the other one.
class ProfiledRecording : public model::Recording {
public:
    explicit ProfiledRecording(const model::Recording& recording);
    ProfiledRecording(const ProfiledRecording&) = delete;
    ProfiledRecording& operator=(const ProfiledRecording&) = delete;
    ~ProfiledRecording() override;

    const model::Execution& execution() const override { return recording_.execution(); }
    std::unique_ptr<model::CallStream> calls(model::ProcessId process) const override;

    /// What has been counted, and what has not been read to its end until now: that is read, on
    /// all processors. So are the processes of the findings, up to the last call of theirs.
    /// Precondition: no stream is open.
    RunProfile profile(const Findings& findings) const;

private:
    class Stream;
    struct Numbers;
    /// Of one process. The first stream that is open counts.
    struct Count {
        std::atomic<bool> taken{false};
        std::unique_ptr<Numbers> numbers;  ///< of a stream that was read to its end
    };

    void count_missing() const;

    const model::Recording& recording_;
    mutable std::vector<Count> counts_;  ///< by process
};

/// Reads the run for nothing else.
inline RunProfile profile(const model::Recording& recording, const Findings& findings) {
    return ProfiledRecording(recording).profile(findings);
}

}  // namespace mqinspect::analysis
