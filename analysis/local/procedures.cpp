#include "analysis/local/procedures.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <unordered_map>

namespace mqinspect::analysis {

namespace {

using model::Direction;
using model::ParameterKind;

template <class Action>
using Table = std::unordered_map<std::string_view, Action>;

template <class Action>
Action find(const Table<Action>& table, std::string_view name) {
    const auto found = table.find(name);
    return found == table.end() ? Action{} : found->second;
}

// By the procedure's name without MPI_, in lower case, and without what makes it nonblocking,
// persistent or large-count.
const Table<BufferRule>& buffer_rules() {
    using enum BufferRule;
    static const Table<BufferRule> table{
        {"send", Send},
        {"ssend", Send},
        {"bsend", Send},
        {"rsend", Send},
        {"recv", Receive},
        {"mrecv", Receive},
        {"sendrecv", SendReceive},
        {"sendrecv_replace", SendReceiveReplace},
        {"psend", PartitionedSend},
        {"precv", PartitionedReceive},
        {"bcast", Broadcast},
        {"gather", Gather},
        {"gatherv", Gather},
        {"scatter", Scatter},
        {"scatterv", Scatter},
        {"allgather", Allgather},
        {"allgatherv", Allgather},
        {"alltoall", Alltoall},
        {"alltoallv", Alltoall},
        {"alltoallw", Alltoall},
        {"neighbor_allgather", NeighborAllgather},
        {"neighbor_allgatherv", NeighborAllgather},
        {"neighbor_alltoall", NeighborAlltoall},
        {"neighbor_alltoallv", NeighborAlltoall},
        {"neighbor_alltoallw", NeighborAlltoall},
        {"reduce", Reduce},
        {"allreduce", Allreduce},
        {"scan", Allreduce},
        {"exscan", Allreduce},
        {"reduce_scatter", ReduceScatter},
        {"reduce_scatter_block", ReduceScatterBlock},
        {"reduce_local", ReduceLocal},
        {"pack", Pack},
        {"unpack", Unpack},
        {"put", Put},
        {"rput", Put},
        {"get", Get},
        {"rget", Get},
        {"accumulate", Accumulate},
        {"raccumulate", Accumulate},
        {"get_accumulate", GetAccumulate},
        {"rget_accumulate", GetAccumulate},
        {"fetch_and_op", FetchAndOp},
        {"compare_and_swap", CompareAndSwap},
        {"file_read", FileRead},
        {"file_read_all", FileRead},
        {"file_read_at", FileRead},
        {"file_read_at_all", FileRead},
        {"file_read_shared", FileRead},
        {"file_read_ordered", FileRead},
        {"file_read_all_begin", FileRead},
        {"file_read_at_all_begin", FileRead},
        {"file_read_ordered_begin", FileRead},
        {"file_write", FileWrite},
        {"file_write_all", FileWrite},
        {"file_write_at", FileWrite},
        {"file_write_at_all", FileWrite},
        {"file_write_shared", FileWrite},
        {"file_write_ordered", FileWrite},
        {"file_write_all_begin", FileWrite},
        {"file_write_at_all_begin", FileWrite},
        {"file_write_ordered_begin", FileWrite},
    };
    return table;
}

const Table<RequestAction>& request_actions() {
    using enum RequestAction;
    static const Table<RequestAction> table{
        {"wait", Wait},
        {"waitall", Waitall},
        {"waitany", Waitany},
        {"waitsome", Waitsome},
        {"test", Test},
        {"testall", Testall},
        {"testany", Testany},
        {"testsome", Testsome},
        {"start", Start},
        {"startall", Startall},
        {"request_free", Free},
        {"cancel", Cancel},
        {"request_get_status", Ask},
        {"pready", Partition},
        {"pready_range", Partition},
        {"pready_list", Partition},
        {"parrived", Partition},
    };
    return table;
}

const Table<WindowAction>& window_actions() {
    using enum WindowAction;
    static const Table<WindowAction> table{
        {"win_fence", Fence},
        {"win_start", Start},
        {"win_complete", Complete},
        {"win_post", Post},
        {"win_wait", Wait},
        {"win_test", Test},
        {"win_lock", Lock},
        {"win_unlock", Unlock},
        {"win_lock_all", LockAll},
        {"win_unlock_all", UnlockAll},
        {"win_flush", Flush},
        {"win_flush_all", FlushAll},
        {"win_flush_local", FlushLocal},
        {"win_flush_local_all", FlushLocalAll},
        {"win_sync", Sync},
        {"win_free", Free},
    };
    return table;
}

const Table<DefinitionRule>& definition_rules() {
    using enum DefinitionRule;
    static const Table<DefinitionRule> table{
        {"comm_split", Color},
        {"comm_remote_size", Intercommunicator},
        {"comm_remote_group", Intercommunicator},
        {"intercomm_merge", Intercommunicator},
        {"group_incl", Members},
        {"group_excl", Members},
        {"cart_create", Grid},
        {"cart_map", Grid},
        {"dist_graph_create", Neighbors},
        {"dist_graph_create_adjacent", Neighbors},
        {"graph_create", Graph},
        {"graph_map", Graph},
        {"cart_get", OfCartesian},
        {"cart_rank", OfCartesian},
        {"cart_coords", OfCartesian},
        {"cart_shift", OfCartesian},
        {"cart_sub", OfCartesian},
        {"cartdim_get", OfCartesian},
        {"graph_get", OfGraph},
        {"graphdims_get", OfGraph},
        {"graph_neighbors", OfGraph},
        {"graph_neighbors_count", OfGraph},
        {"dist_graph_neighbors", OfDistributedGraph},
        {"dist_graph_neighbors_count", OfDistributedGraph},
        {"neighbor_allgather", OfAnyTopology},
        {"neighbor_allgatherv", OfAnyTopology},
        {"neighbor_alltoall", OfAnyTopology},
        {"neighbor_alltoallv", OfAnyTopology},
        {"neighbor_alltoallw", OfAnyTopology},
        {"type_create_subarray", Subarray},
        {"type_create_darray", DistributedArray},
        {"init_thread", ThreadLevel},
        {"win_create", WindowMemory},
        {"win_allocate", WindowMemory},
        {"win_allocate_shared", WindowMemory},
        {"win_attach", DynamicWindow},
        {"win_detach", DynamicWindow},
        {"free_mem", FreedMemory},
        {"type_free", FreedDatatype},
        {"pack", Packing},
        {"unpack", Packing},
        {"info_set", Info},
        {"info_delete", Info},
        {"info_get", Info},
        {"info_get_string", Info},
        {"info_get_valuelen", Info},
        {"info_get_nkeys", Info},
        {"info_get_nthkey", Info},
        {"info_dup", Info},
        {"info_free", Info},
        {"comm_set_errhandler", ErrorHandler},
        {"win_set_errhandler", ErrorHandler},
        {"file_set_errhandler", ErrorHandler},
        {"session_set_errhandler", ErrorHandler},
        {"errhandler_set", ErrorHandler},
        {"errhandler_free", ErrorHandler},
        {"file_open", FileMode},
        {"file_set_view", FileView},
        {"type_get_contents", Contents},
    };
    return table;
}

bool takes_none_pending(std::string_view name) {
    return name == "file_close" || name == "file_set_view" || name == "file_set_size" ||
           name == "file_sync" || name == "comm_disconnect";
}

Phase phase_of(std::string_view name) {
    if (name == "init" || name == "init_thread" || name == "session_init") return Phase::Initialize;
    if (name == "finalize" || name == "session_finalize") return Phase::Finalize;
    if (name == "abort") return Phase::Abort;
    // MPI 4.0, 11.4.1, and what gives times and memory without a communicator.
    constexpr std::string_view anytime[] = {"initialized",
                                            "finalized",
                                            "get_version",
                                            "get_library_version",
                                            "query_thread",
                                            "is_thread_main",
                                            "error_class",
                                            "error_string",
                                            "add_error_class",
                                            "add_error_code",
                                            "add_error_string",
                                            "wtime",
                                            "wtick",
                                            "pcontrol",
                                            "op_commutative",
                                            "session_create_errhandler",
                                            "errhandler_free",
                                            "info_create",
                                            "info_create_env",
                                            "info_set",
                                            "info_delete",
                                            "info_get",
                                            "info_get_string",
                                            "info_get_valuelen",
                                            "info_get_nkeys",
                                            "info_get_nthkey",
                                            "info_dup",
                                            "info_free",
                                            "session_call_errhandler"};
    if (name.starts_with("t_") ||
        std::find(std::begin(anytime), std::end(anytime), name) != std::end(anytime))
        return Phase::Any;
    return Phase::Communication;
}

bool frees_handle(std::string_view name) {
    constexpr std::string_view names[] = {"comm_free",
                                          "comm_disconnect",
                                          "group_free",
                                          "type_free",
                                          "op_free",
                                          "win_free",
                                          "file_close",
                                          "mrecv",
                                          "imrecv",
                                          "info_free",
                                          "errhandler_free",
                                          "comm_free_keyval",
                                          "type_free_keyval",
                                          "win_free_keyval",
                                          "keyval_free",
                                          "free_mem",
                                          "close_port"};
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

/// What it gives belongs to others, or cannot be told from what others own.
bool lends_handle(std::string_view name) {
    return name == "comm_get_parent" || name == "type_get_contents" || name == "file_get_view" ||
           name == "type_match_size" || name.ends_with("get_errhandler") ||
           name == "errhandler_get";
}

struct Stem {
    std::string name;
    bool persistent = false;
};

/// "bcast" of MPI_Ibcast, MPI_Bcast_init_c.
Stem stem_of(std::string_view procedure) {
    Stem stem;
    if (procedure.starts_with("MPI_")) procedure.remove_prefix(4);
    if (procedure.ends_with("_c")) procedure.remove_suffix(2);
    for (const char letter : procedure)
        stem.name += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    if (stem.name.ends_with("_init") && stem.name != "session_init") {
        stem.name.resize(stem.name.size() - 5);
        stem.persistent = true;
    }
    const auto plain = [&](std::size_t at) {
        std::string shorter = stem.name;
        shorter.erase(at, 1);
        if (find(buffer_rules(), shorter) == BufferRule::None && shorter != "barrier") return;
        stem.name = std::move(shorter);
    };
    // MPI_Isend, MPI_Ineighbor_allgather; MPI_File_iread.
    if (find(buffer_rules(), stem.name) == BufferRule::None) {
        if (stem.name.starts_with("i")) plain(0);
        if (stem.name.starts_with("file_i")) plain(5);
    }
    return stem;
}

std::optional<HandleKind> handle_kind(std::string_view stem, const model::Parameter& parameter) {
    switch (parameter.kind) {
        case ParameterKind::Communicator:
            return HandleKind::Communicator;
        case ParameterKind::Datatype:
        case ParameterKind::DatatypeList:
            return HandleKind::Datatype;
        case ParameterKind::Operator:
            return HandleKind::Operator;
        case ParameterKind::Window:
            return HandleKind::Window;
        case ParameterKind::File:
            return HandleKind::File;
        case ParameterKind::Group:
            return HandleKind::Group;
        case ParameterKind::Message:
            return HandleKind::Message;
        case ParameterKind::Address:
        case ParameterKind::Buffer:
            if (stem == "alloc_mem" || stem == "free_mem") return HandleKind::Memory;
            return std::nullopt;
        case ParameterKind::Text:
            if (stem == "open_port" || stem == "close_port") return HandleKind::Port;
            return std::nullopt;
        case ParameterKind::Other:
            if (parameter.name.ends_with("errhandler")) return HandleKind::ErrorHandler;
            if (parameter.name == "info" || parameter.name == "newinfo" ||
                parameter.name == "info_used")
                return HandleKind::Info;
            return std::nullopt;
        default:
            if (parameter.name.ends_with("keyval")) return HandleKind::AttributeKey;
            return std::nullopt;
    }
}

/// Of what is made from a session, or from MPI_COMM_WORLD.
bool is_of_session(const model::Parameter& parameter) {
    return parameter.kind == ParameterKind::Communicator ||
           parameter.kind == ParameterKind::GroupHandle ||
           parameter.kind == ParameterKind::Window || parameter.kind == ParameterKind::File ||
           parameter.name == "session";
}

bool is_rma(BufferRule rule) {
    return rule >= BufferRule::Put;
}

LocalProcedure local_procedure(const model::Procedure& procedure) {
    LocalProcedure local;
    local.procedure = &procedure;
    const Stem stem = stem_of(procedure.name);
    local.buffers = find(buffer_rules(), stem.name);
    local.requests = find(request_actions(), stem.name);
    local.window = is_rma(local.buffers) ? WindowAction::Access : find(window_actions(), stem.name);
    local.definition = find(definition_rules(), stem.name);
    local.phase = phase_of(stem.persistent || procedure.name.starts_with("MPIX_") ? "" : stem.name);
    local.persistent = stem.persistent;
    local.collective = (local.buffers >= BufferRule::Broadcast &&
                        local.buffers <= BufferRule::ReduceScatterBlock) ||
                       stem.name == "barrier";
    local.frees = frees_handle(stem.name);
    local.takes_none_pending = takes_none_pending(stem.name);
    local.commits = procedure.name == "MPI_Type_commit";
    local.session = procedure.name.starts_with("MPI_Session_");
    local.info = procedure.name.starts_with("MPI_Info_");
    local.refusable = procedure.function.mode == model::SendMode::Buffered ||
                      procedure.name.starts_with("MPI_Buffer_") ||
                      procedure.name.starts_with("MPI_Add_error_") ||
                      procedure.name == "MPI_Attr_put" || procedure.name.ends_with("_set_attr") ||
                      procedure.name == "MPI_Session_get_nth_pset" ||
                      procedure.name == "MPI_Group_from_session_pset";
    const bool lends_memory =
        stem.name == "win_create" || stem.name == "win_attach" || stem.name == "buffer_attach";
    int related = procedure.name == "MPI_Session_init" ? 1 : 0;
    for (std::size_t at = 0; at < procedure.parameters.size() && at < INT8_MAX; ++at) {
        const model::Parameter& parameter = procedure.parameters[at];
        if (parameter.kind == ParameterKind::Request && parameter.direction == Direction::Out)
            local.makes_request = true;
        if (parameter.kind == ParameterKind::Status && parameter.direction != Direction::Out)
            local.reads_status = true;
        if (lends_memory && parameter.kind == ParameterKind::Buffer) local.lent = at;
        related += is_of_session(parameter) ? 1 : 0;
        const auto kind = handle_kind(stem.name, parameter);
        if (!kind) continue;
        const bool out = parameter.direction == Direction::Out;
        local.handles.push_back({static_cast<std::uint8_t>(at),
                                 *kind,
                                 parameter.kind == ParameterKind::DatatypeList,
                                 !out,
                                 parameter.direction != Direction::In});
        const bool lends = lends_handle(stem.name);
        if (out && !lends) local.makes_handle = true;
        if (out && lends) local.lends_handle = true;
    }
    local.relates = related > 1 && !procedure.name.starts_with("MPI_T_");
    return local;
}

}  // namespace

std::vector<LocalProcedure> local_procedures(const model::Execution& execution) {
    std::vector<LocalProcedure> result;
    result.reserve(execution.procedures.size());
    for (const model::Procedure& procedure : execution.procedures)
        result.push_back(local_procedure(procedure));
    return result;
}

std::span<const std::int64_t> CallView::requests() const {
    if (local.requests == RequestAction::None) return {};
    if (const model::Value* const list = in(model::Role::Requests)) return list->list;
    const model::Value* const one = in(model::Role::Request);
    return one != nullptr ? std::span{&one->number, 1} : std::span<const std::int64_t>{};
}

const model::Value* CallView::named(std::string_view name) const {
    return model::value_of(*local.procedure, call.before, name);
}

std::string text_of(const model::Execution& execution, const model::Value* value) {
    if (value == nullptr || value->number < 0) return {};
    const auto at = static_cast<std::size_t>(value->number);
    return at < execution.texts.size() ? execution.texts[at] : std::string{};
}

}  // namespace mqinspect::analysis
