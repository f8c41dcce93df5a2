/// What dlsym(RTLD_NEXT, name) finds, for functions that dlsym itself calls.
#pragma once

namespace mqinspect::tracer {

/// The definition of the first object behind this one, as the dynamic linker lists them; null:
/// there is none. It takes no memory, and frees none. Versions are not looked at.
void* next_definition(const char* name);

}  // namespace mqinspect::tracer
