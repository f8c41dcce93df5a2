/// mqinspect export: a recorded run in the format of other tools.
#pragma once

#include <CLI/App.hpp>

namespace mqinspect::commands {

void add_export(CLI::App& app, int& exit_code);

}  // namespace mqinspect::commands
