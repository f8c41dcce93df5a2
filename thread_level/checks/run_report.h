/// DIRECTORY/HOST.PID.run, as checks.h describes it. Each line is written at once, into a file that
/// is open only meanwhile: the program may close all files that it has not opened itself, and may
/// be killed at any time.
#pragma once

#include "thread_level/checks/site.h"

namespace mqinspect::thread_level::checks {

void report_number(const char* kind, int number);
/// The site, once.
void report_site(Site& site);
void report_context(const Site& site, int level);
void report_pair(const char* kind, std::uint32_t low, std::uint32_t high);

/// In the child: it has a file of its own.
void forget_report_after_fork();

}  // namespace mqinspect::thread_level::checks
