/// The MPI procedures, and which of their arguments matter for threads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mqinspect::thread_level::plugin {

/// Positions of arguments, from 0; -1: there is none.
struct MpiProcedure {
    std::string name;  ///< as in C: "MPI_Send"
    int communicator = -1;
    int made_communicator = -1;  ///< address of one that the call makes or frees
    int peer = -1;
    int tag = -1;
    int object = -1;    ///< request, window or file; what else is freed
    int datatype = -1;  ///< of blocking sends and receives; a group or info object
    int count = -1;     ///< of requests, of which `object` is the first
    int required = -1;
    int provided = -1;          ///< address of a thread level
    int main_flag = -1;         ///< address of MPI_Is_thread_main's flag
    int initialized_flag = -1;  ///< the same of MPI_Initialized
};

/// By the name in a source: of C, of Fortran ("mpi_send", also with the endings of mpi_f08's
/// specific procedures), with or without the P of the profiling interface. Null: not MPI's.
const MpiProcedure* find_mpi_procedure(std::string_view name, bool fortran);

/// By the symbol of what is in Boost.MPI's library, or that of MPI's C++ bindings. Null: it is none
/// that is known.
const MpiProcedure* find_library_procedure(std::string_view symbol);

}  // namespace mqinspect::thread_level::plugin
