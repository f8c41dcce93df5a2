#include "report/recorded_source.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "report/fortran_lines.h"
#include "report/source_excerpts.h"

namespace mqinspect::report {

const std::vector<std::string>& SourceFiles::lines_of(const std::string& file) {
    auto known = files_.find(file);
    if (known == files_.end()) known = files_.emplace(file, read_source_lines(file)).first;
    return known->second;
}

std::string SourceFiles::line(const model::SourceLocation& location) {
    const std::vector<std::string> lines = fragment(location, 1);
    return lines.empty() ? "" : lines.front();
}

model::SourceLocation SourceFiles::begin_of_statement(model::SourceLocation location) {
    if (is_fortran_source(location.file)) {
        location.line =
            first_line_of_statement(lines_of(location.file), location.file, location.line);
    }
    return location;
}

std::string SourceFiles::place(const model::SourceLocation& location) {
    std::string place = fmt::format(
        "{}({})", std::filesystem::path(location.file).filename().string(), location.line);
    if (const std::string text = line(location); !text.empty()) place += ": " + text;
    return place;
}

std::vector<std::string> SourceFiles::fragment(const model::SourceLocation& location, int count) {
    if (location.line <= 0) return {};
    const std::vector<std::string>& lines = lines_of(location.file);
    const auto first = static_cast<std::size_t>(location.line - 1);
    const std::size_t end = std::min(lines.size(), first + static_cast<std::size_t>(count));
    std::vector<std::string> fragment;
    std::size_t margin = std::string::npos;
    for (std::size_t at = first; at < end; ++at)
        margin = std::min(margin, lines[at].find_first_not_of(" \t"));
    for (std::size_t at = first; at < end; ++at)
        fragment.push_back(lines[at].substr(std::min(margin, lines[at].size())));
    return fragment;
}

}  // namespace mqinspect::report
