#include "analysis/run_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/execution_builder.h"

namespace mqinspect::analysis {
namespace {

using ::testing::ElementsAre;

TEST(RunProfile, CountsOperationsAndKnowsTheLastCall) {
    const auto recording = test::recording_of(2, R"(
        0: MPI_Send(dest=1) @a.c:1
        0: MPI_Isend(dest=1, request=r1) @a.c:2
        0: MPI_Wait(request=r1) @a.c:3
        1: MPI_Recv(source=0) @a.c:4
        1: MPI_Sendrecv(dest=1, source=1) @a.c:5
        *: MPI_Barrier() @a.c:6
        0: MPI_Recv(source=1) @a.c:7 = -
    )");

    const RunProfile result = profile(*recording, {});

    EXPECT_EQ(result.processes[0].sends, 2U);
    EXPECT_EQ(result.processes[0].receives, 1U);
    EXPECT_EQ(result.processes[0].collectives, 1U);
    EXPECT_EQ(result.processes[1].sends, 1U);
    EXPECT_EQ(result.processes[1].receives, 2U);
    ASSERT_TRUE(result.processes[0].last);
    EXPECT_EQ(test::place_of(recording->execution(), result.processes[0].last->call.stack),
              "a.c:7");
    EXPECT_FALSE(result.processes[0].last->call.leave_event);
}

TEST(RunProfile, KeepsTheCallsOfFindingsWithTheirMultiplicity) {
    const auto recording = test::recording_of(1, R"(
        0: MPI_Send(dest=0, tag=1) @a.c:1
        0: MPI_Send(dest=0, tag=2) @a.c:1
        0: MPI_Send(dest=0, tag=3) @a.c:1
    )");
    Findings findings;
    Finding finding;
    InvolvedCall involved;
    involved.event = 2;
    finding.calls.push_back(involved);
    findings.findings.push_back(finding);

    const RunProfile result = profile(*recording, findings);

    ASSERT_EQ(result.involved.size(), 1U);
    const KeptCall& kept = result.involved.begin()->second;
    EXPECT_EQ(kept.call.event, 2U);
    EXPECT_EQ(kept.multiplicity, 2U);
    const auto& procedure = recording->execution().procedures[kept.call.procedure.index()];
    const auto tag = procedure.by_role[static_cast<std::size_t>(model::Role::Tag)];
    EXPECT_THAT(kept.before[static_cast<std::size_t>(tag)], ElementsAre(2));
}

// Counts the streams that are opened.
class CountingRecording : public model::Recording {
public:
    explicit CountingRecording(const model::Recording& recording) : recording_(recording) {}
    const model::Execution& execution() const override { return recording_.execution(); }
    std::unique_ptr<model::CallStream> calls(model::ProcessId process) const override {
        ++streams;
        return recording_.calls(process);
    }
    mutable int streams = 0;

private:
    const model::Recording& recording_;
};

void read(const model::Recording& recording, int calls) {
    const auto stream = recording.calls(model::ProcessId(0));
    model::RecordedCall call;
    while (calls-- > 0 && stream->next(call)) {
    }
}

TEST(ProfiledRecording, CountsWhatIsReadForSomethingElse) {
    const auto recording = test::recording_of(1, R"(
        0: MPI_Send(dest=0, tag=1) @a.c:1
        0: MPI_Recv(source=0, tag=1) @a.c:2
    )");
    const CountingRecording counting(*recording);
    const ProfiledRecording profiled(counting);

    read(profiled, 3);
    read(profiled, 3);
    const RunProfile result = profiled.profile({});

    EXPECT_EQ(counting.streams, 2);
    EXPECT_EQ(result.processes[0].calls, 2U);
    EXPECT_EQ(result.processes[0].sends, 1U);
    EXPECT_EQ(result.processes[0].receives, 1U);
}

TEST(ProfiledRecording, ReadsWhatNobodyHasReadToItsEnd) {
    const auto recording = test::recording_of(1, R"(
        0: MPI_Send(dest=0, tag=1) @a.c:1
        0: MPI_Recv(source=0, tag=1) @a.c:2
    )");
    const ProfiledRecording profiled(*recording);

    read(profiled, 1);

    EXPECT_EQ(profiled.profile({}).processes[0].calls, 2U);
}

}  // namespace
}  // namespace mqinspect::analysis
