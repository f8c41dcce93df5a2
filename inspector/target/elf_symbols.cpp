#include "inspector/target/elf_symbols.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <limits>

#include <gelf.h>

namespace mqinspect::target {
namespace {

// How far back a function that contains an address may start before another
// function's start: only assembler code nests functions, and not deeply.
constexpr std::size_t kNestingLimit = 16;

// The name that a user knows an address by: the larger, the better.
int alias_rank(const ElfSymbol& symbol) {
    int rank = symbol.global ? 8 : 0;
    if (symbol.name.starts_with("MPI_")) rank += 4;
    if (!symbol.name.starts_with("PMPI_")) rank += 2;
    if (!symbol.name.starts_with('_')) rank += 1;
    return rank;
}

bool contains(const ElfSymbol& symbol, std::uint64_t address) {
    return address >= symbol.address && address - symbol.address < symbol.size;
}

// By section index.
std::vector<std::uint64_t> section_ends(const ElfFile& file) {
    std::vector<std::uint64_t> ends{0};
    for (Elf_Scn* scn = elf_nextscn(file.elf(), nullptr); scn != nullptr;
         scn = elf_nextscn(file.elf(), scn)) {
        GElf_Shdr header{};
        const bool known = gelf_getshdr(scn, &header) != nullptr;
        ends.push_back(known ? header.sh_addr + header.sh_size : 0);
    }
    return ends;
}

}  // namespace

ElfSymbols::ElfSymbols(const ElfFile& file, const ElfFile* debug) {
    load(file, SHT_SYMTAB);
    if (symbols_.empty() && debug != nullptr) load(*debug, SHT_SYMTAB);
    has_symbol_table_ = !symbols_.empty();
    load(file, SHT_DYNSYM);
    index_names();
}

void ElfSymbols::load(const ElfFile& file, std::uint32_t section_type) {
    Elf_Scn* scn = file.section_of_type(section_type);
    GElf_Shdr header{};
    if (scn == nullptr || gelf_getshdr(scn, &header) == nullptr) return;
    const Elf_Data* data = elf_getdata(scn, nullptr);
    Elf_Scn* string_scn = elf_getscn(file.elf(), header.sh_link);
    const Elf_Data* strings = string_scn == nullptr ? nullptr : elf_getdata(string_scn, nullptr);
    if (data == nullptr || data->d_buf == nullptr || strings == nullptr ||
        strings->d_buf == nullptr)
        return;
    // With a NUL at the end of the table every name in it is terminated.
    const auto* text = static_cast<const char*>(strings->d_buf);
    if (strings->d_size == 0 || text[strings->d_size - 1] != '\0') return;

    const std::vector<std::uint64_t> ends = section_ends(file);
    // libelf hands out the table in host form, which is that of the file.
    const auto* table = static_cast<const Elf64_Sym*>(data->d_buf);
    const std::size_t count = data->d_size / sizeof(Elf64_Sym);
    symbols_.reserve(symbols_.size() + count);
    for (std::size_t i = 0; i < count; ++i) {
        const Elf64_Sym& symbol = table[i];
        const unsigned type = ELF64_ST_TYPE(symbol.st_info);
        const bool function = type == STT_FUNC || type == STT_GNU_IFUNC;
        if (!function && type != STT_OBJECT && type != STT_COMMON && type != STT_NOTYPE) continue;
        if (symbol.st_shndx == SHN_UNDEF || symbol.st_shndx == SHN_ABS) continue;
        if (symbol.st_name == 0 || symbol.st_name >= strings->d_size) continue;
        std::string_view name = text + symbol.st_name;
        // .symtab writes versioned names as "memcpy@@GLIBC_2.14".
        name = name.substr(0, name.find('@'));
        if (name.empty()) continue;
        symbols_.push_back(
            {.name = name,
             .address = symbol.st_value,
             .size = symbol.st_size,
             .section_end = symbol.st_shndx < ends.size() ? ends[symbol.st_shndx] : 0,
             .function = function,
             .global = ELF64_ST_BIND(symbol.st_info) != STB_LOCAL,
             .dynamic = section_type == SHT_DYNSYM});
    }
}

void ElfSymbols::index_names() {
    if (symbols_.size() >= std::numeric_limits<std::uint32_t>::max() / 4) symbols_.clear();
    buckets_.assign(std::bit_ceil(symbols_.size() * 2 + 1), 0);
    const std::size_t mask = buckets_.size() - 1;
    for (std::uint32_t i = 0; i < symbols_.size(); ++i) {
        std::size_t at = std::hash<std::string_view>{}(symbols_[i].name) & mask;
        while (buckets_[at] != 0)
            at = (at + 1) & mask;
        buckets_[at] = i + 1;
    }
}

const ElfSymbol* ElfSymbols::find(std::string_view name) const {
    const std::size_t mask = buckets_.size() - 1;
    const ElfSymbol* best = nullptr;
    for (std::size_t at = std::hash<std::string_view>{}(name)&mask; buckets_[at] != 0;
         at = (at + 1) & mask) {
        // Symbols of one name lie in the order of loading.
        const ElfSymbol& symbol = symbols_[buckets_[at] - 1];
        if (symbol.name != name) continue;
        if (symbol.global) return &symbol;
        if (best == nullptr) best = &symbol;
    }
    return best;
}

const ElfSymbol* ElfSymbols::find_dynamic(std::string_view name) const {
    const std::size_t mask = buckets_.size() - 1;
    for (std::size_t at = std::hash<std::string_view>{}(name)&mask; buckets_[at] != 0;
         at = (at + 1) & mask) {
        const ElfSymbol& symbol = symbols_[buckets_[at] - 1];
        if (symbol.dynamic && symbol.name == name) return &symbol;
    }
    return nullptr;
}

void ElfSymbols::sort_functions() const {
    for (const ElfSymbol& symbol : symbols_) {
        if (symbol.function) functions_.push_back(&symbol);
    }
    std::stable_sort(functions_.begin(), functions_.end(), [](const auto* a, const auto* b) {
        return a->address < b->address;
    });
    sorted_ = true;
}

const ElfSymbol* ElfSymbols::function_at(std::uint64_t address) const {
    if (!sorted_) sort_functions();
    auto at = std::upper_bound(
        functions_.begin(),
        functions_.end(),
        address,
        [](std::uint64_t wanted, const ElfSymbol* symbol) { return wanted < symbol->address; });
    const ElfSymbol* unsized = nullptr;
    for (std::size_t group = 0; group < kNestingLimit && at != functions_.begin(); ++group) {
        const std::uint64_t start = (*(at - 1))->address;
        const ElfSymbol* best = nullptr;
        while (at != functions_.begin() && (*(at - 1))->address == start) {
            --at;
            if (group == 0 && (*at)->size == 0 && address < (*at)->section_end) unsized = *at;
            if (!contains(**at, address)) continue;
            if (best == nullptr || alias_rank(**at) >= alias_rank(*best)) best = *at;
        }
        if (best != nullptr) return best;
    }
    // Assembler code without .size: up to the next function.
    return unsized;
}

}  // namespace mqinspect::target
