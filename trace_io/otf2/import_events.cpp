// What our own export tells by a parameter: errors of MPI, signals, the end of the process.
#include <algorithm>
#include <sstream>

#include "model/execution.h"

#include "trace_io/otf2/definitions.h"
#include "trace_io/otf2/event_import.h"

namespace mqinspect::trace_io {

using model::EventKind;

void ProcessImport::tell(std::uint64_t time,
                         OTF2_ParameterRef parameter,
                         OTF2_StringRef text,
                         OTF2_AttributeList* attributes) {
    const auto found = definitions_.parameters.find(parameter);
    if (found == definitions_.parameters.end() ||
        definitions_.text(found->second) != kEventParameter)
        return;
    last_ns_ = std::max(last_ns_, nanoseconds(time));
    const ToldEvent event{last_ns_, text, stack_of(attributes)};
    if (!calls_.empty()) {
        calls_.back().told.push_back(event);
    } else {
        write_told(event);
    }
}

// The error code that the call returns which it belongs to.
std::int64_t ProcessImport::write_told(const ToldEvent& event) {
    std::istringstream words(definitions_.text(event.text));
    std::string word;
    std::int64_t code = 0;
    if (!(words >> word >> code)) return 0;
    if (word == kExitWord || word == kAbortWord) {
        const EventKind kind = word == kExitWord ? EventKind::Exit : EventKind::Abort;
        LogFields fields;
        fields.number(code);
        if (word == kExitWord) fields.number(event.stack);
        log_.event(thread_, kind, event.time, fields);
    }
    if (word == kSignalWord) {
        std::int64_t reason = 0;
        std::int64_t address = 0;
        words >> reason >> address;
        LogFields fields;
        fields.number(code).number(reason).number(address);
        log_.event(thread_, EventKind::Signal, event.time, fields.number(event.stack));
    }
    if (word != kErrorWord && word != kReturnedWord) return 0;
    std::string name;
    std::string message;
    words >> name;
    std::getline(words >> std::ws, message);
    if (error_codes_.insert(code).second) {
        log_.define(model::DefinitionKind::ErrorCode,
                    LogFields().number(code).text(name).text(message));
    }
    if (word == kErrorWord) {
        LogFields fields;
        log_.event(thread_,
                   EventKind::MpiError,
                   event.time,
                   fields.number(code).number(code).text(message));
    }
    return code;
}

}  // namespace mqinspect::trace_io
