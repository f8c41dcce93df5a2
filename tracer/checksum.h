/// Checksums of the bytes that a message takes from, or puts into, a buffer.
///
/// Equal bytes in the order of the type map have equal checksums, whatever the datatypes; of
/// long messages a sample counts that depends on nothing but their length.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tracer/handles/datatypes.h"

namespace mqinspect::tracer {

/// 0: not taken, because the type or the buffer is none, or the user does not want it. `bytes`: of
/// what was received; negative: all of `count` elements.
std::int64_t checksum(const void* buffer,
                      std::int64_t count,
                      const DatatypeInfo* datatype,
                      std::int64_t bytes = -1);

/// Of plain memory; never 0.
std::uint32_t checksum_of_bytes(const void* memory, std::size_t bytes);

}  // namespace mqinspect::tracer
