/// The table that finds call frame information (.eh_frame_hdr; Linux Standard Base
/// Core 5.0, 10.6.2): it says where functions begin whose names are stripped.
#pragma once

#include <cstdint>
#include <optional>

#include <libelf.h>

namespace mqinspect::target {

/// Where the code begins, as linked, that the address shares its frame information with: a
/// function, or the part of one that the compiler has moved away. Empty: there is no table, it is
/// damaged or of another form than GNU ld, gold and lld write, or all code lies behind the address.
std::optional<std::uint64_t> begin_of_code(Elf* elf, std::uint64_t address);

}  // namespace mqinspect::target
