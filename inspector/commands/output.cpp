#include "inspector/commands/output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "inspector/session/replace_file.h"

namespace mqinspect::commands {

void add_output_options(CLI::App& command, OutputOptions& options) {
    command.add_option("-o,--output", options.file, "write the report to this file");
    command.add_option("--color", options.color, "colour the report")
        ->check(CLI::IsMember({"auto", "always", "never"}))
        ->capture_default_str();
    command.add_flag("-q,--quiet", options.quiet, "print no report; the exit code says it");
}

bool use_color(const OutputOptions& options) {
    if (options.color != "auto") return options.color == "always";
    const char* no_color = std::getenv("NO_COLOR");
    const bool unwanted = no_color != nullptr && no_color[0] != '\0';
    return !unwanted && options.file.empty() && isatty(STDOUT_FILENO) == 1;
}

int terminal_width() {
    constexpr int default_columns = 100;
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return default_columns;
    return size.ws_col;
}

Result<Done> write_report(const std::string& report, const OutputOptions& options) {
    return write_report([&](std::ostream& out) { out << report; }, options);
}

Result<Done> write_report(const std::function<void(std::ostream&)>& print,
                          const OutputOptions& options) {
    if (options.quiet) return Done{};
    if (!options.file.empty()) return session::replace_file(options.file, print);
    errno = 0;
    print(std::cout);
    if (!std::cout.flush()) {
        return Error{ErrorCode::System,
                     fmt::format("cannot write the report: {}", std::strerror(errno))};
    }
    return Done{};
}

void complain(const Error& error) {
    std::string line = error.message;
    std::ranges::replace(line, '\n', ' ');
    fmt::print(stderr, "mqinspect: {}\n", line);
}

}  // namespace mqinspect::commands
