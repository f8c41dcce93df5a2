/// The styles and the scripts of the HTML pages, from the files in report/page/.
#pragma once

#include <string_view>

namespace mqinspect::report {

extern const std::string_view kPageStyle;      ///< of both pages
extern const std::string_view kFindingsStyle;  ///< what the page of findings has in addition
extern const std::string_view kCommonScript;   ///< before each of the others
extern const std::string_view kPageScript;
extern const std::string_view kFindingsScript;

}  // namespace mqinspect::report
