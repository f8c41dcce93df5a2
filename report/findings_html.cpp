#include "report/findings_html.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "report/findings_json.h"
#include "report/html_text.h"
#include "report/json_writer.h"
#include "report/page_assets.h"
#include "report/recorded_source.h"

namespace mqinspect::report {
namespace {

using analysis::Finding;
using analysis::Severity;
using Layout = JsonWriter::Layout;

constexpr int kLinesAround = 3;
constexpr std::size_t kMostPlaces = 2000;

class FindingsPage {
public:
    explicit FindingsPage(const CheckedRun& run) : run_(run) {}

    std::string print() && {
        head();
        verdict();
        problems();
        list();
        section("processes", "Processes");
        section("functions", "Functions");
        section("communicators", "Communicators");
        section("stages", "Stages");
        foot();
        return std::move(out_);
    }

private:
    template <class... Arguments>
    void put(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
    }
    std::size_t count(Severity severity) const {
        return static_cast<std::size_t>(
            std::ranges::count(run_.findings.findings, severity, &Finding::severity));
    }
    std::string headline() const;
    void head();
    void verdict();
    void fact(std::string_view name, const std::string& value);
    void problems();
    void list();
    void section(std::string_view id, std::string_view name);
    void foot();
    std::string data() const;
    void sources(JsonWriter& json) const;

    const CheckedRun& run_;
    std::string out_;
};

std::string FindingsPage::headline() const {
    std::string text;
    for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Note}) {
        const std::size_t number = count(severity);
        if (number == 0) continue;
        text += fmt::format("{}{} {}{}",
                            text.empty() ? "" : ", ",
                            number,
                            name_of(severity),
                            number == 1 ? "" : "s");
    }
    if (text.empty()) {
        text = run_.execution.problems.empty() && run_.findings.unchecked.empty()
                   ? "No errors found"
                   : "No errors found in what could be read";
    }
    const std::size_t size = run_.execution.processes.size();
    return fmt::format("{} in the run of {} process{}", text, size, size == 1 ? "" : "es");
}

void FindingsPage::head() {
    out_ += kHtmlHead;
    put("<title>mqinspect: {}</title>\n<style>\n{}{}</style>\n</head>\n<body>\n",
        html_text(headline()),
        kPageStyle,
        kFindingsStyle);
    out_ +=
        "<a class=\"skip\" href=\"#findings\">Skip to the findings</a>\n<header "
        "class=\"bar\"><span class=\"brand\">mqinspect</span>\n<nav aria-label=\"Sections\">"
        "<a href=\"#verdict\">Summary</a><a href=\"#findings\">Findings</a>"
        "<a href=\"#processes\">Processes</a><a href=\"#functions\">Functions</a>"
        "<a href=\"#communicators\">Communicators</a><a href=\"#stages\">Stages</a></nav>\n"
        "<button type=\"button\" id=\"theme\" aria-label=\"Theme\">Theme: auto</button>"
        "</header>\n<main>\n<noscript><p class=\"note\">The findings need JavaScript, which is "
        "part of this file.</p></noscript>\n";
}

void FindingsPage::fact(std::string_view name, const std::string& value) {
    if (value.empty()) return;
    put("<div><dt>{}</dt><dd>{}</dd></div>", name, html_text(value));
}

void FindingsPage::verdict() {
    std::string_view worst = "none";
    if (count(Severity::Warning) != 0) worst = "warning";
    if (count(Severity::Error) != 0) worst = "error";
    put("<section id=\"verdict\" class=\"verdict {}\">\n<p class=\"kind\">Recorded run</p>\n"
        "<h1>{}</h1>\n<div class=\"tiles\">",
        worst,
        html_text(headline()));
    for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Note}) {
        if (count(severity) == 0) continue;
        put("<button type=\"button\" class=\"{0}\" data-severity=\"{0}\"><b>{1}</b> "
            "{0}{2}</button>",
            name_of(severity),
            count(severity),
            count(severity) == 1 ? "" : "s");
    }
    out_ += "</div>\n<dl class=\"facts\">";
    fact("Recording", run_.folder);
    if (!run_.execution.processes.empty()) {
        const model::RecordedProcess& first = run_.execution.processes.front();
        fact("Program", first.executable);
        fact("MPI", library_text(first));
    }
    if (run_.suppressed != 0) fact("Suppressed", fmt::format("{}", run_.suppressed));
    if (run_.known != 0) fact("Known from the baseline", fmt::format("{}", run_.known));
    out_ += "</dl>\n</section>\n";
}

void FindingsPage::problems() {
    if (run_.findings.complete && run_.findings.unchecked.empty() &&
        run_.execution.problems.empty())
        return;
    out_ += "<section id=\"problems\" class=\"note\"><h2>Not checked, not read</h2>\n<ul>";
    if (!run_.findings.complete)
        out_ += "<li>The limit of errors was exceeded: there are more than are shown.</li>";
    for (const auto* texts : {&run_.findings.unchecked, &run_.execution.problems}) {
        for (const std::string& text : *texts)
            put("<li>{}</li>", html_text(text));
    }
    out_ += "</ul></section>\n";
}

void FindingsPage::list() {
    out_ +=
        "<section id=\"findings\"><h2>Findings</h2>\n<div class=\"filters\">"
        "<input id=\"filter-words\" type=\"search\" placeholder=\"Search\" "
        "aria-label=\"Search in the findings\">"
        "<select id=\"filter-severity\" aria-label=\"Severity\"><option value=\"\">all "
        "severities</option>"
        "<option>error</option><option>warning</option><option>note</option></select>"
        "<select id=\"filter-class\" aria-label=\"Class\"><option value=\"\">all "
        "classes</option></select>"
        "<input id=\"filter-ranks\" placeholder=\"ranks 0-7\" aria-label=\"Ranks\">"
        "<button type=\"button\" id=\"filter-clear\">Clear</button>"
        "<button type=\"button\" id=\"unfold\">Unfold all</button>"
        "<button type=\"button\" id=\"fold\">Fold all</button></div>\n"
        "<p class=\"remark\"><span id=\"finding-count\" aria-live=\"polite\"></span></p>\n"
        "<div id=\"finding-list\"></div>\n</section>\n";
}

void FindingsPage::section(std::string_view id, std::string_view name) {
    put("<section id=\"{0}\"><h2>{1}</h2>\n<div class=\"table\" data-table=\"{0}\"></div>\n"
        "</section>\n",
        id,
        name);
}

// A few lines around each call of a finding, by "file:line".
void FindingsPage::sources(JsonWriter& json) const {
    SourceFiles files;
    std::set<std::pair<std::string, int>> places;
    for (const Finding& finding : run_.findings.findings) {
        for (const analysis::InvolvedCall& call : finding.calls) {
            const model::SourceLocation& place = run_.location(call.stack);
            if (place.line > 0 && places.size() < kMostPlaces)
                places.insert({place.file, place.line});
        }
    }
    json.begin_object(Layout::Lines);
    for (const auto& [file, line] : places) {
        const int first = std::max(1, line - kLinesAround);
        const auto lines = files.fragment({file, first}, line - first + 1 + kLinesAround);
        if (lines.size() <= static_cast<std::size_t>(line - first)) continue;
        json.key(fmt::format("{}:{}", file, line));
        json.begin_object();
        json.member("first", first);
        json.key("lines");
        json.begin_array();
        for (const std::string& text : lines)
            json.value(std::string_view(text));
        json.end_array();
        json.end_object();
    }
    json.end_object();
}

std::string FindingsPage::data() const {
    JsonWriter sources;
    this->sources(sources);
    return fmt::format("{{\"report\": {},\n\"sources\": {}}}\n",
                       print_findings_json(run_),
                       std::move(sources).finish());
}

void FindingsPage::foot() {
    put("</main>\n<script type=\"application/json\" id=\"data\">{}</script>\n<script>\n{}{}"
        "</script>\n</body>\n</html>\n",
        script_json(data()),
        kCommonScript,
        kFindingsScript);
}

}  // namespace

std::string print_findings_html(const CheckedRun& run) {
    return FindingsPage(run).print();
}

}  // namespace mqinspect::report
