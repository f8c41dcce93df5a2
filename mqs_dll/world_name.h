/// What makes an MPI_COMM_WORLD known to every process that is connected with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "mqs_dll/layout.h"
#include "mqs_dll/status.h"
#include "mqs_dll/symbols.h"
#include "mqs_dll/target.h"

namespace mqinspect::dll {

/// The id of a process group, equal in all processes that know the group: for ch3
/// the name of its key-value space (MPIDI_PG.id, mpidi_pg.c). Together with a rank
/// in the group it names a process.
struct WorldName {
    static constexpr std::size_t kRoom = 256;
    char text[kRoom] = {};  ///< terminated; empty if unknown

    bool known() const { return text[0] != '\0'; }
    friend bool operator==(const WorldName& left, const WorldName& right) {
        return std::strcmp(left.text, right.text) == 0;
    }
};

/// One of the ranks of a world.
struct WorldRank {
    WorldName world;
    std::int32_t rank = -1;
};

/// Text up to its NUL; CorruptData if there is none within `room` bytes.
Status read_text(const Target& target, std::uint64_t address, char* text, std::size_t room);

/// The name of the process group at this address, unknown if it cannot be read.
WorldName world_name_of(const Target& target, const Layout& layout, std::uint64_t group);

/// The process itself. NoInformation: MPI is not initialised, or no longer, or the
/// device is not known to have names.
Status read_own_world(const Target& target,
                      const Layout& layout,
                      const Symbols& symbols,
                      WorldRank& own);

}  // namespace mqinspect::dll
