/// mqs-conformance: drives a debugger DLL through the interface.
#include <sys/types.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "inspector/conformance/live_job.h"
#include "inspector/conformance/recording.h"
#include "inspector/conformance/report.h"
#include "inspector/conformance/runner.h"
#include "inspector/snapshot/type_sources.h"

namespace mqinspect::conformance {

namespace {

struct Options {
    std::string dll;
    std::vector<pid_t> pids;
    std::string replay;
    std::string record;
    std::vector<std::string> scenarios;
    std::vector<std::string> types;
    int patience_ms = 10'000;
    bool list = false;
};

Result<std::string> read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("cannot read {}: {}", path, std::strerror(errno))};
    }
    return std::string{std::istreambuf_iterator<char>(file), {}};
}

Result<Done> write_file(const std::string& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << text;
    file.close();
    if (!file) {
        return Error{ErrorCode::System,
                     fmt::format("cannot write {}: {}", path, std::strerror(errno))};
    }
    return Done{};
}

Result<std::unique_ptr<DebuggedJob>> open_job(const Options& options) {
    if (options.replay.empty()) return stop_job(options.pids, options.dll, options.types);
    const std::string text = TRY(read_file(options.replay));
    auto recording = parse_recording(text);
    if (!recording) return recording.error().in(options.replay);
    return replay(std::move(*recording));
}

Questions questions_of(const std::vector<Outcome>& outcomes) {
    Questions all;
    for (const Outcome& outcome : outcomes) {
        const Questions& questions = outcome.findings.questions;
        all.symbols.insert(questions.symbols.begin(), questions.symbols.end());
        all.types.insert(questions.types.begin(), questions.types.end());
        all.pages.insert(questions.pages.begin(), questions.pages.end());
    }
    return all;
}

Result<ExitCode> work(const Options& options) {
    if (options.list) {
        for (const Scenario& scenario : scenarios())
            fmt::print("{:<32}{}\n", scenario.name, scenario.summary);
        return ExitCode::Conformant;
    }
    if (options.dll.empty() || options.pids.empty() == options.replay.empty()) {
        return Error{ErrorCode::InvalidArgument, "name a DLL, and either processes or --replay"};
    }
    const auto job = TRY(open_job(options));
    RunnerOptions runner;
    runner.patience = std::chrono::milliseconds(options.patience_ms);
    const auto outcomes = TRY(run_all(options.scenarios, options.dll, *job, runner));
    if (!options.record.empty()) {
        const Recording recording = record(*job, questions_of(outcomes));
        TRY(write_file(options.record, write_recording(recording)));
    }
    fmt::print("{}", print_report(outcomes));
    return exit_code_of(outcomes);
}

void add_options(CLI::App& app, Options& options) {
    app.set_version_flag("--version", "mqs-conformance " MQI_VERSION);
    app.add_option("DLL", options.dll, "the debugger DLL")->check(CLI::ExistingFile);
    app.add_option("PID", options.pids, "pid of mpiexec, of any rank, or of several ranks")
        ->check(CLI::PositiveNumber);
    app.add_option("--replay", options.replay, "a recorded job instead of processes");
    app.add_option("--record", options.record, "write what was asked of the job to this file");
    app.add_option("--types",
                   options.types,
                   "file with the types of a stripped MPI library (see docs/foreign-dlls.md)")
        ->check(CLI::ExistingFile)
        ->type_name("FILE");
    std::vector<std::string> names;
    for (const Scenario& scenario : scenarios())
        names.emplace_back(scenario.name);
    app.add_option("--scenario", options.scenarios, "run only these")
        ->check(CLI::IsMember(names))
        ->type_name("NAME");
    app.add_option("--patience",
                   options.patience_ms,
                   "milliseconds after which a call into the DLL counts as one that hangs")
        ->check(CLI::Range(1, 3'600'000))
        ->capture_default_str();
    app.add_flag("--list", options.list, "list the scenarios");
    app.footer(
        "The processes stand still meanwhile and run on afterwards.\n"
        "Exit codes: 0 conformant, 1 violations, 2 could not do the job, 3 too little was seen\n"
        "to say.");
}

int run_program(int argc, char** argv) {
    CLI::App app("Drives a debugger DLL through the mqs interface and prints what it violates.");
    app.name("mqs-conformance");
    Options options;
    add_options(app, options);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& problem) {
        return app.exit(problem) == 0 ? 0 : static_cast<int>(ExitCode::CannotDo);
    }
    if (options.types.empty()) options.types = snapshot::types_from_environment();
    const auto result = work(options);
    if (!result) {
        std::string line = result.error().message;
        std::ranges::replace(line, '\n', ' ');
        fmt::print(stderr, "mqs-conformance: {}\n", line);
    }
    return static_cast<int>(result ? *result : ExitCode::CannotDo);
}

}  // namespace

}  // namespace mqinspect::conformance

int main(int argc, char** argv) {  // NOLINT(bugprone-exception-escape): CLI11 throws what ends it
    return mqinspect::conformance::run_program(argc, argv);
}
