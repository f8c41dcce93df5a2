/// Names of members of objects that a variable points to.
#pragma once

#include <string_view>

namespace mqinspect::thread_level {

/// Behind the name of a pointer: what it points to. A member "class::member" of that may follow.
inline constexpr std::string_view kPointed = ".->";

/// The pointer; empty: `name` is of something else.
constexpr std::string_view pointer_of(std::string_view name) {
    const std::size_t end = name.find(kPointed);
    return end == std::string_view::npos ? std::string_view() : name.substr(0, end);
}

/// The member "class::member" of what it points to; empty: `name` is of something else.
constexpr std::string_view pointed_member(std::string_view name) {
    const std::size_t end = name.find(kPointed);
    return end == std::string_view::npos ? std::string_view() : name.substr(end + kPointed.size());
}

}  // namespace mqinspect::thread_level
