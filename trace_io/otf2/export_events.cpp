// What is neither a call nor an operation: errors of MPI, signals, the end of the process.
#include <algorithm>

#include <fmt/format.h>

#include "trace_io/otf2/event_export.h"

namespace mqinspect::trace_io {

void EventExport::write_text(Thread& thread, OTF2_StringRef text) {
    status_.take(
        OTF2_EvtWriter_ParameterString(thread.writer, attributes_, thread.last, kEventRef, text));
}

// Those that belong before the entry or return of this number.
void EventExport::write_events(Thread& thread, std::uint64_t before) {
    while (!thread.events.empty() && thread.events.front()->event < before) {
        const model::RecordedEvent& event = *thread.events.front();
        thread.events.pop_front();
        std::string text;
        if (event.kind == model::EventKind::MpiError && event.numbers.size() == 2) {
            text = text_of(kErrorWord, event.numbers[0], event.text);
        } else if (event.kind == model::EventKind::Exit) {
            text = fmt::format("{} {}", kExitWord, event.numbers[0]);
        } else if (event.kind == model::EventKind::Abort) {
            text = fmt::format("{} {}", kAbortWord, event.numbers[0]);
        } else if (event.kind == model::EventKind::Signal) {
            text = fmt::format("{} {}", kSignalWord, fmt::join(event.numbers, " "));
        }
        if (text.empty()) continue;
        const auto time = static_cast<std::uint64_t>(std::max<std::int64_t>(event.time_ns, 0));
        thread.last = std::max(thread.last, time);
        const OTF2_CallingContextRef stack =
            event.stack ? definitions_.context(*event.stack) : OTF2_UNDEFINED_CALLING_CONTEXT;
        if (stack != OTF2_UNDEFINED_CALLING_CONTEXT)
            status_.take(OTF2_AttributeList_AddCallingContextRef(attributes_, kStackRef, stack));
        write_text(thread, definitions_.text(text));
    }
}

std::string EventExport::text_of(std::string_view word,
                                 std::int64_t code,
                                 const std::string& text) const {
    const model::RecordedErrorCode* const known = execution_.error_code(process_, code);
    const std::string name = known != nullptr ? known->error_class : "MPI_ERR_UNKNOWN";
    return fmt::format("{} {} {} {}", word, code, name, text);
}

// Of an error that the call returns, which no handler was called for.
OTF2_StringRef EventExport::refused(const model::RecordedCall& call) {
    if (call.error_code == 0 || !call.leave_event) return OTF2_UNDEFINED_STRING;
    const model::RecordedErrorCode* const known = execution_.error_code(process_, call.error_code);
    return definitions_.text(
        text_of(kReturnedWord, call.error_code, known != nullptr ? known->text : ""));
}

}  // namespace mqinspect::trace_io
