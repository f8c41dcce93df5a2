/// Text from the target inside of HTML, and inside of a script's data.
#pragma once

#include <string>
#include <string_view>

namespace mqinspect::report {

/// How each page begins, up to its title. The policy keeps a page from the network, whatever the
/// text in it.
inline constexpr std::string_view kHtmlHead =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
    "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
    "<link rel=\"icon\" href=\"data:,\">\n";

/// For the content of an element or an attribute in double quotes; what cannot be
/// printed is spelled "\n", "\x1b".
std::string html_text(std::string_view text);

/// JSON that stands in a <script> element, which it can not end: each '<' inside of
/// a string becomes its escape.
std::string script_json(std::string_view json);

}  // namespace mqinspect::report
