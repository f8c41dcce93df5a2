/// Text from the target inside of HTML, and inside of a script's data.
#pragma once

#include <string>
#include <string_view>

namespace mqinspect::report {

/// For the content of an element or an attribute in double quotes; what cannot be
/// printed is spelled "\n", "\x1b".
std::string html_text(std::string_view text);

/// JSON that stands in a <script> element, which it can not end: each '<' inside of
/// a string becomes its escape.
std::string script_json(std::string_view json);

}  // namespace mqinspect::report
