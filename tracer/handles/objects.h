/// Reduction operators, windows and files: DefinitionKind::Operator, Window, File; and names.
#pragma once

#include <cstdint>
#include <span>

#include <mpi.h>

namespace mqinspect::tracer {

struct PredefinedOperator {
    std::uint64_t handle;
    const char* name;
};
std::span<const PredefinedOperator> predefined_operators();
/// Before the first call, when the MPI library is known.
void learn_predefined_operators();

std::int64_t operator_id(MPI_Op op);
void operator_created(MPI_Op op, std::uint64_t function, bool commutes);
void operator_freed(MPI_Op op);

std::int64_t window_id(MPI_Win window);
/// `kind`: its constructor.
void window_created(const char* kind, MPI_Win window, MPI_Comm communicator);
void window_freed(MPI_Win window);

std::int64_t file_id(MPI_File file);
void file_opened(MPI_File file, MPI_Comm communicator, const char* name, int mode);
void file_closed(MPI_File file);

/// MPI_Comm_set_name and its kin.
void communicator_named(MPI_Comm communicator, const char* name);
void datatype_named(MPI_Datatype datatype, const char* name);
void window_named(MPI_Win window, const char* name);

}  // namespace mqinspect::tracer
