/// The checks of one process, call by call.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "analysis/datatypes/footprint.h"
#include "analysis/local/buffers.h"
#include "analysis/local/endings.h"
#include "analysis/local/epochs.h"
#include "analysis/local/handles.h"
#include "analysis/local/lifecycle.h"
#include "analysis/local/overlaps.h"
#include "analysis/local/requests.h"

namespace mqinspect::analysis {

class ProcessCheck {
public:
    /// All of them must outlive it. `events`: those of this process.
    ProcessCheck(const model::Execution& execution,
                 const std::vector<LocalProcedure>& procedures,
                 const model::RecordedProcess& process,
                 std::span<const model::RecordedEvent* const> events,
                 Footprints& footprints,
                 Findings& findings,
                 Reporter& reporter);

    Ending run(model::CallStream& calls);

private:
    void check(const CallView& view);
    void apply_events(const CallView& view);
    const model::RecordedEvent* error_of(const CallView& view) const;
    bool check_arguments_of(const CallView& view, const CommunicatorShape& shape);
    void report_error(const CallView& view, const model::RecordedEvent* event, Finding* cause);
    const model::RecordedErrorCode* error_code(std::int64_t code) const;  ///< null: unknown
    /// What the error class of the call says that is wrong.
    FindingClass class_of_refusal(const CallView& view, const model::RecordedEvent* event) const;
    std::string error_text(std::int64_t code) const;
    void remember(const CallView& view);
    OpenCall open_call(const CallView& view) const;

    const model::Execution& execution_;
    const std::vector<LocalProcedure>& procedures_;
    const model::RecordedProcess& process_;
    std::span<const model::RecordedEvent* const> events_;
    Footprints& footprints_;
    Findings& findings_;
    Reporter& reporter_;

    CommunicatorShapes shapes_;
    Handles handles_;
    Overlaps overlaps_;
    Requests requests_;
    Epochs epochs_;
    Lifecycle lifecycle_;

    std::vector<Access> accesses_;
    std::size_t next_event_ = 0;
    /// What MPI's error handler was called for, by thread and event.
    std::map<std::pair<int, std::uint64_t>, const model::RecordedEvent*> errors_;
    Ending ending_;
};

}  // namespace mqinspect::analysis
