/// System calls that the sandbox does not allow, and who made them. Used in a helper
/// process only.
#pragma once

#include <string>
#include <vector>

namespace mqinspect::conformance {

/// From here on a system call that the sandbox traps fails with EPERM and is remembered.
void watch_system_calls();

/// The names of those since the last call.
std::vector<std::string> take_trapped_calls();

}  // namespace mqinspect::conformance
