#include "inspector/target/process_view.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "inspector/target/demangled.h"
#include "inspector/target/process_maps.h"
#include "inspector/target/process_status.h"

namespace mqinspect::target {
namespace {

// Consecutive lines of one loaded file.
struct MappedFile {
    MapsLine first;
    std::uint64_t end = 0;
    std::uint64_t last_offset = 0;
    bool executable = false;
};

std::vector<MappedFile> group_files(const std::vector<MapsLine>& lines) {
    std::vector<MappedFile> files;
    for (const MapsLine& line : lines) {
        if (line.path != "[vdso]" && (line.inode == 0 || !line.path.starts_with('/'))) continue;
        const bool same = !files.empty() && files.back().first.inode == line.inode &&
                          files.back().first.device == line.device;
        // A file starts anew where its offsets do: dlmopen loads a library twice.
        if (same && line.offset != 0 && line.offset >= files.back().last_offset) {
            files.back().end = line.end;
            files.back().last_offset = line.offset;
            files.back().executable |= line.executable;
        } else {
            files.push_back({line, line.end, line.offset, line.executable});
        }
    }
    std::erase_if(files, [](const MappedFile& file) { return !file.executable; });
    return files;
}

std::string executable_path(pid_t pid) {
    std::array<char, 4096> buffer{};
    const ssize_t length =
        ::readlink(fmt::format("/proc/{}/exe", pid).c_str(), buffer.data(), buffer.size());
    return length <= 0 ? std::string{}
                       : std::string(buffer.data(), static_cast<std::size_t>(length));
}

int mpi_evidence(const Image& image) {
    if (image.find_symbol("MPIR_All_communicators")) return 3;
    if (image.find_symbol("PMPI_Init")) return 2;
    return image.find_symbol("MPI_Init") ? 1 : 0;
}

// The program itself may hold the C library too, if it is linked statically.
bool is_c_library(const Image& image) {
    return image.find_dynamic_symbol("__libc_start_main") ||
           image.find_dynamic_symbol("_dl_allocate_tls") || image.path() == "[vdso]";
}

std::optional<Module> module_of(const LoadedFile& file) {
    const auto linked = file.image->address_of_offset(file.offset);
    if (!linked) return std::nullopt;
    return Module{.image = file.image,
                  .start = file.start,
                  .end = file.end,
                  .bias = file.start - *linked,
                  .mpi_evidence = mpi_evidence(*file.image),
                  .c_library = !file.is_program && is_c_library(*file.image)};
}

}  // namespace

Result<ProcessView> ProcessView::create(pid_t pid, ImageStore& store) {
    const auto text = read_proc_file(fmt::format("/proc/{}/maps", pid));
    if (!text) {
        const ErrorCode code = text.error().code;
        if (code == ErrorCode::TargetExited) return exited_error(pid);
        if (code == ErrorCode::PermissionDenied) return denied_error(pid);
        return text.error();
    }
    if (text->empty()) {  // no memory: a zombie or a kernel thread
        const auto status = read_process_status(pid);
        return status && status->kernel_thread ? denied_error(pid) : exited_error(pid);
    }

    std::vector<Mapping> mappings;
    const std::vector<MapsLine> lines = parse_maps(*text);
    mappings.reserve(lines.size());
    for (const MapsLine& line : lines) {
        mappings.push_back(
            {line.start, line.end, line.readable, line.executable, std::string(line.path)});
    }
    const std::string executable = executable_path(pid);
    std::vector<LoadedFile> files;
    for (const MappedFile& file : group_files(lines)) {
        const auto image = store.image(pid,
                                       std::string(file.first.path),
                                       file.first.device,
                                       file.first.inode,
                                       file.first.start,
                                       file.first.end);
        if (!image) continue;
        files.push_back(
            {*image, file.first.start, file.end, file.first.offset, file.first.path == executable});
    }
    return assemble(pid, std::move(mappings), files);
}

ProcessView ProcessView::assemble(pid_t pid,
                                  std::vector<Mapping> mappings,
                                  std::span<const LoadedFile> files) {
    ProcessView view;
    view.pid_ = pid;
    view.mappings_ = std::move(mappings);
    for (const LoadedFile& file : files) {
        const auto module = module_of(file);
        if (!module) continue;
        view.modules_.insert(file.is_program ? view.modules_.begin() : view.modules_.end(),
                             *module);
    }
    view.search_order_.resize(view.modules_.size());
    std::iota(view.search_order_.begin(), view.search_order_.end(), std::size_t{0});
    std::stable_sort(view.search_order_.begin(),
                     view.search_order_.end(),
                     [&view](std::size_t a, std::size_t b) {
                         return view.modules_[a].mpi_evidence > view.modules_[b].mpi_evidence;
                     });
    return view;
}

const Module* ProcessView::module_at(Address address) const {
    const std::uint64_t at = to_integer(address);
    for (const Module& module : modules_) {
        if (at >= module.start && at < module.end) return &module;
    }
    return nullptr;
}

const Mapping* ProcessView::mapping_at(Address address) const {
    const std::uint64_t at = to_integer(address);
    const auto after = std::upper_bound(
        mappings_.begin(), mappings_.end(), at, [](std::uint64_t wanted, const Mapping& m) {
            return wanted < m.end;
        });
    return after != mappings_.end() && at >= after->start ? &*after : nullptr;
}

const Module* ProcessView::mpi_module() const {
    if (search_order_.empty()) return nullptr;
    const Module& module = modules_[search_order_.front()];
    return module.image->find_symbol("PMPI_Init") ? &module : nullptr;
}

std::optional<Address> ProcessView::find_symbol(std::string_view name) const {
    for (const std::size_t i : search_order_) {
        const Module& module = modules_[i];
        const auto symbol = module.image->find_symbol(name);
        if (!symbol) continue;
        // A program that refers to a library's variable directly holds the copy
        // that everybody uses (R_X86_64_COPY).
        const Module& program = modules_.front();
        if (&module != &program && !symbol->function && module.image->find_dynamic_symbol(name)) {
            const auto copy = program.image->find_dynamic_symbol(name);
            if (copy && !copy->function && copy->size == symbol->size)
                return program.loaded(copy->address);
        }
        return module.loaded(symbol->address);
    }
    return std::nullopt;
}

const TypeLayout* ProcessView::find_type(std::string_view name) const {
    const auto in_modules = [&](bool of_mpi) -> const TypeLayout* {
        for (const std::size_t i : search_order_) {
            const Module& module = modules_[i];
            if (module.c_library || (module.mpi_evidence > 0) != of_mpi) continue;
            if (const TypeLayout* type = module.image->find_type(name)) return type;
        }
        return nullptr;
    };
    if (const TypeLayout* type = in_modules(true)) return type;
    for (const Image* donor : donors_) {
        if (const TypeLayout* type = donor->find_type(name)) return type;
    }
    return in_modules(false);
}

DebugSymbols::LoadedFiles ProcessView::loaded_files() const {
    LoadedFiles loaded;
    loaded.reserve(modules_.size());
    for (const Module& module : modules_)
        loaded.emplace_back(module.image, module.bias);
    return loaded;
}

std::string ProcessView::mpi_library() const {
    const Module* library = mpi_module();
    return library == nullptr ? std::string() : library->image->path();
}

std::string ProcessView::program() const {
    return modules_.empty() ? fmt::format("process {}", pid_) : modules_.front().image->path();
}

model::Frame ProcessView::describe(Address pc, bool is_return_address) const {
    model::Frame frame;
    frame.pc = to_integer(pc);
    const Module* module = module_at(pc);
    if (module == nullptr) return frame;
    frame.image = module->image->path();
    // The instruction after a call may belong to the next line, or to the next
    // function if the called one never returns.
    const std::uint64_t linked = module->linked(pc) - (is_return_address ? 1 : 0);
    if (const auto function = module->image->function_at(linked))
        frame.function = demangled(function->name);
    if (module->c_library) return frame;
    if (const auto location = module->image->location_at(linked)) frame.location = *location;
    return frame;
}

}  // namespace mqinspect::target
