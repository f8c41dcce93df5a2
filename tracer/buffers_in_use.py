"""Which buffers and arrays of a procedure are in use until its operation is complete."""

SENT_BY_ROOT = {"Ibcast", "Iscatter", "Iscatterv"}
RECEIVED_BY_ROOT = {"Igather", "Igatherv", "Ireduce"}
SENDRECV_BUFFERS = {
    "Isendrecv": [
        ("dest", "sendbuf", "sendcount", "sendtype", "Read"),
        ("source", "recvbuf", "recvcount", "recvtype", "Written"),
    ],
    "Isendrecv_replace": [("source", "buf", "count", "datatype", "Written")],
}
# The calls that complete one-sided operations at their origin (MPI 4.0, 12.5).


def names(procedure):
    return {parameter.name for parameter in procedure.parameters}


def output(procedure, kind):
    """The parameter of this kind that the procedure sets, or None."""
    found = (p.name for p in procedure.outputs() if p.kind == kind and p.direction == "Out")
    return next(found, None)


def only_at(procedure, by_root):
    """The condition on which a buffer that the root alone, or everybody else, uses is in use."""
    if "root" not in names(procedure):
        return ""
    at_root = "values::is_root(comm, root)"
    return f"{at_root} && " if by_root else "root >= 0 && "


# Where a buffer holds something for, or from, each peer: how many there are.
PEERS = {
    ("Iallgather", "recv"): "values::peers(comm)",
    ("Ialltoall", "send"): "values::peers(comm)",
    ("Ialltoall", "recv"): "values::peers(comm)",
    ("Igather", "recv"): "values::at_root(comm, root)",
    ("Iscatter", "send"): "values::at_root(comm, root)",
    ("Ineighbor_allgather", "recv"): "values::sources(comm)",
    ("Ineighbor_alltoall", "send"): "values::destinations(comm)",
    ("Ineighbor_alltoall", "recv"): "values::sources(comm)",
    ("Ireduce_scatter_block", "send"): "values::group_size(comm)",
}


def parted_buffer(procedure, prefix, use, kept, length_of):
    """A buffer with a part for each peer; none: it is not one."""
    known = {p.name: p for p in procedure.parameters}
    counts = known.get(f"{prefix}counts")
    places = known.get(f"{prefix[0]}displs", known.get("displs"))
    if counts is None or places is None or f"{prefix}buf" not in known:
        return None
    types = f"{prefix}types" if f"{prefix}types" in known else f"{prefix}type"
    buffer = f"PartedBuffer(started, {prefix}buf, BufferUse::{use}, {kept})"
    arguments = f"{buffer}, {counts.name}, {places.name}, {types}, {length_of(counts)}"
    return f"parts_in_use({arguments});"


def scattered_buffer(prefix, use, kept):
    """Of MPI_Ireduce_scatter: every member's part is sent, and the own one received; in place, all
    parts are where the own one is received."""
    all_parts = "values::sum(recvcounts, values::group_size(comm))"
    own_part = f"sendbuf == MPI_IN_PLACE ? {all_parts} : values::own_part(recvcounts, comm)"
    call = "buffer_kept" if kept == "true" else "buffer_in_use"
    number = all_parts if prefix == "send" else own_part
    return f"{call}(started, {prefix}buf, {number}, datatype_info(datatype), BufferUse::{use});"


def whole_buffer(procedure, prefix, use, kept):
    """A buffer with one count; none: it is not one."""
    known = names(procedure)
    if nonblocking_name(procedure) == "Ireduce_scatter":
        return scattered_buffer(prefix, use, kept)
    count = next((n for n in (f"{prefix}count", "count", "recvcount") if n in known), None)
    datatype = f"{prefix}type" if f"{prefix}type" in known else "datatype"
    if f"{prefix}buf" not in known or count is None or datatype not in known:
        return None
    if f"{prefix}counts" in known:
        return None
    number = f"values::number({count})"
    peers = PEERS.get((nonblocking_name(procedure), prefix))
    if peers is not None:
        number += f" * {peers}"
    call = "buffer_kept" if kept == "true" else "buffer_in_use"
    return f"{call}(started, {prefix}buf, {number}, datatype_info({datatype}), BufferUse::{use});"


# Blocking procedures, whose buffers other threads must leave alone until the return.
WAITING_COLLECTIVES = {
    "Bcast", "Gather", "Gatherv", "Scatter", "Scatterv", "Allgather", "Allgatherv", "Alltoall",
    "Alltoallv", "Alltoallw", "Reduce", "Allreduce", "Reduce_scatter", "Reduce_scatter_block", "Scan",
    "Exscan", "Neighbor_allgather", "Neighbor_allgatherv", "Neighbor_alltoall", "Neighbor_alltoallv",
    "Neighbor_alltoallw",
}  # fmt: skip
WAITING_TRANSFERS = {
    "Send": "Read", "Ssend": "Read", "Rsend": "Read", "Bsend": "Read", "Recv": "Written",
    "Mrecv": "Written",
}  # fmt: skip


def nonblocking_name(procedure):
    base = procedure.base()
    if base in WAITING_COLLECTIVES or base.startswith("Sendrecv"):
        return "I" + base.lower()
    return "I" + base.removesuffix("_init").lower() if base.endswith("_init") else base


def collective_buffers(procedure, length_of):
    """Those of a nonblocking collective operation that are in use until it is complete, and of a
    persistent one from each start."""
    base = nonblocking_name(procedure)
    kept = "true" if procedure.base().endswith("_init") else "false"
    lines = []
    for prefix, use, roots in (
        ("send", "Read", SENT_BY_ROOT),
        ("recv", "Written", RECEIVED_BY_ROOT),
    ):
        use_it = parted_buffer(procedure, prefix, use, kept, length_of) or whole_buffer(
            procedure, prefix, use, kept
        )
        if use_it is not None:
            lines.append(f"if ({only_at(procedure, base in roots)}valid) {use_it}")
    if base == "Ibcast":
        call = "buffer_kept" if kept == "true" else "buffer_in_use"
        use = "values::is_root(comm, root) ? BufferUse::Read : BufferUse::Written"
        arguments = "started, buffer, values::number(count), datatype_info(datatype)"
        lines.append(f"if (valid && root != MPI_PROC_NULL) {call}({arguments}, {use});")
    return lines


def collective_arguments(procedure, length_of):
    """Arrays that a nonblocking collective operation may read until it is complete, and a
    persistent one until its request is freed."""
    use = "KeptArgument" if procedure.base().endswith("_init") else "Argument"
    lines = []
    for p in procedure.parameters:
        if not p.kind.endswith("List") or p.direction != "In":
            continue
        condition = "valid"
        if p.kind == "DatatypeList":
            condition += " && !after::are_copies(call.site())"
        arguments = f"started, {p.name}, {length_of(p)}, BufferUse::{use}"
        lines.append(f"if ({condition}) argument_in_use({arguments});")
    return lines


def file_buffers(procedure):
    """Those of nonblocking and split operations on files; of the latter until their end."""
    base = procedure.base()
    if not base.startswith("File_") or "fh" not in names(procedure):
        return []
    use = "WrittenAside" if "read" in base else "Read"
    if base.endswith("_begin"):
        return [
            f"if (valid) file_buffer_in_use(fh, buf, values::number(count), datatype, BufferUse::{use});"
        ]
    if base.endswith("_end"):
        return ["if (valid) file_buffer_released(fh);"]
    if output(procedure, "Request") is None:
        return []
    return [
        "if (valid) buffer_in_use(started, buf, values::number(count), datatype_info(datatype), "
        f"BufferUse::{use});"
    ]


def sendrecv_buffers(procedure):
    """Those of MPI_Isendrecv and its kin; a completion's checksum is of one buffer."""
    return [
        f"if (valid && {peer} != MPI_PROC_NULL) buffer_in_use(started, {buffer}, "
        f"values::number({count}), datatype_info({datatype}), BufferUse::{use});"
        for peer, buffer, count, datatype, use in SENDRECV_BUFFERS.get(nonblocking_name(procedure), [])
    ]


def waiting_buffers(procedure):
    """Those of a call that waits, for the threads beside its own."""
    base = procedure.base()
    lines = sendrecv_buffers(procedure) if base.startswith("Sendrecv") else []
    if base in WAITING_TRANSFERS:
        lines = [
            "buffer_in_use(started, buf, values::number(count), datatype_info(datatype), "
            f"BufferUse::{WAITING_TRANSFERS[base]});"
        ]
    if base in WAITING_COLLECTIVES:
        # Arrays of counts nobody has looked at yet.
        lines = [line for line in collective_buffers(procedure, lambda counts: counts.name) if "counts" not in line]
    if not lines:
        return []
    return [
        "if (call.may_guard_meanwhile()) [[unlikely]] {",
        "    constexpr std::int64_t started = kUntilReturn;",
        "    [[maybe_unused]] constexpr bool valid = true;",
        *(f"    {line}" for line in lines),
        "    call.guard_meanwhile();",
        "}",
    ]
