/// What the DLL keeps for a job of the debugger: which process has which identity.
///
/// The debugger numbers the processes of all worlds; a process shows up in the
/// queues of others as a rank of a world (J. Cownie, 1.06, "The Process naming
/// problem"). The table lives as long as the job, so that a process that has gone
/// is still named.
#pragma once

#include <cstdint>

#include "mqs_dll/heap.h"
#include "mqs_dll/status.h"
#include "mqs_dll/world_name.h"

namespace mqinspect::dll {

/// Shared between the debugger and the processes that were given an identity:
/// either may be destroyed first.
class JobState {
public:
    void retain() { ++users_; }
    /// Frees the object with its last user.
    void drop();

    /// Replaces what was told before. Precondition: the name is known, rank and
    /// identity are not negative.
    Status set_identity(const WorldRank& process, std::int32_t identity);
    /// All ranks of the world follow each other from `first`, unless set_identity
    /// says otherwise.
    Status set_world(const WorldName& world, std::int32_t first);
    /// MQS_INVALID_PROCESS: the debugger has not named it.
    std::int32_t identity_of(const WorldName& world, std::int32_t rank) const;

private:
    struct World {
        WorldName name;
        std::int32_t first = MQS_INVALID_PROCESS;  ///< identity of rank 0, if all follow
        /// Worlds with the same hash are a list; kMissing ends it.
        std::uint32_t next = IndexMap::kMissing;
    };
    static constexpr std::uint32_t kMissing = IndexMap::kMissing;

    std::uint32_t find(const WorldName& name) const;
    Status find_or_add(const WorldName& name, std::uint32_t& index);

    int users_ = 1;
    Array<World> worlds_;
    IndexMap by_hash_;     ///< of the name: the first of the list
    IndexMap by_process_;  ///< world and rank: the identity
};

}  // namespace mqinspect::dll
