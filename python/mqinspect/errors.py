"""What goes wrong, as exceptions. Every message is one line: what, where, what to do."""

from __future__ import annotations

import enum


class ErrorCode(enum.Enum):
    """Why something could not be done."""

    BAD_ADDRESS = "bad_address"
    TARGET_EXITED = "target_exited"
    PERMISSION_DENIED = "permission_denied"
    MISSING_DEBUG_INFO = "missing_debug_info"
    UNSUPPORTED_LAYOUT = "unsupported_layout"
    CORRUPT_DATA = "corrupt_data"
    INVALID_ARGUMENT = "invalid_argument"
    SYSTEM = "system"


class Error(Exception):
    """Base of all errors of this package."""

    code: ErrorCode = ErrorCode.SYSTEM


class BadAddressError(Error):
    """Memory of a process cannot be read."""

    code = ErrorCode.BAD_ADDRESS


class TargetExitedError(Error):
    """The process is gone, or is a zombie."""

    code = ErrorCode.TARGET_EXITED


class PermissionDeniedError(Error):
    """The process or file belongs to somebody else."""

    code = ErrorCode.PERMISSION_DENIED


class MissingDebugInfoError(Error):
    """Symbols or types that the question needs are not there."""

    code = ErrorCode.MISSING_DEBUG_INFO


class UnsupportedLayoutError(Error):
    """They are there, and look like nothing we know."""

    code = ErrorCode.UNSUPPORTED_LAYOUT


class CorruptDataError(Error):
    """A length, link or record cannot be true."""

    code = ErrorCode.CORRUPT_DATA


class InvalidArgumentError(Error, ValueError):
    """What was asked for does not make sense."""

    code = ErrorCode.INVALID_ARGUMENT


class OperatingSystemError(Error):
    """The operating system said no."""

    code = ErrorCode.SYSTEM


_CLASSES: dict[ErrorCode, type[Error]] = {
    kind.code: kind
    for kind in (
        BadAddressError,
        TargetExitedError,
        PermissionDeniedError,
        MissingDebugInfoError,
        UnsupportedLayoutError,
        CorruptDataError,
        InvalidArgumentError,
        OperatingSystemError,
    )
}


def error_of(code: str, message: str) -> Error:
    """The exception that the compiled module raises."""
    return _CLASSES[ErrorCode(code)](message)
