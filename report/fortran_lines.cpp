#include "report/fortran_lines.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>

namespace mqinspect::report {
namespace {

constexpr std::string_view kFixed[] = {".f", ".for", ".ftn", ".f77", ".F", ".F77"};
constexpr std::string_view kFree[] = {
    ".f90", ".f95", ".f03", ".f08", ".F90", ".F95", ".F03", ".F08"};

template <std::size_t kCount>
bool ends_with_one_of(std::string_view file, const std::string_view (&suffixes)[kCount]) {
    const std::size_t dot = file.rfind('.');
    return dot != std::string_view::npos &&
           std::ranges::find(suffixes, file.substr(dot)) != std::end(suffixes);
}

/// The last character in front of a comment; 0: there is none. A text that goes on in the next
/// line ends with '&', too.
char last_of_free_line(std::string_view line) {
    char quote = 0;
    char last = 0;
    for (const char c : line) {
        if (quote == 0 && c == '!') break;
        if (quote == 0 ? (c == '"' || c == '\'') : c == quote) quote = quote == 0 ? c : '\0';
        if (std::isspace(static_cast<unsigned char>(c)) == 0) last = c;
    }
    return last;
}

constexpr std::size_t kMarkColumn = 5;

bool is_fixed_comment(std::string_view line) {
    constexpr std::string_view marks = "CcDd*!#";
    const std::size_t first = line.find_first_not_of(" \t\r");
    return first == std::string_view::npos || marks.find(line.front()) != std::string_view::npos ||
           (line[first] == '!' && first != kMarkColumn);
}

/// It continues the line before it.
bool is_fixed_continuation(std::string_view line) {
    if (line.size() > 1 && line.front() == '\t') return line[1] >= '1' && line[1] <= '9';
    return !is_fixed_comment(line) && line.find_first_not_of(' ') == kMarkColumn &&
           line[kMarkColumn] != '0' && line[kMarkColumn] != '\r';
}

bool is_free_comment(std::string_view line) {
    return last_of_free_line(line) == 0 || line.front() == '#';
}

/// What is no statement, nor a part of one, does not count.
int statement_line_before(const std::vector<std::string>& lines,
                          int line,
                          bool (*is_comment)(std::string_view)) {
    --line;
    while (line > 0 && is_comment(lines[static_cast<std::size_t>(line - 1)]))
        --line;
    return line;
}

}  // namespace

bool is_fortran_source(std::string_view file) {
    return ends_with_one_of(file, kFixed) || ends_with_one_of(file, kFree);
}

int first_line_of_statement(const std::vector<std::string>& lines,
                            std::string_view file,
                            int line) {
    if (line <= 0 || static_cast<std::size_t>(line) > lines.size()) return line;
    const auto text = [&](int at) -> std::string_view {
        return lines[static_cast<std::size_t>(at - 1)];
    };
    const bool fixed = ends_with_one_of(file, kFixed);
    for (;;) {
        if (fixed && !is_fixed_continuation(text(line))) return line;
        const int before =
            statement_line_before(lines, line, fixed ? is_fixed_comment : is_free_comment);
        if (before == 0 || (!fixed && last_of_free_line(text(before)) != '&')) return line;
        line = before;
    }
}

}  // namespace mqinspect::report
