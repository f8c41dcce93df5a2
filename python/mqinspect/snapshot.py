"""One look at a job, and what it means."""

from __future__ import annotations

import functools
import json
import os
import pathlib
from collections.abc import Iterable
from typing import Any, Optional, Union

from . import _mqinspect, objects


class Snapshot:
    """What every rank was doing at one moment, and the verdict on it. Immutable."""

    def __init__(self, findings: _mqinspect.Findings) -> None:
        self._findings = findings

    @functools.cached_property
    def _data(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(self.report("json"))
        return data

    @functools.cached_property
    def job(self) -> objects.JobDescription:
        """The launcher, the MPI library and the debugger DLL."""
        return objects.job_description_of(self._data["job"])

    @functools.cached_property
    def ranks(self) -> tuple[objects.Rank, ...]:
        """ranks[i].rank == i."""
        return tuple(map(objects.rank_of, self._data["ranks"]))

    @functools.cached_property
    def communicators(self) -> tuple[objects.Communicator, ...]:
        """communicators[i].id == i."""
        return tuple(map(objects.communicator_of, self._data["communicators"]))

    @functools.cached_property
    def operations(self) -> tuple[objects.Operation, ...]:
        """By rank, then communicator; each queue in the order in which MPI would match."""
        return tuple(map(objects.operation_of, self._data["operations"]))

    @functools.cached_property
    def windows(self) -> tuple[objects.Window, ...]:
        return tuple(map(objects.window_of, self._data["windows"]))

    @functools.cached_property
    def verdict(self) -> objects.Verdict:
        return objects.verdict_of(self._data["verdict"])

    @property
    def stacks(self) -> dict[int, tuple[objects.Frame, ...]]:
        """By rank, innermost frame first."""
        return {rank.rank: rank.stack for rank in self.ranks}

    @property
    def problems(self) -> tuple[str, ...]:
        """What went wrong for the job as a whole."""
        return tuple(self._data["problems"])

    @property
    def stopped_ms(self) -> float:
        """How long the ranks stood still."""
        return float(self._data["stopped_ms"])

    @property
    def total_ms(self) -> float:
        return float(self._data["total_ms"])

    def report(
        self,
        format: str = "text",
        *,
        color: bool = False,
        width: int = 100,
        verbose: bool = False,
        stacks: bool = False,
    ) -> str:
        """The report of `mqinspect attach --format FORMAT`; only text heeds the options."""
        return self._findings.report(
            format, color=color, width=width, verbose=verbose, stacks=stacks
        )

    def stack_tree(
        self,
        ranks: Optional[Iterable[int]] = None,
        *,
        color: bool = False,
        width: int = 100,
        verbose: bool = False,
    ) -> str:
        """The stacks of these ranks, or of all, merged into a tree: where they part it
        branches. From main to the MPI call; `verbose`: all frames."""
        chosen = None if ranks is None else list(ranks)
        return self._findings.stack_tree(chosen, color=color, width=width, verbose=verbose)

    def text(self) -> str:
        """What `save` writes."""
        return self._findings.text()

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the file of `mqinspect save`: `load` and `mqinspect show` read it, on any
        machine. It holds the source lines that can be read here."""
        pathlib.Path(path).write_bytes(self.text().encode("utf-8", "surrogateescape"))

    def operations_table(self) -> dict[str, list[Any]]:
        """The operations as columns: pandas.DataFrame(snapshot.operations_table())."""
        table = _columns(self._data["operations"], _OPERATION_COLUMNS)
        names = [communicator.name for communicator in self.communicators]
        table["communicator_name"] = [names[number] for number in table["communicator"]]
        return table

    def ranks_table(self) -> dict[str, list[Any]]:
        """The ranks as columns; of a call its function, file and line."""
        table = _columns(self._data["ranks"], _RANK_COLUMNS)
        calls = [rank["call"] or {} for rank in self._data["ranks"]]
        for column in ("function", "file", "line"):
            table[column] = [call.get(column) for call in calls]
        return table

    def graph(self) -> list[tuple[int, int, dict[str, Any]]]:
        """The wait-for graph as edges: networkx.DiGraph(snapshot.graph()).

        An edge leads from a rank to one that it waits for. "mode" is "all" where it needs
        every one of its targets, "any" where one of those edges is enough.
        """
        return [
            (wait.rank, target, _edge(wait)) for wait in self.verdict.waits for target in wait.targets
        ]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Snapshot):
            return NotImplemented
        return self._findings.equals(other._findings)

    def __hash__(self) -> int:
        return hash((len(self.ranks), self.verdict.kind, self.operations))

    def __repr__(self) -> str:
        return f"<mqinspect.Snapshot: {len(self.ranks)} ranks, {self.verdict.kind.value}>"


_OPERATION_COLUMNS = (
    "rank",
    "communicator",
    "queue",
    "state",
    "comm_peer",
    "world_peer",
    "any_source",
    "tag",
    "any_tag",
    "bytes",
    "count",
    "datatype",
    "function",
    "request",
    "mode",
    "protocol",
    "persistent",
    "collective",
    "synchronous",
    "doubtful",
    "sequence",
)
_RANK_COLUMNS = ("rank", "pid", "host", "world", "rank_in_world", "state", "queues_known", "problem")


def _columns(rows: list[dict[str, Any]], names: tuple[str, ...]) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in names}


def _edge(wait: objects.Wait) -> dict[str, Any]:
    return {
        "mode": wait.mode.value,
        "call": wait.call,
        "why": wait.why,
        "file": wait.file,
        "line": wait.line,
    }


def load(source: Union[str, os.PathLike[str]]) -> Snapshot:
    """A snapshot that `save` or `mqinspect save` has written: the path of its file, or its
    text, which has line breaks."""
    if isinstance(source, str) and "\n" in source:
        return Snapshot(_mqinspect.parse(source.encode("utf-8", "surrogateescape")))
    return Snapshot(_mqinspect.parse(pathlib.Path(source).read_bytes()))


def report_formats() -> tuple[str, ...]:
    """What `Snapshot.report` takes."""
    return tuple(_mqinspect.format_names())


