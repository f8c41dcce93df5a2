/// What a record says twice, said once: its bytes as copies of earlier ones.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "thread_level/notes/reader.h"

namespace mqinspect::thread_level::notes {

/// What is packed is this many times longer at most, and more is not believed.
inline constexpr std::size_t kMostUnpacked = 16;

/// Sequences, each of bytes as they are and of a copy. A sequence: a head, whose upper half is how
/// many bytes follow (15: a LEB128 is added), whose lower half is the copy's length without the
/// shortest (15: a byte is added); the bytes; that byte; and how far back the copy is from, as
/// LEB128. Behind the last bytes there need not be a copy.
std::string pack(std::string_view bytes);

/// `length` bytes, or fewer if `packed` fails.
std::string unpack(Reader& packed, std::size_t length);

}  // namespace mqinspect::thread_level::notes
