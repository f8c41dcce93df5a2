#include "analysis/replay/windows.h"

#include <algorithm>
#include <utility>

namespace mqinspect::analysis {

using model::ProcessId;

void Windows::post(std::int64_t window, ProcessId target, const Group& origins) {
    Window& known = windows_[window];
    for (const ProcessId origin : origins)
        ++known.pairs[{origin, target}].posts;
    known.exposure[target] = origins;
}

WindowWait Windows::start(std::int64_t window, ProcessId origin, const Group& targets) {
    Window& known = windows_[window];
    for (const ProcessId target : targets)
        ++known.pairs[{origin, target}].starts;
    known.access[origin] = targets;
    return {WindowWait::Kind::Posts, window, targets, false};
}

WindowWait Windows::complete(std::int64_t window, ProcessId origin) {
    Window& known = windows_[window];
    Group targets = std::exchange(known.access[origin], {});
    for (const ProcessId target : targets)
        ++known.pairs[{origin, target}].completes;
    return {WindowWait::Kind::Posts, window, std::move(targets), false};
}

WindowWait Windows::wait(std::int64_t window, ProcessId target) {
    Window& known = windows_[window];
    Group origins = std::exchange(known.exposure[target], {});
    for (const ProcessId origin : origins)
        ++known.pairs[{origin, target}].waits;
    return {WindowWait::Kind::Completes, window, std::move(origins), false};
}

WindowWait Windows::lock(std::int64_t window, ProcessId origin, Group targets, bool exclusive) {
    WindowWait wait{WindowWait::Kind::Lock, window, std::move(targets), exclusive};
    if (missing(origin, wait).empty()) {
        take(origin, wait);
        return {};
    }
    return wait;
}

void Windows::postpone(ProcessId origin, WindowWait wait) {
    postponed_[origin].push_back(std::move(wait));
}

WindowWait Windows::await_lock(std::int64_t window, ProcessId origin, ProcessId target) const {
    const auto found = postponed_.find(origin);
    if (found == postponed_.end()) return {};
    for (const WindowWait& wait : found->second) {
        const bool asked =
            target.value < 0 ||
            std::find(wait.group.begin(), wait.group.end(), target) != wait.group.end();
        if (wait.window == window && asked) return wait;
    }
    return {};
}

void Windows::unlock(std::int64_t window, ProcessId origin, ProcessId target) {
    windows_[window].locks[target].erase(origin);
}

std::vector<ProcessId> Windows::missing(ProcessId process, const WindowWait& wait) const {
    std::vector<ProcessId> result;
    const auto found = windows_.find(wait.window);
    if (found == windows_.end()) return result;
    const Window& window = found->second;
    for (const ProcessId other : wait.group) {
        if (wait.kind == WindowWait::Kind::Lock) {
            const auto holders = window.locks.find(other);
            if (holders == window.locks.end()) continue;
            for (const auto& [holder, exclusive] : holders->second)
                if (holder != process && (exclusive || wait.exclusive)) result.push_back(holder);
            continue;
        }
        const bool posts = wait.kind == WindowWait::Kind::Posts;
        const auto pair =
            window.pairs.find(posts ? std::pair{process, other} : std::pair{other, process});
        const bool met =
            pair != window.pairs.end() && (posts ? pair->second.posts >= pair->second.starts
                                                 : pair->second.completes >= pair->second.waits);
        if (!met) result.push_back(other);
    }
    return result;
}

void Windows::take(ProcessId process, const WindowWait& wait) {
    if (wait.kind != WindowWait::Kind::Lock) return;
    for (const ProcessId target : wait.group)
        windows_[wait.window].locks[target][process] = wait.exclusive;
    const auto postponed = postponed_.find(process);
    if (postponed == postponed_.end()) return;
    std::erase_if(postponed->second, [&](const WindowWait& one) {
        return one.window == wait.window && one.group == wait.group;
    });
    if (postponed->second.empty()) postponed_.erase(postponed);
}

}  // namespace mqinspect::analysis
