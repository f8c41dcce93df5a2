/// One ELF file with its symbols, types and line numbers, parsed once for all
/// the ranks that have loaded it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/job_snapshot.h"

struct Dwarf;
struct Elf;

namespace mqinspect::target {
class CompileUnits;
class FrameRules;
class NameIndex;
class ScopeIndex;
}  // namespace mqinspect::target

namespace mqinspect::target {

/// A struct, union or other type. Offsets and sizes are bytes.
struct TypeLayout {
    std::string name;
    std::uint64_t size = 0;
    struct Field {
        std::string name;
        std::int64_t offset = 0;
        std::uint64_t size = 0;
    };
    /// Members, those of anonymous structs and unions included with their offset
    /// in this type; bit-fields left out.
    std::vector<Field> fields;

    /// Byte offset of a member, or -1.
    std::int64_t offset_of(std::string_view field) const;
};

struct Symbol {
    std::string_view name;
    std::uint64_t address = 0;  ///< as linked
    std::uint64_t size = 0;
    bool function = false;
    /// Visible to other files, so that one of them may hold the copy in use.
    bool dynamic = false;
};

/// Lookups are lazy: opening costs a few system calls, symbols are sorted at the
/// first question, and a type is searched until a definition is found. Types that
/// were found or proven absent are kept on disk by build-id (see ImageCache).
/// All addresses are as linked; ProcessView relocates them. Not thread-safe.
class Image {
public:
    /// `path` names the file to read, `shown` the name to report. Debug
    /// information may be in the file, behind .gnu_debuglink, or under
    /// /usr/lib/debug/.build-id.
    static Result<std::unique_ptr<Image>> open(const std::filesystem::path& path,
                                               std::string shown);
    /// The kernel's code page, which every 64-bit process has: taken from our own
    /// process. Shown as "[vdso]".
    static Result<std::unique_ptr<Image>> vdso();
    ~Image();
    Image(const Image&) = delete;
    Image& operator=(const Image&) = delete;

    const std::string& path() const;
    /// Hexadecimal, empty if the file has none.
    const std::string& build_id() const;
    bool has_debug_info() const;
    /// False: only dynamic symbols are left (stripped).
    bool has_symbol_table() const;

    /// Looks in .symtab, then .dynsym; local and hidden symbols too. Functions and
    /// objects; versions are ignored.
    std::optional<Symbol> find_symbol(std::string_view name) const;
    /// As find_symbol, among the symbols of .dynsym.
    std::optional<Symbol> find_dynamic_symbol(std::string_view name) const;
    /// The function that contains the address. Among aliases a name that starts
    /// with "MPI_" wins over one that starts with "PMPI_", a global over a local.
    std::optional<Symbol> function_at(std::uint64_t address) const;
    /// By tag ("MPIR_Comm") or typedef name, a definition, never a declaration; a
    /// typedef leads to the type behind it. Null if there is none. Lives as long
    /// as the image.
    const TypeLayout* find_type(std::string_view name) const;
    /// Source line of an instruction, empty if unknown.
    std::optional<model::SourceLocation> location_at(std::uint64_t address) const;
    /// Where the calls are whose bodies, put in their places by the compiler, hold the
    /// instruction: innermost first.
    std::vector<model::SourceLocation> inlined_calls(std::uint64_t address) const;

    /// The link-time address of the first loadable segment, page-aligned down.
    std::uint64_t first_load_address() const;
    /// The link-time address of the byte at this offset of the file, empty if no
    /// loadable segment holds it. Offsets of mappings are those of whole pages.
    std::optional<std::uint64_t> address_of_offset(std::uint64_t file_offset) const;

    /// The content of a section, empty if it is missing or damaged. Lives as long as
    /// the image.
    std::string_view section(const char* name) const;

    /// Keeps found types in this directory between runs; see ImageCache.
    void use_cache(const std::filesystem::path& directory);
    /// Writes what was learned. Without use_cache nothing happens.
    void save_cache();

    /// For the unwinder and the variable reader in this folder only. Owned by the
    /// image; all but elf() are null if there is no debug information.
    Elf* elf() const;
    Dwarf* dwarf() const;
    const CompileUnits* units() const;
    ScopeIndex* scopes() const;
    const NameIndex* names() const;
    /// How to find the caller's frame; never null.
    FrameRules* frame_rules() const;

private:
    struct State;
    explicit Image(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

/// Opens each file once, however many processes map it. References stay valid as
/// long as the store.
class ImageStore {
public:
    /// `cache_directory` is where found types are kept between runs; empty: not
    /// at all. It is created when first needed; failing to write it is no error.
    explicit ImageStore(std::filesystem::path cache_directory);
    ~ImageStore();
    ImageStore(const ImageStore&) = delete;
    ImageStore& operator=(const ImageStore&) = delete;

    /// The file that process `pid` has mapped as `path` with this device and
    /// inode; opened through /proc/PID/root or /proc/PID/map_files where the path
    /// now names another file or none.
    Result<Image*> image(int pid,
                         const std::string& path,
                         std::uint64_t device,
                         std::uint64_t inode,
                         std::uint64_t map_start,
                         std::uint64_t map_end);

    /// A file that no process has mapped.
    Result<Image*> file(const std::filesystem::path& path);

    /// Writes what was learned to the cache directory. Called by the destructor.
    void save();

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// $MQI_CACHE/images, else $XDG_CACHE_HOME/mqinspect/images, else
/// $HOME/.cache/mqinspect/images; empty if none of them is set.
std::filesystem::path default_image_cache();

}  // namespace mqinspect::target
