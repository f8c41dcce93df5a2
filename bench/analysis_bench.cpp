/// The wait-for graph alone and the whole analysis of a snapshot, on synthetic
/// jobs; each benchmark's argument is the number of ranks.
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "analysis/deadlock.h"
#include "analysis/wait_for_graph.h"
#include "model/job_snapshot.h"

namespace mqinspect {
namespace {

using analysis::WaitForGraph;
using Mode = WaitForGraph::Mode;
using Nodes = std::vector<std::uint32_t>;

void block(WaitForGraph& graph, std::uint32_t node) {
    graph.set_state(node, WaitForGraph::NodeState::Blocked);
}

void graph_ring(benchmark::State& state) {
    const auto size = static_cast<std::uint32_t>(state.range(0));
    for (auto _ : state) {
        WaitForGraph graph(size);
        for (std::uint32_t node = 0; node < size; ++node) {
            block(graph, node);
            const std::uint32_t next = (node + 1) % size;
            graph.add_clause(node, Mode::All, {&next, 1});
        }
        benchmark::DoNotOptimize(graph.solve());
    }
    state.SetComplexityN(state.range(0));
}

void graph_random_and_or(benchmark::State& state) {
    const auto size = static_cast<std::uint32_t>(state.range(0));
    std::mt19937 random(1);
    std::vector<Nodes> targets(size, Nodes(8));
    for (Nodes& row : targets) {
        for (auto& target : row)
            target = static_cast<std::uint32_t>(random()) % size;
    }
    for (auto _ : state) {
        WaitForGraph graph(size);
        for (std::uint32_t node = 1; node < size; ++node) {
            block(graph, node);
            graph.add_clause(node, node % 2 == 0 ? Mode::All : Mode::Any, targets[node]);
        }
        benchmark::DoNotOptimize(graph.solve());
    }
    state.SetComplexityN(state.range(0));
}

void graph_wildcards_over_all(benchmark::State& state) {
    const auto size = static_cast<std::uint32_t>(state.range(0));
    Nodes all(size);
    for (std::uint32_t node = 0; node < size; ++node)
        all[node] = node;
    for (auto _ : state) {
        WaitForGraph graph(size);
        const auto set = graph.add_shared_set(all);
        for (std::uint32_t node = 0; node < size; ++node) {
            block(graph, node);
            graph.add_shared_clause(node, Mode::Any, set);
        }
        benchmark::DoNotOptimize(graph.solve());
    }
    state.SetComplexityN(state.range(0));
}

void graph_collective_with_one_missing(benchmark::State& state) {
    const auto size = static_cast<std::uint32_t>(state.range(0));
    for (auto _ : state) {
        WaitForGraph graph(size);
        const std::uint32_t missing = size - 1;
        const auto set = graph.add_shared_set({&missing, 1});
        for (std::uint32_t node = 0; node + 1 < size; ++node) {
            block(graph, node);
            graph.add_shared_clause(node, Mode::All, set);
        }
        const std::uint32_t first = 0;
        block(graph, missing);
        graph.add_clause(missing, Mode::All, {&first, 1});
        benchmark::DoNotOptimize(graph.solve());
    }
    state.SetComplexityN(state.range(0));
}

void graph_collective_with_half_missing(benchmark::State& state) {
    const auto size = static_cast<std::uint32_t>(state.range(0));
    Nodes missing;
    for (std::uint32_t node = size / 2; node < size; ++node)
        missing.push_back(node);
    for (auto _ : state) {
        WaitForGraph graph(size);
        const auto set = graph.add_shared_set(missing);
        for (std::uint32_t node = 0; node < size; ++node) {
            block(graph, node);
            const std::uint32_t partner = node - size / 2;
            if (node < size / 2) {
                graph.add_shared_clause(node, Mode::All, set);
            } else {
                graph.add_clause(node, Mode::All, {&partner, 1});
            }
        }
        benchmark::DoNotOptimize(graph.solve());
    }
    state.SetComplexityN(state.range(0));
}

model::JobSnapshot empty_job(std::int64_t size) {
    model::JobSnapshot job;
    model::Communicator world;
    world.name = "MPI_COMM_WORLD";
    job.ranks.resize(static_cast<std::size_t>(size));
    for (std::size_t i = 0; i < job.ranks.size(); ++i) {
        const int number = static_cast<int>(i);
        world.members.emplace_back(number);
        model::RankSnapshot& rank = job.ranks[i];
        rank.rank = model::WorldRank(number);
        rank.state = model::RankState::Blocked;
        rank.queues_known = true;
        rank.memberships.emplace_back().comm_rank = model::CommRank(number);
        rank.call.emplace();
        rank.call->communicator = world.id;
        rank.call->location = {"program.c", 14};
    }
    job.communicators.push_back(std::move(world));
    return job;
}

// A blocking receive with its operation; from any source if `source` is negative.
void receive(model::JobSnapshot& job, std::size_t number, int source) {
    model::Operation operation;
    operation.rank = model::WorldRank(static_cast<int>(number));
    operation.tag = 7;
    operation.any_source = source < 0;
    model::Call& call = *job.ranks[number].call;
    call.function = "MPI_Recv";
    call.source.emplace();
    call.receive_tag = 7;
    if (source < 0) {
        call.source->kind = model::Peer::Kind::AnySource;
    } else {
        call.source->rank = model::CommRank(source);
        call.source->world_rank = model::WorldRank(source);
        operation.comm_peer = call.source->rank;
        operation.world_peer = call.source->world_rank;
    }
    call.operations.push_back(job.operations.size());
    job.operations.push_back(std::move(operation));
}

void analyze(benchmark::State& state, const model::JobSnapshot& job) {
    for (auto _ : state)
        benchmark::DoNotOptimize(analysis::analyze(job));
    state.SetComplexityN(state.range(0));
}

void analyze_ring(benchmark::State& state) {
    auto job = empty_job(state.range(0));
    const std::size_t size = job.ranks.size();
    for (std::size_t i = 0; i < size; ++i)
        receive(job, i, static_cast<int>((i + 1) % size));
    analyze(state, job);
}

void analyze_wildcards(benchmark::State& state) {
    auto job = empty_job(state.range(0));
    for (std::size_t i = 0; i < job.ranks.size(); ++i)
        receive(job, i, -1);
    analyze(state, job);
}

void analyze_barrier_with_one_missing(benchmark::State& state) {
    auto job = empty_job(state.range(0));
    for (auto& rank : job.ranks)
        rank.call->function = "MPI_Barrier";
    receive(job, job.ranks.size() - 1, 0);
    analyze(state, job);
}

void analyze_barrier_with_half_missing(benchmark::State& state) {
    auto job = empty_job(state.range(0));
    const std::size_t half = job.ranks.size() / 2;
    for (auto& rank : job.ranks)
        rank.call->function = "MPI_Barrier";
    for (std::size_t i = half; i < job.ranks.size(); ++i) {
        receive(job, i, static_cast<int>(i - half));
    }
    analyze(state, job);
}

// One rank with very many messages that do not match its receive.
void analyze_unexpected_messages(benchmark::State& state) {
    auto job = empty_job(2);
    receive(job, 0, 1);
    receive(job, 1, 0);
    for (std::int64_t i = 0; i < state.range(0); ++i) {
        model::Operation message = job.operations.front();
        message.queue = model::Queue::UnexpectedMessage;
        message.tag = 1000 + static_cast<int>(i);
        job.operations.push_back(std::move(message));
    }
    analyze(state, job);
}

void sizes(benchmark::internal::Benchmark* benchmark) {
    benchmark->Arg(16384)->Arg(131072)->Arg(1000000)->Unit(benchmark::kMillisecond)->Complexity();
}

BENCHMARK(graph_ring)->Apply(sizes);
BENCHMARK(graph_random_and_or)->Apply(sizes);
BENCHMARK(graph_wildcards_over_all)->Apply(sizes);
BENCHMARK(graph_collective_with_one_missing)->Apply(sizes);
BENCHMARK(graph_collective_with_half_missing)->Apply(sizes);
BENCHMARK(analyze_ring)->Apply(sizes);
BENCHMARK(analyze_wildcards)->Apply(sizes);
BENCHMARK(analyze_barrier_with_one_missing)->Apply(sizes);
BENCHMARK(analyze_barrier_with_half_missing)->Apply(sizes);
BENCHMARK(analyze_unexpected_messages)->Apply(sizes);

}  // namespace
}  // namespace mqinspect
