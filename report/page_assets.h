/// The style and the script of the HTML page, from the files in report/page/.
#pragma once

#include <string_view>

namespace mqinspect::report {

extern const std::string_view kPageStyle;
extern const std::string_view kPageScript;

}  // namespace mqinspect::report
