/// A recorded run with what was found in it: what the reports of `mqinspect check` print.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/event_references.h"
#include "analysis/findings.h"
#include "analysis/run_profile.h"
#include "model/execution.h"
#include "model/job_snapshot.h"

namespace mqinspect::report {

/// A recorded stack with names and lines, innermost first.
struct ResolvedStack {
    std::vector<model::Frame> frames;
    /// The user's code that called MPI; frames.size() if it is not known.
    std::size_t user_frame = 0;
};

/// "image+0x1234"; empty if the image is not known.
std::string code_text(const model::Frame& frame);

struct StageTime {
    std::string name;
    double seconds = 0;
};

/// Borrows its parts.
struct CheckedRun {
    const model::Execution& execution;
    const analysis::Findings& findings;
    const analysis::RunProfile& profile;
    /// By StackId. Stacks that no finding, event or end of a process names may be empty.
    const std::vector<ResolvedStack>& stacks;
    std::vector<StageTime> stages;
    std::string folder;          ///< of the recording, as the user named it
    std::string version;         ///< of mqinspect
    std::size_t suppressed = 0;  ///< findings that the user does not want to see
    std::size_t known = 0;       ///< and those that the baseline has
    /// Null: the report does not need them.
    const analysis::EventReferences* references = nullptr;

    /// The user's code that called MPI; null if it is not known.
    const model::Frame* user_frame(model::StackId stack) const;
    /// The place in the user's code; line 0 and an empty file if it is not known.
    const model::SourceLocation& location(model::StackId stack) const;
    /// That place without its line: "function (image+0x1234)", or without the function where the
    /// image has no symbols; the innermost known place if none is the user's, else empty.
    std::string code_place(model::StackId stack) const;
    /// The call with its values; null: the recording does not hold it.
    const analysis::KeptCall* call(const analysis::InvolvedCall& call) const;
};

/// Its procedure's name; empty for a place that is no call.
std::string procedure_name(const CheckedRun& run, const analysis::InvolvedCall& call);
/// The same for the same cause in another run of a changed program: class, procedures, files and
/// functions, without lines and ranks.
std::string fingerprint_of(const CheckedRun& run, const analysis::Finding& finding);

/// Stable words for machines: "wrong_data_type", "error".
std::string identifier_of(analysis::FindingClass finding_class);
/// All of them.
std::vector<std::string> finding_identifiers();
/// Empty: there is none with this identifier.
std::optional<analysis::FindingClass> finding_class_of(std::string_view identifier);
std::string_view name_of(analysis::Severity severity);
/// "normal", "exit", "abend", "abort", "unknown".
std::string_view name_of(model::Termination::Kind kind);

/// The MPI library's name and version, as far as they stand on one line.
std::string library_text(const model::RecordedProcess& process);
/// "rank 3"; in a run of several worlds "rank 3 of world 1".
std::string rank_text(const model::Execution& execution, model::ProcessId process);
/// Of what the run has numbered.
template <class T>
bool is_subscript(const std::vector<T>& things, std::int64_t id) {
    return id >= 0 && static_cast<std::size_t>(id) < things.size();
}
/// "MPI_COMM_WORLD", "'ring'", "communicator 4 (MPI_Comm_split)".
std::string communicator_text(const model::Execution& execution, model::CommunicatorId id);
/// "0-3,7"; of an intercommunicator both groups: "0,1 | 2,3".
std::string members_text(const model::RecordedCommunicator& communicator);

}  // namespace mqinspect::report
