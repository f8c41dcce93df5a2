/// What moved between two looks at a job.
#pragma once

#include <string>
#include <vector>

#include "model/job_snapshot.h"

namespace mqinspect::shell {

/// A rank that no longer is where it was.
struct RankMove {
    model::WorldRank rank;
    std::string before;  ///< "MPI_Send(...) at ring.c:14", "ended"
    std::string after;
};

/// Operations of several ranks that read the same.
struct OperationChange {
    bool appeared = false;                ///< else vanished
    std::string operation;                ///< "posted receive, from 3, tag 7, on ring"
    std::vector<model::WorldRank> ranks;  ///< a rank as often as it has it
};

struct Difference {
    std::vector<RankMove> moves;  ///< by rank
    std::vector<OperationChange> operations;
    std::vector<std::string> communicators;  ///< "new: ring, ranks 0-3"

    bool empty() const { return moves.empty() && operations.empty() && communicators.empty(); }
};

/// Of two snapshots of the same job, or of jobs alike. A rank in the same call of the same
/// process has moved if it has entered it again or has communicated meanwhile.
Difference difference(const model::JobSnapshot& before, const model::JobSnapshot& after);

}  // namespace mqinspect::shell
