"""A running job."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Optional, Protocol, Union

from . import _mqinspect, objects
from .errors import InvalidArgumentError
from .snapshot import Snapshot

_PathType = Union[str, os.PathLike[str]]


class HasPid(Protocol):
    """Such as subprocess.Popen."""

    @property
    def pid(self) -> int: ...


Process = Union[int, HasPid]


class Job:
    """A job that can be looked at, as often as one likes, from any thread.

    The ranks run except for some milliseconds within `snapshot`. The properties are those
    of the newest snapshot; the first one to be asked for takes one.
    """

    def __init__(self, job: _mqinspect.Job) -> None:
        self._job = job
        self._newest: Optional[Snapshot] = None

    def snapshot(self) -> Snapshot:
        """Looks at the job. Other Python threads run in the meantime."""
        self._newest = Snapshot(self._job.look())
        return self._newest

    @property
    def newest(self) -> Snapshot:
        """The newest snapshot; takes one if there is none."""
        return self._newest or self.snapshot()

    @property
    def pids(self) -> tuple[int, ...]:
        """By rank; 0: it has no process on this host."""
        return tuple(self._job.pids())

    @property
    def ranks(self) -> tuple[objects.Rank, ...]:
        return self.newest.ranks

    @property
    def communicators(self) -> tuple[objects.Communicator, ...]:
        return self.newest.communicators

    @property
    def operations(self) -> tuple[objects.Operation, ...]:
        return self.newest.operations

    @property
    def windows(self) -> tuple[objects.Window, ...]:
        return self.newest.windows

    @property
    def stacks(self) -> dict[int, tuple[objects.Frame, ...]]:
        return self.newest.stacks

    @property
    def verdict(self) -> objects.Verdict:
        return self.newest.verdict

    @property
    def closed(self) -> bool:
        return self._job.closed()

    def close(self) -> None:
        """Frees what was read of the job, which is not touched. May be called twice."""
        self._job.close()

    def __enter__(self) -> Job:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        value: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return "<mqinspect.Job: closed>" if self.closed else f"<mqinspect.Job: {len(self.pids)} ranks>"


def _pid_of(process: Process) -> int:
    pid = process if isinstance(process, int) else process.pid
    if isinstance(pid, bool) or not isinstance(pid, int) or not 0 < pid < 2**31:
        raise InvalidArgumentError(f"{pid!r} is no process id")
    return pid


def attach(
    processes: Union[Process, Iterable[Process]],
    *,
    dll: Optional[_PathType] = None,
    types: Sequence[_PathType] = (),
    internal: bool = False,
    confirm_ms: int = 20,
) -> Job:
    """Finds the job of a process and makes ready to look at it. The job is not touched.

    processes: the launcher (mpiexec), any rank, or several ranks, which are then the whole
        job; pids, or objects that have one.
    dll: the debugger DLL to load, instead of the one that fits.
    types: files that lend types to a stripped MPI library; default: $MQI_TYPES.
    internal: show the MPI library's own communicators too.
    confirm_ms: ranks get this long to move before a deadlock is called one; 0: one look.
    """
    single = isinstance(processes, int) or not isinstance(processes, Iterable)
    pids = [_pid_of(process) for process in ((processes,) if single else processes)]  # type: ignore
    if not pids:
        raise InvalidArgumentError("no process is named")
    if not 0 <= confirm_ms <= 60000:
        raise InvalidArgumentError(f"confirm_ms is {confirm_ms}; it may be 0 to 60000")
    return Job(
        _mqinspect.Job(
            pids,
            dll="" if dll is None else os.fspath(dll),
            types=[os.fspath(path) for path in types],
            internal=internal,
            confirm_ms=confirm_ms,
        )
    )
