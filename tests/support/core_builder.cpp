#include "tests/support/core_builder.h"

#include <elf.h>
#include <sys/procfs.h>
#include <sys/user.h>

#include <csignal>
#include <cstring>

namespace mqinspect::testing {

namespace {

using Bytes = std::vector<std::byte>;

constexpr std::uint64_t kStack = 0x7ffc00000000;

template <class T>
void append(Bytes& bytes, const T& value) {
    const auto* first = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), first, first + sizeof value);
}

void append_text(Bytes& bytes, const std::string& text) {
    const auto* first = reinterpret_cast<const std::byte*>(text.c_str());
    bytes.insert(bytes.end(), first, first + text.size() + 1);
}

void pad(Bytes& bytes, std::size_t alignment) {
    while (bytes.size() % alignment != 0)
        bytes.push_back(std::byte{0});
}

void append_note(Bytes& notes, std::uint32_t type, const Bytes& content, std::uint32_t said) {
    const Elf64_Nhdr header{sizeof "CORE", said, type};
    append(notes, header);
    append_text(notes, "CORE");
    pad(notes, 4);
    notes.insert(notes.end(), content.begin(), content.end());
    pad(notes, 4);
}

}  // namespace

void CoreBuilder::add_thread(const CoreThreadStatus& status) {
    elf_prstatus content{};
    content.pr_pid = status.tid;
    content.pr_cursig = static_cast<short>(status.signal);
    user_regs_struct registers{};
    registers.rip = status.rip;
    registers.rsp = status.rsp;
    std::memcpy(&content.pr_reg, &registers, sizeof registers);
    append(thread_notes_.emplace_back(NT_PRSTATUS, Bytes{}).second, content);
}

void CoreBuilder::add_signal(int number, int code, std::uint64_t address_or_pid) {
    siginfo_t content{};
    content.si_signo = number;
    content.si_code = code;
    if (code > 0) {
        std::memcpy(&content.si_addr, &address_or_pid, sizeof address_or_pid);
    } else {
        content.si_pid = static_cast<pid_t>(address_or_pid);
    }
    append(thread_notes_.emplace_back(NT_SIGINFO, Bytes{}).second, content);
}

void CoreBuilder::add_file(std::uint64_t start,
                           std::uint64_t end,
                           std::uint64_t page,
                           std::string path) {
    files_.push_back({start, end, page, std::move(path)});
}

void CoreBuilder::add_memory(std::uint64_t address, Bytes stored, std::uint64_t memory_bytes) {
    segments_.push_back({address, memory_bytes, std::move(stored)});
}

void CoreBuilder::add_environment(const std::vector<std::string>& variables, std::uint64_t entry) {
    const std::string program = "/bin/program";
    // argc, argv, null, the environment, null, the auxiliary vector, strings.
    constexpr std::size_t auxiliary_entries = 3;
    const std::size_t words = 3 + variables.size() + 1;
    const std::uint64_t strings =
        kStack + words * sizeof(std::uint64_t) + auxiliary_entries * sizeof(Elf64_auxv_t);
    Bytes text;
    append_text(text, "program");
    std::vector<std::uint64_t> places;
    for (const std::string& variable : variables) {
        places.push_back(strings + text.size());
        append_text(text, variable);
    }
    const std::uint64_t execfn = strings + text.size();
    append_text(text, program);

    auxiliary_.clear();
    append(auxiliary_, Elf64_auxv_t{AT_ENTRY, {entry}});
    append(auxiliary_, Elf64_auxv_t{AT_EXECFN, {execfn}});
    append(auxiliary_, Elf64_auxv_t{AT_NULL, {0}});
    Bytes stack;
    append(stack, std::uint64_t{1});
    append(stack, strings);
    append(stack, std::uint64_t{0});
    for (const std::uint64_t place : places)
        append(stack, place);
    append(stack, std::uint64_t{0});
    stack.insert(stack.end(), auxiliary_.begin(), auxiliary_.end());
    stack.insert(stack.end(), text.begin(), text.end());
    const std::uint64_t size = stack.size();
    add_memory(kStack, std::move(stack), size);
}

void CoreBuilder::add_note(std::uint32_t type, Bytes content, std::uint32_t said_bytes) {
    append_note(other_notes_, type, content, said_bytes);
}

std::vector<std::byte> CoreBuilder::notes() const {
    Bytes notes;
    const auto add = [&](std::uint32_t type, const Bytes& content) {
        append_note(notes, type, content, static_cast<std::uint32_t>(content.size()));
    };
    for (const auto& [type, content] : thread_notes_)
        add(type, content);
    if (pid_ != 0) {
        elf_prpsinfo process{};
        process.pr_pid = pid_;
        Bytes content;
        append(content, process);
        add(NT_PRPSINFO, content);
    }
    if (!auxiliary_.empty()) add(NT_AUXV, auxiliary_);
    if (!files_.empty()) {
        Bytes content;
        append(content, std::uint64_t{files_.size()});
        append(content, std::uint64_t{4096});
        for (const MappedFile& file : files_) {
            append(content, file.start);
            append(content, file.end);
            append(content, file.page);
        }
        for (const MappedFile& file : files_)
            append_text(content, file.path);
        add(NT_FILE, content);
    }
    notes.insert(notes.end(), other_notes_.begin(), other_notes_.end());
    return notes;
}

std::vector<std::byte> CoreBuilder::bytes() const {
    const Bytes all_notes = notes();
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_CORE;
    header.e_machine = EM_X86_64;
    header.e_version = EV_CURRENT;
    header.e_phoff = sizeof header;
    header.e_ehsize = sizeof header;
    header.e_phentsize = sizeof(Elf64_Phdr);
    header.e_phnum = static_cast<Elf64_Half>(segments_.size() + 1);
    Bytes result;
    append(result, header);
    std::uint64_t at = sizeof header + header.e_phnum * sizeof(Elf64_Phdr);
    Elf64_Phdr note{};
    note.p_type = PT_NOTE;
    note.p_offset = at;
    note.p_filesz = all_notes.size();
    append(result, note);
    at += all_notes.size();
    for (const Segment& segment : segments_) {
        Elf64_Phdr load{};
        load.p_type = PT_LOAD;
        load.p_flags = PF_R | PF_W;
        load.p_offset = at;
        load.p_vaddr = segment.address;
        load.p_filesz = segment.stored.size();
        load.p_memsz = segment.memory_bytes;
        append(result, load);
        at += segment.stored.size();
    }
    result.insert(result.end(), all_notes.begin(), all_notes.end());
    for (const Segment& segment : segments_)
        result.insert(result.end(), segment.stored.begin(), segment.stored.end());
    return result;
}

}  // namespace mqinspect::testing
