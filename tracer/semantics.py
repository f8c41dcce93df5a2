"""What the wrappers do beside keeping arguments: statements for the generated code.

Names are those of the procedures without "MPI_" and without "_c".
"""

from buffers_in_use import (
    collective_arguments,
    collective_buffers,
    file_buffers,
    names,
    output,
    sendrecv_buffers,
)

# In tracer/calls, by hand.
HAND_WRITTEN = {
    "Init", "Init_thread", "Finalize", "Abort", "Pcontrol",
    "Wait", "Waitall", "Waitany", "Waitsome", "Test", "Testall", "Testany", "Testsome",
    "Request_free", "Start", "Startall",
    "Comm_set_errhandler", "Comm_get_errhandler", "Errhandler_set", "Errhandler_get",
    "Win_set_errhandler", "Win_get_errhandler",
}  # fmt: skip

# Calls that only look; --reduced leaves them out where they find nothing.
LOOKS = {
    "Test", "Testall", "Testany", "Testsome", "Iprobe", "Improbe", "Request_get_status",
    "Win_test", "Parrived",
}  # fmt: skip

# Constructors of communicators: the parent, and the tag that tells them apart.
COMMUNICATORS = {
    "Comm_create": ("comm", "0"),
    "Comm_create_group": ("comm", "tag"),
    "Comm_create_from_group": ("MPI_COMM_NULL", "values::tag_of(stringtag)"),
    "Comm_dup": ("comm", "0"),
    "Comm_dup_with_info": ("comm", "0"),
    "Comm_split": ("comm", "0"),
    "Comm_split_type": ("comm", "0"),
    "Comm_spawn": ("comm", "0"),
    "Comm_spawn_multiple": ("comm", "0"),
    "Comm_accept": ("comm", "0"),
    "Comm_connect": ("comm", "0"),
    "Comm_join": ("MPI_COMM_NULL", "0"),
    "Comm_get_parent": ("MPI_COMM_NULL", "0"),
    "Cart_create": ("comm_old", "0"),
    "Cart_sub": ("comm", "0"),
    "Graph_create": ("comm_old", "0"),
    "Dist_graph_create": ("comm_old", "0"),
    "Dist_graph_create_adjacent": ("comm_old", "0"),
    "Intercomm_create": ("local_comm", "tag"),
    "Intercomm_create_from_groups": ("MPI_COMM_NULL", "values::tag_of(stringtag)"),
    "Intercomm_merge": ("intercomm", "0"),
    "MPIX_Comm_shrink": ("comm", "0"),
}
SPAWNS = {"Comm_spawn", "Comm_spawn_multiple"}
# MPI 4.0, 10.3.2: nobody but MPI itself knows when these communicators are made.
DUPLICATED = {"Comm_idup", "Comm_idup_with_info"}

FREED = {
    "Comm_free": "communicator", "Comm_disconnect": "communicator", "Type_free": "datatype",
    "Group_free": "group", "Op_free": "operator", "Win_free": "window", "File_close": "file",
}  # fmt: skip
HANDLE_TYPE = {
    "communicator": "MPI_Comm", "datatype": "MPI_Datatype", "group": "MPI_Group",
    "operator": "MPI_Op", "window": "MPI_Win", "file": "MPI_File",
}  # fmt: skip
ENDED = {"file": "file_closed"}

WINDOWS = {"Win_create", "Win_allocate", "Win_allocate_shared", "Win_create_dynamic"}
LENT = {
    "Buffer_attach": "memory_lent(kAttachedBuffer, buffer, values::number(size));",
    "Buffer_detach": "memory_given_back(kAttachedBuffer);",
    "Win_attach": "memory_lent(handle_bits(win), base, values::number(size));",
    "Win_detach": "memory_given_back(handle_bits(win), base);",
}
NAMED = {
    "Comm_set_name": "communicator_named(comm, comm_name);",
    "Type_set_name": "datatype_named(datatype, type_name);",
    "Win_set_name": "window_named(win, win_name);",
}
# What include/pending_operations.h calls them.
MODES = {"send": "Send", "ssend": "SynchronousSend", "rsend": "ReadySend", "bsend": "BufferedSend"}
TRANSFERS = {"Receive", "MatchedReceive", *MODES.values()}
BLOCKING_SENDS = {"Send", "Ssend", "Bsend", "Rsend", "Sendrecv", "Sendrecv_replace"}
BLOCKING_RECEIVES = {"Recv", "Mrecv", "Sendrecv", "Sendrecv_replace"}
REQUESTS = {
    **{f"I{name}": mode for name, mode in MODES.items()},
    **{f"{name.capitalize()}_init": mode for name, mode in MODES.items()},
    "Irecv": "Receive", "Recv_init": "Receive", "Imrecv": "MatchedReceive",
    "Isendrecv": "SendReceive", "Isendrecv_replace": "SendReceive",
    "Psend_init": "PartitionedSend", "Precv_init": "PartitionedReceive",
}  # fmt: skip


# What the root alone sends or receives: nobody else's buffer means anything.
COMPLETES_ORIGINS = {
    "Win_fence", "Win_complete", "Win_unlock", "Win_unlock_all", "Win_free", "Win_flush",
    "Win_flush_all", "Win_flush_local", "Win_flush_local_all",
}  # fmt: skip
# What one-sided operations do with their buffers: the buffer, its count, its type, the use; what is
# transferred first. MPI_NO_OP ignores what it is given (MPI 4.0, 12.3.4).
ORIGINS = {
    "Put": [("origin_addr", "origin_count", "origin_datatype", "Read")],
    "Get": [("origin_addr", "origin_count", "origin_datatype", "Written")],
    "Accumulate": [("origin_addr", "origin_count", "origin_datatype", "Read")],
    "Get_accumulate": [
        ("result_addr", "result_count", "result_datatype", "Written"),
        ("origin_addr", "origin_count", "origin_datatype", "ReadUnlessNoOp"),
    ],
    "Fetch_and_op": [
        ("result_addr", "1", "datatype", "Written"),
        ("origin_addr", "1", "datatype", "ReadUnlessNoOp"),
    ],
    "Compare_and_swap": [
        ("origin_addr", "1", "datatype", "Read"),
        ("compare_addr", "1", "datatype", "Read"),
        ("result_addr", "1", "datatype", "Written"),
    ],
}  # fmt: skip
# What becomes of partitions.
PARTITIONS = {
    "Pready": ") partitions_ready(request, partition, partition)",
    "Pready_range": ") partitions_ready(request, partition_low, partition_high)",
    "Pready_list": ") partitions_ready(request, array_of_partitions, length)",
    "Parrived": " && *flag != 0) partition_arrived(request)",
}
REQUESTED_ORIGINS = {"Rput", "Rget", "Raccumulate", "Rget_accumulate"}


def freed_parameter(procedure):
    return next(p.name for p in procedure.parameters if p.direction == "InOut")


def request_kind(procedure):
    """The pending::Kind of the request that the procedure makes."""
    base = procedure.base()
    if base in REQUESTS:
        return REQUESTS[base]
    collective = (base.startswith("I") or base.endswith("_init")) and "comm" in names(procedure)
    return "Collective" if collective else "Other"


def transfers(procedure):
    """Whether its communicator and datatype are asked for more than their ids."""
    base = procedure.base()
    return (
        base in BLOCKING_SENDS
        or base in BLOCKING_RECEIVES
        or (output(procedure, "Request") is not None and request_kind(procedure) != "Other")
    )


def sent_or_received(procedure):
    """The datatype that is asked for more than its id, or None."""
    sums = any(parameter.kind.startswith("Checksum") for parameter in procedure.parameters)
    if not sums and not transfers(procedure):
        return None
    for name in ("datatype", "sendtype"):
        if name in names(procedure):
            return name
    return None


def communicator_looked_up(procedure):
    """The communicator that is asked for more than its id, or None."""
    return "comm" if transfers(procedure) and "comm" in names(procedure) else None


def most_bytes(known):
    """What a process gives or gets in a collective operation. Arguments that do not count there
    may be anything: then it is too much, or not known."""
    if any(name.endswith(("counts", "types")) for name in known):
        return "-1"
    pairs = (
        ("count", "datatype"), ("recvcount", "datatype"),
        ("sendcount", "sendtype"), ("recvcount", "recvtype"),
    )  # fmt: skip
    parts = [f"values::bytes({c}, {t})" for c, t in pairs if c in known and t in known]
    return f"values::most({{{', '.join(parts)}}})" if parts else "0"


def parts_of_operation(procedure, kind, receives=False):
    """The members of the C++ NewOperation of what a call starts."""
    known = names(procedure)
    prefix = "recv" if receives else "send"
    buffer = next((n for n in (f"{prefix}buf", "buf") if n in known), None)
    count = next((n for n in (f"{prefix}count", "count") if n in known), None)
    datatype = next((n for n in (f"{prefix}type", "datatype") if n in known), None)
    peer = "source" if receives and "source" in known else "dest"
    tag = next((n for n in (f"{prefix}tag", "tag") if n in known), None)
    looked_up = datatype == sent_or_received(procedure)
    parts = [
        f"pending::Kind::{kind}",
        "true" if procedure.base().endswith("_init") else "false",
        f"procedures::k{procedure.name}.name",
        "where" if communicator_looked_up(procedure) or "message" in known else "nullptr",
    ]
    if kind == "Collective":
        parts += ["nullptr", most_bytes(known)]
    elif kind != "Other":
        parts += [
            buffer,
            f"values::number({count})",
            "type" if looked_up else f"datatype_info({datatype})",
            f"handle_bits({datatype})",
            peer if peer in known else "origin.peer",
            tag or "origin.tag",
        ]
    if kind == "SendReceive":
        count, datatype = (
            ("recvcount", "recvtype") if "recvtype" in known else ("count", "datatype")
        )
        parts.append(
            f"received(source, recvtag, values::number({count}), {datatype}, "
            f"datatype_info({datatype}))"
        )
    if kind.startswith("Partitioned"):
        parts += ["{}", "partitions"]
    return parts


def new_operation(procedure, kind, receives=False):
    return "{" + ", ".join(parts_of_operation(procedure, kind, receives)) + "}"


def request_started(procedure, request):
    """The C++ call for a request that a call has made."""
    kind = request_kind(procedure)
    parts = parts_of_operation(procedure, kind, "Receive" in kind and kind != "SendReceive")
    shown_kind, persistent, *others = parts
    if kind in TRANSFERS and persistent == "false":
        return f"transfer_started({', '.join([shown_kind, *others])}, {request})"
    return f"request_started({{{', '.join(parts)}}}, {request})"


def before_call(procedure):
    base = procedure.base()
    lines = []
    if name := sent_or_received(procedure):
        lines.append(f"const DatatypeInfo* const type = datatype_info({name});")
    if name := communicator_looked_up(procedure):
        lines.append(f"CommunicatorInfo* const where = communicator_info({name});")
    if base in FREED:
        kind = HANDLE_TYPE[FREED[base]]
        name = freed_parameter(procedure)
        lines.append(f"const {kind} handle = {name} == nullptr ? {kind}{{}} : *{name};")
    if base in SPAWNS:
        lines.append("const std::uint64_t begin_ns = wall_clock_ns();")
    if base == "Session_finalize":
        lines.append("after::session_ends(session);")
    if base in ("Mrecv", "Imrecv"):
        lines.append("const MPI_Message matched = message == nullptr ? MPI_MESSAGE_NULL : *message;")
        lines.append("const NewOperation origin = message_origin(matched);")
        lines.append("CommunicatorInfo* const where = origin.communicator;")
    if base in BLOCKING_SENDS:
        kind = MODES.get(base.lower(), "Send")
        lines.append(f"call.sends({new_operation(procedure, kind)});")
    if base in BLOCKING_RECEIVES:
        kind = "MatchedReceive" if base == "Mrecv" else "Receive"
        lines.append(f"call.receives({new_operation(procedure, kind, True)});")
    return lines


def before_transfer(procedure):
    """Behind the values of the entry, in front of the call."""
    return ["message_taken(matched);"] if procedure.base() in ("Mrecv", "Imrecv") else []


def communicator_made(procedure):
    base = procedure.base()
    name = output(procedure, "Communicator")
    if base in DUPLICATED:
        return [f'if (valid) communicator_duplicated("{procedure.name}", comm, *{name});']
    if base in COMMUNICATORS:
        parent, tag = COMMUNICATORS[base]
        arguments = f'"{procedure.name}", {parent}, *{name}, {tag}'
        return [f"if (valid) communicator_created({arguments});"]
    return []


def sends_counted(procedure, kind):
    """Persistent operations are counted when they are started."""
    if procedure.base().endswith("_init") or kind not in (*MODES.values(), "SendReceive"):
        return []
    tag = "sendtag" if "sendtag" in names(procedure) else "tag"
    return [
        f"if (valid && where != nullptr) count_sent(*where, dest, {tag});",
        "if (!valid) stop_counting(where);",
    ]


def one_sided_operation(base):
    """Put, of MPI_Rput, too."""
    return base[1:].capitalize() if base in REQUESTED_ORIGINS else base


def waits_for_transfers(procedure):
    """The call returns when one-sided operations have reached a state that the MPI standard names."""
    return procedure.base() in {*COMPLETES_ORIGINS, "Win_wait"} - {"Win_free"}


def one_sided_transfers(procedure):
    base = procedure.base()
    if base in ("Win_unlock", "Win_flush"):
        return ["if (valid) one_sided_completed(win, rank);"]
    if base in COMPLETES_ORIGINS and "_local" not in base:
        window = "handle" if base == "Win_free" else "win"
        return [f"if (valid) one_sided_completed({window});"]
    for _, count, datatype, _ in ORIGINS.get(one_sided_operation(base), [])[:1]:
        transferred = f"one_sided_started(win, target_rank, {count}, {datatype});"
        return [f"if (valid && target_rank >= 0) {transferred}"]
    return []


def one_sided_buffers(procedure):
    base = procedure.base()
    if base in COMPLETES_ORIGINS:
        window = "handle" if base == "Win_free" else "win"
        return [f"if (valid) origins_released({window});"]
    request = "started" if base in REQUESTED_ORIGINS else "model::kNullHandle"
    lines = []
    for buffer, count, datatype, use in ORIGINS.get(one_sided_operation(base), []):
        condition = "valid && target_rank >= 0"
        if use == "ReadUnlessNoOp":
            condition, use = f"{condition} && op != MPI_NO_OP", "Read"
        lines.append(
            f"if ({condition}) origin_in_use({request}, win, {buffer}, {count}, {datatype}, "
            f"BufferUse::{use});"
        )
    return lines


def after_call(procedure, length_of):
    base = procedure.base()
    lines = communicator_made(procedure)
    if base in SPAWNS:
        lines.append("if (valid) after::spawned(*intercomm, begin_ns);")
    if base.startswith("Type_") and (name := output(procedure, "Datatype")):
        lines.append(f"if (valid) datatype_created(*{name});")
    if base == "Type_get_contents":
        lines.append("if (valid) datatypes_taken_out(datatype, array_of_datatypes);")
    if name := output(procedure, "Group"):
        lines.append(f"if (valid) group_created(*{name});")
    if base in ("Op_create",):
        lines.append(
            "if (valid) operator_created(*op, static_cast<std::uint64_t>"
            "(values::address(user_fn)), commute != 0);"
        )
    if base in WINDOWS:
        lines.append(f'if (valid) after::window_made("{procedure.name}", *win, comm);')
    if base == "File_open":
        lines.append("if (valid) file_opened(*fh, comm, filename, amode);")
    if base in LENT:
        lines.append(f"if (valid) {LENT[base]}")
    if base in NAMED:
        lines.append(f"if (valid) {NAMED[base]}")
    if base == "Session_init":
        lines.append("if (valid) after::session_begun(*session, call.site());")
    if name := output(procedure, "Request"):
        kind = request_kind(procedure)
        started = request_started(procedure, name)
        lines.append(f"const std::int64_t started = valid ? {started} : model::kNullHandle;")
        lines += sends_counted(procedure, kind)
        if kind == "Collective":
            lines += collective_arguments(procedure, length_of)
            lines += collective_buffers(procedure, length_of)
        lines += sendrecv_buffers(procedure)
    lines += one_sided_buffers(procedure)
    lines += one_sided_transfers(procedure)
    lines += file_buffers(procedure)
    if base in PARTITIONS:
        lines.append(f"if (valid{PARTITIONS[base]};")
    if base == "Request_get_status":
        lines.append("if (valid && *flag != 0) request_told(request);")
    if name := output(procedure, "Message"):
        condition = "valid && *flag != 0" if "flag" in names(procedure) else "valid"
        made = f"*{name}, communicator_info(comm), *status, values::bytes_of(*status)"
        lines.append(f"if ({condition}) message_matched({made});")
    if base in BLOCKING_RECEIVES:
        lines.append("values::received(where, valid, *status);")
    if base in BLOCKING_SENDS:
        lines.append("if (!valid) stop_counting(where);")
    if base in FREED:
        thing = FREED[base]
        lines.append(f"if (valid) {ENDED.get(thing, thing + '_freed')}(handle);")
    return lines


def extra_values(procedure):
    """The expressions for the recorder's own parameters."""
    base = procedure.base()
    if base == "Bcast":
        sent = "values::is_root(comm, root) ? values::send_checksum(buffer, count, type, 0) : 0"
        received = (
            "valid && !values::is_root(comm, root) && root != MPI_PROC_NULL"
            " ? checksum(buffer, values::number(count), type) : 0"
        )
        return {"send_checksum": sent, "receive_checksum": received}
    if base == "Ibcast":
        return {
            "send_checksum": "values::is_root(comm, root)"
            " ? values::send_checksum(buffer, count, type, 0) : 0"
        }
    if base.startswith("File_"):
        return {"send_checksum": "values::send_checksum(buf, count, datatype_info(datatype), 0)"}
    buffer = "sendbuf" if "sendbuf" in names(procedure) else "buf"
    count = "sendcount" if "sendcount" in names(procedure) else "count"
    sent = f"values::send_checksum({buffer}, {count}, type, dest)"
    arguments = "buf, count, type"
    if "recvbuf" in names(procedure):
        arguments = "recvbuf, recvcount, datatype_info(recvtype)"
    received = f"values::receive_checksum(valid, {arguments}, *status)"
    return {"send_checksum": sent, "receive_checksum": received}
