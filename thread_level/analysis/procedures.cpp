#include "thread_level/analysis/procedures.h"

#include <array>

#include "thread_level/facts/strings.h"

namespace mqinspect::thread_level {
namespace {

struct Family {
    Use use;
    std::string_view names;  ///< with a blank on both sides, without the prefix
};

/// MPI-4.0: 11.6.2 for what each thread may call at any time, 11.2.1 for what may be called even
/// before MPI is initialized and "must always be thread-safe"; the rest by chapter. After MPI_Abort
/// nothing is right or wrong any more.
constexpr std::array kFamilies = std::to_array<Family>({
    {Use::Exempt,
     " Abort Add_error_class Add_error_code Add_error_string Error_class Error_string "
     "Finalized Get_library_version Get_version Info_create_env Initialized Is_thread_main "
     "Query_thread Remove_error_class Remove_error_code Remove_error_string "
     "Session_call_errhandler Session_create_errhandler Wtick Wtime "},
    {Use::Info,
     " Info_create Info_delete Info_dup Info_free Info_get Info_get_nkeys Info_get_nthkey "
     "Info_get_string Info_get_valuelen Info_set "},
    {Use::Init, " Init "},
    {Use::InitThread, " Init_thread "},
    {Use::SessionInit, " Session_init "},
    {Use::Finalize, " Finalize "},
    {Use::Collective,
     " Allgather Allgather_init Allgatherv Allgatherv_init Allreduce Allreduce_init Alltoall "
     "Alltoall_init Alltoallv Alltoallv_init Alltoallw Alltoallw_init Barrier Barrier_init Bcast "
     "Bcast_init Cart_create Cart_sub Comm_accept Comm_connect Comm_create Comm_disconnect "
     "Comm_dup Comm_dup_with_info Comm_free Comm_idup Comm_idup_with_info Comm_spawn "
     "Comm_spawn_multiple Comm_split Comm_split_type Dist_graph_create "
     "Dist_graph_create_adjacent Exscan Exscan_init File_open Gather Gather_init Gatherv "
     "Gatherv_init Graph_create Iallgather Iallgatherv Iallreduce Ialltoall Ialltoallv "
     "Ialltoallw Ibarrier Ibcast Iexscan Igather Igatherv Ineighbor_allgather "
     "Ineighbor_allgatherv Ineighbor_alltoall Ineighbor_alltoallv Ineighbor_alltoallw "
     "Intercomm_create Intercomm_merge Ireduce Ireduce_scatter Ireduce_scatter_block Iscan "
     "Iscatter Iscatterv Neighbor_allgather Neighbor_allgatherv Neighbor_alltoall "
     "Neighbor_alltoallv Neighbor_alltoallw Reduce Reduce_init Reduce_scatter "
     "Reduce_scatter_block Scan Scan_init Scatter Scatter_init Scatterv Scatterv_init "
     "Win_allocate Win_allocate_shared Win_create Win_create_dynamic "},
    {Use::TaggedCollective, " Comm_create_group "},
    {Use::ObjectCollective,
     " File_close File_iread_all File_iread_at_all File_iwrite_all File_iwrite_at_all "
     "File_preallocate File_read_all File_read_all_begin File_read_all_end File_read_at_all "
     "File_read_at_all_begin File_read_at_all_end File_read_ordered File_read_ordered_begin "
     "File_read_ordered_end File_seek_shared File_set_atomicity File_set_info File_set_size "
     "File_set_view File_sync File_write_all File_write_all_begin File_write_all_end "
     "File_write_at_all File_write_at_all_begin File_write_at_all_end File_write_ordered "
     "File_write_ordered_begin File_write_ordered_end Win_complete Win_fence Win_free Win_lock_all "
     "Win_post "
     "Win_start Win_unlock_all Win_wait "},
    {Use::Send, " Bsend Ibsend Irsend Isend Issend Rsend Send Ssend "},
    {Use::Receive, " Irecv Recv "},
    {Use::Probe, " Iprobe Probe "},
    {Use::Completion,
     " Cancel Request_free Start Startall Test Testall Testany Testsome Wait Waitall Waitany "
     "Waitsome "},
    {Use::Group,
     " Group_compare Group_difference Group_excl Group_free Group_incl Group_intersection "
     "Group_range_excl Group_range_incl Group_rank Group_size Group_translate_ranks Group_union "},
    {Use::Epoch, " Win_lock Win_unlock "},
    {Use::Access,
     " Accumulate Compare_and_swap Fetch_and_op Get Get_accumulate Put Raccumulate Rget "
     "Rget_accumulate Rput Win_flush Win_flush_all Win_flush_local Win_flush_local_all "},
});

Use use_of(std::string_view name) {
    if (name.empty()) return Use::Other;
    for (const Family& family : kFamilies) {
        if (has_word(family.names, name)) return family.use;
    }
    return Use::Other;
}

constexpr std::string_view kFreeing =
    " Comm_disconnect Comm_free File_close Group_free Info_free Type_free Win_free ";

constexpr std::string_view kMaking =
    " Cart_create Cart_sub Comm_accept Comm_connect Comm_create Comm_dup Comm_dup_with_info "
    "Comm_idup Comm_idup_with_info Comm_spawn Comm_spawn_multiple Comm_split Comm_split_type "
    "Dist_graph_create Dist_graph_create_adjacent File_open Graph_create Intercomm_create "
    "Intercomm_merge Win_allocate Win_allocate_shared Win_create Win_create_dynamic ";

constexpr std::string_view kPrefix = "MPI_";

}  // namespace

Procedure procedure_of(std::string_view name) {
    if (!name.starts_with(kPrefix)) return {};
    name.remove_prefix(kPrefix.size());
    if (name.starts_with("T_") || name.ends_with("_c2f") || name.ends_with("_f2c"))
        return {.use = Use::Exempt};
    if (name.ends_with("_c")) name.remove_suffix(2);  // large counts
    const Use use = use_of(name);
    const bool starts_operation =
        name.starts_with("I") && !name.starts_with("Inter") &&
        (use == Use::Collective || use == Use::Send || use == Use::Receive);
    return {.use = use,
            .is_nonblocking = starts_operation,
            .makes = has_word(kMaking, name),
            .frees = has_word(kFreeing, name)};
}

}  // namespace mqinspect::thread_level
