/// The virtual topology of a communicator.
#pragma once

#include "tracer/log/memory.h"
#include "tracer/pmpi.h"

namespace mqinspect::tracer {

/// Neighbours in the order of the neighbourhood collectives (MPI 4.0, 8.6).
struct Topology {
    const char* name = "";
    int sources = 0;
    int destinations = 0;
    int dimensions = 0;
    const int* source_ranks = nullptr;
    const int* destination_ranks = nullptr;
};

/// Of a communicator in which this process has `rank`; its ranks are in `memory`. Without a
/// topology, or without memory, there are no neighbours.
Topology topology_of(MPI_Comm communicator, int rank, Arena& memory);

}  // namespace mqinspect::tracer
