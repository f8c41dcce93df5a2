#include "trace_io/otf2/import.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <otf2/otf2.h>
#include <utility>

#include <fmt/format.h>

#include "base/unique_fd.h"

#include "trace_io/otf2/archive_reader.h"
#include "trace_io/otf2/event_import.h"
#include "trace_io/otf2/event_walk.h"
#include "trace_io/otf2/status.h"
#include "trace_io/recording.h"

namespace mqinspect::trace_io {
namespace {

namespace fs = std::filesystem;

[[maybe_unused]] constexpr rlim_t kMostMemory = rlim_t{8} << 30;
constexpr rlim_t kSeconds = 3600;
constexpr std::size_t kMostFrames = 1 << 22;
constexpr const char* kFramesFile = "frames";

struct CloseReader {
    void operator()(OTF2_Reader* reader) const { OTF2_Reader_Close(reader); }
};
/// In the child: the archive's processes as a recording in `folder`.
class Conversion {
public:
    explicit Conversion(std::string folder) : folder_(std::move(folder)) {}

    Result<Done> run(const std::string& anchor);

private:
    Result<Done> convert(OTF2_Reader* reader);
    Result<Done> convert_rank(OTF2_Reader* reader, std::size_t rank);
    Result<Done> write_frames() const;

    std::string folder_;
    ReadDefinitions definitions_;
    ImportedFrames frames_;
};

Result<Done> Conversion::convert_rank(OTF2_Reader* reader, std::size_t rank) {
    const ImportedAttributes attributes(definitions_);
    ProcessImport process(definitions_,
                          attributes,
                          definitions_.ranks,
                          static_cast<std::int64_t>(rank),
                          frames_,
                          fmt::format("{}/otf2.{}", folder_, rank));
    const auto main =
        std::ranges::find(definitions_.locations, definitions_.ranks[rank], &ReadLocation::self);
    if (main == definitions_.locations.end())
        return Error{ErrorCode::CorruptData, fmt::format("rank {} has no location", rank)};
    // MPI begins in the main thread.
    std::vector<OTF2_LocationRef> threads{main->self};
    for (const ReadLocation& location : definitions_.locations) {
        if (location.group == main->group && location.self != main->self)
            threads.push_back(location.self);
    }
    for (std::size_t thread = 0; thread < threads.size(); ++thread) {
        process.begin_thread(static_cast<std::uint32_t>(thread));
        const bool good = walk_events(reader, threads[thread], process);
        process.end_thread();
        if (!good) {
            return Error{ErrorCode::CorruptData,
                         fmt::format("the events of rank {} are damaged or missing", rank)};
        }
    }
    return process.finish();
}

Result<Done> Conversion::convert(OTF2_Reader* reader) {
    definitions_ = TRY(read_definitions(reader));
    if (definitions_.ranks.empty())
        return Error{ErrorCode::CorruptData, "it is not the trace of an MPI program"};
    for (const ReadLocation& location : definitions_.locations)
        OTF2_Reader_SelectLocation(reader, location.self);
    if (OTF2_Reader_OpenDefFiles(reader) == OTF2_SUCCESS) {
        for (const ReadLocation& location : definitions_.locations) {
            OTF2_DefReader* const local = OTF2_Reader_GetDefReader(reader, location.self);
            if (local == nullptr) continue;
            std::uint64_t count = 0;
            OTF2_Reader_ReadAllLocalDefinitions(reader, local, &count);
            OTF2_Reader_CloseDefReader(reader, local);
        }
        OTF2_Reader_CloseDefFiles(reader);
    }
    if (OTF2_Reader_OpenEvtFiles(reader) != OTF2_SUCCESS)
        return Error{ErrorCode::CorruptData, "its events are missing"};
    for (std::size_t rank = 0; rank < definitions_.ranks.size(); ++rank)
        TRY(convert_rank(reader, rank));
    return write_frames();
}

Result<Done> Conversion::write_frames() const {
    std::ofstream file(folder_ + "/" + kFramesFile, std::ios::binary);
    for (ImportedFrame frame : frames_.all()) {
        for (std::string* text : {&frame.function, &frame.file})
            std::ranges::replace(*text, '\n', ' ');
        file << frame.function << '\n' << frame.file << '\n' << frame.line << '\n';
    }
    file.close();
    if (!file) return Error{ErrorCode::System, folder_ + ": cannot be written; is the disk full?"};
    return Done{};
}

Result<Done> Conversion::run(const std::string& anchor) {
    silence_otf2();
    const std::unique_ptr<OTF2_Reader, CloseReader> reader(OTF2_Reader_Open(anchor.c_str()));
    if (reader == nullptr)
        return Error{ErrorCode::CorruptData, "it is no OTF2 archive, or a part of one is missing"};
    OTF2_Reader_SetSerialCollectiveCallbacks(reader.get());
    return convert(reader.get());
}

[[noreturn]] void run_child(const std::string& anchor, const std::string& folder, int answer) {
    const rlimit time{kSeconds, kSeconds};
    const rlimit core{0, 0};
#ifndef __SANITIZE_ADDRESS__  // which reserves more than any limit
    const rlimit memory{kMostMemory, kMostMemory};
    setrlimit(RLIMIT_AS, &memory);
#endif
    setrlimit(RLIMIT_CPU, &time);
    setrlimit(RLIMIT_CORE, &core);
    const Result<Done> result = Conversion(folder).run(anchor);
    if (!result) {
        const std::string& text = result.error().message;
        if (write(answer, text.data(), text.size()) < 0) _exit(2);
    }
    _exit(result ? 0 : 1);
}

std::string read_all(int fd) {
    std::string text;
    char buffer[512];
    for (ssize_t count = 0;;) {
        count = read(fd, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return text;
        if (text.size() < 4096) text.append(buffer, static_cast<std::size_t>(count));
    }
}

Result<Done> convert_apart(const std::string& anchor, const std::string& folder) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return Error{ErrorCode::System, std::string("no pipe: ") + std::strerror(errno)};
    const UniqueFd reading(ends[0]);
    UniqueFd writing(ends[1]);
    const pid_t child = fork();
    if (child < 0)
        return Error{ErrorCode::System, std::string("no process: ") + std::strerror(errno)};
    if (child == 0) run_child(anchor, folder, writing.get());
    writing = UniqueFd();
    const std::string text = read_all(reading.get());
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return Done{};
    if (WIFEXITED(status) && !text.empty())
        return Error{ErrorCode::CorruptData, anchor + ": " + text};
    return Error{ErrorCode::CorruptData,
                 anchor + ": the OTF2 library failed on it; the archive is damaged"};
}

std::vector<model::Frame> read_frames(const std::string& folder) {
    std::vector<model::Frame> frames;
    std::ifstream file(folder + "/" + kFramesFile, std::ios::binary);
    model::Frame frame;
    std::string line;
    while (frames.size() < kMostFrames && std::getline(file, frame.function) &&
           std::getline(file, frame.location.file) && std::getline(file, line)) {
        frame.location.line = 0;
        std::from_chars(line.data(), line.data() + line.size(), frame.location.line);
        frames.push_back(frame);
    }
    return frames;
}

std::vector<std::vector<model::Frame>> stacks_of(const model::Execution& execution,
                                                 const std::vector<model::Frame>& frames) {
    std::vector<std::vector<model::Frame>> stacks;
    for (const auto& places : execution.stacks) {
        std::vector<model::Frame>& stack = stacks.emplace_back();
        for (const model::CodePlace& place : places) {
            if (place.offset > 0 && place.offset <= frames.size())
                stack.push_back(frames[place.offset - 1]);
        }
    }
    return stacks;
}

}  // namespace

ImportedArchive::ImportedArchive(std::string folder) : folder_(std::move(folder)) {}

void ImportedArchive::take(std::unique_ptr<model::Recording> recording,
                           std::vector<std::vector<model::Frame>> stacks) {
    recording_ = std::move(recording);
    stacks_ = std::move(stacks);
}

ImportedArchive::~ImportedArchive() {
    recording_.reset();
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

bool is_otf2_archive(const std::string& path) {
    std::error_code ignored;
    return path.ends_with(".otf2") && fs::is_regular_file(path, ignored);
}

Result<std::unique_ptr<ImportedArchive>> import_otf2(const std::string& anchor) {
    std::error_code error;
    std::string folder = (fs::temp_directory_path(error) / "mqinspect-otf2-XXXXXX").string();
    if (error || mkdtemp(folder.data()) == nullptr)
        return Error{ErrorCode::System, folder + ": no folder for temporary files can be made"};
    auto imported = std::make_unique<ImportedArchive>(folder);
    TRY(convert_apart(anchor, folder));
    auto recording = TRY(open_recording(folder));
    auto stacks = stacks_of(recording->execution(), read_frames(folder));
    imported->take(std::move(recording), std::move(stacks));
    return imported;
}

}  // namespace mqinspect::trace_io
