/// What the MPI library of a process says of itself.
#pragma once

#include <string>
#include <string_view>

#include "inspector/target/debug_symbols.h"
#include "inspector/target/memory.h"

namespace mqinspect::snapshot {

/// The text in a variable of the process, such as MPICH's MPII_Version_device. Empty: there
/// is no such variable, or it cannot be read.
std::string text_at(const target::DebugSymbols& symbols,
                    const target::Memory& memory,
                    std::string_view variable);

/// "MPICH 4.0.2, ch3:nemesis", "Open MPI 4.1.4, pml ob1", "unknown MPI"; empty for a process
/// that has loaded none.
std::string describe_mpi(const target::DebugSymbols& symbols, const target::Memory& memory);

}  // namespace mqinspect::snapshot
