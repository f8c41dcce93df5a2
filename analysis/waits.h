/// What each rank waits for, as clauses over ranks (reference: MPI 4.0, 2.4 and
/// 3.4 to 3.10; chapter 6).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/job_index.h"
#include "analysis/matching.h"
#include "analysis/wait_for_graph.h"

namespace mqinspect::analysis {

/// The first `length` members of Waits::sets[set].
struct SharedTargets {
    std::uint32_t set = 0;
    std::uint32_t length = 0;

    friend bool operator==(const SharedTargets&, const SharedTargets&) = default;
};

/// One condition of a blocked call: ranks that must, or may, do something first.
struct Clause {
    enum class Kind {
        Receive,     ///< they send
        Probe,       ///< they send
        Send,        ///< they post a receive
        Enter,       ///< they enter the same collective operation
        Start,       ///< they start the same nonblocking collective operation
        Take,        ///< they go on with a collective operation, see Evidence
        Post,        ///< they call MPI_Win_post for this rank
        Complete,    ///< they call MPI_Win_complete for this rank
        Unlock,      ///< they give back the lock on the window of `window_of`
        Progress,    ///< they enter MPI, where operations on their window are carried out
        Initialize,  ///< they call MPI_Init
        Finalize,    ///< they call MPI_Finalize
        Something,   ///< they do what releases it, whatever that is
        Other,       ///< not known: no targets, not certain
    };
    Kind kind = Kind::Other;
    /// Other: what a process out of sight, mostly of another job, is to do; Other if it is
    /// not that.
    Kind of_foreign = Kind::Other;
    WaitForGraph::Mode mode = WaitForGraph::Mode::All;
    /// False: it may have been met already, or may ask for less.
    bool certain = true;
    /// An upper bound of what is not known; another clause says what is, and is reported.
    bool bound = false;
    /// True only if the rank stays where it is while it has the processor: see lasting_waits.cpp.
    bool lasting = false;
    std::vector<Node> targets;  ///< ascending, distinct; empty if shared
    std::optional<SharedTargets> shared;
    /// The call, and the operation that it waits for if there is one.
    const model::Call* call = nullptr;
    const model::Operation* operation = nullptr;
    /// Unlock, Progress: the rank whose window it is.
    std::optional<Node> window_of;
    std::optional<model::CommunicatorId> window;  ///< the communicator that stands for it
};

/// Larger sets of ranks are stored once for all clauses.
inline constexpr std::size_t kListedOnce = 1024;

/// The conditions of one rank. No clauses and All: it can go on.
struct RankWait {
    enum class State {
        Running,  ///< not blocked, or about to go on
        Blocked,
        Ended,
    };
    State state = State::Running;
    WaitForGraph::Mode mode = WaitForGraph::Mode::All;
    std::vector<Clause> clauses;
};

/// Pointers go into the snapshot.
struct Waits {
    std::vector<RankWait> ranks;
    std::vector<std::vector<Node>> sets;
};

Waits find_waits(const JobIndex& index, const Matching& matching);

/// All ranks, or those of a prefix of a shared set.
std::vector<Node> targets_of(const Waits& waits, const Clause& clause);

}  // namespace mqinspect::analysis
