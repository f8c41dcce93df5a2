/// The communicators of one process.
#pragma once

#include <cstdint>

#include "mqs_dll/heap.h"
#include "mqs_dll/layout.h"
#include "mqs_dll/rank_map.h"
#include "mqs_dll/status.h"
#include "mqs_dll/symbols.h"
#include "mqs_dll/target.h"

namespace mqinspect::dll {

struct Communicator {
    std::uint64_t address = 0;
    std::uint64_t next = 0;
    std::uint64_t local_comm = 0;
    std::uint64_t table = 0;        ///< map of the peers, see rank_map.h
    std::uint64_t local_table = 0;  ///< intercommunicators: of the local group
    std::uint64_t local_group = 0;  ///< MPIR_Group, 0 if it was not made yet
    std::uint64_t remote_group = 0;
    std::uint32_t handle = 0;   ///< 0 if unknown
    std::uint32_t context = 0;  ///< of what it sends
    std::uint32_t recv_context = 0;
    std::int32_t local_size = 0;
    std::int32_t remote_size = 0;  ///< of an intracommunicator: the same
    std::int32_t rank = 0;
    std::int32_t hierarchy = 0;
    std::int32_t next_sched_tag = -1;
    /// Where a recorder tells of it (recorder_lists.h): its id, and how many nonblocking
    /// collective operations were started. Else 0 and -1.
    std::uint64_t recorded_id = 0;
    std::int64_t recorded_collectives = -1;
    bool inter = false;
    bool internal = false;
    bool named = false;
    char name[64] = {};
    /// Rank maps: of the own group, and of the group that ranks of peers refer to.
    std::uint32_t group = RankMaps::kUnknown;
    std::uint32_t peers = RankMaps::kUnknown;

    /// One process talks to itself.
    bool is_alone() const { return !inter && remote_size == 1; }
    /// Equal on all members, and different for all communicators of a process:
    /// context ids are unique in a process, except that of an intercommunicator
    /// to send with, which the other side chose.
    std::uint64_t unique_id() const;
};

/// MPI_COMM_WORLD first, MPI_COMM_SELF second, then by context id.
class CommunicatorTable {
public:
    static constexpr std::uint32_t kMissing = IndexMap::kMissing;

    /// Reads the list of all communicators, or their pools where there is no
    /// list. An MPI library that is not initialised has none. A failure keeps
    /// what was read before it.
    Status load(const Target& target, const Layout& layout, const Symbols& symbols);

    /// Adds one that a recorder tells of. Groups that are not known are empty.
    Status add_recorded(const Communicator& communicator,
                        const Array<std::int32_t>& members,
                        const Array<std::int32_t>& remote_members);
    /// Puts those that were added in order.
    Status finish_recorded();

    std::size_t size() const { return communicators_.size(); }
    const Communicator& operator[](std::size_t index) const { return communicators_[index]; }
    const RankMaps& ranks() const { return ranks_; }
    /// Of the process in MPI_COMM_WORLD, -1 if there is none.
    std::int32_t own_rank() const;

    /// The communicator that uses a context id, without its collective bit, to send
    /// with or to receive with. kMissing: none.
    std::uint32_t sending(std::uint32_t context) const;
    std::uint32_t receiving(std::uint32_t context) const;
    /// The communicator that uses the context id to send to this process. The other
    /// side of an intercommunicator chooses the id, so that two may have the same;
    /// kMissing also if that leaves a doubt.
    std::uint32_t sending(std::uint32_t context, std::int32_t process) const;
    /// The user's communicator that an internal one was made for, itself if it is
    /// the user's, kMissing if there is none.
    std::uint32_t parent(std::uint32_t index) const;
    /// For one that the user has not named.
    void rename(std::uint32_t index, const char* name);
    /// By the address of the MPIR_Comm.
    std::uint32_t find(std::uint64_t address) const { return by_address_.find(address); }

private:
    Status walk_list(const Target& target, std::uint64_t head);
    Status walk_pools(const Target& target, const Symbols& symbols);
    Status add(const Target& target, std::uint64_t address, std::uint64_t& next);
    Status add(const Target& target, std::uint64_t address, const unsigned char* bytes);
    Status add_local_communicators(const Target& target);
    Status find_maps(const Target& target);
    Status map_ranks(const Target& target);
    Status index();
    void sort();

    Layout layout_;
    std::size_t extent_ = 0;  ///< bytes of an MPIR_Comm that are read
    Array<Communicator> communicators_;
    IndexMap by_address_;
    IndexMap by_context_;
    RankMaps ranks_;
};

/// Rank of the process in MPI_COMM_WORLD, MQS_INVALID_PROCESS if it cannot be had or MPI is
/// not initialised.
std::int32_t read_world_rank(const Target& target, const Layout& layout, const Symbols& symbols);

}  // namespace mqinspect::dll
