#include "report/json_windows.h"

#include <string_view>

namespace mqinspect::report {
namespace {

using Layout = JsonWriter::Layout;
using model::LockType;
using model::Window;

std::string_view name_of(LockType type) {
    switch (type) {
        case LockType::Shared:
            return "shared";
        case LockType::Exclusive:
            return "exclusive";
        case LockType::None:
            break;
    }
    return "none";
}

std::string_view name_of(model::WindowTarget::Lock state) {
    using enum model::WindowTarget::Lock;
    switch (state) {
        case Called:
            return "called";
        case Requested:
            return "requested";
        case Granted:
            return "granted";
        case None:
            break;
    }
    return "none";
}

/// Empty: unknown.
std::string_view name_of(model::AccessEpoch epoch) {
    using enum model::AccessEpoch;
    switch (epoch) {
        case None:
            return "none";
        case Fence:
            return "fence";
        case Start:
            return "start";
        case Lock:
            return "lock";
        case LockAll:
            return "lock_all";
        case Unknown:
            break;
    }
    return "";
}

std::string_view name_of(model::ExposureEpoch epoch) {
    using enum model::ExposureEpoch;
    switch (epoch) {
        case None:
            return "none";
        case Post:
            return "post";
        case Unknown:
            break;
    }
    return "";
}

std::string_view name_of(model::WindowFlavor flavor) {
    using enum model::WindowFlavor;
    switch (flavor) {
        case Create:
            return "create";
        case Allocate:
            return "allocate";
        case Shared:
            return "shared";
        case Dynamic:
            return "dynamic";
        case Unknown:
            break;
    }
    return "";
}

void text_or_null(JsonWriter& json, std::string_view name, std::string_view text) {
    json.key(name);
    text.empty() ? json.null() : json.value(text);
}

void rank_member(JsonWriter& json, std::string_view name, model::WorldRank rank) {
    json.key(name);
    rank == model::kUnknownRank ? json.null() : json.value(rank.value);
}

void targets_member(JsonWriter& json, const Window& window) {
    json.key("targets");
    json.begin_array();
    for (const model::WindowTarget& target : window.targets) {
        json.begin_object();
        rank_member(json, "rank", target.rank);
        json.member("lock", name_of(target.lock));
        json.member("type", name_of(target.type));
        json.member("operations", target.operations);
        json.end_object();
    }
    json.end_array();
}

void requests_member(JsonWriter& json, const Window& window) {
    json.key("requests");
    json.begin_array();
    for (const model::WindowRequest& each : window.requests) {
        json.begin_object();
        json.member("request", each.request);
        rank_member(json, "rank", each.target);
        json.end_object();
    }
    json.end_array();
}

void waiters_member(JsonWriter& json, const Window& window) {
    json.key("waiters");
    json.begin_array();
    for (const model::LockWaiter& waiter : window.waiters) {
        json.begin_object();
        rank_member(json, "rank", waiter.rank);
        json.member("type", name_of(waiter.type));
        json.end_object();
    }
    json.end_array();
}

void ranks_member(JsonWriter& json,
                  std::string_view name,
                  const std::vector<model::WorldRank>& ranks) {
    json.key(name);
    json.begin_array();
    for (const model::WorldRank rank : ranks)
        rank == model::kUnknownRank ? json.null() : json.value(rank.value);
    json.end_array();
}

void window_item(JsonWriter& json, const Window& window) {
    json.begin_object();
    json.member("rank", window.rank.value);
    json.member("communicator", window.communicator.value);
    text_or_null(json, "name", window.name);
    json.key("handle");
    window.handle == 0 ? json.null() : json.value(window.handle);
    json.member("bytes", window.bytes);
    text_or_null(json, "flavor", name_of(window.flavor));
    json.member("shared_memory", window.shared_memory);
    text_or_null(json, "access", name_of(window.access));
    json.member("access_granted", window.access_granted);
    text_or_null(json, "exposure", name_of(window.exposure));
    ranks_member(json, "started", window.started);
    ranks_member(json, "posted", window.posted);
    json.member("posts_received", window.posts_received);
    json.member("locks_missing", window.locks_missing);
    json.member("completions_missing", window.completions_missing);
    json.member("lock", name_of(window.lock));
    json.member("holders", window.holders);
    waiters_member(json, window);
    targets_member(json, window);
    requests_member(json, window);
    json.end_object();
}

}  // namespace

void windows_member(JsonWriter& json, std::span<const Window> windows) {
    json.key("windows");
    json.begin_array(Layout::Lines);
    for (const Window& window : windows)
        window_item(json, window);
    json.end_array();
}

}  // namespace mqinspect::report
