#include "inspector/commands/check.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "analysis/check.h"
#include "analysis/event_references.h"
#include "analysis/run_profile.h"
#include "inspector/commands/exit_code.h"
#include "inspector/commands/finding_filter.h"
#include "inspector/commands/output.h"
#include "inspector/commands/progress.h"
#include "inspector/commands/recorded_stacks.h"
#include "inspector/commands/recorded_text.h"
#include "inspector/session/replace_file.h"
#include "report/checked_run.h"
#include "report/findings_html.h"
#include "report/findings_json.h"
#include "report/findings_sarif.h"
#include "report/findings_text.h"
#include "report/protocol/protocol.h"
#include "report/protocol/trace.h"
#include "report/same_places.h"

#include "trace_io/otf2/import.h"
#include "trace_io/recording.h"

namespace mqinspect::commands {
namespace {

using analysis::Severity;

struct CheckCommand {
    std::string folder;
    std::string format;  ///< empty: "short", to a file "text"
    OutputOptions output;
    SourceOptions sources;
    FilterOptions filter;
    std::string source_root;
    std::string config;    ///< file with options
    std::string messages;  ///< file for what could not be read; empty: standard error
    std::string damaged = "check";
    std::string trace;                 ///< fragments; empty: none
    std::vector<std::string> tables;   ///< empty: all
    std::vector<std::string> without;  ///< identifiers of classes
    analysis::CheckOptions check;
    bool buffered = false;
    bool protocol = false;
    bool verbose = false;

    bool prints_tables() const { return format == "text"; }
};

std::string print(const report::CheckedRun& run, const CheckCommand& command) {
    if (command.format == "json") return print_findings_json(run);
    if (command.format == "html") return print_findings_html(run);
    if (command.format == "sarif") return print_findings_sarif(run, command.source_root);
    report::TextOptions text;
    text.color = use_color(command.output);
    text.width = terminal_width();
    text.verbose = command.verbose;
    return print_findings(run, text);
}

/// The tables, the trace, and how long all of that took.
void print_tables(report::CheckedRun run,
                  const model::Recording& recording,
                  const CheckCommand& command,
                  Progress& progress,
                  std::ostream& out) {
    std::vector<std::string> tables =
        command.tables.empty() ? report::protocol_tables() : command.tables;
    const bool times = std::erase(tables, "stages") != 0;
    progress.begin("Task state and error printing");
    if (!tables.empty()) out << print_protocol(run, tables);
    if (!command.trace.empty()) {
        progress.begin("Trace printing");
        const auto fragments = report::parse_trace_fragments(command.trace);
        print_trace(run, recording, *fragments, [&](std::string_view piece) {
            return static_cast<bool>(out << piece);
        });
    }
    progress.end();
    run.stages = progress.times();
    if (times) out << print_protocol(run, {"stages"});
}

ExitCode exit_code_of(const model::Execution& execution, const analysis::Findings& findings) {
    if (std::ranges::count(findings.findings, Severity::Error, &analysis::Finding::severity) != 0)
        return ExitCode::Findings;
    const bool partial = !execution.problems.empty() || !findings.unchecked.empty();
    return partial ? ExitCode::Partial : ExitCode::NothingFound;
}

/// Where complaints about the recording go: to standard error, or to a file that is there only if
/// there are any.
Result<Done> report_messages(const std::vector<std::string>& remarks,
                             const std::vector<std::string>& problems,
                             const std::string& file) {
    if (file.empty()) {
        for (const std::string& remark : remarks)
            complain({ErrorCode::MissingDebugInfo, remark});
        return Done{};
    }
    std::string text;
    for (const auto* lines : {&problems, &remarks}) {
        for (const std::string& line : *lines)
            text += line + "\n";
    }
    if (!text.empty()) return session::replace_file(file, text);
    std::error_code ignored;
    if (std::filesystem::is_regular_file(file, ignored)) std::filesystem::remove(file, ignored);
    return Done{};
}

/// A recording of ours, or an archive of OTF2.
struct OpenRun {
    std::unique_ptr<model::Recording> recorded;
    std::unique_ptr<trace_io::ImportedArchive> archive;

    const model::Recording& recording() const {
        return archive != nullptr ? archive->recording() : *recorded;
    }
};

Result<OpenRun> open_run(const std::string& path) {
    OpenRun run;
    if (trace_io::is_otf2_archive(path)) {
        run.archive = TRY(trace_io::import_otf2(path));
    } else {
        run.recorded = TRY(trace_io::open_recording(path));
    }
    return run;
}

std::vector<report::ResolvedStack> stacks_of(const OpenRun& run,
                                             const std::vector<bool>& wanted,
                                             StackResolver& resolver) {
    if (run.archive == nullptr)
        return resolve_stacks(run.recording().execution(), wanted, resolver);
    std::vector<report::ResolvedStack> stacks;
    for (const auto& frames : run.archive->stacks())
        stacks.push_back({frames, 0});
    return stacks;
}

/// `recording`: that of the run, as it is to be read.
analysis::Findings find_errors(const OpenRun& run,
                               const model::Recording& recording,
                               const CheckCommand& command,
                               StackResolver& resolver,
                               Progress& progress) {
    RecordedText text(recording.execution(), resolver);
    analysis::CheckOptions options = command.check;
    if (run.archive == nullptr) options.text = &text;
    options.begin_stage = [&](std::string_view stage) { progress.begin(stage); };
    analysis::Findings findings = analysis::check(recording, options);
    if (run.archive != nullptr) {
        findings.unchecked.emplace_back(
            "An OTF2 archive holds no datatypes, no buffers, no places in windows, and of handles "
            "only communicators, windows and requests: what depends on the others was not "
            "checked.");
    }
    return findings;
}

Result<ExitCode> check(const CheckCommand& command) {
    Progress progress(!command.output.quiet);
    progress.begin("Analyzer initialization and trace reading");
    const OpenRun opened = TRY(open_run(command.folder));
    const model::Execution& execution = opened.recording().execution();
    if (command.damaged == "refuse" && !execution.problems.empty())
        return Error{ErrorCode::CorruptData, execution.problems.front()};
    const std::unique_ptr<model::Recording> counted = progress.counted(opened.recording());
    const analysis::ProfiledRecording recording(*counted);
    std::vector<std::string> remarks;
    StackResolver resolver(execution, command.sources, remarks);
    analysis::Findings findings = find_errors(opened, recording, command, resolver, progress);
    progress.begin("Numbers of calls");
    const analysis::RunProfile profile = recording.profile(findings);
    analysis::EventReferences references;
    if (command.prints_tables()) {
        progress.begin("Trace fragments");
        references = analysis::find_event_references(recording, profile);
    }
    progress.begin("Source references");
    const std::vector<report::ResolvedStack> stacks =
        stacks_of(opened,
                  stacks_to_show(execution, findings, profile, references, !command.trace.empty()),
                  resolver);
    report::merge_same_places(findings, stacks);
    TRY(report_messages(remarks, execution.problems, command.messages));
    progress.end();
    report::CheckedRun all{
        execution, findings, profile, stacks, progress.times(), command.folder, MQI_VERSION};
    all.references = &references;
    const Filtered wanted = TRY(filter(all, command.filter));
    const report::CheckedRun run{all.execution,
                                 wanted.findings,
                                 profile,
                                 stacks,
                                 all.stages,
                                 all.folder,
                                 all.version,
                                 wanted.suppressed,
                                 wanted.known,
                                 &references};
    const auto print_all = [&](std::ostream& out) {
        out << print(run, command);
        if (command.prints_tables()) print_tables(run, recording, command, progress, out);
    };
    TRY(write_report(print_all, command.output));
    return exit_code_of(execution, run.findings);
}

/// Settles what follows from other options. One line of complaint if they do not fit.
Result<Done> settle_options(CheckCommand& command) {
    const bool tables = command.protocol || !command.tables.empty() || !command.trace.empty();
    if (command.format.empty())
        command.format = tables || !command.output.file.empty() ? "text" : "short";
    if (command.format == "short" && command.protocol) command.format = "text";
    if (tables && command.format != "text") {
        return Error{ErrorCode::InvalidArgument,
                     "--protocol, --tables and --trace are for --format text only"};
    }
    if (!command.trace.empty()) TRY(report::parse_trace_fragments(command.trace));
    if (command.source_root.empty()) command.source_root = std::filesystem::current_path().string();
    for (const std::string& name : command.without)
        command.check.without.push_back(report::finding_class_of(name).value());
    return Done{};
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
    command
        ->add_option("DIR",
                     options->folder,
                     "what mqinspect record -o has written, or an OTF2 archive: traces.otf2")
        ->required();
    command
        ->add_option("--format",
                     options->format,
                     "short: the findings (the default); text: and all tables of the run (the "
                     "default with -o); json, html, sarif")
        ->check(CLI::IsMember({"short", "text", "json", "html", "sarif"}));
    add_output_options(*command, options->output);
    command->add_flag("--protocol", options->protocol, "the same as --format text");
    command->add_option("--tables", options->tables, "text: only these tables, such as task,errors")
        ->delimiter(',')
        ->check(CLI::IsMember(report::protocol_tables()))
        ->allow_extra_args(false);
    command->add_option("--trace",
                        options->trace,
                        "text: and the calls of these processes and events: all, 0-3, 0:100-200");
    command->add_flag("-v,--verbose",
                      options->verbose,
                      "fold nothing; stacks, full paths, every call of a finding");
    command->add_option("--without", options->without, "classes that are not looked for")
        ->delimiter(',')
        ->check(CLI::IsMember(report::finding_identifiers()).description("CLASS"))
        ->allow_extra_args(false);
    command->add_option("--damaged", options->damaged, "a recording with damaged or missing parts")
        ->check(CLI::IsMember({"check", "refuse"}))
        ->capture_default_str();
    command->add_option("--messages",
                        options->messages,
                        "file for what could not be read; it is removed if there is nothing");
    auto* strict = command->add_flag(
        "--strict",
        options->check.strict,
        "deadlocks that only buffering has avoided, and buffers that may be too small, are errors");
    command->add_flag("--buffered", options->buffered, "they are warnings (the default)")
        ->excludes(strict);
    command->add_option("--suppress",
                        options->filter.suppressions,
                        "file with findings that are not to be reported: lines CLASS [FUNCTION "
                        "[FILE[:LINE]]]");
    command->add_option("--baseline",
                        options->filter.baseline,
                        "report only what is not in this JSON or SARIF report of an earlier run");
    add_source_options(*command, options->sources);
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
        exit_code = settle([&]() -> Result<ExitCode> {
            TRY(settle_options(*options));
            return check(*options);
        }());
    });
}

}  // namespace mqinspect::commands
