/// The MPI library's own procedures, called through pointers: the library may come later than
/// this one, be loaded by the program itself (Python), or not come at all.
#pragma once

#include <cstddef>

#include "tracer/pmpi_table.h"

namespace mqinspect::tracer {

struct PmpiName {
    const char* name;
    std::size_t offset;  ///< in Pmpi
};
extern const PmpiName* const kPmpiNames;
extern const std::size_t kPmpiNameCount;

extern Pmpi pmpi;

/// Fills `pmpi`; false: there is no MPI library. Thread-safe.
bool find_pmpi();

/// Whether the address is in a library of Fortran bindings. Those of `use mpi_f08` in MPICH, and
/// all of Open MPI's, call the MPI library by its PMPI names.
bool is_fortran_binding(const void* address);

/// MPI_UNWEIGHTED and MPI_WEIGHTS_EMPTY, which are variables in some libraries.
const int* unweighted();
const int* weights_empty();

}  // namespace mqinspect::tracer
