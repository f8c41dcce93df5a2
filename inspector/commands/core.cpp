#include "inspector/commands/core.h"

#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "inspector/commands/exit_code.h"
#include "inspector/commands/options.h"
#include "inspector/session/core_session.h"

namespace mqinspect::commands {

namespace {

struct CoreOptions {
    std::filesystem::path executable;
    std::vector<std::filesystem::path> cores;
    session::SessionOptions session;
    ReportOptions report;
};

Result<ExitCode> look_at_cores(const CoreOptions& options) {
    const session::Findings findings =
        TRY(session::look_at_cores(options.executable, options.cores, options.session.observer));
    return write_report(findings.snapshot, findings.verdict, options.report);
}

}  // namespace

void add_core(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<CoreOptions>();
    CLI::App* command = app.add_subcommand(
        "core", "Look at the core files of a killed, aborted or crashed MPI job");
    command->add_option("EXECUTABLE", options->executable, "the program that the ranks ran")
        ->required();
    command->add_option("CORE", options->cores, "core files, one of each rank")->required();
    add_report_options(*command, options->report);
    add_observer_options(*command, options->session);
    command->callback([options, &exit_code] {
        complete(options->session);
        exit_code = settle(look_at_cores(*options));
    });
}

}  // namespace mqinspect::commands
