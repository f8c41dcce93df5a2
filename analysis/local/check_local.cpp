#include "analysis/local/check_local.h"

#include <vector>

#include "analysis/local/file_conflicts.h"
#include "analysis/local/process_check.h"
#include "analysis/local/rma_conflicts.h"

namespace mqinspect::analysis {

namespace {

EventsByProcess events_by_process(const model::Execution& execution) {
    EventsByProcess result(execution.processes.size());
    for (const model::RecordedEvent& event : execution.events) {
        if (event.process.value >= 0 && event.process.index() < result.size())
            result[event.process.index()].push_back(&event);
    }
    return result;
}

}  // namespace

void check_local(const model::Recording& recording,
                 const CheckOptions& options,
                 Findings& findings) {
    const model::Execution& execution = recording.execution();
    const std::vector<LocalProcedure> procedures = local_procedures(execution);
    Footprints footprints{execution};
    const TypeSignatures signatures{execution};
    Reporter reporter{execution, options, findings};
    const EventsByProcess events = events_by_process(execution);
    std::vector<Ending> endings;
    for (const model::RecordedProcess& process : execution.processes) {
        ProcessCheck check{execution,
                           procedures,
                           process,
                           events[process.id.index()],
                           footprints,
                           signatures,
                           findings,
                           reporter};
        const auto calls = recording.calls(process.id);
        endings.push_back(check.run(*calls));
    }
    check_rma_conflicts(recording, procedures, events, footprints, reporter);
    check_file_conflicts(recording, procedures, footprints, reporter);
    report_endings(execution, endings, findings, reporter);
}

}  // namespace mqinspect::analysis
