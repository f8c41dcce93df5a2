/// What a record says twice, said once: deflated (RFC 1951, without a header), by zlib.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "thread_level/notes/reader.h"

namespace mqinspect::thread_level::notes {

/// What is packed is this many times longer at most, and more is not believed.
inline constexpr std::size_t kMostUnpacked = 16;

/// Empty: that makes it too short to be believed, or there is no memory.
std::string pack(std::string_view bytes);

/// `length` bytes, or fewer if `packed` fails.
std::string unpack(Reader& packed, std::size_t length);

}  // namespace mqinspect::thread_level::notes
