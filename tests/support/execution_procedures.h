/// The procedures that tests call, with their parameters; what a recorder would have defined.
#pragma once

#include <optional>
#include <string_view>

#include "model/execution.h"

namespace mqinspect::test {

/// Empty: not in the table (execution_procedures.cpp; a line each).
std::optional<model::Procedure> find_procedure(std::string_view name);

}  // namespace mqinspect::test
