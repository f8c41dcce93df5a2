/// What is done where the program itself loads its MPI library, as Python does.
#pragma once

namespace mqinspect::tracer {

/// Gives the references to objects of Open MPI, whose handles are their addresses, the addresses
/// that these have in `library`, a handle of dlopen(). They are weak: the dynamic linker has left
/// those at zero that no library had when this one was loaded.
void resolve_late_references(void* library);

}  // namespace mqinspect::tracer
