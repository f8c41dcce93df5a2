/// The text of /proc/PID/maps.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace mqinspect::target {

/// One line. The path borrows from the text.
struct MapsLine {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    bool readable = false;
    bool executable = false;
    std::uint64_t offset = 0;  ///< in the file, bytes
    std::uint64_t device = 0;  ///< major << 32 | minor
    std::uint64_t inode = 0;
    std::string_view path;  ///< as written, " (deleted)" included
};

/// Lines that are not as proc(5) says, empty ranges and ranges below the one
/// before are left out.
std::vector<MapsLine> parse_maps(std::string_view text);

}  // namespace mqinspect::target
