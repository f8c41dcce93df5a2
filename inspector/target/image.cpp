#include "inspector/target/image.h"

#include <sys/auxv.h>

#include <chrono>
#include <cstring>
#include <span>
#include <unordered_map>

#include <elfutils/libdw.h>
#include <fmt/format.h>

#include "inspector/target/compile_units.h"
#include "inspector/target/dwarf_types.h"
#include "inspector/target/elf_file.h"
#include "inspector/target/elf_symbols.h"
#include "inspector/target/frame_rules.h"
#include "inspector/target/image_cache.h"
#include "inspector/target/line_table.h"
#include "inspector/target/name_index.h"
#include "inspector/target/scopes.h"

namespace mqinspect::target {
namespace {

constexpr std::uint64_t kPageSize = 4096;
constexpr std::size_t kMaxVdsoBytes = 65536;

// What reading debug information must take before it is worth a cache file.
constexpr auto kWorthKeeping = std::chrono::milliseconds(2);

using Clock = std::chrono::steady_clock;

// Adds the time of its life to a sum.
class Stopwatch {
public:
    explicit Stopwatch(Clock::duration& sum) : sum_(sum), start_(Clock::now()) {}
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;
    ~Stopwatch() { sum_ += Clock::now() - start_; }

private:
    Clock::duration& sum_;
    Clock::time_point start_;
};

struct DwarfDeleter {
    void operator()(Dwarf* dwarf) const { dwarf_end(dwarf); }
};

Symbol to_symbol(const ElfSymbol& symbol) {
    return {symbol.name, symbol.address, symbol.size, symbol.function, symbol.dynamic};
}

// The directory that .gnu_debuglink is relative to. What is opened through
// /proc/PID/map_files has no neighbours there.
std::filesystem::path debug_directory(const std::filesystem::path& path, const std::string& shown) {
    const bool link = path.native().find("/map_files/") != std::string::npos;
    return (link ? std::filesystem::path(shown) : path).parent_path();
}

}  // namespace

std::int64_t TypeLayout::offset_of(std::string_view field) const {
    for (const Field& candidate : fields) {
        if (candidate.name == field) return candidate.offset;
    }
    return -1;
}

struct Image::State {
    std::string shown;
    std::filesystem::path directory;
    std::vector<std::byte> bytes;  // of an image in memory
    std::unique_ptr<ElfFile> file;

    // Everything below is filled at the first question.
    bool searched_debug = false;
    std::unique_ptr<ElfFile> separate;
    ElfFile* debug = nullptr;  // file, separate or null
    std::unique_ptr<Dwarf, DwarfDeleter> dwarf;
    std::unique_ptr<CompileUnits> units;
    std::unique_ptr<ElfSymbols> symbols;
    std::unique_ptr<DwarfTypes> types;
    std::unique_ptr<ImageCache> known;
    std::unique_ptr<ScopeIndex> scopes;
    std::unique_ptr<NameIndex> names;
    std::unique_ptr<FrameRules> rules;

    const ElfFile* debug_file() {
        if (searched_debug) return debug;
        searched_debug = true;
        if (file->has_section(".debug_info") || file->has_section(".zdebug_info")) {
            debug = file.get();
        } else {
            separate = find_debug_file(*file, directory);
            debug = separate.get();
        }
        return debug;
    }

    Dwarf* debug_information() {
        if (!dwarf && debug_file() != nullptr) {
            dwarf.reset(dwarf_begin_elf(debug->elf(), DWARF_C_READ, nullptr));
            if (!dwarf) debug = nullptr;
        }
        return dwarf.get();
    }

    const CompileUnits* compile_units() {
        if (!units && debug_information() != nullptr)
            units = std::make_unique<CompileUnits>(dwarf.get());
        return units.get();
    }

    const ElfSymbols& symbol_table() {
        if (!symbols) {
            // The debug file is only asked where the file itself is stripped.
            const bool stripped = file->section_of_type(SHT_SYMTAB) == nullptr;
            symbols = std::make_unique<ElfSymbols>(*file, stripped ? debug_file() : nullptr);
        }
        return *symbols;
    }

    // What is known already, on disk or only in this run.
    ImageCache& cache() {
        if (!known) known = std::make_unique<ImageCache>("", "");
        return *known;
    }

    // Small programs are rebuilt often and read fast: not worth a file.
    Clock::duration spent{};
};

Image::Image(std::unique_ptr<State> state) : state_(std::move(state)) {}
Image::~Image() = default;

Result<std::unique_ptr<Image>> Image::open(const std::filesystem::path& path, std::string shown) {
    auto state = std::make_unique<State>();
    state->file = TRY(ElfFile::open(path));
    state->directory = debug_directory(path, shown);
    state->shown = std::move(shown);
    return std::unique_ptr<Image>(new Image(std::move(state)));
}

Result<std::unique_ptr<Image>> Image::vdso() {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel's own answer
    const auto* start = reinterpret_cast<const std::byte*>(getauxval(AT_SYSINFO_EHDR));
    if (start == nullptr) return Error{ErrorCode::System, "this process has no vdso"};
    // Its section headers are what comes last.
    Elf64_Ehdr header{};
    std::memcpy(&header, start, sizeof header);
    const std::size_t size =
        header.e_shoff + std::size_t{header.e_shnum} * std::size_t{header.e_shentsize};
    if (header.e_shnum == 0 || size > kMaxVdsoBytes)
        return Error{ErrorCode::CorruptData, "the vdso has no section headers"};

    auto state = std::make_unique<State>();
    state->bytes.assign(start, start + size);
    state->file = TRY(ElfFile::from_memory(state->bytes));
    state->shown = "[vdso]";
    return std::unique_ptr<Image>(new Image(std::move(state)));
}

const std::string& Image::path() const {
    return state_->shown;
}
const std::string& Image::build_id() const {
    return state_->file->build_id();
}
bool Image::has_debug_info() const {
    return state_->debug_file() != nullptr;
}
bool Image::has_symbol_table() const {
    return state_->symbol_table().has_symbol_table();
}

std::optional<Symbol> Image::find_symbol(std::string_view name) const {
    const ElfSymbol* found = state_->symbol_table().find(name);
    return found == nullptr ? std::nullopt : std::optional(to_symbol(*found));
}

std::optional<Symbol> Image::find_dynamic_symbol(std::string_view name) const {
    const ElfSymbol* found = state_->symbol_table().find_dynamic(name);
    return found == nullptr ? std::nullopt : std::optional(to_symbol(*found));
}

std::optional<Symbol> Image::function_at(std::uint64_t address) const {
    const ElfSymbol* found = state_->symbol_table().function_at(address);
    return found == nullptr ? std::nullopt : std::optional(to_symbol(*found));
}

const TypeLayout* Image::find_type(std::string_view name) const {
    // A stripped copy has the build-id of its original, but not its symbols: what is
    // told of it must not depend on which of the two was seen before.
    if (state_->debug_file() == nullptr) return nullptr;
    ImageCache& cache = state_->cache();
    const auto known = cache.facts().types.find(name);
    if (known != cache.facts().types.end()) return known->second.get();
    const Stopwatch stopwatch(state_->spent);
    if (state_->compile_units() == nullptr) return nullptr;
    if (!state_->types)
        state_->types = std::make_unique<DwarfTypes>(*state_->debug, *state_->units);
    auto found = state_->types->find(name);
    return cache.add_type(name, found ? std::make_unique<TypeLayout>(std::move(*found)) : nullptr);
}

std::optional<model::SourceLocation> Image::location_at(std::uint64_t address) const {
    if (state_->debug_file() == nullptr) return std::nullopt;
    ImageCache& cache = state_->cache();
    const auto known = cache.facts().lines.find(address);
    if (known != cache.facts().lines.end()) return known->second;
    const Stopwatch stopwatch(state_->spent);
    if (state_->compile_units() == nullptr) return std::nullopt;
    auto location = source_line(*state_->units, address);
    cache.add_line(address, location);
    return location;
}

std::vector<model::SourceLocation> Image::inlined_calls(std::uint64_t address) const {
    ScopeIndex* const index = scopes();
    if (index == nullptr) return {};
    return target::inlined_calls(index->at(address));
}

std::uint64_t Image::first_load_address() const {
    const auto& segments = state_->file->segments();
    return segments.empty() ? 0 : segments.front().address / kPageSize * kPageSize;
}

std::optional<std::uint64_t> Image::address_of_offset(std::uint64_t file_offset) const {
    for (const ElfFile::Segment& segment : state_->file->segments()) {
        const std::uint64_t start = segment.file_offset / kPageSize * kPageSize;
        if (file_offset < start || file_offset - start > segment.memory_size + kPageSize) continue;
        const std::uint64_t address = segment.address / kPageSize * kPageSize;
        return address + (file_offset - start);
    }
    return std::nullopt;
}

std::string_view Image::section(const char* name) const {
    return state_->file->section_bytes(name);
}

void Image::use_cache(const std::filesystem::path& directory) {
    state_->known = std::make_unique<ImageCache>(directory, build_id());
}

void Image::save_cache() {
    if (state_->known && state_->spent >= kWorthKeeping) state_->known->save();
}

Elf* Image::elf() const {
    return state_->file->elf();
}
Dwarf* Image::dwarf() const {
    return state_->debug_information();
}
const CompileUnits* Image::units() const {
    return state_->compile_units();
}

ScopeIndex* Image::scopes() const {
    if (!state_->scopes && state_->compile_units() != nullptr)
        state_->scopes = std::make_unique<ScopeIndex>(*state_->units);
    return state_->scopes.get();
}

const NameIndex* Image::names() const {
    if (!state_->names && state_->compile_units() != nullptr)
        state_->names = std::make_unique<NameIndex>(*state_->units);
    return state_->names.get();
}

FrameRules* Image::frame_rules() const {
    if (!state_->rules) {
        state_->rules = std::make_unique<FrameRules>(
            elf(), [state = state_.get()] { return state->debug_information(); });
    }
    return state_->rules.get();
}

}  // namespace mqinspect::target
