/// The debugger DLL on an MPICH whose memory is damaged.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mqinspect::test {

/// Lays out an MPICH with something in every queue, damages it as the bytes say,
/// and asks the DLL for everything, twice. Returns whether the DLL freed all it
/// allocated; whatever else may go wrong is for sanitizers and time limits to see.
///
/// The bytes: one that chooses what the debugger knows, then damages of six bytes:
/// how, where (two bytes, in words of four from the start of the memory), what.
bool survive_damage(const std::uint8_t* bytes, std::size_t size);

}  // namespace mqinspect::test
