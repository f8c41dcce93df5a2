"""What a look at a job has found, as frozen objects.

The names and meanings are those of the JSON report (docs/formats.md): a rank is a rank in
MPI_COMM_WORLD unless the name says `comm`, and None is "unknown" or "does not apply".
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Iterable, Mapping
from typing import Any, Optional, TypeVar

_EnumType = TypeVar("_EnumType", bound=enum.Enum)
_Type = TypeVar("_Type")
_frozen = dataclasses.dataclass(frozen=True)


class RankState(enum.Enum):
    BLOCKED = "blocked"  # in an MPI call that may wait
    RUNNING = "running"
    EXITED = "exited"
    UNREADABLE = "unreadable"


class Queue(enum.Enum):
    POSTED_RECEIVE = "posted_receive"
    UNEXPECTED_MESSAGE = "unexpected_message"
    PENDING_SEND = "pending_send"
    COLLECTIVE = "collective"  # a nonblocking one


class OperationState(enum.Enum):
    PENDING = "pending"
    MATCHED = "matched"
    COMPLETE = "complete"


class SendMode(enum.Enum):
    STANDARD = "standard"
    SYNCHRONOUS = "synchronous"
    READY = "ready"
    BUFFERED = "buffered"


class Protocol(enum.Enum):
    EAGER = "eager"
    RENDEZVOUS = "rendezvous"
    SELF = "self"


class LockType(enum.Enum):
    NONE = "none"
    SHARED = "shared"
    EXCLUSIVE = "exclusive"


class LockState(enum.Enum):
    NONE = "none"
    CALLED = "called"
    REQUESTED = "requested"
    GRANTED = "granted"


class AccessEpoch(enum.Enum):
    NONE = "none"
    FENCE = "fence"
    START = "start"
    LOCK = "lock"
    LOCK_ALL = "lock_all"


class ExposureEpoch(enum.Enum):
    NONE = "none"
    POST = "post"


class WindowFlavor(enum.Enum):
    CREATE = "create"
    ALLOCATE = "allocate"
    SHARED = "shared"
    DYNAMIC = "dynamic"


class WaitMode(enum.Enum):
    ALL = "all"  # of the targets
    ANY = "any"  # one of them is enough


class VerdictKind(enum.Enum):
    NONE = "none"  # every blocked rank can still be released
    DEADLOCK = "deadlock"  # ranks wait for each other
    HANG_UP = "hang_up"  # ranks wait for ranks that have ended
    SUSPECTED = "suspected"  # looks like one of the two, but something moved
    UNKNOWN = "unknown"  # ranks that matter could not be read
    CRASH = "crash"  # a signal has ended ranks


@_frozen
class Frame:
    function: Optional[str]
    file: Optional[str]
    line: Optional[int]
    image: Optional[str]  # the executable or library
    pc: int


@_frozen
class Call:
    """An MPI call in progress."""

    function: str
    arguments: Mapping[str, str] = dataclasses.field(hash=False)  # parameter: as shown
    file: Optional[str]  # of the call in the user's code
    line: Optional[int]


@_frozen
class Signal:
    """The signal that a rank died of."""

    number: int
    name: str
    address: Optional[int]  # of the fault
    sender_pid: Optional[int]  # another process that sent it


@_frozen
class Rank:
    rank: int
    pid: int
    host: Optional[str]
    world: int  # its MPI_COMM_WORLD, from 0
    rank_in_world: int
    state: RankState
    suspended: bool  # by job control: it does nothing until SIGCONT
    call: Optional[Call]
    more_calls: tuple[Call, ...]  # of its other threads
    stack: tuple[Frame, ...]  # innermost first
    signal: Optional[Signal]
    queues_known: bool  # False: none of its operations may be inferred
    problem: Optional[str]


@_frozen
class Communicator:
    id: int  # what operations and windows name it by
    name: str
    size: int
    members: tuple[Optional[int], ...]  # None: a process of another job
    remote_members: tuple[Optional[int], ...]
    inter: bool
    internal: bool  # made by the MPI library for itself
    world: Optional[int]  # the world whose MPI_COMM_WORLD it is


@_frozen
class Operation:
    """A pending operation of one rank."""

    rank: int
    communicator: int
    queue: Queue
    state: OperationState
    comm_peer: Optional[int]  # None with any_source: MPI_ANY_SOURCE
    world_peer: Optional[int]
    any_source: bool
    tag: Optional[int]  # None with any_tag: MPI_ANY_TAG
    any_tag: bool
    bytes: Optional[int]
    count: Optional[int]
    datatype: Optional[str]
    function: Optional[str]  # that started it
    request: Optional[int]  # the user's handle
    mode: Optional[SendMode]
    protocol: Optional[Protocol]
    persistent: bool
    collective: bool  # part of a collective call
    synchronous: bool  # an unexpected message whose sender waits
    doubtful: bool  # the debugger DLL may have made it up
    sequence: Optional[int]  # of a nonblocking collective on its communicator
    receives_from: tuple[Optional[int], ...]
    sends_to: tuple[Optional[int], ...]
    part_of: Optional[int]  # the request of the MPI_Isendrecv that has started it
    extra_text: tuple[str, ...]


@_frozen
class WindowTarget:
    rank: Optional[int]
    lock: LockState
    type: LockType
    operations: Optional[int]  # not finished


@_frozen
class LockWaiter:
    rank: Optional[int]
    type: LockType


@_frozen
class WindowRequest:
    """An operation with a request, such as one of MPI_Rput, that has not finished."""

    request: int
    rank: Optional[int]  # the target


@_frozen
class Window:
    """One rank's part of a window."""

    rank: int
    communicator: int
    name: Optional[str]
    handle: Optional[int]
    bytes: Optional[int]
    flavor: Optional[WindowFlavor]
    shared_memory: bool
    access: Optional[AccessEpoch]
    access_granted: bool
    exposure: Optional[ExposureEpoch]
    started: tuple[Optional[int], ...]
    posted: tuple[Optional[int], ...]
    posts_received: Optional[int]
    targets: tuple[WindowTarget, ...]
    requests: tuple[WindowRequest, ...]
    locks_missing: Optional[int]
    completions_missing: Optional[int]
    lock: LockType
    holders: int
    waiters: tuple[LockWaiter, ...]


@_frozen
class Wait:
    """What one blocked rank waits for."""

    rank: int
    targets: tuple[int, ...]
    mode: WaitMode
    call: str
    why: str
    file: Optional[str]
    line: Optional[int]
    hints: tuple[str, ...]  # near misses, such as a message with another tag


@_frozen
class Core:
    """Ranks that block each other, or a rank whose targets have all ended."""

    kind: VerdictKind
    ranks: tuple[int, ...]
    waits: tuple[Wait, ...]


@_frozen
class Victim:
    """A rank that waits, at some distance, for a core."""

    rank: int
    chain: tuple[int, ...]  # from this rank to one of a core


@_frozen
class Verdict:
    kind: VerdictKind
    sentence: str
    cores: tuple[Core, ...]
    victims: tuple[Victim, ...]
    running: tuple[int, ...]
    unknown: tuple[int, ...]  # ranks that could not be read, where that matters
    crashed: tuple[int, ...]  # ranks that a signal has ended, not those ended in consequence
    waits: tuple[Wait, ...]  # of every blocked rank

    @property
    def is_alarm(self) -> bool:
        """Ranks are stuck, or seem to be, or have crashed."""
        return self.kind not in (VerdictKind.NONE, VerdictKind.UNKNOWN)


@_frozen
class JobDescription:
    launcher: Optional[str]
    hosts: tuple[str, ...]
    size: int
    worlds: tuple[int, ...]  # the size of each MPI_COMM_WORLD
    mpi: Optional[str]
    dll: Optional[str]
    types: tuple[str, ...]  # files that lend types to a stripped library


def _enum_or_none(kind: type[_EnumType], value: Optional[str]) -> Optional[_EnumType]:
    return None if value is None else kind(value)


def _make(kind: type[_Type], data: Mapping[str, Any], /, **converted: Any) -> _Type:
    """An object whose fields are those of `data`; lists become tuples. Keys that are not
    fields are left out: the schema may grow."""
    values = {}
    for field in dataclasses.fields(kind):
        value = converted[field.name] if field.name in converted else data[field.name]
        values[field.name] = tuple(value) if isinstance(value, list) else value
    return kind(**values)


def frame_of(data: Mapping[str, Any]) -> Frame:
    return _make(Frame, data)


def call_of(data: Mapping[str, Any]) -> Call:
    return _make(Call, data)


def rank_of(data: Mapping[str, Any]) -> Rank:
    return _make(
        Rank,
        data,
        state=RankState(data["state"]),
        call=None if data["call"] is None else call_of(data["call"]),
        more_calls=tuple(map(call_of, data["more_calls"])),
        stack=tuple(map(frame_of, data["stack"])),
        signal=None if data["signal"] is None else _make(Signal, data["signal"]),
    )


def communicator_of(data: Mapping[str, Any]) -> Communicator:
    return _make(Communicator, data)


def operation_of(data: Mapping[str, Any]) -> Operation:
    return _make(
        Operation,
        data,
        queue=Queue(data["queue"]),
        state=OperationState(data["state"]),
        mode=_enum_or_none(SendMode, data["mode"]),
        protocol=_enum_or_none(Protocol, data["protocol"]),
    )


def window_of(data: Mapping[str, Any]) -> Window:
    return _make(
        Window,
        data,
        flavor=_enum_or_none(WindowFlavor, data["flavor"]),
        access=_enum_or_none(AccessEpoch, data["access"]),
        exposure=_enum_or_none(ExposureEpoch, data["exposure"]),
        lock=LockType(data["lock"]),
        waiters=tuple(
            _make(LockWaiter, waiter, type=LockType(waiter["type"])) for waiter in data["waiters"]
        ),
        targets=tuple(
            _make(
                WindowTarget,
                target,
                lock=LockState(target["lock"]),
                type=LockType(target["type"]),
            )
            for target in data["targets"]
        ),
        requests=tuple(_make(WindowRequest, each) for each in data["requests"]),
    )


def wait_of(data: Mapping[str, Any]) -> Wait:
    return _make(Wait, data, targets=data["for"], mode=WaitMode(data["mode"]))


def _waits_of(data: Iterable[Mapping[str, Any]]) -> tuple[Wait, ...]:
    return tuple(map(wait_of, data))


def verdict_of(data: Mapping[str, Any]) -> Verdict:
    cores = (
        _make(Core, core, kind=VerdictKind(core["kind"]), waits=_waits_of(core["waits"]))
        for core in data["cores"]
    )
    return _make(
        Verdict,
        data,
        kind=VerdictKind(data["kind"]),
        cores=tuple(cores),
        victims=tuple(_make(Victim, victim) for victim in data["victims"]),
        waits=_waits_of(data["waits"]),
    )


def job_description_of(data: Mapping[str, Any]) -> JobDescription:
    return _make(JobDescription, data)
