#include "tracer/late_references.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace mqinspect::tracer {

namespace {

/// Of this library: the System V ABI, chapters 4 and 5.
struct DynamicSection {
    const ElfW(Rela) * relocations = nullptr;
    std::size_t relocation_bytes = 0;
    const ElfW(Sym) * symbols = nullptr;
    const char* names = nullptr;
};

/// The C library has added the base to addresses in the dynamic section, on most machines.
template <typename T>
const T* at(const dl_phdr_info& object, std::uint64_t address) {
    if (address < object.dlpi_addr) address += object.dlpi_addr;
    return reinterpret_cast<const T*>(address);  // NOLINT(performance-no-int-to-ptr)
}

DynamicSection read_section(const dl_phdr_info& object, const ElfW(Dyn) * entry) {
    DynamicSection section;
    for (; entry->d_tag != DT_NULL; ++entry) {
        const std::uint64_t value = entry->d_un.d_val;
        if (entry->d_tag == DT_RELA) section.relocations = at<ElfW(Rela)>(object, value);
        if (entry->d_tag == DT_RELASZ) section.relocation_bytes = value;
        if (entry->d_tag == DT_SYMTAB) section.symbols = at<ElfW(Sym)>(object, value);
        if (entry->d_tag == DT_STRTAB) section.names = at<char>(object, value);
    }
    return section;
}

void resolve(std::uint64_t base, const DynamicSection& section, void* library) {
    const std::size_t count = section.relocation_bytes / sizeof *section.relocations;
    for (std::size_t i = 0; i < count; ++i) {
        const ElfW(Rela)& relocation = section.relocations[i];
        const auto type = ELF64_R_TYPE(relocation.r_info);
        if (type != R_X86_64_GLOB_DAT && type != R_X86_64_64) continue;
        const ElfW(Sym)& symbol = section.symbols[ELF64_R_SYM(relocation.r_info)];
        const char* name = section.names + symbol.st_name;
        if (symbol.st_shndx != SHN_UNDEF || std::strncmp(name, "ompi_", 5) != 0) continue;
        auto* place =
            reinterpret_cast<void**>(base + relocation.r_offset);  // NOLINT: of this library
        if (*place == nullptr) *place = dlsym(library, name);
    }
}

int resolve_in(dl_phdr_info* object, std::size_t /*size*/, void* library) {
    const auto here = reinterpret_cast<std::uint64_t>(&resolve_in) - object->dlpi_addr;
    const ElfW(Dyn)* dynamic = nullptr;
    bool is_this = false;
    for (std::size_t i = 0; i < object->dlpi_phnum; ++i) {
        const ElfW(Phdr)& header = object->dlpi_phdr[i];
        if (header.p_type == PT_LOAD && here - header.p_vaddr < header.p_memsz) is_this = true;
        if (header.p_type == PT_DYNAMIC) dynamic = at<ElfW(Dyn)>(*object, header.p_vaddr);
    }
    if (!is_this || dynamic == nullptr) return 0;
    const DynamicSection section = read_section(*object, dynamic);
    if (section.relocations != nullptr && section.symbols != nullptr && section.names != nullptr)
        resolve(object->dlpi_addr, section, library);
    return 1;
}

}  // namespace

void resolve_late_references(void* library) {
    dl_iterate_phdr(resolve_in, library);
}

}  // namespace mqinspect::tracer
