#include "tests/support/execution_procedures.h"

#include <map>
#include <sstream>
#include <string>

#include "model/mpi_function.h"

namespace mqinspect::test {

namespace {

using model::Direction;
using model::ParameterKind;

// A name, then the parameters: '>' before a result, '=' before what is both. "X|Y" stands for
// two procedures, "{I}" at the beginning also for the nonblocking and the persistent form.
constexpr std::string_view kProcedures = R"(
MPI_Init|MPI_Finalize
MPI_Init_thread required >provided
MPI_Comm_rank comm >rank
MPI_Comm_size comm >size
MPI_Abort comm errorcode
MPI_Send|MPI_Ssend|MPI_Rsend|MPI_Bsend buf count datatype dest tag comm send_checksum
MPI_Isend|MPI_Issend|MPI_Irsend|MPI_Ibsend buf count datatype dest tag comm >request send_checksum
MPI_Send_init|MPI_Ssend_init|MPI_Rsend_init|MPI_Bsend_init buf count datatype dest tag comm >request
MPI_Recv buf count datatype source tag comm >status >receive_checksum
MPI_Irecv|MPI_Recv_init buf count datatype source tag comm >request
MPI_Psend_init buf partitions count datatype dest tag comm info >request
MPI_Precv_init buf partitions count datatype source tag comm info >request
MPI_Pready partition request
MPI_Pready_range partition_low partition_high request
MPI_Pready_list length array_of_partitions request
MPI_Parrived request partition >flag
MPI_Sendrecv sendbuf sendcount sendtype dest sendtag recvbuf recvcount recvtype source recvtag comm >status send_checksum >receive_checksum
MPI_Isendrecv sendbuf sendcount sendtype dest sendtag recvbuf recvcount recvtype source recvtag comm >request send_checksum
MPI_Sendrecv_replace buf count datatype dest sendtag source recvtag comm >status send_checksum >receive_checksum
MPI_Isendrecv_replace buf count datatype dest sendtag source recvtag comm >request send_checksum
MPI_Probe source tag comm >status
MPI_Iprobe source tag comm >flag >status
MPI_Mprobe source tag comm >message >status
MPI_Improbe source tag comm >flag >message >status
MPI_Mrecv buf count datatype =message >status >receive_checksum
MPI_Imrecv buf count datatype =message >request
MPI_Wait =request >status >checksums
MPI_Test =request >flag >status >checksums
MPI_Waitall count =array_of_requests >array_of_statuses >checksums
MPI_Testall count =array_of_requests >flag >array_of_statuses >checksums
MPI_Waitany count =array_of_requests >index >status >checksums
MPI_Testany count =array_of_requests >index >flag >status >checksums
MPI_Waitsome|MPI_Testsome incount =array_of_requests >outcount >array_of_indices >array_of_statuses >checksums
MPI_Start =request send_checksum
MPI_Startall count =array_of_requests checksums
MPI_Cancel request
MPI_Request_free =request
MPI_Request_get_status request >flag >status
MPI_Test_cancelled status >flag
MPI_Get_count|MPI_Get_elements status datatype >count
{I}Barrier comm
{I}Bcast buffer count datatype root comm
{I}Gather sendbuf sendcount sendtype recvbuf recvcount recvtype root comm
{I}Gatherv sendbuf sendcount sendtype recvbuf recvcounts displs recvtype root comm
{I}Scatter sendbuf sendcount sendtype recvbuf recvcount recvtype root comm
{I}Scatterv sendbuf sendcounts displs sendtype recvbuf recvcount recvtype root comm
{I}Allgather|{I}Neighbor_allgather sendbuf sendcount sendtype recvbuf recvcount recvtype comm
{I}Allgatherv|{I}Neighbor_allgatherv sendbuf sendcount sendtype recvbuf recvcounts displs recvtype comm
{I}Alltoall|{I}Neighbor_alltoall sendbuf sendcount sendtype recvbuf recvcount recvtype comm
{I}Alltoallv|{I}Neighbor_alltoallv sendbuf sendcounts sdispls sendtype recvbuf recvcounts rdispls recvtype comm
{I}Alltoallw|{I}Neighbor_alltoallw sendbuf sendcounts sdispls sendtypes recvbuf recvcounts rdispls recvtypes comm
{I}Reduce sendbuf recvbuf count datatype op root comm
{I}Allreduce|{I}Scan|{I}Exscan sendbuf recvbuf count datatype op comm
{I}Reduce_scatter sendbuf recvbuf recvcounts datatype op comm
{I}Reduce_scatter_block sendbuf recvbuf recvcount datatype op comm
MPI_Comm_dup comm >newcomm
MPI_Comm_dup_with_info comm info >newcomm
MPI_Comm_set_info comm info
MPI_Comm_idup comm >newcomm >request
MPI_Comm_split comm color key >newcomm
MPI_Comm_split_type comm split_type key info >newcomm
MPI_Comm_create comm group >newcomm
MPI_Comm_create_group comm group tag >newcomm
MPI_Intercomm_create local_comm local_leader peer_comm remote_leader tag >newintercomm
MPI_Intercomm_merge intercomm high >newintracomm
MPI_Cart_create comm_old ndims dims periods reorder >comm_cart
MPI_Graph_create comm_old nnodes indx edges reorder >comm_graph
MPI_Comm_free|MPI_Comm_disconnect =comm
MPI_Comm_spawn command argv maxprocs info root comm >intercomm >array_of_errcodes
MPI_Comm_group comm >group >group_handle
MPI_Comm_remote_size comm >size
MPI_Group_incl|MPI_Group_excl group n ranks >newgroup group_handle >newgroup_handle
MPI_Group_free =group group_handle
MPI_Group_union|MPI_Group_intersection group1 group2 >newgroup group1_handle group2_handle >newgroup_handle
MPI_Group_from_session_pset session pset_name >newgroup >newgroup_handle
MPI_Comm_create_from_group group stringtag info errhandler >newcomm group_handle
MPI_Intercomm_create_from_groups local_group local_leader remote_group remote_leader stringtag info errhandler >newintercomm
MPI_Cart_shift comm direction disp >rank_source >rank_dest
MPI_Dist_graph_create_adjacent comm_old indegree sources sourceweights outdegree destinations destweights info reorder >comm_dist_graph
MPI_Type_create_subarray ndims array_of_sizes array_of_subsizes array_of_starts order oldtype >newtype
MPI_Type_size datatype >size
MPI_Pack inbuf incount datatype outbuf outsize =position comm
MPI_Unpack inbuf insize =position outbuf outcount datatype comm
MPI_Free_mem base
MPI_Info_create >info
MPI_Info_set info key value
MPI_Buffer_attach buffer size
MPI_Buffer_detach >buffer_addr >size
MPI_Info_free =info
MPI_Comm_create_errhandler comm_errhandler_fn >errhandler
MPI_Comm_set_errhandler comm errhandler
MPI_Comm_get_errhandler comm >errhandler
MPI_Errhandler_free =errhandler
MPI_Type_create_keyval type_copy_attr_fn type_delete_attr_fn >type_keyval extra_state
MPI_Type_set_attr datatype type_keyval attribute_val
MPI_Type_delete_attr datatype type_keyval
MPI_Type_free_keyval =type_keyval
MPI_Comm_set_attr comm comm_keyval attribute_val
MPI_Grequest_start query_fn free_fn cancel_fn extra_state >request
MPI_Grequest_complete request
MPI_Add_error_code errorclass >errorcode
MPI_Comm_call_errhandler comm errorcode
MPI_Session_init info errhandler >session
MPI_Session_finalize =session
MPI_Type_vector count blocklength stride oldtype >newtype
MPI_Type_contiguous count oldtype >newtype
MPI_Type_commit|MPI_Type_free =datatype
MPI_Op_create user_fn commute >op
MPI_Op_free =op
MPI_Win_create base size disp_unit info comm >win
MPI_Win_allocate size disp_unit info comm base >win
MPI_Win_create_dynamic info comm >win
MPI_Win_free =win
MPI_Win_fence assert win
MPI_Win_post|MPI_Win_start group assert win
MPI_Win_attach win base size
MPI_Win_detach win base
MPI_Win_complete|MPI_Win_wait|MPI_Win_sync win
MPI_Win_test win >flag
MPI_Win_lock lock_type rank assert win
MPI_Win_unlock|MPI_Win_flush|MPI_Win_flush_local rank win
MPI_Win_lock_all assert win
MPI_Win_unlock_all|MPI_Win_flush_all|MPI_Win_flush_local_all win
MPI_Put|MPI_Get origin_addr origin_count origin_datatype target_rank target_disp target_count target_datatype win
MPI_Rput|MPI_Rget origin_addr origin_count origin_datatype target_rank target_disp target_count target_datatype win >request
MPI_Accumulate origin_addr origin_count origin_datatype target_rank target_disp target_count target_datatype op win
MPI_Get_accumulate origin_addr origin_count origin_datatype result_addr result_count result_datatype target_rank target_disp target_count target_datatype op win
MPI_Fetch_and_op origin_addr result_addr datatype target_rank target_disp op win
MPI_Compare_and_swap origin_addr compare_addr result_addr datatype target_rank target_disp win
MPI_File_open comm filename amode info >fh
MPI_File_close =fh
MPI_File_sync fh
MPI_File_write_all_begin|MPI_File_read_all_begin fh buf count datatype
MPI_File_write_all_end|MPI_File_read_all_end fh buf >status
MPI_File_set_size fh size
MPI_File_read_all|MPI_File_write_all|MPI_File_read|MPI_File_write fh buf count datatype >status
MPI_File_iread_all|MPI_File_iwrite_all|MPI_File_iread|MPI_File_iwrite fh buf count datatype >request
MPI_Wtime
)";

const std::map<std::string_view, ParameterKind>& kinds() {
    using enum ParameterKind;
    static const std::map<std::string_view, ParameterKind> table{
        {"buf", Buffer},
        {"buffer", Buffer},
        {"sendbuf", Buffer},
        {"recvbuf", Buffer},
        {"origin_addr", Buffer},
        {"result_addr", Buffer},
        {"compare_addr", Buffer},
        {"base", Buffer},
        {"inbuf", Buffer},
        {"outbuf", Buffer},
        {"count", Count},
        {"incount", Count},
        {"sendcount", Count},
        {"recvcount", Count},
        {"origin_count", Count},
        {"target_count", Count},
        {"result_count", Count},
        {"sendcounts", CountList},
        {"recvcounts", CountList},
        {"displs", IntegerList},
        {"sdispls", IntegerList},
        {"rdispls", IntegerList},
        {"datatype", Datatype},
        {"sendtype", Datatype},
        {"recvtype", Datatype},
        {"oldtype", Datatype},
        {"newtype", Datatype},
        {"origin_datatype", Datatype},
        {"target_datatype", Datatype},
        {"result_datatype", Datatype},
        {"sendtypes", DatatypeList},
        {"recvtypes", DatatypeList},
        {"dest", Rank},
        {"source", Rank},
        {"root", Rank},
        {"target_rank", Rank},
        {"local_leader", Rank},
        {"remote_leader", Rank},
        {"tag", Tag},
        {"sendtag", Tag},
        {"recvtag", Tag},
        {"comm", Communicator},
        {"newcomm", Communicator},
        {"local_comm", Communicator},
        {"peer_comm", Communicator},
        {"intercomm", Communicator},
        {"newintercomm", Communicator},
        {"newintracomm", Communicator},
        {"comm_old", Communicator},
        {"comm_cart", Communicator},
        {"comm_graph", Communicator},
        {"comm_dist_graph", Communicator},
        {"op", Operator},
        {"request", Request},
        {"array_of_requests", RequestList},
        {"win", Window},
        {"fh", File},
        {"group", Group},
        {"local_group", Group},
        {"remote_group", Group},
        {"newgroup", Group},
        {"group1", Group},
        {"group2", Group},
        {"group_handle", GroupHandle},
        {"group1_handle", GroupHandle},
        {"group2_handle", GroupHandle},
        {"newgroup_handle", GroupHandle},
        {"pset_name", Text},
        {"stringtag", Text},
        {"status", Status},
        {"array_of_statuses", StatusList},
        {"array_of_indices", IntegerList},
        {"array_of_partitions", IntegerList},
        {"array_of_sizes", IntegerList},
        {"array_of_subsizes", IntegerList},
        {"array_of_starts", IntegerList},
        {"indx", IntegerList},
        {"edges", IntegerList},
        {"sourceweights", IntegerList},
        {"destweights", IntegerList},
        {"ranks", RankList},
        {"sources", RankList},
        {"destinations", RankList},
        {"array_of_errcodes", IntegerList},
        {"dims", IntegerList},
        {"periods", IntegerList},
        {"flag", Flag},
        {"filename", Text},
        {"command", Text},
        {"target_disp", Address},
        {"user_fn", Address},
        {"argv", Address},
        {"info", Other},
        {"errhandler", Other},
        {"session", Other},
        {"message", Message},
        {"send_checksum", Checksum},
        {"receive_checksum", Checksum},
        {"checksums", ChecksumList},
    };
    return table;
}

model::Parameter parameter_of(std::string_view procedure, std::string word) {
    model::Parameter parameter;
    if (word.front() == '>' || word.front() == '=') {
        parameter.direction = word.front() == '>' ? Direction::Out : Direction::InOut;
        word.erase(0, 1);
    }
    parameter.name = word;
    const auto kind = kinds().find(word);
    parameter.kind = kind == kinds().end() ? ParameterKind::Integer : kind->second;
    const bool of_info = procedure == "MPI_Info_set";
    if (of_info && (word == "key" || word == "value")) parameter.kind = ParameterKind::Text;
    const bool of_lock = procedure.starts_with("MPI_Win_") && word == "rank";
    if (of_lock) parameter.kind = ParameterKind::Rank;
    return parameter;
}

using Table = std::map<std::string, model::Procedure, std::less<>>;

void add(Table& table, const std::string& name, const std::string& parameters) {
    model::Procedure procedure;
    procedure.name = name;
    procedure.function = *model::find_mpi_function(name);
    std::istringstream words(parameters);
    for (std::string word; words >> word;)
        procedure.parameters.push_back(parameter_of(name, word));
    model::assign_roles(procedure);
    table.emplace(name, std::move(procedure));
}

void add_forms(Table& table, const std::string& name, const std::string& parameters) {
    if (!name.starts_with("{I}")) {
        add(table, name, parameters);
        return;
    }
    std::string lower = name.substr(3);
    add(table, "MPI_" + lower, parameters);
    add(table, "MPI_" + lower + "_init", parameters + " info >request");
    lower[0] = static_cast<char>(lower[0] - 'A' + 'a');
    add(table, "MPI_I" + lower, parameters + " >request");
}

Table make_table() {
    Table table;
    std::istringstream lines{std::string(kProcedures)};
    for (std::string line; std::getline(lines, line);) {
        const std::size_t end = std::min(line.find(' '), line.size());
        std::istringstream names(line.substr(0, end));
        for (std::string name; std::getline(names, name, '|');)
            add_forms(table, name, line.substr(end));
    }
    return table;
}

}  // namespace

std::optional<model::Procedure> find_procedure(std::string_view name) {
    static const Table table = make_table();
    const auto found = table.find(name);
    if (found == table.end()) return std::nullopt;
    return found->second;
}

}  // namespace mqinspect::test
