/// Problems of a whole job, from those of its ranks.
#pragma once

#include <cstddef>
#include <vector>

#include "base/result.h"
#include "inspector/mqs_host/mqs_host.h"
#include "model/job_snapshot.h"

namespace mqinspect::snapshot {

/// A library without debug information, or a DLL without information on one of the
/// queues, is a problem of the job, not of each rank. `stopped`: the ranks that were read.
void state_once(const std::vector<Result<mqs_host::HostedQueues>>& queues,
                const std::vector<std::size_t>& stopped,
                model::JobSnapshot& snapshot);

/// Says how many processes there are that the ranks are connected with and that are not
/// looked at.
void note_foreign_processes(const std::vector<Result<mqs_host::HostedQueues>>& queues,
                            model::JobSnapshot& snapshot);

}  // namespace mqinspect::snapshot
