#include <gmock/gmock.h>

#include "analysis/replay/check_replay.h"
#include "tests/support/finding_list.h"

namespace mqinspect::analysis {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A message of one MPI_INT takes four bytes: the overhead is not known here.
std::vector<std::string> buffered_lines(int processes,
                                        const std::string& statements,
                                        bool strict = false) {
    const auto recording = test::recording_of(processes, statements + "\n*: MPI_Finalize()");
    Findings findings;
    CheckOptions options;
    options.strict = strict;
    check_replay(*recording, options, findings);
    return test::lines_of(recording->execution(), findings);
}

constexpr const char* kTwo = R"(
    0: MPI_Buffer_attach(size=7) @a.c:1
    0: MPI_Bsend(dest=1, tag=1)
)";

TEST(BufferedSends, BothPending) {
    const std::string both = std::string{kTwo} + R"(
        0: MPI_Bsend(dest=1, tag=2) @a.c:2
        1: MPI_Recv(source=0, tag=1)
        1: MPI_Recv(source=0, tag=2)
    )";
    EXPECT_THAT(buffered_lines(2, both), ElementsAre("warning invalid argument: a.c:2 a.c:1"));
    EXPECT_THAT(buffered_lines(2, both, true), ElementsAre("error invalid argument: a.c:2 a.c:1"));
}

TEST(BufferedSends, TheFirstIsKnownToBeReceived) {
    EXPECT_THAT(buffered_lines(2, std::string{kTwo} + R"(
        1: MPI_Recv(source=0, tag=1)
        *: MPI_Barrier()
        0: MPI_Bsend(dest=1, tag=2)
        1: MPI_Recv(source=0, tag=2)
    )"),
                IsEmpty());
    EXPECT_THAT(buffered_lines(2, std::string{kTwo} + R"(
        0: MPI_Buffer_detach()
        0: MPI_Buffer_attach(size=7)
        0: MPI_Bsend(dest=1, tag=2)
        1: MPI_Recv(source=0, tag=1)
        1: MPI_Recv(source=0, tag=2)
    )"),
                IsEmpty());
}

// The play comes to the end of that receive after the next send.
TEST(BufferedSends, AReceiveFromAnySourceThatIsKnownToBePosted) {
    EXPECT_THAT(buffered_lines(2, std::string{kTwo} + R"(
        1: MPI_Irecv(source=MPI_ANY_SOURCE, tag=1, request=r)
        1: MPI_Send(dest=0, tag=3)
        0: MPI_Recv(source=1, tag=3)
        0: MPI_Bsend(dest=1, tag=2)
        1: MPI_Wait(request=r, status=[0, 1, 4])
        1: MPI_Recv(source=0, tag=2)
    )"),
                IsEmpty());
}

TEST(BufferedSends, MessagesToItselfAndToNobody) {
    EXPECT_THAT(buffered_lines(1, R"(
        0: MPI_Buffer_attach(size=7)
        0: MPI_Bsend(dest=0, tag=1)
        0: MPI_Bsend(dest=MPI_PROC_NULL, tag=1)
        0: MPI_Recv(source=0, tag=1)
        0: MPI_Bsend(dest=0, tag=2)
        0: MPI_Recv(source=0, tag=2)
    )"),
                IsEmpty());
}

TEST(BufferedSends, ThreeRequestsOfOneThatIsStarted) {
    EXPECT_THAT(buffered_lines(2, R"(
        0: MPI_Buffer_attach(size=11) @a.c:1
        0: MPI_Bsend_init(dest=1, tag=1, request=p) @a.c:2
        0: MPI_Start(request=p) @a.c:3
        0: MPI_Wait(request=p)
        0: MPI_Start(request=p) @a.c:4
        0: MPI_Wait(request=p)
        0: MPI_Start(request=p) @a.c:5
        0: MPI_Wait(request=p)
        0: MPI_Request_free(request=p)
        1: MPI_Recv(source=0, tag=1)
        1: MPI_Recv(source=0, tag=1)
        1: MPI_Recv(source=0, tag=1)
    )"),
                ElementsAre("warning invalid argument: a.c:5 a.c:1"));
}

}  // namespace
}  // namespace mqinspect::analysis
