#include "analysis/pairing/call_kind.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

namespace mqinspect::analysis {

namespace {

using model::SendMode;
using Names = std::unordered_map<std::string_view, CallKind>;

CallKind of(Action action) {
    CallKind kind;
    kind.action = action;
    return kind;
}

void add_sends(Names& names) {
    struct Row {
        std::string_view plain;
        std::string_view nonblocking;
        std::string_view persistent;
        SendMode mode;
    };
    constexpr Row sends[] = {
        {"Send", "Isend", "Send_init", SendMode::Standard},
        {"Ssend", "Issend", "Ssend_init", SendMode::Synchronous},
        {"Rsend", "Irsend", "Rsend_init", SendMode::Ready},
        {"Bsend", "Ibsend", "Bsend_init", SendMode::Buffered},
    };
    for (const Row& row : sends) {
        CallKind kind = of(Action::Send);
        kind.mode = row.mode;
        names[row.plain] = kind;
        kind.blocking = false;
        names[row.nonblocking] = kind;
        kind.persistent = true;
        names[row.persistent] = kind;
    }
    CallKind kind = of(Action::Send);
    kind.mode = SendMode::Standard;
    kind.blocking = false;
    kind.persistent = kind.partitioned = true;
    names["Psend_init"] = kind;
    kind.action = Action::Receive;
    names["Precv_init"] = kind;
}

void add_receives(Names& names) {
    names["Recv"] = of(Action::Receive);
    names["Mrecv"] = of(Action::MatchedReceive);
    names["Probe"] = of(Action::Probe);
    names["Mprobe"] = of(Action::MatchedProbe);
    names["Sendrecv"] = of(Action::SendReceive);
    names["Sendrecv_replace"] = of(Action::SendReceiveReplace);
    names["Sendrecv"].mode = names["Sendrecv_replace"].mode = SendMode::Standard;
    for (const auto& [blocking, other] : {std::pair{"Recv", "Irecv"},
                                          std::pair{"Mrecv", "Imrecv"},
                                          std::pair{"Sendrecv", "Isendrecv"},
                                          std::pair{"Sendrecv_replace", "Isendrecv_replace"}}) {
        CallKind kind = names[blocking];
        kind.blocking = false;
        names[other] = kind;
    }
    names["Recv_init"] = names["Irecv"];
    names["Recv_init"].persistent = true;
    for (const auto& [blocking, other] :
         {std::pair{"Probe", "Iprobe"}, std::pair{"Mprobe", "Improbe"}}) {
        CallKind kind = names[blocking];
        kind.probes_only = true;
        names[other] = kind;
    }
}

void add_completions(Names& names) {
    using enum Completed;
    for (const auto& [wait, test, completed] : {std::tuple{"Wait", "Test", One},
                                                std::tuple{"Waitall", "Testall", All},
                                                std::tuple{"Waitany", "Testany", Any},
                                                std::tuple{"Waitsome", "Testsome", Some}}) {
        CallKind kind = of(Action::Complete);
        kind.completed = completed;
        names[wait] = kind;
        kind.probes_only = true;
        names[test] = kind;
    }
    for (const char* start : {"Start", "Startall"})
        names[start] = of(Action::Start);
    for (const char* ready : {"Pready", "Pready_range", "Pready_list"})
        names[ready] = of(Action::Ready);
    names["Request_free"] = of(Action::Free);
}

void add_others(Names& names) {
    names["Init"] = names["Init_thread"] = of(Action::Initialize);
    names["Finalize"] = of(Action::Finalize);
    names["Abort"] = of(Action::Abort);
    names["Win_post"] = of(Action::WindowPost);
    names["Win_start"] = of(Action::WindowStart);
    names["Win_complete"] = of(Action::WindowComplete);
    names["Win_wait"] = names["Win_test"] = of(Action::WindowWait);
    names["Win_test"].probes_only = true;
    for (const char* name : {"Win_lock", "Win_lock_all"})
        names[name] = of(Action::WindowLock);
    for (const char* name : {"Win_unlock", "Win_unlock_all"})
        names[name] = of(Action::WindowUnlock);
    for (const char* name : {"Win_flush", "Win_flush_all"})
        names[name] = of(Action::WindowFlush);
    for (const char* name : {"Comm_create_group", "Comm_create_from_group"}) {
        names[name] = of(Action::Collective);
        names[name].space = WaveSpace::Group;
    }
    names["Intercomm_create_from_groups"] = names["Comm_create_from_group"];
    names["Intercomm_create_from_groups"].by_leaders = true;
    // Collective without waiting for anybody.
    for (const char* name : {"Comm_idup", "Comm_idup_with_info"}) {
        names[name] = of(Action::Collective);
        names[name].blocking = false;
    }
    names["Comm_disconnect"] = of(Action::Collective);
    names["Comm_disconnect"].gives_back = true;
}

struct DataCollective {
    std::string_view name;  ///< without the prefixes and suffixes of its other forms
    Pattern pattern;
    bool rooted;
};

constexpr DataCollective kDataCollectives[] = {
    {"Barrier", Pattern::None, false},
    {"Bcast", Pattern::Broadcast, true},
    {"Gather", Pattern::Gather, true},
    {"Gatherv", Pattern::Gatherv, true},
    {"Scatter", Pattern::Scatter, true},
    {"Scatterv", Pattern::Scatterv, true},
    {"Allgather", Pattern::Allgather, false},
    {"Allgatherv", Pattern::Allgatherv, false},
    {"Alltoall", Pattern::Allgather, false},
    {"Alltoallv", Pattern::Alltoallv, false},
    {"Alltoallw", Pattern::Alltoallv, false},
    {"Reduce", Pattern::Reduce, true},
    {"Allreduce", Pattern::Reduce, false},
    {"Scan", Pattern::Reduce, false},
    {"Exscan", Pattern::Reduce, false},
    {"Reduce_scatter", Pattern::Reducev, false},
    {"Reduce_scatter_block", Pattern::Reduce, false},
    {"Neighbor_allgather", Pattern::Neighbor, false},
    {"Neighbor_allgatherv", Pattern::Neighbor, false},
    {"Neighbor_alltoall", Pattern::Neighbor, false},
    {"Neighbor_alltoallv", Pattern::Neighbor, false},
    {"Neighbor_alltoallw", Pattern::Neighbor, false},
};

Names make_names() {
    Names names;
    add_sends(names);
    add_receives(names);
    add_completions(names);
    add_others(names);
    return names;
}

/// "Ibcast", "Bcast_init": one of kDataCollectives, in any form.
const DataCollective* find_collective(std::string_view name, CallKind& kind) {
    for (const DataCollective& entry : kDataCollectives) {
        std::string_view rest = name;
        kind.blocking = true;
        kind.persistent = false;
        if (rest == entry.name) return &entry;
        kind.blocking = false;
        if (rest.ends_with("_init") && rest.substr(0, rest.size() - 5) == entry.name) {
            kind.persistent = true;
            return &entry;
        }
        // MPI_Ireduce: the first letter of the plain name is a small one here.
        if (rest.size() == entry.name.size() + 1 && rest[0] == 'I' &&
            rest.substr(2) == entry.name.substr(1) && rest[1] == entry.name[0] - 'A' + 'a') {
            return &entry;
        }
    }
    return nullptr;
}

/// Collective accesses to a file that only start (MPI 4.0, 14.4.1).
bool is_nonblocking_access(std::string_view name) {
    return (name.starts_with("File_iread") || name.starts_with("File_iwrite")) &&
           name.ends_with("_all");
}

CallKind collective_kind(const model::Procedure& procedure, std::string_view name) {
    CallKind kind;
    kind.action = Action::Collective;
    if (const DataCollective* entry = find_collective(name, kind)) {
        kind.pattern = entry->pattern;
        kind.rooted = entry->rooted;
        return kind;
    }
    kind.blocking = true;
    kind.persistent = false;
    kind.by_groups = name == "Comm_create";
    kind.by_lists = name == "Cart_create" || name == "Cart_sub" || name == "Graph_create";
    kind.by_number = name == "Comm_split_type" || name == "Win_fence";
    kind.by_edges = name == "Dist_graph_create_adjacent";
    kind.by_neighbors = name.starts_with("Dist_graph_create");
    kind.sets_view = name == "File_set_view";
    kind.opens_file = name == "File_open";
    kind.by_values = name == "File_set_size" || name == "File_preallocate" ||
                     name == "File_set_atomicity" || name == "File_seek_shared";
    kind.by_leaders = name == "Intercomm_create";
    kind.gives_back = name == "Comm_free" || name == "Win_free" || name == "File_close";
    kind.blocking = !is_nonblocking_access(name);
    if (kind.blocking && !model::is_collective(procedure.function.call_class)) return CallKind{};
    const auto has = [&](model::Role role) { return model::subscript_of(procedure, role) >= 0; };
    if (has(model::Role::Communicator)) {
        kind.rooted = has(model::Role::Root);
    } else if (name.starts_with("Win_") && has(model::Role::Window)) {
        kind.space = WaveSpace::Window;
    } else if (name.starts_with("File_") && has(model::Role::File)) {
        kind.space = WaveSpace::File;
    } else {
        return CallKind{};
    }
    return kind;
}

// "File_write_at_all_begin" is found with "File_write_all_begin".
std::string_view matched_by(std::string_view name) {
    static constexpr std::pair<std::string_view, std::string_view> k_at_offsets[] = {
        {"File_iread_at_all", "File_iread_all"},
        {"File_iwrite_at_all", "File_iwrite_all"},
        {"File_read_at_all", "File_read_all"},
        {"File_read_at_all_begin", "File_read_all_begin"},
        {"File_read_at_all_end", "File_read_all_end"},
        {"File_write_at_all", "File_write_all"},
        {"File_write_at_all_begin", "File_write_all_begin"},
        {"File_write_at_all_end", "File_write_all_end"}};
    for (const auto& [at_offset, at_pointer] : k_at_offsets)
        if (name == at_offset) return at_pointer;
    return name;
}

}  // namespace

std::vector<CallKind> classify_procedures(const model::Execution& execution) {
    static const Names names = make_names();
    std::vector<CallKind> kinds;
    kinds.reserve(execution.procedures.size());
    for (const model::Procedure& procedure : execution.procedures) {
        std::string_view name = procedure.name;
        CallKind kind;
        if (name.starts_with("MPI_")) {
            name.remove_prefix(4);
            if (name.ends_with("_c")) name.remove_suffix(2);
            const auto found = names.find(name);
            kind = found != names.end() ? found->second : collective_kind(procedure, name);
        }
        kind.name = kind.action == Action::Start ? "Start" : name;
        kind.matched_by = matched_by(kind.name);
        kinds.push_back(kind);
    }
    return kinds;
}

bool has_sends(const std::vector<CallKind>& kinds, model::SendMode mode) {
    return std::ranges::find(kinds, mode, &CallKind::mode) != kinds.end();
}

}  // namespace mqinspect::analysis
