#include "report/written_call.h"

#include <algorithm>
#include <cctype>

namespace mqinspect::report {
namespace {

// Calls of MPI have at most some 15 arguments, of which each may have a line.
constexpr std::size_t kMaxLines = 40;
constexpr std::size_t kLinesBefore = 16;

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string lower(std::string_view text) {
    std::string result(text);
    std::ranges::transform(
        result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

std::string trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

/// One place in the lines.
struct Place {
    std::size_t line = 0;
    std::size_t column = 0;
};

/// The text from a place on without comments, character by character.
class Text {
public:
    Text(const std::vector<std::string>& lines, Place place, bool fortran)
        : lines_(lines), place_(place), fortran_(fortran), last_(place.line + kMaxLines) {}

    std::size_t line() const { return place_.line; }

    /// 0: there is no more, or a directive. A line's end is a space.
    char next() {
        if (place_.line >= lines_.size() || place_.line >= last_) return 0;
        const std::string& line = lines_[place_.line];
        if (quote_ == 0 && starts_comment(line)) place_.column = line.size();
        if (quote_ == 0 && !fortran_ && line.compare(place_.column, 2, "/*") == 0)
            return skip_comment();
        if (place_.column >= line.size()) return begin_next_line();
        const char c = line[place_.column++];
        if (quote_ != 0) {
            quoted(c);
        } else if (c == '"' || c == '\'') {
            quote_ = c;
        }
        return c;
    }

    bool quoted() const { return quote_ != 0; }

private:
    void quoted(char c) {
        const bool escapes = c == '\\' && !fortran_ && !escaped_;
        if (c == quote_ && !escaped_) quote_ = 0;
        escaped_ = escapes;
    }

    bool starts_comment(const std::string& line) const {
        if (place_.column >= line.size()) return false;
        return fortran_ ? line[place_.column] == '!' : line.compare(place_.column, 2, "//") == 0;
    }

    char skip_comment() {
        place_.column += 2;
        while (place_.line < lines_.size() && place_.line < last_) {
            const std::size_t end = lines_[place_.line].find("*/", place_.column);
            if (end != std::string::npos) {
                place_.column = end + 2;
                return ' ';
            }
            ++place_.line;
            place_.column = 0;
        }
        return 0;
    }

    char begin_next_line() {
        ++place_.line;
        place_.column = 0;
        if (place_.line >= lines_.size()) return 0;
        const std::string& line = lines_[place_.line];
        if (!line.empty() && line[0] == '#') return 0;
        if (fortran_) begin_fortran_line(line);
        return ' ';
    }

    // Fixed form: a mark in column 6, a comment by a mark in column 1. Free form: perhaps a '&'.
    void begin_fortran_line(const std::string& line) {
        const bool comment = !line.empty() && (line[0] == 'C' || line[0] == 'c' || line[0] == '*');
        if (comment) place_.column = line.size();
        const bool label = line.size() > 5 && line.find_first_not_of(' ') == 5 && line[5] != '&';
        const std::size_t first = line.find_first_not_of(" \t");
        if (label) {
            place_.column = 6;
        } else if (first != std::string::npos && line[first] == '&') {
            place_.column = first + 1;
        }
    }

    const std::vector<std::string>& lines_;
    Place place_;
    bool fortran_;
    std::size_t last_;
    char quote_ = 0;
    bool escaped_ = false;
};

struct Call {
    std::vector<std::string> arguments;
    std::size_t last_line = 0;
};

/// From behind the procedure's name on.
std::optional<Call> read_call(const std::vector<std::string>& lines, Place place, bool fortran) {
    Text text(lines, place, fortran);
    char c = text.next();
    while (c == ' ' || c == '\t')
        c = text.next();
    if (c != '(') return std::nullopt;
    Call call;
    std::string argument;
    for (int depth = 1;;) {
        const bool quoted = text.quoted();
        c = text.next();
        if (c == 0) return std::nullopt;
        const bool plain = !quoted && !text.quoted();
        if (plain && (c == '(' || c == '[' || c == '{')) ++depth;
        if (plain && (c == ')' || c == ']' || c == '}')) --depth;
        const bool ends = depth == 0;
        if (ends || (plain && c == ',' && depth == 1)) {
            call.arguments.push_back(trimmed(argument));
            argument.clear();
        } else if (!(fortran && plain && c == '&')) {
            argument += c;
        }
        if (ends) break;
    }
    call.last_line = text.line();
    return call;
}

/// Where the name stands as a word of its own: the columns behind it.
std::vector<std::size_t> ends_of(const std::string& line, const std::string& name, bool fortran) {
    const std::string text = fortran ? lower(line) : line;
    std::vector<std::size_t> ends;
    for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if ((at == 0 || !is_word(text[at - 1])) && (end >= text.size() || !is_word(text[end])))
            ends.push_back(end);
    }
    return ends;
}

}  // namespace

std::optional<std::vector<std::string>> written_arguments(const std::vector<std::string>& lines,
                                                          int line,
                                                          std::string_view procedure,
                                                          bool fortran) {
    if (line <= 0 || static_cast<std::size_t>(line) > lines.size()) return std::nullopt;
    const std::string name = fortran ? lower(procedure) : std::string(procedure);
    const auto there = static_cast<std::size_t>(line - 1);
    const std::size_t first = there - std::min(there, kLinesBefore);
    for (std::size_t at = there + 1; at-- > first;) {
        std::optional<Call> found;
        for (const std::size_t end : ends_of(lines[at], name, fortran)) {
            auto call = read_call(lines, {at, end}, fortran);
            if (!call || call->last_line < there) continue;
            if (found) return std::nullopt;
            found = std::move(call);
        }
        if (found) return std::move(found->arguments);
    }
    return std::nullopt;
}

}  // namespace mqinspect::report
