#include "mqs_dll/snapshot.h"

#include "mqs_dll/ch3_queues.h"
#include "mqs_dll/ch4_queues.h"
#include "mqs_dll/collectives.h"
#include "mqs_dll/queue_builder.h"

namespace mqinspect::dll {

std::int32_t Snapshot::identity_of(std::int32_t process) const {
    const RankMaps& ranks = communicators.ranks();
    if (!RankMaps::is_own(process)) {
        const WorldRank foreign = ranks.foreign(process);
        return job == nullptr ? MQS_INVALID_PROCESS : job->identity_of(foreign.world, foreign.rank);
    }
    if (job == nullptr) return process;
    const std::int32_t told = job->identity_of(ranks.own_world(), process);
    if (told != MQS_INVALID_PROCESS) return told;
    // Told by a process of the world, on a device where worlds have no names too.
    if (world_first >= 0 && world_first <= INT32_MAX - process) return world_first + process;
    // The first world is a prefix of the debugger's numbers: who is called like its
    // rank is of it, and so are the ranks of its world that have no debugger.
    const bool is_first_world = own_identity >= 0 && own_identity == communicators.own_rank();
    return is_first_world ? process : MQS_INVALID_PROCESS;
}

Status Snapshot::read(const Target& target,
                      const Layout& layout,
                      const Symbols& symbols,
                      bool internal) {
    shows_internal = internal;
    if (symbols.global_process != 0 && layout.global_tag_bits >= 0) {
        const auto field = static_cast<std::uint64_t>(layout.global_tag_bits);
        if (!ok(target.read_int(symbols.global_process + field, tag_bits))) tag_bits = 0;
    }
    const Status listed = communicators.load(target, layout, symbols);
    if (listed == Status::OutOfMemory) return listed;
    if (ok(listed) && communicators.size() == 0) {
        // MPI is not initialised yet, or no longer: nothing can be pending.
        for (OperationQueue& queue : queues)
            queue.status = Status::Ok;
    } else {
        Status status = visibility.read(target, layout, symbols);
        if (!ok(status)) return status;
        const Status pools =
            requests.load(target, layout, symbols, communicators, visibility.native);
        datatypes.open(target, layout, symbols);
        status = read_queues(target, layout, symbols, pools);
        if (!ok(status)) return status;
        pending::Head recorder;
        if (visibility.hides_any() && ok(read_recorder(target, symbols.recorder, recorder))) {
            status = complete_from_recorder(target, recorder, *this);
            if (!ok(status)) return status;
        }
        read_collectives(target, layout, symbols, pools, *this);
        windows.load(target, layout, symbols, communicators, requests);
        if (windows.status() == Status::OutOfMemory) return Status::OutOfMemory;
        windows.name_communicators(communicators);
    }
    const Status grouped = group();
    return ok(grouped) ? listed : grouped;
}

Status Snapshot::group() {
    for (OperationQueue& queue : queues) {
        const Status status = queue.group(communicators.size());
        if (!ok(status)) return status;
        if (queue.status == Status::OutOfMemory) return queue.status;
    }
    return Status::Ok;
}

Status Snapshot::read_recorded(const Target& target, const Symbols& symbols) {
    pending::Head head;
    Status status = read_recorder(target, symbols.recorder, head);
    if (!ok(status)) return status == Status::NoInformation ? Status::MissingLayout : status;
    const Status listed = read_from_recorder(target, head, *this);
    if (listed == Status::OutOfMemory) return listed;
    status = group();
    return ok(status) ? listed : status;
}

Status Snapshot::read_queues(const Target& target,
                             const Layout& layout,
                             const Symbols& symbols,
                             Status pools) {
    if (layout.device == Device::Ch4) {
        return Ch4Queues(target, layout, symbols, *this, pools).read();
    }
    if (layout.device == Device::Unknown) {
        const bool has_pool = pools != Status::NoInformation && layout.request_comm >= 0;
        return QueueBuilder(target, layout, symbols, *this, has_pool).read_lists();
    }
    Ch3Queues(target, layout, symbols, *this, pools).read();
    return Status::Ok;
}

}  // namespace mqinspect::dll
