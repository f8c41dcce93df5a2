"""Why is my MPI job stuck?

    with mqinspect.attach(pid) as job:
        print(job.snapshot().report())

`attach` looks at a running job, `load` reads a snapshot that was saved. Both give
`Snapshot` objects: ranks, communicators, operations, windows, stacks and the verdict.
"""

from ._mqinspect import __version__
from .errors import (
    BadAddressError,
    CorruptDataError,
    Error,
    ErrorCode,
    InvalidArgumentError,
    MissingDebugInfoError,
    OperatingSystemError,
    PermissionDeniedError,
    TargetExitedError,
    UnsupportedLayoutError,
)
from .job import Job, attach
from .objects import (
    AccessEpoch,
    Call,
    Communicator,
    Core,
    ExposureEpoch,
    Frame,
    JobDescription,
    LockState,
    LockType,
    LockWaiter,
    Operation,
    OperationState,
    Protocol,
    Queue,
    Rank,
    RankState,
    SendMode,
    Signal,
    Verdict,
    VerdictKind,
    Victim,
    Wait,
    WaitMode,
    Window,
    WindowFlavor,
    WindowRequest,
    WindowTarget,
)
from .snapshot import Snapshot, load, report_formats

__all__ = [
    "AccessEpoch",
    "BadAddressError",
    "Call",
    "Communicator",
    "Core",
    "CorruptDataError",
    "Error",
    "ErrorCode",
    "ExposureEpoch",
    "Frame",
    "InvalidArgumentError",
    "Job",
    "JobDescription",
    "LockState",
    "LockType",
    "LockWaiter",
    "MissingDebugInfoError",
    "OperatingSystemError",
    "Operation",
    "OperationState",
    "PermissionDeniedError",
    "Protocol",
    "Queue",
    "Rank",
    "RankState",
    "SendMode",
    "Signal",
    "Snapshot",
    "TargetExitedError",
    "UnsupportedLayoutError",
    "Verdict",
    "VerdictKind",
    "Victim",
    "Wait",
    "WaitMode",
    "Window",
    "WindowFlavor",
    "WindowRequest",
    "WindowTarget",
    "__version__",
    "attach",
    "load",
    "report_formats",
]
