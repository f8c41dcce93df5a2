/// The sentences of a verdict: plain words, numbers first.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/deadlock.h"
#include "analysis/job_index.h"
#include "analysis/waits.h"

namespace mqinspect::analysis {

/// "rank 1", "ranks 0-3, 5 and 7"; more than a few pieces end in "... (12 ranks)". In a
/// job of several worlds "ranks 0 and 1 of world 0 and rank 2 of world 1".
/// Ascending ranks.
std::string ranks_text(const JobIndex& index, std::span<const Node> ranks);
std::string ranks_text(const JobIndex& index, std::span<const model::WorldRank> ranks);
/// "rank 1", "rank 1 of world 2".
std::string rank_text(const JobIndex& index, Node rank);

/// "ring.c:14"; empty if unknown.
std::string place_text(const model::SourceLocation& location);

/// "MPI_COMM_WORLD", "MPI_COMM_WORLD of world 1", "'grid'", "an unknown communicator".
std::string communicator_text(const JobIndex& index,
                              std::optional<model::CommunicatorId> communicator);

/// "with tag 7", "with any tag"; empty if unknown.
std::string tag_text(std::optional<int> tag, bool any);

/// What the clause waits for, without the place: "receive from rank 1 with tag 7
/// on MPI_COMM_WORLD". `targets`: the clause's, as ranks_text says them.
std::string clause_text(const JobIndex& index, const Clause& clause, std::string_view targets);

/// "MPI_Recv (ring.c:14)"
std::string call_text(std::string_view function, const model::SourceLocation& location);

/// "is running", "is running in compute() at loop.c:12": the innermost frame of the
/// user's code, which is the first with a source line; or the call that does not wait.
std::string running_text(const model::RankSnapshot& rank);

}  // namespace mqinspect::analysis
