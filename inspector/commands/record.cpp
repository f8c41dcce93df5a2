#include "inspector/commands/record.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/unique_fd.h"
#include "base/wall_clock.h"
#include "inspector/commands/exit_code.h"
#include "inspector/commands/last_calls.h"
#include "inspector/commands/output.h"
#include "inspector/target/elf_file.h"

#include "trace_io/run_end.h"

namespace mqinspect::commands {

namespace {

namespace fs = std::filesystem;

struct RecordOptions {
    std::vector<std::string> command;
    std::string folder;
    std::uint64_t limit_bytes = 0;
    unsigned stack_depth = 16;
    unsigned checksum_bytes = 4096;
    bool no_checksums = false;
    bool reduced = false;
    bool no_signals = false;
    bool guard_buffers = false;
    bool no_guards = false;
    bool quiet = false;
    std::string mpi = "auto";
};

Error cannot(std::string what) {
    return {ErrorCode::InvalidArgument, std::move(what)};
}

bool is_of_recording(const fs::path& file) {
    return file.extension() == ".mqdef" || file.extension() == ".mqlog" ||
           file.extension() == trace_io::kRunEndSuffix;
}

/// A folder that is empty from now on: a recording that it held is replaced, and nothing else is.
Result<fs::path> prepare_folder(const std::string& name) {
    std::error_code error;
    fs::create_directories(name, error);
    const fs::path folder = fs::canonical(name, error);
    if (error || !fs::is_directory(folder, error))
        return cannot(fmt::format("'{}' is no folder and cannot be made: give -o another", name));
    const std::vector<fs::path> files{fs::directory_iterator(folder, error),
                                      fs::directory_iterator{}};
    if (error) return cannot(fmt::format("{}: {}", name, error.message()));
    const auto foreign = std::ranges::find_if_not(files, is_of_recording);
    if (foreign != files.end()) {
        return cannot(fmt::format(
            "'{}' holds other things than a recording, such as {}: give -o a new folder",
            name,
            foreign->filename().string()));
    }
    for (const fs::path& file : files)
        fs::remove(file, error);
    return access(folder.c_str(), W_OK) == 0
               ? Result<fs::path>(folder)
               : Result<fs::path>(
                     cannot(fmt::format("cannot write into '{}': {}", name, std::strerror(errno))));
}

/// The file that a word of the command names, directly or through PATH; empty if it is none.
fs::path program_of(const std::string& word) {
    std::error_code error;
    if (word.find('/') != word.npos) return fs::canonical(word, error);
    const char* path = getenv("PATH");
    std::string_view folders = path == nullptr ? "" : path;
    while (!folders.empty()) {
        const std::size_t end = std::min(folders.find(':'), folders.size());
        const fs::path file = fs::path(folders.substr(0, end)) / word;
        if (access(file.c_str(), X_OK) == 0 && fs::is_regular_file(file, error))
            return fs::canonical(file, error);
        folders.remove_prefix(std::min(end + 1, folders.size()));
    }
    return {};
}

/// Launchers and programs of Open MPI need its libraries: their names are among the texts of the
/// dynamic linker.
bool is_of_open_mpi(const fs::path& program) {
    const auto file = target::ElfFile::open(program);
    if (!file) return false;
    const std::string_view texts = (*file)->section_bytes(".dynstr");
    constexpr std::string_view names[] = {
        "libmpi.so.40", "libopen-rte.so", "libopen-pal.so", "libprrte.so"};
    return std::ranges::any_of(
        names, [texts](std::string_view name) { return texts.find(name) != texts.npos; });
}

/// The recorder for the MPI library of the command. What a script starts is not known.
Result<fs::path> library_for(const RecordOptions& options) {
    bool open_mpi = options.mpi == "openmpi";
    if (options.mpi == "auto") {
        open_mpi = std::ranges::any_of(options.command, [](const std::string& word) {
            return is_of_open_mpi(program_of(word));
        });
    }
    const std::string name = open_mpi ? "libmqtrace_openmpi.so" : "libmqtrace.so";
    std::error_code error;
    const fs::path here =
        fs::read_symlink("/proc/self/exe", error).parent_path().parent_path() / "lib";
    for (const fs::path& folder : {here, here / "mqinspect"})
        if (fs::exists(folder / name, error)) return folder / name;
    return cannot(
        fmt::format("{} is not in {}: this mqinspect was built without it", name, here.string()));
}

/// The environment of the command: ours, with the recorder and what it is to do.
std::vector<std::string> environment_for(const RecordOptions& options,
                                         const fs::path& folder,
                                         const fs::path& library) {
    std::map<std::string, std::string> variables;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string_view text = *variable;
        const std::size_t equals = std::min(text.find('='), text.size());
        variables[std::string(text.substr(0, equals))] =
            text.substr(std::min(equals + 1, text.size()));
    }
    std::string& preload = variables["LD_PRELOAD"];
    preload = library.string() + (preload.empty() ? "" : ":") + preload;
    variables["MQI_RECORD"] = folder;
    variables["MQI_RECORD_LIMIT"] = std::to_string(options.limit_bytes);
    variables["MQI_RECORD_STACK"] = std::to_string(options.stack_depth);
    variables["MQI_RECORD_CHECKSUM"] =
        std::to_string(options.no_checksums ? 0 : options.checksum_bytes);
    variables["MQI_RECORD_REDUCED"] = options.reduced ? "1" : "0";
    variables["MQI_RECORD_GUARD"] = options.no_guards ? "0" : options.guard_buffers ? "1" : "few";
    variables["MQI_RECORD_SIGNALS"] = options.no_signals ? "0" : "1";
    std::error_code error;
    variables["MQI_RECORD_TOOL"] = fs::read_symlink("/proc/self/exe", error);
    std::vector<std::string> result;
    result.reserve(variables.size());
    for (const auto& [name, value] : variables)
        result.push_back(fmt::format("{}={}", name, value));
    return result;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (std::string& text : texts)
        pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

volatile pid_t running = 0;

/// A terminal sends its signals to the command itself; others are handed on.
void hand_signals_on() {
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGQUIT, SIG_IGN);
    for (const int number : {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2})
        std::signal(number, [](int sent) { kill(running, sent); });
}

/// In the new process: becomes the command, which is ended if `parent` is, even by SIGKILL. Comes
/// back if that fails.
void become(std::vector<std::string>& command,
            std::vector<std::string>& environment,
            pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) return;
    execvpe(command.front().c_str(), pointers_to(command).data(), pointers_to(environment).data());
}

/// The pid of the command, which runs.
Result<pid_t> start(std::vector<std::string> command, std::vector<std::string> environment) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        return cannot(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
    const UniqueFd reading(ends[0]);
    UniqueFd writing(ends[1]);
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid < 0) return cannot(fmt::format("cannot start a process: {}", std::strerror(errno)));
    if (pid == 0) {
        become(command, environment, parent);
        const int why = errno;
        const bool told = write(writing.get(), &why, sizeof why) == sizeof why;
        _exit(told ? 0 : 1);
    }
    writing = UniqueFd();
    int why = 0;
    if (read(reading.get(), &why, sizeof why) != sizeof why) return pid;
    waitpid(pid, nullptr, 0);
    return cannot(fmt::format("cannot run {}: {}", command.front(), std::strerror(why)));
}

Result<int> run(std::vector<std::string> command, std::vector<std::string> environment) {
    const pid_t pid = TRY(start(std::move(command), std::move(environment)));
    running = pid;
    hand_signals_on();
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    constexpr int killed = 128;
    return WIFSIGNALED(status) ? killed + WTERMSIG(status) : WEXITSTATUS(status);
}

std::size_t recorded_processes(const fs::path& folder) {
    std::error_code error;
    return static_cast<std::size_t>(std::ranges::count_if(
        fs::directory_iterator(folder, error),
        [](const auto& file) { return file.path().extension() == ".mqlog"; }));
}

Result<int> record(const RecordOptions& options) {
    const fs::path library = TRY(library_for(options));
    const fs::path folder = TRY(prepare_folder(options.folder));
    const int code = TRY(run(options.command, environment_for(options, folder, library)));
    const std::size_t processes = recorded_processes(folder);
    const bool noted = processes == 0 || trace_io::write_run_end(folder, wall_clock_ns());
    if (processes == 0) {
        complain(
            cannot("nothing was recorded: no process called MPI, or its MPI library is linked "
                   "statically"));
    } else if (!options.quiet) {
        if (!noted)
            complain(cannot(fmt::format("{}: when the run ended cannot be noted", options.folder)));
        if (code != 0) {
            for (const std::string& line : last_calls(folder))
                complain(cannot(line));
        }
        complain(cannot(fmt::format("{} {} recorded; next: mqinspect check {}",
                                    processes,
                                    processes == 1 ? "process" : "processes",
                                    options.folder)));
    }
    return code;
}

void add_options(CLI::App& command, RecordOptions& options) {
    command.add_option("COMMAND", options.command, "what starts the job, after --")
        ->required()
        ->type_name("-- mpiexec ...");
    command.add_option("-o,--output", options.folder, "the folder for the recording")->required();
    command
        .add_option("--limit",
                    options.limit_bytes,
                    "most bytes for the log of each process, such as 64MiB; the newest are kept")
        ->transform(CLI::AsSizeValue(false));
    constexpr unsigned deepest = 64;
    command.add_option("--stack-depth", options.stack_depth, "most frames of a call stack")
        ->check(CLI::Range(1U, deepest))
        ->capture_default_str();
    constexpr unsigned most_checksum = 65536;
    command
        .add_option("--checksum-bytes",
                    options.checksum_bytes,
                    "how much of a long message its checksum looks at")
        ->check(CLI::Range(0U, most_checksum))
        ->capture_default_str();
    command.add_flag("--no-checksums", options.no_checksums, "take no checksums of buffers");
    command.add_flag(
        "--reduced", options.reduced, "leave out MPI_Test and its kin that find nothing");
    CLI::Option* const no_signals =
        command.add_flag("--no-signals", options.no_signals, "leave SIGSEGV and its kin alone");
    CLI::Option* const guard_buffers =
        command
            .add_flag(
                "--guard-buffers",
                options.guard_buffers,
                "watch buffers of pending operations and windows behind all calls of MPI, not "
                "only behind the first ones of each place; slow")
            ->excludes(no_signals);
    command.add_flag("--no-guards", options.no_guards, "never catch it in the act")
        ->excludes(guard_buffers);
    command
        .add_option("--mpi",
                    options.mpi,
                    "the MPI library of the program, if the command is a script that hides it")
        ->check(CLI::IsMember({"auto", "mpich", "openmpi"}))
        ->capture_default_str();
    command.add_flag("--quiet", options.quiet, "only complaints on standard error");
}

}  // namespace

void add_record(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<RecordOptions>();
    CLI::App* command =
        app.add_subcommand("record", "Run an MPI job and record its MPI calls for mqinspect check");
    add_options(*command, *options);
    command->footer(
        "A recording that the folder holds is replaced.\n"
        "Exit code: 2 if the command cannot be run, else that of the command (128 + N if signal N\n"
        "ended it).");
    command->callback([options, &exit_code] {
        const Result<int> result = record(*options);
        if (!result) complain(result.error());
        exit_code = result.value_or(static_cast<int>(ExitCode::CannotDo));
    });
}

}  // namespace mqinspect::commands
