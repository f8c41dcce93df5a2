/// Facts in object files: the section that the plugin writes and the link step reads.
///
/// A section holds one record for each unit, and the linker puts those of all objects one behind
/// the other, possibly with zero bytes between them. A record: "MTL", a version byte, the length
/// of the rest (LEB128), and the unit, packed or as it is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "thread_level/facts/facts.h"

namespace mqinspect::thread_level {

inline constexpr char kNoteSection[] = ".mpi_thread_level";

/// Only functions that can matter to another unit: those that have MPI, OpenMP, locks or threads,
/// or may reach them by what the unit does not define. Steps that nothing can tell from their
/// neighbours are left out. The assessment of the joined units stays what it is.
std::string encode(Unit unit);

/// Everything in front of a damaged record is decoded; `error` then says what and at which offset.
struct Decoded {
    std::vector<Unit> units;
    std::string error;
};
Decoded decode(std::string_view section);

}  // namespace mqinspect::thread_level
