#include "inspector/shell/words.h"

#include <algorithm>

namespace mqinspect::shell {

namespace {

constexpr std::string_view kBlanks = " \t\r\n\f\v";

bool is_blank(char letter) {
    return kBlanks.find(letter) != std::string_view::npos;
}

}  // namespace

Result<std::vector<std::string>> split_words(std::string_view line) {
    std::vector<std::string> words;
    bool inside = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char letter = line[i];
        if (is_blank(letter)) {
            inside = false;
            continue;
        }
        if (!inside) words.emplace_back();
        inside = true;
        if (letter != '"' && letter != '\'') {
            words.back() += letter;
            continue;
        }
        const std::size_t end = line.find(letter, i + 1);
        if (end == std::string_view::npos) {
            return Error{ErrorCode::InvalidArgument,
                         std::string("a quote (") + letter + ") that does not end"};
        }
        words.back() += line.substr(i + 1, end - i - 1);
        i = end;
    }
    return words;
}

std::string_view after_first_word(std::string_view line) {
    const auto skip = [&line](std::size_t count) {
        line.remove_prefix(std::min(count, line.size()));
    };
    skip(line.find_first_not_of(kBlanks));
    skip(line.find_first_of(kBlanks));
    skip(line.find_first_not_of(kBlanks));
    return line.substr(0, line.find_last_not_of(kBlanks) + 1);
}

std::string quoted_word(std::string_view word) {
    const bool plain = !word.empty() && word.find_first_of(kBlanks) == std::string_view::npos &&
                       word.find_first_of("\"'") == std::string_view::npos;
    if (plain) return std::string(word);
    const char quote = word.find('"') == std::string_view::npos ? '"' : '\'';
    return quote + std::string(word) + quote;
}

}  // namespace mqinspect::shell
