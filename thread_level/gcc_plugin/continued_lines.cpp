#include <string_view>

#include "thread_level/gcc_plugin/source_walk.h"
// Behind what includes the standard library.
#include "thread_level/gcc_plugin/continued_lines.h"

namespace mqinspect::thread_level::plugin {
namespace {

constexpr int kMostLines = 256;  // of one statement, comments between them included

std::string_view without_blanks(std::string_view text) {
    while (!text.empty() && ISSPACE(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && ISSPACE(text.back()))
        text.remove_suffix(1);
    return text;
}

/// A line without its comment. Texts that go on in the next line are left alone.
std::string_view code_of(std::string_view line) {
    char quote = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char letter = line[i];
        if (quote != 0) {
            if (letter == quote) quote = 0;
        } else if (letter == '\'' || letter == '"') {
            quote = letter;
        } else if (letter == '!') {
            return without_blanks(line.substr(0, i));
        }
    }
    return without_blanks(line);
}

bool is_fixed_form(const char* file) {
    const std::string_view name = file;
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos) return false;
    for (const std::string_view ending : {"f", "F", "for", "FOR", "ftn", "FTN", "fpp", "FPP"}) {
        if (name.substr(dot + 1) == ending) return true;
    }
    return false;
}

std::string_view line_of(const char* file, int line) {
    const char_span text = location_get_source_line(file, line);
    return text ? std::string_view(text.get_buffer(), text.length()) : std::string_view();
}

bool is_comment_of_fixed_form(std::string_view text) {
    constexpr std::string_view marks = "cC*!dD#";
    return without_blanks(text).empty() || marks.find(text.front()) != std::string_view::npos ||
           without_blanks(text).front() == '!';
}

bool continues_fixed_form(std::string_view text) {
    constexpr std::size_t mark = 5;
    return text.size() > mark && without_blanks(text.substr(0, mark)).empty() &&
           text[mark] != ' ' && text[mark] != '0';
}

/// `line`, or the line before in which its statement begins or goes on; 0: there is none.
int line_before(const char* file, int line, bool is_fixed) {
    if (is_fixed && !continues_fixed_form(line_of(file, line))) return 0;
    for (int before = line - 1; before > 0 && line - before < kMostLines; --before) {
        const std::string_view text = line_of(file, before);
        if (is_fixed) {
            if (is_comment_of_fixed_form(text)) continue;
            return before;
        }
        const std::string_view code = code_of(text);
        if (code.empty() || code.front() == '#') continue;
        return code.ends_with('&') ? before : 0;
    }
    return 0;
}

/// The compiler adds clauses, but none of these.
bool has_expression(tree clause) {
    switch (OMP_CLAUSE_CODE(clause)) {
        case OMP_CLAUSE_IF:
        case OMP_CLAUSE_NUM_THREADS:
        case OMP_CLAUSE_FINAL:
        case OMP_CLAUSE_PRIORITY:
        case OMP_CLAUSE_SCHEDULE:
        case OMP_CLAUSE_GRAINSIZE:
        case OMP_CLAUSE_NUM_TASKS:
        case OMP_CLAUSE_FILTER:
            return true;
        default:
            return false;
    }
}

bool is_handed(const gcall* call, tree variable) {
    for (unsigned i = 0; i < gimple_call_num_args(call); ++i) {
        const tree argument = gimple_call_arg(call, i);
        if (TREE_CODE(argument) == ADDR_EXPR && TREE_OPERAND(argument, 0) == variable) return true;
    }
    return false;
}

}  // namespace

location_t location_of(const gcall* call) {
    const gimple* before = call->prev;
    const bool is_set_by_call =
        is_fortran() && before != nullptr && before->next == call && gimple_clobber_p(before) &&
        is_handed(call, gimple_assign_lhs(before)) && gimple_location(before) != UNKNOWN_LOCATION;
    return gimple_location(is_set_by_call ? before : call);
}

location_t location_of_construct(const gimple* construct) {
    const location_t location = gimple_location(construct);
    if (!is_fortran()) return location;
    for (tree clause = clauses_of(construct); clause != NULL_TREE;
         clause = OMP_CLAUSE_CHAIN(clause)) {
        if (has_expression(clause) && OMP_CLAUSE_LOCATION(clause) != UNKNOWN_LOCATION)
            return OMP_CLAUSE_LOCATION(clause);
    }
    return location;
}

location_t begin_of_statement(location_t location) {
    if (!is_fortran() || location <= BUILTINS_LOCATION) return location;
    const expanded_location at = expand_location(location);
    if (at.file == nullptr) return location;
    const bool is_fixed = is_fixed_form(at.file);
    int line = at.line;
    for (int before = line_before(at.file, line, is_fixed);
         before != 0 && at.line - before < kMostLines;
         before = line_before(at.file, line, is_fixed))
        line = before;
    if (line == at.line) return location;
    const line_map_ordinary* map = nullptr;
    linemap_resolve_location(line_table, location, LRK_MACRO_EXPANSION_POINT, &map);
    if (map == nullptr) return location;
    // Long lines have a map of their own.
    for (; static_cast<int>(ORDINARY_MAP_STARTING_LINE_NUMBER(map)) > line; --map) {
        if (map == LINEMAPS_ORDINARY_MAPS(line_table)) return location;
    }
    if (std::string_view(ORDINARY_MAP_FILE_NAME(map)) != at.file) return location;
    const std::string_view text = line_of(at.file, line);
    const std::size_t blanks = text.find_first_not_of(" \t");
    const auto column = static_cast<unsigned>(blanks == std::string_view::npos ? 0 : blanks + 1);
    const location_t begin = linemap_position_for_line_and_column(
        line_table, map, static_cast<linenum_type>(line), column);
    const expanded_location found = expand_location(begin);
    return found.line == line && std::string_view(found.file) == at.file ? begin : location;
}

}  // namespace mqinspect::thread_level::plugin
