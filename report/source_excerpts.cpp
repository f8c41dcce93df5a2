#include "report/source_excerpts.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "base/unique_fd.h"
#include "report/call_text.h"

namespace mqinspect::report {
namespace {

using model::SourceExcerpt;

constexpr std::size_t kMaxPlaces = 40;
constexpr int kLinesAround = 4;
constexpr std::size_t kMaxColumns = 300;
constexpr off_t kMaxFileBytes = 8 << 20;
constexpr std::string_view kSuffixes[] = {
    ".c",   ".h",   ".cc",  ".cpp", ".cxx", ".c++", ".C",   ".hh",  ".hpp", ".hxx", ".inc",
    ".f",   ".for", ".ftn", ".f77", ".f90", ".f95", ".f03", ".f08", ".F",   ".F77", ".F90",
    ".F95", ".F03", ".F08", ".cu",  ".cuh", ".hip", ".ipp", ".tpp", ".ixx", ".m",   ".rs"};

bool is_named_like_source(std::string_view path) {
    const std::size_t dot = path.rfind('.');
    return dot != std::string_view::npos &&
           std::ranges::find(kSuffixes, path.substr(dot)) != std::end(kSuffixes);
}

/// The file that the line's code is in.
std::string image_of(const model::RankSnapshot& rank, const model::SourceLocation& place) {
    const auto frame = std::ranges::find(rank.stack, place, &model::Frame::location);
    return frame != rank.stack.end() ? frame->image : "";
}

std::string age_remark(const struct stat& source, const std::string& image) {
    struct stat built {};
    if (image.empty() || stat(image.c_str(), &built) != 0) {
        return "the program is not here: the lines may be those of another version";
    }
    if (source.st_mtime <= built.st_mtime) return "";
    return "changed after the program was built: the lines may have moved";
}

std::string read_file(int fd, off_t size) {
    std::string text(static_cast<std::size_t>(size), '\0');
    std::size_t filled = 0;
    while (filled < text.size()) {
        const ssize_t count = read(fd, text.data() + filled, text.size() - filled);
        if (count <= 0) break;
        filled += static_cast<std::size_t>(count);
    }
    text.resize(filled);
    return text;
}

void take_lines(std::string_view text, SourceExcerpt& excerpt) {
    const int first = std::max(excerpt.line - kLinesAround, 1);
    excerpt.first_line = first;
    for (int line = 1; !text.empty() && line <= excerpt.line + kLinesAround; ++line) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (line >= first) excerpt.lines.emplace_back(text.substr(0, std::min(end, kMaxColumns)));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (excerpt.first_line + static_cast<int>(excerpt.lines.size()) <= excerpt.line) {
        excerpt.lines.clear();
        excerpt.remark = "the file has fewer lines: it is another version";
    }
}

/// The text of a source file; empty: why not is in `remark`.
std::optional<std::string> read_source(const std::string& path,
                                       struct stat& status,
                                       std::string& remark) {
    if (!path.starts_with('/')) {
        remark = "the debug information does not say in which folder the file is";
        return std::nullopt;
    }
    if (!is_named_like_source(path)) {
        remark = "not read: it is not named like a source file";
        return std::nullopt;
    }
    const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (!file || fstat(file.get(), &status) != 0) {
        remark = std::string("cannot be read here: ") + std::strerror(errno);
        return std::nullopt;
    }
    if (!S_ISREG(status.st_mode) || status.st_size > kMaxFileBytes) {
        remark = "not read: no ordinary file, or too large";
        return std::nullopt;
    }
    return read_file(file.get(), status.st_size);
}

void read_lines(SourceExcerpt& excerpt, const std::string& image) {
    struct stat status {};
    const auto text = read_source(excerpt.file, status, excerpt.remark);
    if (!text) return;
    excerpt.remark = age_remark(status, image);
    take_lines(*text, excerpt);
}

}  // namespace

std::vector<std::string> read_source_lines(const std::string& path) {
    std::vector<std::string> lines;
    struct stat status {};
    std::string remark;
    const std::string text = read_source(path, status, remark).value_or("");
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        lines.emplace_back(rest.substr(0, std::min(end, kMaxColumns)));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return lines;
}

std::vector<PlaceExcerpt> source_excerpts(const model::JobSnapshot& snapshot) {
    struct Place {
        std::vector<model::WorldRank> ranks;
        std::string image;
    };
    std::map<std::pair<std::string, int>, Place> places;
    for (const model::RankSnapshot& rank : snapshot.ranks) {
        const model::SourceLocation* location = user_location(rank);
        if (location == nullptr || location->line <= 0) continue;
        Place& place = places[{location->file, location->line}];
        place.ranks.push_back(rank.rank);
        if (place.image.empty()) place.image = image_of(rank, *location);
    }
    using Entry = decltype(places)::const_pointer;
    std::vector<Entry> ordered;
    ordered.reserve(places.size());
    for (const auto& place : places)
        ordered.push_back(&place);
    std::ranges::stable_sort(ordered, [](Entry left, Entry right) {
        return left->second.ranks.size() > right->second.ranks.size();
    });
    if (ordered.size() > kMaxPlaces) ordered.resize(kMaxPlaces);
    std::vector<PlaceExcerpt> excerpts;
    for (const Entry place : ordered) {
        const std::string& file = place->first.first;
        const int line = place->first.second;
        const auto kept = std::ranges::find_if(snapshot.sources, [&](const SourceExcerpt& source) {
            return source.file == file && source.line == line && !source.lines.empty();
        });
        PlaceExcerpt& added = excerpts.emplace_back();
        added.ranks = place->second.ranks;
        added.excerpt.file = file;
        added.excerpt.line = line;
        if (kept != snapshot.sources.end()) {
            added.excerpt = *kept;
        } else {
            read_lines(added.excerpt, place->second.image);
        }
    }
    return excerpts;
}

void keep_sources(model::JobSnapshot& snapshot) {
    std::vector<SourceExcerpt> sources;
    for (PlaceExcerpt& place : source_excerpts(snapshot)) {
        if (!place.excerpt.lines.empty()) sources.push_back(std::move(place.excerpt));
    }
    snapshot.sources = std::move(sources);
}

}  // namespace mqinspect::report
