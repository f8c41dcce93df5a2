/// The parameters of the MPI procedures that can wait, for libraries without debug
/// information.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mqinspect::snapshot {

struct Parameter {
    std::string type;  ///< as DWARF names it: "MPI_Comm", "void *"
    std::string name;  ///< the standard's
};

/// Of the C binding `function` ("MPI_Recv") in MPI 4.0; empty if it is not listed.
std::vector<Parameter> parameters_of(std::string_view function);

}  // namespace mqinspect::snapshot
