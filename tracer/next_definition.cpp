#include "tracer/next_definition.h"

#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstring>

namespace mqinspect::tracer {

namespace {

/// The dynamic symbols of an object (System V gABI, and GNU's hash table of them).
struct Symbols {
    std::uint64_t base = 0;
    const ElfW(Sym) * table = nullptr;
    const char* names = nullptr;
    const std::uint32_t* hashes = nullptr;

    void* find(const char* name) const;
};

std::uint32_t gnu_hash(const char* name) {
    std::uint32_t hash = 5381;
    for (; *name != '\0'; ++name)
        hash = hash * 33 + static_cast<unsigned char>(*name);
    return hash;
}

void* Symbols::find(const char* name) const {
    if (table == nullptr || names == nullptr || hashes == nullptr) return nullptr;
    const std::uint32_t bucket_count = hashes[0];
    const std::uint32_t first = hashes[1];
    const std::uint32_t bloom_words = hashes[2];
    if (bucket_count == 0) return nullptr;
    const std::uint32_t* const buckets =
        hashes + 4 + std::size_t{bloom_words} * (sizeof(ElfW(Addr)) / sizeof(std::uint32_t));
    const std::uint32_t* const chains = buckets + bucket_count;
    const std::uint32_t hash = gnu_hash(name);
    std::uint32_t at = buckets[hash % bucket_count];
    if (at < first) return nullptr;
    for (;; ++at) {
        const std::uint32_t chain = chains[at - first];
        const ElfW(Sym)& symbol = table[at];
        const bool is_it = (chain | 1U) == (hash | 1U) && symbol.st_shndx != SHN_UNDEF &&
                           ELF64_ST_TYPE(symbol.st_info) == STT_FUNC &&
                           std::strcmp(names + symbol.st_name, name) == 0;
        // NOLINTNEXTLINE(performance-no-int-to-ptr): where the linker has put it
        if (is_it) return reinterpret_cast<void*>(base + symbol.st_value);
        if ((chain & 1U) != 0) return nullptr;
    }
}

/// Addresses in a dynamic section: glibc makes them absolute, but for those of the vDSO.
template <class T>
const T* pointer_of(const dl_phdr_info& object, const ElfW(Dyn) & entry) {
    const std::uint64_t address = entry.d_un.d_ptr;
    const bool relative = address < object.dlpi_addr;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): where the linker has put it
    return reinterpret_cast<const T*>(relative ? object.dlpi_addr + address : address);
}

Symbols symbols_of(const dl_phdr_info& object) {
    Symbols symbols;
    symbols.base = object.dlpi_addr;
    for (std::size_t i = 0; i < object.dlpi_phnum; ++i) {
        if (object.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
        // NOLINTNEXTLINE(performance-no-int-to-ptr): where the linker has put it
        const auto* entry =
            reinterpret_cast<const ElfW(Dyn)*>(object.dlpi_addr + object.dlpi_phdr[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; ++entry) {
            if (entry->d_tag == DT_SYMTAB) symbols.table = pointer_of<ElfW(Sym)>(object, *entry);
            if (entry->d_tag == DT_STRTAB) symbols.names = pointer_of<char>(object, *entry);
            if (entry->d_tag == DT_GNU_HASH)
                symbols.hashes = pointer_of<std::uint32_t>(object, *entry);
        }
    }
    return symbols;
}

bool contains(const dl_phdr_info& object, std::uint64_t address) {
    for (std::size_t i = 0; i < object.dlpi_phnum; ++i) {
        const ElfW(Phdr)& segment = object.dlpi_phdr[i];
        const std::uint64_t begin = object.dlpi_addr + segment.p_vaddr;
        if (segment.p_type == PT_LOAD && address >= begin && address < begin + segment.p_memsz)
            return true;
    }
    return false;
}

struct Search {
    const char* name = nullptr;
    bool behind = false;  ///< this object
    void* found = nullptr;
};

int look_at(dl_phdr_info* object, std::size_t /*size*/, void* data) {
    auto& search = *static_cast<Search*>(data);
    if (!search.behind) {
        search.behind = contains(*object, reinterpret_cast<std::uint64_t>(&look_at));
        return 0;
    }
    search.found = symbols_of(*object).find(search.name);
    return search.found == nullptr ? 0 : 1;
}

}  // namespace

void* next_definition(const char* name) {
    Search search{name, false, nullptr};
    dl_iterate_phdr(look_at, &search);
    return search.found;
}

}  // namespace mqinspect::tracer
