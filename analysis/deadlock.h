/// Who waits for whom, and whether they can ever continue.
///
/// Follows the AND-OR wait-for graphs of T. Hilbrich et al., "A graph based
/// approach for MPI deadlock detection" (ICS 2009), with a release fixpoint that
/// is linear in nodes and edges; cores and victims as in the MPI-PreDebugger of
/// M. Okita et al. (2003). Reads only the model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/wait_for_graph.h"
#include "model/job_snapshot.h"

namespace mqinspect::analysis {

enum class VerdictKind {
    None,       ///< every blocked rank can still be released
    Deadlock,   ///< a set of ranks waits for itself
    HangUp,     ///< ranks wait for ranks that have ended or called MPI_Finalize
    Suspected,  ///< looks like one of the two, but something moved or is in flight
    Unknown,    ///< ranks that matter could not be read
};

/// One wait of one rank, for the report.
struct Wait {
    model::WorldRank rank;
    std::vector<model::WorldRank> targets;  ///< ascending, distinct
    bool all = true;                        ///< all of them, or any one
    std::string call;                       ///< "MPI_Recv"
    std::string why;  ///< "receive from 1 with tag 7 on MPI_COMM_WORLD (ring.c:14)"
    /// Near misses: "rank 1 has sent a message with tag 8 on the same communicator"
    std::vector<std::string> hints;
};

/// A set of ranks that block each other (Deadlock), or one rank whose targets
/// have all ended (HangUp).
struct Core {
    VerdictKind kind = VerdictKind::Deadlock;
    std::vector<model::WorldRank> ranks;  ///< ascending
    std::vector<Wait> waits;              ///< of these ranks, by rank
};

/// A rank that waits, at some distance, for a core.
struct Victim {
    model::WorldRank rank;
    std::vector<model::WorldRank> chain;  ///< from this rank to a rank of a core
};

struct Verdict {
    VerdictKind kind = VerdictKind::None;
    std::string sentence;
    std::vector<Core> cores;
    std::vector<Victim> victims;
    std::vector<model::WorldRank> running;  ///< not blocked: computing or polling
    std::vector<Wait> waits;                ///< of every blocked rank, by rank
};

/// Analyzes one snapshot.
Verdict analyze(const model::JobSnapshot& snapshot);

/// The verdict on `second`, with deadlocks of ranks that moved since `first`
/// turned into Suspected.
Verdict analyze_confirmed(const model::JobSnapshot& first, const model::JobSnapshot& second);

}  // namespace mqinspect::analysis
