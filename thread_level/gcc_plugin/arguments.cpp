#include "thread_level/gcc_plugin/arguments.h"

#include <optional>
#include <string_view>

#include "thread_level/gcc_plugin/gcc.h"

namespace mqinspect::thread_level::plugin {
namespace {

struct NamedState {
    std::string_view name;
    unsigned mask;
};

constexpr unsigned mask_of(State state) {
    return 1U << static_cast<unsigned>(state);
}

constexpr NamedState kStatesByName[] = {
    {"serial", mask_of(State::Serial)},
    {"team", mask_of(State::Team)},
    {"one-thread", mask_of(State::OneThread)},
    {"main-thread", mask_of(State::MainThread)},
    {"any", (1U << static_cast<unsigned>(kStates)) - 1},
};

std::vector<std::string_view> split(std::string_view list) {
    std::vector<std::string_view> parts;
    while (!list.empty()) {
        const std::size_t comma = list.find(',');
        parts.push_back(list.substr(0, comma));
        list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
    }
    return parts;
}

std::optional<Level> named_level(std::string_view name) {
    const std::string_view prefix = "MPI_THREAD_";
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
    std::string lower;
    for (const char c : name)
        lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    if (lower == "single") return Level::Single;
    if (lower == "funneled") return Level::Funneled;
    if (lower == "serialized") return Level::Serialized;
    if (lower == "multiple") return Level::Multiple;
    return std::nullopt;
}

bool set_entry(Arguments& arguments, std::string_view value) {
    unsigned mask = 0;
    for (const std::string_view name : split(value)) {
        unsigned found = 0;
        for (const NamedState& state : kStatesByName) {
            if (state.name == name) found = state.mask;
        }
        if (found == 0) return false;
        mask |= found;
    }
    arguments.settings.entry_states = static_cast<std::uint8_t>(mask);
    return mask != 0;
}

bool set_ignored(Arguments& arguments, std::string_view value) {
    for (std::string_view option : split(value)) {
        if (option.starts_with("-W")) option.remove_prefix(2);
        arguments.ignored.emplace_back(option);
    }
    return !value.empty();
}

bool set_flag(Arguments& arguments, std::string_view key) {
    if (key == "strict-single") return arguments.settings.strict_single = true;
    if (key == "errors") return arguments.errors = true;
    if (key == "check") return arguments.check = true;
    if (key == "quiet") return arguments.quiet = true;
    if (key == "summary") return arguments.summary = true;
    if (key == "dump") return arguments.dump = true;
    if (key != "no-notes") return false;
    arguments.notes = false;
    return true;
}

bool set(Arguments& arguments, std::string_view key, const char* value) {
    if (value == nullptr) return set_flag(arguments, key);
    if (key == "entry") return set_entry(arguments, value);
    if (key == "ignore") return set_ignored(arguments, value);
    if (key != "level") return false;
    arguments.settings.requested = named_level(value);
    return arguments.settings.requested.has_value();
}

}  // namespace

Arguments parse_arguments(const plugin_name_args& arguments) {
    Arguments parsed;
    for (int i = 0; i < arguments.argc; ++i) {
        const plugin_argument& argument = arguments.argv[i];
        if (set(parsed, argument.key, argument.value) || !parsed.problem.empty()) continue;
        parsed.problem = argument.key;
        if (argument.value != nullptr) parsed.problem += std::string("=") + argument.value;
    }
    return parsed;
}

}  // namespace mqinspect::thread_level::plugin
