/// Which debugger DLL to load for a process.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "inspector/target/debug_symbols.h"

namespace mqinspect::mqs_host {

struct DllChoice {
    std::string path;
    /// Why it is not one that the target named, one line each; usually empty.
    std::vector<std::string> notes;
};

/// In this order: `wanted` (the user's --dll, taken at its word); for MPICH (a
/// symbol MPIR_All_communicators, MPIR_Process or MPII_Version_string) the bundled
/// libmqs_mpich.so beside this program; for another MPI the names that the target
/// holds in mpimsgq_dll_locations and MPIR_dll_name, or the same file beside the MPI
/// library, if the file and all folders on the way to it are owned by root or this user
/// and not writable by others.
Result<DllChoice> choose_dll(const target::DebugSymbols& view,
                             const target::Memory& memory,
                             const std::string& wanted);

/// The bundled DLL: $MQI_DLL, else where it lies as seen from the file of this code, which
/// is the program or the Python module: ../lib, ../lib/mqinspect, the same folder, ../../lib.
Result<std::string> bundled_dll();

}  // namespace mqinspect::mqs_host
