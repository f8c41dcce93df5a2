#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/analysis/local/summary.h"

namespace mqinspect::analysis::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

/// A thread of process 0 probes and receives with `mine`, while another one is in `other`.
std::vector<std::string> check_beside(const std::string& mine, const std::string& other) {
    return check(2,
                 R"(
        0: threads MPI_THREAD_MULTIPLE
        *: MPI_Init()
        1: MPI_Send(dest=0, tag=7)
        0: MPI_Probe(source=1, tag=7, status=[1, 7]) @a.c:1
        0/1: )" + other +
                     R"( = - @a.c:3
        0: )" + mine +
                     R"( @a.c:2
    )");
}

constexpr const char* kRace = "message race 0: MPI_Probe a.c:1, MPI_Recv a.c:2, MPI_Recv a.c:3";

TEST(ProbeRaces, AnotherThreadMayTakeTheMessage) {
    const std::string mine = "MPI_Recv(source=1, tag=7)";
    EXPECT_THAT(check_beside(mine, "MPI_Recv(source=1, tag=7)"), Contains(HasSubstr(kRace)));
    EXPECT_THAT(check_beside("MPI_Recv(source=MPI_ANY_SOURCE, tag=MPI_ANY_TAG, status=[1, 7])",
                             "MPI_Recv(source=MPI_ANY_SOURCE, tag=7)"),
                Contains(HasSubstr(kRace)));
}

TEST(ProbeRaces, AnotherThreadReceivesOthers) {
    const std::string mine = "MPI_Recv(source=1, tag=7)";
    EXPECT_THAT(check_beside(mine, "MPI_Recv(source=1, tag=8)"),
                Not(Contains(HasSubstr("message race"))));
    EXPECT_THAT(check_beside(mine, "MPI_Recv(source=0, tag=7)"),
                Not(Contains(HasSubstr("message race"))));
    // Who only looks leaves the message to the other one.
    EXPECT_THAT(check_beside("MPI_Recv(source=1, tag=9)", "MPI_Recv(source=1, tag=7)"),
                Not(Contains(HasSubstr("message race"))));
}

TEST(ProbeRaces, OneAfterTheOther) {
    EXPECT_THAT(check(2, R"(
        0: threads MPI_THREAD_MULTIPLE
        *: MPI_Init()
        0: MPI_Probe(source=1, tag=7, status=[1, 7])
        0: MPI_Recv(source=1, tag=7)
        0/1: MPI_Probe(source=1, tag=7, status=[1, 7])
        0/1: MPI_Recv(source=1, tag=7)
    )"),
                Not(Contains(HasSubstr("message race"))));
}

}  // namespace
}  // namespace mqinspect::analysis::test
