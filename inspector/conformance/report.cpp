#include "inspector/conformance/report.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace mqinspect::conformance {

namespace {

constexpr double kBytesPerKiB = 1024;

std::string count_of(std::size_t count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

long figure(std::span<const Outcome> outcomes, Figure figure) {
    for (const Outcome& outcome : outcomes) {
        const auto found = outcome.findings.figures.find(figure);
        if (found != outcome.findings.figures.end()) return found->second;
    }
    return -1;
}

struct Line {
    const Outcome* outcome = nullptr;
    Violation violation;
    std::size_t scenarios = 1;
};

/// One of each rule, function and text, in the order of the scenarios.
std::vector<Line> lines_of(std::span<const Outcome> outcomes) {
    std::vector<Line> lines;
    std::map<std::tuple<Rule, std::string, std::string>, std::size_t> known;
    for (const Outcome& outcome : outcomes) {
        for (const Violation& violation : outcome.findings.violations) {
            // Figures and names differ from scenario to scenario; a crash is its own.
            const bool own = violation.rule == Rule::Crash || violation.rule == Rule::Hang;
            const auto key = std::tuple(
                violation.rule, violation.function, own ? std::string(outcome.scenario->name) : "");
            const auto [entry, is_new] = known.try_emplace(key, lines.size());
            if (is_new) {
                lines.push_back({&outcome, violation, 1});
            } else {
                ++lines[entry->second].scenarios;
            }
        }
    }
    return lines;
}

std::string print_line(const Line& line) {
    const Violation& violation = line.violation;
    std::string text = fmt::format("{}: ", line.outcome->scenario->name);
    if (!violation.function.empty()) text += violation.function + " ";
    text += violation.text;
    if (violation.times > 1) text += fmt::format(" ({} times)", violation.times);
    if (line.scenarios > 1) {
        text += fmt::format(
            " (also in {} other scenario{})", line.scenarios - 1, line.scenarios == 2 ? "" : "s");
    }
    return fmt::format("{} [{}]\n", text, source_of(violation.rule));
}

std::string print_figures(std::span<const Outcome> outcomes) {
    const long reads = figure(outcomes, Figure::Reads);
    const long operations = figure(outcomes, Figure::Operations);
    const long communicators = figure(outcomes, Figure::Communicators);
    if (reads < 0 || operations < 0 || communicators < 0) return {};
    std::string text =
        fmt::format("{} and {} shown with {}",
                    count_of(static_cast<std::size_t>(communicators), "communicator"),
                    count_of(static_cast<std::size_t>(operations), "operation"),
                    count_of(static_cast<std::size_t>(reads), "target read"));
    if (operations > 0) {
        text += fmt::format(", {:.1f} per operation",
                            static_cast<double>(reads) / static_cast<double>(operations));
    }
    const long peak = figure(outcomes, Figure::PeakBytes);
    if (peak >= 0) {
        text += fmt::format(", {:.1f} KiB of memory", static_cast<double>(peak) / kBytesPerKiB);
    }
    return text + "\n";
}

}  // namespace

std::string print_report(std::span<const Outcome> outcomes) {
    std::string text;
    const auto lines = lines_of(outcomes);
    for (const Line& line : lines)
        text += print_line(line);
    std::set<std::string> unrecorded;
    std::map<std::string, std::vector<std::string>> not_run;
    for (const Outcome& outcome : outcomes) {
        if (!outcome.findings.not_applicable.empty()) {
            not_run[outcome.findings.not_applicable].emplace_back(outcome.scenario->name);
        }
        unrecorded.insert(outcome.findings.unrecorded.begin(), outcome.findings.unrecorded.end());
    }
    for (const auto& [reason, names] : not_run)
        text += fmt::format("not run: {}: {}\n", fmt::join(names, ", "), reason);
    if (!unrecorded.empty()) {
        text += fmt::format("the recording does not hold {}", *unrecorded.begin());
        if (unrecorded.size() > 1) text += fmt::format(" and {} more", unrecorded.size() - 1);
        text += ": what is missing may look like a violation\n";
    }
    text += print_figures(outcomes);
    return text + fmt::format("{} in {}\n",
                              count_of(lines.size(), "violation"),
                              count_of(outcomes.size(), "scenario"));
}

ExitCode exit_code_of(std::span<const Outcome> outcomes) {
    bool unrecorded = false;
    for (const Outcome& outcome : outcomes) {
        const Findings& findings = outcome.findings;
        unrecorded = unrecorded || !findings.unrecorded.empty();
        const bool counts =
            std::ranges::any_of(findings.violations, [&](const Violation& violation) {
                return findings.unrecorded.empty() || violation.rule == Rule::Crash ||
                       violation.rule == Rule::Hang;
            });
        if (counts) return ExitCode::Violations;
    }
    const bool empty = figure(outcomes, Figure::Communicators) == 0;
    return unrecorded || empty ? ExitCode::Partial : ExitCode::Conformant;
}

}  // namespace mqinspect::conformance
