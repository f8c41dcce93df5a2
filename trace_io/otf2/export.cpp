#include "trace_io/otf2/export.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <otf2/otf2.h>

#include "analysis/pairing/call_kind.h"

#include "trace_io/otf2/definitions.h"
#include "trace_io/otf2/event_export.h"
#include "trace_io/otf2/status.h"

namespace mqinspect::trace_io {
namespace {

constexpr std::uint64_t kEventChunkBytes = std::uint64_t{1} << 20;
constexpr std::uint64_t kDefinitionChunkBytes = std::uint64_t{4} << 20;

struct CloseArchive {
    void operator()(OTF2_Archive* archive) const { OTF2_Archive_Close(archive); }
};
using Archive = std::unique_ptr<OTF2_Archive, CloseArchive>;

OTF2_FlushType flush_always(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) {
    return OTF2_FLUSH;
}

constexpr OTF2_FlushCallbacks kFlush = {flush_always, nullptr};

/// Event files, one process after another; returns the time of the last event.
std::uint64_t write_events(const model::Recording& recording,
                           const std::vector<analysis::CallKind>& kinds,
                           OtfDefinitions& definitions,
                           OTF2_Archive* archive,
                           OtfStatus& status) {
    std::uint64_t last = 0;
    for (const model::RecordedProcess& process : recording.execution().processes) {
        EventExport events(recording.execution(), kinds, definitions, archive, process.id, status);
        const auto stream = recording.calls(process.id);
        model::RecordedCall call;
        while (status.good() && stream->next(call))
            events.feed(call);
        last = std::max(last, events.finish());
    }
    return last;
}

}  // namespace

Result<Done> export_otf2(const model::Recording& recording,
                         const std::vector<std::vector<model::Frame>>& stacks,
                         const std::string& folder,
                         const std::string& version) {
    std::error_code error;
    if (std::filesystem::exists(folder, error))
        return Error{ErrorCode::InvalidArgument, folder + ": exists already; name a new folder"};
    silence_otf2();
    const Archive archive(OTF2_Archive_Open(folder.c_str(),
                                            "traces",
                                            OTF2_FILEMODE_WRITE,
                                            kEventChunkBytes,
                                            kDefinitionChunkBytes,
                                            OTF2_SUBSTRATE_POSIX,
                                            OTF2_COMPRESSION_NONE));
    if (archive == nullptr)
        return Error{ErrorCode::System, folder + ": an OTF2 archive cannot be written there"};
    OtfStatus status;
    status.take(OTF2_Archive_SetFlushCallbacks(archive.get(), &kFlush, nullptr));
    status.take(OTF2_Archive_SetSerialCollectiveCallbacks(archive.get()));
    status.take(OTF2_Archive_SetCreator(archive.get(), ("mqinspect " + version).c_str()));
    const std::vector<analysis::CallKind> kinds =
        analysis::classify_procedures(recording.execution());
    OtfDefinitions definitions(recording.execution(), kinds, stacks);
    status.take(OTF2_Archive_OpenEvtFiles(archive.get()));
    const std::uint64_t last =
        status.good() ? write_events(recording, kinds, definitions, archive.get(), status) : 0;
    status.take(OTF2_Archive_CloseEvtFiles(archive.get()));
    TRY(status.result(folder + ": cannot be written"));
    status.take(OTF2_Archive_OpenDefFiles(archive.get()));
    for (const WrittenLocation& location : definitions.locations()) {
        OTF2_DefWriter* writer = OTF2_Archive_GetDefWriter(archive.get(), location.location);
        status.take(OTF2_Archive_CloseDefWriter(archive.get(), writer));
    }
    status.take(OTF2_Archive_CloseDefFiles(archive.get()));
    OTF2_GlobalDefWriter* writer = OTF2_Archive_GetGlobalDefWriter(archive.get());
    if (writer != nullptr) definitions.write(writer, last, status);
    status.take(OTF2_Archive_CloseGlobalDefWriter(archive.get(), writer));
    return status.result(folder + ": cannot be written");
}

}  // namespace mqinspect::trace_io
