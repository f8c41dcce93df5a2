/// The words of one line of snapshot text, for snapshot_parser.cpp.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace mqinspect::model {

struct Word {
    std::string text;
    bool quoted = false;
};

/// The number that all of `text` spells: decimal, or hexadecimal after 0x.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
    Number value{};
    const char* const end = text.data() + text.size();
    std::from_chars_result result{};
    if constexpr (std::is_integral_v<Number>) {
        const bool hexadecimal = text.starts_with("0x");
        result =
            std::from_chars(text.data() + (hexadecimal ? 2 : 0), end, value, hexadecimal ? 16 : 10);
    } else {
        result = std::from_chars(text.data(), end, value);
    }
    if (text.empty() || result.ec != std::errc{} || result.ptr != end) return std::nullopt;
    return value;
}

/// The text in quotes, with the escapes that Words::split understands.
std::string quoted(std::string_view text);

/// Reads the words of a line one after the other. Failures name the word.
class Words {
public:
    /// Splits a line; fails on a quote or escape that does not end.
    static Result<Words> split(std::string_view line);

    bool at_end() const { return next_ == words_.size(); }
    /// Precondition: !at_end().
    const Word& peek() const { return words_[next_]; }
    void skip() { ++next_; }
    /// Skips the next word if it is this keyword.
    bool skip_if(std::string_view keyword);

    /// The next word as text; `what` is missing at the end of the line.
    Result<std::string> text(std::string_view what);

    template <class Number>
    Result<Number> number(std::string_view what) {
        const std::string word = TRY(text(what));
        const auto value = parse_number<Number>(word);
        if (!value) return wrong(what, word);
        return *value;
    }

    /// Numbers and ranges up to the next other word: 0 2-5,7. `?` is -1, `none`
    /// is empty. Fails if there are more than `limit`.
    Result<std::vector<int>> list(std::string_view what, std::size_t limit);

    static Error wrong(std::string_view what, std::string_view word);

private:
    std::vector<Word> words_;
    std::size_t next_ = 0;
};

}  // namespace mqinspect::model
