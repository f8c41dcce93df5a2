/// An opened ELF file of an x86-64 program or library.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <libelf.h>

#include "base/result.h"
#include "base/unique_fd.h"

namespace mqinspect::target {

struct ElfDeleter {
    void operator()(Elf* elf) const { elf_end(elf); }
};
using ElfHandle = std::unique_ptr<Elf, ElfDeleter>;

class ElfFile {
public:
    /// A PT_LOAD program header; bytes.
    struct Segment {
        std::uint64_t file_offset = 0;
        std::uint64_t address = 0;  ///< as linked
        std::uint64_t memory_size = 0;
    };

    /// Fails with CorruptData for anything but a 64-bit little-endian x86-64 ELF
    /// file. Opens regular files only: a target may have mapped a device.
    static Result<std::unique_ptr<ElfFile>> open(const std::filesystem::path& path);
    /// The same for a file image in our memory, which must outlive the object.
    static Result<std::unique_ptr<ElfFile>> from_memory(std::span<std::byte> bytes);

    Elf* elf() const { return elf_.get(); }
    const std::vector<Segment>& segments() const { return segments_; }
    /// Hexadecimal, empty if there is none.
    const std::string& build_id() const { return build_id_; }

    struct DebugLink {
        std::string file_name;
        std::uint32_t crc = 0;
    };
    std::optional<DebugLink> debug_link() const;

    bool has_section(const char* name) const { return section(name) != nullptr; }
    /// Null if there is none.
    Elf_Scn* section(const char* name) const;
    /// The content of a section, uncompressed; empty if it is missing or damaged.
    std::string_view section_bytes(const char* name) const;
    /// The first section of this type (SHT_SYMTAB, SHT_DYNSYM), or null.
    Elf_Scn* section_of_type(std::uint32_t type) const;

private:
    ElfFile(UniqueFd fd, ElfHandle elf) : fd_(std::move(fd)), elf_(std::move(elf)) {}
    static Result<std::unique_ptr<ElfFile>> check(UniqueFd fd,
                                                  ElfHandle elf,
                                                  std::string_view name);

    UniqueFd fd_;
    ElfHandle elf_;
    std::vector<Segment> segments_;
    std::string build_id_;
};

/// The separate file with the debug information of `file`, found by build-id
/// below /usr/lib/debug/.build-id or by .gnu_debuglink in `directory`, its
/// .debug/, or /usr/lib/debug. Null if there is none that belongs to it.
std::unique_ptr<ElfFile> find_debug_file(const ElfFile& file,
                                         const std::filesystem::path& directory);

}  // namespace mqinspect::target
