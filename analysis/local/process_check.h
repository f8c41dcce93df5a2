/// The checks of one process, call by call.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "analysis/datatypes/footprint.h"
#include "analysis/datatypes/signature.h"
#include "analysis/local/attachments.h"
#include "analysis/local/buffers.h"
#include "analysis/local/dead_frames.h"
#include "analysis/local/declared_buffers.h"
#include "analysis/local/declared_lists.h"
#include "analysis/local/duplicates.h"
#include "analysis/local/endings.h"
#include "analysis/local/epochs.h"
#include "analysis/local/file_elements.h"
#include "analysis/local/fortran_kinds.h"
#include "analysis/local/handles.h"
#include "analysis/local/heap_blocks.h"
#include "analysis/local/info_promises.h"
#include "analysis/local/lifecycle.h"
#include "analysis/local/origins.h"
#include "analysis/local/overlaps.h"
#include "analysis/local/probe_races.h"
#include "analysis/local/refusals.h"
#include "analysis/local/requests.h"
#include "analysis/local/sound_calls.h"
#include "analysis/local/split_collectives.h"
#include "analysis/local/status_types.h"

namespace mqinspect::analysis {

class ProcessCheck {
public:
    /// All of them must outlive it. `events`: those of this process. `attachments` is shown each
    /// call before run() reads it.
    ProcessCheck(const model::Execution& execution,
                 const std::vector<LocalProcedure>& procedures,
                 const model::RecordedProcess& process,
                 std::span<const model::RecordedEvent* const> events,
                 Footprints& footprints,
                 const TypeSignatures& signatures,
                 const Attachments& attachments,
                 const CheckOptions& options,
                 Findings& findings,
                 Reporter& reporter);

    Ending run(model::CallStream& calls);

private:
    void check(const CallView& view);
    bool is_of_file_library(const CallView& view);
    void check_buffers(const CallView& view, bool right);
    void use_requests(const CallView& view);
    void check_plain(const CallView& view,
                     const model::RecordedEvent* error,
                     bool refused,
                     bool wrong);
    /// What the checks of later calls, and of the end, need to know.
    void note_outcome(const CallView& view);
    void note_return(model::StackId stack);
    /// A call with this stack has come to its end.
    bool has_returned_from(model::StackId stack) const;
    /// Reported, and after MPI_Finalize.
    void note_late(const CallView& view);
    /// What calls before this one have begun or promised. `wrong`: it is an error by itself.
    void check_with_earlier_calls(const CallView& view, bool wrong);
    /// Reports communication inside of a reduction function, which must not do that.
    void check_operator_function(const CallView& view);
    void apply_events(const CallView& view);
    /// EventKind::Overwritten, noted in front of the call `next`.
    void apply_change(const model::RecordedEvent& event, const CallSite& next);
    /// EventKind::MemoryFreed.
    void check_freed(const model::RecordedEvent& event, const CallSite& next);
    void check_user_data(const CallView& view, const model::RecordedEvent& event);
    /// How wrong the arguments are, if at all.
    std::optional<Severity> check_arguments_of(const CallView& view,
                                               const CommunicatorShape& shape);

    // refused_calls.cpp
    const model::RecordedEvent* error_of(const CallView& view) const;
    /// As a consequence of what has been found wrong with the call, if something has.
    /// `generalized`: it was given generalized requests alone.
    void report_error(const CallView& view, const model::RecordedEvent* event, bool generalized);
    Finding* report_refusal(const CallView& view,
                            const model::RecordedEvent* event,
                            bool generalized);
    static std::int64_t error_code_of(const CallView& view, const model::RecordedEvent* event);
    std::string refusal_text(const CallView& view, const model::RecordedEvent* event) const;
    const model::RecordedErrorCode* error_code(std::int64_t code) const;  ///< null: unknown
    /// "MPI_ERR_TAG"; empty: not known.
    std::string_view error_class_of(const CallView& view, const model::RecordedEvent* event) const;
    /// What the error class of the call says that is wrong.
    FindingClass class_of_refusal(const CallView& view, const model::RecordedEvent* event) const;
    Severity severity_of_refusal(const CallView& view, const model::RecordedEvent* event) const;
    std::string error_text(std::int64_t code) const;

    void remember(const CallView& view);
    OpenCall open_call(const CallView& view) const;

    const model::Execution& execution_;
    const std::vector<LocalProcedure>& procedures_;
    const model::RecordedProcess& process_;
    std::span<const model::RecordedEvent* const> events_;
    Footprints& footprints_;
    const TypeSignatures& signatures_;
    const Attachments& attachments_;
    Findings& findings_;
    Reporter& reporter_;

    CommunicatorShapes shapes_;
    Handles handles_;
    SoundCalls sound_;
    DeclaredBuffers declared_;
    DeclaredLists declared_lists_;
    FortranKinds fortran_kinds_;
    HeapBlocks heap_blocks_;
    DeadFrames frames_;
    Overlaps overlaps_;
    Requests requests_;
    Duplicates duplicates_;
    Epochs epochs_;
    InfoPromises info_promises_;
    Origins origins_;
    Refusals refusals_;
    SplitCollectives split_collectives_;
    FileElements file_elements_;
    ProbeRaces probe_races_;
    StatusTypes status_types_;
    Lifecycle lifecycle_;

    std::vector<Access> accesses_;
    std::size_t next_event_ = 0;
    /// EventKind::Overwritten, in front of the call after which they are to be looked at again.
    std::vector<const model::RecordedEvent*> meanwhile_;
    std::vector<bool> returned_from_;     ///< by StackId
    std::map<int, CallSite> file_calls_;  ///< the last one on a file, by thread
    /// The last one that reduces with an operator of the program's own, by thread.
    std::map<int, CallSite> reductions_;
    std::optional<CallSite> finalize_;  ///< the first call of MPI_Finalize
    /// What MPI's error handler was called for, by thread and event.
    std::map<std::pair<int, std::uint64_t>, const model::RecordedEvent*> errors_;
    std::map<std::int64_t, std::int64_t> user_data_;  ///< checksums, by address
    /// Calls that gave memory to MPI which the program has freed: thread, event.
    std::set<std::pair<int, std::uint64_t>> freed_;
    Ending ending_;
};

}  // namespace mqinspect::analysis
