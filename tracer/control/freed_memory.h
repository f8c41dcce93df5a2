/// Memory that the program gives back while MPI still uses it: the buffer of an operation under
/// way (pending_buffers.h), the memory of a window, or of MPI_Buffer_attach.
///
/// free, realloc and munmap of the program, and with them operator delete and Fortran's DEALLOCATE,
/// come here first, and go on to the next library's. What they are given is noted as
/// EventKind::MemoryFreed if something of it is known to be in use. What MPI frees in its calls is
/// its own.
#pragma once

#include <cstddef>
#include <cstdint>

#include <mpi.h>

namespace mqinspect::tracer {

/// MPI has it from now on, until `owner` gives it back: a window's handle, or kAttachedBuffer.
void memory_lent(std::uint64_t owner, const void* memory, std::int64_t bytes);
/// All of the owner's; or what begins there.
void memory_given_back(std::uint64_t owner);
void memory_given_back(std::uint64_t owner, const void* memory);

constexpr std::uint64_t kAttachedBuffer = ~std::uint64_t{0};

}  // namespace mqinspect::tracer
