/// Where a command's report and its complaints go.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

#include <CLI/App.hpp>

#include "base/result.h"

namespace mqinspect::commands {

struct OutputOptions {
    std::string file;            ///< empty: standard output
    std::string color = "auto";  ///< auto, always, never
    bool quiet = false;          ///< no report; the exit code says it
};

/// -o FILE, --color WHEN, --quiet.
void add_output_options(CLI::App& command, OutputOptions& options);

/// True for "always", and for "auto" if the report goes to a terminal and
/// NO_COLOR (no-color.org) is not set.
bool use_color(const OutputOptions& options);

/// Columns of the terminal on standard output; 100 if there is none.
int terminal_width();

/// Writes the report where the options say, as replace_file.
Result<Done> write_report(const std::string& report, const OutputOptions& options);
/// The same with what `print` writes, piece by piece.
Result<Done> write_report(const std::function<void(std::ostream&)>& print,
                          const OutputOptions& options);

/// One line on standard error: "mqinspect: ...".
void complain(const Error& error);

}  // namespace mqinspect::commands
