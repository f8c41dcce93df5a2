#include "inspector/target/core_process.h"

#include <elf.h>
#include <sys/auxv.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <libelf.h>

namespace mqinspect::target {

namespace {

/// Consecutive entries of NT_FILE for one file.
struct LoadedOnce {
    std::vector<CoreMappedFile> parts;

    std::uint64_t start() const { return parts.front().start; }
    std::uint64_t end() const { return parts.back().end; }
    const std::string& path() const { return parts.front().path; }
    bool holds(std::uint64_t address) const { return address >= start() && address < end(); }
};

// A file starts anew where its offsets do.
std::vector<LoadedOnce> group_files(const std::vector<CoreMappedFile>& entries) {
    std::vector<LoadedOnce> files;
    for (const CoreMappedFile& entry : entries) {
        const bool same = !files.empty() && files.back().path() == entry.path &&
                          entry.offset != 0 && entry.offset >= files.back().parts.back().offset;
        if (!same) files.emplace_back();
        files.back().parts.push_back(entry);
    }
    return files;
}

bool is_elf_at(const CoreFile& core, std::uint64_t start) {
    const auto header = read_value<Elf64_Ehdr>(core, Address{start});
    return header && std::memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
           header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_phentsize == sizeof(Elf64_Phdr);
}

std::string build_id_in(std::span<const std::byte> notes) {
    constexpr std::size_t alignment = 4;
    constexpr std::size_t most_id_bytes = 64;
    const auto padded = [](std::size_t size) {
        return (size + alignment - 1) / alignment * alignment;
    };
    while (notes.size() >= sizeof(Elf64_Nhdr)) {
        Elf64_Nhdr header{};
        std::memcpy(&header, notes.data(), sizeof header);
        notes = notes.subspan(sizeof header);
        const std::size_t name_bytes = padded(header.n_namesz);
        const std::size_t content_bytes = padded(header.n_descsz);
        if (name_bytes > notes.size() || content_bytes > notes.size() - name_bytes) return {};
        if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == sizeof "GNU" &&
            std::memcmp(notes.data(), "GNU", sizeof "GNU") == 0 &&
            header.n_descsz <= most_id_bytes) {
            std::string text;
            for (const std::byte byte : notes.subspan(name_bytes, header.n_descsz))
                text += fmt::format("{:02x}", byte);
            return text;
        }
        notes = notes.subspan(name_bytes + content_bytes);
    }
    return {};
}

// Of the ELF file that the core holds the first page of at `start`; empty if the page,
// or the note in it, is not there.
std::string build_id_at(const CoreFile& core, std::uint64_t start) {
    constexpr std::uint16_t most_headers = 64;
    constexpr std::uint64_t most_note_bytes = 4096;
    if (!is_elf_at(core, start)) return {};
    const auto header = read_value<Elf64_Ehdr>(core, Address{start});
    std::optional<std::uint64_t> bias;
    std::vector<Elf64_Phdr> notes;
    for (std::uint16_t i = 0; i < std::min(header->e_phnum, most_headers); ++i) {
        const auto segment =
            read_value<Elf64_Phdr>(core, Address{start} + header->e_phoff + i * sizeof(Elf64_Phdr));
        if (!segment) return {};
        if (segment->p_type == PT_LOAD && !bias) bias = start - segment->p_vaddr;
        if (segment->p_type == PT_NOTE) notes.push_back(*segment);
    }
    for (const Elf64_Phdr& note : notes) {
        std::vector<std::byte> bytes(std::min(note.p_filesz, most_note_bytes));
        if (!core.read(Address{bias.value_or(start)} + note.p_vaddr, bytes)) continue;
        if (std::string id = build_id_in(bytes); !id.empty()) return id;
    }
    return {};
}

bool is_regular_file(const std::filesystem::path& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

bool fits(const Image& image, const std::string& wanted_build_id) {
    return wanted_build_id.empty() || image.build_id() == wanted_build_id;
}

/// Finds the files of one core.
class Loader {
public:
    Loader(const CoreFile& core, const std::filesystem::path& executable, ImageStore& images)
        : core_(core), executable_(executable), images_(images) {}

    void load(CoreProcess& process) {
        const auto entry = core_.auxiliary(AT_ENTRY);
        for (const LoadedOnce& file : group_files(core_.files())) {
            const bool is_program = entry && file.holds(*entry);
            if (is_program) process.program = file.path();
            Image* image = is_program ? find_program(file, process) : find_library(file, process);
            if (image == nullptr) continue;
            add(*image, file, is_program);
        }
        load_vdso();
    }

    std::vector<LoadedFile> loaded;
    std::vector<MappedBytes> bytes;

private:
    Image* find_program(const LoadedOnce& file, CoreProcess& process) {
        const std::string id = build_id_at(core_, file.start());
        const auto named = images_.file(executable_);
        if (named && fits(**named, id)) {
            process.is_of_executable = true;
            return *named;
        }
        return find_library(file, process);
    }

    Image* find_library(const LoadedOnce& file, CoreProcess& process) {
        const std::string& path = file.path();
        const bool was_elf = is_elf_at(core_, file.start());
        if (!is_regular_file(path)) {
            if (was_elf) {
                process.problems.push_back(fmt::format(
                    "{}, which the process had loaded, is not there; put it there to have its "
                    "functions and types",
                    path));
            }
            return nullptr;
        }
        const auto image = images_.file(path);
        if (!image) return nullptr;
        const std::string id = build_id_at(core_, file.start());
        if (fits(**image, id)) return *image;
        process.problems.push_back(
            fmt::format("{} is not the file that the process had loaded (its build-id is {}, that "
                        "of the core {}) and is not used",
                        path,
                        (*image)->build_id().empty() ? "missing" : (*image)->build_id(),
                        id));
        return nullptr;
    }

    void add(Image& image, const LoadedOnce& file, bool is_program) {
        loaded.push_back({&image, file.start(), file.end(), file.parts.front().offset, is_program});
        std::size_t size = 0;
        const char* raw = elf_rawfile(image.elf(), &size);
        if (raw == nullptr) return;
        const auto all = std::as_bytes(std::span{raw, size});
        for (const CoreMappedFile& part : file.parts) {
            if (part.offset >= all.size()) continue;
            const std::uint64_t length =
                std::min<std::uint64_t>(part.end - part.start, all.size() - part.offset);
            bytes.push_back({part.start, all.subspan(part.offset, length)});
        }
    }

    // The code page of the kernel that is running, if it is that of the core's.
    void load_vdso() {
        const auto start = core_.auxiliary(AT_SYSINFO_EHDR);
        if (!start) return;
        const auto after =
            std::ranges::upper_bound(core_.segments(), *start, {}, &CoreSegment::start);
        if (after == core_.segments().begin() || *start >= (after - 1)->end) return;
        const auto image = images_.image(0, "[vdso]", 0, 0, *start, (after - 1)->end);
        const std::string id = build_id_at(core_, *start);
        if (image && !id.empty() && (*image)->build_id() == id) {
            loaded.push_back({*image, *start, (after - 1)->end, 0, false});
        }
    }

    const CoreFile& core_;
    const std::filesystem::path& executable_;
    ImageStore& images_;
};

// Segments, and what the kernel has not written of the mapped files.
std::vector<Mapping> mappings_of(const CoreFile& core) {
    std::vector<Mapping> mappings;
    for (const CoreSegment& segment : core.segments()) {
        mappings.push_back({segment.start, segment.end, segment.readable, segment.executable, {}});
    }
    for (const CoreMappedFile& file : core.files()) {
        const auto after =
            std::ranges::upper_bound(core.segments(), file.start, {}, &CoreSegment::start);
        const bool in_segment = after != core.segments().begin() && file.start < (after - 1)->end;
        const bool before_segment = after != core.segments().end() && after->start < file.end;
        if (in_segment || before_segment) continue;
        mappings.push_back({file.start, file.end, true, true, file.path});
    }
    std::ranges::sort(mappings, {}, &Mapping::start);
    return mappings;
}

}  // namespace

std::span<const std::byte> CoreMemory::file_bytes(std::uint64_t address) const {
    const auto after = std::ranges::upper_bound(files_, address, {}, &MappedBytes::start);
    if (after == files_.begin()) return {};
    const MappedBytes& file = *(after - 1);
    const std::uint64_t skipped = address - file.start;
    return skipped < file.bytes.size() ? file.bytes.subspan(skipped) : std::span<const std::byte>{};
}

Result<Done> CoreMemory::read(Address address, std::span<std::byte> destination) const {
    if (core_.read(address, destination)) return Done{};
    // Some of it is not in the core: page by page, as both are whole pages.
    constexpr std::uint64_t page = 4096;
    std::uint64_t at = to_integer(address);
    while (!destination.empty()) {
        const std::size_t part = std::min<std::uint64_t>(destination.size(), page - at % page);
        const auto piece = destination.first(part);
        if (auto got = core_.read(Address{at}, piece); !got) {
            const auto bytes = file_bytes(at);
            if (bytes.size() < part) return got;
            std::memcpy(piece.data(), bytes.data(), part);
        }
        destination = destination.subspan(part);
        at += part;
    }
    return Done{};
}

Result<CoreProcess> open_core(const std::filesystem::path& path,
                              const std::filesystem::path& executable,
                              ImageStore& images) {
    CoreProcess process;
    process.core = TRY(CoreFile::open(path));
    Loader loader(*process.core, executable, images);
    loader.load(process);
    process.view =
        ProcessView::assemble(process.core->pid(), mappings_of(*process.core), loader.loaded);
    process.memory = std::make_unique<CoreMemory>(*process.core, std::move(loader.bytes));
    if (const std::uint64_t missing = process.core->missing_bytes(); missing > 0) {
        process.problems.push_back(
            fmt::format("the core file was cut: {} bytes of its memory are missing", missing));
    }
    return process;
}

}  // namespace mqinspect::target
