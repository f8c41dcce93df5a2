/// A program that takes the terminal over for a while.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace mqinspect::shell {

/// Runs it to its end with our streams, looked up in PATH; its exit code, 128 and more if
/// a signal has ended it. System: it cannot be started.
Result<int> run_program(const std::vector<std::string>& command);

}  // namespace mqinspect::shell
