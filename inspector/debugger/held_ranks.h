/// Which ranks the processes are that a debugger holds.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "inspector/debugger/held_process.h"
#include "inspector/mqs_host/mqs_host.h"

namespace mqinspect::debugger {

struct HeldRanks {
    /// By held process: its number, and of its MPI_COMM_WORLD the first and the size.
    std::vector<mqs_host::HostedProcess> processes;
    /// Of each MPI_COMM_WORLD, in the order in which a process of it was met.
    std::vector<int> world_sizes;
};

/// From what the launcher has put into the environment of each process, read from its
/// memory. InvalidArgument names a process that is no rank, or two that are the same.
Result<HeldRanks> find_ranks(std::span<const HeldProcess* const> held);

}  // namespace mqinspect::debugger
