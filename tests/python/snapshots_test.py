"""Snapshots that are loaded: objects, tables, graphs, reports, errors. No job."""

import dataclasses
import json
import os
import pathlib
import subprocess

import networkx
import pandas
import pytest

import mqinspect

GOLDEN = pathlib.Path(os.environ["MQI_SOURCE"]) / "tests" / "golden" / "report"

RING = """\
communicator 0 "MPI_COMM_WORLD"
communicator 1 "ring" members 0-2
rank 0-2 blocked MPI_Ssend to next tag 1 comm 1 at ring.c:14
rank 3 blocked MPI_Recv source 0 tag 2 comm 0 at ring.c:32
rank 3 frame PMPI_Recv image /usr/lib/libmpi.so
rank 3 frame main at ring.c:32 pc 0x401000
rank 0 send comm 1 to next tag 1 bytes 800 count 100 type MPI_DOUBLE mode synchronous own
rank 3 posted source 0 tag 2 bytes 8 own
"""


@pytest.fixture
def ring():
    return mqinspect.load(RING)


def test_the_verdict_names_cores_and_victims(ring):
    verdict = ring.verdict

    assert verdict.kind is mqinspect.VerdictKind.DEADLOCK
    assert verdict.is_alarm
    assert verdict.sentence.startswith("Deadlock: ranks 0-2 wait for each other")
    assert [core.ranks for core in verdict.cores] == [(0, 1, 2)]
    assert [victim.rank for victim in verdict.victims] == [3]
    assert verdict.victims[0].chain == (3, 0)
    first = verdict.waits[0]
    assert (first.rank, first.targets, first.mode) == (0, (1,), mqinspect.WaitMode.ALL)
    assert (first.call, first.file, first.line) == ("MPI_Ssend", "ring.c", 14)


def test_ranks_have_states_calls_and_stacks(ring):
    rank = ring.ranks[3]

    assert rank.state is mqinspect.RankState.BLOCKED
    assert (rank.call.function, rank.call.file, rank.call.line) == ("MPI_Recv", "ring.c", 32)
    assert [frame.function for frame in ring.stacks[3]] == ["PMPI_Recv", "main"]
    assert rank.stack[1].pc == 0x401000
    assert rank.stack[0].line is None


def test_operations_tell_unknown_from_known(ring):
    send, receive = ring.operations

    assert send.queue is mqinspect.Queue.PENDING_SEND
    assert send.mode is mqinspect.SendMode.SYNCHRONOUS
    assert (send.world_peer, send.tag, send.bytes, send.datatype) == (1, 1, 800, "MPI_DOUBLE")
    assert receive.queue is mqinspect.Queue.POSTED_RECEIVE
    assert receive.count is None
    assert ring.communicators[send.communicator].name == "ring"
    assert ring.communicators[send.communicator].members == (0, 1, 2)


def test_objects_are_frozen_and_compare_by_value(ring):
    again = mqinspect.load(RING)

    assert ring == again and hash(ring) == hash(again)
    assert ring.operations == again.operations
    assert hash(ring.ranks[3]) == hash(again.ranks[3])
    assert "MPI_Recv" in repr(ring.ranks[3])
    assert repr(ring) == "<mqinspect.Snapshot: 4 ranks, deadlock>"
    assert ring != mqinspect.load(RING.replace("tag 2", "tag 3"))
    assert ring != RING
    with pytest.raises(dataclasses.FrozenInstanceError):
        ring.ranks[3].pid = 1


def test_every_snapshot_of_the_goldens_becomes_objects():
    files = sorted(GOLDEN.glob("*.snapshot"))
    assert files
    for file in files:
        snapshot = mqinspect.load(file)
        data = json.loads(snapshot.report("json"))
        assert [rank.rank for rank in snapshot.ranks] == list(range(len(data["ranks"])))
        assert len(snapshot.operations) == len(data["operations"])
        assert len(snapshot.windows) == len(data["windows"])
        assert snapshot.verdict.kind.value == data["verdict"]["kind"]
        assert snapshot.job.size == len(snapshot.ranks)
        # Every key of the schema has a field.
        for kind, rows in (
            (mqinspect.Rank, data["ranks"]),
            (mqinspect.Communicator, data["communicators"]),
            (mqinspect.Operation, data["operations"]),
            (mqinspect.Window, data["windows"]),
            (mqinspect.JobDescription, [data["job"]]),
            (mqinspect.Verdict, [data["verdict"]]),
        ):
            names = {field.name for field in dataclasses.fields(kind)}
            assert all(set(row) == names for row in rows), (file, kind)


def test_a_crash_names_its_signal():
    snapshot = mqinspect.load("rank 0 exited\nrank 0 signal 11 SIGSEGV address 0x10\nrank 1 running\n")

    assert snapshot.verdict.kind is mqinspect.VerdictKind.CRASH
    assert snapshot.verdict.is_alarm and snapshot.verdict.crashed == (0,)
    assert snapshot.ranks[0].signal == mqinspect.Signal(11, "SIGSEGV", 0x10, None)


def test_windows_have_epochs_and_locks():
    snapshot = mqinspect.load(
        "rank 0 blocked MPI_Win_lock comm 0\nrank 1 running\n"
        "rank 0 window 0 name w flavor create access lock target 1 requested exclusive\n"
        "rank 1 window 0 name w lock shared holders 1 waiter 0 exclusive\n"
    )

    first, second = snapshot.windows
    assert first.access is mqinspect.AccessEpoch.LOCK
    assert first.flavor is mqinspect.WindowFlavor.CREATE
    assert first.targets[0].lock is mqinspect.LockState.REQUESTED
    assert first.targets[0].type is mqinspect.LockType.EXCLUSIVE
    assert second.lock is mqinspect.LockType.SHARED
    assert second.waiters == (mqinspect.LockWaiter(0, mqinspect.LockType.EXCLUSIVE),)


def test_operations_are_a_table_for_pandas(ring):
    frame = pandas.DataFrame(ring.operations_table())

    assert len(frame) == 2
    assert list(frame[frame.queue == "pending_send"].communicator_name) == ["ring"]
    assert frame.groupby("rank").bytes.sum().to_dict() == {0: 800, 3: 8}


def test_ranks_are_a_table_for_pandas(ring):
    frame = pandas.DataFrame(ring.ranks_table())

    assert frame.function.value_counts().to_dict() == {"MPI_Ssend": 3, "MPI_Recv": 1}


def test_waits_are_a_graph_for_networkx(ring):
    graph = networkx.DiGraph(ring.graph())

    assert sorted(map(sorted, networkx.simple_cycles(graph))) == [[0, 1, 2]]
    assert networkx.shortest_path(graph, 3, 1) == [3, 0, 1]
    assert graph.edges[3, 0]["mode"] == "all"
    assert graph.edges[3, 0]["call"] == "MPI_Recv"


def test_reports_come_in_all_formats(ring):
    for name in mqinspect.report_formats():
        assert ring.report(name)
    assert ring.report().startswith("Deadlock:")
    assert ring.report("dot").startswith("digraph")
    assert "PMPI_Recv" in ring.report(stacks=True)
    assert "\x1b[" in ring.report(color=True)
    assert max(map(len, ring.report(width=60).splitlines())) <= 60


def test_a_saved_snapshot_is_the_same_when_loaded(ring, tmp_path):
    file = tmp_path / "ring.snapshot"
    ring.save(file)

    assert mqinspect.load(file) == ring
    assert mqinspect.load(str(file)) == ring


def test_files_are_those_of_mqinspect_save(ring, tmp_path):
    show = [str(pathlib.Path(os.environ["MQI_BUILD"]) / "bin" / "mqinspect"), "show"]
    file = tmp_path / "ring.snapshot"
    text = "# mqinspect snapshot 1\n# unconfirmed 0-2\n" + RING + "# end\n"
    suspected = mqinspect.load(text)
    assert suspected.verdict.kind is mqinspect.VerdictKind.SUSPECTED
    assert suspected != ring

    for snapshot in (ring, suspected):
        snapshot.save(file)
        # What was confirmed, and what was not, is so in the file, too.
        assert mqinspect.load(file) == snapshot
        shown = subprocess.run([*show, file, "--format", "json"], stdout=subprocess.PIPE)
        assert json.loads(shown.stdout)["verdict"] == json.loads(snapshot.report("json"))["verdict"]


def test_saved_files_hold_the_source_lines(tmp_path):
    source = tmp_path / "ring.c"
    source.write_text("int main(void) {\n    receive();  // here\n}\n")
    snapshot = mqinspect.load(RING.replace("ring.c:14", f"{source}:2"))
    snapshot.save(tmp_path / "saved")
    source.unlink()

    again = mqinspect.load(tmp_path / "saved")
    assert again == snapshot
    assert "receive();  // here" in again.report("html")
    assert "receive();  // here" not in snapshot.report("html")


def test_a_file_that_is_cut_is_an_error(ring, tmp_path):
    file = tmp_path / "cut"
    file.write_text(ring.text()[:-3])
    with pytest.raises(mqinspect.CorruptDataError, match="its end is missing"):
        mqinspect.load(file)


def test_stacks_are_merged_into_a_tree(ring):
    tree = ring.stack_tree()
    assert "main at ring.c:32" in tree and "PMPI_Recv" in tree
    assert "main" not in ring.stack_tree([0, 1])
    assert max(map(len, ring.stack_tree(width=60).splitlines())) <= 60


def test_text_of_no_encoding_survives(tmp_path):
    text = 'communicator 0 "caf\\xe9"\nrank 0 running\n'
    snapshot = mqinspect.load(text)
    snapshot.save(tmp_path / "file")

    assert snapshot.communicators[0].name == "caf\ufffd"
    assert mqinspect.load(tmp_path / "file") == snapshot


@pytest.mark.parametrize(
    "text, message",
    [
        ("rank 0 dancing\n", "line 1"),
        ("rank 0 running\nrank 2 running\n", "rank 1"),
        ("rank 0 running\n" + "x" * 100000 + "\n", "line 2"),
    ],
)
def test_text_that_is_no_snapshot_is_an_error(text, message):
    with pytest.raises(mqinspect.InvalidArgumentError) as raised:
        mqinspect.load(text)

    assert message in str(raised.value)
    assert raised.value.code is mqinspect.ErrorCode.INVALID_ARGUMENT
    assert isinstance(raised.value, mqinspect.Error) and isinstance(raised.value, ValueError)


def test_a_file_that_is_not_there_is_an_os_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        mqinspect.load(tmp_path / "none")


def test_an_unknown_format_is_an_error(ring):
    with pytest.raises(mqinspect.InvalidArgumentError, match="no report format"):
        ring.report("pdf")


@pytest.mark.parametrize("pid", [0, -1, 2**31, "4711", 1.5, None, True, [1, "x"]])
def test_what_is_no_pid_is_an_error(pid):
    with pytest.raises((mqinspect.InvalidArgumentError, TypeError, AttributeError)):
        mqinspect.attach(pid)


def test_no_pids_are_an_error():
    with pytest.raises(mqinspect.InvalidArgumentError, match="no process"):
        mqinspect.attach([])


def test_a_process_that_is_no_rank_is_an_error():
    with pytest.raises(mqinspect.Error) as raised:
        mqinspect.attach(os.getpid())
    assert "\n" not in str(raised.value)


def test_a_process_that_is_gone_is_an_error():
    child = os.spawnv(os.P_NOWAIT, "/bin/true", ["true"])
    os.waitpid(child, 0)

    with pytest.raises(mqinspect.TargetExitedError):
        mqinspect.attach(child)


def test_each_code_has_its_class():
    for code in mqinspect.ErrorCode:
        error = mqinspect.errors.error_of(code.value, "text")
        assert error.code is code and type(error) is not mqinspect.Error
