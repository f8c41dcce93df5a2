#include "inspector/session/snapshot_file.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "inspector/session/replace_file.h"
#include "model/rank_set.h"
#include "model/snapshot_text.h"

namespace mqinspect::session {

namespace {

// Comments to the parser of the snapshot, so that the numbers of lines are the file's.
constexpr std::string_view kHeader = "# mqinspect snapshot ";
constexpr std::string_view kUnconfirmed = "# unconfirmed ";
constexpr std::string_view kEnd = "# end\n";
constexpr int kVersion = 1;

Error corrupt(std::string message) {
    return Error{ErrorCode::CorruptData, std::move(message)};
}

Error system_error(const std::string& what) {
    return Error{ErrorCode::System, what + ": " + std::strerror(errno)};
}

/// Takes the first line off, without its end.
std::string_view take_line(std::string_view& text) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() == text.size() ? line.size() : line.size() + 1);
    return line;
}

Result<Done> check_version(std::string_view header) {
    const Error foreign = corrupt("not a snapshot that mqinspect has saved");
    if (!header.starts_with(kHeader)) return foreign;
    const std::string_view number = header.substr(kHeader.size());
    int version = 0;
    const auto [end, error] =
        std::from_chars(number.data(), number.data() + number.size(), version);
    if (error != std::errc{} || end != number.data() + number.size() || version < 1) {
        return foreign;
    }
    if (version > kVersion) {
        return corrupt("saved by a newer mqinspect, in format " + std::to_string(version) +
                       "; this one reads format " + std::to_string(kVersion));
    }
    return Done{};
}

Result<std::string> read_file(const std::string& file) {
    const std::unique_ptr<std::FILE, decltype(&std::fclose)> stream(std::fopen(file.c_str(), "rb"),
                                                                    &std::fclose);
    if (!stream) return system_error("cannot read " + file);
    std::string text;
    std::array<char, 65536> chunk{};
    std::size_t count = 0;
    while ((count = std::fread(chunk.data(), 1, chunk.size(), stream.get())) > 0)
        text.append(chunk.data(), count);
    if (std::ferror(stream.get()) != 0) return system_error("cannot read " + file);
    return text;
}

}  // namespace

std::string print_findings(const Findings& findings) {
    std::string text(kHeader);
    text += std::to_string(kVersion) + "\n";
    if (!findings.verdict.unconfirmed.empty()) {
        text += kUnconfirmed;
        text += model::print_ranks(findings.verdict.unconfirmed) + "\n";
    }
    text += model::print_snapshot(findings.snapshot);
    return text += kEnd;
}

bool is_saved_findings(std::string_view text) {
    return text.starts_with(kHeader);
}

Result<Findings> parse_findings(std::string_view text) {
    std::string_view rest = text;
    TRY(check_version(take_line(rest)));
    if (!text.ends_with(kEnd)) return corrupt("not whole: its end is missing");
    Findings findings;
    auto snapshot = model::parse_snapshot(text);
    if (!snapshot) return corrupt(snapshot.error().message);
    findings.snapshot = *std::move(snapshot);
    std::vector<model::WorldRank> unconfirmed;
    const std::string_view line = take_line(rest);
    if (line.starts_with(kUnconfirmed)) {
        auto ranks =
            model::parse_ranks(line.substr(kUnconfirmed.size()), findings.snapshot.ranks.size());
        if (!ranks) return corrupt("line 2: " + ranks.error().message);
        unconfirmed = *std::move(ranks);
    }
    findings.verdict = analysis::analyze_again(findings.snapshot, unconfirmed);
    return findings;
}

Result<Done> save_findings(const Findings& findings, const std::string& file) {
    return replace_file(file, print_findings(findings));
}

Result<Findings> load_findings(const std::string& file) {
    const std::string text = TRY(read_file(file));
    auto findings = parse_findings(text);
    if (!findings) return findings.error().in(file);
    return findings;
}

}  // namespace mqinspect::session
