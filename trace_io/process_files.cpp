#include "trace_io/process_files.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "model/record_format.h"

#include "trace_io/running.h"

namespace mqinspect::trace_io {
namespace {

namespace fs = std::filesystem;

// Names without their suffix, with what is there of both files.
struct Pair {
    bool definitions = false;
    bool log = false;
};

Result<std::map<std::string, Pair>> list_folder(const fs::path& folder) {
    std::error_code failure;
    std::map<std::string, Pair> pairs;
    for (fs::directory_iterator entries(folder, failure), end; !failure && entries != end;
         entries.increment(failure)) {
        const fs::path& path = entries->path();
        if (path.extension() == ".mqdef") pairs[path.stem().string()].definitions = true;
        if (path.extension() == ".mqlog") pairs[path.stem().string()].log = true;
    }
    if (failure) {
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("{}: {}; name the folder that mqinspect record -o has written",
                                 folder.string(),
                                 failure.message())};
    }
    return pairs;
}

void say_what_stopped(const RecordFile& file, std::vector<std::string>& problems) {
    if (file.header().full == 0) return;
    problems.push_back(fmt::format("{}: the recording ended early: {}; what came later is unknown",
                                   file.path(),
                                   std::strerror(static_cast<int>(file.header().full))));
}

Result<RecordFile> open_log(const std::string& stem, const std::string& name) {
    Result<RecordFile> log = RecordFile::open(stem + ".mqlog", model::kLogMagic);
    if (log && has_mapped(log->header().pid, name + ".mqlog")) log->take_copy();
    return log;
}

void read_log(Result<RecordFile> log, ProcessFiles& process, std::vector<std::string>& problems) {
    process.incomplete = true;
    if (!log) {
        problems.push_back(log.error().message);
        return;
    }
    if (log->header().start_ns != process.start_ns) {
        problems.push_back(fmt::format(
            "{}: offset 24: belongs to another process than {}.mqdef; the two must come from one "
            "run, and the log was left out",
            log->path(),
            process.name));
        return;
    }
    const std::size_t problems_before = problems.size();
    say_what_stopped(*log, problems);
    process.threads = index_blocks(*log, problems);
    const std::uint64_t lost = log->header().lost_blocks;
    if (lost != 0) {
        problems.push_back(fmt::format(
            "{}: the first {} blocks of {} KiB were given up for newer ones, as the limit of the "
            "recording demands; what was in them is unknown",
            log->path(),
            lost,
            model::kBlockBytes / 1024));
    }
    process.incomplete = problems.size() != problems_before;
    process.log = std::move(*log);
}

std::optional<ProcessFiles> read_process(const fs::path& folder,
                                         const std::string& name,
                                         const Pair& pair,
                                         std::vector<std::string>& problems) {
    const std::string stem = (folder / name).string();
    if (!pair.definitions) {
        problems.push_back(
            fmt::format("{}.mqlog: {}.mqdef is missing, without which it cannot be read; copy both",
                        stem,
                        name));
        return std::nullopt;
    }
    // What calls refer to has been defined before: of a process that runs, it is read later.
    Result<RecordFile> log = open_log(stem, name);
    Result<RecordFile> file = RecordFile::open(stem + ".mqdef", model::kDefinitionsMagic);
    if (!file) {
        problems.push_back(file.error().message);
        return std::nullopt;
    }
    ProcessFiles process;
    process.name = name;
    process.start_ns = file->header().start_ns;
    process.pid = file->header().pid;
    const std::size_t problems_before = problems.size();
    say_what_stopped(*file, problems);
    process.definitions = read_definitions(*file, problems);
    const bool damaged = problems.size() != problems_before;
    if (!pair.log) {
        problems.push_back(fmt::format(
            "{}.mqdef: {}.mqlog is missing; the calls of the process are unknown", stem, name));
        process.incomplete = true;
    } else {
        read_log(std::move(log), process, problems);
    }
    process.incomplete = process.incomplete || damaged;
    return process;
}

}  // namespace

Result<std::vector<ProcessFiles>> read_folder(std::string_view folder,
                                              std::vector<std::string>& problems) {
    const std::map<std::string, Pair> pairs = TRY(list_folder(fs::path(folder)));
    if (pairs.empty()) {
        return Error{
            ErrorCode::InvalidArgument,
            fmt::format("{}: there is no recorded process in it (NAME.mqdef and "
                        "NAME.mqlog); name the folder that mqinspect record -o has written",
                        folder)};
    }
    std::vector<ProcessFiles> processes;
    for (const auto& [name, pair] : pairs) {
        if (auto process = read_process(fs::path(folder), name, pair, problems)) {
            processes.push_back(std::move(*process));
        }
    }
    if (processes.empty()) return Error{ErrorCode::CorruptData, problems.front()};
    return processes;
}

}  // namespace mqinspect::trace_io
