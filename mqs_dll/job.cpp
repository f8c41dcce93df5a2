#include "mqs_dll/job.h"

namespace mqinspect::dll {
namespace {

/// FNV-1a.
std::uint64_t hash_of(const WorldName& name) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char* c = name.text; *c != '\0'; ++c)
        hash = (hash ^ static_cast<unsigned char>(*c)) * 0x100000001b3U;
    return hash;
}

std::uint64_t key_of(std::uint32_t world, std::int32_t rank) {
    return std::uint64_t{world} << 32 | static_cast<std::uint32_t>(rank);
}

}  // namespace

void JobState::drop() {
    if (--users_ == 0) destroy(this);
}

std::uint32_t JobState::find(const WorldName& name) const {
    std::uint32_t index = by_hash_.find(hash_of(name));
    while (index != kMissing && !(worlds_[index].name == name))
        index = worlds_[index].next;
    return index;
}

Status JobState::find_or_add(const WorldName& name, std::uint32_t& index) {
    index = find(name);
    if (index != kMissing) return Status::Ok;
    const std::uint64_t hash = hash_of(name);
    index = static_cast<std::uint32_t>(worlds_.size());
    if (!worlds_.push({name, MQS_INVALID_PROCESS, by_hash_.find(hash)}) ||
        !by_hash_.insert(hash, index)) {
        return Status::OutOfMemory;
    }
    return Status::Ok;
}

Status JobState::set_identity(const WorldRank& process, std::int32_t identity) {
    std::uint32_t world = kMissing;
    const Status status = find_or_add(process.world, world);
    if (!ok(status)) return status;
    const auto value = static_cast<std::uint32_t>(identity);
    return by_process_.insert(key_of(world, process.rank), value) ? Status::Ok
                                                                  : Status::OutOfMemory;
}

Status JobState::set_world(const WorldName& name, std::int32_t first) {
    std::uint32_t world = kMissing;
    const Status status = find_or_add(name, world);
    if (ok(status)) worlds_[world].first = first;
    return status;
}

std::int32_t JobState::identity_of(const WorldName& name, std::int32_t rank) const {
    if (!name.known() || rank < 0) return MQS_INVALID_PROCESS;
    const std::uint32_t world = find(name);
    if (world == kMissing) return MQS_INVALID_PROCESS;
    const std::uint32_t told = by_process_.find(key_of(world, rank));
    if (told != IndexMap::kMissing) return static_cast<std::int32_t>(told);
    const std::int32_t first = worlds_[world].first;
    return first < 0 || first > INT32_MAX - rank ? MQS_INVALID_PROCESS : first + rank;
}

}  // namespace mqinspect::dll
