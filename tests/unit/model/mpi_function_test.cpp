#include "model/mpi_function.h"

#include <gtest/gtest.h>

namespace mqinspect::model {
namespace {

struct Spelling {
    const char* symbol;
    const char* name;
    CallClass call_class;
    SendMode mode = SendMode::Unknown;
};

TEST(MpiFunction, FindsEverySpellingOfAProcedure) {
    const Spelling spellings[] = {
        {"MPI_Recv", "MPI_Recv", CallClass::Receive},
        {"PMPI_Recv", "MPI_Recv", CallClass::Receive},
        {"MPI_Recv_c", "MPI_Recv", CallClass::Receive},
        {"mpi_recv", "MPI_Recv", CallClass::Receive},
        {"mpi_recv_", "MPI_Recv", CallClass::Receive},
        {"pmpi_recv__", "MPI_Recv", CallClass::Receive},
        {"MPI_RECV", "MPI_Recv", CallClass::Receive},
        {"PMPI_RECV_", "MPI_Recv", CallClass::Receive},
        {"mpi_recv_f08_", "MPI_Recv", CallClass::Receive},
        {"mpi_recv_f08ts", "MPI_Recv", CallClass::Receive},
        {"MPI_Recv_f", "MPI_Recv", CallClass::Receive},
        {"PMPI_Recv_f08", "MPI_Recv", CallClass::Receive},
        {"pmpi_recv_f08ts_", "MPI_Recv", CallClass::Receive},
        {"mpi_recv_c_f08ts_", "MPI_Recv", CallClass::Receive},
        {"mpi_recv_f08_c", "MPI_Recv", CallClass::Receive},
        {"MPI_Recv_f08_large", "MPI_Recv", CallClass::Receive},
        {"MPI_Recv@@LIBMPI", "MPI_Recv", CallClass::Receive},
        {"mpi_comm_dup_with_info_", "MPI_Comm_dup_with_info", CallClass::AllToAll},
        {"mpi_isend_", "MPI_Isend", CallClass::Local, SendMode::Standard},
        {"mpi_type_hvector_", "MPI_Type_hvector", CallClass::Local},
    };

    for (const Spelling& spelling : spellings) {
        const auto found = find_mpi_function(spelling.symbol);
        ASSERT_TRUE(found) << spelling.symbol;
        EXPECT_EQ(found->name, spelling.name) << spelling.symbol;
        EXPECT_EQ(found->call_class, spelling.call_class) << spelling.symbol;
        EXPECT_EQ(found->mode, spelling.mode) << spelling.symbol;
    }
}

TEST(MpiFunction, ClassesWhatCanWait) {
    const Spelling spellings[] = {
        {"MPI_Send", "", CallClass::Send, SendMode::Standard},
        {"MPI_Ssend", "", CallClass::Send, SendMode::Synchronous},
        {"MPI_Rsend", "", CallClass::Send, SendMode::Ready},
        {"MPI_Bsend", "", CallClass::Local, SendMode::Buffered},
        {"MPI_Issend", "", CallClass::Local, SendMode::Synchronous},
        {"MPI_Ssend_init", "", CallClass::Local, SendMode::Synchronous},
        {"MPI_Mrecv", "", CallClass::Receive},
        {"MPI_Probe", "", CallClass::Probe},
        {"MPI_Mprobe", "", CallClass::Probe},
        {"MPI_Iprobe", "", CallClass::Local},
        {"MPI_Sendrecv_replace", "", CallClass::Sendrecv, SendMode::Standard},
        {"MPI_Isendrecv", "", CallClass::Local, SendMode::Standard},
        {"MPI_Wait", "", CallClass::WaitOne},
        {"MPI_Waitall", "", CallClass::WaitAll},
        {"MPI_Waitany", "", CallClass::WaitAny},
        {"MPI_Waitsome", "", CallClass::WaitSome},
        {"MPI_Testall", "", CallClass::Local},
        {"MPI_Barrier", "", CallClass::AllToAll},
        {"MPI_Ibarrier", "", CallClass::Local},
        {"MPI_Alltoallw", "", CallClass::AllToAll},
        {"MPI_Comm_split", "", CallClass::AllToAll},
        {"MPI_Comm_idup", "", CallClass::Local},
        {"MPI_Comm_create_group", "", CallClass::OtherBlocking},
        {"MPI_Init_thread", "", CallClass::AllToAll},
        {"MPI_File_write_at_all", "", CallClass::FileAccess},
        {"MPI_File_open", "", CallClass::AllToAll},
        {"MPI_File_write_at", "", CallClass::Local},
        {"MPI_Win_fence", "", CallClass::AllToAll},
        {"MPI_Win_free", "", CallClass::AllToAll},
        {"MPI_Win_start", "", CallClass::WindowStart},
        {"MPI_Win_wait", "", CallClass::WindowWait},
        {"MPI_Win_lock", "", CallClass::WindowTarget},
        {"MPI_Win_flush_all", "", CallClass::WindowTargets},
        {"MPI_Win_post", "", CallClass::Local},
        {"MPI_Scatterv", "", CallClass::FromRoot},
        {"MPI_Gatherv", "", CallClass::ToRoot},
        {"MPI_Exscan", "", CallClass::Prefix},
        {"MPI_Neighbor_alltoallw", "", CallClass::Neighborhood},
        {"MPI_Finalize", "", CallClass::Finalize},
        {"MPI_Finalized", "", CallClass::Local},
        {"MPI_Comm_spawn", "", CallClass::Connect},
        {"MPI_Comm_accept", "", CallClass::Connect},
        {"MPI_Comm_disconnect", "", CallClass::Disconnect},
        {"MPI_Comm_join", "", CallClass::OtherBlocking},
        {"MPI_Abort", "", CallClass::Local},
    };

    for (const Spelling& spelling : spellings) {
        const auto found = find_mpi_function(spelling.symbol);
        ASSERT_TRUE(found) << spelling.symbol;
        EXPECT_EQ(found->name, spelling.symbol);
        EXPECT_EQ(found->call_class, spelling.call_class) << spelling.symbol;
        EXPECT_EQ(found->mode, spelling.mode) << spelling.symbol;
    }
}

TEST(MpiFunction, TakesUnlistedCNamesForLocalProcedures) {
    std::string symbol = "PMPIX_Stream_progress";
    const auto extension = find_mpi_function(symbol);
    symbol.assign(symbol.size(), '?');

    ASSERT_TRUE(extension);
    EXPECT_EQ(extension->name, "MPIX_Stream_progress");
    EXPECT_EQ(extension->call_class, CallClass::Local);
    EXPECT_EQ(find_mpi_function("MPI_T_cvar_read")->name, "MPI_T_cvar_read");
}

TEST(MpiFunction, IsEmptyForEverythingElse) {
    for (const char* symbol : {"",
                               "main",
                               "p",
                               "P",
                               "MPI",
                               "MPI_",
                               "MPIX_",
                               "MPI_R",
                               "MPIR_Recv",
                               "MPID_Recv",
                               "MPIDI_CH3I_Progress",
                               "mpi_exchange_halo",
                               "mpi_recv___",
                               "MPI_COMM_DUP_FN",
                               "my_MPI_Recv",
                               "@"}) {
        EXPECT_FALSE(find_mpi_function(symbol)) << symbol;
    }
    EXPECT_FALSE(find_mpi_function("MPI_A" + std::string(10000, 'a')));
}

TEST(MpiFunction, NamesTheCollectiveClasses) {
    EXPECT_TRUE(is_collective(CallClass::AllToAll));
    EXPECT_TRUE(is_collective(CallClass::FromRoot));
    EXPECT_TRUE(is_collective(CallClass::ToRoot));
    EXPECT_TRUE(is_collective(CallClass::Prefix));
    EXPECT_TRUE(is_collective(CallClass::Neighborhood));
    EXPECT_TRUE(is_collective(CallClass::FileAccess));
    EXPECT_FALSE(is_collective(CallClass::WindowTargets));
    EXPECT_FALSE(is_collective(CallClass::Finalize));
    EXPECT_FALSE(is_collective(CallClass::WaitAll));
}

}  // namespace
}  // namespace mqinspect::model
