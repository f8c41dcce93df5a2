"""gdb_scripts/mqinspect.py in gdb: attached ranks, all ranks as inferiors, core files."""

import os
import pathlib
import subprocess

import pytest
from conftest import PROGRAMS, poll

import mqinspect

SOURCE = pathlib.Path(os.environ["MQI_SOURCE"])
BUILD = pathlib.Path(os.environ["MQI_BUILD"])
SCRIPT = SOURCE / "gdb_scripts" / "mqinspect.py"


def gdb(*commands):
    """What a gdb prints that runs the commands after it has loaded the script."""
    options = [word for command in (f"source {SCRIPT}", *commands) for word in ("-ex", command)]
    result = subprocess.run(
        ["gdb", "-nx", "-batch", "-ex", "set width 0", *options],
        env={**os.environ, "MQI_PYTHON": str(BUILD / "python"), "DEBUGINFOD_URLS": ""},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=120,
    )
    assert result.returncode >= 0, result.stdout  # no signal has ended it
    return result.stdout


def attach_all(pids):
    commands = [f"attach {pids[0]}"]
    for number, pid in enumerate(pids[1:], 2):
        commands += ["add-inferior", f"inferior {number}", f"attach {pid}"]
    return commands


def lines_of(output, command):
    """What stands behind the echo of a command."""
    return [line.rstrip() for line in output.split(f"<{command}>\n", 1)[1].splitlines()]


def row_of(output, *words):
    """The first line that starts with these words."""
    for line in output.splitlines():
        if line.split()[: len(words)] == list(words):
            return line
    raise AssertionError(f"no line {words} in\n{output}")


@pytest.fixture
def deadlock(start_job):
    job = start_job("any_source_deadlock", 3)
    with job.attach() as attached:
        poll(lambda: attached.snapshot().verdict.kind is mqinspect.VerdictKind.DEADLOCK)
    return job


def test_one_attached_rank_shows_what_is_there(deadlock):
    pid = deadlock.rank_pids()[0]
    output = gdb(
        f"attach {pid}", "mpi-ranks", "mpi-comms", "mpi-queues", "mpi-where", "mpi-deadlock"
    )

    rank = row_of(output, "0", "inferior", "1", str(pid))
    assert rank.split()[4:] == ["blocked", "MPI_Recv", rank.split()[-1]]
    assert rank.split()[-1].startswith("any_source_deadlock.c:")
    assert row_of(output, "1", "-").split()[-3:] == ["unreadable", "-", "-"]
    assert "ranks 1-2: not held by this debugger" in output
    assert row_of(output, "0", "MPI_COMM_WORLD", "3").split()[3:] == ["0", "1", "2"]
    receive = row_of(output, "0", "MPI_COMM_WORLD", "posted", "receive")
    assert receive.split()[4:] == ["any", "0", "4", "pending", "MPI_Recv"]
    assert row_of(output, "0", "main", "at").split()[-1].startswith("any_source_deadlock.c:")
    assert "stack not known of ranks 1,2" in output
    # Whom the others wait for is not known.
    assert "Deadlock:" not in output
    assert "Unknown" in output or "unknown" in output


def test_all_ranks_as_inferiors_are_a_deadlock(deadlock):
    output = gdb(*attach_all(deadlock.rank_pids()), "mpi-deadlock", "mpi-where", "info inferiors")

    assert "Deadlock: ranks 0-2 wait for each other" in output
    # A tree: ranks that are at the same place share a path.
    assert row_of(output, "0", "main", "at", "any_source_deadlock.c:17")
    assert row_of(output, "1,2", "main", "at", "any_source_deadlock.c:19")
    # What the user had selected still is.
    assert row_of(output, "*", "3")


def test_core_files_are_looked_at_like_processes(deadlock, tmp_path):
    cores = []
    for rank, pid in enumerate(deadlock.rank_pids()):
        gdb(f"attach {pid}", f"gcore {tmp_path}/core.{rank}")
        cores.append(tmp_path / f"core.{rank}")
    program = PROGRAMS / "any_source_deadlock"
    commands = [f"file {program}", f"core-file {cores[0]}"]
    for number, core in enumerate(cores[1:], 2):
        commands += [
            "add-inferior -no-connection",
            f"inferior {number}",
            f"file {program}",
            f"core-file {core}",
        ]

    output = gdb(*commands, "mpi-ranks", "mpi-deadlock")

    assert row_of(output, "2", "inferior", "3").split()[4:6] == ["blocked", "MPI_Recv"]
    assert "Deadlock: ranks 0-2 wait for each other" in output

    one = gdb(*commands[:2], "mpi-deadlock", "mpi-queues 0")
    assert "Deadlock:" not in one
    assert row_of(one, "0", "MPI_COMM_WORLD", "posted", "receive")


def test_a_core_file_names_its_signal(tmp_path):
    output = gdb(
        f"file {PROGRAMS / 'crash'}",
        "set environment PMI_RANK=1",
        "set environment PMI_SIZE=3",
        "run early",
        f"gcore {tmp_path}/core",
        "kill",
        f"core-file {tmp_path}/core",
        "mpi-ranks 1",
        "mpi-where 1",
        "mpi-deadlock",
    )

    assert row_of(output, "1", "inferior", "1").split()[4:6] == ["running,", "SIGSEGV"]
    assert "rank 1 received SIGSEGV (address 0x10) at crash.c:" in output
    assert "store at crash.c:" in output


def test_the_job_runs_on_after_gdb(start_job):
    job = start_job("endless_loop_ok", 2)
    pids = poll(lambda: len(job.rank_pids()) == 2 and job.rank_pids())
    with job.attach() as attached:
        poll(lambda: all(rank.queues_known for rank in attached.snapshot().ranks))

    output = gdb(*attach_all(pids), "mpi-deadlock", "mpi-ranks")

    assert "Deadlock" not in output
    assert len(job.rank_pids()) == 2
    job.release()
    printed, _ = job.process.communicate(timeout=60)
    assert job.process.returncode == 0, printed


def test_a_debugger_dll_that_crashes_does_not_take_gdb_down(deadlock):
    crashing = BUILD / "lib" / "libmqs_fixture_crashes_at_loading.so"
    output = gdb(
        f"attach {deadlock.rank_pids()[0]}",
        f"set mpi-dll {crashing}",
        "mpi-queues",
        "set mpi-dll /nonexistent/dll.so",
        "mpi-queues",
        "set mpi-dll",
        "show mpi-dll",
        "mpi-queues",
        "echo still here\\n",
    )

    assert "libmqs_fixture_crashes_at_loading.so crashed with SIG" in output
    assert "/nonexistent/dll.so" in output
    assert "The debugger DLL is the one that fits the MPI library." in output
    assert row_of(output, "0", "MPI_COMM_WORLD", "posted", "receive")
    assert "still here" in output


def test_wrong_questions_get_one_line(deadlock):
    output = gdb(
        f"attach {deadlock.rank_pids()[0]}",
        "echo <questions>\\n",
        "mpi-queues 7",
        "mpi-queues x",
        "mpi-comms 1",
        "mpi-ranks '",
    )

    complaints = lines_of(output, "questions")
    assert complaints[:4] == [
        "mqinspect: there is no rank 7; the job has 3",
        "mqinspect: 'x' is no rank; ranks are named like 0 2-3",
        "mqinspect: mpi-comms takes no arguments",
        "mqinspect: No closing quotation",
    ]


def test_gdb_without_an_mpi_process_says_so():
    output = gdb("mpi-ranks", "file /bin/true", "starti", "mpi-ranks", "kill")

    assert "mqinspect: gdb has no process; attach to a rank, or load its core file" in output
    assert "mqinspect: no MPI library is loaded in inferior 1" in output


def test_every_command_has_help_and_loads_once():
    output = gdb(
        f"source {SCRIPT}",
        *(f"help {name}" for name in ("mpi-ranks", "mpi-comms", "mpi-queues", "mpi-where")),
        "help mpi-deadlock",
        "help set mpi-dll",
        "apropos mpi-",
    )

    assert "Usage: mpi-queues [-v] [RANKS]" in output
    assert "Usage: mpi-deadlock [-v]" in output
    assert "Error" not in output and "Undefined" not in output
