#include "analysis/event_references.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/execution_builder.h"

namespace mqinspect::analysis {
namespace {

using model::ProcessId;
using ::testing::ElementsAre;
using ::testing::SizeIs;

/// All calls of the run are in question.
EventReferences references_of(const model::Recording& recording) {
    Findings findings;
    Finding all;
    for (const model::RecordedProcess& process : recording.execution().processes) {
        const auto stream = recording.calls(process.id);
        model::RecordedCall call;
        while (stream->next(call)) {
            InvolvedCall involved;
            involved.process = call.process;
            involved.thread = call.thread;
            involved.event = call.event;
            involved.procedure = call.procedure;
            involved.stack = call.stack;
            all.calls.push_back(involved);
        }
    }
    findings.findings = {all};
    return find_event_references(recording, profile(recording, findings));
}

CallKey key(int process, std::uint64_t event) {
    return {ProcessId(process), 0, event};
}

TEST(EventReferences, OfABlockingMessageAreItsOwnEventsAndThePartner) {
    const auto recording = test::recording_of(2, R"(
        0: MPI_Send(dest=1, tag=5)
        1: MPI_Recv(source=0, tag=5)
    )");

    const EventReferences references = references_of(*recording);

    const auto& send = references.operations.at(key(0, 0));
    ASSERT_THAT(send, SizeIs(1));
    EXPECT_EQ(send[0].start, key(0, 0));
    EXPECT_EQ(send[0].finish_event, 1U);
    EXPECT_THAT(send[0].matched, ElementsAre(key(1, 0)));
    EXPECT_THAT(references.operations.at(key(1, 0))[0].matched, ElementsAre(key(0, 0)));
}

TEST(EventReferences, OfACompletionLeadToTheStart) {
    const auto recording = test::recording_of(2, R"(
        0: MPI_Isend(dest=1, tag=5, request=r)
        0: MPI_Wait(request=r)
        1: MPI_Recv(source=0, tag=5)
    )");

    const EventReferences references = references_of(*recording);

    const auto& wait = references.operations.at(key(0, 2));
    ASSERT_THAT(wait, SizeIs(1));
    EXPECT_EQ(wait[0].init, key(0, 0));
    EXPECT_EQ(wait[0].start, key(0, 0));
    EXPECT_EQ(wait[0].finish, key(0, 2));
    EXPECT_THAT(wait[0].matched, ElementsAre(key(1, 0)));
    EXPECT_EQ(references.operations.at(key(0, 0))[0].finish_event, 3U);
}

TEST(EventReferences, OfAPersistentRequestTellItsMakingFromItsStart) {
    const auto recording = test::recording_of(2, R"(
        0: MPI_Send_init(dest=1, tag=5, request=r)
        0: MPI_Start(request=r)
        0: MPI_Wait(request=r)
        1: MPI_Recv(source=0, tag=5)
    )");

    const EventReferences references = references_of(*recording);

    const auto& start = references.operations.at(key(0, 2));
    ASSERT_THAT(start, SizeIs(1));
    EXPECT_EQ(start[0].init, key(0, 0));
    EXPECT_EQ(start[0].start, key(0, 2));
    EXPECT_EQ(start[0].finish, key(0, 4));
    EXPECT_THAT(start[0].matched, ElementsAre(key(1, 0)));
}

TEST(EventReferences, CountWhatIsOpenAtTheEnd) {
    const auto recording = test::recording_of(2, R"(
        0: MPI_Isend(dest=1, tag=5, request=r)
        0: MPI_Irecv(source=1, tag=6, request=s)
        0: MPI_Send(dest=1, tag=7) = -
        1: MPI_Irecv(source=0, tag=5, request=t)
        1: MPI_Wait(request=t)
    )");

    const EventReferences references = references_of(*recording);

    EXPECT_EQ(references.open[0].sends, 2U);
    EXPECT_EQ(references.open[0].receives, 1U);
    EXPECT_EQ(references.open[1].sends, 0U);
    EXPECT_EQ(references.open[1].receives, 0U);
}

TEST(EventReferences, OfCollectiveCallsAreTheirNumber) {
    const auto recording = test::recording_of(2, R"(
        *: MPI_Barrier()
        *: MPI_Bcast(root=0)
        0: MPI_Barrier() = -
    )");

    const EventReferences references = references_of(*recording);

    const auto& second = references.operations.at(key(1, 2))[0].collective;
    ASSERT_TRUE(second);
    EXPECT_EQ(second->number, references.operations.at(key(0, 2))[0].collective->number);
    EXPECT_TRUE(second->whole);
    const auto& third = references.operations.at(key(0, 4))[0];
    ASSERT_TRUE(third.collective);
    EXPECT_FALSE(third.collective->whole);
    EXPECT_FALSE(third.finish);
}

TEST(EventReferences, KeepTheCallsThatNoFindingIsAbout) {
    const auto recording = test::recording_of(2, R"(
        0: MPI_Isend(dest=1, tag=5, request=r)
        0: MPI_Wait(request=r)
        1: MPI_Recv(source=0, tag=5)
    )");
    Findings findings;
    Finding about_wait;
    InvolvedCall wait;
    wait.process = ProcessId(0);
    wait.event = 2;
    wait.procedure = model::ProcedureId(0);
    about_wait.calls = {wait};
    findings.findings = {about_wait};

    const EventReferences references =
        find_event_references(*recording, profile(*recording, findings));

    EXPECT_TRUE(references.calls.contains(key(0, 0)));
    EXPECT_TRUE(references.calls.contains(key(1, 0)));
    EXPECT_FALSE(references.calls.contains(key(0, 2)));
}

}  // namespace
}  // namespace mqinspect::analysis
