// The checks between the processes of a recorded run, on runs that are made up as they are read.
// Events are entries and returns: two for each call. The floor is the time to read the streams.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "analysis/pairing/check_pairing.h"
#include "analysis/replay/check_replay.h"
#include "model/execution.h"

namespace mqinspect {
namespace {

using model::Direction;
using model::ParameterKind;
using model::RecordedCall;
using model::Value;

/// What the processes of a made-up run do, over and over.
enum class Program {
    Halo,          ///< Irecv and Isend with both neighbours, Waitall; Allreduce each tenth time
    MasterWorker,  ///< the workers send, rank 0 receives from any source
};

constexpr std::int64_t kTwoNeighbours = 2;

model::Procedure make_procedure(const std::string& name, std::vector<model::Parameter> parameters) {
    model::Procedure procedure;
    procedure.name = name;
    procedure.function = *model::find_mpi_function(name);
    procedure.parameters = std::move(parameters);
    model::assign_roles(procedure);
    return procedure;
}

enum ProcedureNumber { kIsend, kIrecv, kWaitall, kAllreduce, kSend, kRecv, kFinalize };

model::Execution make_execution(int processes) {
    model::Execution execution;
    model::RecordedCommunicator world;
    world.id = model::CommunicatorId{0};
    world.name = world.constructor = "MPI_COMM_WORLD";
    for (int rank = 0; rank < processes; ++rank) {
        model::RecordedProcess process;
        process.id = model::ProcessId{rank};
        process.rank = model::WorldRank{rank};
        process.world_size = processes;
        process.termination.kind = model::Termination::Kind::Finalized;
        execution.processes.push_back(process);
        world.members.push_back(process.id);
    }
    execution.communicators.push_back(world);
    model::RecordedDatatype integer;
    integer.name = "MPI_INT";
    integer.combiner = "MPI_COMBINER_NAMED";
    integer.size = integer.extent = integer.true_extent = 4;
    execution.datatypes.push_back(integer);
    execution.operators.push_back({"MPI_SUM", true, ""});
    const auto in = [](const char* name, ParameterKind kind) {
        return model::Parameter{name, kind, Direction::In, model::Role::Other};
    };
    const auto out = [](const char* name, ParameterKind kind, Direction direction) {
        return model::Parameter{name, kind, direction, model::Role::Other};
    };
    using enum ParameterKind;
    const auto message = [&](const char* peer) {
        return std::vector{in("buf", Buffer),
                           in("count", Count),
                           in("datatype", Datatype),
                           in(peer, Rank),
                           in("tag", Tag),
                           in("comm", Communicator)};
    };
    const auto with = [](std::vector<model::Parameter> parameters, model::Parameter last) {
        parameters.push_back(std::move(last));
        return parameters;
    };
    execution.procedures = {
        make_procedure("MPI_Isend", with(message("dest"), out("request", Request, Direction::Out))),
        make_procedure("MPI_Irecv",
                       with(message("source"), out("request", Request, Direction::Out))),
        make_procedure("MPI_Waitall",
                       {in("count", Count),
                        out("array_of_requests", RequestList, Direction::InOut),
                        out("array_of_statuses", StatusList, Direction::Out)}),
        make_procedure("MPI_Allreduce",
                       {in("sendbuf", Buffer),
                        in("recvbuf", Buffer),
                        in("count", Count),
                        in("datatype", Datatype),
                        in("op", Operator),
                        in("comm", Communicator)}),
        make_procedure("MPI_Send", message("dest")),
        make_procedure("MPI_Recv", with(message("source"), out("status", Status, Direction::Out))),
        make_procedure("MPI_Finalize", {}),
    };
    execution.stacks.resize(8);
    return execution;
}

class GeneratedStream : public model::CallStream {
public:
    GeneratedStream(Program program, int rank, int processes, std::int64_t iterations)
        : program_(program), rank_(rank), processes_(processes), iterations_(iterations) {
        call_.process = model::ProcessId{rank};
    }

    bool next(RecordedCall& call) override {
        if (iteration_ > iterations_) return false;
        before_ = {};
        after_ = {};
        call_.leave_event = 2 * number_ + 1;
        call_.event = 2 * number_++;
        call_.enter_ns = static_cast<std::int64_t>(number_) * 100 + rank_;
        call_.leave_ns = call_.enter_ns + 50;
        call_.before = {before_.data(), 7};
        call_.after = {after_.data(), 7};
        if (iteration_ == iterations_) {
            set(kFinalize);
            ++iteration_;
        } else if (program_ == Program::Halo) {
            halo();
        } else {
            master_worker();
        }
        call = call_;
        return true;
    }

private:
    void set(ProcedureNumber procedure) {
        call_.procedure = model::ProcedureId{procedure};
        call_.stack = model::StackId{procedure};
    }
    void message(ProcedureNumber procedure, std::int64_t peer) {
        set(procedure);
        before_[0].number = 0x1000;
        before_[1].number = 10;
        before_[3].number = peer;
    }
    void halo() {
        const std::int64_t left = (rank_ + processes_ - 1) % processes_;
        const std::int64_t right = (rank_ + 1) % processes_;
        if (step_ < 2 * kTwoNeighbours) {
            const bool receives = step_ < kTwoNeighbours;
            message(receives ? kIrecv : kIsend, (step_ % 2 == 0) == receives ? left : right);
            requests_[step_] = static_cast<std::int64_t>(++next_request_);
            after_[6].number = requests_[step_];
            before_[4].number = step_ % 2;
        } else if (step_ == 2 * kTwoNeighbours) {
            set(kWaitall);
            before_[0].number = 4;
            before_[1].list = requests_;
            after_[2].list = statuses_;
        } else {
            set(kAllreduce);
            before_[2].number = 1;
        }
        if (++step_ <= (iteration_ % 10 == 9 ? 5U : 4U)) return;
        step_ = 0;
        ++iteration_;
    }
    void master_worker() {
        if (rank_ == 0) {
            message(kRecv, model::kAnySource);
            statuses_[0] = step_ + 1;
            statuses_[1] = 0;
            after_[6].list = {statuses_.data(), model::kStatusValues};
            if (static_cast<int>(++step_) < processes_ - 1) return;
            step_ = 0;
        } else {
            message(kSend, 0);
        }
        ++iteration_;
    }

    Program program_;
    std::int64_t rank_;
    int processes_;
    std::int64_t iterations_;
    std::int64_t iteration_ = 0;
    unsigned step_ = 0;
    std::uint64_t number_ = 0;
    std::uint64_t next_request_ = 0;
    RecordedCall call_;
    std::array<Value, 8> before_;
    std::array<Value, 8> after_;
    std::array<std::int64_t, 4> requests_{};
    std::array<std::int64_t, 4 * model::kStatusValues> statuses_{};
};

class GeneratedRun : public model::Recording {
public:
    GeneratedRun(Program program, int processes, std::int64_t iterations)
        : program_(program), iterations_(iterations), execution_(make_execution(processes)) {}

    const model::Execution& execution() const override { return execution_; }
    std::unique_ptr<model::CallStream> calls(model::ProcessId process) const override {
        return std::make_unique<GeneratedStream>(
            program_, process.value, static_cast<int>(execution_.processes.size()), iterations_);
    }

    std::int64_t events() const {
        std::int64_t count = 0;
        for (const model::RecordedProcess& process : execution_.processes) {
            const auto stream = calls(process.id);
            for (RecordedCall call; stream->next(call);)
                count += 2;
        }
        return count;
    }

private:
    Program program_;
    std::int64_t iterations_;
    model::Execution execution_;
};

template <class Check>
void run(benchmark::State& state, Check check) {
    const auto program = static_cast<Program>(state.range(0));
    const auto processes = static_cast<int>(state.range(1));
    const GeneratedRun recording(program, processes, 200'000 / processes);
    const std::int64_t events = recording.events();
    std::size_t found = 0;
    for (auto _ : state) {
        analysis::Findings findings;
        check(recording, findings);
        found += findings.findings.size();
    }
    state.SetItemsProcessed(state.iterations() * events);
    state.counters["findings"] =
        static_cast<double>(found) / static_cast<double>(state.iterations());
}

void read_streams(benchmark::State& state) {
    run(state, [](const GeneratedRun& recording, analysis::Findings&) {
        benchmark::DoNotOptimize(recording.events());
    });
}
void pairing(benchmark::State& state) {
    run(state, [](const GeneratedRun& recording, analysis::Findings& findings) {
        check_pairing(recording, {}, findings);
    });
}
void replay(benchmark::State& state) {
    run(state, [](const GeneratedRun& recording, analysis::Findings& findings) {
        check_replay(recording, {}, findings);
    });
}
void pairing_and_replay(benchmark::State& state) {
    run(state, [](const GeneratedRun& recording, analysis::Findings& findings) {
        check_pairing_and_replay(recording, {}, findings);
    });
}

void sizes(benchmark::internal::Benchmark* bench) {
    bench->ArgNames({"program", "processes"})->Unit(benchmark::kMillisecond);
    for (const int processes : {4, 64})
        for (const Program program : {Program::Halo, Program::MasterWorker})
            bench->Args({static_cast<int>(program), processes});
}
BENCHMARK(read_streams)->Apply(sizes);
BENCHMARK(pairing)->Apply(sizes);
BENCHMARK(replay)->Apply(sizes);
BENCHMARK(pairing_and_replay)->Apply(sizes);

}  // namespace
}  // namespace mqinspect
