#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/analysis/local/summary.h"

namespace mqinspect::analysis::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Groups are told apart by the library's numbers: those of both sessions have the same members.
TEST(Origins, GroupsOfTwoSessions) {
    EXPECT_THAT(check_between(1, R"(
        0: MPI_Session_init(session=1) @a.c:1
        0: MPI_Session_init(session=2) @a.c:2
        0: MPI_Group_from_session_pset(session=1, newgroup=[0], newgroup_handle=11)
        0: MPI_Group_from_session_pset(session=2, newgroup=[0], newgroup_handle=12)
        0: MPI_Group_union(group1=[0], group2=[0], newgroup=[0], group1_handle=12, group2_handle=11, newgroup_handle=13) @a.c:3
        0: MPI_Group_union(group1=[0], group2=[0], newgroup=[0], group1_handle=13, group2_handle=11, newgroup_handle=14)
        0: MPI_Group_free(group=[0])
        0: MPI_Group_free(group=[0])
        0: MPI_Group_free(group=[0])
        0: MPI_Group_free(group=[0])
        0: MPI_Session_finalize(session=2)
        0: MPI_Session_finalize(session=1)
    )"),
                ElementsAre("error invalid argument 0: MPI_Group_union a.c:3, MPI_Session_init "
                            "a.c:2, MPI_Session_init a.c:1"));
}

// A number that is used again is that of another group.
TEST(Origins, NumbersAreUsedAgain) {
    EXPECT_THAT(check_between(1, R"(
        0: MPI_Session_init(session=1)
        0: MPI_Group_from_session_pset(session=1, newgroup=[0], newgroup_handle=11)
        0: MPI_Group_free(group=[0])
        0: MPI_Session_finalize(session=1)
        0: MPI_Session_init(session=1)
        0: MPI_Group_from_session_pset(session=1, newgroup=[0], newgroup_handle=11)
        0: MPI_Group_from_session_pset(session=1, newgroup=[0], newgroup_handle=12)
        0: MPI_Group_union(group1=[0], group2=[0], newgroup=[0], group1_handle=12, group2_handle=11, newgroup_handle=13)
        0: MPI_Group_union(group1=[0], group2=[], newgroup=[0], group1_handle=12, group2_handle=5, newgroup_handle=14)
        0: MPI_Group_free(group=[0])
        0: MPI_Group_free(group=[0])
        0: MPI_Group_free(group=[0])
        0: MPI_Group_free(group=[0])
        0: MPI_Session_finalize(session=1)
    )"),
                IsEmpty());
}

TEST(Origins, PeerCommunicatorOfTheLeader) {
    const std::string scenario = R"(
        communicator one members=[0]
        0: MPI_Session_init(session=1) @a.c:1
        0: MPI_Group_from_session_pset(session=1, newgroup=[0], newgroup_handle=11)
        0: MPI_Comm_create_from_group(group=[0], stringtag="a", newcomm=one, group_handle=11)
        0: MPI_Group_free(group=[0])
    )";
    const std::string end = R"(
        0: MPI_Comm_free(comm=one)
        0: MPI_Session_finalize(session=1)
    )";
    EXPECT_THAT(check_between(1, scenario + R"(
        0: MPI_Intercomm_create(local_comm=one, local_leader=0, peer_comm=MPI_COMM_WORLD, newintercomm=MPI_COMM_NULL) @a.c:2
    )" + end),
                ElementsAre("error invalid argument 0: MPI_Intercomm_create a.c:2, "
                            "MPI_Session_init a.c:1"));
    EXPECT_THAT(check_between(1, scenario + R"(
        0: MPI_Intercomm_create(local_comm=one, local_leader=1, peer_comm=MPI_COMM_WORLD, newintercomm=MPI_COMM_NULL)
    )" + end),
                IsEmpty());
}

}  // namespace
}  // namespace mqinspect::analysis::test
