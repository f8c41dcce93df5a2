/// `mqinspect attach`, run as a user runs it.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/child_process.h"

namespace mqinspect::testing {

struct Inspection {
    int exit_code = -1;     ///< -1: killed by a signal, or after its time
    nlohmann::json report;  ///< discarded() if standard output is no JSON
    std::string output;
    std::string errors;
};

/// `mqinspect attach --format json --batch PIDS`; killed after `limit`.
Inspection inspect(const std::vector<pid_t>& pids, milliseconds limit = std::chrono::seconds(30));
/// With further options of attach.
Inspection inspect_with(const std::vector<std::string>& options, const std::vector<pid_t>& pids);

/// `mqinspect core --format json EXECUTABLE CORES`.
Inspection inspect_cores(const std::string& executable, const std::vector<std::string>& cores);

/// The kind of the verdict, or empty if there is no report.
std::string verdict_kind(const Inspection& inspection);

/// True if there is exactly one line, with an end.
bool is_one_line(const std::string& text);

}  // namespace mqinspect::testing
