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

/// Shows the calls to `attachments` as they are read.
class ShownCalls : public model::CallStream {
public:
    ShownCalls(model::CallStream& calls,
               const std::vector<LocalProcedure>& procedures,
               Attachments& attachments)
        : calls_(calls), procedures_(procedures), attachments_(attachments) {}

    bool next(model::RecordedCall& call) override {
        if (!calls_.next(call)) return false;
        if (call.procedure.value >= 0 && call.procedure.index() < procedures_.size())
            attachments_.read({call, procedures_[call.procedure.index()]});
        return true;
    }

private:
    model::CallStream& calls_;
    const std::vector<LocalProcedure>& procedures_;
    Attachments& attachments_;
};

}  // namespace

void check_local(const model::Recording& recording,
                 const CheckOptions& options,
                 Findings& findings) {
    const model::Execution& execution = recording.execution();
    const std::vector<LocalProcedure> procedures = local_procedures(execution);
    Footprints footprints{execution};
    const TypeSignatures signatures{execution};
    Reporter reporter{execution, options, findings};
    Attachments attachments{execution, footprints, reporter};
    const EventsByProcess events = events_by_process(execution);
    std::vector<Ending> endings;
    for (const model::RecordedProcess& process : execution.processes) {
        ProcessCheck check{execution,
                           procedures,
                           process,
                           events[process.id.index()],
                           footprints,
                           signatures,
                           attachments,
                           options,
                           findings,
                           reporter};
        const auto calls = recording.calls(process.id);
        if (attachments.wanted()) {
            ShownCalls shown{*calls, procedures, attachments};
            endings.push_back(check.run(shown));
        } else {
            endings.push_back(check.run(*calls));
        }
    }
    check_rma_conflicts(recording, procedures, events, footprints, attachments, reporter);
    check_file_conflicts(recording, procedures, footprints, reporter);
    report_endings(execution, endings, findings, reporter);
}

}  // namespace mqinspect::analysis
