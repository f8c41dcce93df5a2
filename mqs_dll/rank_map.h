/// From ranks in a communicator to processes.
///
/// A process has a number here, which means nothing outside of the snapshot: its
/// rank in MPI_COMM_WORLD if it is of the same world, else one of the numbers for
/// foreign processes, each of which stands for a rank of a named world.
///
/// ch3 keeps a table of virtual connections per group (MPIDI_VCRT), which
/// communicators share; each connection knows its process group and its rank in
/// it. All connections of the process's own group lie in one array (MPIDI_PG.vct),
/// so that the place in the array is the rank. ch4 has a rule for each group in the
/// communicator itself (MPIDI_rank_map_t), which yields the number of a process in a job,
/// own or other. Since MPICH 5 the groups of a communicator say it on every device
/// (group_ranks.h).
#pragma once

#include <cstdint>

#include "mqs_dll/heap.h"
#include "mqs_dll/layout.h"
#include "mqs_dll/status.h"
#include "mqs_dll/symbols.h"
#include "mqs_dll/target.h"
#include "mqs_dll/world_name.h"

namespace mqinspect::dll {

class RankMaps {
public:
    static constexpr std::uint32_t kUnknown = UINT32_MAX;

    /// Finds the process group of the process. What is missing leaves the maps
    /// unknown, as does what cannot be read.
    void open(const Target& target, const Layout& layout, const Symbols& symbols);

    /// The two groups of an intercommunicator; other communicators have one.
    enum class Side { Peers, Own };

    /// A communicator that is known: MPI_COMM_WORLD or MPI_COMM_SELF.
    struct Embedding {
        std::uint64_t address = 0;  ///< of MPIR_Comm.dev
        std::int32_t size = 0;
        std::int32_t rank = 0;
    };
    /// ch4: Finds where a communicator has its maps, of which the type information does
    /// not tell, by what these two must say. OutOfMemory is the only failure.
    Status find_embedded(const Target& target, const Embedding& world, const Embedding& self);

    /// The map of the first `size` ranks of the table at this address, kUnknown if
    /// it cannot be had. Tables that were read before are not read again. ch4: the
    /// address of MPIR_Comm.dev. OutOfMemory is the only failure. Precondition:
    /// 0 <= size <= 2^24.
    Status map_of(const Target& target,
                  std::uint64_t table,
                  std::int32_t size,
                  Side side,
                  std::uint32_t& map);
    /// The same for an MPIR_Group of MPICH 5.
    Status map_of_group(const Target& target,
                        std::uint64_t group,
                        std::int32_t size,
                        std::uint32_t& map);
    /// A map of these ranks in MPI_COMM_WORLD; kUnknown if there are none.
    Status add(const Array<std::int32_t>& ranks, std::uint32_t& map);
    /// Rank r is rank r, for MPI_COMM_WORLD where the table cannot be read.
    Status identity(std::int32_t size, std::uint32_t& map);

    /// The process with a rank, MQS_INVALID_PROCESS for an unknown map and a rank
    /// outside of it.
    std::int32_t process(std::uint32_t map, std::int64_t rank) const;
    /// The process behind an MPIDI_VC. Foreign ones only if a map has them.
    std::int32_t process_behind(const Target& target, std::uint64_t connection) const;
    /// The other direction; -1 if the map does not have this process.
    std::int32_t rank_of(std::uint32_t map, std::int32_t process) const;

    /// True for the ranks of the process's own MPI_COMM_WORLD.
    static bool is_own(std::int32_t process) { return process >= 0 && process < kFirstForeign; }
    /// World and rank of a foreign process. Empty, with rank -1, for a number that
    /// stands for none.
    WorldRank foreign(std::int32_t process) const;
    /// The name of the process's own world, unknown if it cannot be had.
    const WorldName& own_world() const { return own_world_; }

private:
    static constexpr std::int32_t kFirstForeign = 1 << 24;

    struct Map {
        std::uint64_t first = 0;  ///< in ranks_
        std::int32_t size = 0;
    };
    /// A rank of another process group.
    struct ForeignProcess {
        std::uint32_t group = 0;  ///< in foreign_groups_
        std::int32_t rank = -1;
    };
    /// What an MPIDI_VC says.
    struct Connection {
        std::uint64_t group = 0;  ///< address of the MPIDI_PG, 0 if unknown
        std::int32_t rank = -1;
    };
    Status append(const Target& target, std::uint64_t table, std::int32_t size);
    bool is_map_of(const unsigned char* bytes,
                   const Target& target,
                   std::int32_t mode,
                   std::int32_t size,
                   std::int32_t first) const;
    Status append_embedded(const Target& target, std::uint64_t address, std::int32_t size);
    Status append_table(const Target& target,
                        std::uint64_t table,
                        std::int32_t size,
                        bool with_job);
    bool check_connection(const Target& target, std::int32_t rank) const;
    /// -1 if it is none of the array of the process's own group.
    std::int32_t place_of(std::uint64_t connection) const;
    Connection read_connection(const Target& target, std::uint64_t connection) const;
    Status add_foreign(const Target& target, const Connection& connection, std::int32_t& process);

    Layout layout_;
    std::uint64_t group_ = 0;        ///< the MPIDI_PG of the process, 0 if unknown
    std::uint64_t connections_ = 0;  ///< its array of MPIDI_VC, 0 if not usable
    std::int32_t group_size_ = 0;
    int embedded_ = -1;  ///< ch4: offset of the peers' map in MPIR_Comm.dev; -1 unknown
    int map_bytes_ = 0;  ///< of MPIDI_rank_map_t
    Array<Map> maps_;
    Array<std::int32_t> ranks_;
    IndexMap by_table_;
    WorldName own_world_;
    Array<WorldName> foreign_groups_;
    IndexMap group_by_address_;
    Array<ForeignProcess> foreign_;
    IndexMap foreign_by_key_;  ///< group and rank
};

}  // namespace mqinspect::dll
