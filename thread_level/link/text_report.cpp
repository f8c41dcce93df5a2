#include "thread_level/link/text_report.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace mqinspect::thread_level::link {
namespace {

constexpr std::string_view kProgram = "mpi-thread-level-link";
constexpr std::size_t kTabStop = 8;

/// GCC's colours.
struct Colors {
    std::string_view locus, error, warning, note, end;
};
constexpr Colors kColors = {
    "\33[01m\33[K", "\33[01;31m\33[K", "\33[01;35m\33[K", "\33[01;36m\33[K", "\33[m\33[K"};

class TextReport {
public:
    TextReport(SourceLines& sources, bool in_color)
        : sources_(sources), colors_(in_color ? kColors : Colors{}) {}

    void add(const Finding& finding);
    /// Of findings that are not told, as one has been that is reached by the same call.
    void add_more(const SourcePlace& call, std::size_t count);
    std::string text() && { return std::move(text_); }

private:
    void heading(const SourcePlace& place, Severity severity, std::string_view message);
    void excerpt(const SourcePlace& place, Severity severity);
    std::string_view color_of(Severity severity) const;
    std::string colored(std::string_view color, std::string_view text) const {
        return fmt::format("{}{}{}", color, text, color.empty() ? "" : colors_.end);
    }

    SourceLines& sources_;
    Colors colors_;
    std::string text_;
    std::string function_;  // "In function" has been said
    SourcePlace shown_;     // the last excerpt; GCC does not repeat it
};

/// An error is one only if the user says so, as with GCC.
Severity shown_severity(const Finding& finding) {
    if (finding.severity != Severity::Error || finding.is_promoted) return finding.severity;
    return Severity::Warning;
}

/// What the runs that were looked at show.
std::string_view told(Evidence evidence) {
    switch (evidence) {
        case Evidence::Static:
            break;
        case Evidence::NotExecuted:
            return "not seen in a run: no recorded run came here";
        case Evidence::ExecutedAndOrdered:
            return "not seen in a run: recorded runs came here, and kept to the level";
        case Evidence::ConfirmedContext:
            return "confirmed by a run: a thread made the call that the level does not allow";
        case Evidence::ConfirmedUnordered:
            return "confirmed by a run: nothing ordered the calls";
        case Evidence::ConfirmedOverlapped:
            return "confirmed by a run: the calls were under way at the same time";
    }
    return "";
}

std::string_view name_of_severity(Severity severity) {
    switch (severity) {
        case Severity::Error:
            return "error: ";
        case Severity::Warning:
            return "warning: ";
        case Severity::Note:
            break;
    }
    return "note: ";
}

std::string_view TextReport::color_of(Severity severity) const {
    switch (severity) {
        case Severity::Error:
            return colors_.error;
        case Severity::Warning:
            return colors_.warning;
        case Severity::Note:
            break;
    }
    return colors_.note;
}

void TextReport::heading(const SourcePlace& place, Severity severity, std::string_view message) {
    std::string where(kProgram);
    if (place.line != 0) {
        where = fmt::format("{}:{}", place.file, place.line);
        if (place.column != 0) where += fmt::format(":{}", place.column);
    }
    text_ += fmt::format("{} {}{}",
                         colored(colors_.locus, where + ":"),
                         colored(color_of(severity), name_of_severity(severity)),
                         message);
}

/// The name that starts at the column; one letter if there is none.
std::size_t length_of_name(const std::string& line, std::size_t column) {
    std::size_t end = column;
    while (end < line.size() &&
           (std::isalnum(static_cast<unsigned char>(line[end])) != 0 || line[end] == '_'))
        ++end;
    return std::max<std::size_t>(end - column, 1);
}

void TextReport::excerpt(const SourcePlace& place, Severity severity) {
    if (place == shown_) return;
    shown_ = place;
    const std::string* line = sources_.line(place.file, place.line);
    if (line == nullptr) return;
    std::string shown;
    std::size_t caret = std::string::npos;
    std::size_t length = 1;
    for (std::size_t at = 0; at < line->size(); ++at) {
        if (at + 1 == place.column) {
            caret = shown.size();
            length = length_of_name(*line, at);
        }
        if ((*line)[at] == '\t') {
            shown.append(kTabStop - shown.size() % kTabStop, ' ');
        } else {
            shown += (*line)[at];
        }
    }
    if (caret == std::string::npos) {
        text_ += fmt::format("{:5} | {}\n", place.line, shown);
        return;
    }
    text_ += fmt::format("{:5} | {}{}{}\n",
                         place.line,
                         shown.substr(0, caret),
                         colored(color_of(severity), shown.substr(caret, length)),
                         shown.substr(caret + length));
    text_ += fmt::format("      | {}{}\n",
                         std::string(caret, ' '),
                         colored(color_of(severity), "^" + std::string(length - 1, '~')));
}

void TextReport::add(const Finding& finding) {
    const Severity severity = shown_severity(finding);
    const std::string function = finding.function.empty()
                                     ? std::string()
                                     : fmt::format("{} In function '{}':\n",
                                                   colored(colors_.locus, finding.place.file + ":"),
                                                   colored(colors_.locus, finding.function));
    if (function != function_) text_ += function;
    function_ = function;
    heading(finding.place, severity, finding.message);
    text_ += fmt::format(
        " [{}]\n",
        colored(
            color_of(severity),
            fmt::format("-W{}{}", finding.is_promoted ? "error=" : "", option_of(finding.rule))));
    excerpt(finding.place, severity);
    if (!finding.fix.empty()) {
        heading(finding.place, Severity::Note, finding.fix);
        text_ += '\n';
    }
    for (const Explanation& each : finding.explanations) {
        heading(each.place, Severity::Note, each.message);
        text_ += '\n';
        excerpt(each.place, Severity::Note);
    }
    if (finding.evidence == Evidence::Static) return;
    heading(finding.place, Severity::Note, told(finding.evidence));
    text_ += '\n';
}

void TextReport::add_more(const SourcePlace& call, std::size_t count) {
    heading(call,
            Severity::Note,
            fmt::format("and {} more {} reached through the call here",
                        count,
                        count == 1 ? "call that is" : "calls that are"));
    text_ += '\n';
    excerpt(call, Severity::Note);
}

/// What findings have in common that are told as one if they are many.
struct CommonWay {
    Rule rule;
    Evidence evidence;
    SourcePlace call;  ///< the last one of the way
    SourcePlace end;   ///< the region, or start of a thread, that it ends with

    bool operator<(const CommonWay& other) const {
        return std::tie(rule, evidence, call, end) <
               std::tie(other.rule, other.evidence, other.call, other.end);
    }
};

/// Nothing if the way has no calls.
std::optional<CommonWay> common_way(const Finding& finding) {
    std::vector<const Explanation*> way;
    for (const Explanation& each : finding.explanations)
        if (each.is_on_way) way.push_back(&each);
    if (way.size() < 2 || finding.severity == Severity::Note) return std::nullopt;
    return CommonWay{finding.rule, finding.evidence, way[way.size() - 2]->place, way.back()->place};
}

void add_list(std::string& text, std::string_view heading, const std::vector<std::string>& items) {
    if (items.empty()) return;
    text += heading;
    text += '\n';
    for (const std::string& item : items)
        text += "  " + item + "\n";
}

const char* without_request(const Report& report) {
    return report.has_unknown_request ? "the level that MPI_Init_thread is given is not a constant"
                                      : "no call of MPI_Init was found";
}

std::string requested_by(const Report& report) {
    const std::vector<Level>& levels = report.requested;
    if (levels.empty()) {
        return std::string(report.has_unknown_request ? "unknown: " : "nothing: ") +
               without_request(report);
    }
    std::string text;
    for (const Level level : {Level::Single, Level::Funneled, Level::Serialized, Level::Multiple}) {
        if (std::ranges::find(levels, level) == levels.end()) continue;
        text += (text.empty() ? "" : " or ") + std::string(name_of(level));
    }
    return text;
}

}  // namespace

std::string verdict_of(const Report& report) {
    if (report.units == 0) return "unknown: there are no notes";
    const auto is_wrong = [](const Finding& finding) { return finding.severity != Severity::Note; };
    const bool is_low =
        !report.requested.empty() && *std::ranges::min_element(report.requested) < report.required;
    if (is_low || std::ranges::any_of(report.findings, is_wrong)) return "not compliant";
    if (report.requested.empty()) return std::string("unknown: ") + without_request(report);
    if (!report.unknown_callees.empty() || !report.without_notes.empty())
        return "compliant, as far as the notes tell";
    return "compliant";
}

std::string print_text(const Report& report, SourceLines& sources, bool in_color) {
    TextReport text(sources, in_color);
    constexpr std::size_t most_of_one_way = 4;
    std::map<CommonWay, std::size_t> untold;
    for (const Finding& finding : report.findings)
        if (const auto way = common_way(finding)) ++untold[*way];
    for (const Finding& finding : report.findings) {
        const auto way = common_way(finding);
        std::size_t* const left = way ? &untold[*way] : nullptr;
        if (left != nullptr && *left == 0) continue;
        text.add(finding);
        if (left == nullptr || *left <= most_of_one_way) continue;
        text.add_more(way->call, *left - 1);
        *left = 0;
    }
    return std::move(text).text();
}

std::string print_table(const Report& report) {
    std::string text;
    for (const std::string& file : report.files)
        text += (text.empty() ? "Program    " : "           ") + file + "\n";
    text += fmt::format(
        "Requested  {}{}\n", requested_by(report), report.is_level_given ? " (--level)" : "");
    if (report.provided) text += fmt::format("Provided   {}\n", name_of(*report.provided));
    text += fmt::format("Required   {}\n", name_of(report.required));
    if (report.has_other_threads && report.required == Level::Single)
        text += "           by the calls; MPI_THREAD_FUNNELED as there are other threads\n";
    text += fmt::format("Verdict    {}\n", verdict_of(report));
    if (!report.has_main && report.units > 0)
        text += "           no main function: callers of what is here are not known\n";
    text += "MPI calls by the level that each needs\n";
    for (const Level level : {Level::Single, Level::Funneled, Level::Serialized, Level::Multiple}) {
        text += fmt::format(
            "  {:<22} {:>5}\n", name_of(level), report.sites[static_cast<std::size_t>(level)]);
    }
    add_list(text, "Called, but not in any note", report.unknown_callees);
    add_list(text, "Without notes", report.without_notes);
    if (report.suppressed != 0) text += fmt::format("Suppressed findings: {}\n", report.suppressed);
    if (report.known != 0) text += fmt::format("Findings of the baseline: {}\n", report.known);
    return text;
}

}  // namespace mqinspect::thread_level::link
