/// Findings for other programs.
#pragma once

#include <string>

#include "thread_level/link/finding.h"

namespace mqinspect::thread_level::link {

std::string print_json(const Report& report);
/// SARIF 2.1.0. Files below `source_root` are named relative to it.
std::string print_sarif(const Report& report, const std::string& source_root);

}  // namespace mqinspect::thread_level::link
