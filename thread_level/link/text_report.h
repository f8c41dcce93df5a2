/// Findings as GCC prints its warnings.
#pragma once

#include <string>

#include "thread_level/link/finding.h"
#include "thread_level/link/source_lines.h"

namespace mqinspect::thread_level::link {

std::string print_text(const Report& report, SourceLines& sources, bool in_color);
/// Sites by level, requested, provided, verdict, what is unknown.
std::string print_table(const Report& report);
/// "compliant", "not compliant", "unknown: ..."
std::string verdict_of(const Report& report);

}  // namespace mqinspect::thread_level::link
