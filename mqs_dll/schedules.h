/// Whom the nonblocking collective operations of a process wait for.
///
/// A schedule (mpidu_sched.c) is an array of entries, of which those that have begun
/// and are not complete name a peer each; the generic engine (gentran) keeps a list
/// of the vertices that are under way.
#pragma once

#include <cstdint>

#include "include/mqs_extensions.h"
#include "mqs_dll/heap.h"
#include "mqs_dll/layout.h"
#include "mqs_dll/status.h"
#include "mqs_dll/target.h"

namespace mqinspect::dll {

struct Snapshot;

class SchedulePeers {
public:
    struct List {
        std::uint32_t first = 0;
        std::uint32_t receives = 0;  ///< so many, ascending and distinct
        std::uint32_t sends = 0;     ///< behind them, likewise
    };

    /// Begins the list of the operation whose request has this index.
    void begin(std::uint32_t request) { request_ = request; }
    /// A part of it that is under way; `comm`: address of an MPIR_Comm of the user's or of
    /// the library's, `rank` counts in it. `operation_comm`: index of the communicator that
    /// the operation is shown under. A part whose request is complete is passed over.
    Status add_part(const Target& target,
                    const Snapshot& snapshot,
                    std::uint32_t operation_comm,
                    int direction,
                    std::uint64_t comm,
                    std::int32_t rank,
                    std::uint64_t part_request);
    /// The parts of the MPIDU_Sched at this address. `plain`: they are messages of the
    /// user's, as those of MPI_Isendrecv, whose requests then say what they are parts of.
    Status add_schedule(const Target& target,
                        const Layout& layout,
                        Snapshot& snapshot,
                        std::uint32_t operation_comm,
                        std::uint64_t schedule,
                        bool& plain);
    /// Ends the list.
    Status end();

    /// Null: nothing is known of the operation's parts.
    const List* find(std::uint32_t request) const;
    std::int32_t rank(std::uint32_t position) const { return ranks_[position]; }

private:
    std::uint32_t request_ = 0;
    std::uint64_t entries_seen_ = 0;
    Array<std::int32_t> receives_;  // of the list at hand
    Array<std::int32_t> sends_;
    Array<List> lists_;
    Array<std::int32_t> ranks_;
    IndexMap by_request_;
};

}  // namespace mqinspect::dll
