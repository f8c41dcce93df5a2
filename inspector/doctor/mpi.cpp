#include "inspector/doctor/mpi.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/unique_fd.h"
#include "inspector/target/image.h"

namespace mqinspect::doctor {

namespace fs = std::filesystem;

namespace {

constexpr const char* kLoader = "/lib64/ld-linux-x86-64.so.2";
/// No list of libraries is longer.
constexpr std::size_t kMaxOutput = std::size_t{1} << 20;

bool has_mpi(const fs::path& file) {
    const auto image = target::Image::open(file, file.string());
    return image && (*image)->find_dynamic_symbol("MPI_Init").has_value();
}

/// What the loader says of a program's libraries; empty if it says nothing.
std::string list_libraries(const std::string& program) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return {};
    const UniqueFd reading(ends[0]);
    UniqueFd writing(ends[1]);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, writing.get(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, writing.get(), STDERR_FILENO);
    std::string loader = kLoader;
    std::string list = "--list";
    std::string file = program;
    const std::array<char*, 4> arguments{loader.data(), list.data(), file.data(), nullptr};
    pid_t child = 0;
    const int failed = posix_spawn(&child, kLoader, &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    writing.reset();
    if (failed != 0) return {};
    std::string text;
    std::array<char, 4096> buffer{};
    for (ssize_t taken = 1; taken > 0 && text.size() < kMaxOutput;) {
        taken = read(reading.get(), buffer.data(), buffer.size());
        if (taken > 0) text.append(buffer.data(), static_cast<std::size_t>(taken));
    }
    waitpid(child, nullptr, 0);
    return text;
}

/// The files of lines such as "\tlibmpi.so.12 => /opt/lib/libmpi.so.12 (0x7f...)".
std::vector<std::string> files_in(std::string_view text) {
    constexpr std::string_view arrow = " => ";
    std::vector<std::string> files;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        const auto place = line.find(arrow);
        if (place == std::string_view::npos) continue;
        const std::string_view file = line.substr(place + arrow.size());
        files.emplace_back(file.substr(0, file.rfind(" (")));
    }
    return files;
}

std::string launcher_in_path() {
    const char* path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe)
    for (std::string_view rest = path == nullptr ? "" : path; !rest.empty();) {
        const std::string_view folder = rest.substr(0, rest.find(':'));
        rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
        const fs::path file = fs::path(folder) / "mpiexec";
        if (access(file.c_str(), X_OK) == 0) return file.string();
    }
    return {};
}

/// The libraries of the folder by name, those that the launcher is likelier of first.
std::vector<fs::path> candidates(const fs::path& folder, bool of_open_mpi) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with("libmpi.so") || name.starts_with("libmpich.so")) {
            files.push_back(entry.path());
        }
    }
    std::ranges::sort(files, {}, [of_open_mpi](const fs::path& file) {
        const bool mpich = file.filename().string().starts_with("libmpich");
        return std::pair(mpich == of_open_mpi, file.string());
    });
    return files;
}

}  // namespace

Result<std::string> library_of_program(const std::string& program) {
    const auto image = target::Image::open(program, program);
    if (!image) return image.error();
    if (has_mpi(program)) return std::string();
    for (const std::string& file : files_in(list_libraries(program))) {
        if (has_mpi(file)) return file;
    }
    return Error{ErrorCode::InvalidArgument,
                 program + " uses no MPI library: none of its libraries has MPI_Init"};
}

Result<std::string> library_of_path() {
    const std::string launcher = launcher_in_path();
    if (launcher.empty()) {
        return Error{ErrorCode::InvalidArgument, "there is no mpiexec in PATH"};
    }
    std::error_code error;
    const fs::path file = fs::canonical(launcher, error);
    const std::string name = file.filename().string();
    const bool of_open_mpi = name.find("openmpi") != std::string::npos ||
                             name.starts_with("orterun") || name.starts_with("prterun");
    for (const char* folder : {"lib", "lib64", "lib/x86_64-linux-gnu"}) {
        const fs::path place = file.parent_path().parent_path() / folder;
        for (const fs::path& library : candidates(place, of_open_mpi)) {
            if (has_mpi(library)) return fs::canonical(library, error).string();
        }
    }
    return Error{ErrorCode::InvalidArgument,
                 fmt::format("no MPI library was found beside {}", file.string())};
}

}  // namespace mqinspect::doctor
