#include "inspector/mqs_host/dll_search.h"

#include <dlfcn.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "inspector/target/memory.h"

namespace mqinspect::mqs_host {

namespace {

namespace fs = std::filesystem;

constexpr const char* kBundledName = "libmqs_mpich.so";
constexpr std::size_t kMaxPathBytes = 4096;
constexpr std::size_t kMaxLocations = 64;

/// Why others may have put or changed what is there; empty if they cannot. In a folder
/// with the sticky bit, such as /tmp, others cannot replace what is not theirs.
std::optional<std::string> distrust_of(const fs::path& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) return "cannot be examined";
    if (status.st_uid != 0 && status.st_uid != geteuid()) {
        return fmt::format("belongs to user {}", status.st_uid);
    }
    const bool sticky = S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX) != 0;
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0 && !sticky) return "can be written by others";
    return std::nullopt;
}

/// The file and every folder on the way to it: who can rename one of them can put
/// another in its place.
std::vector<fs::path> way_to(const fs::path& file) {
    std::vector<fs::path> places{file};
    while (places.back().has_relative_path())
        places.push_back(places.back().parent_path());
    return places;
}

/// The library behind a name that the target holds, or empty and a note.
std::optional<std::string> trusted(const std::string& name, std::vector<std::string>& notes) {
    std::error_code error;
    const fs::path path = fs::canonical(name, error);
    if (name.empty() || name.front() != '/' || error) {
        notes.push_back(fmt::format("{}, named by the process, does not exist", name));
        return std::nullopt;
    }
    if (!fs::is_regular_file(path, error)) {
        notes.push_back(fmt::format("{}, named by the process, is no file", name));
        return std::nullopt;
    }
    for (const auto& place : way_to(path)) {
        if (const auto reason = distrust_of(place)) {
            notes.push_back(
                fmt::format("{}, named by the process, is not loaded: {} {}; --dll {} loads it",
                            name,
                            place.string(),
                            *reason,
                            name));
            return std::nullopt;
        }
    }
    return path.string();
}

/// The list of paths in `char** mpimsgq_dll_locations`, then `char MPIR_dll_name[]`.
std::vector<std::string> names_in(const target::DebugSymbols& view, const target::Memory& memory) {
    using target::Address;
    std::vector<std::string> names;
    if (const auto symbol = view.find_symbol("mpimsgq_dll_locations")) {
        const auto list = target::read_value<std::uint64_t>(memory, *symbol);
        for (std::size_t i = 0; list && *list != 0 && i < kMaxLocations; ++i) {
            const auto entry = target::read_value<std::uint64_t>(
                memory, Address{*list} + i * sizeof(std::uint64_t));
            if (!entry || *entry == 0) break;
            auto name = target::read_string(memory, Address{*entry}, kMaxPathBytes);
            if (name) names.push_back(std::move(*name));
        }
    }
    if (const auto symbol = view.find_symbol("MPIR_dll_name")) {
        auto name = target::read_string(memory, *symbol, kMaxPathBytes);
        if (name) names.push_back(std::move(*name));
    }
    return names;
}

/// A path that is compiled into the library is wrong once the installation was moved:
/// then the file of that name in the library's folder or one below it.
std::vector<std::string> where_it_may_be(const std::string& name,
                                         const target::DebugSymbols& view) {
    std::vector<std::string> places{name};
    std::error_code error;
    const std::string library = view.mpi_library();
    if (library.empty() || fs::exists(name, error)) return places;
    const fs::path folder = fs::path(library).parent_path();
    const fs::path file = fs::path(name).filename();
    std::vector<fs::path> folders{folder};
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        std::error_code ignored;
        if (entry->is_directory(ignored)) folders.push_back(entry->path());
    }
    for (const fs::path& place : folders) {
        if (!file.empty() && fs::exists(place / file, error)) places.push_back(place / file);
    }
    return places;
}

/// The file that this code was loaded from: the program, or a module of another program
/// such as Python.
fs::path own_file() {
    Dl_info place{};
    link_map* file = nullptr;
    std::error_code error;
    const auto* code = reinterpret_cast<const void*>(&bundled_dll);
    const bool known = dladdr1(code, &place, reinterpret_cast<void**>(&file), RTLD_DL_LINKMAP) != 0;
    // The program itself has an empty name; how it was called says little of where it is.
    const bool module = known && file != nullptr && *file->l_name != '\0';
    return module ? fs::canonical(file->l_name, error) : fs::read_symlink("/proc/self/exe", error);
}

bool is_mpich(const target::DebugSymbols& view) {
    return view.find_symbol("MPIR_All_communicators") || view.find_symbol("MPIR_Process") ||
           view.find_symbol("MPII_Version_string");
}

}  // namespace

Result<std::string> bundled_dll() {
    std::error_code error;
    if (const char* wanted = std::getenv("MQI_DLL"); wanted != nullptr && *wanted != '\0') {
        if (fs::exists(wanted, error)) return std::string(wanted);
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("MQI_DLL names {}, which does not exist", wanted)};
    }
    const fs::path here = own_file().parent_path();
    // Beside bin/mqinspect: ../lib or ../lib/mqinspect. Beside the Python package: the
    // folder itself, or from python/mqinspect of a build ../../lib.
    for (const char* folder : {"../lib", "../lib/mqinspect", ".", "../../lib"}) {
        const fs::path candidate = (here / folder / kBundledName).lexically_normal();
        if (fs::exists(candidate, error)) return candidate.string();
    }
    return Error{
        ErrorCode::System,
        fmt::format("{} is not beside {}; name it in MQI_DLL", kBundledName, here.string())};
}

Result<DllChoice> choose_dll(const target::DebugSymbols& view,
                             const target::Memory& memory,
                             const std::string& wanted) {
    if (!wanted.empty()) return DllChoice{wanted, {}};
    if (is_mpich(view)) return DllChoice{TRY(bundled_dll()), {}};
    DllChoice choice;
    for (const auto& name : names_in(view, memory)) {
        for (const auto& place : where_it_may_be(name, view)) {
            if (auto path = trusted(place, choice.notes)) {
                choice.path = std::move(*path);
                return choice;
            }
        }
    }
    std::string message = "there is no debugger DLL for this MPI library; name one with --dll";
    for (const auto& note : choice.notes)
        message += fmt::format(" ({})", note);
    return Error{ErrorCode::MissingDebugInfo, std::move(message)};
}

}  // namespace mqinspect::mqs_host
