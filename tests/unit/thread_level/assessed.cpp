#include "tests/unit/thread_level/assessed.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>

namespace mqinspect::thread_level::test {

Assessed::Assessed(std::string_view text, const Settings& settings)
    : program_(parse(text)), assessment_(assess(program_.unit, settings)) {}

const Site& Assessed::site(const std::string& label) const {
    const auto step = program_.labels.find(label);
    if (step != program_.labels.end()) {
        for (const Site& site : assessment_.sites) {
            if (site.function == step->second.first && site.step == step->second.second)
                return site;
        }
    }
    std::fprintf(stderr, "no call is labelled '%s'\n", label.c_str());
    std::abort();
}

std::string Assessed::level(const std::string& label) const {
    return std::string(name_of(site(label).required)).substr(std::string("MPI_THREAD_").size());
}

std::string Assessed::states(const std::string& label) const {
    std::string states;
    for (int state = 0; state < kStates; ++state) {
        if ((site(label).states >> state & 1) != 0) states += std::to_string(state);
    }
    return states;
}

std::string Assessed::line_of(const Diagnostic& diagnostic) const {
    static const char* const severities[] = {"error", "warning", "note"};
    std::string line = severities[static_cast<int>(diagnostic.severity)];
    line += std::string(" ") + (option_of(diagnostic.rule) + std::string("mpi-").size());
    std::set<std::string> labels;
    for (const auto& step : diagnostic.steps) {
        for (const auto& [label, where] : program_.labels) {
            if (where == step) labels.insert(label);
        }
    }
    for (const std::string& label : labels)
        line += " " + label;
    return line;
}

std::vector<std::string> Assessed::findings() const {
    std::vector<std::string> lines;
    for (const Diagnostic& diagnostic : assessment_.diagnostics)
        lines.push_back(line_of(diagnostic));
    return lines;
}

std::vector<std::string> Assessed::complaints() const {
    std::vector<std::string> lines;
    for (const Diagnostic& diagnostic : assessment_.diagnostics) {
        if (diagnostic.severity != Severity::Note) lines.push_back(line_of(diagnostic));
    }
    return lines;
}

bool Assessed::has(Rule rule, Severity severity) const {
    const auto& all = assessment_.diagnostics;
    return std::any_of(all.begin(), all.end(), [&](const Diagnostic& each) {
        return each.rule == rule && each.severity == severity;
    });
}

const Diagnostic* Assessed::find(Rule rule) const {
    for (const Diagnostic& diagnostic : assessment_.diagnostics) {
        if (diagnostic.rule == rule) return &diagnostic;
    }
    return nullptr;
}

std::vector<std::string> remarks_of(const Diagnostic& diagnostic) {
    std::vector<std::string> remarks;
    for (const Remark& remark : diagnostic.remarks)
        remarks.push_back(std::to_string(remark.place.line) + ": " + remark.message);
    return remarks;
}

std::vector<std::string> complaints(const std::string& level, const std::string& body) {
    const std::string start =
        level == "SINGLE" ? "MPI_Init" : "MPI_Init_thread(" + level + ", tested)";
    return Assessed("created c1 created c2 main() { " + start + " " + body + " MPI_Finalize }")
        .complaints();
}

}  // namespace mqinspect::thread_level::test
