#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/analysis/local/summary.h"

namespace mqinspect::analysis::test {
namespace {

/// The message about one call of process 0 of two, in a run that has these things; empty: it is
/// all right.
std::string message_of_definition(const std::string& call) {
    const auto messages = messages_between(2, R"(
        communicator grid members=[0, 1] topology=cartesian sources=[[1],[0]] destinations=[[1],[0]]
        communicator inter members=[0] remote=[1]
        window w comm=MPI_COMM_WORLD parts=[[0x5000, 64, 4], [0x5000, 64, 4]]
        window d comm=MPI_COMM_WORLD kind=MPI_Win_create_dynamic parts=[[0, 0, 1], [0, 0, 1]]
        0: )" + call + " @a.c:1");
    return messages.empty() ? std::string{} : messages[0];
}

TEST(Definitions, Communicators) {
    EXPECT_EQ(message_of_definition("MPI_Comm_split(color=-7, newcomm=MPI_COMM_NULL)"),
              "MPI_Comm_split is given a negative color (-7).");
    EXPECT_EQ(message_of_definition("MPI_Comm_split(color=-32766, newcomm=MPI_COMM_NULL)"), "");
    EXPECT_EQ(message_of_definition("MPI_Comm_remote_size()"),
              "MPI_Comm_remote_size is given an intracommunicator, which has one group.");
    EXPECT_EQ(message_of_definition("MPI_Comm_remote_size(comm=inter)"), "");
}

TEST(Definitions, Groups) {
    EXPECT_EQ(message_of_definition("MPI_Group_incl(group=[0, 1], ranks=[0, 2], newgroup=[])"),
              "MPI_Group_incl is given rank 2 of a group that has 2 members.");
    EXPECT_EQ(message_of_definition("MPI_Group_excl(group=[0, 1], ranks=[1, 1], newgroup=[])"),
              "MPI_Group_excl is given rank 1 twice.");
    EXPECT_EQ(message_of_definition("MPI_Group_incl(group=[0, 1], ranks=[], newgroup=[])"), "");
}

TEST(Definitions, Topologies) {
    EXPECT_EQ(message_of_definition("MPI_Cart_create(dims=[2, 0], comm_cart=MPI_COMM_NULL)"),
              "MPI_Cart_create is given a dimension of 0 processes.");
    EXPECT_EQ(message_of_definition("MPI_Cart_create(dims=[3, 2], comm_cart=MPI_COMM_NULL)"),
              "MPI_Cart_create is given a grid of 6 processes, but its communicator has 2.");
    EXPECT_EQ(message_of_definition("MPI_Cart_create(dims=[1, 2], comm_cart=MPI_COMM_NULL)"), "");
    EXPECT_EQ(message_of_definition("MPI_Cart_shift()"),
              "MPI_Cart_shift is given a communicator that has no cartesian topology.");
    EXPECT_EQ(message_of_definition("MPI_Cart_shift(comm=grid)"), "");
    EXPECT_EQ(message_of_definition("MPI_Neighbor_allgather()"),
              "MPI_Neighbor_allgather is given a communicator that has no topology.");
    EXPECT_EQ(
        message_of_definition("MPI_Dist_graph_create_adjacent(sources=[1], destinations=[2], "
                              "comm_dist_graph=MPI_COMM_NULL)"),
        "MPI_Dist_graph_create_adjacent is given rank 2 as neighbor, but its communicator has "
        "2 ranks.");
}

TEST(Definitions, Graphs) {
    const auto graph = [](const std::string& lists) {
        return message_of_definition("MPI_Graph_create(nnodes=2, comm_graph=MPI_COMM_NULL, " +
                                     lists + ")");
    };
    EXPECT_EQ(graph("indx=[1, 2], edges=[1, 0]"), "");
    EXPECT_EQ(graph("indx=[0, 2], edges=[1, 1]"), "");
    EXPECT_EQ(graph("indx=[1, 2], edges=[1, 2]"),
              "MPI_Graph_create is given an edge to node 2 of a graph that has 2 nodes.");
    EXPECT_EQ(graph("indx=[1, 2], edges=[-1, 0]"),
              "MPI_Graph_create is given an edge to node -1 of a graph that has 2 nodes.");
    EXPECT_EQ(graph("indx=[2, 1], edges=[1]"),
              "MPI_Graph_create is given numbers of edges that do not grow from node to node (1 "
              "behind 2).");
    const auto weighted = [](const std::string& weights) {
        return message_of_definition(
            "MPI_Dist_graph_create_adjacent(sources=[1, 1], destinations=[], sourceweights=" +
            weights + ", destweights=[], comm_dist_graph=MPI_COMM_NULL)");
    };
    EXPECT_EQ(weighted("[0, 3]"), "");
    EXPECT_EQ(weighted("[-2]"), "");
    EXPECT_EQ(weighted("[1, -2]"),
              "MPI_Dist_graph_create_adjacent is given a negative weight (-2).");
}

TEST(Definitions, Datatypes) {
    EXPECT_EQ(
        message_of_definition("MPI_Type_create_subarray(array_of_sizes=[4], array_of_subsizes=[2], "
                              "array_of_starts=[3], newtype=MPI_DATATYPE_NULL)"),
        "MPI_Type_create_subarray is given a part of 2 elements from 3 on in a dimension of "
        "4.");
    EXPECT_EQ(
        message_of_definition("MPI_Type_create_subarray(array_of_sizes=[4], array_of_subsizes=[2], "
                              "array_of_starts=[2], newtype=MPI_DATATYPE_NULL)"),
        "");
}

TEST(Definitions, Memory) {
    EXPECT_EQ(message_of_definition("MPI_Pack(incount=4, outsize=16, position=4, inbuf=0x1000)"),
              "MPI_Pack is given a packed buffer of 16 bytes, but 20 are needed.");
    EXPECT_EQ(message_of_definition("MPI_Pack(incount=4, outsize=16, inbuf=0x1000)"), "");
    EXPECT_EQ(message_of_definition("MPI_Unpack(outcount=4, insize=15, outbuf=0x1000)"),
              "MPI_Unpack is given a packed buffer of 15 bytes, but 16 are needed.");
    EXPECT_EQ(message_of_definition("MPI_Win_create(size=64, disp_unit=0, base=0x5000, win=w)"),
              "MPI_Win_create is given a displacement unit of 0.");
    EXPECT_EQ(message_of_definition("MPI_Win_create(size=64, disp_unit=1, base=0, win=w)"),
              "MPI_Win_create is given a null pointer as the memory of a window of 64 bytes.");
    EXPECT_EQ(message_of_definition("MPI_Win_create(size=64, disp_unit=1, base=0x5000, win=w)\n"
                                    "0: MPI_Free_mem(base=0x5000)"),
              "MPI_Free_mem is given the memory of a window that still exists.");
}

TEST(Definitions, DynamicWindows) {
    EXPECT_EQ(message_of_definition("MPI_Win_attach(win=d, base=0x6000)"), "");
    EXPECT_EQ(message_of_definition("MPI_Win_attach(win=w, base=0x6000)"),
              "MPI_Win_attach is given a window of MPI_Win_create, where it needs one of "
              "MPI_Win_create_dynamic.");
}

}  // namespace
}  // namespace mqinspect::analysis::test
