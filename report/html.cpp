#include "report/html.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "model/worlds.h"
#include "report/folded_graph.h"
#include "report/html_data.h"
#include "report/html_graph.h"
#include "report/html_text.h"
#include "report/page_assets.h"
#include "report/rank_ranges.h"
#include "report/words.h"

namespace mqinspect::report {
namespace {

using analysis::Verdict;
using analysis::VerdictKind;
using model::JobSnapshot;

/// As many boxes as one can take in.
constexpr std::size_t kMaxNodes = 70;

std::string_view heading(VerdictKind kind) {
    switch (kind) {
        case VerdictKind::Deadlock:
            return "Deadlock";
        case VerdictKind::HangUp:
            return "Hang-up";
        case VerdictKind::Suspected:
            return "Suspected";
        case VerdictKind::Crash:
            return "Crash";
        case VerdictKind::Unknown:
            return "Unknown";
        case VerdictKind::None:
            return "No deadlock";
    }
    return "Unknown";
}

/// The sentence starts with the same word; the page has it as a label of its own.
std::string without_heading(std::string_view sentence, VerdictKind kind) {
    const std::string_view word = heading(kind);
    if (sentence.starts_with(word) && sentence.substr(word.size()).starts_with(": ")) {
        sentence.remove_prefix(word.size() + 2);
    }
    std::string text(sentence);
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
        text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
}

class HtmlReport {
public:
    HtmlReport(const JobSnapshot& snapshot, const Verdict& verdict)
        : snapshot_(snapshot),
          verdict_(verdict),
          worlds_(snapshot),
          graph_(fold_graph(snapshot, verdict, kMaxNodes)) {}

    std::string print() && {
        head();
        verdict();
        problems();
        graph();
        section("ranks", "Ranks", "<div class=\"table\" data-table=\"ranks\"></div>");
        section("queues", "Queues", "<div class=\"table\" data-table=\"operations\"></div>");
        section("stacks", "Stacks", stack_tools());
        section("sources", "Source", "<div id=\"source-list\"></div>");
        section("communicators",
                "Communicators",
                "<div class=\"table\" data-table=\"communicators\"></div>");
        if (!snapshot_.windows.empty()) {
            section("windows", "Windows", "<div class=\"table\" data-table=\"windows\"></div>");
        }
        foot();
        return std::move(out_);
    }

private:
    template <class... Arguments>
    void put(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
    }

    void head() {
        out_ += kHtmlHead;
        put("<title>mqinspect: {}</title>\n", html_text(verdict_.sentence));
        out_ += "<style>\n";
        out_ += kPageStyle;
        out_ +=
            "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#verdict\">Skip to the "
            "verdict</a>\n<header class=\"bar\"><span class=\"brand\">mqinspect</span>\n<nav "
            "aria-label=\"Sections\">";
        for (const auto& [id, name] : kSections) {
            if (std::string_view(id) == "windows" && snapshot_.windows.empty()) continue;
            put("<a href=\"#{}\">{}</a>", id, name);
        }
        out_ +=
            "</nav>\n<button type=\"button\" id=\"theme\" aria-label=\"Theme\">Theme: auto"
            "</button></header>\n<main>\n"
            "<noscript><p class=\"note\">Tables, stacks and source lines need JavaScript, which is "
            "part of this file.</p></noscript>\n";
    }

    void fact(std::string_view name, std::string_view value) {
        if (value.empty()) return;
        put("<div><dt>{}</dt><dd>{}</dd></div>", name, html_text(value));
    }

    void verdict() {
        put("<section id=\"verdict\" class=\"verdict {}\">\n<p "
            "class=\"kind\">{}</p>\n<h1>{}</h1>\n",
            name_of(verdict_.kind),
            heading(verdict_.kind),
            html_text(without_heading(verdict_.sentence, verdict_.kind)));
        tiles();
        out_ += "<dl class=\"facts\">";
        fact("Launcher", snapshot_.launcher);
        fact("MPI", snapshot_.mpi);
        fact("Hosts",
             snapshot_.hosts.size() > 3 ? fmt::format("{} hosts", snapshot_.hosts.size())
                                        : fmt::format("{}", fmt::join(snapshot_.hosts, ", ")));
        if (worlds_.several()) fact("Worlds", fmt::to_string(worlds_.count()));
        fact("Queues read by", snapshot_.dll);
        fact("Ranks stopped for", fmt::format("{:.1f} ms", snapshot_.stopped_ms));
        out_ += "</dl>\n</section>\n";
    }

    /// How many ranks play which part; each tile filters the table of ranks.
    void tiles() {
        std::array<std::size_t, kRoles.size()> counts{};
        for (const Role role : roles_of(snapshot_, verdict_)) {
            const auto* place = std::ranges::find(kRoles, role);
            if (place != kRoles.end()) ++counts[static_cast<std::size_t>(place - kRoles.begin())];
        }
        out_ += "<div class=\"tiles\">";
        put("<button type=\"button\" data-role=\"\"><b>{}</b> ranks</button>",
            snapshot_.ranks.size());
        for (std::size_t i = 0; i < kRoles.size(); ++i) {
            if (counts[i] == 0) continue;
            put("<button type=\"button\" class=\"{0}\" data-role=\"{0}\"><b>{1}</b> {2}</button>",
                name_of(kRoles[i]),
                counts[i],
                kRoleWords[i]);
        }
        out_ += "</div>\n";
    }

    void problems() {
        if (snapshot_.problems.empty() && verdict_.unknown.empty()) return;
        out_ += "<section id=\"problems\" class=\"note\"><h2>Problems</h2>\n<ul>";
        for (const std::string& problem : snapshot_.problems)
            put("<li>{}</li>", html_text(problem));
        if (!verdict_.unknown.empty()) {
            put("<li>not known what they wait for, or not readable: {}</li>",
                html_text(named_ranks(worlds_, verdict_.unknown)));
        }
        out_ += "</ul></section>\n";
    }

    void graph() {
        out_ += "<section id=\"graph-section\"><h2>Who waits for whom</h2>\n";
        const bool some = std::ranges::any_of(graph_.edges, &GraphEdge::alternative);
        out_ += "<div class=\"legend\"><span class=\"key all\">waits for all of these</span>";
        if (some) out_ += "<span class=\"key any\">one of these is enough</span>";
        if (!verdict_.cores.empty()) out_ += "<span class=\"key core\">core</span>";
        if (!verdict_.victims.empty()) out_ += "<span class=\"key victim\">victim</span>";
        if (!verdict_.running.empty()) out_ += "<span class=\"key running\">running</span>";
        out_ += "</div>\n";
        if (graph_.coarse) {
            out_ +=
                "<p class=\"remark\">Ranks at the same call are drawn as one, although they wait "
                "for different ranks; the table below has each.</p>\n";
        }
        out_ +=
            "<div class=\"graph\"><div class=\"tools\"><button type=\"button\" data-zoom=\"in\" "
            "aria-label=\"Zoom in\">+</button><button type=\"button\" data-zoom=\"out\" "
            "aria-label=\"Zoom out\">&minus;</button><button type=\"button\" data-zoom=\"fit\">Fit"
            "</button></div>\n<div class=\"canvas\" tabindex=\"0\" aria-label=\"Graph; arrow keys "
            "move it, plus and minus zoom\">\n";
        out_ += html_graph(worlds_, graph_);
        out_ += "</div>\n</div>\n<div id=\"selection\" aria-live=\"polite\"></div>\n</section>\n";
    }

    static std::string_view stack_tools() {
        return "<div class=\"tools\"><label><input type=\"checkbox\" id=\"inside-mpi\"> frames "
               "inside of MPI, and before main</label><button type=\"button\" id=\"unfold\">Unfold "
               "all</button><button type=\"button\" id=\"fold\">Fold all</button></div>"
               "<div id=\"stack-tree\" role=\"tree\" aria-label=\"Merged stacks\"></div>";
    }

    void section(std::string_view id, std::string_view name, std::string_view content) {
        put("<section id=\"{}\"><h2>{}</h2>\n{}\n</section>\n", id, name, content);
    }

    void foot() {
        out_ += "</main>\n<script type=\"application/json\" id=\"data\">";
        out_ += script_json(html_data(snapshot_, verdict_, graph_));
        out_ += "</script>\n<script>\n";
        out_ += kCommonScript;
        out_ += kPageScript;
        out_ += "</script>\n</body>\n</html>\n";
    }

    static constexpr std::array kRoles = {Role::Core,
                                          Role::Crashed,
                                          Role::Victim,
                                          Role::Blocked,
                                          Role::Running,
                                          Role::Exited,
                                          Role::Unreadable};
    static constexpr std::array<std::string_view, kRoles.size()> kRoleWords = {
        "in a core", "crashed", "behind a core", "blocked", "running", "ended", "unreadable"};
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kSections = {{
        {"verdict", "Verdict"},
        {"graph-section", "Graph"},
        {"ranks", "Ranks"},
        {"queues", "Queues"},
        {"stacks", "Stacks"},
        {"sources", "Source"},
        {"communicators", "Communicators"},
        {"windows", "Windows"},
    }};

    const JobSnapshot& snapshot_;
    const Verdict& verdict_;
    model::Worlds worlds_;
    FoldedGraph graph_;
    std::string out_;
};

}  // namespace

std::string print_html(const JobSnapshot& snapshot, const Verdict& verdict) {
    return HtmlReport(snapshot, verdict).print();
}

}  // namespace mqinspect::report
