/// The symbols of one ELF file.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "inspector/target/elf_file.h"

namespace mqinspect::target {

/// A defined function or object. The name borrows from the file.
struct ElfSymbol {
    std::string_view name;  ///< without its version
    std::uint64_t address = 0;
    std::uint64_t size = 0;  ///< 0: assembler code that does not say
    std::uint64_t section_end = 0;
    bool function = false;
    bool global = false;
    bool dynamic = false;  ///< from .dynsym: other files can bind to it
};

/// Reads the tables at construction; sorts by address at the first question that
/// needs it. Holds no more symbols than the file has bytes for.
class ElfSymbols {
public:
    /// `debug` may be null; its .symtab serves where the file itself is stripped.
    /// Both must outlive the object.
    ElfSymbols(const ElfFile& file, const ElfFile* debug);

    bool has_symbol_table() const { return has_symbol_table_; }
    /// Global ones before local ones, .symtab before .dynsym.
    const ElfSymbol* find(std::string_view name) const;
    /// As find, but .dynsym only.
    const ElfSymbol* find_dynamic(std::string_view name) const;
    /// The function whose bytes hold the address; see Image::function_at.
    const ElfSymbol* function_at(std::uint64_t address) const;

private:
    void load(const ElfFile& file, std::uint32_t section_type);
    void index_names();
    void sort_functions() const;

    std::vector<ElfSymbol> symbols_;
    std::vector<std::uint32_t> buckets_;  // index into symbols_ plus 1; 0: free
    bool has_symbol_table_ = false;
    mutable bool sorted_ = false;
    mutable std::vector<const ElfSymbol*> functions_;  // by address
};

}  // namespace mqinspect::target
