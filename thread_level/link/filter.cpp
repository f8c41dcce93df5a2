#include "thread_level/link/filter.h"

#include <fnmatch.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace mqinspect::thread_level::link {
namespace {

bool matches(const std::string& glob, const std::string& text) {
    return fnmatch(glob.c_str(), text.c_str(), 0) == 0;
}

std::optional<Rule> rule_named(std::string_view option) {
    for (const Rule rule : kRules)
        if (option == option_of(rule)) return rule;
    return {};
}

bool suppresses(const Suppression& entry, const Finding& finding) {
    const std::string base = finding.place.file.substr(finding.place.file.rfind('/') + 1);
    return matches(entry.rule, option_of(finding.rule)) &&
           matches(entry.function, finding.function) &&
           (entry.callee == "*" || std::ranges::any_of(finding.calls,
                                                       [&](const std::string& call) {
                                                           return matches(entry.callee, call);
                                                       })) &&
           (matches(entry.path, finding.place.file) || matches(entry.path, base));
}

/// An error, or nothing.
std::string parse_entry(const std::string& text, Suppression& entry) {
    std::istringstream words(text);
    std::string word;
    while (words >> word) {
        const std::size_t equals = word.find('=');
        const std::string key = word.substr(0, equals);
        const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
        if (value.empty()) return fmt::format("'{}' is no KEY=VALUE", word);
        if (key == "reason") {
            std::string rest;
            std::getline(words, rest);
            entry.reason = value + rest;
        } else if (key == "rule") {
            entry.rule = value.starts_with("-W") ? value.substr(2) : value;
        } else if (key == "function") {
            entry.function = value;
        } else if (key == "callee") {
            entry.callee = value;
        } else if (key == "path") {
            entry.path = value;
        } else {
            return fmt::format("'{}' is none of rule, function, callee, path, reason", key);
        }
    }
    return entry.reason.empty() ? "a reason is missing" : "";
}

}  // namespace

Suppressions parse_suppressions(std::string_view text) {
    Suppressions suppressions;
    std::istringstream lines{std::string(text)};
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        const std::size_t start = line.find_first_not_of(" \t\r");
        if (start == std::string::npos || line[start] == '#') continue;
        if (line.ends_with('\r')) line.pop_back();
        Suppression entry;
        entry.line = number;
        const std::string error = parse_entry(line, entry);
        if (!error.empty()) {
            suppressions.error = fmt::format("line {}: {}", number, error);
            break;
        }
        suppressions.entries.push_back(entry);
    }
    return suppressions;
}

bool WarningOptions::add(std::string_view text) {
    if (text == "error") {
        all_are_errors_ = true;
        return true;
    }
    const auto strip = [&text](std::string_view prefix) {
        if (!text.starts_with(prefix)) return false;
        text.remove_prefix(prefix.size());
        return true;
    };
    const bool is_not_error = strip("no-error=");
    const bool is_error = !is_not_error && strip("error=");
    const bool is_off = !is_not_error && !is_error && strip("no-");
    const std::optional<Rule> rule = rule_named(text);
    if (!rule) return false;
    if (is_not_error) {
        not_errors_.insert(*rule);
        errors_.erase(*rule);
    } else if (is_error) {
        errors_.insert(*rule);
        not_errors_.erase(*rule);
        disabled_.erase(*rule);
    } else if (is_off) {
        disabled_.insert(*rule);
    } else {
        disabled_.erase(*rule);
    }
    return true;
}

bool WarningOptions::is_error(Rule rule) const {
    return errors_.contains(rule) || (all_are_errors_ && !not_errors_.contains(rule));
}

std::set<std::string> read_baseline(const std::string& text, std::string& error) {
    std::set<std::string> fingerprints;
    const auto json = nlohmann::json::parse(text, nullptr, false);
    const auto add = [&fingerprints](const nlohmann::json& value) {
        if (value.is_string()) fingerprints.insert(value.get<std::string>());
    };
    if (json.is_object() && json.contains("findings") && json["findings"].is_array()) {
        for (const auto& finding : json["findings"])
            if (finding.is_object()) add(finding.value("fingerprint", nlohmann::json()));
    } else if (json.is_object() && json.contains("runs") && json["runs"].is_array()) {
        for (const auto& run : json["runs"]) {
            if (!run.is_object()) continue;
            for (const auto& result : run.value("results", nlohmann::json::array())) {
                if (!result.is_object()) continue;
                const auto prints = result.value("partialFingerprints", nlohmann::json::object());
                if (prints.is_object()) add(prints.value("threadLevel/v1", nlohmann::json()));
            }
        }
    } else {
        error = "neither JSON nor SARIF of this program";
    }
    return fingerprints;
}

void apply(Report& report,
           const WarningOptions& warnings,
           Suppressions& suppressions,
           const std::set<std::string>& baseline,
           SourceLines& sources) {
    const auto is_out = [&](const Finding& finding) {
        if (!warnings.is_enabled(finding.rule)) return true;
        if (sources.is_ignored(finding.place.file, finding.place.line)) {
            ++report.suppressed;
            return true;
        }
        for (Suppression& entry : suppressions.entries) {
            if (!suppresses(entry, finding)) continue;
            entry.was_used = true;
            ++report.suppressed;
            return true;
        }
        if (!baseline.contains(finding.fingerprint)) return false;
        ++report.known;
        return true;
    };
    std::erase_if(report.findings, is_out);
    for (Finding& finding : report.findings) {
        if (finding.severity == Severity::Note || !warnings.is_error(finding.rule)) continue;
        finding.severity = Severity::Error;
        finding.is_promoted = true;
    }
}

}  // namespace mqinspect::thread_level::link
