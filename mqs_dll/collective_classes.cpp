#include "mqs_dll/collective_classes.h"

#include "include/mqs_extensions.h"

namespace mqinspect::dll {
namespace {

/// MPIR_BARRIER_TAG and those that follow; -1 for tags whose operations have no class:
/// exscan, alltoallw, local copies, and what is not collective communication.
constexpr int kClassOfTag[] = {
    -1,
    mqs_comm_barrier,
    mqs_comm_broadcast,
    mqs_comm_gather,
    mqs_comm_gatherv,
    mqs_comm_scatter,
    mqs_comm_scatterv,
    mqs_comm_allgather,
    mqs_comm_allgatherv,
    mqs_comm_alltoall,
    mqs_comm_alltoallv,
    mqs_comm_reduce,  // and two tags more for operations of the user
    mqs_comm_reduce,
    mqs_comm_reduce,
    mqs_comm_allreduce,
    mqs_comm_allreduce,
    mqs_comm_allreduce,
    mqs_comm_reduce_scatter,
    mqs_comm_reduce_scatter,
    mqs_comm_reduce_scatter,
    mqs_comm_scan,
    mqs_comm_scan,
    mqs_comm_scan,
    -1,
    -1,
    -1,
    -1,
    -1,
    mqs_comm_reduce_scatter,  // MPIR_REDUCE_SCATTER_BLOCK_TAG
};
constexpr std::int32_t kTags = sizeof kClassOfTag / sizeof kClassOfTag[0];

bool is_part_of(const Operation& operation, int comm_class) {
    return operation.collective && operation.status != mqs_st_complete && operation.tag >= 0 &&
           operation.tag < kTags && kClassOfTag[operation.tag] == comm_class;
}

}  // namespace

bool has_active_class(const Snapshot& snapshot, std::size_t communicator, int comm_class) {
    if (comm_class < mqs_comm_barrier || comm_class > mqs_comm_scatterv) return false;
    for (const int queue : {mqs_pending_receives, mqs_pending_sends}) {
        const OperationQueue& operations = snapshot.queues[queue];
        const Operation* end = operations.end(communicator);
        for (const Operation* next = operations.begin(communicator); next != end; ++next) {
            if (is_part_of(*next, comm_class)) return true;
        }
    }
    return false;
}

}  // namespace mqinspect::dll
