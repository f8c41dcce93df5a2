#include "inspector/target/elf_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstring>

#include <elfutils/libdwelf.h>
#include <fmt/format.h>
#include <gelf.h>

namespace mqinspect::target {
namespace {

constexpr const char* kDebugRoot = "/usr/lib/debug";

Error not_elf(std::string_view name) {
    return {ErrorCode::CorruptData, fmt::format("{} is no x86-64 ELF file", name)};
}

std::string hexadecimal(std::span<const unsigned char> bytes) {
    std::string text;
    for (const unsigned char byte : bytes)
        text += fmt::format("{:02x}", byte);
    return text;
}

// The checksum that .gnu_debuglink holds: CRC-32 of ISO 3309.
std::uint32_t crc32(std::string_view bytes) {
    static const auto table_of_bytes = [] {
        std::array<std::uint32_t, 256> table{};
        for (std::uint32_t i = 0; i < 256; ++i) {
            std::uint32_t value = i;
            for (int bit = 0; bit < 8; ++bit)
                value = (value & 1) != 0 ? 0xedb88320U ^ (value >> 1) : value >> 1;
            table[i] = value;
        }
        return table;
    }();
    std::uint32_t crc = 0xffffffffU;
    for (const char byte : bytes)
        crc = table_of_bytes[(crc ^ static_cast<unsigned char>(byte)) & 0xff] ^ (crc >> 8);
    return ~crc;
}

bool belongs(const ElfFile& debug, const ElfFile& file, std::optional<std::uint32_t> crc) {
    if (!debug.has_section(".debug_info")) return false;
    if (!debug.build_id().empty() && !file.build_id().empty())
        return debug.build_id() == file.build_id();
    if (!crc) return false;
    std::size_t size = 0;
    const char* bytes = elf_rawfile(debug.elf(), &size);
    return bytes != nullptr && crc32({bytes, size}) == *crc;
}

}  // namespace

Result<std::unique_ptr<ElfFile>> ElfFile::open(const std::filesystem::path& path) {
    // O_NONBLOCK: opening a FIFO must not wait for a writer.
    UniqueFd fd{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
    if (!fd) {
        const ErrorCode code = errno == EACCES ? ErrorCode::PermissionDenied : ErrorCode::System;
        return Error{code, fmt::format("cannot open {}: {}", path.native(), std::strerror(errno))};
    }
    struct stat status {};
    if (fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) return not_elf(path.native());
    elf_version(EV_CURRENT);
    ElfHandle elf{elf_begin(fd.get(), ELF_C_READ_MMAP, nullptr)};
    return check(std::move(fd), std::move(elf), path.native());
}

Result<std::unique_ptr<ElfFile>> ElfFile::from_memory(std::span<std::byte> bytes) {
    elf_version(EV_CURRENT);
    ElfHandle elf{elf_memory(reinterpret_cast<char*>(bytes.data()), bytes.size())};
    return check(UniqueFd{}, std::move(elf), "the image in memory");
}

Result<std::unique_ptr<ElfFile>> ElfFile::check(UniqueFd fd, ElfHandle elf, std::string_view name) {
    GElf_Ehdr header{};
    if (!elf || elf_kind(elf.get()) != ELF_K_ELF || gelf_getehdr(elf.get(), &header) == nullptr ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
        header.e_machine != EM_X86_64) {
        return not_elf(name);
    }
    std::unique_ptr<ElfFile> file(new ElfFile(std::move(fd), std::move(elf)));

    std::size_t count = 0;
    if (elf_getphdrnum(file->elf(), &count) != 0) return not_elf(name);
    for (std::size_t i = 0; i < count; ++i) {
        GElf_Phdr segment{};
        if (gelf_getphdr(file->elf(), static_cast<int>(i), &segment) == nullptr) break;
        if (segment.p_type == PT_LOAD)
            file->segments_.push_back({segment.p_offset, segment.p_vaddr, segment.p_memsz});
    }
    const void* id = nullptr;
    const ssize_t length = dwelf_elf_gnu_build_id(file->elf(), &id);
    if (length > 0 && length <= 64) {
        file->build_id_ =
            hexadecimal({static_cast<const unsigned char*>(id), static_cast<std::size_t>(length)});
    }
    return file;
}

std::optional<ElfFile::DebugLink> ElfFile::debug_link() const {
    GElf_Word crc = 0;
    const char* name = dwelf_elf_gnu_debuglink(elf_.get(), &crc);
    if (name == nullptr || *name == '\0' || std::strchr(name, '/') != nullptr) return std::nullopt;
    return DebugLink{name, crc};
}

Elf_Scn* ElfFile::section(const char* name) const {
    std::size_t names = 0;
    if (elf_getshdrstrndx(elf_.get(), &names) != 0) return nullptr;
    for (Elf_Scn* scn = elf_nextscn(elf_.get(), nullptr); scn != nullptr;
         scn = elf_nextscn(elf_.get(), scn)) {
        GElf_Shdr header{};
        if (gelf_getshdr(scn, &header) == nullptr || header.sh_type == SHT_NOBITS) continue;
        const char* found = elf_strptr(elf_.get(), names, header.sh_name);
        if (found != nullptr && std::strcmp(found, name) == 0) return scn;
    }
    return nullptr;
}

std::string_view ElfFile::section_bytes(const char* name) const {
    Elf_Scn* scn = section(name);
    GElf_Shdr header{};
    if (scn == nullptr || gelf_getshdr(scn, &header) == nullptr) return {};
    if ((header.sh_flags & SHF_COMPRESSED) != 0 && elf_compress(scn, 0, 0) < 0) return {};
    const Elf_Data* data = elf_getdata(scn, nullptr);
    if (data == nullptr || data->d_buf == nullptr) return {};
    return {static_cast<const char*>(data->d_buf), data->d_size};
}

Elf_Scn* ElfFile::section_of_type(std::uint32_t type) const {
    for (Elf_Scn* scn = elf_nextscn(elf_.get(), nullptr); scn != nullptr;
         scn = elf_nextscn(elf_.get(), scn)) {
        GElf_Shdr header{};
        if (gelf_getshdr(scn, &header) != nullptr && header.sh_type == type) return scn;
    }
    return nullptr;
}

std::unique_ptr<ElfFile> find_debug_file(const ElfFile& file,
                                         const std::filesystem::path& directory) {
    const std::string& id = file.build_id();
    if (id.size() > 2) {
        auto debug = ElfFile::open(
            fmt::format("{}/.build-id/{}/{}.debug", kDebugRoot, id.substr(0, 2), id.substr(2)));
        if (debug && belongs(**debug, file, std::nullopt)) return std::move(*debug);
    }
    const auto link = file.debug_link();
    if (!link) return nullptr;
    const std::array<std::filesystem::path, 3> candidates{
        directory / link->file_name,
        directory / ".debug" / link->file_name,
        std::filesystem::path(kDebugRoot) / directory.relative_path() / link->file_name};
    for (const auto& candidate : candidates) {
        auto debug = ElfFile::open(candidate);
        if (debug && belongs(**debug, file, link->crc)) return std::move(*debug);
    }
    return nullptr;
}

}  // namespace mqinspect::target
