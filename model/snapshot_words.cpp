#include "model/snapshot_words.h"

#include <utility>

namespace mqinspect::model {

namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

bool is_blank(char letter) {
    return letter == ' ' || letter == '\t' || letter == '\r';
}

// The letter that an escape stands for; `rest` starts after the backslash.
std::optional<char> take_escape(std::string_view& rest) {
    if (rest.empty()) return std::nullopt;
    const char letter = rest.front();
    rest.remove_prefix(1);
    if (letter == 'n') return '\n';
    if (letter == '"' || letter == '\\') return letter;
    if (letter != 'x' || rest.size() < 2) return std::nullopt;
    const auto byte = parse_number<unsigned char>("0x" + std::string(rest.substr(0, 2)));
    rest.remove_prefix(2);
    if (!byte) return std::nullopt;
    return static_cast<char>(*byte);
}

// The text of a quoted word; `rest` starts after the opening quote.
std::optional<std::string> take_quoted(std::string_view& rest) {
    std::string text;
    while (!rest.empty()) {
        const char letter = rest.front();
        rest.remove_prefix(1);
        if (letter == '"') return text;
        if (letter == '\\') {
            const auto escaped = take_escape(rest);
            if (!escaped) return std::nullopt;
            text += *escaped;
        } else {
            text += letter;
        }
    }
    return std::nullopt;
}

// Appends "3", "2-5", "?" or "none"; false if it is none of these.
bool append_item(std::string_view item, std::vector<int>& list, std::size_t limit) {
    if (item == "none") return true;
    if (item == "?") {
        list.push_back(-1);
        return true;
    }
    const std::size_t dash = item.find('-');
    const auto first = parse_number<int>(item.substr(0, dash));
    const auto last = dash == item.npos ? first : parse_number<int>(item.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first) return false;
    if (static_cast<std::size_t>(*last) - static_cast<std::size_t>(*first) >= limit) {
        list.resize(limit + 1);  // reported by the caller
        return true;
    }
    for (int value = *first; value <= *last; ++value)
        list.push_back(value);
    return true;
}

bool append_items(std::string_view items, std::vector<int>& list, std::size_t limit) {
    while (list.size() <= limit) {
        const std::size_t comma = items.find(',');
        if (!append_item(items.substr(0, comma), list, limit)) return false;
        if (comma == items.npos) break;
        items.remove_prefix(comma + 1);
    }
    return true;
}

bool starts_list_item(std::string_view word) {
    return word == "none" || word == "?" || (word.front() >= '0' && word.front() <= '9');
}

}  // namespace

std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char letter : text) {
        const auto byte = static_cast<unsigned char>(letter);
        if (letter == '"' || letter == '\\') {
            result += {'\\', letter};
        } else if (letter == '\n') {
            result += "\\n";
        } else if (byte < 0x20 || byte == 0x7f) {
            result += {'\\', 'x', kDigits[byte >> 4U], kDigits[byte & 15U]};
        } else {
            result += letter;
        }
    }
    return result + '"';
}

Result<Words> Words::split(std::string_view line) {
    Words words;
    while (true) {
        while (!line.empty() && is_blank(line.front()))
            line.remove_prefix(1);
        if (line.empty() || line.front() == '#') return words;
        if (line.front() == '"') {
            line.remove_prefix(1);
            auto text = take_quoted(line);
            if (!text) {
                return Error{ErrorCode::InvalidArgument, "a quoted word that does not end"};
            }
            words.words_.push_back({std::move(*text), true});
            continue;
        }
        std::size_t length = 0;
        while (length < line.size() && !is_blank(line[length]))
            ++length;
        words.words_.push_back({std::string(line.substr(0, length)), false});
        line.remove_prefix(length);
    }
}

bool Words::skip_if(std::string_view keyword) {
    if (at_end() || peek().quoted || peek().text != keyword) return false;
    skip();
    return true;
}

Result<std::string> Words::text(std::string_view what) {
    if (at_end()) {
        return Error{ErrorCode::InvalidArgument, "the " + std::string(what) + " is missing"};
    }
    return words_[next_++].text;
}

Result<std::vector<int>> Words::list(std::string_view what, std::size_t limit) {
    std::vector<int> list;
    bool any = false;
    while (!at_end() && !peek().quoted && starts_list_item(peek().text)) {
        if (!append_items(peek().text, list, limit)) return wrong(what, peek().text);
        if (list.size() > limit) {
            return Error{ErrorCode::InvalidArgument, "too many " + std::string(what)};
        }
        any = true;
        skip();
    }
    if (!any) return Error{ErrorCode::InvalidArgument, "the " + std::string(what) + " are missing"};
    return list;
}

Error Words::wrong(std::string_view what, std::string_view word) {
    return {ErrorCode::InvalidArgument, "'" + std::string(word) + "' is no " + std::string(what)};
}

}  // namespace mqinspect::model
