/// What dlsym(RTLD_NEXT, name) finds, for functions that dlsym itself calls.
#pragma once

#include <atomic>

namespace mqinspect::tracer {

/// The definition of the first object behind this one, as the dynamic linker lists them; null:
/// there is none. It takes no memory, and frees none. Versions are not looked at.
void* next_definition(const char* name);

/// Apart from what is called all the time, which needs no frame then.
template <class Function>
[[gnu::noinline]] Function find_next(std::atomic<Function>& known,
                                     const char* name,
                                     Function otherwise) {
    auto* const found = reinterpret_cast<Function>(next_definition(name));
    const Function result = found == nullptr ? otherwise : found;
    known.store(result, std::memory_order_relaxed);
    return result;
}
/// The function that the program would find without us, kept in `known`; `otherwise`: where there
/// is none. Several threads may ask at a time.
template <class Function>
Function next_function(std::atomic<Function>& known, const char* name, Function otherwise) {
    const Function next = known.load(std::memory_order_relaxed);
    return next != nullptr ? next : find_next(known, name, otherwise);
}

}  // namespace mqinspect::tracer
