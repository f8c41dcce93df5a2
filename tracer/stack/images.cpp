#include "tracer/stack/images.h"

#include <elf.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string_view>

#include <climits>

#include "tracer/log/memory.h"

namespace mqinspect::tracer {

namespace {

constexpr std::size_t kMostImages = 4096;
constexpr std::size_t kMostBuildId = 64;

struct Image {
    std::uint64_t begin = 0;  ///< of its machine code
    std::uint64_t end = 0;
    std::uint64_t base = 0;  ///< what is added to the addresses of its program headers
    std::uint64_t bytes = 0;
    char* path = nullptr;
    char* function = nullptr;  ///< of an interpreter
    char build_id[2 * kMostBuildId + 1] = {};
};

SpinLock lock;
Arena arena;
Image images[kMostImages];
std::atomic<std::size_t> image_count{0};

/// What is looked for among the loaded objects, and what is found.
struct Search {
    std::uint64_t address;
    Image image;
    char path[PATH_MAX];
    bool found;
};

void write_hex(char* out, const std::uint8_t* bytes, std::size_t count) {
    constexpr char digits[] = "0123456789abcdef";
    for (std::size_t i = 0; i < count; ++i) {
        *out++ = digits[bytes[i] >> 4U];
        *out++ = digits[bytes[i] & 0xfU];
    }
    *out = '\0';
}

void read_build_id(Image& image, const std::uint8_t* notes, std::size_t bytes) {
    while (bytes >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        std::memcpy(&note, notes, sizeof note);
        const std::size_t name = (std::size_t{note.n_namesz} + 3) & ~std::size_t{3};
        const std::size_t content = (std::size_t{note.n_descsz} + 3) & ~std::size_t{3};
        const std::size_t all = sizeof note + name + content;
        if (all > bytes) return;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof ELF_NOTE_GNU &&
            std::memcmp(notes + sizeof note, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0) {
            write_hex(image.build_id,
                      notes + sizeof note + name,
                      std::min<std::size_t>(note.n_descsz, kMostBuildId));
            return;
        }
        notes += all;
        bytes -= all;
    }
}

int visit(dl_phdr_info* object, std::size_t /*size*/, void* data) {
    auto& search = *static_cast<Search*>(data);
    Image image;
    image.base = object->dlpi_addr;
    bool contains = false;
    for (std::size_t i = 0; i < object->dlpi_phnum; ++i) {
        const ElfW(Phdr)& header = object->dlpi_phdr[i];
        if (header.p_type != PT_LOAD) continue;
        const std::uint64_t begin = image.base + header.p_vaddr;
        const std::uint64_t end = begin + header.p_memsz;
        image.bytes = std::max(image.bytes, header.p_vaddr + header.p_memsz);
        if (search.address < begin || search.address >= end) continue;
        contains = true;
        image.begin = begin;
        image.end = end;
    }
    if (!contains) return 0;
    for (std::size_t i = 0; i < object->dlpi_phnum; ++i) {
        const ElfW(Phdr)& header = object->dlpi_phdr[i];
        if (header.p_type != PT_NOTE) continue;
        // NOLINTNEXTLINE(performance-no-int-to-ptr): that is how the loader gives it
        const auto* notes = reinterpret_cast<const std::uint8_t*>(image.base + header.p_vaddr);
        read_build_id(image, notes, header.p_memsz);
    }
    std::strncpy(search.path, object->dlpi_name, sizeof search.path - 1);
    search.image = image;
    search.found = true;
    return 1;
}

/// The loader calls the executable by an empty name, and others as they were asked for.
void make_absolute(char (&path)[PATH_MAX]) {
    char absolute[PATH_MAX];
    if (path[0] == '\0') {
        const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
        path[std::max<ssize_t>(length, 0)] = '\0';
    } else if (path[0] != '/' && realpath(path, absolute) != nullptr) {
        std::memcpy(path, absolute, sizeof path);
    }
}

const Image* find_image(std::uint64_t address) {
    const std::size_t count = image_count.load(std::memory_order_acquire);
    for (std::size_t i = 0; i < count; ++i)
        if (address >= images[i].begin && address < images[i].end) return &images[i];
    return nullptr;
}

CodeAddress place_in(const Image& image, std::uint64_t address) {
    return {static_cast<std::uint64_t>(&image - images) + 1, address - image.base};
}

/// Ends with a zero; null: out of memory. The lock is held.
char* kept_text(std::string_view text) {
    char* copy = arena.take_array<char>(text.size() + 1);
    if (copy != nullptr) std::memcpy(copy, text.data(), text.size());
    return copy;
}

void define_image(DefinitionsFile& definitions, std::size_t id, std::string_view path) {
    const Image& image = images[id];
    Definition definition(definitions, model::DefinitionKind::Image);
    definition.number(static_cast<std::int64_t>(id))
        .text(path)
        .text(image.build_id)
        .bits(image.base)
        .bits(image.bytes);
    if (image.function != nullptr) definition.text(image.function);
}

}  // namespace

CodeAddress known_code_address(std::uint64_t address) {
    if (is_script_address(address)) return place_in_script(address);
    const Image* image = find_image(address);
    return image == nullptr ? CodeAddress{0, address} : place_in(*image, address);
}

CodeAddress code_address(DefinitionsFile& definitions, std::uint64_t address) {
    if (is_script_address(address)) return place_in_script(address);
    if (const Image* image = find_image(address)) return place_in(*image, address);
    const Locked locked(lock);
    if (const Image* image = find_image(address)) return place_in(*image, address);
    static Search search;
    search.address = address;
    search.found = false;
    dl_iterate_phdr(visit, &search);
    const std::size_t id = image_count.load(std::memory_order_relaxed);
    if (!search.found || id == kMostImages) return {0, address};
    make_absolute(search.path);
    Image& image = images[id];
    image = search.image;
    image.path = kept_text(search.path);
    define_image(definitions, id, search.path);
    image_count.store(id + 1, std::memory_order_release);
    return place_in(image, address);
}

std::uint64_t define_script(DefinitionsFile& definitions,
                            std::string_view path,
                            std::string_view function) {
    const Locked locked(lock);
    const std::size_t id = image_count.load(std::memory_order_relaxed);
    if (id == kMostImages) return 0;
    images[id] = {};
    images[id].path = kept_text(path);
    images[id].function = kept_text(function);
    define_image(definitions, id, path);
    image_count.store(id + 1, std::memory_order_release);
    return id + 1;
}

const char* image_path(std::uint64_t image) {
    if (image == 0 || image > image_count.load(std::memory_order_acquire)) return "";
    const char* path = images[image - 1].path;
    return path == nullptr ? "" : path;
}

}  // namespace mqinspect::tracer
