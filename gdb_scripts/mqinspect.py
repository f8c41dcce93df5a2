"""MPI in gdb: mpi-ranks, mpi-comms, mpi-queues, mpi-where and mpi-deadlock.

    (gdb) source gdb_scripts/mqinspect.py
    (gdb) mpi-deadlock

Commands look at all inferiors that are MPI processes: an attached rank, several, or core
files. Loading this a second time changes nothing.
"""

import itertools
import os
import shlex
import sys

import gdb


def _find_package():
    """The package mqinspect: as installed, or of the build of this checkout. $MQI_PYTHON
    names the folder that holds it."""
    here = os.path.dirname(os.path.realpath(__file__)) if "__file__" in globals() else ""
    builds = [
        os.path.join(here, "..", "build", preset, "python")
        for preset in ("release", "ci", "dev")
    ]
    named = os.environ.get("MQI_PYTHON")
    for folder in [named] if named else builds:
        if os.path.isfile(os.path.join(folder, "mqinspect", "__init__.py")):
            sys.path.insert(0, os.path.realpath(folder))
            return
    if named:
        raise gdb.GdbError(f"mqinspect: MQI_PYTHON is {named}, where there is no mqinspect")


class _Setting(gdb.Parameter):
    def get_set_string(self):
        return ""

    def get_show_string(self, value):
        return f"{self.what} is {value or 'the one that fits the MPI library'}."


class DllSetting(_Setting):
    """The debugger DLL that the mpi-* commands load."""

    set_doc = "Set the debugger DLL that the mpi-* commands load."
    show_doc = "Show the debugger DLL that the mpi-* commands load."
    __doc__ = "A file that speaks the mqs_* interface; without one, the DLL that fits is taken."
    what = "The debugger DLL"

    def __init__(self):
        super().__init__("mpi-dll", gdb.COMMAND_DATA, gdb.PARAM_OPTIONAL_FILENAME)


class InternalSetting(_Setting):
    """Whether the mpi-* commands show the MPI library's own communicators."""

    set_doc = "Set whether the mpi-* commands show the MPI library's own communicators."
    show_doc = "Show whether the mpi-* commands show the MPI library's own communicators."
    __doc__ = "MPI libraries make communicators for themselves, for instance for files."

    def __init__(self):
        super().__init__("mpi-internal", gdb.COMMAND_DATA, gdb.PARAM_BOOLEAN)

    def get_show_string(self, value):
        return f"The MPI library's own communicators are {'' if self.value else 'not '}shown."


class Look:
    """The newest snapshot, until something may have changed."""

    def __init__(self):
        self._snapshot = None
        self._key = None
        self._changes = itertools.count()
        self._change = 0
        self.dll = DllSetting()
        self.internal = InternalSetting()
        self.inferior_of_pid = {}
        for event in ("cont", "exited", "memory_changed", "new_objfile", "register_changed"):
            getattr(gdb.events, event).connect(self._forget)

    def _forget(self, _event):
        self._change = next(self._changes)

    def snapshot(self):
        key = (
            self._change,
            self.dll.value,
            self.internal.value,
            tuple((inferior.num, inferior.pid) for inferior in gdb.inferiors()),
        )
        if self._key != key:
            self._snapshot = self._take()
            # Looking may have read symbols.
            self._key = (self._change, *key[1:])
        return self._snapshot

    def _take(self):
        from mqinspect import Error
        from mqinspect.gdb_inferior import held_inferiors, selection_kept
        from mqinspect.held import look_at_held

        try:
            with selection_kept():
                held = held_inferiors()
                self.inferior_of_pid = {process.pid: process.name for process in held}
                return look_at_held(held, dll=self.dll.value, internal=self.internal.value)
        except Error as error:
            raise gdb.GdbError(f"mqinspect: {error}") from None


def _clean(text):
    """Without control characters: a communicator's name may hold any."""
    return "".join(c if c.isprintable() else "?" for c in str(text))


def _or_unknown(value):
    return "?" if value is None else value


def _write_table(header, rows):
    lines = [header] + [[_clean(cell) for cell in row] for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths))
        gdb.write("  ".join(cells).rstrip() + "\n")


def _width():
    return min(max(gdb.parameter("width") or 100, 60), 10000)


def _ranges(numbers):
    """0-2,5"""
    parts = []
    for number in sorted(numbers):
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def _parse_ranks(words, size):
    """The ranks that "0 2-3" names; all if there are no words."""
    ranks = set()
    for part in ",".join(words).split(",") if words else [f"0-{size - 1}"]:
        first, dash, last = part.partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise gdb.GdbError(f"mqinspect: {part!r} is no rank; ranks are named like 0 2-3")
        for number in (int(first), int(last or first)):
            if number >= size:
                raise gdb.GdbError(f"mqinspect: there is no rank {number}; the job has {size}")
        ranks.update(range(int(first), int(last or first) + 1))
    return ranks


def _place(file, line):
    return f"{os.path.basename(file)}:{line}" if file else "?"


def _write_problems(snapshot, ranks):
    for problem in snapshot.problems:
        gdb.write(f"{_clean(problem)}\n")
    groups = {}
    for rank in snapshot.ranks:
        if rank.problem and rank.rank in ranks:
            groups.setdefault(rank.problem, []).append(rank.rank)
    for problem, members in groups.items():
        word = "rank" if len(members) == 1 else "ranks"
        gdb.write(f"{word} {_ranges(members)}: {_clean(problem)}\n")


class _Command(gdb.Command):
    def __init__(self, look):
        super().__init__(self.name, gdb.COMMAND_STACK)
        self._look = look

    def invoke(self, argument, from_tty):
        self.dont_repeat()
        try:
            words = shlex.split(argument)
        except ValueError as error:
            raise gdb.GdbError(f"mqinspect: {error}") from None
        verbose = "-v" in words
        self.run(self._look.snapshot(), [word for word in words if word != "-v"], verbose)


class Ranks(_Command):
    """List the ranks of the MPI job, and the MPI call that each is in.
Usage: mpi-ranks [RANKS]

Without RANKS, such as 0 2-3, all are listed. Ranks that gdb does not hold are listed as
unreadable: attach to them, or load their core files, as further inferiors (add-inferior)."""

    name = "mpi-ranks"

    def run(self, snapshot, words, _verbose):
        chosen = _parse_ranks(words, len(snapshot.ranks))
        rows = []
        for rank in snapshot.ranks:
            if rank.rank in chosen:
                call = rank.call
                state = rank.state.value
                rows.append(
                    (
                        rank.rank,
                        self._look.inferior_of_pid.get(rank.pid, "-"),
                        rank.pid or "-",
                        f"{state}, {rank.signal.name}" if rank.signal else state,
                        call.function if call else "-",
                        _place(call.file, call.line) if call else "-",
                    )
                )
        _write_table(["RANK", "INFERIOR", "PID", "STATE", "CALL", "AT"], rows)
        _write_problems(snapshot, chosen)


class Communicators(_Command):
    """List the communicators that the ranks have, and their groups.
Usage: mpi-comms

Members are ranks in MPI_COMM_WORLD, in the order of the group; those of an
intercommunicator are its two groups."""

    name = "mpi-comms"

    def run(self, snapshot, words, _verbose):
        if words:
            raise gdb.GdbError("mqinspect: mpi-comms takes no arguments")
        rows = []
        for communicator in snapshot.communicators:
            groups = [communicator.members, communicator.remote_members]
            members = " | ".join(
                " ".join(str(_or_unknown(member)) for member in group) for group in groups if group
            )
            rows.append((communicator.id, communicator.name, communicator.size, members))
        _write_table(["ID", "NAME", "SIZE", "MEMBERS"], rows)
        _write_problems(snapshot, range(len(snapshot.ranks)))


class Queues(_Command):
    """List the pending operations: posted receives, unexpected messages, sends.
Usage: mpi-queues [-v] [RANKS]

Without RANKS, such as 0 2-3, those of all ranks are listed. With -v also the request and
what else the debugger DLL says. "?" is unknown."""

    name = "mpi-queues"

    def run(self, snapshot, words, verbose):
        chosen = _parse_ranks(words, len(snapshot.ranks))
        rows = []
        for operation in snapshot.operations:
            if operation.rank not in chosen:
                continue
            peer = "any" if operation.any_source else _or_unknown(operation.world_peer)
            tag = "any" if operation.any_tag else _or_unknown(operation.tag)
            row = (
                operation.rank,
                snapshot.communicators[operation.communicator].name,
                operation.queue.value.replace("_", " "),
                "-" if operation.queue.value == "collective" else peer,
                "-" if operation.queue.value == "collective" else tag,
                _or_unknown(operation.bytes),
                operation.state.value,
                operation.function or "?",
            )
            request = "-" if operation.request is None else hex(operation.request)
            rows.append(row + ((request, "; ".join(operation.extra_text)) if verbose else ()))
        header = ["RANK", "COMMUNICATOR", "QUEUE", "PEER", "TAG", "BYTES", "STATE", "BY"]
        if rows:
            _write_table(header + (["REQUEST", "REMARKS"] if verbose else []), rows)
        elif any(rank.queues_known for rank in snapshot.ranks if rank.rank in chosen):
            gdb.write("No operation is pending.\n")
        _write_problems(snapshot, chosen)


class Where(_Command):
    """Show the stacks of the ranks merged into a tree.
Usage: mpi-where [-v] [RANKS]

Ranks that are at the same place share a path; where they part, the tree branches. Of each
rank it is the thread that is in an MPI call, else the main thread, from main to that call;
with -v all frames. Without RANKS, such as 0 2-3, all ranks are shown."""

    name = "mpi-where"

    def run(self, snapshot, words, verbose):
        chosen = _parse_ranks(words, len(snapshot.ranks))
        gdb.write(snapshot.stack_tree(sorted(chosen), width=_width(), verbose=verbose))
        _write_problems(snapshot, chosen)


class Deadlock(_Command):
    """Say which rank waits for which, and whether that is a deadlock.
Usage: mpi-deadlock [-v]

With ranks that gdb does not hold, the verdict is "unknown" where these matter. With -v
nothing is folded or left out."""

    name = "mpi-deadlock"

    def run(self, snapshot, words, verbose):
        if words:
            raise gdb.GdbError("mqinspect: mpi-deadlock takes no arguments but -v")
        gdb.write(snapshot.report(width=_width(), verbose=verbose))


def _load():
    if hasattr(gdb, "mqinspect_commands"):
        return
    _find_package()
    try:
        import mqinspect  # noqa: F401
    except ImportError as error:
        raise gdb.GdbError(
            f"mqinspect: the Python package cannot be loaded ({error}); build it with "
            "scripts/build, or name its folder in MQI_PYTHON"
        ) from None
    look = Look()
    gdb.mqinspect_commands = [
        command(look) for command in (Ranks, Communicators, Queues, Where, Deadlock)
    ]


_load()
