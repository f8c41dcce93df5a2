#include "model/mpi_function.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>

namespace mqinspect::model {

namespace {

// The procedures of MPI 4.0 by what they can wait for, without the MPI_ prefix.
constexpr std::string_view kSendNames = "Send Ssend Rsend";

constexpr std::string_view kReceiveNames = "Recv Mrecv";

constexpr std::string_view kProbeNames = "Probe Mprobe";

constexpr std::string_view kSendrecvNames = "Sendrecv Sendrecv_replace";

constexpr std::string_view kWaitOneNames = "Wait";

constexpr std::string_view kWaitAllNames = "Waitall";

constexpr std::string_view kWaitAnyNames = "Waitany";

constexpr std::string_view kWaitSomeNames = "Waitsome";

constexpr std::string_view kAllToAllNames =
    "Barrier Allgather Allgatherv Alltoall Alltoallv Alltoallw Allreduce Reduce_scatter "
    "Reduce_scatter_block Comm_dup Comm_dup_with_info Comm_split Comm_split_type Comm_create "
    "Comm_free Cart_create Cart_sub Graph_create Dist_graph_create "
    "Dist_graph_create_adjacent Intercomm_create Intercomm_merge Win_create Win_allocate "
    "Win_allocate_shared Win_create_dynamic Win_fence Win_free File_open Init Init_thread";

constexpr std::string_view kFromRootNames = "Bcast Scatter Scatterv";

constexpr std::string_view kToRootNames = "Reduce Gather Gatherv";

constexpr std::string_view kPrefixNames = "Scan Exscan";

constexpr std::string_view kNeighborhoodNames =
    "Neighbor_allgather Neighbor_allgatherv Neighbor_alltoall Neighbor_alltoallv "
    "Neighbor_alltoallw";

constexpr std::string_view kWindowStartNames = "Win_start Win_complete";

constexpr std::string_view kWindowWaitNames = "Win_wait";

constexpr std::string_view kWindowTargetNames = "Win_lock Win_unlock Win_flush Win_flush_local";

constexpr std::string_view kWindowTargetsNames =
    "Win_lock_all Win_unlock_all Win_flush_all Win_flush_local_all";

// The standard lets members leave each of them before others have entered.
constexpr std::string_view kFileAccessNames =
    "File_close File_set_size File_preallocate File_set_view File_set_atomicity File_sync "
    "File_seek_shared File_read_all File_read_all_begin File_read_all_end File_read_at_all "
    "File_read_at_all_begin File_read_at_all_end File_read_ordered File_read_ordered_begin "
    "File_read_ordered_end File_write_all File_write_all_begin File_write_all_end "
    "File_write_at_all File_write_at_all_begin File_write_at_all_end File_write_ordered "
    "File_write_ordered_begin File_write_ordered_end";
constexpr std::string_view kConnectNames =
    "Comm_accept Comm_connect Comm_spawn Comm_spawn_multiple";

constexpr std::string_view kDisconnectNames = "Comm_disconnect";

constexpr std::string_view kFinalizeNames = "Finalize";

constexpr std::string_view kOtherBlockingNames =
    "Comm_join Comm_create_group "
    "Comm_create_from_group Intercomm_create_from_groups Session_finalize Buffer_detach "
    "Lookup_name Publish_name Unpublish_name";

constexpr std::string_view kLocalNames =
    "Abort Accumulate Add_error_class Add_error_code Add_error_string Aint_add Aint_diff "
    "Allgather_init Allgatherv_init Alloc_mem Allreduce_init Alltoall_init Alltoallv_init "
    "Alltoallw_init Attr_delete Attr_get Attr_put Barrier_init Bcast_init Bsend Bsend_init "
    "Buffer_attach Cancel Cart_coords Cart_get Cart_map Cart_rank Cart_shift Cartdim_get "
    "Close_port Comm_call_errhandler Comm_compare Comm_create_errhandler Comm_create_keyval "
    "Comm_delete_attr Comm_free_keyval Comm_get_attr Comm_get_errhandler Comm_get_info "
    "Comm_get_name Comm_get_parent Comm_group Comm_idup Comm_idup_with_info Comm_rank "
    "Comm_remote_group Comm_remote_size Comm_set_attr Comm_set_errhandler Comm_set_info "
    "Comm_set_name Comm_size Comm_test_inter Compare_and_swap Dims_create "
    "Dist_graph_neighbors Dist_graph_neighbors_count Errhandler_free Error_class Error_string "
    "Exscan_init F_sync_reg Fetch_and_op File_call_errhandler File_create_errhandler "
    "File_delete File_get_amode File_get_atomicity File_get_byte_offset File_get_errhandler "
    "File_get_group File_get_info File_get_position File_get_position_shared File_get_size "
    "File_get_type_extent File_get_view File_iread File_iread_all File_iread_at "
    "File_iread_at_all File_iread_shared File_iwrite File_iwrite_all File_iwrite_at "
    "File_iwrite_at_all File_iwrite_shared File_read File_read_at File_read_shared File_seek "
    "File_set_errhandler File_set_info File_write File_write_at File_write_shared Finalized "
    "Free_mem Gather_init Gatherv_init Get Get_accumulate Get_address Get_count Get_elements "
    "Get_elements_x Get_library_version Get_processor_name Get_version Graph_get Graph_map "
    "Graph_neighbors Graph_neighbors_count Graphdims_get Grequest_complete Grequest_start "
    "Group_compare Group_difference Group_excl Group_free Group_from_session_pset Group_incl "
    "Group_intersection Group_range_excl Group_range_incl Group_rank Group_size "
    "Group_translate_ranks Group_union Iallgather Iallgatherv Iallreduce Ialltoall Ialltoallv "
    "Ialltoallw Ibarrier Ibcast Ibsend Iexscan Igather Igatherv Improbe Imrecv "
    "Ineighbor_allgather Ineighbor_allgatherv Ineighbor_alltoall Ineighbor_alltoallv "
    "Ineighbor_alltoallw Info_create Info_create_env Info_delete Info_dup Info_free Info_get "
    "Info_get_nkeys Info_get_nthkey Info_get_string Info_get_valuelen Info_set Initialized "
    "Iprobe Irecv Ireduce Ireduce_scatter Ireduce_scatter_block Irsend Is_thread_main Iscan "
    "Iscatter Iscatterv Isend Isendrecv Isendrecv_replace Issend Keyval_create Keyval_free "
    "Neighbor_allgather_init Neighbor_allgatherv_init Neighbor_alltoall_init "
    "Neighbor_alltoallv_init Neighbor_alltoallw_init Op_commutative Op_create Op_free "
    "Open_port Pack Pack_external Pack_external_size Pack_size Parrived Pcontrol Pready "
    "Pready_list Pready_range Precv_init Psend_init Put Query_thread Raccumulate Recv_init "
    "Reduce_init Reduce_local Reduce_scatter_block_init Reduce_scatter_init Register_datarep "
    "Request_free Request_get_status Rget Rget_accumulate Rput Rsend_init Scan_init "
    "Scatter_init Scatterv_init Send_init Session_call_errhandler Session_create_errhandler "
    "Session_get_errhandler Session_get_info Session_get_nth_pset Session_get_num_psets "
    "Session_get_pset_info Session_init Session_set_errhandler Sizeof Ssend_init Start "
    "Startall Status_f082f Status_f2f08 Status_set_cancelled Status_set_elements "
    "Status_set_elements_x Test Test_cancelled Testall Testany Testsome Topo_test Type_commit "
    "Type_contiguous Type_create_darray Type_create_f90_complex Type_create_f90_integer "
    "Type_create_f90_real Type_create_hindexed Type_create_hindexed_block Type_create_hvector "
    "Type_create_indexed_block Type_create_keyval Type_create_resized Type_create_struct "
    "Type_create_subarray Type_delete_attr Type_dup Type_free Type_free_keyval Type_get_attr "
    "Type_get_contents Type_get_envelope Type_get_extent Type_get_extent_x Type_get_name "
    "Type_get_true_extent Type_get_true_extent_x Type_indexed Type_match_size Type_set_attr "
    "Type_set_name Type_size Type_size_x Type_vector Unpack Unpack_external Win_attach "
    "Win_call_errhandler Win_create_errhandler Win_create_keyval Win_delete_attr Win_detach "
    "Win_free_keyval Win_get_attr Win_get_errhandler Win_get_group Win_get_info Win_get_name "
    "Win_post Win_set_attr Win_set_errhandler Win_set_info Win_set_name Win_shared_query "
    "Win_sync Win_test Wtick Wtime "
    // Removed in MPI 3.0, still in old programs.
    "Address Errhandler_create Errhandler_get Errhandler_set Type_extent Type_hindexed "
    "Type_hvector Type_lb Type_struct Type_ub";

struct NameGroup {
    CallClass call_class;
    std::string_view names;  ///< separated by blanks
};

constexpr std::array kGroups{
    NameGroup{CallClass::Send, kSendNames},
    NameGroup{CallClass::Receive, kReceiveNames},
    NameGroup{CallClass::Probe, kProbeNames},
    NameGroup{CallClass::Sendrecv, kSendrecvNames},
    NameGroup{CallClass::WaitOne, kWaitOneNames},
    NameGroup{CallClass::WaitAll, kWaitAllNames},
    NameGroup{CallClass::WaitAny, kWaitAnyNames},
    NameGroup{CallClass::WaitSome, kWaitSomeNames},
    NameGroup{CallClass::AllToAll, kAllToAllNames},
    NameGroup{CallClass::FromRoot, kFromRootNames},
    NameGroup{CallClass::ToRoot, kToRootNames},
    NameGroup{CallClass::Prefix, kPrefixNames},
    NameGroup{CallClass::Neighborhood, kNeighborhoodNames},
    NameGroup{CallClass::WindowStart, kWindowStartNames},
    NameGroup{CallClass::WindowWait, kWindowWaitNames},
    NameGroup{CallClass::WindowTarget, kWindowTargetNames},
    NameGroup{CallClass::WindowTargets, kWindowTargetsNames},
    NameGroup{CallClass::FileAccess, kFileAccessNames},
    NameGroup{CallClass::Connect, kConnectNames},
    NameGroup{CallClass::Disconnect, kDisconnectNames},
    NameGroup{CallClass::Finalize, kFinalizeNames},
    NameGroup{CallClass::OtherBlocking, kOtherBlockingNames},
    NameGroup{CallClass::Local, kLocalNames},
};

std::string lower_case(std::string_view text) {
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char letter) {
        return static_cast<char>(std::tolower(letter));
    });
    return lower;
}

// Also for the nonblocking and persistent forms: their requests are waited for.
SendMode send_mode(std::string_view name) {
    if (name.ends_with("_init")) name.remove_suffix(5);
    name.remove_prefix(4);  // MPI_
    if (name == "Send" || name == "Isend" || name.find("endrecv") != name.npos) {
        return SendMode::Standard;
    }
    if (name == "Ssend" || name == "Issend") return SendMode::Synchronous;
    if (name == "Rsend" || name == "Irsend") return SendMode::Ready;
    if (name == "Bsend" || name == "Ibsend") return SendMode::Buffered;
    return SendMode::Unknown;
}

struct Entry {
    std::string name;
    CallClass call_class;
};

using Table = std::unordered_map<std::string, Entry>;

Table make_table() {
    Table table;
    for (const NameGroup& group : kGroups) {
        std::string_view rest = group.names;
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find(' '), rest.size());
            std::string name = "MPI_" + std::string(rest.substr(0, end));
            std::string key = lower_case(name);
            table.emplace(std::move(key), Entry{std::move(name), group.call_class});
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }
    return table;
}

const Entry* find_entry(const std::string& lower_case_name) {
    static const Table table = make_table();
    const auto found = table.find(lower_case_name);
    return found == table.end() ? nullptr : &found->second;
}

bool remove_suffix(std::string& text, std::string_view suffix) {
    if (!text.ends_with(suffix)) return false;
    text.resize(text.size() - suffix.size());
    return true;
}

// The plain name in lower case of "mpi_recv__", "mpi_recv_f08ts_", "mpi_recv_c".
const Entry* find_variant(std::string name) {
    for (int underscores = 0; underscores < 2 && name.ends_with('_'); ++underscores) {
        name.pop_back();
    }
    if (const Entry* entry = find_entry(name)) return entry;
    // Open MPI also calls its Fortran bindings MPI_Recv_f.
    if (!remove_suffix(name, "_f08ts") && !remove_suffix(name, "_f08")) remove_suffix(name, "_f");
    if (const Entry* entry = find_entry(name)) return entry;
    // Large counts: MPI_Recv_c in C; libraries differ in where Fortran's goes.
    if (!remove_suffix(name, "_c") && !remove_suffix(name, "_large")) return nullptr;
    if (!remove_suffix(name, "_f08ts")) remove_suffix(name, "_f08");
    return find_entry(name);
}

constexpr std::size_t kLongestName = 128;

// A procedure of a later standard, or an extension: MPI_ or MPIX_, then a name
// as the C binding writes it.
bool is_c_procedure(std::string_view name) {
    const std::size_t prefix = name.starts_with("MPIX_") ? 5 : 4;
    if (!name.starts_with("MPI_") && prefix == 4) return false;
    if (name.size() < prefix + 2 || name.size() > kLongestName) return false;
    const auto at = [&](std::size_t index) { return static_cast<unsigned char>(name[index]); };
    if (std::isupper(at(prefix)) == 0) return false;
    if (std::islower(at(prefix + 1)) == 0 && at(prefix + 1) != '_') return false;  // MPI_T_
    return std::all_of(name.begin(), name.end(), [](unsigned char letter) {
        return std::isalnum(letter) != 0 || letter == '_';
    });
}

// A copy that lives as long as the program.
std::string_view interned(std::string_view name) {
    static std::mutex mutex;
    static std::set<std::string, std::less<>> names;
    const std::lock_guard lock(mutex);
    const auto found = names.find(name);
    return found != names.end() ? *found : *names.emplace(name).first;
}

}  // namespace

std::optional<MpiFunction> find_mpi_function(std::string_view symbol) {
    symbol = symbol.substr(0, symbol.find('@'));  // a symbol version
    if (symbol.starts_with('P') || symbol.starts_with('p')) symbol.remove_prefix(1);

    std::string lower = lower_case(symbol);
    if (!lower.starts_with("mpi_") && !lower.starts_with("mpix_")) return std::nullopt;
    if (const Entry* entry = find_variant(std::move(lower))) {
        return MpiFunction{entry->name, entry->call_class, send_mode(entry->name)};
    }
    if (!is_c_procedure(symbol)) return std::nullopt;
    return MpiFunction{interned(symbol), CallClass::Local, SendMode::Unknown};
}

bool is_collective(CallClass call_class) {
    switch (call_class) {
        case CallClass::AllToAll:
        case CallClass::FromRoot:
        case CallClass::ToRoot:
        case CallClass::Prefix:
        case CallClass::Neighborhood:
        case CallClass::FileAccess:
        case CallClass::Connect:
            return true;
        default:
            return false;
    }
}

}  // namespace mqinspect::model
