// The checks of single processes, on a run that is made up as it is read: four transfers with
// neighbours, MPI_Waitall, and now and then a reduction. Events are entries and returns, two for
// each call. The floor is the time to read the stream.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "analysis/local/check_local.h"
#include "model/execution.h"

namespace mqinspect {
namespace {

using model::Direction;
using model::ParameterKind;
using model::Value;

constexpr std::int64_t kIterations = 100'000;
constexpr std::int64_t kTransfers = 4;

enum ProcedureNumber { kIsend, kIrecv, kWaitall, kAllreduce, kInit, kFinalize };

model::Procedure procedure(const std::string& name, std::vector<model::Parameter> parameters) {
    model::Procedure result;
    result.name = name;
    result.function = *model::find_mpi_function(name);
    result.parameters = std::move(parameters);
    model::assign_roles(result);
    return result;
}

model::Execution make_execution() {
    using enum ParameterKind;
    model::Execution execution;
    model::RecordedCommunicator world;
    world.name = world.constructor = "MPI_COMM_WORLD";
    for (int rank = 0; rank < 2; ++rank)
        world.members.push_back(model::ProcessId{rank});
    execution.communicators.push_back(world);
    model::RecordedProcess process;
    process.world_size = 2;
    process.termination.kind = model::Termination::Kind::Finalized;
    execution.processes.push_back(process);
    model::RecordedDatatype integer;
    integer.name = "MPI_INT";
    integer.combiner = "MPI_COMBINER_NAMED";
    integer.size = integer.extent = integer.true_extent = 4;
    execution.datatypes.push_back(integer);
    execution.operators.push_back({"MPI_SUM", true, ""});
    const auto in = [](const char* name, ParameterKind kind) {
        return model::Parameter{name, kind, Direction::In, model::Role::Other};
    };
    const auto transfer = [&](const char* peer) {
        return std::vector{in("buf", Buffer),
                           in("count", Count),
                           in("datatype", Datatype),
                           in(peer, Rank),
                           in("tag", Tag),
                           in("comm", Communicator),
                           model::Parameter{"request", Request, Direction::Out, {}}};
    };
    execution.procedures = {
        procedure("MPI_Isend", transfer("dest")),
        procedure("MPI_Irecv", transfer("source")),
        procedure("MPI_Waitall",
                  {in("count", Count),
                   model::Parameter{"array_of_requests", RequestList, Direction::InOut, {}}}),
        procedure("MPI_Allreduce",
                  {in("sendbuf", Buffer),
                   in("recvbuf", Buffer),
                   in("count", Count),
                   in("datatype", Datatype),
                   in("op", Operator),
                   in("comm", Communicator)}),
        procedure("MPI_Init", {}),
        procedure("MPI_Finalize", {})};
    execution.stacks.resize(8);
    return execution;
}

class GeneratedStream : public model::CallStream {
public:
    explicit GeneratedStream(std::int64_t pending)
        : requests_(static_cast<std::size_t>(pending)), none_(requests_.size(), -1) {}

    bool next(model::RecordedCall& call) override {
        if (iteration_ > kIterations) return false;
        before_ = {};
        after_ = {};
        const auto pending = static_cast<std::int64_t>(requests_.size());
        if (iteration_ < 0) {
            begin(kInit);
            iteration_ = 0;
        } else if (iteration_ >= kIterations) {
            begin(kFinalize);
            iteration_ = kIterations + 1;
        } else if (step_ < pending) {
            transfer(step_++);
        } else if (step_ == pending) {
            begin(kWaitall);
            before_[1].list = requests_;
            after_[1].list = none_;
            ++step_;
        } else {
            begin(kAllreduce);
            before_[0].number = 0x10'0000;
            before_[1].number = 0x20'0000;
            before_[2].number = 1;
            iteration_ += pending;
            step_ = 0;
        }
        call = call_;
        return true;
    }

private:
    void begin(ProcedureNumber number) {
        call_.procedure = model::ProcedureId{number};
        call_.stack = model::StackId{number};
        call_.event = 2 * calls_;
        call_.leave_event = 2 * calls_ + 1;
        call_.enter_ns = static_cast<std::int64_t>(calls_) * 100;
        call_.leave_ns = call_.enter_ns + 50;
        call_.before = before_;
        call_.after = after_;
        ++calls_;
    }
    void transfer(std::int64_t step) {
        begin(step % 2 == 0 ? kIrecv : kIsend);
        requests_[static_cast<std::size_t>(step)] = ++next_request_;
        before_[0].number = 0x100'0000 + 0x1000 * step;
        before_[1].number = 100;
        before_[3].number = 1;
        after_[6].number = next_request_;
    }

    std::int64_t iteration_ = -1;
    std::int64_t step_ = 0;
    std::uint64_t calls_ = 0;
    std::int64_t next_request_ = 0;
    model::RecordedCall call_;
    std::array<Value, 7> before_;
    std::array<Value, 7> after_;
    std::vector<std::int64_t> requests_;
    std::vector<std::int64_t> none_;
};

class GeneratedRun : public model::Recording {
public:
    explicit GeneratedRun(std::int64_t pending) : pending_(pending) {}
    const model::Execution& execution() const override { return execution_; }
    std::unique_ptr<model::CallStream> calls(model::ProcessId /*process*/) const override {
        return std::make_unique<GeneratedStream>(pending_);
    }

private:
    std::int64_t pending_;
    model::Execution execution_ = make_execution();
};

std::int64_t count_events(const model::Recording& run) {
    const auto stream = run.calls(model::ProcessId{0});
    std::int64_t events = 0;
    for (model::RecordedCall call; stream->next(call);)
        events += 2;
    return events;
}

/// The argument: requests that are pending at a time.
void read_only(benchmark::State& state) {
    const GeneratedRun run(state.range(0));
    std::int64_t events = 0;
    for (auto _ : state)
        events += count_events(run);
    state.SetItemsProcessed(events);
}

void check(benchmark::State& state) {
    const GeneratedRun run(state.range(0));
    const std::int64_t events = count_events(run);
    for (auto _ : state) {
        analysis::Findings findings;
        analysis::check_local(run, {}, findings);
        if (!findings.findings.empty()) state.SkipWithError("a clean run has findings");
    }
    state.SetItemsProcessed(events * state.iterations());
}

BENCHMARK(read_only)->Arg(kTransfers)->Unit(benchmark::kMillisecond);
BENCHMARK(check)->Arg(kTransfers)->Arg(100)->Arg(10'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace mqinspect
