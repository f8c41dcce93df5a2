#include "analysis/local/epochs.h"

#include <algorithm>

namespace mqinspect::analysis {

using model::Role;

FenceAssertions fence_assertions(const model::Execution& execution, std::int64_t assertion) {
    const std::int64_t precedes = execution.constant("MPI_MODE_NOPRECEDE", 8192);
    const std::int64_t succeeds = execution.constant("MPI_MODE_NOSUCCEED", 16384);
    return {(assertion & precedes) != 0, (assertion & succeeds) != 0};
}

void Epochs::report(Window& window,
                    const CallSite& site,
                    const CallSite* other,
                    std::string message,
                    std::string_view part) {
    window.reported = true;
    std::vector<Involved> calls{{site}};
    if (other != nullptr) calls.push_back({*other, part, false});
    Finding* const finding =
        reporter_.report(FindingClass::EpochError, Severity::Error, process_, calls);
    if (finding != nullptr) finding->message = std::move(message);
}

void Epochs::on_call(const CallView& view, const std::vector<Access>& accesses) {
    const std::int64_t id = view.number(Role::Window, model::kNullHandle);
    if (id < 0) return;
    Window& window = windows_[id];
    const WindowAction action = view.local.window;
    const bool opens = action == WindowAction::Start || action == WindowAction::Post ||
                       action == WindowAction::Lock || action == WindowAction::LockAll;
    // Of a call that MPI has refused nobody knows whether it has begun an epoch.
    window.reported = window.reported || (opens && view.call.error_code != 0);
    const std::int64_t target = view.number(Role::TargetRank, model::kProcNull);
    switch (view.local.window) {
        case WindowAction::Fence:
            return fence(view, window);
        case WindowAction::Start:
            return start(view, window);
        case WindowAction::Complete:
            complete(window, std::nullopt);
            return close(view, window, window.start, "MPI_Win_start");
        case WindowAction::Post:
            if (window.post) {
                report(window,
                       site_of(view.call),
                       &*window.post,
                       "MPI_Win_post opens an exposure epoch while one is open.");
            }
            check_locked_here(view, window);
            window.post = site_of(view.call);
            return;
        case WindowAction::Wait:
            return close(view, window, window.post, "MPI_Win_post");
        case WindowAction::Test:
            if (!window.post || view.result(Role::Flag) != 0)
                close(view, window, window.post, "MPI_Win_post");
            return;
        case WindowAction::Lock:
        case WindowAction::LockAll:
            return lock(view, window);
        case WindowAction::Unlock: {
            complete(window, target);
            const auto held = window.locks.find(target);
            if (held != window.locks.end()) {
                window.locks.erase(held);
            } else if (target != model::kProcNull) {
                report(window,
                       site_of(view.call),
                       nullptr,
                       "MPI_Win_unlock is called for target " + std::to_string(target) +
                           ", which is not locked by MPI_Win_lock.");
            }
            return;
        }
        case WindowAction::UnlockAll:
            complete(window, std::nullopt);
            return close(view, window, window.lock_all, "MPI_Win_lock_all");
        case WindowAction::Flush:
        case WindowAction::FlushLocal:
            return flush(view, window, target);
        case WindowAction::FlushAll:
        case WindowAction::FlushLocalAll:
            return flush(view, window, std::nullopt);
        case WindowAction::Access:
            return access(view, window, accesses);
        case WindowAction::Free:
            check_closed(window, site_of(view.call), "MPI_Win_free is called");
            complete(window, std::nullopt);
            if (view.succeeded()) windows_.erase(id);
            return;
        case WindowAction::Sync:
        case WindowAction::None:
            return;
    }
}

void Epochs::close(const CallView& view,
                   Window& window,
                   std::optional<CallSite>& epoch,
                   std::string_view opened_by) {
    if (!epoch) {
        report(window,
               site_of(view.call),
               nullptr,
               view.name() + " closes an epoch that no " + std::string{opened_by} + " has opened.");
    }
    epoch.reset();
}

void Epochs::complete(Window& window, std::optional<std::int64_t> target) {
    std::erase_if(window.pending, [&](const Pending& pending) {
        if (target && pending.target != *target) return false;
        overlaps_.active().remove(pending.buffers);
        return true;
    });
}

bool Epochs::overlaps_other(const CallView& view, Window& window, bool with_start) {
    const CallSite* const other = !window.locks.empty()             ? &window.locks.begin()->second
                                  : window.lock_all                 ? &*window.lock_all
                                  : with_start && window.start      ? &*window.start
                                  : window.fence && window.accessed ? &*window.fence
                                                                    : nullptr;
    if (other == nullptr) return false;
    const std::string& opened = execution_.procedures[other->procedure.index()].name;
    report(window,
           site_of(view.call),
           other,
           view.name() + " begins an epoch while that of " + opened + " is open.");
    return true;
}

void Epochs::fence(const CallView& view, Window& window) {
    const CallSite site = site_of(view.call);
    const FenceAssertions assertions = fence_assertions(execution_, view.number(Role::Assertion));
    // Operations since the fence before are what this one is for.
    const std::optional<CallSite> accessed = window.accessed;
    window.accessed.reset();
    overlaps_other(view, window, true);
    if (assertions.nothing_precedes && accessed) {
        report(window,
               site,
               &*accessed,
               "MPI_Win_fence asserts with MPI_MODE_NOPRECEDE that it completes nothing, but there "
               "were operations before it.");
    }
    complete(window, std::nullopt);
    window.fence.reset();
    if (!assertions.nothing_succeeds) window.fence = site;
}

void Epochs::start(const CallView& view, Window& window) {
    overlaps_other(view, window, true);
    window.start = site_of(view.call);
    // Without operations the last fence has opened nothing.
    window.fence.reset();
    window.accessed.reset();
    window.started.clear();
    if (const model::Value* const group = view.in(Role::Group))
        window.started.assign(group->list.begin(), group->list.end());
}

void Epochs::lock(const CallView& view, Window& window) {
    const CallSite site = site_of(view.call);
    const bool all = view.local.window == WindowAction::LockAll;
    const std::int64_t target = view.number(Role::TargetRank, model::kProcNull);
    if (!all && target == model::kProcNull) return;
    const auto held = window.locks.find(target);
    if (!all && held != window.locks.end()) {
        report(window,
               site,
               &held->second,
               "MPI_Win_lock is called for target " + std::to_string(target) +
                   ", which this process has locked already.");
    } else if (window.lock_all || window.start || (window.fence && window.accessed) ||
               (all && !window.locks.empty())) {
        overlaps_other(view, window, true);
    } else if (window.post && (all || target == own_rank(view))) {
        report(window,
               site,
               &*window.post,
               view.name() +
                   " locks this process's own part of the window while MPI_Win_post "
                   "exposes it: a window must not be locked and exposed at the same "
                   "time.",
               "exposes it");
    }
    window.fence.reset();
    window.accessed.reset();
    if (all) {
        window.lock_all = site;
    } else {
        window.locks[target] = site;
    }
}

void Epochs::flush(const CallView& view, Window& window, std::optional<std::int64_t> target) {
    complete(window, target);
    const bool open =
        window.lock_all || (target ? window.locks.count(*target) != 0 : !window.locks.empty());
    if (open || (target && *target == model::kProcNull)) return;
    report(window,
           site_of(view.call),
           nullptr,
           view.name() + " is called outside of an epoch of MPI_Win_lock or MPI_Win_lock_all" +
               (target ? " for target " + std::to_string(*target) : std::string{}) + ".");
}

/// In front of MPI_Win_post (MPI 4.0, 12.5.3).
void Epochs::check_locked_here(const CallView& view, Window& window) {
    const auto held = window.locks.find(own_rank(view));
    if (!window.lock_all && held == window.locks.end()) return;
    const CallSite& lock = window.lock_all ? *window.lock_all : held->second;
    report(window,
           site_of(view.call),
           &lock,
           "MPI_Win_post exposes this process's part of the window while the process has locked it "
           "itself: a window must not be locked and exposed at the same time.",
           "locks it");
}

const std::vector<model::ProcessId>* Epochs::members_of(const CallView& view) const {
    const auto at = static_cast<std::size_t>(view.number(Role::Window, model::kNullHandle));
    if (at >= execution_.windows.size()) return nullptr;
    const model::CommunicatorId communicator = execution_.windows[at].communicator;
    if (communicator.value < 0 || communicator.index() >= execution_.communicators.size())
        return nullptr;
    return &execution_.communicators[communicator.index()].members;
}

std::int64_t Epochs::own_rank(const CallView& view) const {
    const auto* const members = members_of(view);
    if (members == nullptr) return model::kProcNull;
    const auto own = std::ranges::find(*members, process_);
    return own == members->end() ? model::kProcNull : own - members->begin();
}

bool Epochs::is_in_started_group(const CallView& view, const Window& window) const {
    const auto* const members = members_of(view);
    const auto target = static_cast<std::size_t>(view.number(Role::TargetRank));
    if (members == nullptr || target >= members->size() || (*members)[target].value < 0)
        return true;
    const std::int64_t rank = execution_.processes[(*members)[target].index()].rank.value;
    // Members of other worlds are in the list without their ranks.
    return std::any_of(window.started.begin(), window.started.end(), [rank](std::int64_t member) {
        return member == rank || member < 0;
    });
}

bool Epochs::may_access(const CallView& view, Window& window, std::int64_t target) {
    const CallSite site = site_of(view.call);
    if (window.lock_all || window.locks.count(target) != 0) return true;
    const std::string what = view.name() + " accesses target " + std::to_string(target);
    if (view.local.makes_request && (window.start || window.fence)) {
        report(window,
               site,
               window.start ? &*window.start : &*window.fence,
               what +
                   " outside of an epoch of MPI_Win_lock or MPI_Win_lock_all, which its request "
                   "needs.");
        return false;
    }
    if (window.start) {
        if (is_in_started_group(view, window)) return true;
        report(
            window, site, &*window.start, what + ", which is not in the group of MPI_Win_start.");
        return false;
    }
    if (window.fence) {
        if (!window.accessed) window.accessed = site;
        return true;
    }
    const CallSite* const elsewhere = open_elsewhere(window, target);
    report(window,
           site,
           elsewhere,
           what +
               " outside of an epoch: no MPI_Win_fence, MPI_Win_start or MPI_Win_lock allows it" +
               (elsewhere != nullptr
                    ? ". " + execution_.procedures[elsewhere->procedure.index()].name +
                          " has opened an epoch of another window only."
                    : "."),
           "of another window");
    return false;
}

const CallSite* Epochs::open_elsewhere(const Window& window, std::int64_t target) const {
    const CallSite* last = nullptr;
    const auto offer = [&](const CallSite& site) {
        if (last == nullptr || last->event < site.event) last = &site;
    };
    for (const auto& [id, other] : windows_) {
        if (&other == &window) continue;
        if (other.fence) offer(*other.fence);
        if (other.start) offer(*other.start);
        if (other.lock_all) offer(*other.lock_all);
        const auto lock = other.locks.find(target);
        if (lock != other.locks.end()) offer(lock->second);
    }
    return last;
}

void Epochs::access(const CallView& view, Window& window, const std::vector<Access>& accesses) {
    const std::int64_t target = view.number(Role::TargetRank, model::kProcNull);
    if (target == model::kProcNull) return;
    const CallSite site = site_of(view.call);
    // What is outside of an epoch is completed by nothing that could be told.
    if (!may_access(view, window, target)) return;
    if (view.local.makes_request) return;
    ActiveSlot slot = kNoSlot;
    for (const Access& buffer : accesses) {
        slot = overlaps_.active().add(buffer, site, true, slot);
    }
    if (slot != kNoSlot) window.pending.push_back({target, slot});
}

void Epochs::check_closed(Window& window, const CallSite& site, std::string_view where) {
    const CallSite* const open = !window.locks.empty() ? &window.locks.begin()->second
                                 : window.lock_all     ? &*window.lock_all
                                 : window.start        ? &*window.start
                                 : window.post         ? &*window.post
                                 : window.accessed     ? &*window.accessed
                                                       : nullptr;
    if (open == nullptr || window.reported) return;
    const std::string& name = execution_.procedures[open->procedure.index()].name;
    if (open == (window.accessed ? &*window.accessed : nullptr)) {
        report(window,
               *open,
               &site,
               "No MPI_Win_fence follows this " + name + ": " + std::string{where} +
                   " before it is complete.",
               "comes before");
    } else {
        report(window,
               *open,
               &site,
               "The epoch that this " + name + " opens is never closed: " + std::string{where} +
                   " before.",
               "comes before");
    }
}

void Epochs::finalize(const CallSite& site) {
    std::vector<std::int64_t> ids;
    for (const auto& [id, window] : windows_) {
        ids.push_back(id);
    }
    std::sort(ids.begin(), ids.end());
    for (const std::int64_t id : ids) {
        check_closed(windows_[id], site, "MPI_Finalize is called");
    }
}

}  // namespace mqinspect::analysis
