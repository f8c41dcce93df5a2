/// When a recorded command has ended, in a file beside those of its processes.
///
/// A process that is killed leaves no word of its end. Who waits for the command knows when that
/// was, and so how long nothing had happened before.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace mqinspect::trace_io {

/// The suffix of its name.
inline constexpr const char* kRunEndSuffix = ".mqend";

/// `ns`: CLOCK_REALTIME. False: the file cannot be written.
bool write_run_end(const std::string& folder, std::uint64_t ns);
/// Empty: there is no such file, or none that can be understood.
std::optional<std::uint64_t> read_run_end(const std::string& folder);

}  // namespace mqinspect::trace_io
