#include "tests/support/checked_expectation.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <utility>

#include <nlohmann/json.hpp>

#include "tests/support/expectation.h"

namespace mqinspect::testing {

namespace {

using nlohmann::json;

Error bad_line(const std::filesystem::path& source, const std::string& line) {
    return Error{ErrorCode::InvalidArgument, source.filename().string() + ": " + line};
}

std::vector<std::string> lines_of(const std::filesystem::path& source) {
    std::ifstream stream(source);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

std::string trimmed(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" *!\t");
    if (first == std::string::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// The parts between bars.
std::vector<std::string> parts_of(const std::string& text) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, '|');)
        parts.push_back(trimmed(part));
    return parts;
}

/// "MPI_Send LINE(send)", "LINE(send)" or nothing.
bool locate(const std::filesystem::path& source,
            const std::string& text,
            ExpectedFinding& finding) {
    const std::size_t place = text.find("LINE(");
    if (place == std::string::npos) {
        finding.function = text;
        return true;
    }
    finding.function = trimmed(text.substr(0, place));
    finding.line = marked_line(source, text.substr(place + 5, text.size() - place - 6));
    return finding.line > 0;
}

std::optional<ExpectedFinding> finding_of(const std::filesystem::path& source,
                                          const std::string& text) {
    const std::vector<std::string> parts = parts_of(text);
    if (parts.size() < 3 || parts.size() > 4) return std::nullopt;
    ExpectedFinding finding{parts[0], parts[1], {}, {}, 0};
    std::istringstream ranks(parts[2]);
    finding.ranks.assign(std::istream_iterator<int>(ranks), {});
    if (parts.size() == 4 && !locate(source, parts[3], finding)) return std::nullopt;
    return finding;
}

std::string text_of(const ExpectedFinding& finding) {
    std::string ranks;
    for (const int rank : finding.ranks)
        ranks += " " + std::to_string(rank);
    return finding.severity + " '" + finding.name + "' of" + ranks + " at " + finding.function +
           " line " + std::to_string(finding.line);
}

bool is_of_call(const ExpectedFinding& expected, const json& call) {
    return (expected.function.empty() || call.value("function", json()) == expected.function) &&
           (expected.line == 0 || call.value("line", json()) == expected.line);
}

bool is_found_as(const ExpectedFinding& expected, const json& finding) {
    const bool any_call = expected.function.empty() && expected.line == 0;
    return finding["severity"] == expected.severity && finding["name"] == expected.name &&
           finding["ranks"] == expected.ranks &&
           (any_call || std::ranges::any_of(finding["calls"], [&](const json& call) {
                return is_of_call(expected, call);
            }));
}

}  // namespace

Result<CheckedExpectation> read_checked_expectation(const std::filesystem::path& source) {
    const std::vector<std::string> lines = lines_of(source);
    CheckedExpectation result;
    for (const std::string& line : lines) {
        const std::string text = trimmed(line);
        if (text.starts_with("#") || text.starts_with("program") || text == "/") break;
        const auto value = [&](std::string_view key) { return trimmed(text.substr(key.size())); };
        if (text.starts_with("ranks:")) {
            result.ranks = std::stoi(value("ranks:"));
        } else if (text.starts_with("option:")) {
            result.option = value("option:");
        } else if (text == "watchpoints") {
            result.watchpoints = true;
        } else if (text == "stuck") {
            result.stuck = true;
        } else if (text.starts_with("may:")) {
            result.allowed.insert(value("may:"));
        } else if (text.starts_with("find:")) {
            const auto finding = finding_of(source, value("find:"));
            if (!finding) return bad_line(source, text);
            result.findings.push_back(*finding);
        }
    }
    if (result.ranks == 0) return bad_line(source, "it does not say how many ranks");
    return result;
}

std::vector<std::string> differences(const CheckedExpectation& expectation, const json& report) {
    if (!report.contains("findings")) return {"the report has no findings"};
    std::vector<std::string> differ;
    for (const ExpectedFinding& expected : expectation.findings) {
        const bool found = std::ranges::any_of(report["findings"], [&](const json& finding) {
            return is_found_as(expected, finding);
        });
        if (!found && !expectation.may_miss) differ.push_back("not found: " + text_of(expected));
    }
    for (const json& finding : report["findings"]) {
        if (finding["severity"] == "note" || expectation.allowed.contains(finding["name"]))
            continue;
        const bool expected =
            std::ranges::any_of(expectation.findings, [&](const ExpectedFinding& wanted) {
                const bool is_elsewhere = expectation.may_miss && finding["name"] == wanted.name;
                return is_elsewhere || is_found_as(wanted, finding);
            });
        if (!expected) differ.push_back("found: " + finding.dump());
    }
    return differ;
}

}  // namespace mqinspect::testing
