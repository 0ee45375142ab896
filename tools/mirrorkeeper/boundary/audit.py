"""Imports of the mirrored package as they happen, however they are written: the net beside the static reading.

Theory of operation. Python raises an audit event when a module is loaded for the first time; import statements of a
module that is loaded already only pass `__import__`, and calls only `importlib.import_module`. All three are watched.
The importer is the nearest frame above whose file belongs to the project, so that `exec`, `runpy`, loaders and
libraries lead to the line that used them. Not seen: processes that a test starts, code that no test runs, and what is
taken from `sys.modules` without an import.
"""

from __future__ import annotations

import builtins
import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from ..declaration.boundary import BoundaryDeclaration
from ..declaration.declaration import read_declaration
from ..project import Project
from .check import declared


class Importer(NamedTuple):
    """A line of the project that imported a module of the mirrored package."""

    path: str
    line: int
    module: str

    def __str__(self) -> str:
        """The line for people."""
        return f"{self.path}:{self.line} imports {self.module}"


class ImportAudit:
    """The audit of one process; importers that the boundary does not allow are kept until they are taken."""

    def __init__(self, root: Path, rules: BoundaryDeclaration) -> None:
        """Take the project's folder and its boundary; nothing is watched yet."""
        self._root = root
        self._rules = rules
        self._found: set[Importer] = set()
        self._watching = False
        self._import: Callable[..., Any] = builtins.__import__
        self._import_module: Callable[..., Any] = importlib.import_module  # noqa: TID251 - watched, not used

    @classmethod
    def of(cls, project: Project) -> ImportAudit:
        """Return the audit of a project.

        Raises:
            ToolError: it declares no boundary.
        """
        return cls(project.root, declared(project, read_declaration(project)))

    def install(self) -> None:
        """Watch imports from now on."""
        self._import, self._import_module = builtins.__import__, importlib.import_module  # noqa: TID251 - as above
        builtins.__import__ = self._statement
        importlib.import_module = self._call  # noqa: TID251 - as above
        self._watching = True
        sys.addaudithook(self._hear)

    def uninstall(self) -> None:
        """Stop watching; Python keeps the hook itself, which stays silent."""
        builtins.__import__, importlib.import_module = self._import, self._import_module  # noqa: TID251 - as above
        self._watching = False

    def taken(self) -> list[Importer]:
        """Return the importers since the last time that the boundary does not allow, and forget them."""
        found = sorted(self._found)
        self._found.clear()
        return found

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "import" and self._watching:
            self._judge(str(arguments[0]), sys._getframe(1))  # noqa: SLF001 - the only way to the importer

    def _statement(self, name: str, *arguments: Any, **named: Any) -> Any:
        level = arguments[3] if len(arguments) > 3 else named.get("level", 0)  # noqa: PLR2004 - of `__import__`
        if not level:
            self._judge(name, sys._getframe(1))  # noqa: SLF001 - as above
        return self._import(name, *arguments, **named)

    def _call(self, name: str, package: str | None = None) -> Any:
        whole = f"{package}{name}" if name.startswith(".") and package else name
        self._judge(whole, sys._getframe(1))  # noqa: SLF001 - as above
        return self._import_module(name, package)

    def _judge(self, module: str, frame: FrameType | None) -> None:
        package = self._rules.package
        if module != package and not module.startswith(f"{package}."):
            return
        while frame is not None:
            name = str(frame.f_globals.get("__name__", ""))
            if name == package or name.startswith(f"{package}."):
                return  # the package imports its own modules
            path = self._own(frame.f_code.co_filename)
            if path is not None:
                if not self._rules.allows(path) and not self._rules.exempts(path):
                    self._found.add(Importer(path, frame.f_lineno, module))
                return
            frame = frame.f_back

    def _own(self, file: str) -> str | None:
        """The path of a file of the project; None of a library, of the interpreter, and of this audit."""
        path = Path(file)
        if file == __file__ or not path.is_relative_to(self._root):
            return None
        shown = path.relative_to(self._root)
        return None if "site-packages" in shown.parts else shown.as_posix()
