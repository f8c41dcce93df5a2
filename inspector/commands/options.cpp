#include "inspector/commands/options.h"

#include <sched.h>

#include <charconv>
#include <string_view>
#include <vector>

#include "inspector/snapshot/type_sources.h"
#include "report/dispatch.h"
#include "report/utf8.h"

namespace mqinspect::commands {

std::string pid_complaint(const std::string& text) {
    pid_t pid = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), pid);
    const bool whole = error == std::errc{} && end == text.data() + text.size();
    return whole && pid > 0 ? "" : "\"" + report::printable(text) + "\" is no process id";
}

void add_report_options(CLI::App& command, ReportOptions& options) {
    std::vector<std::string> formats;
    for (const std::string_view name : report::format_names())
        formats.emplace_back(name);
    command.add_option("--format", options.format, "how to print the report")
        ->check(CLI::IsMember(formats))
        ->capture_default_str();
    add_output_options(command, options.output);
    command.add_flag("--stacks", options.stacks, "show the stacks of all ranks, merged");
    command.add_flag("-v,--verbose",
                     options.verbose,
                     "fold nothing: every operation, all arguments, full paths");
}

Result<ExitCode> write_report(const model::JobSnapshot& snapshot,
                              const analysis::Verdict& verdict,
                              const ReportOptions& options) {
    report::TextOptions text;
    text.color = use_color(options.output);
    text.width = terminal_width();
    text.verbose = options.verbose;
    text.show_stacks = options.stacks;
    const std::string page = TRY(report::print_report(options.format, snapshot, verdict, text));
    TRY(write_report(page, options.output));
    return exit_code_of(snapshot, verdict);
}

void add_session_options(CLI::App& command, session::SessionOptions& options) {
    command
        .add_option_function<int>(
            "--confirm",
            [&options](int ms) { options.confirm = std::chrono::milliseconds(ms); },
            "look again after so many milliseconds before calling it a deadlock; 0: never")
        ->check(CLI::Range(0, 60000))
        ->default_str("20");
    auto* ranks = command.add_option(
        "--ranks", options.ranks, "stop and read only these ranks, such as 0-15,32");
    command
        .add_option("--communicator",
                    options.communicator,
                    "stop and read only the ranks of the communicator of this name")
        ->excludes(ranks);
    add_observer_options(command, options);
}

void add_observer_options(CLI::App& command, session::SessionOptions& options) {
    command.add_flag("--internal",
                     options.observer.show_internal,
                     "show the MPI library's own communicators too");
    command.add_option("--dll", options.observer.dll, "debugger DLL to load instead of ours")
        ->check(CLI::ExistingFile);
    command
        .add_option("--types",
                    options.observer.types,
                    "file with the types of a stripped MPI library (see docs/foreign-dlls.md); "
                    "default: $MQI_TYPES")
        ->check(CLI::ExistingFile)
        ->allow_extra_args(false);
}

void complete(session::SessionOptions& options) {
    if (options.observer.types.empty()) {
        options.observer.types = snapshot::types_from_environment();
    }
}

void go_before_the_ranks() {
    sched_param lowest{};
    lowest.sched_priority = sched_get_priority_min(SCHED_RR);
    sched_setscheduler(0, SCHED_RR, &lowest);
}

}  // namespace mqinspect::commands
