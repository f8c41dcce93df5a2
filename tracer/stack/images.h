/// The executable and its libraries: DefinitionKind::Image.
#pragma once

#include <cstdint>

#include "tracer/log/definitions.h"

namespace mqinspect::tracer {

/// An address of machine code. `image` is an id + 1; 0: it is in none.
struct CodeAddress {
    std::uint64_t image = 0;
    std::uint64_t offset = 0;  ///< as the image's program headers count; else the address itself
};

/// Defines the image if it has not been. Thread-safe.
CodeAddress code_address(DefinitionsFile& definitions, std::uint64_t address);

/// The same of an image that is known already; takes no lock, for signal handlers.
CodeAddress known_code_address(std::uint64_t address);

/// The path of an image that is known, or an empty text. For messages.
const char* image_path(std::uint64_t image);

}  // namespace mqinspect::tracer
