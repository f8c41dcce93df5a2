// Calls of an imported process that are about windows, from the records of OTF2.
#include <algorithm>

#include "model/execution.h"

#include "trace_io/otf2/definitions.h"
#include "trace_io/otf2/event_import.h"
#include "trace_io/otf2/import_layouts.h"

namespace mqinspect::trace_io {
namespace {

using Kind = ImportedEvent::Kind;

/// The first one of these kinds.
const ImportedEvent* find(const std::vector<ImportedEvent>& events,
                          std::initializer_list<Kind> kinds) {
    const auto found = std::ranges::find_if(events, [&](const ImportedEvent& event) {
        return std::ranges::find(kinds, event.kind) != kinds.end();
    });
    return found == events.end() ? nullptr : &*found;
}

}  // namespace

bool ProcessImport::write_window(const Call& call, std::string_view name, std::uint64_t leave) {
    if (is_access(name)) return write_access(call, name, leave);
    const ImportedParameters parameters = window_parameters(name);
    if (parameters.empty()) return false;
    Values values;
    if (!take_window(call, name, values)) return false;
    write(call, call.name, parameters, values, leave);
    return true;
}

bool ProcessImport::write_access(const Call& call, std::string_view name, std::uint64_t leave) {
    const ImportedEvent* const event = find(call.events, {Kind::Access});
    if (event == nullptr || untold_epochs_) return false;
    Values values;
    values["win"] = window(event->window);
    values["target_rank"] = event->peer;
    // Of other tools nobody knows where the request is completed.
    values["request"] = std::int64_t{model::kNullHandle};
    const auto own = access_requests_.find(event->request);
    if (own != access_requests_.end()) values["request"] = new_request(own->second);
    if (std::get<std::int64_t>(values["win"]) < 0) return false;
    write(call, call.name, window_parameters(name), values, leave);
    return true;
}

// False: the records do not say what the call needs.
bool ProcessImport::take_window(const Call& call, std::string_view name, Values& values) const {
    const ImportedEvent* event = nullptr;
    if (name == "Win_free") {
        event = find(call.events, {Kind::WinDestroy});
    } else if (name == "Win_fence") {
        event = find(call.events, {Kind::WinCollectiveEnd});
    } else if (name.starts_with("Win_lock")) {
        event = find(call.events, {Kind::Lock});
        if (event != nullptr)
            values["lock_type"] = event->tag == OTF2_LOCK_SHARED ? kSharedLock : kExclusiveLock;
    } else if (name.starts_with("Win_unlock")) {
        event = find(call.events, {Kind::Unlock});
    } else if (name.starts_with("Win_flush")) {
        event = find(call.events, {Kind::AccessDone});
        if (event != nullptr && !name.ends_with("_all")) {
            const auto target = targets_.find(event->request);
            if (target == targets_.end()) return false;
            values["rank"] = target->second;
        }
    } else if (window_parameters(name).size() == 2 && name != "Win_test") {
        event = find(call.events, {Kind::WinCreate});
        if (event == nullptr || window(event->window) < 0) return false;
        values["comm"] = communicator(definitions_.windows.at(event->window).communicator);
    } else {
        event = find(call.events, {Kind::GroupSync});
        if (event != nullptr && !take_group(*event, values)) return false;
    }
    const std::int64_t id = event == nullptr ? model::kNullHandle : window(event->window);
    values["win"] = id;
    if (name == "Win_lock" || name == "Win_unlock") {
        const bool nobody = event == nullptr || event->peer >= OTF2_UNDEFINED_UINT32;
        values["rank"] = nobody ? std::int64_t{model::kProcNull} : event->peer;
    }
    return id >= 0;
}

bool ProcessImport::take_group(const ImportedEvent& event, Values& values) const {
    values["flag"] = std::int64_t{event.tag != OTF2_RMA_SYNC_LEVEL_NONE ? 1 : 0};
    const auto group = definitions_.groups.find(event.group);
    if (group == definitions_.groups.end()) return false;
    LoggedList members;
    for (const std::uint64_t member : group->second.members) {
        if (member >= ranks_.size()) return false;
        members.push_back(static_cast<std::int64_t>(member));
    }
    values["group"] = std::move(members);
    return true;
}

}  // namespace mqinspect::trace_io
