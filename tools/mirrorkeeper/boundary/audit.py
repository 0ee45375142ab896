"""Imports of the mirrored package as they happen, however they are written: the net beside the static reading.

Theory of operation. Python raises an audit event when a module is loaded for the first time; import statements of a
module that is loaded already only pass `__import__`, and every other call ends in the import system's `_find_and_load`,
which each caller looks up anew: a library that took `import_module` before the audit began is heard too. All three are
watched, and three more events: code of a mirrored file that runs, under whatever module's name; text of a mirrored file
that is compiled elsewhere, or run from a compiled file, after it was read; processes that are started with the package
in their command.
The importer is the nearest frame above whose file belongs to the project, so that `exec`, `runpy`, loaders and
libraries lead to the line that used them. Where no frame is the project's, it is the line that started the thread,
or else unknown code: an event loop or a pool runs functions that another line handed over. Not seen: code that no
test runs, imports of other processes, and modules that are taken from `sys.modules` without an import.
"""

from __future__ import annotations

import _frozen_importlib
import builtins
import functools
import sys
import threading
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
from .auditing.statements import FromStatement
from .auditing.threads import PACKAGE, StartLine, begin, collected_by_pytest, serves_others, starter
from .check import declared
from .package_names import PackageNames

_STAR = "*"
_FIND_AND_LOAD = "_find_and_load"
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
        self._own_files: dict[str, str | None] = {}
        self._watching = False
        self._import: Callable[..., Any] = builtins.__import__
        self._start: Callable[[threading.Thread], None] = threading.Thread.start
        self._find_and_load: Callable[..., Any] = vars(_frozen_importlib)[_FIND_AND_LOAD]

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
        self._import, self._find_and_load = builtins.__import__, vars(_frozen_importlib)[_FIND_AND_LOAD]
        builtins.__import__ = self._statement(self._import)
        vars(_frozen_importlib)[_FIND_AND_LOAD] = self._call(self._find_and_load)
        self._start = threading.Thread.start
        threading.Thread.start = self._starts(self._start)  # type: ignore[assignment, method-assign]  # 3.11 has no event for it
        self._watching = True
        sys.addaudithook(self._hear)

    def uninstall(self) -> None:
        """Stop watching; Python keeps the hook itself, which stays silent."""
        builtins.__import__, vars(_frozen_importlib)[_FIND_AND_LOAD] = self._import, self._find_and_load
        threading.Thread.start = self._start  # type: ignore[assignment, method-assign]
        self._watching = False

    def taken(self) -> list[Importer]:
        """Return the importers since the last time that the boundary does not allow, and forget them."""
        return self._found.taken()

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self._watching or event not in _EVENTS:  # asking for the frame is an event as well
            return
        frame = sys._getframe().f_back  # noqa: SLF001 - the only way to the importer; a thread may begin here
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

    def _statement(self, plain: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function that stands for `__import__`; it is pickled by that name."""

        @functools.wraps(plain)
        def watched(*arguments: Any, **named: Any) -> Any:
            given = FromStatement.of(arguments, named)
            frame = sys._getframe().f_back  # noqa: SLF001 - as above
            self._judge_name(given.module, frame)
            imported = plain(*arguments, **named)
            # What a module makes when it is asked is left alone: asking twice would be another program.
            held = getattr(imported, "__dict__", {}) if given.wanted else {}
            for wanted in given.wanted:
                for one in list(held.values()) if wanted == _STAR else (held.get(wanted),):
                    if isinstance(one, ModuleType):  # an importer hands the package on
                        self._judge_name(one.__name__, frame)
            return imported

        return watched

    def _call(self, plain: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function that stands for `_find_and_load`."""

        @functools.wraps(plain)
        def watched(name: str, import_: Callable[..., Any]) -> Any:
            self._judge_name(name, sys._getframe().f_back)  # noqa: SLF001 - as above
            return plain(name, import_)

        return watched

    def _starts(self, plain: Callable[[threading.Thread], None]) -> Callable[[threading.Thread], None]:
        """Return the method that stands for `Thread.start`."""

        @functools.wraps(plain)
        def watched(thread: threading.Thread) -> None:
            begin(thread, self._nearest(sys._getframe().f_back) or starter())  # noqa: SLF001 - as above
            plain(thread)

        return watched

    def _judge_name(self, module: object, frame: FrameType | None) -> None:
        if isinstance(module, str) and self._names.own(module):
            self._judge(module, frame)

    def _judge(self, module: str, frame: FrameType | None) -> None:
        if not module:
            return
        place, how = self._nearest(frame), "imports"
        if place is None:
            test = collected_by_pytest(frame)
            if test and self._code.holds(test):
                return
            place, how = starter(), "starts a thread that imports"
            if place is None or (not self._is_finding(place) and serves_others(frame)):
                self._found.add(Importer("", 0, module))
                return
        if self._is_finding(place):
            self._found.add(Importer(place.path, place.line, module, how))

    def _is_finding(self, place: StartLine) -> bool:
        return place != PACKAGE and not self._rules.allows(place.path) and not self._rules.exempts(place.path)

    def _nearest(self, frame: FrameType | None) -> StartLine | None:
        """The nearest line of the project, or of the package, that imports its own modules."""
        while frame is not None:
            file = frame.f_code.co_filename
            if self._code.holds(file):
                return PACKAGE
            path = self._own(file)
            if path is not None:
                return StartLine(path, frame.f_lineno)
            frame = frame.f_back
        return None

    def _own(self, file: str) -> str | None:
        """The path of a file of the project; None of a library, of the interpreter, and of this audit."""
        if file not in self._own_files:
            path = Path(file)
            shown = path.relative_to(self._root) if file != __file__ and path.is_relative_to(self._root) else None
            self._own_files[file] = None if shown is None or "site-packages" in shown.parts else shown.as_posix()
        return self._own_files[file]
