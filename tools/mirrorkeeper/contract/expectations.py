"""The tables of the contract, read from the project's own file of data."""

from __future__ import annotations

import runpy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from ..errors import ToolError
from ..modules import UnreadError
from ..project import Project
from .literals import Vocabulary

_AGAIN = "correct it, then run the gates again"
_REQUIRED = ("CONTRACT", "ALSO_USED", "KEYS")
_NAMES = (
    "it defines CONTRACT, ALSO_USED and KEYS, and where they apply OWN, own, HEALTH, MANAGEMENT, PAGE and PAGE_FILES"
)


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
    """

    contract: tuple[EndpointRow, ...]
    also_used: tuple[EndpointRow, ...]
    keys: tuple[Key, ...]
    own: tuple[OwnRow, ...]
    own_paths: int
    health: str
    management: str
    words: Vocabulary


def read_expectations(project: Project, shown: str) -> Expectations:
    """Run the file, which imports nothing, and take its tables.

    Raises:
        UnreadError: it is not valid Python.
        ToolError: it cannot be run, or lacks a table.
    """
    path = project.root / shown
    try:
        names = runpy.run_path(str(path))
        missing = [name for name in _REQUIRED if name not in names]
        if missing:
            raise ToolError(f"{shown} has no {', '.join(missing)}", _NAMES)  # noqa: TRY301 - the only exit for all
        return _expectations(names)
    except ToolError:
        raise
    except SyntaxError as error:
        if error.filename != str(path):  # of a file that the tables import
            raise ToolError(f"{shown} cannot be read: {error}", _AGAIN) from error
        raise UnreadError(shown, f"is not valid Python: {error.msg}", _AGAIN, error.lineno or 0) from error
    except (Exception, SystemExit) as error:
        raise ToolError(f"{shown} cannot be read: {error!r}", _AGAIN) from error


def _expectations(names: Mapping[str, Any]) -> Expectations:
    def rows(name: str) -> tuple[EndpointRow, ...]:
        return tuple(
            EndpointRow(row.method, row.path, row.caller, getattr(row, "optional", False)) for row in names[name]
        )

    own = names.get("own", str)
    mounted = [
        OwnRow(name, method, own(name))
        for row in names.get("OWN", ())
        for name, methods in ((row.name, row.methods), *row.parts)
        for method in methods
    ]
    return Expectations(
        contract=rows("CONTRACT"),
        also_used=rows("ALSO_USED"),
        keys=tuple(Key(key.path, key.caller, getattr(key, "type", "")) for key in names["KEYS"]),
        own=tuple(mounted),
        own_paths=len(names.get("OWN", ())),
        health=names.get("HEALTH", ""),
        management=names.get("MANAGEMENT", ""),
        words=_vocabulary(names, mounted),
    )


def _vocabulary(names: Mapping[str, Any], own: Sequence[OwnRow]) -> Vocabulary:
    declared = (names.get(name, "") for name in ("MANAGEMENT", "PAGE", "PAGE_FILES", "HEALTH"))
    literals = tuple(value for value in declared if value)
    functions = {name: value for name, value in names.items() if isinstance(value, FunctionType) and _needs_name(value)}
    return Vocabulary(
        literals=literals,
        names={name: value for name, value in names.items() if isinstance(value, str) and value in literals},
        functions={name: made for name, made in functions.items() if not name.startswith("_")},
        private=frozenset(name for name in functions if name.startswith("_")),
        own=frozenset(row.name for row in own),
        methods=_methods(names, own),
    )


def _needs_name(function: FunctionType) -> bool:
    """Return whether a function of the tables turns a name into a path: it has a parameter without a default."""
    return function.__code__.co_argcount > len(function.__defaults__ or ())


def _methods(names: Mapping[str, Any], own: Sequence[OwnRow]) -> dict[str, frozenset[str]]:
    pairs = [(row.path, row.method) for row in (*names["CONTRACT"], *names["ALSO_USED"])]
    pairs += [(key, row.method) for row in own for key in (row.name, row.path)]
    found: dict[str, set[str]] = {}
    for key, method in pairs:
        found.setdefault(key, set()).add(method)
    return {key: frozenset(methods) for key, methods in found.items()}
