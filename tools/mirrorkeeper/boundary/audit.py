"""Imports of the mirrored package as they happen, however they are written: the net beside the static reading.

Theory of operation. Python raises an audit event when a module is loaded for the first time; import statements of a
module that is loaded already only pass `__import__`, and calls only `importlib.import_module`. All three are watched,
and three more events: code of a mirrored file that runs, under whatever module's name; text of a mirrored file that is
compiled elsewhere after it was read; processes that are started with the package in their command.
The importer is the nearest frame above whose file belongs to the project, so that `exec`, `runpy`, loaders and
libraries lead to the line that used them. Not seen: code that no test runs, what other processes import, and what is
taken from `sys.modules` without an import.
"""

from __future__ import annotations

import builtins
import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

from ..declaration.boundary import BoundaryDeclaration
from ..declaration.declaration import read_declaration
from ..project import Project
from .auditing.guarded_code import GuardedCode
from .auditing.importers import Importer, ImporterList
from .auditing.started import STARTING, command_in
from .check import declared
from .package_names import PackageNames

_STAR = "*"
_EVENTS = frozenset(("import", "exec", "open", "compile", *STARTING))


class ImportAudit:
    """The audit of one process; importers that the boundary does not allow are kept until they are taken."""

    def __init__(self, root: Path, rules: BoundaryDeclaration, mirror: str) -> None:
        """Take the project's folder, its boundary, and its mirrored folder; nothing is watched yet."""
        self._root = root
        self._rules = rules
        self._names = PackageNames.within(rules.package, f"{mirror}/{rules.source}", "")
        self._code = GuardedCode(root / mirror, self._names)
        self._found = ImporterList()
        self._watching = False
        self._import: Callable[..., Any] = builtins.__import__
        self._import_module: Callable[..., Any] = importlib.import_module  # noqa: TID251 - watched, not used

    @classmethod
    def of(cls, project: Project) -> ImportAudit:
        """Return the audit of a project.

        Raises:
            ToolError: it declares no boundary.
        """
        declaration = read_declaration(project)
        return cls(project.root, declared(project, declaration), declaration.path)

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
        return self._found.taken()

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self._watching or event not in _EVENTS:  # asking for the frame is an event as well
            return
        frame = sys._getframe(1)  # noqa: SLF001 - the only way to the importer
        if event == "import":
            self._judge_name(str(arguments[0]), frame)
        elif event == "exec":
            self._judge(self._code.run_by(arguments[0]), frame)
        elif event == "open":
            self._code.opened(arguments[0])
        elif event == "compile":
            self._judge(self._code.compiled_from(arguments[0], arguments[1], frame), frame)
        elif (command := command_in(event, arguments)) is not None:
            self._judge(self._code.started_by(command), frame)

    def _statement(self, name: str, *arguments: Any, **named: Any) -> Any:
        level = arguments[3] if len(arguments) > 3 else named.get("level", 0)  # noqa: PLR2004 - of `__import__`
        frame = sys._getframe(1)  # noqa: SLF001 - as above
        if not level:
            self._judge_name(name, frame)
        imported = self._import(name, *arguments, **named)
        for wanted in (arguments[2] if len(arguments) > 2 else named.get("fromlist")) or ():  # noqa: PLR2004 - as above
            held = vars(imported).values() if wanted == _STAR else (getattr(imported, wanted, None),)
            for one in held:
                if isinstance(one, ModuleType):  # an importer hands the package on
                    self._judge_name(one.__name__, frame)
        return imported

    def _call(self, name: str, package: str | None = None) -> Any:
        whole = f"{package}{name}" if name.startswith(".") and package else name
        self._judge_name(whole, sys._getframe(1))  # noqa: SLF001 - as above
        return self._import_module(name, package)

    def _judge_name(self, module: str, frame: FrameType | None) -> None:
        if self._names.own(module):
            self._judge(module, frame)

    def _judge(self, module: str, frame: FrameType | None) -> None:
        while module and frame is not None:
            file = frame.f_code.co_filename
            if self._code.holds(file):
                return  # the package imports its own modules
            path = self._own(file)
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
