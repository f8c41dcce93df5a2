#include "thread_level/link/object_file.h"

#include <ar.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include <gelf.h>
#include <libelf.h>

#include "thread_level/notes/notes.h"

namespace mqinspect::thread_level::link {
namespace {

struct CloseElf {
    void operator()(Elf* elf) const { elf_end(elf); }
};
using ElfHandle = std::unique_ptr<Elf, CloseElf>;

std::string_view content(Elf_Scn* section) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) != nullptr && (header.sh_flags & SHF_COMPRESSED) != 0)
        elf_compress(section, 0, 0);
    const Elf_Data* data = elf_getdata(section, nullptr);
    if (data == nullptr || data->d_buf == nullptr) return {};
    return {static_cast<const char*>(data->d_buf), data->d_size};
}

/// Strings with a zero byte behind each.
std::vector<std::string> strings_of(std::string_view bytes) {
    std::vector<std::string> strings;
    while (!bytes.empty()) {
        const std::size_t length = std::min(bytes.find('\0'), bytes.size());
        if (length > 0) strings.emplace_back(bytes.substr(0, length));
        bytes.remove_prefix(std::min(length + 1, bytes.size()));
    }
    return strings;
}

void add_sources(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, ObjectFile& file) {
    Elf_Data* data = elf_getdata(section, nullptr);
    if (data == nullptr || header.sh_entsize == 0) return;
    const auto count =
        static_cast<int>(std::min<std::size_t>(data->d_size / header.sh_entsize, 1U << 24U));
    for (int at = 0; at < count; ++at) {
        GElf_Sym symbol;
        if (gelf_getsym(data, at, &symbol) == nullptr) return;
        if (GELF_ST_TYPE(symbol.st_info) != STT_FILE) continue;
        const char* name = elf_strptr(elf, header.sh_link, symbol.st_name);
        if (name != nullptr && *name != '\0') file.sources.emplace_back(name);
    }
}

void add_section(Elf* elf, std::size_t names, Elf_Scn* section, ObjectFile& file) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) return;
    const char* text = elf_strptr(elf, names, header.sh_name);
    const std::string_view name = text == nullptr ? "" : text;
    if (name == kNoteSection) {
        file.notes.emplace_back(content(section));
    } else if (name == ".comment") {
        file.compilers = strings_of(content(section));
    } else if (header.sh_type == SHT_SYMTAB) {
        add_sources(elf, section, header, file);
    }
    if (name.starts_with(".gnu.lto_")) file.is_slim_lto = true;
    if (header.sh_type == SHT_PROGBITS && (header.sh_flags & SHF_EXECINSTR) != 0 &&
        header.sh_size > 0)
        file.has_code = true;
}

}  // namespace

ObjectFile read_object(std::string_view bytes) {
    ObjectFile file;
    elf_version(EV_CURRENT);
    std::string copy(bytes);  // libelf wants to write, and aligned data
    const ElfHandle elf(elf_memory(copy.data(), copy.size()));
    if (elf == nullptr || elf_kind(elf.get()) != ELF_K_ELF) {
        file.error = "neither an ELF file nor an archive";
        return file;
    }
    GElf_Ehdr header;
    std::size_t names = 0;
    if (gelf_getehdr(elf.get(), &header) == nullptr || elf_getshdrstrndx(elf.get(), &names) != 0) {
        file.error = std::string("a damaged ELF file: ") + elf_errmsg(-1);
        return file;
    }
    file.is_linked = header.e_type == ET_EXEC || header.e_type == ET_DYN;
    Elf_Scn* section = nullptr;
    while ((section = elf_nextscn(elf.get(), section)) != nullptr)
        add_section(elf.get(), names, section, file);
    // Fat objects have both.
    if (file.has_code) file.is_slim_lto = false;
    return file;
}

bool is_archive(std::string_view bytes) {
    return bytes.starts_with(ARMAG);
}

Archive read_archive_members(std::string_view bytes) {
    Archive archive;
    elf_version(EV_CURRENT);
    std::string copy(bytes);
    const ElfHandle elf(elf_memory(copy.data(), copy.size()));
    std::size_t next = SARMAG;
    for (Elf_Cmd command = ELF_C_READ_MMAP; elf != nullptr;) {
        const ElfHandle member(elf_begin(-1, command, elf.get()));
        if (member == nullptr) break;
        const Elf_Arhdr* header = elf_getarhdr(member.get());
        const std::int64_t start = elf_getbase(member.get());
        if (header == nullptr || start < 0) break;
        const auto at = static_cast<std::size_t>(start);
        const auto size = static_cast<std::size_t>(header->ar_size);
        if (at > bytes.size() || size > bytes.size() - at) {
            archive.error = "ends in the middle of a member";
            return archive;
        }
        // The table of symbols and that of long names.
        const std::string_view name = header->ar_name == nullptr ? "" : header->ar_name;
        if (!name.starts_with('/') && !name.empty())
            archive.members.push_back({std::string(name), bytes.substr(at, size)});
        next = at + size + size % 2;
        command = elf_next(member.get());
        if (command == ELF_C_NULL) break;
    }
    if (elf == nullptr || next < bytes.size()) archive.error = "a damaged archive";
    return archive;
}

}  // namespace mqinspect::thread_level::link
