#include "tracer/pmpi.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "tracer/late_references.h"
#include "tracer/log/memory.h"
#include "tracer/recorder.h"

namespace mqinspect::tracer {

Pmpi pmpi;

namespace {

SpinLock lock;
std::atomic<bool> found{false};
/// Behind this library, which has the same names.
void* library = RTLD_NEXT;

/// A library of Fortran bindings; programs have one or two of them.
struct Binding {
    std::uint64_t begin;
    std::uint64_t end;
};
constexpr std::size_t kMostBindings = 8;
Binding bindings[kMostBindings];
std::size_t binding_count = 0;

bool is_binding(const char* name) {
    for (const char* part : {"libmpifort", "libmpi_mpifh", "libmpi_usempi"})
        if (std::strstr(name, part) != nullptr) return true;
    return false;
}

int add_binding(dl_phdr_info* object, std::size_t /*size*/, void* /*data*/) {
    if (!is_binding(object->dlpi_name) || binding_count == kMostBindings) return 0;
    std::uint64_t end = object->dlpi_addr;
    for (std::size_t i = 0; i < object->dlpi_phnum; ++i) {
        const ElfW(Phdr)& header = object->dlpi_phdr[i];
        if (header.p_type == PT_LOAD)
            end = std::max(end, object->dlpi_addr + header.p_vaddr + header.p_memsz);
    }
    bindings[binding_count++] = {object->dlpi_addr, end};
    return 0;
}

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

/// Handles of MPICH are numbers, those of Open MPI addresses, which these wrappers would cut short.
void end_if_foreign() {
    const bool is_open_mpi = symbol("ompi_mpi_comm_world") != nullptr;
#if defined(OPEN_MPI)
    constexpr bool for_open_mpi = true;
#else
    constexpr bool for_open_mpi = false;
#endif
    if (is_open_mpi == for_open_mpi) return;
    const char* const names[] = {"MPICH", "Open MPI"};
    say("the program uses %s, and is recorded for %s: start it with 'mqinspect record --mpi %s'",
        names[is_open_mpi ? 1 : 0],
        names[for_open_mpi ? 1 : 0],
        is_open_mpi ? "openmpi" : "mpich");
    _exit(2);
}

}  // namespace

bool find_pmpi() {
    if (found.load(std::memory_order_acquire)) return true;
    const Locked locked(lock);
    if (found.load(std::memory_order_relaxed)) return true;
    if (symbol("PMPI_Initialized") == nullptr) dl_iterate_phdr(try_object, nullptr);
    if (symbol("PMPI_Initialized") == nullptr) return false;
    end_if_foreign();
    if (library != RTLD_NEXT) resolve_late_references(library);
    for (std::size_t i = 0; i < kPmpiNameCount; ++i) {
        void* const address = symbol(kPmpiNames[i].name);
        std::memcpy(
            reinterpret_cast<char*>(&pmpi) + kPmpiNames[i].offset, &address, sizeof address);
    }
    dl_iterate_phdr(add_binding, nullptr);
    found.store(true, std::memory_order_release);
    return true;
}

bool is_fortran_binding(const void* address) {
    if (!find_pmpi()) return false;
    const auto place = reinterpret_cast<std::uint64_t>(address);
    for (std::size_t i = 0; i < binding_count; ++i)
        if (place >= bindings[i].begin && place < bindings[i].end) return true;
    return false;
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
