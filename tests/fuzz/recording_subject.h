/// Arbitrary bytes as a recorded run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace mqinspect::fuzz {

/// Two bytes: how many bytes of definitions follow; then the definitions, without a header; then
/// blocks, of each two bytes for its length, one for its thread, one for the Resume records at
/// its beginning, and its records. Reads the run and aborts if a value is not in the run's range;
/// the number of its calls.
std::size_t read_recorded(std::span<const std::uint8_t> bytes);

}  // namespace mqinspect::fuzz
