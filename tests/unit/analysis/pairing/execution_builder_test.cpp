#include "tests/support/execution_builder.h"

#include <stdexcept>

#include <gmock/gmock.h>

#include "tests/support/execution_datatypes.h"

namespace mqinspect::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct Seen {
    model::RecordedCall call;
    const model::Procedure* procedure;

    std::int64_t in(model::Role role) const {
        return model::value_of(*procedure, call.before, role)->number;
    }
    const model::Value& out(model::Role role) const {
        return *model::value_of(*procedure, call.after, role);
    }
};

class Reader {
public:
    Reader(const model::Recording& recording, int process)
        : execution_(recording.execution()), stream_(recording.calls(model::ProcessId{process})) {}

    Seen next() {
        Seen seen;
        EXPECT_TRUE(stream_->next(seen.call));
        seen.procedure = &execution_.procedures.at(seen.call.procedure.index());
        return seen;
    }

private:
    const model::Execution& execution_;
    std::unique_ptr<model::CallStream> stream_;
};

TEST(ExecutionBuilder, ReadsCallsWithDefaults) {
    const auto recording = recording_of(2, R"(
        0: MPI_Send(dest=1, count=4, tag=7) @a.c:10
        1: MPI_Recv(source=0, count=4, tag=7) = - @a.c:20
    )");

    Reader sender(*recording, 0);
    Reader receiver(*recording, 1);

    const Seen send = sender.next();
    EXPECT_EQ(send.procedure->name, "MPI_Send");
    EXPECT_EQ(send.in(model::Role::Destination), 1);
    EXPECT_EQ(send.in(model::Role::Count), 4);
    EXPECT_EQ(send.in(model::Role::Buffer), 0x1000);
    EXPECT_EQ(place_of(recording->execution(), send.call.stack), "a.c:10");
    EXPECT_TRUE(send.call.leave_event.has_value());
    const Seen receive = receiver.next();
    EXPECT_FALSE(receive.call.leave_event.has_value());
    EXPECT_EQ(place_of(recording->execution(), receive.call.stack), "a.c:20");
}

TEST(ExecutionBuilder, CompletesRequestsAndFillsStatuses) {
    const auto recording = recording_of(2, R"(
        0: MPI_Irecv(source=1, tag=3, count=2, request=r1)
        0: MPI_Recv_init(source=MPI_ANY_SOURCE, tag=3, request=p1)
        0: MPI_Start(request=p1)
        0: MPI_Waitall(count=2, array_of_requests=[r1, p1])
        0: MPI_Test(request=p1, status=[1, 3, 4])
    )");
    Reader reader(*recording, 0);

    const std::int64_t first = reader.next().out(model::Role::Request).number;
    const std::int64_t second = reader.next().out(model::Role::Request).number;
    reader.next();
    const Seen wait = reader.next();

    EXPECT_NE(first, second);
    EXPECT_THAT(wait.out(model::Role::Requests).list, ElementsAre(model::kNullHandle, second));
    EXPECT_THAT(wait.out(model::Role::Statuses).list, ElementsAre(1, 3, 0, 8, 0));
    EXPECT_THAT(reader.next().out(model::Role::Status).list, ElementsAre(1, 3, 0, 4, 0));
}

TEST(ExecutionBuilder, KnowsTheStatusOfNamedSourcesOnly) {
    const auto recording = recording_of(2, R"(
        0: MPI_Recv(source=1, tag=3)
        0: MPI_Recv(source=MPI_ANY_SOURCE, tag=3)
    )");
    Reader reader(*recording, 0);

    EXPECT_THAT(reader.next().out(model::Role::Status).list, ElementsAre(1, 3, 0, 4, 0));
    EXPECT_THAT(reader.next().out(model::Role::Status).list, IsEmpty());
}

TEST(ExecutionBuilder, MeasuresDatatypes) {
    const auto recording = recording_of(1, R"(
        datatype vec = MPI_COMBINER_VECTOR(2,1,3; ; MPI_INT)
        datatype both = MPI_COMBINER_STRUCT(2,1,1; 0,8; MPI_CHAR, vec)
    )");
    const auto& types = recording->execution().datatypes;

    EXPECT_EQ(types.back().size, 9);
    EXPECT_EQ(types.back().extent, 24);
    EXPECT_EQ(types[types.size() - 2].extent, 16);
    EXPECT_THAT(type_map(types, types.back().id), SizeIs(3));
}

TEST(ExecutionBuilder, TellsHowProcessesEnded) {
    const auto recording = recording_of(3, R"(
        0: MPI_Finalize()
        1: MPI_Finalize() = -
        2: signal 11
    )");
    const auto& processes = recording->execution().processes;

    EXPECT_EQ(processes[0].termination.kind, model::Termination::Kind::Finalized);
    EXPECT_EQ(processes[1].termination.kind, model::Termination::Kind::Killed);
    EXPECT_EQ(processes[2].termination.kind, model::Termination::Kind::Crashed);
}

TEST(ExecutionBuilder, RefusesWhatItDoesNotUnderstand) {
    EXPECT_THROW(recording_of(1, "0: MPI_Send(destination=1)"), std::invalid_argument);
    EXPECT_THROW(recording_of(1, "0: MPI_Nothing()"), std::invalid_argument);
    EXPECT_THROW(recording_of(1, "0: MPI_Barrier() = -\n0: MPI_Barrier()"), std::invalid_argument);
}

}  // namespace
}  // namespace mqinspect::test
