"""Recognizes code of the mirrored package: by the file it comes from, by its text, by a command that starts it."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Sequence
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from ..commands.patterns import command_of, command_of_words
from ..package_names import PackageNames

_PYTHON = re.compile(r"(?:python|pypy)[\d.]*(?:\.exe)?$")
_MODULE = "<module>"
_TEXT_AT_LEAST = 20
"""Shorter texts say nothing: an empty `__init__.py` is in every project."""


class GuardedCode:
    """The mirrored folder and the package wherever it is installed; each answer names the file, or is empty."""

    def __init__(self, mirror: Path, names: PackageNames) -> None:
        """Take the folder and the names of the package."""
        self._mirror = os.path.realpath(mirror) + os.sep
        self._installed = f"{os.sep}site-packages{os.sep}{names.package}{os.sep}"
        self._command = command_of(names)
        self._known: dict[str, bool] = {}
        self._unread: set[str] = set()
        self._texts: dict[bytes, str] = {}
        self._reading = False

    def holds(self, file: str) -> bool:
        """Return whether a file, also by a link, is one of the package."""
        if file.startswith("<"):
            return False
        known = self._known.get(file)
        if known is None:
            known = self._installed in file or os.path.realpath(file).startswith(self._mirror)
            self._known[file] = known
        return known

    def run_by(self, code: Any) -> str:
        """The mirrored file whose code is run, also of a copy with a compiled file: nothing is compiled then."""
        if not isinstance(code, CodeType):
            return ""
        if self.holds(code.co_filename):
            return self._shown(code.co_filename)
        return self._copied_to(code.co_filename) if code.co_name == _MODULE else ""

    def opened(self, file: Any) -> None:
        """Remember a mirrored source that is opened: its text may be run elsewhere."""
        if not self._reading and isinstance(file, str | bytes | os.PathLike):
            name = os.fsdecode(file)
            if name.endswith(".py") and self.holds(name):
                self._unread.add(name)

    def compiled_from(self, source: Any, file: Any, frame: FrameType | None) -> str:
        """The mirrored file whose text is compiled under the name of another; a syntax tree alone runs nothing."""
        own = isinstance(file, str) and self.holds(file)
        parsed = frame is not None and frame.f_code.co_filename == ast.__file__
        if own or parsed or not isinstance(source, str | bytes):
            return ""
        self._read()
        return self._texts.get(_plain(source), "") if self._texts else ""

    def started_by(self, words: Sequence[str]) -> str:
        """The part of a command that starts the package, imports it, or runs one of its files; git runs no file."""
        runs_files = not words or Path(words[0]).name != "git"
        for word in words if runs_files else ():
            if word.endswith(".py") and self.holds(word):
                return self._shown(word)
        folder = _script_of(words)
        if folder and self.holds(folder):
            return self._shown(folder)
        found = self._command.search(command_of_words(words)) or next(
            filter(None, map(self._command.search, words)), None
        )
        return (found["option"] or found.group()).strip() if found else ""

    def _copied_to(self, file: str) -> str:
        """The mirrored file with the same text, of those that were opened."""
        self._read()
        # A program may give its code any name, also that of a pipe or a device; those end in something else.
        if not self._texts or not file.endswith(".py") or not os.path.isfile(file):  # noqa: PTH113 - as below
            return ""
        self._reading = True
        try:
            return self._texts.get(_plain(Path(file).read_bytes()), "")
        except OSError:  # not to be read, or gone meanwhile
            return ""
        finally:
            self._reading = False

    def _read(self) -> None:
        self._reading = True
        try:
            for name in self._unread:
                try:
                    text = _plain(Path(name).read_bytes())
                except OSError:  # removed since, so that there is no text to compare with
                    continue
                if len(text) >= _TEXT_AT_LEAST:
                    self._texts[text] = self._shown(name)
        finally:
            self._unread.clear()
            self._reading = False

    def _shown(self, file: str) -> str:
        return os.path.realpath(file).removeprefix(self._mirror)


def _script_of(words: Sequence[str]) -> str:
    """The folder that a command of Python runs as a script; empty of any other command."""
    if not words or not _PYTHON.match(Path(words[0]).name):
        return ""
    script = next((word for word in words[1:] if not re.match(r"-(?![A-Za-z]*[mc])", word)), "-")
    # Any text may stand here, and a hook must never raise: `isfile` is false for what cannot be a path.
    runs = not script.startswith("-") and os.path.isfile(f"{script}/__main__.py")  # noqa: PTH113
    return script if runs else ""


def _plain(source: str | bytes) -> bytes:
    return (source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source).strip()
