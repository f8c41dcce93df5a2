"""What gdb knows of a process, for mqinspect. Works only inside gdb.

Uses nothing but gdb's Python API, and so sees whatever gdb sees: attached processes, core
files, remote targets.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
from collections.abc import Iterator
from typing import Any, Optional, Union

import gdb

from .errors import InvalidArgumentError
from .held import HeldField, HeldFrame, HeldProcess, HeldSignal, HeldType, HeldVariable

# More than any MPI program has; a damaged stack may have no end.
_MAX_FRAMES = 256
# A name comes from a debugger DLL, and an expression could call a function of the process.
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# Of the files of MPI libraries; mpi_init_ is in one of Fortran bindings.
_MPI_SYMBOLS = ("PMPI_Init", "mpi_init_", "opal_progress", "orte_init")
# That end a process with a core file, and of these the faults. Not SIGTRAP, which is also
# what a debugger writes down that has copied a living process.
_FATAL = {
    signal.SIGQUIT,
    signal.SIGILL,
    signal.SIGABRT,
    signal.SIGBUS,
    signal.SIGFPE,
    signal.SIGSEGV,
    signal.SIGSYS,
    signal.SIGXCPU,
    signal.SIGXFSZ,
}
_FAULTS = {signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL}
_SI_KERNEL = 0x80
_AGGREGATES = (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION)
_INTEGERS = (
    gdb.TYPE_CODE_INT,
    gdb.TYPE_CODE_BOOL,
    gdb.TYPE_CODE_CHAR,
    gdb.TYPE_CODE_ENUM,
    gdb.TYPE_CODE_PTR,
)

TypeCache = dict[tuple[Optional[str], Optional[str]], dict[str, Optional[HeldType]]]


@contextlib.contextmanager
def selection_kept() -> Iterator[None]:
    """Whatever is selected meanwhile, the user's thread and frame are selected again."""
    inferior = gdb.selected_inferior()
    thread = gdb.selected_thread()
    frame = None
    if thread is not None:
        with contextlib.suppress(gdb.error):
            frame = gdb.selected_frame()
    try:
        yield
    finally:
        if thread is not None and thread.is_valid():
            thread.switch()
            with contextlib.suppress(gdb.error):
                if frame is not None and frame.is_valid():
                    frame.select()
        elif inferior.is_valid():
            gdb.execute(f"inferior {inferior.num}", to_string=True)


def _members(kind: Any, base: int) -> Iterator[HeldField]:
    for field in kind.fields():
        if not hasattr(field, "bitpos") or field.bitsize:
            continue
        offset = base + field.bitpos // 8
        inner = field.type.strip_typedefs()
        if field.name:
            yield HeldField(field.name, offset, inner.sizeof)
        elif inner.code in _AGGREGATES:
            yield from _members(inner, offset)


def _integer(value: Any) -> Optional[int]:
    """As a signed number of its size, which tells -1 from a large one; else None."""
    kind = value.type.strip_typedefs()
    if kind.code not in _INTEGERS or kind.sizeof not in (4, 8):
        return None
    bits: int = 8 * kind.sizeof
    number: int = int(value) & ((1 << bits) - 1)
    return number - (1 << bits) if number >> (bits - 1) else number


class GdbInferior(HeldProcess):
    """One inferior of gdb. `types` is shared between inferiors for one look."""

    def __init__(self, inferior: Any, types: TypeCache) -> None:
        self._inferior = inferior
        self.name = f"inferior {inferior.num}"
        self.pid = inferior.pid
        connection = getattr(inferior, "connection", None)
        self.alive = connection is None or connection.type != "core"
        self._threads: list[Any] = list(inferior.threads())
        self._threads.sort(key=lambda thread: (bool(thread.ptid[1] != self.pid), int(thread.num)))
        if any(thread.is_running() for thread in self._threads):
            raise InvalidArgumentError(f"{self.name} is running; interrupt it first")
        self._select()
        self.signal = None if self.alive else self._signal_of_core()
        if self.signal is not None:
            # In a core file the first thread is the one that has received it.
            self._threads.sort(key=lambda thread: int(thread.num))
        self.program = inferior.progspace.filename
        self._symbols: dict[str, Optional[int]] = {}
        self._frames: list[list[Any]] = []
        self._mpi_files = set()
        for name in _MPI_SYMBOLS:
            address = self.find_symbol(name)
            if address is not None:
                self._mpi_files.add(self._file_at(address))
        library = self.find_symbol("PMPI_Init")
        self.mpi_library = None if library is None else self._file_at(library)
        self._block = self._block_of_library()
        self._types = types.setdefault((self.program, self.mpi_library), {})

    def _select(self, thread: int = 0) -> None:
        wanted = self._threads[thread] if self._threads else None
        selected = gdb.selected_thread()
        if wanted is None:
            if gdb.selected_inferior().num != self._inferior.num:
                gdb.execute(f"inferior {self._inferior.num}", to_string=True)
        elif selected is None or selected.global_num != wanted.global_num:
            wanted.switch()

    def _signal_of_core(self) -> Optional[HeldSignal]:
        with contextlib.suppress(gdb.error):
            info = gdb.parse_and_eval("$_siginfo")
            number, code = int(info["si_signo"]), int(info["si_code"])
            if number not in _FATAL:
                return None
            if code <= 0:  # from kill(2), or abort(3), which sends it to its own process
                sender = int(info["_sifields"]["_kill"]["si_pid"])
                return HeldSignal(number, sender_pid=None if sender == self.pid else sender)
            if code != _SI_KERNEL and number in _FAULTS:
                return HeldSignal(number, address=int(info["_sifields"]["_sigfault"]["si_addr"]))
            return HeldSignal(number)
        return None

    def _file_at(self, address: int) -> Optional[str]:
        file: Optional[str] = gdb.solib_name(address)
        return self.program if file is None else file

    def _block_of_library(self) -> Any:
        """Where to look for a type first: an application may have another of the name."""
        symbol = gdb.lookup_global_symbol("PMPI_Init")
        return None if symbol is None or symbol.symtab is None else symbol.symtab.static_block()

    def find_symbol(self, name: str) -> Optional[int]:
        if name not in self._symbols:
            self._select()
            self._symbols[name] = self._look_symbol_up(name)
        return self._symbols[name]

    def _look_symbol_up(self, name: str) -> Optional[int]:
        if not _IDENTIFIER.fullmatch(name):
            return None
        for look_up in (gdb.lookup_global_symbol, gdb.lookup_static_symbol):
            with contextlib.suppress(gdb.error):
                symbol = look_up(name)
                if symbol is not None and (symbol.is_variable or symbol.is_function):
                    return int(symbol.value().address)
        # Symbols without debug information.
        with contextlib.suppress(gdb.error):
            return int(gdb.parse_and_eval(f"&{name}"))
        return None

    def find_type(self, name: str) -> Optional[HeldType]:
        if name not in self._types:
            self._select()
            self._types[name] = self._look_type_up(name)
        return self._types[name]

    def _look_type_up(self, name: str) -> Optional[HeldType]:
        for spelling in (name, f"struct {name}", f"union {name}", f"enum {name}"):
            with contextlib.suppress(gdb.error):
                found = (
                    gdb.lookup_type(spelling)
                    if self._block is None
                    else gdb.lookup_type(spelling, self._block)
                ).strip_typedefs()
                aggregate = found.code in _AGGREGATES
                # A declaration only.
                if aggregate and not found.fields():
                    continue
                fields = tuple(_members(found, 0)) if aggregate else ()
                return HeldType(name, found.sizeof, fields)
        return None

    def read_memory(self, address: int, count: int) -> Optional[Union[bytes, memoryview]]:
        self._select()
        try:
            memory: memoryview = self._inferior.read_memory(address, count)
        except (gdb.error, OverflowError, ValueError):
            return None
        return memory

    def threads(self) -> list[list[HeldFrame]]:
        self._frames = []
        held = []
        for number in range(len(self._threads)):
            self._select(number)
            frames, described = self._walk()
            self._frames.append(frames)
            held.append(described)
        return held

    def _walk(self) -> tuple[list[Any], list[HeldFrame]]:
        """The frames of the selected thread. Inlined functions have none of their own: the
        line is that of the innermost."""
        frames: list[Any] = []
        described: list[HeldFrame] = []
        line = None
        with contextlib.suppress(gdb.error):
            frame: Any = gdb.newest_frame()
            while frame is not None and len(frames) < _MAX_FRAMES:
                line = line or frame.find_sal()
                if frame.type() != gdb.INLINE_FRAME:
                    frames.append(frame)
                    described.append(self._describe(frame, line))
                    line = None
                frame = frame.older()
        return frames, described

    def _describe(self, frame: Any, line: Any) -> HeldFrame:
        pc = frame.pc()
        function = frame.function()
        # Of a function that never returns, the address behind the call may be another's.
        image = self._file_at(pc - 1 if frame.older() is not None and pc else pc)
        symtab = line.symtab
        return HeldFrame(
            pc=pc,
            function=frame.name() if function is None else function.linkage_name,
            image=image,
            file=None if symtab is None else symtab.filename,
            line=line.line if symtab is not None and line.line > 0 else None,
            of_mpi_library=image in self._mpi_files or self._is_component(image),
            of_program=image == self.program,
        )

    def _is_component(self, image: Optional[str]) -> bool:
        """Open MPI's parts, such as mca_pml_ob1.so."""
        component = image is not None and os.path.basename(image).startswith("mca_")
        return component and self.find_symbol("ompi_mpi_comm_world") is not None

    def _scopes(self, thread: int, frame: int) -> list[Any]:
        """The blocks at the frame, the function's own first, then from the inside out."""
        self._select(thread)
        scopes: list[Any] = []
        with contextlib.suppress(gdb.error, RuntimeError):
            block = self._frames[thread][frame].block()
            while block is not None and not block.is_global and not block.is_static:
                scopes.append(block)
                if block.function is not None:
                    return [block, *scopes[:-1]]
                block = block.superblock
        return []

    def variable(self, thread: int, frame: int, name: str) -> Optional[HeldVariable]:
        for scope in self._scopes(thread, frame):
            for symbol in scope:
                if symbol.name == name and (symbol.is_argument or symbol.is_variable):
                    return self._value_of(symbol, self._frames[thread][frame])
        return None

    def _value_of(self, symbol: Any, frame: Any) -> Optional[HeldVariable]:
        with contextlib.suppress(gdb.error):
            value = frame.read_var(symbol)
            if not value.is_optimized_out:
                return HeldVariable(str(value.type), _integer(value))
        return None

    def parameters(self, thread: int, frame: int) -> list[str]:
        scopes = self._scopes(thread, frame)
        return [symbol.name for symbol in scopes[0] if symbol.is_argument] if scopes else []


def held_inferiors() -> list[GdbInferior]:
    """Those with a process or core file of an MPI program. The caller keeps the selection."""
    types: TypeCache = {}
    with_process = [inferior for inferior in gdb.inferiors() if inferior.pid]
    if not with_process:
        raise InvalidArgumentError("gdb has no process; attach to a rank, or load its core file")
    held = [GdbInferior(inferior, types) for inferior in with_process]
    of_mpi = [inferior for inferior in held if inferior.mpi_library is not None]
    if not of_mpi:
        raise InvalidArgumentError(
            "no MPI library is loaded in " + ", ".join(inferior.name for inferior in held)
        )
    return of_mpi
