#include "analysis/local/info_promises.h"

#include <algorithm>
#include <array>

namespace mqinspect::analysis {

using model::Role;

namespace {

constexpr std::string_view kNoLocks = "no_locks";
constexpr std::string_view kNoAnySource = "mpi_assert_no_any_source";
constexpr std::string_view kNoAnyTag = "mpi_assert_no_any_tag";
constexpr std::string_view kSameSize = "same_size";
constexpr std::string_view kSameUnit = "same_disp_unit";
constexpr std::array kKeys = {kNoLocks, kNoAnySource, kNoAnyTag, kSameSize, kSameUnit};

}  // namespace

void InfoPromises::check(const CallView& view) {
    if (view.local.info) return follow(view);
    if (infos_.empty() && promises_.empty()) return;
    if (view.named("info") != nullptr && view.succeeded()) give(view);
    if (promises_.empty()) return;
    if (view.local.frees) take_back(view);
    const WindowAction action = view.local.window;
    if (action == WindowAction::Lock || action == WindowAction::LockAll) {
        return keep(view,
                    {HandleKind::Window, view.number(Role::Window, model::kNullHandle)},
                    kNoLocks,
                    "locks a window of which the info key no_locks says that nobody does");
    }
    const Object communicator{HandleKind::Communicator,
                              view.number(Role::Communicator, model::kNullHandle)};
    if (view.number(Role::Source) == model::kAnySource) {
        keep(view,
             communicator,
             kNoAnySource,
             "is given MPI_ANY_SOURCE on a communicator of which the info key "
             "mpi_assert_no_any_source says that it is not used");
    }
    const model::Role tag = view.in(Role::ReceiveTag) != nullptr ? Role::ReceiveTag : Role::Tag;
    if (view.in(Role::Source) != nullptr && view.number(tag) == model::kAnyTag) {
        keep(view,
             communicator,
             kNoAnyTag,
             "is given MPI_ANY_TAG on a communicator of which the info key mpi_assert_no_any_tag "
             "says that it is not used");
    }
}

std::string InfoPromises::text(const CallView& view, std::string_view parameter) const {
    return text_of(execution_, view.named(parameter));
}

void InfoPromises::follow(const CallView& view) {
    const model::Value* const info = view.named("info");
    if (info == nullptr || !view.succeeded()) return;
    if (view.name() == "MPI_Info_set") {
        const std::string key = text(view, "key");
        if (std::ranges::find(kKeys, key) != kKeys.end())
            infos_[info->number].insert_or_assign(key, text(view, "value"));
    } else if (view.name() == "MPI_Info_delete") {
        const auto found = infos_.find(info->number);
        if (found != infos_.end()) found->second.erase(text(view, "key"));
    } else if (view.name() == "MPI_Info_free") {
        infos_.erase(info->number);
    } else if (view.name() == "MPI_Info_dup") {
        for (const LocalProcedure::Handle& handle : view.local.handles) {
            const auto at = static_cast<std::size_t>(handle.at);
            const auto found = infos_.find(info->number);
            if (!handle.out || found == infos_.end() || at >= view.call.after.size()) continue;
            const Keys copied = found->second;
            infos_[view.call.after[at].number] = copied;
        }
    }
}

void InfoPromises::give(const CallView& view) {
    const auto keys = infos_.find(view.named("info")->number);
    if (keys == infos_.end()) return;
    const bool later = view.name().ends_with("_set_info");
    for (const LocalProcedure::Handle& handle : view.local.handles) {
        const auto at = static_cast<std::size_t>(handle.at);
        const bool receives = later ? handle.in : handle.out;
        const auto& values = later ? view.call.before : view.call.after;
        if (!receives || at >= values.size() || values[at].number < 0) continue;
        if (handle.kind != HandleKind::Window && handle.kind != HandleKind::Communicator) continue;
        if (handle.kind == HandleKind::Window && !later)
            check_parts(view, values[at].number, keys->second);
        for (const auto& [key, value] : keys->second) {
            auto& promises = promises_[{handle.kind, values[at].number}];
            if (value == "true") {
                promises.insert_or_assign(key, site_of(view.call));
            } else {
                promises.erase(key);
            }
        }
    }
}

void InfoPromises::check_parts(const CallView& view, std::int64_t id, const Keys& keys) {
    if (static_cast<std::size_t>(id) >= execution_.windows.size()) return;
    const model::RecordedWindow& window = execution_.windows[static_cast<std::size_t>(id)];
    if (window.is_dynamic() || window.parts.empty()) return;
    const auto all_equal = [&](auto member) {
        return std::ranges::all_of(window.parts, [&](const model::RecordedWindow::Part& part) {
            return part.*member == window.parts.front().*member;
        });
    };
    const auto promises = [&](std::string_view key) {
        const auto found = keys.find(key);
        return found != keys.end() && found->second == "true";
    };
    using Part = model::RecordedWindow::Part;
    const bool size = promises(kSameSize) && !all_equal(&Part::bytes);
    const bool unit = promises(kSameUnit) && !all_equal(&Part::displacement_unit);
    if (!size && !unit) return;
    Finding* const finding = reporter_.report(
        FindingClass::InvalidArgument, Severity::Error, process_, {{site_of(view.call)}});
    if (finding == nullptr) return;
    finding->message =
        view.name() + " is given the info key " + std::string{size ? kSameSize : kSameUnit} +
        ", but not all processes give the same " + (size ? "size." : "displacement unit.");
}

/// With the object the promise ends.
void InfoPromises::take_back(const CallView& view) {
    for (const LocalProcedure::Handle& handle : view.local.handles) {
        const auto at = static_cast<std::size_t>(handle.at);
        if (handle.in && at < view.call.before.size())
            promises_.erase({handle.kind, view.call.before[at].number});
    }
}

void InfoPromises::keep(const CallView& view,
                        Object object,
                        std::string_view key,
                        std::string_view broken) {
    const auto found = promises_.find(object);
    if (found == promises_.end()) return;
    const auto promise = found->second.find(key);
    if (promise == found->second.end()) return;
    const bool lock = view.local.window != WindowAction::None;
    Finding* const finding =
        reporter_.report(lock ? FindingClass::EpochError : FindingClass::InvalidArgument,
                         Severity::Error,
                         process_,
                         {{site_of(view.call)}, {promise->second, "promises it", false}});
    if (finding != nullptr) finding->message = view.name() + " " + std::string{broken} + ".";
}

}  // namespace mqinspect::analysis
