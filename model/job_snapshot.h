/// One look at a whole job: what every rank was doing at one moment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/call.h"
#include "model/communicator.h"
#include "model/operation.h"
#include "model/signal.h"
#include "model/window.h"

namespace mqinspect::model {

enum class RankState {
    Blocked,     ///< in an MPI call that may wait
    Running,     ///< in user code, or in an MPI call that never waits
    Exited,      ///< the process has ended, or is a zombie
    Unreadable,  ///< it lives, but could not be looked at
};

struct Frame {
    std::uint64_t pc = 0;
    std::string function;  ///< empty if unknown
    std::string image;     ///< path of the executable or library
    SourceLocation location;

    friend bool operator==(const Frame&, const Frame&) = default;
};

struct RankSnapshot {
    WorldRank rank;
    int pid = 0;
    std::string host;
    RankState state = RankState::Unreadable;
    /// Job control had stopped it (SIGSTOP, SIGTSTP): whatever its state, it does nothing
    /// until SIGCONT.
    bool suspended = false;
    std::optional<Call> call;
    /// Blocking calls of further threads of the rank (MPI_THREAD_MULTIPLE): it
    /// goes on as soon as any of its calls does.
    std::vector<Call> more_calls;
    std::vector<Frame> stack;  ///< innermost first
    /// The fatal signal that the rank has received; `stack` is then where it arrived.
    std::optional<Signal> signal;
    std::vector<Membership> memberships;
    /// False: the operations of this rank are not known, and none may be inferred.
    bool queues_known = false;
    /// What is complete although queues_known is false: the posted receives and the
    /// pending sends that are not part of a collective operation.
    bool receives_known = false;
    bool sends_known = false;
    /// Another number whenever the rank has completed communication.
    std::optional<std::uint64_t> progress_count;
    /// Packets that have arrived and that it has not looked at: while there are
    /// any, what it waits for may be among them.
    std::optional<std::uint64_t> incoming_count;
    /// Changes when the rank enters another call: stack pointer and return
    /// address of the user's frame. 0 if unknown.
    std::uint64_t call_identity = 0;
    /// One line: why this rank is unreadable or only partly readable.
    std::string problem;

    friend bool operator==(const RankSnapshot&, const RankSnapshot&) = default;
};

/// Lines of a source file around a place in it.
struct SourceExcerpt {
    std::string file;  ///< as the debug information names it
    int line = 0;
    int first_line = 0;              ///< of `lines`
    std::vector<std::string> lines;  ///< empty if they could not be read
    std::string remark;              ///< why there are none, or why they may be others

    friend bool operator==(const SourceExcerpt&, const SourceExcerpt&) = default;
};

struct JobSnapshot {
    std::string launcher;             ///< "mpiexec.hydra, pid 4711", or empty
    std::vector<std::string> hosts;   ///< distinct
    std::string mpi;                  ///< "MPICH 4.0.2, ch3:nemesis"
    std::string dll;                  ///< path of the debugger DLL in use
    std::vector<std::string> types;   ///< files that lend types to a stripped library
    std::vector<RankSnapshot> ranks;  ///< ranks[i].rank == i
    /// Of each MPI_COMM_WORLD, in the order of the ranks; empty: there is one (worlds.h).
    std::vector<int> world_sizes;
    std::vector<Communicator> communicators;  ///< communicators[i].id == i
    /// By rank, then communicator; each queue in the order MPI would match.
    std::vector<Operation> operations;
    /// By rank, then communicator.
    std::vector<Window> windows;
    std::vector<std::string> problems;  ///< of the job as a whole, one line each
    /// Kept where the files need not be at hand any more; else empty.
    std::vector<SourceExcerpt> sources;
    double stopped_ms = 0;  ///< how long the ranks stood still
    double total_ms = 0;

    friend bool operator==(const JobSnapshot&, const JobSnapshot&) = default;
};

/// A rank's number in a communicator, if it says that it is in it.
inline std::optional<CommRank> comm_rank_in(const RankSnapshot& rank, CommunicatorId id) {
    for (const Membership& membership : rank.memberships) {
        if (membership.communicator == id) return membership.comm_rank;
    }
    return std::nullopt;
}

}  // namespace mqinspect::model
