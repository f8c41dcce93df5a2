#include "inspector/commands/doctor.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "inspector/commands/exit_code.h"
#include "inspector/commands/output.h"
#include "inspector/doctor/doctor.h"
#include "inspector/snapshot/type_sources.h"
#include "report/page.h"

namespace mqinspect::commands {

namespace {

using doctor::Check;
using doctor::State;

struct DoctorOptions {
    std::string subject;
    OutputOptions output;
    doctor::Subject about;
};

const char* word_of(State state) {
    switch (state) {
        case State::Works:
            return "works";
        case State::Limited:
            return "limited";
        case State::Fails:
            return "fails";
    }
    return "";
}

report::Style style_of(State state) {
    if (state == State::Works) return report::Style::Good;
    return state == State::Limited ? report::Style::Warning : report::Style::Bad;
}

std::string page_of(const std::vector<Check>& checks, const OutputOptions& options) {
    report::Page page(use_color(options), terminal_width());
    constexpr std::size_t indent = 9;
    for (const Check& check : checks) {
        const std::string word = word_of(check.state);
        page.piece(style_of(check.state), word);
        page.spaces(indent - word.size());
        const auto lines =
            report::wrap(check.subject + ": " + check.finding + ".", page.width() - indent);
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (i > 0) page.spaces(indent);
            page.piece(report::Style::Plain, lines[i]);
            page.end_line();
        }
        if (!check.advice.empty()) {
            page.paragraph(report::Style::Dim, "What to do: " + check.advice + ".", indent);
        }
    }
    return std::move(page).finish();
}

/// Digits are a pid, everything else is a file.
Result<doctor::Subject> subject_of(const DoctorOptions& options) {
    doctor::Subject subject = options.about;
    if (subject.types.empty()) subject.types = snapshot::types_from_environment();
    const std::string& text = options.subject;
    const bool digits =
        !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
    if (!digits) {
        subject.program = text;
        return subject;
    }
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), subject.pid);
    if (parsed.ec != std::errc{} || subject.pid == 0) {
        return Error{ErrorCode::InvalidArgument, "no pid: " + text};
    }
    return subject;
}

Result<ExitCode> examine(const DoctorOptions& options) {
    const auto checks = doctor::examine(TRY(subject_of(options)));
    TRY(write_report(page_of(checks, options.output), options.output));
    const bool fails =
        std::ranges::any_of(checks, [](const Check& check) { return check.state == State::Fails; });
    return fails ? ExitCode::Findings : ExitCode::NothingFound;
}

}  // namespace

void add_doctor(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<DoctorOptions>();
    CLI::App* command =
        app.add_subcommand("doctor", "Say what works on this machine, and what to do for the rest");
    command->add_option("SUBJECT",
                        options->subject,
                        "pid of a rank, or an MPI program; default: the mpiexec in PATH");
    add_output_options(*command, options->output);
    command->add_option("--dll", options->about.dll, "debugger DLL to try instead of ours")
        ->check(CLI::ExistingFile);
    command->add_option("--types", options->about.types, "types of a stripped MPI library")
        ->check(CLI::ExistingFile)
        ->allow_extra_args(false);
    command->callback([options, &exit_code] { exit_code = settle(examine(*options)); });
}

}  // namespace mqinspect::commands
