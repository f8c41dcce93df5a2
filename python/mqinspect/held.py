"""A job whose processes another debugger holds, which alone may stop and read them.

gdb_scripts/mqinspect.py is such a debugger's side. Nothing here needs ptrace.
"""

from __future__ import annotations

import abc
import dataclasses
import os
from collections.abc import Iterable, Sequence
from typing import Optional, Union

from . import _mqinspect
from .snapshot import Snapshot


@dataclasses.dataclass(frozen=True)
class HeldFrame:
    """A frame as the debugger has unwound and named it."""

    pc: int
    function: Optional[str]  # of an inlined function the one that it is inlined in
    image: Optional[str]
    file: Optional[str]
    line: Optional[int]
    of_mpi_library: bool  # its image is one of the files of the MPI library
    of_program: bool


@dataclasses.dataclass(frozen=True)
class HeldVariable:
    type: str  # as declared: "MPI_Comm", "const void *"
    value: Optional[int]  # None: neither an integer nor a pointer


@dataclasses.dataclass(frozen=True)
class HeldField:
    name: str
    offset: int
    size: int


@dataclasses.dataclass(frozen=True)
class HeldType:
    name: str
    size: int
    # Members, those of anonymous structs and unions included; no bit-fields.
    fields: tuple[HeldField, ...]


@dataclasses.dataclass(frozen=True)
class HeldSignal:
    """The signal that a process died of."""

    number: int
    address: Optional[int] = None  # of the fault
    sender_pid: Optional[int] = None  # another process that sent it


class HeldProcess(abc.ABC):
    """A process that stands still, or a core file. What is not there is None."""

    name: str  # what the user calls it: "inferior 2"
    pid: int
    alive: bool  # False: a core file
    signal: Optional[HeldSignal] = None  # that a dead one died of, which is then in threads()[0]
    mpi_library: Optional[str]  # path of the file that holds the MPI library
    program: Optional[str]

    @abc.abstractmethod
    def find_symbol(self, name: str) -> Optional[int]:
        """The address of a variable or function."""

    @abc.abstractmethod
    def find_type(self, name: str) -> Optional[HeldType]:
        """By tag or typedef name; of two with one name the MPI library's."""

    @abc.abstractmethod
    def read_memory(self, address: int, count: int) -> Optional[Union[bytes, memoryview]]:
        """All of it or None."""

    @abc.abstractmethod
    def threads(self) -> Sequence[Sequence[HeldFrame]]:
        """The frames of each thread, innermost first; the main thread first."""

    @abc.abstractmethod
    def variable(self, thread: int, frame: int, name: str) -> Optional[HeldVariable]:
        """A variable of a frame, by subscripts of `threads()`."""

    @abc.abstractmethod
    def parameters(self, thread: int, frame: int) -> Sequence[str]:
        """The names of the parameters of the frame's function."""


def look_at_held(
    processes: Iterable[HeldProcess],
    *,
    dll: Optional[Union[str, os.PathLike[str]]] = None,
    internal: bool = False,
) -> Snapshot:
    """The job of these ranks. Ranks that are not held make the verdict unknown where they
    matter. Arguments as those of `attach`."""
    return Snapshot(
        _mqinspect.look_at_held(
            list(processes), dll="" if dll is None else os.fspath(dll), internal=internal
        )
    )
