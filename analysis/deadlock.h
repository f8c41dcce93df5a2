/// Who waits for whom, and whether they can ever continue.
///
/// Follows the AND-OR wait-for graphs of T. Hilbrich et al., "A graph based
/// approach for MPI deadlock detection" (ICS 2009), with a release fixpoint that
/// is linear in nodes and edges; cores and victims as in the MPI-PreDebugger of
/// M. Okita et al. (2003). Reads only the model.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/rank_list.h"
#include "model/job_snapshot.h"

namespace mqinspect::analysis {

enum class VerdictKind {
    None,       ///< every blocked rank can still be released
    Deadlock,   ///< a set of ranks waits for itself
    HangUp,     ///< ranks wait for ranks that have ended or called MPI_Finalize
    Suspected,  ///< looks like one of the two, but something moved or is in flight
    Unknown,    ///< ranks that matter could not be read
    Crash,      ///< a signal has ended ranks, and nobody is sure to wait for them
};

/// Ranks are stuck, or seem to be, or have crashed.
constexpr bool is_alarm(VerdictKind kind) {
    using enum VerdictKind;
    return kind == Deadlock || kind == HangUp || kind == Suspected || kind == Crash;
}

/// One wait of one rank, for the report. A rank has several where some targets are
/// needed and others are alternatives: Waitall over receives from any source.
struct Wait {
    model::WorldRank rank;
    /// Ascending, distinct. For a receive from any of more than 1,024 ranks these are
    /// all members of the group, the receiver as well.
    RankList targets;
    bool all = true;   ///< all of them, or any one
    std::string call;  ///< "MPI_Recv"
    std::string why;   ///< "receive from 1 with tag 7 on MPI_COMM_WORLD (ring.c:14)"
    /// Near misses: "rank 1 has sent a message with tag 8 on the same communicator"
    std::vector<std::string> hints;
};

/// A set of ranks that block each other (Deadlock), or one rank whose targets
/// have all ended (HangUp). Suspected: it may be gone at the next look.
struct Core {
    VerdictKind kind = VerdictKind::Deadlock;
    std::vector<model::WorldRank> ranks;  ///< ascending
    std::vector<Wait> waits;              ///< of these ranks, by rank
};

/// A rank that waits, at some distance, for a core.
struct Victim {
    model::WorldRank rank;
    /// From this rank to a rank of a core. Of a chain of more than 64 ranks the
    /// first 63 and the last.
    std::vector<model::WorldRank> chain;
};

struct Verdict {
    VerdictKind kind = VerdictKind::None;
    std::string sentence;
    std::vector<Core> cores;
    std::vector<Victim> victims;
    std::vector<model::WorldRank> running;  ///< not blocked: computing or polling
    /// Ranks that a signal has ended, without those that died in consequence (crashes.h);
    /// ascending.
    std::vector<model::WorldRank> crashed;
    std::vector<Wait> waits;  ///< of every rank that waits for others, by rank
    /// Unknown: ranks that could not be read, or whose call waits in a way that is
    /// not known, where that matters; ascending.
    std::vector<model::WorldRank> unknown;
    /// Ranks that an earlier look has not seen stuck where they are: a core with one of
    /// them is Suspected. Ascending; empty after a single look.
    std::vector<model::WorldRank> unconfirmed;
};

/// Analyzes one snapshot. A moment's look at messages that are just being handed
/// over may show a deadlock that is none; analyze_confirmed rules that out.
Verdict analyze(const model::JobSnapshot& snapshot);

/// The verdict of a snapshot that was analyzed before: `unconfirmed` is that verdict's.
Verdict analyze_again(const model::JobSnapshot& snapshot,
                      std::span<const model::WorldRank> unconfirmed);

/// The verdict on `second`. A core is Suspected unless each of its ranks was stuck
/// in `first` too and has not moved since: same state, call, place, identity of the
/// call, progress count and operations, and at least one of the identity and the
/// progress count known.
Verdict analyze_confirmed(const model::JobSnapshot& first, const model::JobSnapshot& second);

}  // namespace mqinspect::analysis
