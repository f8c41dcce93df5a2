#include "tests/unit/report/fixtures.h"

#include <utility>

#include <fmt/format.h>

namespace mqinspect::report {

using analysis::VerdictKind;
using model::CommRank;
using model::WorldRank;

model::JobSnapshot job_of(int size) {
    model::JobSnapshot snapshot;
    snapshot.launcher = "mpiexec.hydra, pid 4711";
    snapshot.hosts = {"node1"};
    snapshot.mpi = "MPICH 4.0.2, ch3:nemesis";
    snapshot.dll = "/opt/mqinspect/lib/libmqs_mpich.so";
    snapshot.stopped_ms = 12.5;
    snapshot.total_ms = 48.25;
    model::Communicator world;
    world.name = "MPI_COMM_WORLD";
    for (int i = 0; i < size; ++i) {
        world.members.emplace_back(i);
        model::RankSnapshot rank;
        rank.rank = WorldRank(i);
        rank.pid = 4800 + i;
        rank.host = "node1";
        rank.state = model::RankState::Blocked;
        rank.queues_known = true;
        snapshot.ranks.push_back(std::move(rank));
    }
    snapshot.communicators.push_back(std::move(world));
    return snapshot;
}

model::Call receive_call(int source) {
    model::Call call;
    call.function = "MPI_Recv";
    call.arguments = {{"buf", fmt::format("0x7ffe{:04x}", source)},
                      {"count", "1"},
                      {"datatype", "MPI_INT"},
                      {"source", std::to_string(source)},
                      {"tag", "7"},
                      {"comm", "MPI_COMM_WORLD"},
                      {"status", "MPI_STATUS_IGNORE"}};
    call.location = {"/home/user/ring.c", 14};
    return call;
}

Case ring(int size) {
    Case result{job_of(size), {}};
    analysis::Core core;
    for (int i = 0; i < size; ++i) {
        const int source = (i + size - 1) % size;
        model::RankSnapshot& rank = result.snapshot.ranks[static_cast<std::size_t>(i)];
        rank.call = receive_call(source);
        rank.stack = {{0x1000, "MPIR_Wait", "/usr/lib/libmpi.so", {}},
                      {0x2000, "exchange", "/home/user/ring", {"/home/user/ring.c", 14}},
                      {0x3000, "main", "/home/user/ring", {"/home/user/ring.c", 30}}};
        model::Operation operation;
        operation.rank = WorldRank(i);
        operation.comm_peer = CommRank(source);
        operation.world_peer = WorldRank(source);
        operation.tag = 7;
        operation.bytes = 4;
        operation.count = 1;
        operation.datatype = "MPI_INT";
        operation.function = "MPI_Recv";
        result.snapshot.operations.push_back(std::move(operation));
        core.ranks.emplace_back(i);
        core.waits.push_back(
            {WorldRank(i),
             {WorldRank(source)},
             true,
             "MPI_Recv",
             fmt::format("receive from {} with tag 7 on MPI_COMM_WORLD (ring.c:14)", source),
             {}});
    }
    result.verdict.kind = VerdictKind::Deadlock;
    result.verdict.sentence = fmt::format("Deadlock: ranks 0-{} wait for each other.", size - 1);
    result.verdict.waits = core.waits;
    result.verdict.cores.push_back(std::move(core));
    return result;
}

Case barrier_without(int size, int missing) {
    Case result{job_of(size), {}};
    for (int i = 0; i < size; ++i) {
        model::RankSnapshot& rank = result.snapshot.ranks[static_cast<std::size_t>(i)];
        if (i == missing) {
            rank.state = model::RankState::Running;
            rank.stack = {{0x1000, "clock_nanosleep", "/lib/libc.so.6", {}},
                          {0x2000, "solve", "/home/user/heat", {"/home/user/heat.c", 88}}};
            result.verdict.running.emplace_back(i);
            continue;
        }
        model::Call call;
        call.function = "MPI_Barrier";
        call.arguments = {{"comm", "MPI_COMM_WORLD"}};
        call.location = {"/home/user/heat.c", 91};
        rank.call = std::move(call);
        result.verdict.waits.push_back(
            {WorldRank(i),
             {WorldRank(missing)},
             true,
             "MPI_Barrier",
             fmt::format("rank {} has not entered MPI_Barrier on MPI_COMM_WORLD", missing),
             {}});
    }
    result.verdict.sentence =
        fmt::format("No deadlock: {} ranks wait for rank {}, which is running.", size - 1, missing);
    return result;
}

}  // namespace mqinspect::report
