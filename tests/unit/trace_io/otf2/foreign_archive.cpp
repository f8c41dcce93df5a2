#include "tests/unit/trace_io/otf2/foreign_archive.h"

#include <numeric>

namespace mqinspect::test {
namespace {

constexpr OTF2_FlushCallbacks kFlush = {
    [](void*, OTF2_FileType, OTF2_LocationRef, void*, bool) -> OTF2_FlushType {
        return OTF2_FLUSH;
    },
    nullptr};

}  // namespace

ForeignArchive::ForeignArchive(const std::string& folder, std::uint32_t processes)
    : archive_(OTF2_Archive_Open(folder.c_str(),
                                 "traces",
                                 OTF2_FILEMODE_WRITE,
                                 1 << 20,
                                 1 << 20,
                                 OTF2_SUBSTRATE_POSIX,
                                 OTF2_COMPRESSION_NONE)),
      processes_(processes) {
    OTF2_Archive_SetFlushCallbacks(archive_, &kFlush, nullptr);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive_);
    OTF2_Archive_OpenEvtFiles(archive_);
    text("");
    for (std::uint32_t rank = 0; rank < processes; ++rank)
        writers_.push_back(OTF2_Archive_GetEvtWriter(archive_, rank));
}

OTF2_StringRef ForeignArchive::text(const std::string& text) {
    return texts_.emplace(text, static_cast<OTF2_StringRef>(texts_.size())).first->second;
}

OTF2_RegionRef ForeignArchive::region(const std::string& name) {
    text(name);
    return regions_.emplace(name, static_cast<OTF2_RegionRef>(regions_.size())).first->second;
}

void ForeignArchive::enter(std::uint32_t rank, const std::string& name) {
    OTF2_EvtWriter_Enter(at(rank), nullptr, now(), region(name));
}

void ForeignArchive::leave(std::uint32_t rank, const std::string& name) {
    OTF2_EvtWriter_Leave(at(rank), nullptr, now(), region(name));
}

void ForeignArchive::call(std::uint32_t rank, const std::string& name) {
    enter(rank, name);
    leave(rank, name);
}

void ForeignArchive::all_call(const std::string& name) {
    for (std::uint32_t rank = 0; rank < processes_; ++rank)
        call(rank, name);
}

void ForeignArchive::write_definitions() {
    OTF2_GlobalDefWriter* const out = OTF2_Archive_GetGlobalDefWriter(archive_);
    for (const char* word : {"MPI_COMM_WORLD", "job"})
        text(word);
    std::vector<const std::string*> in_order(texts_.size());
    for (const auto& [word, self] : texts_)
        in_order[self] = &word;
    for (OTF2_StringRef self = 0; self < in_order.size(); ++self)
        OTF2_GlobalDefWriter_WriteString(out, self, in_order[self]->c_str());
    OTF2_GlobalDefWriter_WriteClockProperties(
        out, 1'000'000'000, 0, time_ + 1, OTF2_UNDEFINED_TIMESTAMP);
    for (const auto& [name, self] : regions_) {
        OTF2_GlobalDefWriter_WriteRegion(out,
                                         self,
                                         texts_[name],
                                         texts_[name],
                                         0,
                                         OTF2_REGION_ROLE_FUNCTION,
                                         OTF2_PARADIGM_MPI,
                                         OTF2_REGION_FLAG_NONE,
                                         0,
                                         0,
                                         0);
    }
    OTF2_GlobalDefWriter_WriteSystemTreeNode(
        out, 0, texts_["job"], texts_["job"], OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (std::uint32_t rank = 0; rank < processes_; ++rank) {
        OTF2_GlobalDefWriter_WriteLocationGroup(
            out, rank, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP);
        std::uint64_t events = 0;
        OTF2_EvtWriter_GetNumberOfEvents(writers_[rank], &events);
        OTF2_GlobalDefWriter_WriteLocation(
            out, rank, 0, OTF2_LOCATION_TYPE_CPU_THREAD, events, rank);
    }
    std::vector<std::uint64_t> everybody(processes_);
    std::iota(everybody.begin(), everybody.end(), 0);
    const auto group =
        [&](OTF2_GroupRef self, OTF2_GroupType type, const std::vector<std::uint64_t>& members) {
            OTF2_GlobalDefWriter_WriteGroup(out,
                                            self,
                                            0,
                                            type,
                                            OTF2_PARADIGM_MPI,
                                            OTF2_GROUP_FLAG_NONE,
                                            static_cast<std::uint32_t>(members.size()),
                                            members.data());
        };
    group(0, OTF2_GROUP_TYPE_COMM_LOCATIONS, everybody);
    group(world_group_, OTF2_GROUP_TYPE_COMM_GROUP, everybody);
    for (std::uint32_t rank = 0; rank < processes_; ++rank)
        group(2 + rank, OTF2_GROUP_TYPE_COMM_GROUP, {rank});
    OTF2_GlobalDefWriter_WriteComm(
        out, 0, texts_["MPI_COMM_WORLD"], world_group_, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
    OTF2_GlobalDefWriter_WriteComm(
        out, 1, 0, world_group_, 0, OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS);
    OTF2_GlobalDefWriter_WriteRmaWin(out, 0, 0, 0, OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS);
    OTF2_Archive_CloseGlobalDefWriter(archive_, out);
}

ForeignArchive::~ForeignArchive() {
    write_definitions();
    for (OTF2_EvtWriter* const writer : writers_)
        OTF2_Archive_CloseEvtWriter(archive_, writer);
    OTF2_Archive_CloseEvtFiles(archive_);
    OTF2_Archive_OpenDefFiles(archive_);
    for (std::uint32_t rank = 0; rank < processes_; ++rank)
        OTF2_Archive_CloseDefWriter(archive_, OTF2_Archive_GetDefWriter(archive_, rank));
    OTF2_Archive_CloseDefFiles(archive_);
    OTF2_Archive_Close(archive_);
}

}  // namespace mqinspect::test
