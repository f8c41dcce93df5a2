#include "tracer/pmpi.h"

#include <dlfcn.h>
#include <link.h>

#include <cstring>

#include "tracer/log/memory.h"

namespace mqinspect::tracer {

Pmpi pmpi;

namespace {

SpinLock lock;
std::atomic<bool> found{false};
void* library = RTLD_DEFAULT;

/// A library that a program has loaded for itself alone is not in the scope of RTLD_DEFAULT.
int try_object(dl_phdr_info* object, std::size_t /*size*/, void* /*data*/) {
    if (std::strstr(object->dlpi_name, "libmpi") == nullptr) return 0;
    void* handle = dlopen(object->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr) return 0;
    if (dlsym(handle, "PMPI_Initialized") != nullptr) {
        library = handle;
        return 1;
    }
    dlclose(handle);
    return 0;
}

void* symbol(const char* name) {
    return dlsym(library, name);
}

}  // namespace

bool find_pmpi() {
    if (found.load(std::memory_order_acquire)) return true;
    const Locked locked(lock);
    if (found.load(std::memory_order_relaxed)) return true;
    if (symbol("PMPI_Initialized") == nullptr) dl_iterate_phdr(try_object, nullptr);
    if (symbol("PMPI_Initialized") == nullptr) return false;
    for (std::size_t i = 0; i < kPmpiNameCount; ++i) {
        void* const address = symbol(kPmpiNames[i].name);
        std::memcpy(
            reinterpret_cast<char*>(&pmpi) + kPmpiNames[i].offset, &address, sizeof address);
    }
    found.store(true, std::memory_order_release);
    return true;
}

#if defined(MPICH)
const int* unweighted() {
    auto* const* variable = static_cast<int* const*>(symbol("MPI_UNWEIGHTED"));
    return variable == nullptr ? nullptr : *variable;
}

const int* weights_empty() {
    auto* const* variable = static_cast<int* const*>(symbol("MPI_WEIGHTS_EMPTY"));
    return variable == nullptr ? nullptr : *variable;
}
#else
const int* unweighted() {
    return MPI_UNWEIGHTED;
}

const int* weights_empty() {
    return MPI_WEIGHTS_EMPTY;
}
#endif

}  // namespace mqinspect::tracer
