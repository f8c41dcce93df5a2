#include <gmock/gmock.h>

#include "tests/unit/analysis/pairing/checked.h"

namespace mqinspect::analysis {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Two groups of two processes, with what each gives.
Checked sides(const std::string& one, const std::string& other) {
    return Checked(4,
                   "communicator a members=[0,1]\ncommunicator b members=[2,3]\n"
                   "communicator peers members=[0,1,2,3]\n"
                   "0-1: MPI_Intercomm_create(local_comm=a, local_leader=0, " +
                       one +
                       ") = - @a.c:1\n2-3: MPI_Intercomm_create(local_comm=b, local_leader=0, " +
                       other + ") = - @a.c:2");
}

void expect_mismatch(const Checked& run, const std::string& difference) {
    EXPECT_THAT(run.lines, ElementsAre("error invalid argument: a.c:1 a.c:2 a.c:1 a.c:2"));
    EXPECT_THAT(run.message(), HasSubstr(difference));
}

TEST(IntercommCreate, HasTwoSides) {
    expect_mismatch(sides("peer_comm=MPI_COMM_WORLD, remote_leader=2, tag=1",
                          "peer_comm=MPI_COMM_WORLD, remote_leader=0, tag=2"),
                    "do not meet: rank 0 gives tag 1, rank 2 gives tag 2.");
    expect_mismatch(
        sides("peer_comm=peers, remote_leader=2", "peer_comm=MPI_COMM_WORLD, remote_leader=0"),
        "rank 2 gives MPI_COMM_WORLD");
    expect_mismatch(sides("peer_comm=MPI_COMM_WORLD, remote_leader=3",
                          "peer_comm=MPI_COMM_WORLD, remote_leader=0"),
                    "rank 0 gives rank 3 as the remote leader, but the leader of "
                    "that group is rank 2.");
    expect_mismatch(sides("peer_comm=MPI_COMM_WORLD, remote_leader=1",
                          "peer_comm=MPI_COMM_WORLD, remote_leader=0"),
                    "rank 0 gives rank 1 of its own group");
    EXPECT_THAT(sides("peer_comm=MPI_COMM_WORLD, remote_leader=2",
                      "peer_comm=MPI_COMM_WORLD, remote_leader=0")
                    .lines,
                Each(StartsWith("error unfinished gop:")));
}

/// The same from groups.
Checked group_sides(const std::string& one, const std::string& other) {
    return Checked(4,
                   "0-1: MPI_Intercomm_create_from_groups(local_group=[0, 1], local_leader=0, " +
                       one +
                       ") = - @a.c:1\n2-3: MPI_Intercomm_create_from_groups(local_group=[2, 3], "
                       "local_leader=0, " +
                       other + ") = - @a.c:2");
}

TEST(IntercommCreate, FromGroupsHasTwoSides) {
    expect_mismatch(group_sides("remote_group=[2, 3], remote_leader=0, stringtag=a",
                                "remote_group=[0, 1], remote_leader=0, stringtag=b"),
                    "do not meet: rank 0 gives tag \"a\", rank 2 gives tag \"b\".");
    expect_mismatch(group_sides("remote_group=[2, 3], remote_leader=1, stringtag=a",
                                "remote_group=[0, 1], remote_leader=0, stringtag=a"),
                    "rank 0 gives rank 3 as the remote leader, but the leader of that group is "
                    "rank 2.");
    expect_mismatch(group_sides("remote_group=[2, 3], remote_leader=0, stringtag=a",
                                "remote_group=[0], remote_leader=0, stringtag=a"),
                    "rank 2 gives {0} as the remote group, but that of rank 0 is {0, 1}.");
    EXPECT_THAT(group_sides("remote_group=[2, 3], remote_leader=0, stringtag=a",
                            "remote_group=[0, 1], remote_leader=0, stringtag=a")
                    .lines,
                Each(StartsWith("error unfinished gop:")));
}

TEST(IntercommCreate, HasOneLeaderOnEachSide) {
    const Checked run(3, R"(
        communicator a members=[0,1]
        0: MPI_Intercomm_create(local_comm=a, local_leader=0, peer_comm=MPI_COMM_WORLD, remote_leader=2) @a.c:1
        1: MPI_Intercomm_create(local_comm=a, local_leader=1, peer_comm=MPI_COMM_WORLD, remote_leader=2) @a.c:1
        *: MPI_Finalize()
    )");
    EXPECT_THAT(run.lines, ElementsAre(StartsWith("error invalid argument:")));
}

}  // namespace
}  // namespace mqinspect::analysis
