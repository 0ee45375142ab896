"""Imports of the mirrored package as they happen under the tests, however they are written.

Theory of operation. An import statement of a module that is loaded already only passes `__import__`; every other way
ends in the import system's `_find_and_load`, which each caller looks up anew. Both are watched, and two events of
Python's own audit: code of a mirrored file that runs under another name, and processes started with the package in
their command. The importer is the nearest frame above whose file belongs to the project, so that `exec`, `runpy` and
libraries lead to the line that used them. Not seen: code that no test runs, and modules taken from `sys.modules`.
"""

import _frozen_importlib
import builtins
import functools
import os
import re
import sys
from collections.abc import Callable, Mapping
from types import CodeType, FrameType, ModuleType
from typing import Any

from .declaration import Declaration

_COMMAND_AT = {"subprocess.Popen": 1, "os.exec": 1, "os.posix_spawn": 1, "os.spawn": 2, "os.system": 0}
_COLLECTING = "_pytest/pathlib.py"


class ImportAudit:
    """The audit of one process; importers that the boundary does not allow are kept until they are taken."""

    def __init__(self, declaration: Declaration) -> None:
        """Take the project's boundary; nothing is watched yet."""
        rules = declaration.required_boundary()
        self._root = f"{declaration.root}{os.sep}"
        self._allowed = (*rules.importers, *rules.generated, *rules.exempt)
        self._package = rules.package
        self._mirror = f"{os.path.realpath(declaration.mirror)}{os.sep}"
        self._command = re.compile(rf"(?:\bimport|\bfrom|-m)\s*{re.escape(rules.package)}\b")
        self._places: dict[str, str | None] = {}
        self._importers: set[str] = set()

    def install(self) -> None:
        """Watch imports from now on; there is no way back."""
        builtins.__import__ = self._watched_import(builtins.__import__)
        find_and_load: Callable[..., Any] = vars(_frozen_importlib)["_find_and_load"]

        @functools.wraps(find_and_load)
        def watched(name: str, import_: Callable[..., Any]) -> Any:
            self._judge_name(name, sys._getframe(1))  # noqa: SLF001 - the only way to the importer
            return find_and_load(name, import_)

        vars(_frozen_importlib)["_find_and_load"] = watched
        sys.addaudithook(self._hear)

    def taken(self) -> list[str]:
        """Return the importers since the last time, as lines, and forget them."""
        importers = sorted(self._importers)
        self._importers.clear()
        return importers

    def _watched_import(self, plain: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function that stands for `__import__`."""

        @functools.wraps(plain)
        def watched(*arguments: Any, **named: Any) -> Any:
            words = dict(zip(("name", "globals", "locals", "fromlist", "level"), arguments, strict=False)) | named
            frame = sys._getframe(1)  # noqa: SLF001 - as above
            name = words.get("name")
            if words.get("level") and isinstance(words.get("globals"), Mapping):
                package = words["globals"].get("__package__") or words["globals"].get("__name__") or ""
                name = f"{str(package).rsplit('.', words['level'] - 1)[0]}.{name}".rstrip(".")
            self._judge_name(name, frame)
            imported = plain(*arguments, **named)
            for part in words.get("fromlist") or ():  # an importer may hand the package on
                module = getattr(imported, "__dict__", {}).get(part)
                if isinstance(module, ModuleType):
                    self._judge_name(module.__name__, frame)
            return imported

        return watched

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "exec" and isinstance(arguments[0], CodeType):
            if self._place(arguments[0].co_filename) == "":
                self._judge(arguments[0].co_filename, sys._getframe(1))  # noqa: SLF001 - as above
        elif event in _COMMAND_AT and len(arguments) > _COMMAND_AT[event]:
            words = arguments[_COMMAND_AT[event]]
            text = " ".join(map(os.fsdecode, words if isinstance(words, list | tuple) else [words]))
            if command := self._command.search(text):
                self._judge(command[0], sys._getframe(1))  # noqa: SLF001 - as above

    def _judge_name(self, module: object, frame: FrameType | None) -> None:
        if isinstance(module, str) and (module == self._package or module.startswith(f"{self._package}.")):
            self._judge(module, frame)

    def _judge(self, module: str, frame: FrameType | None) -> None:
        """Keep the importer, unless it is allowed, the package itself, or pytest that collects tests."""
        while frame is not None:
            place = self._place(frame.f_code.co_filename)
            if place is not None or frame.f_code.co_filename.endswith(_COLLECTING):
                break
            frame = frame.f_back
        if frame is None:
            self._importers.add(f"unknown code imports {module}: no line of the project is on its stack")
        elif place and not any(place == path or place.startswith(path.rstrip("/") + "/") for path in self._allowed):
            self._importers.add(f"{place}:{frame.f_lineno} imports {module}")

    def _place(self, file: str) -> str | None:
        """Return a file's path in the project; "" for the package itself, None for this file and for libraries."""
        if file not in self._places:
            inside = file.startswith(self._root) and f"{os.sep}site-packages{os.sep}" not in file and file != __file__
            mirrored = f"{os.sep}site-packages{os.sep}{self._package}{os.sep}" in file or (
                file[:1] != "<" and os.path.realpath(file).startswith(self._mirror)
            )
            self._places[file] = "" if mirrored else file.removeprefix(self._root) if inside else None
        return self._places[file]
