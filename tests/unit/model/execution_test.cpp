#include "model/execution.h"

#include <gtest/gtest.h>

namespace mqinspect::model {
namespace {

struct Named {
    const char* procedure;
    const char* parameter;
    Role role;
    Direction direction = Direction::In;
};

// The names of MPI 4.0, appendix A.
TEST(Roles, AreFoundByTheNamesOfTheStandard) {
    const Named names[] = {
        {"MPI_Isend", "buf", Role::Buffer},
        {"MPI_Put", "origin_addr", Role::Buffer},
        {"MPI_Reduce_local", "inbuf", Role::Buffer},
        {"MPI_Isend", "count", Role::Count},
        {"MPI_Get_count", "count", Role::Other, Direction::Out},
        {"MPI_Alltoallw", "sendtypes", Role::SendDatatype},
        {"MPI_Alltoallw", "sdispls", Role::SendDisplacements},
        {"MPI_Neighbor_alltoallv", "rdispls", Role::ReceiveDisplacements},
        {"MPI_Gatherv", "displs", Role::ReceiveDisplacements},
        {"MPI_Iallgatherv", "displs", Role::ReceiveDisplacements},
        {"MPI_Scatterv", "displs", Role::SendDisplacements},
        {"MPI_Iscatterv", "displs", Role::SendDisplacements},
        {"MPI_Scatterv_init", "displs", Role::SendDisplacements},
        {"MPI_Scatterv_c", "displs", Role::SendDisplacements},
        {"MPI_Sendrecv", "recvtag", Role::ReceiveTag},
        {"MPI_Cart_create", "comm_old", Role::Communicator},
        {"MPI_Cart_create", "comm_cart", Role::NewCommunicator, Direction::Out},
        {"MPI_Dist_graph_create", "comm_dist_graph", Role::NewCommunicator, Direction::Out},
        {"MPI_Intercomm_merge", "intercomm", Role::Communicator},
        {"MPI_Comm_spawn", "intercomm", Role::NewCommunicator, Direction::Out},
        {"MPI_Comm_free", "comm", Role::Communicator, Direction::InOut},
        {"MPI_Waitany", "index", Role::Index, Direction::Out},
        {"MPI_Testany", "indx", Role::Index, Direction::Out},
        {"MPI_Graph_create", "index", Role::Other},
        {"MPI_Graph_create", "indx", Role::Other},
        {"MPI_Graph_get", "index", Role::Other, Direction::Out},
        {"MPI_Win_lock", "rank", Role::TargetRank},
        {"MPI_Win_flush_local", "rank", Role::TargetRank},
        {"MPI_Win_shared_query", "rank", Role::Other},
        {"MPI_Comm_rank", "rank", Role::Other, Direction::Out},
        {"MPI_Get_accumulate", "result_addr", Role::ResultBuffer},
        {"MPI_Psend_init", "partitions", Role::Partitions},
        {"MPI_Type_vector", "newtype", Role::NewDatatype, Direction::Out},
        {"MPI_Type_vector", "blocklength", Role::Other},
    };

    for (const Named& name : names) {
        EXPECT_EQ(role_of(name.procedure, name.parameter, name.direction), name.role)
            << name.procedure << " " << name.parameter;
    }
}

TEST(Roles, LeadFromTheRoleToTheValue) {
    Procedure procedure;
    procedure.name = "MPI_Send";
    procedure.parameters = {{"buf", ParameterKind::Buffer},
                            {"count", ParameterKind::Count},
                            {"datatype", ParameterKind::Datatype},
                            {"dest", ParameterKind::Rank},
                            {"tag", ParameterKind::Tag},
                            {"comm", ParameterKind::Communicator},
                            {"sum", ParameterKind::Checksum}};
    assign_roles(procedure);
    const Value values[] = {{0x1000}, {4}, {2}, {1}, {7}, {0}, {99}};

    EXPECT_EQ(value_of(procedure, values, Role::Destination)->number, 1);
    EXPECT_EQ(value_of(procedure, values, Role::Tag)->number, 7);
    EXPECT_EQ(value_of(procedure, values, Role::SendChecksum)->number, 99);
    EXPECT_EQ(value_of(procedure, values, Role::Source), nullptr);
    EXPECT_EQ(value_of(procedure, std::span(values).first(3), Role::Destination), nullptr);
}

TEST(Roles, OfTheRecordersChecksumsFollowFromKindAndDirection) {
    Procedure procedure;
    procedure.name = "MPI_Waitall";
    procedure.parameters = {{"given", ParameterKind::Checksum, Direction::In},
                            {"got", ParameterKind::Checksum, Direction::Out},
                            {"all", ParameterKind::ChecksumList, Direction::Out}};

    assign_roles(procedure);

    EXPECT_EQ(procedure.parameters[0].role, Role::SendChecksum);
    EXPECT_EQ(procedure.parameters[1].role, Role::ReceiveChecksum);
    EXPECT_EQ(procedure.parameters[2].role, Role::Checksums);
}

TEST(Roles, OfTooManyParametersAreNotFound) {
    Procedure procedure;
    procedure.name = "MPI_Odd";
    procedure.parameters.resize(1000);
    procedure.parameters.back().name = "tag";
    procedure.parameters[100].name = "comm";

    assign_roles(procedure);

    EXPECT_EQ(procedure.by_role[static_cast<std::size_t>(Role::Communicator)], 100);
    EXPECT_EQ(procedure.by_role[static_cast<std::size_t>(Role::Tag)], -1);
}

}  // namespace
}  // namespace mqinspect::model
