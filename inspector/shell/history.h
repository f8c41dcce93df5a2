/// Where the lines that were typed are kept.
#pragma once

#include <optional>
#include <string>

namespace mqinspect::shell {

/// MQI_HISTORY, which may be empty for none; else mqinspect/history in XDG_STATE_HOME or
/// ~/.local/state. Empty: there is no such place.
std::optional<std::string> history_file();

/// Makes the file and its folders, for nobody else to read, unless it is there. False:
/// that cannot be done, and there is no history.
bool make_private(const std::string& file);

}  // namespace mqinspect::shell
