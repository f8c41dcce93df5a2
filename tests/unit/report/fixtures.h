/// Snapshots and verdicts for the report tests, built in code.
#pragma once

#include <string>

#include "analysis/deadlock.h"
#include "model/job_snapshot.h"

namespace mqinspect::report {

struct Case {
    model::JobSnapshot snapshot;
    analysis::Verdict verdict;
};

/// `size` ranks, blocked, with MPI_COMM_WORLD and nothing pending.
model::JobSnapshot job_of(int size);

/// A blocked MPI_Recv with all its arguments, at ring.c:14.
model::Call receive_call(int source);

/// Every rank receives from the one before it; queues list the receives.
Case ring(int size);

/// All ranks but `missing` are in MPI_Barrier; `missing` computes.
Case barrier_without(int size, int missing);

}  // namespace mqinspect::report
