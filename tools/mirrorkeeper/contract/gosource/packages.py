"""The packages of a Go tree, parsed when one is asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from ...golang.nodes import text_of
from .syntax import Field, Function, GoFile

_MODULE = re.compile(rb"^module\s+(\S+)", re.MULTILINE)
_ASSIGNED = re.compile(r"(?:^|[;{])[ \t]*(\w+(?:, *\w+)*) *[+]?=(?!=)", re.MULTILINE)
_DECLARED = re.compile(r"(\w+(?:, *\w+)*) *:=|\bvar +\w+")


def module_path(go_mod: bytes) -> str:
    """The module's path in a `go.mod`; empty when it names none."""
    found = _MODULE.search(go_mod)
    return found.group(1).decode("utf-8", "replace").strip('"') if found else ""


@dataclass
class Package:
    """All files of one folder that belong to the build."""

    folder: str
    files: tuple[GoFile, ...]
    bodies: tuple[Function, ...] = field(init=False)
    functions: dict[tuple[str, str], Function] = field(init=False)

    def __post_init__(self) -> None:
        """List all functions (`init` may be there often), and order them by the type they are methods of, and name."""
        self.bodies = tuple(one for file in self.files for one in file.functions)
        self.functions = {(one.receiver.type, one.name): one for one in self.bodies}

    @property
    def is_main(self) -> bool:
        """Return whether it is a program."""
        return any(file.package == "main" for file in self.files)

    @cached_property
    def assigned(self) -> frozenset[str]:
        """The names that functions give another value; a variable of the package among them has no value to rely on."""
        found: set[str] = set()
        for one in self.bodies:
            text = text_of(one.body)
            own = {word for names in _DECLARED.findall(text) for word in re.findall(r"\w+", names)}
            own.update(each.name for each in one.parameters)
            given = {word for names in _ASSIGNED.findall(text) for word in re.findall(r"\w+", names)}
            found |= given - own
        return frozenset(found)

    def structure(self, name: str) -> tuple[GoFile, tuple[Field, ...]] | None:
        """A structure and the file it stands in."""
        return next(((file, file.structures[name]) for file in self.files if name in file.structures), None)

    def alias(self, name: str) -> tuple[GoFile, str] | None:
        """Return the definition of another named type, and its file."""
        return next(((file, file.aliases[name]) for file in self.files if name in file.aliases), None)


class Universe:
    """All packages of one tree.

    Args:
        module: the module's path in `go.mod`.
        folders: folder to the names of its parsed-on-demand files.
        load: gives a folder's files, those outside of the build left out.
    """

    def __init__(self, module: str, folders: Mapping[str, object], load: Callable[[str], tuple[GoFile, ...]]) -> None:
        self._module = module
        self._folders = folders
        self._load = load
        self._packages: dict[str, Package] = {}

    def package(self, folder: str) -> Package:
        """The package in a folder; an empty one when there is none."""
        if folder not in self._packages:
            self._packages[folder] = Package(folder, self._load(folder) if folder in self._folders else ())
        return self._packages[folder]

    def imported(self, file: GoFile, name: str) -> Package | None:
        """The package a file means by a name, when it is one of this tree."""
        path = file.imports.get(name)
        if path is None or not self._module:
            return None
        if path == self._module:
            return self.package("")
        if path.startswith(self._module + "/"):
            return self.package(path.removeprefix(self._module + "/"))
        return None

    @property
    def loaded(self) -> tuple[Package, ...]:
        """The packages that were asked for so far."""
        return tuple(self._packages.values())
