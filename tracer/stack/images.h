/// The executable and its libraries: DefinitionKind::Image.
#pragma once

#include <cstdint>
#include <string_view>

#include "tracer/log/definitions.h"

namespace mqinspect::tracer {

/// An address of machine code. `image` is an id + 1; 0: it is in none.
struct CodeAddress {
    std::uint64_t image = 0;
    std::uint64_t offset = 0;  ///< as the image's program headers count; else the address itself
};

/// A place in a script, in a list of return addresses: `image` of its CodeAddress, and the line. No
/// address of a program has the highest bit.
inline constexpr unsigned kScriptImageShift = 32;
constexpr std::uint64_t script_address(std::uint64_t image, std::uint64_t line) {
    return (std::uint64_t{1} << 63U) | (image << kScriptImageShift) | (line & UINT32_MAX);
}
constexpr bool is_script_address(std::uint64_t address) {
    return (address >> 63U) != 0;
}
constexpr CodeAddress place_in_script(std::uint64_t address) {
    return {(address & INT64_MAX) >> kScriptImageShift, address & UINT32_MAX};
}

/// Defines the image if it has not been. Thread-safe.
CodeAddress code_address(DefinitionsFile& definitions, std::uint64_t address);

/// Defines a function of an interpreter, whose source lines stand for offsets; returns `image` of
/// their CodeAddress, 0: there is no room. Thread-safe.
std::uint64_t define_script(DefinitionsFile& definitions,
                            std::string_view path,
                            std::string_view function);

/// The same of an image that is known already; takes no lock, for signal handlers.
CodeAddress known_code_address(std::uint64_t address);

/// The path of an image that is known, or an empty text. For messages.
const char* image_path(std::uint64_t image);

}  // namespace mqinspect::tracer
