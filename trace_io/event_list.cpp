#include "trace_io/event_list.h"

#include <utility>

namespace mqinspect::trace_io {

using model::EventKind;
using model::RecordedEvent;

void EventList::fold(const void* call, const void* before) {
    std::size_t end = waiting_;
    for (std::size_t at = waiting_; at < events_.size(); ++at) {
        const RecordedEvent& event = events_[at];
        if (event.kind == EventKind::Overwritten && !keep(event, call, before, end)) continue;
        if (end != at) events_[end] = std::move(events_[at]);
        ++end;
    }
    events_.resize(end);
    waiting_ = end;
}

/// Where the program has done it is not known of a change that was seen by comparing: all that
/// such a change says is between which calls it was, and of what.
bool EventList::keep(const RecordedEvent& event,
                     const void* call,
                     const void* before,
                     std::size_t place) {
    const bool full = changes_ == kMostChanges;
    if (!event.stack && event.numbers.size() >= 3) {
        const std::int64_t argument = event.numbers.size() > 3 ? event.numbers[3] : 0;
        const Key key{call, before, event.numbers[1], event.numbers[2], argument};
        const auto known = kept_.find(key);
        if (known != kept_.end() && known->second.number == kMostEqual) {
            ++events_[known->second.last].count;
            return false;
        }
        if (!full) {
            Kept& equal = kept_[key];
            equal = {equal.number + 1, place};
        }
    }
    if (full) {
        left_out_ = true;
    } else {
        ++changes_;
    }
    return !full;
}

}  // namespace mqinspect::trace_io
