#include "report/recorded_source.h"

#include "report/source_excerpts.h"

namespace mqinspect::report {

std::string SourceFiles::line(const model::SourceLocation& location) {
    if (location.line <= 0) return {};
    auto known = files_.find(location.file);
    if (known == files_.end())
        known = files_.emplace(location.file, read_source_lines(location.file)).first;
    const std::vector<std::string>& lines = known->second;
    const auto at = static_cast<std::size_t>(location.line - 1);
    if (at >= lines.size()) return {};
    const std::size_t begin = lines[at].find_first_not_of(" \t");
    return begin == std::string::npos ? "" : lines[at].substr(begin);
}

}  // namespace mqinspect::report
