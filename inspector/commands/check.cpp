#include "inspector/commands/check.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "analysis/check.h"
#include "analysis/run_profile.h"
#include "inspector/commands/exit_code.h"
#include "inspector/commands/finding_filter.h"
#include "inspector/commands/output.h"
#include "inspector/commands/recorded_stacks.h"
#include "report/checked_run.h"
#include "report/findings_json.h"
#include "report/findings_protocol.h"
#include "report/findings_sarif.h"
#include "report/findings_text.h"

#include "trace_io/recording.h"

namespace mqinspect::commands {
namespace {

using analysis::Severity;

struct CheckCommand {
    std::string folder;
    std::string format = "text";
    OutputOptions output;
    SourceOptions sources;
    FilterOptions filter;
    std::string source_root;
    std::string config;  ///< file with options
    analysis::CheckOptions check;
    bool buffered = false;
    bool protocol = false;
    bool verbose = false;
};

// Measures the stages of the work one after another.
class Stages {
public:
    void end(std::string name) {
        const auto now = Time::now();
        times_.push_back({std::move(name), std::chrono::duration<double>(now - begin_).count()});
        begin_ = now;
    }
    std::vector<report::StageTime> take() && { return std::move(times_); }

private:
    using Time = std::chrono::steady_clock;
    Time::time_point begin_ = Time::now();
    std::vector<report::StageTime> times_;
};

std::string print(const report::CheckedRun& run, const CheckCommand& command) {
    if (command.format == "json") return print_findings_json(run);
    if (command.format == "sarif") return print_findings_sarif(run, command.source_root);
    report::TextOptions text;
    text.color = use_color(command.output);
    text.width = terminal_width();
    text.verbose = command.verbose;
    std::string page = print_findings(run, text);
    if (command.protocol) page += print_protocol(run);
    return page;
}

ExitCode exit_code_of(const model::Execution& execution, const analysis::Findings& findings) {
    if (std::ranges::count(findings.findings, Severity::Error, &analysis::Finding::severity) != 0)
        return ExitCode::Findings;
    const bool partial = !execution.problems.empty() || !findings.unchecked.empty();
    return partial ? ExitCode::Partial : ExitCode::NothingFound;
}

Result<ExitCode> check(const CheckCommand& command) {
    Stages stages;
    const std::unique_ptr<model::Recording> recording =
        TRY(trace_io::open_recording(command.folder));
    stages.end("reading");
    const analysis::Findings findings = analysis::check(*recording, command.check);
    stages.end("checks");
    const analysis::RunProfile profile = analysis::profile(*recording, findings);
    stages.end("profile");
    std::vector<std::string> remarks;
    const std::vector<report::ResolvedStack> stacks =
        resolve_stacks(recording->execution(), findings, profile, command.sources, remarks);
    for (const std::string& remark : remarks)
        complain({ErrorCode::MissingDebugInfo, remark});
    stages.end("source lines");
    const report::CheckedRun all{recording->execution(),
                                 findings,
                                 profile,
                                 stacks,
                                 std::move(stages).take(),
                                 command.folder,
                                 MQI_VERSION};
    const Filtered wanted = TRY(filter(all, command.filter));
    const report::CheckedRun run{all.execution,
                                 wanted.findings,
                                 profile,
                                 stacks,
                                 all.stages,
                                 all.folder,
                                 all.version,
                                 wanted.suppressed,
                                 wanted.known};
    TRY(write_report(print(run, command), command.output));
    return exit_code_of(run.execution, run.findings);
}

/// CLI11 reads such files for the whole program only, not for a subcommand. Options of the
/// command line come first.
void take_options(CLI::App& command, const std::string& file) {
    for (const CLI::ConfigItem& item : CLI::ConfigINI().from_file(file)) {
        CLI::Option* option = command.get_option_no_throw("--" + item.name);
        if (option == nullptr || !item.parents.empty() || item.inputs.empty())
            throw CLI::ValidationError(file, "there is no option " + item.fullname());
        if (option->count() > 0) continue;
        const bool flag = option->get_expected_max() == 0;
        if (flag && item.inputs.front() == "false") continue;
        option->add_result(item.inputs);
        option->run_callback();
    }
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<CheckCommand>();
    CLI::App* command = app.add_subcommand("check", "Find the errors of a recorded run");
    command->add_option("DIR", options->folder, "what mqinspect record -o has written")->required();
    command->add_option("--format", options->format, "how to print the findings")
        ->check(CLI::IsMember({"text", "json", "sarif"}))
        ->capture_default_str();
    add_output_options(*command, options->output);
    command->add_flag("--protocol", options->protocol, "text: print all tables of the run, too");
    command->add_flag("-v,--verbose",
                      options->verbose,
                      "text: fold nothing; stacks, full paths, every call of a finding");
    auto* strict = command->add_flag(
        "--strict", options->check.strict, "deadlocks that only buffering has avoided are errors");
    command->add_flag("--buffered", options->buffered, "they are warnings (the default)")
        ->excludes(strict);
    command->add_option("--suppress",
                        options->filter.suppressions,
                        "file with findings that are not to be reported: lines CLASS [FUNCTION "
                        "[FILE[:LINE]]]");
    command->add_option("--baseline",
                        options->filter.baseline,
                        "report only what is not in this JSON or SARIF report of an earlier run");
    command
        ->add_option("--source-path",
                     options->sources.source_paths,
                     "folder with sources that are not where they were compiled")
        ->check(CLI::ExistingDirectory)
        ->allow_extra_args(false);
    command
        ->add_option("--image-path",
                     options->sources.image_paths,
                     "folder with programs and libraries that have moved")
        ->check(CLI::ExistingDirectory)
        ->allow_extra_args(false);
    command->add_option("--source-root",
                        options->source_root,
                        "sarif: name sources relative to this folder (default: this one)");
    command
        ->add_option("--max-errors",
                     options->check.errors_per_process,
                     "errors and warnings for each process, and of those between processes")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command
        ->add_option("--matchings",
                     options->check.alternative_matchings,
                     "how many other matchings of wildcard receives are tried")
        ->capture_default_str();
    command->add_option("--config", options->config, "file with these options, as NAME=VALUE lines")
        ->check(CLI::ExistingFile);
    command->callback([command, options, &exit_code] {
        if (!options->config.empty()) take_options(*command, options->config);
        if (options->source_root.empty())
            options->source_root = std::filesystem::current_path().string();
        exit_code = settle(check(*options));
    });
}

}  // namespace mqinspect::commands
