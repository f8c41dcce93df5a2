/// From what each rank's queues say to communicators and operations of the job.
#pragma once

#include <span>

#include "inspector/mqs_host/mqs_host.h"
#include "model/job_snapshot.h"

namespace mqinspect::mqs_host {

/// Fills snapshot.communicators, snapshot.operations and, for each rank,
/// memberships, queues_known, progress_count and (for a rank whose queues are
/// missing) problem. `ranks[i]` belongs to snapshot.ranks[i].
///
/// Two ranks hold the same communicator if its unique id and its groups agree;
/// without groups, if id, size and name agree. The disjoint communicators of one
/// MPI_Comm_split share an id, so an id alone never decides. Order: as the first
/// rank that lists it has it, MPI_COMM_WORLD of the first world first. Everything the DLL says is
/// checked: a rank, size or length that cannot be true becomes unknown. A rank that does
/// not know its place in a communicator has no membership there; where groups are not
/// told and two ranks claim one place, their communicators are not merged. queues_known
/// is false also where the DLL has no information on one of the three queues.
void assemble(std::span<const Result<HostedQueues>> ranks, model::JobSnapshot& snapshot);

}  // namespace mqinspect::mqs_host
