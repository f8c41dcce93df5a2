#include "thread_level/link/options.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include <CLI/CLI.hpp>

namespace mqinspect::thread_level::link {
namespace {

/// "funneled", "MPI_THREAD_FUNNELED".
Level level_of(const std::string& text) {
    std::string name = text;
    std::ranges::transform(name, name.begin(), [](unsigned char letter) {
        return static_cast<char>(std::toupper(letter));
    });
    for (const Level level : {Level::Single, Level::Funneled, Level::Serialized, Level::Multiple}) {
        const std::string_view whole = name_of(level);
        if (name == whole || name == whole.substr(whole.rfind('_') + 1)) return level;
    }
    throw CLI::ValidationError("--level", "it is single, funneled, serialized or multiple");
}

std::string rule_list() {
    std::string list = "Rules, each with -Wno-RULE, -Werror=RULE:";
    for (const Rule rule : kRules)
        list += std::string("\n  ") + option_of(rule);
    return list + "\nExit code: 0 nothing found, 1 findings, 2 something could not be read";
}

void add_options(CLI::App& app, Options& options, std::vector<std::string>& warnings) {
    app.add_option("FILES",
                   options.files,
                   "Executable, or the shared libraries, object files and archives of one program")
        ->required();
    app.add_option("--format", options.format, "text, json or sarif")
        ->check(CLI::IsMember({"text", "json", "sarif"}))
        ->capture_default_str();
    app.add_option("-o,--output", options.output, "Write to FILE")->type_name("FILE");
    app.add_flag("--table", options.table, "Print what the program needs, and what is not known");
    app.add_option_function<std::string>(
           "--level",
           [&options](const std::string& name) { options.level = level_of(name); },
           "single, funneled, serialized or multiple: in place of what the program requests")
        ->type_name("LEVEL");
    app.add_flag("--strict-single",
                 options.strict_single,
                 "Parallel regions and threads, too, are above MPI_THREAD_SINGLE");
    app.add_option("-W", warnings, "error, error=RULE, no-error=RULE, no-RULE, RULE")
        ->allow_extra_args(false)
        ->type_name("WARNING");
    app.add_flag("--warn-only", options.warn_only, "Exit code 1 only for what -W makes an error");
    app.add_option("--baseline",
                   options.baseline,
                   "Leave out what this JSON or SARIF report of a former run has")
        ->type_name("FILE");
    app.add_option("--suppressions", options.suppressions, "Findings to leave out, with reasons")
        ->type_name("FILE");
    app.add_option("--run-report",
                   options.run_reports,
                   "What a run of the program wrote (MPI_THREAD_LEVEL_REPORT): folder or file")
        ->type_name("PATH")
        ->allow_extra_args(false);
    app.add_option("--source-root",
                   options.source_root,
                   "SARIF names files below this folder relative to it")
        ->type_name("DIR");
    app.add_option("--color", options.color, "auto, always or never")
        ->check(CLI::IsMember({"auto", "always", "never"}))
        ->capture_default_str();
}

}  // namespace

ParsedOptions parse_options(int count, char** words) {
    ParsedOptions parsed;
    CLI::App app("Says which MPI thread level a program needs, from the notes in its object files",
                 "mpi-thread-level-link");
    std::vector<std::string> warnings;
    add_options(app, parsed.options, warnings);
    app.set_version_flag("--version", "mpi-thread-level-link " MQI_VERSION);
    app.footer(rule_list());
    try {
        app.parse(count, words);
        for (const std::string& each : warnings) {
            if (!parsed.options.warnings.add(each))
                throw CLI::ValidationError("-W" + each, "there is no such rule");
        }
    } catch (const CLI::ParseError& error) {
        parsed.exit_code = app.exit(error) == 0 ? 0 : 2;
    }
    return parsed;
}

}  // namespace mqinspect::thread_level::link
