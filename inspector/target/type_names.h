/// How DWARF types are written for a reader.
#pragma once

#include <string>

#include <elfutils/libdw.h>

namespace mqinspect::target {

/// The type of a variable: "MPI_Comm", "MPIR_Request *", "const int [4]". Struct
/// and union keywords are left out, as the name alone finds the type.
std::string type_name_of(Dwarf_Die variable);

/// The same of a type.
std::string name_of_type(Dwarf_Die type);

}  // namespace mqinspect::target
