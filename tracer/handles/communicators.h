/// Communicators and groups, as DefinitionKind::Communicator describes them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include <mpi.h>

#include "include/pending_operations.h"

#include "tracer/handles/handle_map.h"
#include "tracer/log/thread_log.h"
#include "tracer/recorder.h"

namespace mqinspect::tracer {

struct CommunicatorInfo {
    std::int64_t id = 0;
    int rank = 0;
    int size = 0;
    int peers = 0;  ///< size, or that of the other group of an intercommunicator
    int dimensions = 0;
    int sources = 0;  ///< neighbours
    int destinations = 0;
    bool inter = false;
    std::atomic<std::int64_t> constructors{0};
    pending::Communicator shown;        ///< to debuggers
    CommunicatorInfo* older = nullptr;  ///< of the list that debuggers see
    CommunicatorInfo* newer = nullptr;
    pending::MessageCounts* counts = nullptr;  ///< of each peer; null: no message yet
};

extern Handles<CommunicatorInfo> communicators;

/// Null: no communicator that this process has.
inline CommunicatorInfo* communicator_info(MPI_Comm communicator) {
    return communicators.find(handle_bits(communicator));
}
std::int64_t communicator_id(MPI_Comm communicator);

/// MPI_COMM_WORLD and MPI_COMM_SELF: after MPI_Init.
void define_world_communicators();

/// Without MPI_COMM_WORLD: the group of all processes, of a session; world ranks are ranks in it.
/// Null from the end of the session on.
void define_world_group(MPI_Group group);

/// What a constructor has made. `tag`: of MPI_Comm_create_group and MPI_Intercomm_create.
void communicator_created(const char* constructor,
                          MPI_Comm parent,
                          MPI_Comm created,
                          std::int64_t tag = 0);
/// MPI_Comm_idup: nothing may be asked of it until its request is complete.
void communicator_duplicated(const char* constructor, MPI_Comm parent, MPI_Comm created);
void communicator_freed(MPI_Comm communicator);

/// Of the messages between this process and a peer; null: no such peer, or out of memory.
[[gnu::cold]] pending::MessageCounts* first_counts_of(CommunicatorInfo& communicator, int peer);
inline pending::MessageCounts* counts_of(CommunicatorInfo& communicator, int peer) {
    if (peer < 0 || peer >= communicator.peers) return nullptr;
    if (communicator.counts == nullptr) [[unlikely]]
        return first_counts_of(communicator, peer);
    return communicator.counts + peer;
}
/// `change(add)` adds to sums by add(sum, value). Several threads may count.
template <class Change>
[[gnu::hot]] void change_sums(Change change) {
    if (recorder.has_several_threads()) [[unlikely]] {
        change([](std::uint64_t& sum, std::uint64_t value) {
            std::atomic_ref(sum).fetch_add(value, std::memory_order_relaxed);
        });
    } else {
        change([](std::uint64_t& sum, std::uint64_t value) { sum += value; });
    }
}
/// A message of the user was sent, or taken back (MPI_Cancel); or received.
inline void count_sent(CommunicatorInfo& communicator, int destination, int tag) {
    pending::MessageCounts* counts = counts_of(communicator, destination);
    if (counts == nullptr) return;
    change_sums([=](auto add) {
        add(counts->sent, 1);
        add(counts->sent_tags, static_cast<std::uint64_t>(tag));
        add(counts->sent_hashes, pending::hash_of_tag(tag));
    });
}
void count_sent_back(CommunicatorInfo& communicator, int destination, int tag);
inline void count_received(CommunicatorInfo& communicator, int source, int tag) {
    pending::MessageCounts* counts = counts_of(communicator, source);
    if (counts == nullptr) return;
    change_sums([=](auto add) {
        add(counts->received, 1);
        add(counts->received_tags, static_cast<std::uint64_t>(tag));
        add(counts->received_hashes, pending::hash_of_tag(tag));
    });
}
/// What has become of a message is not known: a call has failed, or a request was freed.
inline void stop_counting(CommunicatorInfo* communicator) {
    if (communicator != nullptr) communicator->shown.uncounted = 1;
}

/// World ranks of the members of a group that the program has.
struct GroupInfo {
    List members;
    std::atomic<int> handles{0};
};

/// Null: no group that this process has.
GroupInfo* group_info(MPI_Group group);
void group_created(MPI_Group group);
void group_freed(MPI_Group group);

}  // namespace mqinspect::tracer
