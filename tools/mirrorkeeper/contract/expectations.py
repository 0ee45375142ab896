"""The tables of the contract, read from the project's own file of data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..project import Project
from .literals import Vocabulary
from .table_process import TableProcess


@dataclass(frozen=True)
class EndpointRow:
    """One endpoint that is relied on: method, path, its caller, and whether the caller can do without it."""

    method: str
    path: str
    caller: str
    optional: bool = False

    def __str__(self) -> str:
        """Method and path."""
        return f"{self.method} {self.path}"


@dataclass(frozen=True)
class Key:
    """One configuration key in use, its caller, and its type in YAML's words; empty asks for none."""

    path: str
    caller: str
    type: str = ""


@dataclass(frozen=True)
class OwnRow:
    """One path that is served by ourselves: its name in the table, the method, the full path."""

    name: str
    method: str
    path: str


@dataclass(frozen=True)
class Expectations:
    """All tables.

    Attributes:
        contract: the endpoints of the contract.
        also_used: endpoints that are used besides.
        keys: configuration keys.
        own: the own paths, one row for each method, sub-resources included.
        own_paths: how many rows the table of own paths has, sub-resources not counted.
        health: path of the health route, a sentinel; empty when none is declared.
        management: the prefix of every management path, a sentinel; empty when none is declared.
        words: the names the tables give to the code, and the paths no code may write out itself.
        stop: ends the process that answers for the functions of the tables; they cannot be asked afterwards.
    """

    contract: tuple[EndpointRow, ...]
    also_used: tuple[EndpointRow, ...]
    keys: tuple[Key, ...]
    own: tuple[OwnRow, ...]
    own_paths: int
    health: str
    management: str
    words: Vocabulary
    stop: Callable[[], object] = object


def read_expectations(project: Project, shown: str) -> Expectations:
    """Let another process run the file, which imports nothing, and take its tables.

    Raises:
        UnreadError: it is not valid Python.
        ToolError: it cannot be run, or lacks a table.
    """
    process = TableProcess(project.root / shown, shown)
    try:
        return _expectations(process.tables(), process)
    except BaseException:
        process.stop()
        raise


def _expectations(tables: Mapping[str, Any], process: TableProcess) -> Expectations:
    mounted = tuple(OwnRow(*row) for row in tables["own"])
    contract = tuple(EndpointRow(*row) for row in tables["contract"])
    also_used = tuple(EndpointRow(*row) for row in tables["also_used"])
    functions = {name: process.function(name) for name in tables["functions"]}
    return Expectations(
        contract=contract,
        also_used=also_used,
        keys=tuple(Key(*row) for row in tables["keys"]),
        own=mounted,
        own_paths=tables["own_paths"],
        health=tables["health"],
        management=tables["management"],
        words=Vocabulary(
            literals=tuple(tables["literals"]),
            names=tables["names"],
            functions={name: one for name, one in functions.items() if not name.startswith("_")},
            private=frozenset(name for name in functions if name.startswith("_")),
            own=frozenset(row.name for row in mounted),
            methods=_methods((*contract, *also_used), mounted),
        ),
        stop=process.stop,
    )


def _methods(rows: Sequence[EndpointRow], own: Sequence[OwnRow]) -> dict[str, frozenset[str]]:
    pairs = [(row.path, row.method) for row in rows]
    pairs += [(key, row.method) for row in own for key in (row.name, row.path)]
    found: dict[str, set[str]] = {}
    for key, method in pairs:
        found.setdefault(key, set()).add(method)
    return {key: frozenset(methods) for key, methods in found.items()}
