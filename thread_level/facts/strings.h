/// Strings by number, each kept once.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace mqinspect::thread_level {

using StringId = std::uint32_t;  ///< 0 is the empty string

constexpr bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// Of words that have a blank on either side, whether `word` is one.
constexpr bool has_word(std::string_view words, std::string_view word) {
    for (auto at = words.find(word); at != std::string_view::npos; at = words.find(word, at + 1)) {
        if (words[at - 1] == ' ' && words[at + word.size()] == ' ') return true;
    }
    return false;
}

class Strings {
public:
    Strings() { intern({}); }
    Strings(const Strings& other) { append(other); }
    Strings& operator=(const Strings& other) {
        if (this == &other) return *this;
        numbers_.clear();
        strings_.clear();
        append(other);
        return *this;
    }
    Strings(Strings&&) = default;
    Strings& operator=(Strings&&) = default;
    ~Strings() = default;

    StringId intern(std::string_view text) {
        if (const auto found = numbers_.find(text); found != numbers_.end()) return found->second;
        const auto number = static_cast<StringId>(strings_.size());
        strings_.emplace_back(text);
        numbers_.emplace(strings_.back(), number);
        return number;
    }
    /// kNoString: it was never interned.
    StringId find(std::string_view text) const {
        const auto found = numbers_.find(text);
        return found == numbers_.end() ? kNoString : found->second;
    }
    /// `id` must be one of intern()'s.
    const std::string& operator[](StringId id) const { return strings_[id]; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(strings_.size()); }

    static constexpr StringId kNoString = 0xffff'ffff;

private:
    void append(const Strings& other) {
        for (const std::string& text : other.strings_)
            intern(text);
    }

    std::deque<std::string> strings_;  // does not move them
    std::unordered_map<std::string_view, StringId> numbers_;
};

}  // namespace mqinspect::thread_level
