"""A debugger that holds processes, made up: what it says is all that is known of them."""

import struct

import pytest

import mqinspect
from mqinspect.held import (
    HeldField,
    HeldFrame,
    HeldProcess,
    HeldSignal,
    HeldType,
    HeldVariable,
    look_at_held,
)

LIBRARY = "/usr/lib/libmpi.so"
PROGRAM = "/home/user/app"


class MadeUpProcess(HeldProcess):
    """A rank in MPI_Recv of a library without types; memory holds its environment."""

    alive = True
    mpi_library = LIBRARY
    program = PROGRAM

    def __init__(self, rank, size, environment=None):
        self.name = f"inferior {rank + 1}"
        self.pid = 1000 + rank
        self.memory = {}
        self.reads = 0
        variables = environment if environment is not None else [f"PMI_RANK={rank}", f"PMI_SIZE={size}"]
        self._store(0x1000, struct.pack("<Q", 0x2000))
        pointers = b""
        for number, variable in enumerate(variables):
            self._store(0x4000 + 256 * number, variable.encode() + b"\0")
            pointers += struct.pack("<Q", 0x4000 + 256 * number)
        self._store(0x2000, pointers + bytes(8))

    def _store(self, address, data):
        for number, byte in enumerate(data):
            self.memory[address + number] = byte

    def find_symbol(self, name):
        return {"__environ": 0x1000, "PMPI_Init": 0x100}.get(name)

    def find_type(self, name):
        return HeldType(name, 8, (HeldField("member", 0, 8),)) if name == "known" else None

    def read_memory(self, address, count):
        self.reads += 1
        wanted = range(address, address + count)
        if any(place not in self.memory for place in wanted):
            return None
        return bytes(self.memory[place] for place in wanted)

    def threads(self):
        receive = HeldFrame(0x10, "PMPI_Recv", LIBRARY, "recv.c", 100, True, False)
        main = HeldFrame(0x20, "main", PROGRAM, "app.c", 7, False, True)
        return [[receive, main]]

    def variable(self, thread, frame, name):
        values = {"source": ("int", -2), "tag": ("int", 3), "comm": ("MPI_Comm", 0x44000000)}
        return HeldVariable(*values[name]) if frame == 0 and name in values else None

    def parameters(self, thread, frame):
        return ["source", "tag", "comm"] if frame == 0 else []


def test_ranks_and_calls_are_those_of_the_debugger():
    snapshot = look_at_held([MadeUpProcess(1, 3), MadeUpProcess(0, 3)])

    assert [rank.pid for rank in snapshot.ranks] == [1000, 1001, 0]
    first, _, missing = snapshot.ranks
    assert first.state is mqinspect.RankState.BLOCKED
    assert (first.call.function, first.call.file, first.call.line) == ("MPI_Recv", "app.c", 7)
    assert first.call.arguments["source"] == "MPI_ANY_SOURCE"
    assert first.call.arguments["tag"] == "3"
    assert [frame.function for frame in first.stack] == ["PMPI_Recv", "main"]
    assert missing.state is mqinspect.RankState.UNREADABLE
    assert missing.problem == "not held by this debugger"


def test_the_verdict_on_a_part_of_the_job_is_unknown():
    assert look_at_held([MadeUpProcess(0, 2)]).verdict.kind is mqinspect.VerdictKind.UNKNOWN


def test_a_process_that_is_no_rank_is_named():
    with pytest.raises(mqinspect.InvalidArgumentError, match=r"inferior 1 \(pid 1000\) is no rank"):
        look_at_held([MadeUpProcess(0, 1, environment=["PATH=/bin"])])


def test_two_processes_of_one_rank_are_named():
    with pytest.raises(mqinspect.InvalidArgumentError, match="both rank 0"):
        look_at_held([MadeUpProcess(0, 2), MadeUpProcess(1, 2, ["PMI_RANK=0", "PMI_SIZE=2"])])


@pytest.mark.parametrize("rank", ["-1", "99999999999", "x", str(2**31 - 1)])
def test_an_absurd_rank_is_an_error(rank):
    with pytest.raises(mqinspect.InvalidArgumentError):
        look_at_held([MadeUpProcess(0, 1, [f"PMI_RANK={rank}", "PMI_SIZE=2"])])


def test_no_process_is_an_error():
    with pytest.raises(mqinspect.InvalidArgumentError, match="holds no process"):
        look_at_held([])


def test_a_dead_process_names_its_signal():
    class Dead(MadeUpProcess):
        alive = False
        signal = HeldSignal(11, address=0x10)

        def threads(self):
            fault = HeldFrame(0x30, "store", PROGRAM, "app.c", 9, False, True)
            return [[fault, *super().threads()[0][1:]], *super().threads()]

    snapshot = look_at_held([Dead(0, 2), MadeUpProcess(1, 2)])

    assert snapshot.ranks[0].signal == mqinspect.Signal(11, "SIGSEGV", 0x10, None)
    assert [frame.function for frame in snapshot.ranks[0].stack] == ["store", "main"]
    assert snapshot.verdict.crashed == (0,)


def test_what_the_debugger_raises_comes_out():
    class Interrupted(MadeUpProcess):
        def threads(self):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        look_at_held([Interrupted(0, 1)])


def test_an_environment_without_an_end_ends():
    class Endless(MadeUpProcess):
        def read_memory(self, address, count):
            self.reads += 1
            return (struct.pack("<Q", 0x2000) * (count // 8 + 1))[:count]

    process = Endless(0, 1)
    with pytest.raises(mqinspect.InvalidArgumentError):
        look_at_held([process])
    assert process.reads < 1_000_000


def test_memory_of_another_length_is_not_taken():
    class Short(MadeUpProcess):
        def read_memory(self, address, count):
            return b"x"

    with pytest.raises(mqinspect.InvalidArgumentError):
        look_at_held([Short(0, 1)])
