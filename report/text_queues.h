/// The part of the text report that lists pending operations.
#pragma once

#include <functional>
#include <string>

#include "model/job_snapshot.h"
#include "report/page.h"

namespace mqinspect::report {

struct QueueOptions {
    /// Nothing is folded or left out.
    bool verbose = false;
    /// Ranks and peers are those in the communicator, not in the job.
    bool local_ranks = false;
    /// The operations to show; empty: all.
    std::function<bool(const model::Operation&)> shown = {};
};

/// A table for each communicator that has operations. Unless `verbose`, ranks
/// whose queues are alike share rows, equal neighbours in a queue are counted,
/// long tables are cut, and the MPI library's own traffic is only counted.
void print_queues(Page& page, const model::JobSnapshot& snapshot, const QueueOptions& options);

/// "synchronous, rendezvous, part of a collective": what is remarkable about it; with
/// `verbose` also its request.
std::string operation_details(const model::Operation& operation, bool verbose);

}  // namespace mqinspect::report
