#include "thread_level/gcc_plugin/mpi_procedures.h"

#include <unordered_map>

namespace mqinspect::thread_level::plugin {
namespace {

/// Procedures with the same arguments, by letter: c communicator, C address of one, p peer,
/// t tag, or the key of a value p, d datatype, group or info object, r request or requests, n how
/// many, w window, W address of one or of what 'd' is, f file, F address of one, l level that is
/// required, v address of the one provided, m address of a flag.
struct Signature {
    const char* arguments;
    const char* names;  ///< without MPI_, separated by blanks
};

constexpr Signature kSignatures[] = {
    {"",
     "Add_error_class Add_error_code Add_error_string Address Aint_add Aint_diff "
     "Alloc_mem Buffer_attach Buffer_detach Close_port Comm_create_errhandler "
     "Comm_create_keyval Comm_free_keyval Dims_create Errhandler_create Errhandler_free "
     "Error_class Error_string File_create_errhandler File_delete Finalize Finalized "
     "Free_mem Get_address Get_count Get_elements Get_elements_x Get_library_version "
     "Get_processor_name Get_version Group_from_session_pset Info_create Info_create_env Init "
     "Keyval_create Keyval_free Lookup_name Mrecv Op_commutative Op_create Op_free "
     "Open_port Pack_external Pack_external_size Pcontrol Publish_name Reduce_local "
     "Session_call_errhandler Session_create_errhandler Session_finalize "
     "Session_get_errhandler Session_get_info Session_get_nth_pset Session_get_num_psets "
     "Session_get_pset_info Session_init Session_set_errhandler Status_set_cancelled "
     "Status_set_elements Status_set_elements_x Test_cancelled Type_commit "
     "Type_contiguous Type_create_darray Type_create_f90_complex Type_create_f90_integer "
     "Type_create_f90_real Type_create_hindexed Type_create_hindexed_block "
     "Type_create_hvector Type_create_indexed_block Type_create_keyval "
     "Type_create_resized Type_create_struct Type_create_subarray Type_delete_attr "
     "Type_dup Type_extent Type_free_keyval Type_get_attr Type_get_contents "
     "Type_get_envelope Type_get_extent Type_get_extent_x Type_get_name "
     "Type_get_true_extent Type_get_true_extent_x Type_hindexed Type_hvector "
     "Type_indexed Type_lb Type_match_size Type_set_attr Type_set_name Type_size "
     "Type_size_x Type_struct Type_ub Type_vector Unpack_external Unpublish_name "
     "Win_create_errhandler Win_create_keyval Win_free_keyval Wtick Wtime"},
    {"C", "Comm_get_parent"},
    {"D", "Comm_disconnect Comm_free"},
    {"F", "File_close"},
    {"W", "Group_free Info_free Type_free Win_free"},
    {"c",
     "Abort Attr_delete Attr_get Attr_put Barrier Cart_coords Cart_get Cart_map "
     "Cart_rank Cart_shift Cartdim_get Comm_call_errhandler Comm_compare "
     "Comm_delete_attr Comm_get_attr Comm_get_errhandler Comm_get_info Comm_get_name "
     "Comm_group Comm_rank Comm_remote_group Comm_remote_size Comm_set_attr "
     "Comm_set_errhandler Comm_set_info Comm_set_name Comm_size Comm_test_inter "
     "Dist_graph_neighbors Dist_graph_neighbors_count Errhandler_get Errhandler_set "
     "Graph_get Graph_map Graph_neighbors Graph_neighbors_count Graphdims_get Topo_test"},
    {"d",
     "Group_compare Group_difference Group_excl Group_incl Group_intersection Group_range_excl "
     "Group_range_incl Group_rank Group_size Group_translate_ranks Group_union Info_delete "
     "Info_dup Info_get Info_get_nkeys Info_get_nthkey Info_get_string Info_get_valuelen"},
    {"f",
     "File_call_errhandler File_get_amode File_get_atomicity File_get_byte_offset "
     "File_get_errhandler File_get_group File_get_info File_get_position "
     "File_get_position_shared File_get_size File_get_type_extent File_get_view "
     "File_iread File_iread_all File_iread_at File_iread_at_all File_iread_shared "
     "File_iwrite File_iwrite_all File_iwrite_at File_iwrite_at_all File_iwrite_shared "
     "File_preallocate File_read File_read_all File_read_all_begin File_read_all_end "
     "File_read_at File_read_at_all File_read_at_all_begin File_read_at_all_end "
     "File_read_ordered File_read_ordered_begin File_read_ordered_end File_read_shared "
     "File_seek File_seek_shared File_set_atomicity File_set_errhandler File_set_info "
     "File_set_size File_set_view File_sync File_write File_write_all "
     "File_write_all_begin File_write_all_end File_write_at File_write_at_all "
     "File_write_at_all_begin File_write_at_all_end File_write_ordered "
     "File_write_ordered_begin File_write_ordered_end File_write_shared"},
    {"i", "Initialized"},
    {"m", "Is_thread_main"},
    {"r", "Cancel Grequest_complete Parrived Request_free Request_get_status Start Test Wait"},
    {"v", "Query_thread"},
    {"w",
     "Win_attach Win_call_errhandler Win_complete Win_delete_attr Win_detach "
     "Win_flush_all Win_flush_local_all Win_get_attr Win_get_errhandler Win_get_group "
     "Win_get_info Win_get_name Win_set_attr Win_set_errhandler Win_set_info "
     "Win_set_name Win_shared_query Win_sync Win_test Win_unlock_all Win_wait"},
    {".C", "Comm_join"},
    {".r", "Pready"},
    {"dtp", "Info_set"},
    {"nr", "Startall Testall Testany Testsome Waitall Waitany Waitsome"},
    {".w", "Win_fence Win_lock_all"},
    {"cC", "Comm_dup"},
    {"cr", "Ibarrier"},
    {"pw", "Win_flush Win_flush_local Win_unlock"},
    {"..c", "Pack_size"},
    {"..r", "Pready_list Pready_range"},
    {"..w", "Win_post Win_start"},
    {".cW", "Win_create_dynamic"},
    {"c.C", "Cart_sub Comm_create Comm_dup_with_info Intercomm_merge"},
    {"c.r", "Barrier_init"},
    {"cCr", "Comm_idup"},
    {"ptc", "Improbe Iprobe Mprobe Probe"},
    {"..lv", "Init_thread"},
    {".p.w", "Win_lock"},
    {"c..C", "Comm_split"},
    {"c.Cr", "Comm_idup_with_info"},
    {"c.tC", "Comm_create_group"},
    {"....C", "Comm_create_from_group"},
    {"....r", "Grequest_start Imrecv"},
    {"...pc", "Bcast"},
    {"..pcC", "Comm_accept Comm_connect"},
    {"c...C", "Comm_split_type"},
    {"c...F", "File_open"},
    {".....c", "Allreduce Exscan Reduce_scatter Reduce_scatter_block Scan"},
    {"....cW", "Win_create"},
    {"...c.W", "Win_allocate Win_allocate_shared"},
    {"...pcr", "Ibcast"},
    {"..dptc", "Bsend Recv Rsend Send Ssend"},
    {"c....C", "Cart_create Graph_create"},
    {"c...tC", "Intercomm_create"},
    {"......c", "Allgather Alltoall Neighbor_allgather Neighbor_alltoall Pack Unpack"},
    {".....cr", "Iallreduce Iexscan Ireduce_scatter Ireduce_scatter_block Iscan"},
    {".....pc", "Reduce"},
    {"....p.w", "Compare_and_swap"},
    {"....pcC", "Comm_spawn"},
    {"...p..w", "Fetch_and_op"},
    {"...pc.r", "Bcast_init"},
    {"...ptcr",
     "Bsend_init Ibsend Irecv Irsend Isend Issend Recv_init Rsend_init Send_init "
     "Ssend_init"},
    {".......C", "Intercomm_create_from_groups"},
    {".......c", "Allgatherv Neighbor_allgatherv"},
    {"......cr", "Iallgather Ialltoall Ineighbor_allgather Ineighbor_alltoall"},
    {"......pc", "Gather Scatter"},
    {".....c.r",
     "Allreduce_init Exscan_init Reduce_scatter_block_init Reduce_scatter_init Scan_init"},
    {".....pcC", "Comm_spawn_multiple"},
    {".....pcr", "Ireduce"},
    {"...p...w", "Get Put"},
    {"...pt..c", "Sendrecv_replace"},
    {"........c", "Alltoallv Alltoallw Neighbor_alltoallv Neighbor_alltoallw"},
    {".......cr", "Iallgatherv Ineighbor_allgatherv"},
    {".......pc", "Gatherv Scatterv"},
    {"......c.r", "Allgather_init Alltoall_init Neighbor_allgather_init Neighbor_alltoall_init"},
    {"......pcr", "Igather Iscatter"},
    {".....pc.r", "Reduce_init"},
    {"....ptc.r", "Precv_init Psend_init"},
    {"...p....w", "Accumulate"},
    {"...p...wr", "Rget Rput"},
    {"...pt..cr", "Isendrecv_replace"},
    {"c.......C", "Dist_graph_create"},
    {"........cr", "Ialltoallv Ialltoallw Ineighbor_alltoallv Ineighbor_alltoallw"},
    {".......c.r", "Allgatherv_init Neighbor_allgatherv_init"},
    {".......pcr", "Igatherv Iscatterv"},
    {"......pc.r", "Gather_init Scatter_init"},
    {"...p....wr", "Raccumulate"},
    {"c........C", "Dist_graph_create_adjacent"},
    {"........c.r",
     "Alltoallv_init Alltoallw_init Neighbor_alltoallv_init Neighbor_alltoallw_init"},
    {".......pc.r", "Gatherv_init Scatterv_init"},
    {"...pt.....c", "Sendrecv"},
    {"......p....w", "Get_accumulate"},
    {"...pt.....cr", "Isendrecv"},
    {"......p....wr", "Rget_accumulate"},
};

void set_position(MpiProcedure& procedure, char letter, int position) {
    switch (letter) {
        case 'c':
            procedure.communicator = position;
            break;
        case 'C':
            procedure.made_communicator = position;
            break;
        case 'D':
            procedure.communicator = procedure.made_communicator = position;
            break;
        case 'p':
            procedure.peer = position;
            break;
        case 't':
            procedure.tag = position;
            break;
        case 'd':
            procedure.datatype = position;
            break;
        case 'r':
        case 'w':
        case 'W':
        case 'f':
        case 'F':
            procedure.object = position;
            break;
        case 'n':
            procedure.count = position;
            break;
        case 'l':
            procedure.required = position;
            break;
        case 'v':
            procedure.provided = position;
            break;
        case 'i':
            procedure.initialized_flag = position;
            break;
        case 'm':
            procedure.main_flag = position;
            break;
        default:
            break;
    }
}

std::string lower_case(std::string_view text) {
    std::string lower;
    lower.reserve(text.size());
    for (const char c : text)
        lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    return lower;
}

using Procedures = std::unordered_map<std::string, MpiProcedure>;  // by lower-case name

void add(Procedures& procedures, const Signature& signature) {
    std::string_view names = signature.names;
    while (!names.empty()) {
        const std::size_t end = names.find(' ');
        MpiProcedure procedure;
        procedure.name = "MPI_" + std::string(names.substr(0, end));
        int position = 0;
        for (const char* letter = signature.arguments; *letter != '\0'; ++letter)
            set_position(procedure, *letter, position++);
        procedures.emplace(lower_case(procedure.name), procedure);
        names = end == std::string_view::npos ? std::string_view{} : names.substr(end + 1);
    }
}

Procedures all_procedures() {
    Procedures procedures;
    for (const Signature& signature : kSignatures)
        add(procedures, signature);
    return procedures;
}

/// Without what compilers and bindings hang on.
std::string_view stem(std::string_view lower) {
    for (const std::string_view ending : {"_f08ts", "_f08", "_fts", "_cdesc", "__", "_"}) {
        if (lower.ends_with(ending)) return lower.substr(0, lower.size() - ending.size());
    }
    return lower;
}

/// Fortran's has no argc and argv.
const MpiProcedure& fortran_init_thread() {
    static const MpiProcedure procedure = [] {
        MpiProcedure p;
        p.name = "MPI_Init_thread";
        p.required = 0;
        p.provided = 1;
        return p;
    }();
    return procedure;
}

/// Functions of libraries of C++, with what they call: what is left of MPI's own bindings, which
/// MPI 3.0 has dropped (others are inline, and call those of C), and Boost.MPI's, where the first
/// argument of a communicator's is that itself.
struct LibraryFunction {
    std::string_view symbol;  ///< without "_ZN" or "_ZNK"
    const char* calls;
    int required = -1;
};

constexpr LibraryFunction kLibraryFunctions[] = {
    {"3MPI4InitEv", "MPI_Init"},
    {"3MPI4InitERiRPPc", "MPI_Init"},
    {"3MPI11Init_threadEi", "MPI_Init_thread", 0},
    {"3MPI11Init_threadERiRPPci", "MPI_Init_thread", 2},
    {"3MPI8FinalizeEv", "MPI_Finalize"},
    {"3MPI14Is_initializedEv", "MPI_Initialized"},
    {"3MPI12Is_finalizedEv", "MPI_Finalized"},
    {"3MPI14Is_thread_mainEv", "MPI_Is_thread_main"},
    {"3MPI12Query_threadEv", "MPI_Query_thread"},
    {"5boost3mpi11environmentC1ERiRPPcb", "MPI_Init"},
    {"5boost3mpi11environmentC1Eb", "MPI_Init"},
    {"5boost3mpi11environmentC1ERiRPPcNS0_9threading5levelEb", "MPI_Init_thread", 3},
    {"5boost3mpi11environmentC1ENS0_9threading5levelEb", "MPI_Init_thread", 1},
    {"5boost3mpi11environmentD1Ev", "MPI_Finalize"},
    {"5boost3mpi11environment5abortEi", "MPI_Abort"},
    {"5boost3mpi12communicator5abortEi", "MPI_Abort"},
    {"5boost3mpi12communicator7barrierEv", "MPI_Barrier"},
    {"5boost3mpi12communicator5splitEi", "MPI_Comm_split"},
    {"5boost3mpi12communicator5splitEii", "MPI_Comm_split"},
    {"5boost3mpi12communicator4rankEv", "MPI_Comm_rank"},
    {"5boost3mpi12communicator4sizeEv", "MPI_Comm_size"},
    {"5boost3mpi12communicator4sendEii", "MPI_Send"},
    {"5boost3mpi12communicator4recvEii", "MPI_Recv"},
    {"5boost3mpi12communicator5isendEii", "MPI_Isend"},
    {"5boost3mpi12communicator5irecvEii", "MPI_Irecv"},
    {"5boost3mpi12communicator5probeEii", "MPI_Probe"},
    {"5boost3mpi12communicator6iprobeEii", "MPI_Iprobe"},
    {"5boost3mpi7request4waitEv", "MPI_Wait"},
    {"5boost3mpi7request4testEv", "MPI_Test"},
};

MpiProcedure procedure_of(const LibraryFunction& function) {
    MpiProcedure procedure;
    procedure.name = function.calls;
    procedure.required = function.required;
    if (function.symbol.starts_with("5boost3mpi12communicator")) procedure.communicator = 0;
    if (function.symbol.starts_with("5boost3mpi7request")) procedure.object = 0;
    if (function.symbol.ends_with("Eii") && procedure.name != "MPI_Comm_split") {
        procedure.peer = 1;
        procedure.tag = 2;
    }
    return procedure;
}

std::unordered_map<std::string_view, MpiProcedure> library_procedures() {
    std::unordered_map<std::string_view, MpiProcedure> procedures;
    for (const LibraryFunction& function : kLibraryFunctions)
        procedures.emplace(function.symbol, procedure_of(function));
    return procedures;
}

}  // namespace

const MpiProcedure* find_library_procedure(std::string_view symbol) {
    if (!symbol.starts_with("_ZN")) return nullptr;
    symbol.remove_prefix(symbol.starts_with("_ZNK") ? 4 : 3);
    if (!symbol.starts_with("5boost3mpi") && !symbol.starts_with("3MPI")) return nullptr;
    static const auto procedures = library_procedures();
    // Complete objects, and parts of others.
    std::string plain(symbol);
    for (const char* letter : {"C2E", "D2E"}) {
        const std::size_t at = plain.find(letter);
        if (at != std::string::npos) plain[at + 1] = '1';
    }
    const auto found = procedures.find(plain);
    return found == procedures.end() ? nullptr : &found->second;
}

const MpiProcedure* find_mpi_procedure(std::string_view name, bool fortran) {
    if (name.size() < 5) return nullptr;
    if (name[0] == 'P' || name[0] == 'p') name.remove_prefix(1);
    if (fortran ? (name[0] | 0x20) != 'm' : !name.starts_with("MPI_")) return nullptr;
    static const Procedures procedures = all_procedures();
    const std::string lower = lower_case(name);
    auto found = procedures.find(lower);
    if (found == procedures.end() && fortran) {
        found = procedures.find(std::string(stem(lower)));
    } else if (found == procedures.end() && name.ends_with("_c")) {
        found = procedures.find(lower.substr(0, lower.size() - 2));
    }
    if (found == procedures.end()) return nullptr;
    if (!fortran && found->second.name != name.substr(0, found->second.name.size())) return nullptr;
    if (fortran && found->second.required >= 0) return &fortran_init_thread();
    return &found->second;
}

}  // namespace mqinspect::thread_level::plugin
