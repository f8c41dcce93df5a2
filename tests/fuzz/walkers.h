/// The debugger DLL on processes whose memory and types are damaged, part by part.
///
/// A walker is a part of the DLL: one that goes through communicators, request queues,
/// schedules and so on. Its inputs damage the memory that this part reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mqinspect::test {

/// Parts of an MPICH made by FakeMpich, the lists of a recorder, then every tests/fixtures/*.layout
/// as a whole.
std::vector<std::string> walker_names();

/// Prepares the process of a walker, damages it as the bytes say, and asks the DLL for
/// everything, twice. Returns whether the DLL freed all that it allocated; whatever else
/// may go wrong is for sanitizers and time limits to see.
///
/// The bytes: one that chooses what the debugger knows, then damages of nine bytes: how,
/// when (0: before the first look, else before a read of it), in which part, where in it
/// (two bytes, in words of four), and a value. Precondition: the walker exists.
bool survive_damage(const std::string& walker, const std::uint8_t* bytes, std::size_t size);

}  // namespace mqinspect::test
