/// Report formats by the name that --format takes.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "analysis/deadlock.h"
#include "base/result.h"
#include "model/job_snapshot.h"
#include "report/text.h"

namespace mqinspect::report {

/// "text", "json", "html", "dot", "csv", "folded".
std::span<const std::string_view> format_names();

/// The report in the format of that name; InvalidArgument if there is none.
/// Only text looks at `options`.
Result<std::string> print_report(std::string_view format,
                                 const model::JobSnapshot& snapshot,
                                 const analysis::Verdict& verdict,
                                 const TextOptions& options);

}  // namespace mqinspect::report
