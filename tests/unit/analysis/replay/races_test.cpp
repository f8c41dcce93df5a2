#include <gmock/gmock.h>

#include "analysis/replay/check_replay.h"
#include "tests/support/finding_list.h"

namespace mqinspect::analysis {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> messages;

std::vector<std::string> race_lines(int processes, const std::string& statements) {
    const auto recording = test::recording_of(processes, statements + "\n*: MPI_Finalize()");
    Findings findings;
    check_replay(*recording, {}, findings);
    messages.clear();
    for (const Finding& finding : findings.findings)
        messages.push_back(finding.message);
    return test::lines_of(recording->execution(), findings);
}

TEST(MessageRace, WithANamedReceiveCanHang) {
    EXPECT_THAT(
        race_lines(3, R"(
        1: MPI_Send(dest=0) @a.c:1
        2: MPI_Send(dest=0) @a.c:2
        0: MPI_Recv(source=MPI_ANY_SOURCE, status=[2, 0]) @a.c:3
        0: MPI_Recv(source=1) @a.c:4
    )"),
        ElementsAre("warning potential hang-up: a.c:4", "warning message race: a.c:3 a.c:2 a.c:1"));
    EXPECT_THAT(messages[0], HasSubstr("takes the message of rank 1 instead of that of rank 2"));
}

TEST(MessageRace, OfAPendingWildcardWithALaterNamedReceive) {
    EXPECT_THAT(race_lines(3, R"(
        1: MPI_Send(dest=0) @a.c:1
        2: MPI_Send(dest=0) @a.c:2
        0: MPI_Irecv(source=MPI_ANY_SOURCE, request=r) @a.c:3
        0: MPI_Recv(source=1) @a.c:4
        0: MPI_Wait(request=r, status=[2, 0])
    )"),
                ::testing::Contains("warning message race: a.c:3 a.c:2 a.c:1"));
}

TEST(MessageRace, OfTwoWildcardsDoesNotHang) {
    // The one takes what the other took: only the room differs.
    EXPECT_THAT(race_lines(3, R"(
        1: MPI_Send(dest=0) @a.c:1
        2: MPI_Send(dest=0, count=2) @a.c:2
        0: MPI_Recv(source=MPI_ANY_SOURCE, status=[1, 0]) @a.c:3
        0: MPI_Recv(source=MPI_ANY_SOURCE, count=2, status=[2, 0]) @a.c:4
    )"),
                ElementsAre("warning message race: a.c:3 a.c:1 a.c:2"));
}

TEST(MessageRace, NotWithAMessageThatAnErrorHasKeptFromBeingReceived) {
    const auto recording = test::recording_of(3, R"(
        1: MPI_Send(dest=0) @a.c:1
        2: MPI_Send(dest=0) @a.c:2
        0: MPI_Recv(source=MPI_ANY_SOURCE, status=[1, 0]) @a.c:3
        0: MPI_Send(dest=1, count=-1) = - @a.c:4
        0: error 15 MPI_ERR_COUNT negative
        1,2: MPI_Finalize() = -
    )");
    Findings findings;
    check_replay(*recording, {}, findings);

    EXPECT_THAT(test::lines_of(recording->execution(), findings),
                ::testing::Not(::testing::Contains(HasSubstr("message race"))));
}

TEST(MessageRace, OfMatchedProbesIsANoteWhateverTheRoom) {
    EXPECT_THAT(race_lines(3, R"(
        1: MPI_Send(dest=0) @a.c:1
        2: MPI_Send(dest=0, count=2) @a.c:2
        0: MPI_Mprobe(source=MPI_ANY_SOURCE, message=m1, status=[1, 0]) @a.c:3
        0: MPI_Mrecv(count=1, message=m1) @a.c:4
        0: MPI_Mprobe(source=MPI_ANY_SOURCE, message=m2, status=[2, 0]) @a.c:3
        0: MPI_Mrecv(count=2, message=m2) @a.c:4
    )"),
                ElementsAre("note message race: a.c:3 a.c:1 a.c:2"));
}

TEST(MessageRace, NotWhereTheOrderIsGiven) {
    // The second sender knows that the first message has been received.
    EXPECT_THAT(race_lines(3, R"(
        2: MPI_Send(dest=0)
        0: MPI_Recv(source=MPI_ANY_SOURCE, status=[2, 0])
        0: MPI_Send(dest=1, tag=9)
        1: MPI_Recv(source=0, tag=9)
        1: MPI_Send(dest=0)
        0: MPI_Recv(source=1)
    )"),
                IsEmpty());
    EXPECT_THAT(race_lines(3, R"(
        2: MPI_Send(dest=0)
        0: MPI_Recv(source=MPI_ANY_SOURCE, status=[2, 0])
        *: MPI_Barrier()
        1: MPI_Send(dest=0)
        0: MPI_Recv(source=1)
    )"),
                IsEmpty());
    // Another tag.
    EXPECT_THAT(race_lines(3, R"(
        2: MPI_Send(dest=0)
        1: MPI_Send(dest=0, tag=1)
        0: MPI_Recv(source=MPI_ANY_SOURCE, status=[2, 0])
        0: MPI_Recv(source=1, tag=1)
    )"),
                IsEmpty());
}

TEST(MessageRace, NotBehindASynchronousSendThatHasBeenTaken) {
    const auto relay = [](const std::string& send) {
        return race_lines(3, "0: " + send + " @a.c:1\n" + R"(
        0: MPI_Send(dest=1)
        1: MPI_Recv(source=0)
        1: MPI_Send(dest=2) @a.c:2
        2: MPI_Recv(source=MPI_ANY_SOURCE, status=[0, 0]) @a.c:3
        2: MPI_Recv(source=MPI_ANY_SOURCE, status=[1, 0]) @a.c:4
    )");
    };
    EXPECT_THAT(relay("MPI_Ssend(dest=2)"), IsEmpty());
    EXPECT_THAT(relay("MPI_Issend(dest=2, request=r)\n0: MPI_Wait(request=r)"), IsEmpty());
    EXPECT_THAT(relay("MPI_Send(dest=2)"), ElementsAre("note message race: a.c:3 a.c:1 a.c:2"));
}

TEST(MessageRace, OfMasterAndWorkersIsOneNote) {
    EXPECT_THAT(race_lines(3, R"(
        1: MPI_Send(dest=0) @a.c:1
        2: MPI_Send(dest=0) @a.c:1
        0: MPI_Recv(source=MPI_ANY_SOURCE, status=[1, 0]) @a.c:2
        0: MPI_Send(dest=1, tag=1)
        0: MPI_Recv(source=MPI_ANY_SOURCE, status=[2, 0]) @a.c:2
        0: MPI_Send(dest=2, tag=1)
        1-2: MPI_Recv(source=0, tag=1)
        1: MPI_Send(dest=0) @a.c:1
        2: MPI_Send(dest=0) @a.c:1
        0: MPI_Recv(source=MPI_ANY_SOURCE, status=[1, 0]) @a.c:2
        0: MPI_Recv(source=MPI_ANY_SOURCE, status=[2, 0]) @a.c:2
    )"),
                ElementsAre("note message race: a.c:2 a.c:1 a.c:1"));
}

TEST(MessageRace, OfHeaderAndContentIsANote) {
    // What comes after the header is asked of its sender, with the same tag.
    EXPECT_THAT(race_lines(3, R"(
        1-2: MPI_Send(dest=0) @a.c:1
        1-2: MPI_Send(dest=0) @a.c:2
        0: MPI_Recv(source=MPI_ANY_SOURCE, status=[1, 0]) @a.c:3
        0: MPI_Recv(source=1) @a.c:4
        0: MPI_Recv(source=MPI_ANY_SOURCE, status=[2, 0]) @a.c:3
        0: MPI_Recv(source=2) @a.c:4
    )"),
                ElementsAre("note message race: a.c:3 a.c:1 a.c:1"));
}

TEST(MessageRace, WithAMessageThatNobodyTakes) {
    EXPECT_THAT(race_lines(3, R"(
        1: MPI_Bsend(dest=0) @a.c:1
        2: MPI_Bsend(dest=0) @a.c:2
        0: MPI_Recv(source=MPI_ANY_SOURCE, status=[2, 0]) @a.c:3
    )"),
                ElementsAre("warning message race: a.c:3 a.c:2 a.c:1"));
}

TEST(MessageRace, OfNonblockingReceives) {
    EXPECT_THAT(race_lines(3, R"(
        0: MPI_Irecv(source=MPI_ANY_SOURCE, request=r) @a.c:1
        0: MPI_Irecv(source=1, request=s) @a.c:2
        1: MPI_Send(dest=0) @a.c:3
        2: MPI_Send(dest=0) @a.c:4
        0: MPI_Wait(request=r, status=[2, 0])
        0: MPI_Wait(request=s)
    )"),
                ElementsAre(HasSubstr("warning potential hang-up"),
                            "warning message race: a.c:1 a.c:4 a.c:3"));
}

}  // namespace
}  // namespace mqinspect::analysis
