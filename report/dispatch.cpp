#include "report/dispatch.h"

#include <array>

#include <fmt/format.h>

#include "report/dot.h"
#include "report/json.h"

namespace mqinspect::report {
namespace {

constexpr std::array<std::string_view, 3> kFormatNames = {"text", "json", "dot"};

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
    if (format == "dot") return print_dot(snapshot, verdict);
    return Error{
        ErrorCode::InvalidArgument,
        fmt::format("no report format \"{}\"; there is {}", format, fmt::join(kFormatNames, ", "))};
}

}  // namespace mqinspect::report
