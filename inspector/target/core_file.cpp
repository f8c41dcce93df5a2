#include "inspector/target/core_file.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/procfs.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

#include <elfutils/libdwelf.h>
#include <fmt/format.h>
#include <gelf.h>

#include "inspector/target/elf_file.h"

namespace mqinspect::target {

namespace {

// Far above what a process has: a process of 65,530 mappings and as many threads.
constexpr std::size_t kMostSegments = std::size_t{1} << 20;
constexpr std::size_t kMostThreads = std::size_t{1} << 16;
constexpr std::uint64_t kMostNoteBytes = std::uint64_t{256} << 20;
constexpr std::size_t kMostAuxiliaryBytes = 4096;
constexpr std::size_t kMostPathBytes = 4096;

constexpr std::size_t kWord = sizeof(std::uint64_t);

template <TriviallyCopyable T>
std::optional<T> value_at(std::span<const std::byte> bytes, std::size_t offset) {
    if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
    T value{};
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

bool starts_with(std::span<const std::byte> bytes, std::string_view magic) {
    return bytes.size() >= magic.size() &&
           std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

// How to unpack what libdw does not; empty: it is not packed in such a way.
std::string unpacking(std::span<const std::byte> bytes, const std::string& name) {
    using namespace std::string_view_literals;
    if (starts_with(bytes, "\x28\xb5\x2f\xfd"sv)) return fmt::format("zstd -d {}", name);
    if (starts_with(bytes, "\x04\x22\x4d\x18"sv)) return fmt::format("lz4 -d {}", name);
    return {};
}

bool is_packed(std::span<const std::byte> bytes) {
    using namespace std::string_view_literals;
    return starts_with(bytes, "\x1f\x8b"sv) || starts_with(bytes, "BZh"sv) ||
           starts_with(bytes,
                       "\xfd"
                       "7zXZ"sv);
}

Error no_core(const std::string& name, std::string_view why) {
    return {ErrorCode::CorruptData, fmt::format("{} is no core file: {}", name, why)};
}

// Signals for which the kernel writes a core (signal(7)). A debugger that copies a living
// process writes down what it has stopped it with.
bool ends_with_core(int number, bool by_debugger) {
    constexpr std::array<int, 9> numbers = {
        SIGQUIT, SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGXCPU, SIGXFSZ};
    return std::ranges::find(numbers, number) != numbers.end() ||
           (number == SIGTRAP && !by_debugger);
}

bool tells_address(int number) {
    return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL ||
           number == SIGTRAP;
}

}  // namespace

/// Where the bytes come from.
struct CoreFile::Storage {
    void* mapped = nullptr;
    std::size_t mapped_bytes = 0;
    ElfHandle unpacked;

    Storage() = default;
    Storage(const Storage&) = delete;
    Storage& operator=(const Storage&) = delete;
    ~Storage() {
        if (mapped != nullptr) munmap(mapped, mapped_bytes);
    }
};

CoreFile::CoreFile(std::string name, std::span<std::byte> bytes)
    : name_(std::move(name)), bytes_(bytes) {}

CoreFile::~CoreFile() = default;

Result<std::unique_ptr<CoreFile>> CoreFile::open(const std::filesystem::path& path) {
    const std::string& name = path.native();
    const UniqueFd fd{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
    if (!fd) {
        const ErrorCode code = errno == EACCES ? ErrorCode::PermissionDenied : ErrorCode::System;
        return Error{code, fmt::format("cannot open {}: {}", name, std::strerror(errno))};
    }
    struct stat status {};
    if (fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
        return no_core(name, "it is not a regular file");
    }
    if (status.st_size == 0) return no_core(name, "it is empty");
    auto storage = std::make_unique<Storage>();
    storage->mapped_bytes = static_cast<std::size_t>(status.st_size);
    // Private, as libelf's interface takes memory that could be written to.
    storage->mapped = mmap(nullptr,
                           storage->mapped_bytes,
                           PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_NORESERVE,
                           fd.get(),
                           0);
    if (storage->mapped == MAP_FAILED) {
        storage->mapped = nullptr;
        return Error{ErrorCode::System,
                     fmt::format("cannot map {}: {}", name, std::strerror(errno))};
    }
    std::span bytes{static_cast<std::byte*>(storage->mapped), storage->mapped_bytes};
    if (const std::string command = unpacking(bytes, name); !command.empty()) {
        return no_core(name, fmt::format("it is packed; unpack it first ({})", command));
    }
    if (is_packed(bytes)) {
        elf_version(EV_CURRENT);
        storage->unpacked.reset(dwelf_elf_begin(fd.get()));
        std::size_t size = 0;
        char* raw = storage->unpacked ? elf_rawfile(storage->unpacked.get(), &size) : nullptr;
        if (raw == nullptr) return no_core(name, "it is packed, and cannot be unpacked");
        bytes = {reinterpret_cast<std::byte*>(raw), size};
    }
    auto core = TRY(from_bytes(bytes, name));
    core->storage_ = std::move(storage);
    return core;
}

Result<std::unique_ptr<CoreFile>> CoreFile::from_bytes(std::span<std::byte> bytes,
                                                       std::string name) {
    std::unique_ptr<CoreFile> core(new CoreFile(std::move(name), bytes));
    TRY(core->parse());
    return core;
}

Result<Done> CoreFile::parse() {
    elf_version(EV_CURRENT);
    const ElfHandle elf{elf_memory(reinterpret_cast<char*>(bytes_.data()), bytes_.size())};
    GElf_Ehdr header{};
    if (!elf || elf_kind(elf.get()) != ELF_K_ELF || gelf_getehdr(elf.get(), &header) == nullptr) {
        return no_core(name_, "it is no ELF file");
    }
    if (header.e_type != ET_CORE) return no_core(name_, "it is an executable or a library");
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
        header.e_machine != EM_X86_64) {
        return no_core(name_, "its process was not one of x86-64");
    }
    by_debugger_ = header.e_shnum > 1;
    std::size_t count = 0;
    if (elf_getphdrnum(elf.get(), &count) != 0) return no_core(name_, "it has no program headers");
    bool notes_cut = false;
    for (std::size_t i = 0; i < std::min(count, kMostSegments); ++i) {
        GElf_Phdr segment{};
        if (gelf_getphdr(elf.get(), static_cast<int>(i), &segment) == nullptr) break;
        if (segment.p_type == PT_LOAD) {
            add_segment(segment.p_vaddr,
                        segment.p_memsz,
                        segment.p_offset,
                        segment.p_filesz,
                        segment.p_flags);
        } else if (segment.p_type == PT_NOTE && segment.p_offset < bytes_.size()) {
            const std::uint64_t there = bytes_.size() - segment.p_offset;
            notes_cut = notes_cut || segment.p_filesz > there;
            read_notes(bytes_.subspan(segment.p_offset,
                                      std::min({segment.p_filesz, there, kMostNoteBytes})));
        } else if (segment.p_type == PT_NOTE && segment.p_filesz > 0) {
            notes_cut = true;
        }
    }
    sort_segments();
    if (threads_.empty()) {
        return no_core(name_, notes_cut ? "it was cut before its threads" : "it has no threads");
    }
    if (pid_ == 0) pid_ = threads_.front().tid;
    if (signal_ && signal_->sender_pid == pid_) signal_->sender_pid.reset();
    return Done{};
}

void CoreFile::add_segment(std::uint64_t start,
                           std::uint64_t memory_size,
                           std::uint64_t file_offset,
                           std::uint64_t file_size,
                           std::uint32_t flags) {
    std::uint64_t end = 0;
    if (memory_size == 0 || __builtin_add_overflow(start, memory_size, &end)) return;
    const std::uint64_t wanted = std::min(file_size, memory_size);
    const std::uint64_t there =
        file_offset < bytes_.size() ? bytes_.size() - file_offset : std::uint64_t{0};
    CoreSegment segment;
    segment.start = start;
    segment.end = end;
    segment.file_offset = file_offset;
    segment.stored = std::min(wanted, there);
    segment.readable = (flags & PF_R) != 0;
    segment.executable = (flags & PF_X) != 0;
    if (__builtin_add_overflow(missing_bytes_, wanted - segment.stored, &missing_bytes_)) {
        missing_bytes_ = std::numeric_limits<std::uint64_t>::max();
    }
    segments_.push_back(segment);
}

void CoreFile::sort_segments() {
    std::ranges::stable_sort(segments_, {}, &CoreSegment::start);
    std::uint64_t end = 0;
    std::erase_if(segments_, [&end](const CoreSegment& segment) {
        if (segment.start < end) return true;
        end = segment.end;
        return false;
    });
}

void CoreFile::read_notes(std::span<const std::byte> notes) {
    constexpr std::size_t alignment = 4;
    const auto padded = [](std::uint64_t size) {
        return (size + alignment - 1) / alignment * alignment;
    };
    std::size_t at = 0;
    while (const auto header = value_at<Elf64_Nhdr>(notes, at)) {
        at += sizeof *header;
        const std::uint64_t name_bytes = padded(header->n_namesz);
        const std::uint64_t content_bytes = padded(header->n_descsz);
        if (name_bytes > notes.size() - at || header->n_descsz > notes.size() - at - name_bytes) {
            return;
        }
        const bool of_core =
            header->n_namesz >= 4 && starts_with(notes.subspan(at, header->n_namesz), "CORE");
        const auto content = notes.subspan(at + name_bytes, header->n_descsz);
        if (of_core && header->n_type == NT_PRSTATUS) {
            read_status(content);
        } else if (of_core && header->n_type == NT_PRPSINFO) {
            const auto process = value_at<elf_prpsinfo>(content, 0);
            if (process && pid_ == 0) pid_ = process->pr_pid;
        } else if (of_core && header->n_type == NT_SIGINFO) {
            read_signal(content);
        } else if (of_core && header->n_type == NT_FILE && files_.empty()) {
            read_files(content);
        } else if (of_core && header->n_type == NT_AUXV && auxiliary_.empty()) {
            read_auxiliary_vector(content);
        }
        if (content_bytes > notes.size() - at - name_bytes) return;
        at += name_bytes + content_bytes;
    }
}

void CoreFile::read_status(std::span<const std::byte> content) {
    const auto status = value_at<elf_prstatus>(content, 0);
    if (!status || threads_.size() >= kMostThreads) return;
    StoppedThread thread;
    thread.tid = status->pr_pid;
    static_assert(sizeof thread.registers == sizeof status->pr_reg);
    std::memcpy(&thread.registers, &status->pr_reg, sizeof thread.registers);
    if (threads_.empty()) {
        first_signal_ = status->pr_cursig;
        if (ends_with_core(first_signal_, by_debugger_)) {
            signal_.emplace();
            signal_->number = first_signal_;
            signal_->name = model::signal_name(first_signal_);
        }
    }
    threads_.push_back(thread);
}

// Each thread may have one; that of the first follows its status.
void CoreFile::read_signal(std::span<const std::byte> content) {
    const auto info = value_at<siginfo_t>(content, 0);
    if (!info || !signal_ || threads_.size() != 1 || info->si_signo != signal_->number) return;
    if (info->si_code <= 0) {
        // Sent by kill(2), sigqueue(3) or, as abort(3) does, tgkill(2).
        signal_->sender_pid = info->si_pid;
    } else if (info->si_code != SI_KERNEL && tells_address(info->si_signo)) {
        signal_->address = reinterpret_cast<std::uint64_t>(info->si_addr);
    }
}

void CoreFile::read_files(std::span<const std::byte> content) {
    struct Entry {
        std::uint64_t start, end, page;
    };
    const auto count = value_at<std::uint64_t>(content, 0);
    const auto page_size = value_at<std::uint64_t>(content, kWord);
    const std::size_t table = 2 * kWord;
    if (!count || !page_size || *count > (content.size() - table) / sizeof(Entry)) return;
    auto names = content.subspan(table + *count * sizeof(Entry));
    std::uint64_t last_end = 0;
    for (std::size_t i = 0; i < *count; ++i) {
        const Entry entry = *value_at<Entry>(content, table + i * sizeof(Entry));
        const auto terminator = std::ranges::find(names, std::byte{0});
        if (terminator == names.end()) return;
        const auto length = static_cast<std::size_t>(terminator - names.begin());
        CoreMappedFile file{entry.start, entry.end, 0, {}};
        file.path.assign(reinterpret_cast<const char*>(names.data()),
                         std::min(length, kMostPathBytes));
        names = names.subspan(length + 1);
        const bool overflows = __builtin_mul_overflow(entry.page, *page_size, &file.offset);
        if (overflows || entry.start >= entry.end || entry.start < last_end) continue;
        last_end = entry.end;
        files_.push_back(std::move(file));
    }
}

// As on the stack: with the entry that ends it, and nothing behind that.
void CoreFile::read_auxiliary_vector(std::span<const std::byte> content) {
    std::size_t end = 0;
    while (end < kMostAuxiliaryBytes) {
        const auto entry = value_at<Elf64_auxv_t>(content, end);
        if (!entry) break;
        end += sizeof *entry;
        if (entry->a_type == AT_NULL) break;
    }
    auxiliary_.assign(content.begin(), content.begin() + static_cast<std::ptrdiff_t>(end));
}

std::optional<std::uint64_t> CoreFile::auxiliary(std::uint64_t type) const {
    for (std::size_t at = 0;; at += sizeof(Elf64_auxv_t)) {
        const auto entry = value_at<Elf64_auxv_t>(auxiliary_, at);
        if (!entry || entry->a_type == AT_NULL) return std::nullopt;
        if (entry->a_type == type) return entry->a_un.a_val;
    }
}

// The kernel has put a copy on the stack, between the pointers to the environment and
// the strings.
std::optional<std::uint64_t> CoreFile::find_auxiliary_vector(std::uint64_t below) const {
    constexpr std::size_t most = std::size_t{8} << 20;  // the environment and arguments
    if (auxiliary_.size() < sizeof(Elf64_auxv_t)) return std::nullopt;
    const auto after = std::ranges::upper_bound(segments_, below, {}, &CoreSegment::start);
    if (after == segments_.begin()) return std::nullopt;
    const CoreSegment& stack = *(after - 1);
    if (below >= stack.start + stack.stored) return std::nullopt;
    const std::uint64_t start = below - std::min<std::uint64_t>(below - stack.start, most);
    const auto bytes = std::span<const std::byte>(bytes_).subspan(
        stack.file_offset + (start - stack.start), below - start);
    const auto found =
        std::search(bytes.begin(), bytes.end(), auxiliary_.begin(), auxiliary_.end());
    if (found == bytes.end()) return std::nullopt;
    return start + static_cast<std::uint64_t>(found - bytes.begin());
}

std::string CoreFile::environment() const {
    constexpr std::uint64_t most_strings = std::uint64_t{8} << 20;
    // The name of the program is what the kernel puts above the environment.
    const auto end = auxiliary(AT_EXECFN);
    if (!end) return {};
    const auto vector = find_auxiliary_vector(*end);
    if (!vector) return {};
    // Pointers to the environment end with a null in front of the vector; the first
    // follows the null that ends the arguments.
    std::uint64_t at = *vector - kWord;
    std::uint64_t first = 0;
    for (;;) {
        at -= kWord;
        const auto pointer = read_value<std::uint64_t>(*this, Address{at});
        if (!pointer || *pointer == 0) break;
        first = *pointer;
    }
    if (first == 0 || first >= *end || *end - first > most_strings) return {};
    std::string text(*end - first, '\0');
    if (!read(Address{first}, std::as_writable_bytes(std::span{text}))) return {};
    return text;
}

Result<Done> CoreFile::read(Address address, std::span<std::byte> destination) const {
    std::uint64_t at = to_integer(address);
    while (!destination.empty()) {
        const auto after = std::ranges::upper_bound(segments_, at, {}, &CoreSegment::start);
        const bool below_all = after == segments_.begin();
        if (below_all || at - (after - 1)->start >= (after - 1)->stored) {
            return Error{ErrorCode::BadAddress,
                         fmt::format("the core file does not hold the memory at {:#x}", at)};
        }
        const CoreSegment& segment = *(after - 1);
        const std::uint64_t skipped = at - segment.start;
        const std::size_t part =
            std::min<std::uint64_t>(destination.size(), segment.stored - skipped);
        std::memcpy(destination.data(), bytes_.data() + segment.file_offset + skipped, part);
        destination = destination.subspan(part);
        at += part;
    }
    return Done{};
}

}  // namespace mqinspect::target
