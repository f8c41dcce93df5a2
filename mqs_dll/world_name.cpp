#include "mqs_dll/world_name.h"

namespace mqinspect::dll {
namespace {

std::uint64_t at(std::uint64_t base, int offset) {
    return base + static_cast<std::uint64_t>(offset);
}

}  // namespace

Status read_text(const Target& target, std::uint64_t address, char* text, std::size_t room) {
    constexpr std::size_t chunk = 64;
    text[0] = '\0';
    for (std::size_t length = 0; length < room;) {
        // Up to a boundary of the chunk, which never lies in two pages.
        std::size_t bytes = chunk - (address + length) % chunk;
        if (bytes > room - length) bytes = room - length;
        const Status status = target.read(address + length, text + length, bytes);
        if (!ok(status)) {
            text[0] = '\0';
            return status;
        }
        if (std::memchr(text + length, '\0', bytes) != nullptr) return Status::Ok;
        length += bytes;
    }
    text[0] = '\0';
    return Status::CorruptData;
}

WorldName world_name_of(const Target& target, const Layout& layout, std::uint64_t group) {
    WorldName name;
    std::uint64_t id = 0;
    if (group == 0 || layout.pg_id < 0 || !ok(target.read_pointer(at(group, layout.pg_id), id)) ||
        id == 0 || !ok(read_text(target, id, name.text, sizeof name.text))) {
        return WorldName();
    }
    return name;
}

Status read_own_world(const Target& target,
                      const Layout& layout,
                      const Symbols& symbols,
                      WorldRank& own) {
    if (symbols.device_process == 0 || layout.process_my_pg < 0 || layout.process_my_pg_rank < 0) {
        return Status::NoInformation;
    }
    std::uint64_t group = 0;
    Status status = target.read_pointer(at(symbols.device_process, layout.process_my_pg), group);
    if (!ok(status)) return status;
    own.world = world_name_of(target, layout, group);
    if (!own.world.known()) return Status::NoInformation;
    status = target.read_int(at(symbols.device_process, layout.process_my_pg_rank), own.rank);
    if (!ok(status)) return status;
    return own.rank < 0 ? Status::CorruptData : Status::Ok;
}

}  // namespace mqinspect::dll
