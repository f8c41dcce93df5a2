#include "tests/support/recorded_process.h"

#include <cstring>

namespace mqinspect::test {
namespace {

constexpr std::uint64_t kInt = 0x4c000405;

}  // namespace

RecordedProcess::RecordedProcess() {
    target.memory = &memory;
    head_address = memory.add(pending::Head{});
    target.symbols[pending::kSymbol] = head_address;
    table_address = memory.allocate(kPlaces * sizeof(pending::Request));
    head().request_bytes = sizeof(pending::Request);
    head().state = pending::State::Recording;
    head().world_rank = 1;
    head().world_size = 4;
    head().requests = {table_address, kPlaces};
    world = add_communicator({.handle = kWorld, .name = "MPI_COMM_WORLD"}, {{0, 3, 1}});
    thread = memory.add(pending::Thread{});
    head().threads = thread;
}

std::uint64_t RecordedProcess::add_communicator(const Spec& spec,
                                                const std::vector<pending::Ranks>& members) {
    pending::Communicator made;
    made.next = head().communicators;
    made.handle = spec.handle;
    made.id = 1000 + spec.handle % 1000;
    made.rank = spec.rank;
    made.size = spec.size;
    made.member_ranges = static_cast<std::uint32_t>(members.size());
    made.members = memory.allocate(members.size() * sizeof(pending::Ranks));
    for (std::size_t i = 0; i < members.size(); ++i)
        memory.store(made.members + i * sizeof(pending::Ranks), members[i]);
    std::strncpy(made.name, spec.name, sizeof made.name - 1);
    return head().communicators = memory.add(made);
}

pending::Operation recorded_operation(pending::Kind kind, int peer, int tag, std::int64_t order) {
    pending::Operation made;
    made.kind = kind;
    made.handle = 0xac000000U + static_cast<std::uint64_t>(order);
    made.order = order;
    made.communicator = RecordedProcess::kWorld;
    made.datatype = kInt;
    made.buffer = 0x5000;
    made.count = 3;
    made.element_bytes = 4;
    made.peer = peer;
    made.tag = tag;
    return made;
}

}  // namespace mqinspect::test
