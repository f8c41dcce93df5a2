#include "report/dispatch.h"

#include <array>

#include <fmt/format.h>

#include "report/csv.h"
#include "report/dot.h"
#include "report/html.h"
#include "report/json.h"
#include "report/stack_tree.h"

namespace mqinspect::report {
namespace {

constexpr std::array<std::string_view, 6> kFormatNames = {
    "text", "json", "html", "dot", "csv", "folded"};

}  // namespace

std::span<const std::string_view> format_names() {
    return kFormatNames;
}

Result<std::string> print_report(std::string_view format,
                                 const model::JobSnapshot& snapshot,
                                 const analysis::Verdict& verdict,
                                 const TextOptions& options) {
    if (format == "text") return print_text(snapshot, verdict, options);
    if (format == "json") return print_json(snapshot, verdict);
    if (format == "html") return print_html(snapshot, verdict);
    if (format == "dot") return print_dot(snapshot, verdict);
    if (format == "csv") return print_csv(snapshot);
    if (format == "folded") return print_folded(snapshot);
    return Error{
        ErrorCode::InvalidArgument,
        fmt::format("no report format \"{}\"; there is {}", format, fmt::join(kFormatNames, ", "))};
}

}  // namespace mqinspect::report
