#include "inspector/target/unwind_table.h"

#include <cstddef>
#include <cstring>
#include <span>

#include <dwarf.h>
#include <gelf.h>

namespace mqinspect::target {

namespace {

struct Head {
    std::uint8_t version;
    std::uint8_t frames_encoding;
    std::uint8_t count_encoding;
    std::uint8_t table_encoding;
    std::int32_t frames;
    std::uint32_t count;
};

/// Both count from the table's own address.
struct Entry {
    std::int32_t code;
    std::int32_t information;
};

std::optional<GElf_Phdr> table_header(Elf* elf) {
    std::size_t count = 0;
    if (elf == nullptr || elf_getphdrnum(elf, &count) != 0) return std::nullopt;
    for (std::size_t i = 0; i < count; ++i) {
        GElf_Phdr header;
        if (gelf_getphdr(elf, static_cast<int>(i), &header) != nullptr &&
            header.p_type == PT_GNU_EH_FRAME)
            return header;
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> begin_of_code(Elf* elf, std::uint64_t address) {
    const auto header = table_header(elf);
    if (!header || header->p_filesz < sizeof(Head)) return std::nullopt;
    const Elf_Data* data = elf_getdata_rawchunk(
        elf, static_cast<std::int64_t>(header->p_offset), header->p_filesz, ELF_T_BYTE);
    if (data == nullptr || data->d_size < sizeof(Head)) return std::nullopt;
    const std::span bytes{static_cast<const std::byte*>(data->d_buf), data->d_size};
    Head head;
    std::memcpy(&head, bytes.data(), sizeof head);
    const bool usual = head.version == 1 && head.count_encoding == DW_EH_PE_udata4 &&
                       head.table_encoding == (DW_EH_PE_datarel | DW_EH_PE_sdata4);
    if (!usual || head.count > (bytes.size() - sizeof head) / sizeof(Entry)) return std::nullopt;
    const auto begin_at = [&](std::size_t i) {
        Entry entry;
        std::memcpy(&entry, bytes.data() + sizeof head + i * sizeof entry, sizeof entry);
        return header->p_vaddr + static_cast<std::uint64_t>(std::int64_t{entry.code});
    };
    std::size_t first = 0;
    for (std::size_t last = head.count; first < last;) {
        const std::size_t middle = first + (last - first) / 2;
        begin_at(middle) <= address ? first = middle + 1 : last = middle;
    }
    if (first == 0) return std::nullopt;
    return begin_at(first - 1);
}

}  // namespace mqinspect::target
