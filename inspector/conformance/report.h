/// What was found, as text.
#pragma once

#include <span>
#include <string>

#include "inspector/conformance/runner.h"

namespace mqinspect::conformance {

/// "SCENARIO: FUNCTION TEXT [SOURCE]" for each violation, then a summary. The same
/// violation in several scenarios has one line that names the first.
std::string print_report(std::span<const Outcome> outcomes);

enum class ExitCode : int { Conformant = 0, Violations = 1, CannotDo = 2, Partial = 3 };

/// Partial: the DLL showed no process, or the recording did not hold what it asked for. A
/// violation that the lack may have caused is then none, unless the DLL crashed or hung.
ExitCode exit_code_of(std::span<const Outcome> outcomes);

}  // namespace mqinspect::conformance
