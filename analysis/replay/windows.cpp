#include "analysis/replay/windows.h"

#include <algorithm>
#include <utility>

namespace mqinspect::analysis {

using model::ProcessId;

void Windows::post(std::int64_t window, const EventSite& site, const Group& origins) {
    const ProcessId target = site.process;
    Window& known = windows_[window];
    for (const ProcessId origin : origins)
        ++known.pairs[{origin, target}].posts;
    known.exposure[target] = origins;
    known.posts[target] = {site, origins};
}

WindowWait Windows::start(std::int64_t window, const EventSite& site, const Group& targets) {
    const ProcessId origin = site.process;
    Window& known = windows_[window];
    for (const ProcessId target : targets)
        ++known.pairs[{origin, target}].starts;
    known.access[origin] = targets;
    known.starts[origin] = {site, targets};
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

// MPI_Win_complete has not been called, or waits for a post.
bool Windows::is_open_start(const Window& window, const Epoch& start) {
    const auto open = window.access.find(start.site.process);
    if (open != window.access.end() && !open->second.empty()) return true;
    return std::ranges::any_of(start.group, [&](ProcessId target) {
        const auto pair = window.pairs.find({start.site.process, target});
        return pair != window.pairs.end() && pair->second.posts < pair->second.starts;
    });
}

// MPI_Win_wait has not been called, or waits for MPI_Win_complete.
bool Windows::is_open_post(const Window& window, const Epoch& post) {
    const auto open = window.exposure.find(post.site.process);
    if (open != window.exposure.end() && !open->second.empty()) return true;
    return std::ranges::any_of(post.group, [&](ProcessId origin) {
        const auto pair = window.pairs.find({origin, post.site.process});
        return pair != window.pairs.end() && pair->second.completes < pair->second.posts;
    });
}

std::optional<Windows::Mismatch> Windows::mismatch(std::int64_t window, ProcessId process) const {
    const auto found = windows_.find(window);
    if (found == windows_.end()) return std::nullopt;
    const Window& known = found->second;
    for (const auto& [origin, start] : known.starts) {
        if (!is_open_start(known, start)) continue;
        for (const auto& [target, post] : known.posts) {
            const bool concerned = origin == process || target == process;
            const bool named = std::ranges::count(start.group, target) != 0;
            const bool names = std::ranges::count(post.group, origin) != 0;
            if (concerned && named != names && is_open_post(known, post))
                return Mismatch{start, post};
        }
    }
    return std::nullopt;
}

std::optional<Windows::Mismatch> Windows::missed(ProcessId process,
                                                 const WindowWait& wait,
                                                 ProcessId other) const {
    const auto found = windows_.find(wait.window);
    if (found == windows_.end()) return std::nullopt;
    const bool posts = wait.kind == WindowWait::Kind::Posts;
    const auto& starts = found->second.starts;
    const auto& all_posts = found->second.posts;
    const auto start = starts.find(posts ? process : other);
    const auto post = all_posts.find(posts ? other : process);
    if (start == starts.end() || post == all_posts.end()) return std::nullopt;
    const Group& others = posts ? post->second.group : start->second.group;
    if (std::ranges::count(others, process) != 0) return std::nullopt;
    return Mismatch{start->second, post->second};
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
