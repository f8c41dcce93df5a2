#include "model/window_text.h"

#include <optional>
#include <string_view>

namespace mqinspect::model {

namespace {

// Members of one window; the snapshot's own limits apply to its ranks.
constexpr std::size_t kMostMembers = std::size_t{1} << 20U;

template <class Value>
struct Name {
    Value value;
    std::string_view text;
};

constexpr Name<LockType> kLocks[] = {
    {LockType::None, "none"}, {LockType::Shared, "shared"}, {LockType::Exclusive, "exclusive"}};

constexpr Name<AccessEpoch> kAccess[] = {{AccessEpoch::None, "none"},
                                         {AccessEpoch::Fence, "fence"},
                                         {AccessEpoch::Start, "start"},
                                         {AccessEpoch::Lock, "lock"},
                                         {AccessEpoch::LockAll, "lock_all"},
                                         {AccessEpoch::Unknown, "unknown"}};

constexpr Name<ExposureEpoch> kExposure[] = {{ExposureEpoch::None, "none"},
                                             {ExposureEpoch::Post, "post"},
                                             {ExposureEpoch::Unknown, "unknown"}};

constexpr Name<WindowFlavor> kFlavors[] = {{WindowFlavor::Unknown, "unknown"},
                                           {WindowFlavor::Create, "create"},
                                           {WindowFlavor::Allocate, "allocate"},
                                           {WindowFlavor::Shared, "shared"},
                                           {WindowFlavor::Dynamic, "dynamic"}};

constexpr Name<WindowTarget::Lock> kTargetLocks[] = {{WindowTarget::Lock::None, "unlocked"},
                                                     {WindowTarget::Lock::Called, "called"},
                                                     {WindowTarget::Lock::Requested, "requested"},
                                                     {WindowTarget::Lock::Granted, "granted"}};

template <class Value, std::size_t size>
std::string name_of(const Name<Value> (&names)[size], Value value) {
    for (const auto& name : names) {
        if (name.value == value) return std::string(name.text);
    }
    return std::string(names[0].text);
}

template <class Value, std::size_t size>
Result<Value> value_named(const Name<Value> (&names)[size], std::string_view what, Words& words) {
    const std::string text = TRY(words.text(what));
    for (const auto& name : names) {
        if (name.text == text) return name.value;
    }
    return Words::wrong(what, text);
}

std::string rank_word(WorldRank rank) {
    return rank.value < 0 ? "?" : std::to_string(rank.value);
}

Result<WorldRank> parse_rank(Words& words) {
    if (words.skip_if("?")) return kUnknownRank;
    return WorldRank(TRY(words.number<int>("rank")));
}

void add_number(std::string& text,
                std::string_view key,
                const std::optional<std::uint64_t>& number) {
    if (number) text.append(" ").append(key).append(" ").append(std::to_string(*number));
}

void add_epochs(std::string& text, const Window& window) {
    if (window.access != AccessEpoch::None) text += " access " + name_of(kAccess, window.access);
    if (window.access_granted) text += " access_granted";
    if (window.exposure != ExposureEpoch::None) {
        text += " exposure " + name_of(kExposure, window.exposure);
    }
    if (!window.started.empty()) text += " started";
    for (const WorldRank rank : window.started)
        text += " " + rank_word(rank);
    if (!window.posted.empty()) text += " posted";
    for (const WorldRank rank : window.posted)
        text += " " + rank_word(rank);
    if (window.answers_awaited) text += " answers_awaited";
    add_number(text, "posts_received", window.posts_received);
    add_number(text, "locks_missing", window.locks_missing);
    add_number(text, "completions_missing", window.completions_missing);
}

void add_locks(std::string& text, const Window& window) {
    if (window.lock != LockType::None) text += " lock " + name_of(kLocks, window.lock);
    if (window.holders != 0) text += " holders " + std::to_string(window.holders);
    for (const LockWaiter& waiter : window.waiters) {
        text += " waiter " + rank_word(waiter.rank) + " " + name_of(kLocks, waiter.type);
    }
    for (const WindowTarget& target : window.targets) {
        text += " target " + rank_word(target.rank) + " " + name_of(kTargetLocks, target.lock) +
                " " + name_of(kLocks, target.type);
        add_number(text, "operations", target.operations);
    }
    for (const WindowRequest& each : window.requests) {
        text += " request " + std::to_string(each.request) + " " + rank_word(each.target);
    }
}

Result<WindowTarget> parse_target(Words& words) {
    WindowTarget target;
    target.rank = TRY(parse_rank(words));
    target.lock = TRY(value_named(kTargetLocks, "state of a lock", words));
    target.type = TRY(value_named(kLocks, "type of lock", words));
    if (words.skip_if("operations")) {
        target.operations = TRY(words.number<std::uint64_t>("number of operations"));
    }
    return target;
}

// False: `key` is no word about epochs. The same for the next ones.
Result<bool> parse_epoch_word(Window& window, const std::string& key, Words& words) {
    if (key == "access") {
        window.access = TRY(value_named(kAccess, "access epoch", words));
    } else if (key == "access_granted") {
        window.access_granted = true;
    } else if (key == "exposure") {
        window.exposure = TRY(value_named(kExposure, "exposure epoch", words));
    } else if (key == "started") {
        for (const int rank : TRY(words.list("ranks", kMostMembers)))
            window.started.emplace_back(rank);
    } else if (key == "posted") {
        for (const int rank : TRY(words.list("ranks", kMostMembers)))
            window.posted.emplace_back(rank);
    } else if (key == "answers_awaited") {
        window.answers_awaited = true;
    } else {
        return false;
    }
    return true;
}

Result<bool> parse_count_word(Window& window, const std::string& key, Words& words) {
    if (key == "posts_received") {
        window.posts_received = TRY(words.number<std::uint64_t>("number of calls"));
    } else if (key == "locks_missing") {
        window.locks_missing = TRY(words.number<std::uint64_t>("number of locks"));
    } else if (key == "completions_missing") {
        window.completions_missing = TRY(words.number<std::uint64_t>("number of calls"));
    } else {
        return false;
    }
    return true;
}

Result<bool> parse_lock_word(Window& window, const std::string& key, Words& words) {
    if (key == "lock") {
        window.lock = TRY(value_named(kLocks, "type of lock", words));
    } else if (key == "holders") {
        window.holders = TRY(words.number<std::uint64_t>("number of holders"));
    } else if (key == "waiter") {
        LockWaiter& waiter = window.waiters.emplace_back();
        waiter.rank = TRY(parse_rank(words));
        waiter.type = TRY(value_named(kLocks, "type of lock", words));
    } else if (key == "target") {
        window.targets.push_back(TRY(parse_target(words)));
    } else if (key == "request") {
        WindowRequest& request = window.requests.emplace_back();
        request.request = TRY(words.number<std::uint64_t>("request"));
        request.target = TRY(parse_rank(words));
    } else {
        return false;
    }
    return true;
}

Result<bool> parse_plain_word(Window& window, const std::string& key, Words& words) {
    if (key == "name") {
        window.name = TRY(words.text("name"));
    } else if (key == "handle") {
        window.handle = TRY(words.number<std::uint64_t>("handle"));
    } else if (key == "bytes") {
        window.bytes = TRY(words.number<std::uint64_t>("length"));
    } else if (key == "flavor") {
        window.flavor = TRY(value_named(kFlavors, "flavor of window", words));
    } else if (key == "shared_memory") {
        window.shared_memory = true;
    } else {
        return false;
    }
    return true;
}

}  // namespace

std::string window_words(const Window& window) {
    std::string text = " " + std::to_string(window.communicator.value);
    if (!window.name.empty()) text += " name " + quoted(window.name);
    if (window.handle != 0) text += " handle " + std::to_string(window.handle);
    add_number(text, "bytes", window.bytes);
    if (window.flavor != WindowFlavor::Unknown) {
        text += " flavor " + name_of(kFlavors, window.flavor);
    }
    if (window.shared_memory) text += " shared_memory";
    add_epochs(text, window);
    add_locks(text, window);
    return text;
}

Result<Window> parse_window(Words& words) {
    Window window;
    window.communicator = CommunicatorId(TRY(words.number<int>("communicator")));
    while (!words.at_end()) {
        const std::string key = TRY(words.text("word"));
        if (TRY(parse_plain_word(window, key, words))) continue;
        if (TRY(parse_epoch_word(window, key, words))) continue;
        if (TRY(parse_count_word(window, key, words))) continue;
        if (!TRY(parse_lock_word(window, key, words))) {
            return Words::wrong("word of a window", key);
        }
    }
    return window;
}

}  // namespace mqinspect::model
