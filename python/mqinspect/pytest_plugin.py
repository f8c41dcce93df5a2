"""A pytest fixture for tests that run MPI programs: one that hangs is explained and killed.

    def test_ring(mpi_run):
        result = mpi_run(["mpiexec", "-n", "4", "./ring"], hang_after=10)
        assert result.returncode == 0
"""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Callable, Optional, Union

import pytest

from .errors import Error
from .job import attach
from .objects import VerdictKind
from .snapshot import Snapshot

_Argument = Union[str, os.PathLike[str]]

_STUCK = (VerdictKind.DEADLOCK, VerdictKind.HANG_UP, VerdictKind.CRASH)
# In the environment of every process of one command, whatever session it has moved to.
_MARK = "MQI_PYTEST_JOB"
_GRACE_SECONDS = 3.0


class MpiCommand:
    """A launcher command and all its processes."""

    def __init__(
        self,
        command: Sequence[_Argument],
        env: Optional[Mapping[str, str]],
        cwd: Optional[_Argument],
    ) -> None:
        self._mark = uuid.uuid4().hex
        environment = {**(os.environ if env is None else env), _MARK: self._mark}
        self.process = subprocess.Popen(
            [os.fspath(argument) for argument in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            env=environment,
            cwd=cwd,
            start_new_session=True,
        )

    def wait(self, seconds: float) -> Optional[subprocess.CompletedProcess[str]]:
        """None: it still runs."""
        try:
            stdout, stderr = self.process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            return None
        return subprocess.CompletedProcess(
            self.process.args, self.process.returncode, stdout, stderr
        )

    def kill(self) -> subprocess.CompletedProcess[str]:
        """Ends the launcher, which ends the ranks if it can, then what is left; returns
        what was printed."""
        self._signal_group(signal.SIGTERM)
        result = self.wait(_GRACE_SECONDS)
        self._signal_group(signal.SIGKILL)
        for pid in self._marked():
            _signal(pid, signal.SIGKILL)
        return result or self.wait(_GRACE_SECONDS) or self._given_up()

    def _given_up(self) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(self.process.args, -signal.SIGKILL, "", "")

    def _signal_group(self, number: int) -> None:
        if self.process.returncode is None:
            try:
                os.killpg(self.process.pid, number)
            except ProcessLookupError:
                pass

    def _marked(self) -> list[int]:
        mark = f"{_MARK}={self._mark}".encode()
        found = []
        for folder in pathlib.Path("/proc").iterdir():
            if not folder.name.isdigit():
                continue
            try:
                environment = (folder / "environ").read_bytes()
            except OSError:
                continue
            if mark in environment.split(b"\0"):
                found.append(int(folder.name))
        return found


def _signal(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


def _look(command: MpiCommand) -> Union[Snapshot, Error]:
    """What the job does, or why that cannot be seen."""
    try:
        with attach(command.process) as job:
            return job.snapshot()
    except Error as error:
        return error


def _failure(why: str, found: Union[Snapshot, Error], output: subprocess.CompletedProcess[str]) -> str:
    report = found.report() if isinstance(found, Snapshot) else f"mqinspect: {found}\n"
    parts = [f"{why}\n\n{report}"]
    for name, text in (("stdout", output.stdout), ("stderr", output.stderr)):
        if text:
            parts.append(f"--- {name} ---\n{text}")
    return "\n".join(parts)


def _run(command: MpiCommand, hang_after: float, timeout: float) -> subprocess.CompletedProcess[str]:
    end = time.monotonic() + timeout
    while True:
        left = end - time.monotonic()
        result = command.wait(max(0.0, min(hang_after, left)))
        if result is not None:
            return result
        found = _look(command)
        expired = time.monotonic() >= end
        stuck = isinstance(found, Snapshot) and found.verdict.kind in _STUCK
        # It may have ended while it was looked at.
        result = command.wait(0) if stuck or expired else None
        if result is not None:
            return result
        if stuck or expired:
            why = "the MPI job hangs" if stuck else f"the MPI job has not ended after {timeout:g} s"
            pytest.fail(_failure(why, found, command.kill()), pytrace=False)


MpiRun = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def mpi_run() -> Iterator[MpiRun]:
    """mpi_run(command, *, hang_after=10, timeout=300, env=None, cwd=None)

    Runs a launcher command and returns its subprocess.CompletedProcess, with text in stdout
    and stderr. A command that still runs after `hang_after` seconds is looked at, and again
    after each further `hang_after` seconds: once its ranks are found to be stuck, or have
    not ended after `timeout` seconds, the job is killed and the test fails with the report.
    Ranks that compute, or wait for one that does, are given that time.
    """
    commands: list[MpiCommand] = []

    def run(
        command: Sequence[_Argument],
        *,
        hang_after: float = 10,
        timeout: float = 300,
        env: Optional[Mapping[str, str]] = None,
        cwd: Optional[_Argument] = None,
    ) -> subprocess.CompletedProcess[str]:
        __tracebackhide__ = True
        if isinstance(command, (str, bytes)):
            raise TypeError("the command is a list of arguments, not one text")
        if not hang_after > 0 or not timeout > 0:
            raise ValueError("hang_after and timeout are seconds, more than 0")
        commands.append(MpiCommand(command, env, cwd))
        return _run(commands[-1], hang_after, timeout)

    yield run
    for command in commands:
        if command.process.poll() is None:
            command.kill()
