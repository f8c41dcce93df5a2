/// Whether a process whose record is read has not ended yet.
#pragma once

#include <cstdint>
#include <string>

namespace mqinspect::trace_io {

/// True: there is a process `pid` on this host, and it has a file of this name mapped, as the
/// recorder has its log: no other process has one of that name. False also where that may not be
/// looked at.
bool has_mapped(std::uint64_t pid, const std::string& file_name);

}  // namespace mqinspect::trace_io
