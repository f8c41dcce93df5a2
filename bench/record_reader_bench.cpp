/// Reading recorded runs: one process that calls without end. The rate is of events, which are
/// entries and returns.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <benchmark/benchmark.h>

#include "tests/support/record_writer.h"
#include "tests/support/recorded_folder.h"

#include "trace_io/recording.h"

namespace mqinspect {
namespace {

using model::Direction;
using model::ParameterKind;
using testing::Numbers;
using testing::RecordedFolder;
using testing::RecordWriter;

/// Isend, Irecv and Waitall of `rounds` exchanges, as a stencil makes them: six events each.
void write_run(const RecordedFolder& folder, std::int64_t rounds) {
    RecordWriter writer("h.1.1", 5000, 4);
    writer.define_usual(0, 1, 1);
    const std::vector<testing::WrittenParameter> isend = {
        {"buf", ParameterKind::Buffer},
        {"count", ParameterKind::Count},
        {"datatype", ParameterKind::Datatype},
        {"dest", ParameterKind::Rank},
        {"tag", ParameterKind::Tag},
        {"comm", ParameterKind::Communicator},
        {"request", ParameterKind::Request, Direction::Out}};
    const auto send = writer.define_procedure("MPI_Isend", isend);
    const auto receive = writer.define_procedure("MPI_Irecv", isend);
    const auto wait = writer.define_procedure(
        "MPI_Waitall",
        {{"count", ParameterKind::Count},
         {"array_of_requests", ParameterKind::RequestList, Direction::InOut},
         {"array_of_statuses", ParameterKind::StatusList, Direction::Out}});
    std::uint64_t ticks = 0;
    for (std::int64_t round = 0; round < rounds; ++round) {
        const std::int64_t request = 2 * round;
        writer.enter(0, receive, 1, ticks += 300, {0x1000, 128, 0, 0, round % 7, 0});
        writer.leave(0, ticks += 100, {0, request});
        writer.enter(0, send, 2, ticks += 300, {0x2000, 128, 0, 0, round % 7, 0});
        writer.leave(0, ticks += 100, {0, request + 1});
        writer.enter(0, wait, 3, ticks += 300, {2, Numbers{request, request + 1}});
        writer.leave(
            0, ticks += 900, {0, Numbers{-1, -1}, Numbers{0, round % 7, 0, 512, 0, 0, 0, 0, 0, 0}});
    }
    writer.save(folder.path());
}

void open_run(benchmark::State& state) {
    const RecordedFolder folder;
    write_run(folder, state.range(0));
    for (auto _ : state)
        benchmark::DoNotOptimize(trace_io::open_recording(folder.path().string()));
    state.SetItemsProcessed(state.iterations() * state.range(0) * 6);
}

void read_calls(benchmark::State& state) {
    const RecordedFolder folder;
    write_run(folder, state.range(0));
    const auto recording = trace_io::open_recording(folder.path().string());
    if (!recording) std::abort();
    for (auto _ : state) {
        const auto stream = (*recording)->calls(model::ProcessId(0));
        model::RecordedCall call;
        while (stream->next(call))
            benchmark::DoNotOptimize(call);
    }
    state.SetItemsProcessed(state.iterations() * state.range(0) * 6);
}

BENCHMARK(open_run)->Arg(200'000)->Unit(benchmark::kMillisecond);
BENCHMARK(read_calls)->Arg(200'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace mqinspect
