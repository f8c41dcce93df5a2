/// The command line of mqinspect: one file per subcommand beside this one.
#include <malloc.h>

#include <algorithm>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <climits>

#include "inspector/commands/attach.h"
#include "inspector/commands/check.h"
#include "inspector/commands/completion.h"
#include "inspector/commands/core.h"
#include "inspector/commands/doctor.h"
#include "inspector/commands/exit_code.h"
#include "inspector/commands/export.h"
#include "inspector/commands/locate.h"
#include "inspector/commands/record.h"
#include "inspector/commands/run.h"
#include "inspector/commands/show.h"
#include "report/utf8.h"

namespace {

/// A snapshot of many operations is some hundred megabytes that come and go: giving
/// pages back to the kernel and asking for them again costs more than the work on them.
void keep_memory() {
    constexpr int chunk = 64 << 20;
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    mallopt(M_TOP_PAD, chunk);
}

/// One line, as every complaint.
std::string complaint(const CLI::App* app, const CLI::Error& problem) {
    std::string text = problem.what();
    const std::vector<std::string> unknown = app->remaining();
    if (app->get_subcommands().empty() && !unknown.empty())
        text = "there is no command \"" + mqinspect::report::printable(unknown.front()) + "\"";
    std::ranges::replace(text, '\n', ' ');
    std::string command = "mqinspect";
    for (const CLI::App* chosen : app->get_subcommands())
        command += " " + chosen->get_name();
    return "mqinspect: " + text + "; \"" + command + " --help\" says more\n";
}

}  // namespace

int main(int argc, char** argv) {  // NOLINT(bugprone-exception-escape): CLI11 throws what ends it
    CLI::App app("Explains hung MPI jobs: who waits for whom, on which line, and why.");
    app.name("mqinspect");
    app.set_version_flag("--version", "mqinspect " MQI_VERSION);
    app.require_subcommand(1);
    app.failure_message(complaint);
    app.footer(
        "Exit codes: 0 nothing found, 1 findings (such as a deadlock), 2 could not do the\n"
        "job, 3 something was unreadable and no finding can be excluded.");
    keep_memory();
    int exit_code = 0;
    mqinspect::commands::add_attach(app, exit_code);
    mqinspect::commands::add_check(app, exit_code);
    mqinspect::commands::add_core(app, exit_code);
    mqinspect::commands::add_doctor(app, exit_code);
    mqinspect::commands::add_export(app, exit_code);
    mqinspect::commands::add_locate(app, exit_code);
    mqinspect::commands::add_record(app, exit_code);
    mqinspect::commands::add_run(app, exit_code);
    mqinspect::commands::add_save(app, exit_code);
    mqinspect::commands::add_show(app, exit_code);
    mqinspect::commands::add_completion(app, exit_code);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& problem) {
        const int code = app.exit(problem);
        return code == 0 ? 0 : static_cast<int>(mqinspect::commands::ExitCode::CannotDo);
    }
    return exit_code;
}
