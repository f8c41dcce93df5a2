/// mpi-thread-level-link: the thread level of a whole program, from the notes of its objects.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "thread_level/analysis/assessment.h"
#include "thread_level/facts/join.h"
#include "thread_level/link/filter.h"
#include "thread_level/link/json_report.h"
#include "thread_level/link/note_files.h"
#include "thread_level/link/options.h"
#include "thread_level/link/run_report.h"
#include "thread_level/link/text_report.h"

namespace mqinspect::thread_level::link {
namespace {

constexpr int kClean = 0;
constexpr int kFindings = 1;
constexpr int kTrouble = 2;

void complain(std::string_view what) {
    std::cerr << "mpi-thread-level-link: " << what << '\n';
}

/// Nothing, and a complaint, if it can't be read.
std::optional<std::string> read_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        complain(path + ": " + std::strerror(errno));
        return {};
    }
    return std::string(std::istreambuf_iterator<char>(file), {});
}

class Run {
public:
    explicit Run(Options options) : options_(std::move(options)) {}
    int run();

private:
    bool read_filters();
    void assess_program();
    void complain_of_unused() const;
    std::string print();
    bool write(const std::string& text) const;
    int exit_code() const;

    Options options_;
    NoteFiles files_;
    RunReports runs_;
    Suppressions suppressions_;
    std::set<std::string> baseline_;
    SourceLines sources_;
    Report report_;
};

bool Run::read_filters() {
    if (!options_.suppressions.empty()) {
        const std::optional<std::string> text = read_text(options_.suppressions);
        if (!text) return false;
        suppressions_ = parse_suppressions(*text);
        if (!suppressions_.error.empty()) {
            complain(options_.suppressions + ": " + suppressions_.error);
            return false;
        }
    }
    if (options_.baseline.empty()) return true;
    const std::optional<std::string> text = read_text(options_.baseline);
    if (!text) return false;
    std::string error;
    baseline_ = read_baseline(*text, error);
    if (!error.empty()) complain(options_.baseline + ": " + error);
    return error.empty();
}

void Run::assess_program() {
    Unit program = join(files_.units());
    name_functions(program);
    const StringId main = program.strings.find("main");
    const bool has_main = std::ranges::any_of(
        program.functions, [main](const Function& each) { return each.symbol == main; });
    Settings settings;
    settings.requested = options_.level;
    settings.strict_single = options_.strict_single;
    settings.whole_program = has_main;
    report_ = make_report(program, assess(program, settings));
    for (const std::string& path : options_.run_reports)
        runs_.read(path);
    runs_.apply(program, report_);
    for (const std::string& problem : runs_.problems())
        complain(problem);
    report_.has_main = has_main;
    report_.is_level_given = options_.level.has_value();
    if (options_.level) report_.requested = {*options_.level};
    report_.files = options_.files;
    report_.units = files_.units().size();
    report_.without_notes = files_.without_notes();
    report_.problems = files_.problems();
}

void Run::complain_of_unused() const {
    for (const Suppression& entry : suppressions_.entries) {
        if (entry.was_used) continue;
        complain(
            fmt::format("{}: line {}: nothing to suppress", options_.suppressions, entry.line));
    }
}

std::string Run::print() {
    if (options_.format == "json") return print_json(report_);
    if (options_.format == "sarif") return print_sarif(report_, options_.source_root);
    const char* terminal = std::getenv("TERM");
    const bool is_terminal = options_.output.empty() && isatty(STDOUT_FILENO) == 1 &&
                             terminal != nullptr && std::string_view(terminal) != "dumb";
    const bool in_color = options_.color == "always" || (options_.color == "auto" && is_terminal);
    std::string text = print_text(report_, sources_, in_color);
    if (options_.table) text += print_table(report_);
    return text;
}

bool Run::write(const std::string& text) const {
    if (options_.output.empty()) {
        std::cout << text << std::flush;
        return static_cast<bool>(std::cout);
    }
    std::ofstream file(options_.output, std::ios::binary);
    file << text << std::flush;
    return static_cast<bool>(file);
}

int Run::exit_code() const {
    if (files_.has_trouble() || !runs_.problems().empty() || report_.units == 0) return kTrouble;
    const bool has_findings = std::ranges::any_of(report_.findings, [this](const Finding& finding) {
        return finding.severity == Severity::Error ||
               (finding.severity == Severity::Warning && !options_.warn_only);
    });
    return has_findings ? kFindings : kClean;
}

int Run::run() {
    if (!read_filters()) return kTrouble;
    for (const std::string& file : options_.files)
        files_.read(file);
    for (const std::string& problem : files_.problems())
        complain(problem);
    assess_program();
    if (report_.units == 0)
        complain("there are no notes: compile with the plugin mpi_thread_level");
    apply(report_, options_.warnings, suppressions_, baseline_, sources_);
    complain_of_unused();
    if (!write(print())) {
        complain((options_.output.empty() ? "standard output" : options_.output) + ": " +
                 std::strerror(errno));
        return kTrouble;
    }
    return exit_code();
}

int run(int count, char** words) {
    try {
        ParsedOptions parsed = parse_options(count, words);
        if (parsed.exit_code) return *parsed.exit_code;
        return Run(std::move(parsed.options)).run();
    } catch (const std::exception& error) {
        complain(error.what());
        return kTrouble;
    }
}

}  // namespace
}  // namespace mqinspect::thread_level::link

int main(int count, char** words) {
    return mqinspect::thread_level::link::run(count, words);
}
