#include "inspector/commands/finding_filter.h"

#include <fnmatch.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace mqinspect::commands {
namespace {

using analysis::Finding;
using analysis::InvolvedCall;

Result<std::string> read_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (!file.is_open() || file.bad()) {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("{}: cannot be read: {}", path, std::strerror(errno))};
    }
    return text;
}

// "solver.c:17" and "solver.c"; empty: the line is no number.
bool split_place(const std::string& place, Suppression& rule) {
    const std::size_t colon = place.rfind(':');
    rule.file = place.substr(0, colon);
    if (colon == std::string::npos) return true;
    const char* const end = place.data() + place.size();
    const auto parsed = std::from_chars(place.data() + colon + 1, end, rule.line);
    return parsed.ec == std::errc{} && parsed.ptr == end && rule.line > 0;
}

std::optional<Suppression> parse_rule(const std::string& line) {
    std::istringstream words(line);
    Suppression rule;
    std::string place;
    std::string more;
    words >> rule.finding_class;
    if (words >> more) rule.procedure = more;
    if (words >> place && !split_place(place, rule)) return std::nullopt;
    if (words >> more && !more.starts_with('#')) return std::nullopt;
    return rule;
}

bool matches(const std::string& pattern, const std::string& text) {
    return fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

// The pattern is for whole parts of the path, from its end.
bool matches_file(const std::string& pattern, const std::string& file) {
    if (pattern == "*") return true;
    return matches(pattern, file) || matches("*/" + pattern, file);
}

bool names(const report::CheckedRun& run, const InvolvedCall& call, const Suppression& rule) {
    const model::SourceLocation& place = run.location(call.stack);
    return matches(rule.procedure, report::procedure_name(run, call)) &&
           matches_file(rule.file, place.file) && (rule.line == 0 || rule.line == place.line);
}

void take_fingerprints(const nlohmann::json& json, std::vector<std::string>& fingerprints) {
    if (json.is_object()) {
        for (const auto& [key, value] : json.items()) {
            const bool print = key == "fingerprint" || key == "callSites/v1";
            if (print && value.is_string()) {
                fingerprints.push_back(value.get<std::string>());
            } else if (key == "findings" || key == "runs" || key == "results" ||
                       key == "partialFingerprints") {
                take_fingerprints(value, fingerprints);
            }
        }
    } else if (json.is_array()) {
        for (const nlohmann::json& element : json)
            take_fingerprints(element, fingerprints);
    }
}

}  // namespace

Result<std::vector<Suppression>> read_suppressions(const std::string& path) {
    std::istringstream lines(TRY(read_text(path)));
    std::vector<Suppression> rules;
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        const std::size_t begin = line.find_first_not_of(" \t\r");
        if (begin == std::string::npos || line[begin] == '#') continue;
        const auto rule = parse_rule(line);
        if (!rule) {
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("{}:{}: write CLASS [FUNCTION [FILE[:LINE]]], such as "
                                     "leaked_communicator MPI_Comm_dup solver.c:17",
                                     path,
                                     number)};
        }
        rules.push_back(*rule);
    }
    return rules;
}

bool is_suppressed(const report::CheckedRun& run,
                   const Finding& finding,
                   const std::vector<Suppression>& suppressions) {
    return std::ranges::any_of(suppressions, [&](const Suppression& rule) {
        if (!matches(rule.finding_class, report::identifier_of(finding.finding_class)))
            return false;
        const bool anywhere = rule.procedure == "*" && rule.file == "*" && rule.line == 0;
        return anywhere || std::ranges::any_of(finding.calls, [&](const InvolvedCall& call) {
                   return names(run, call, rule);
               });
    });
}

Result<std::vector<std::string>> read_baseline(const std::string& path) {
    const std::string text = TRY(read_text(path));
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_object() || !(json.contains("findings") || json.contains("runs"))) {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("{}: no report of findings; write one with mqinspect check "
                                 "--format json -o FILE DIR",
                                 path)};
    }
    std::vector<std::string> fingerprints;
    take_fingerprints(json, fingerprints);
    return fingerprints;
}

Result<Filtered> filter(const report::CheckedRun& run, const FilterOptions& options) {
    std::vector<Suppression> suppressions;
    if (!options.suppressions.empty()) suppressions = TRY(read_suppressions(options.suppressions));
    std::multiset<std::string> known;
    if (!options.baseline.empty()) {
        for (std::string& fingerprint : TRY(read_baseline(options.baseline)))
            known.insert(std::move(fingerprint));
    }
    Filtered result;
    result.findings.complete = run.findings.complete;
    result.findings.unchecked = run.findings.unchecked;
    for (const Finding& finding : run.findings.findings) {
        if (is_suppressed(run, finding, suppressions)) {
            ++result.suppressed;
            continue;
        }
        const auto before = known.find(report::fingerprint_of(run, finding));
        if (before != known.end()) {
            known.erase(before);
            ++result.known;
            continue;
        }
        result.findings.findings.push_back(finding);
    }
    return result;
}

}  // namespace mqinspect::commands
