"""Source files of the project, read once and parsed on demand."""

from __future__ import annotations

import ast
import io
import os
import symtable
import tokenize
import unicodedata
import warnings
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from .errors import ToolError
from .findings import Finding
from .project import Project
from .syntax_tree import KEPT, parsed
from .system.regular_file import open_regular_file
from .text import raw_path

UNREAD = frozenset({"IMP012", "IMP013"})
"""Codes of findings about files that were not judged."""
LARGEST = 16_000_000
"""Bytes of the largest file that is read as source: parsing ten of them takes seconds and a gigabyte."""


class TooLargeError(Exception):
    """A file is larger than any source."""


class UnreadError(ToolError):
    """One file cannot be judged; others can.

    Attributes:
        path: relative to the project.
        reason: as it reads after the path.
        line: line number of the problem, 0 for the whole file.
    """

    def __init__(self, path: str, reason: str, advice: str = "", line: int = 0) -> None:
        """Keep path and reason apart, for a finding."""
        place = f"{path}:{line}" if line else path
        super().__init__(f"{place} {reason}", advice)
        self.path, self.reason, self.line = path, reason, line

    def finding(self, shown: str) -> Finding:
        """The finding about the file, which the problem may be a part of, as in an archive."""
        message = self.reason if self.path == shown else self.text
        return Finding("IMP013", raw_path(shown), message, self.advice or _JUDGE, self.line)


_AGAIN = "correct it, then run the gates again"
_JUDGE = "make it readable, remove it, or name it in `exempt` of [boundary]"


def source_of(path: Path) -> bytes:
    """Return the bytes of a file of source.

    Raises:
        OSError: it cannot be read.
        TooLargeError: it is larger than `LARGEST`, and nothing of it was read.
    """
    with open_regular_file(path) as file:
        if os.fstat(file.fileno()).st_size > LARGEST or len(content := file.read(LARGEST + 1)) > LARGEST:
            raise TooLargeError
    return content


def too_large(shown: str) -> Finding:
    """A finding that names a file that was not read."""
    message = f"is larger than {LARGEST // 1_000_000} MB, and was not read"
    return Finding("IMP012", raw_path(shown), message, "split it, remove it, or name it in `exempt` of [boundary]")


def unreadable(shown: str, error: OSError) -> UnreadError:
    """The error of a file that the system does not let us read."""
    return UnreadError(shown, f"cannot be read: {error.strerror or error}")


@dataclass(frozen=True)
class Module:
    """One file: path relative to the project, content."""

    path: str
    content: bytes

    @property
    def name(self) -> str:
        """The dotted name it is imported by."""
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @property
    def text(self) -> str:
        """The source as Python reads it: decoded as it declares, names in their normal form.

        Raises:
            UnreadError: it is not in the encoding it declares.
        """
        try:
            encoding, _ = tokenize.detect_encoding(io.BytesIO(self.content).readline)
            return unicodedata.normalize("NFKC", self.content.decode(encoding))
        except (SyntaxError, LookupError, ValueError) as error:
            raise UnreadError(self.path, f"cannot be decoded: {error}", _AGAIN) from error

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree.

        Raises:
            UnreadError: it is not valid Python.
        """
        try:
            with readable(self.path):
                return _parsed(self.content, self.path)
        except SyntaxError as error:
            raise UnreadError(self.path, f"is not valid Python: {error.msg}", _AGAIN, error.lineno or 0) from error
        except ValueError as error:
            raise UnreadError(self.path, f"is not valid Python: {error}", _AGAIN) from error

    def ensure_valid(self) -> None:
        """Refuse a file that Python would not run; a table of symbols takes half the time of a tree.

        Raises:
            UnreadError: it is not valid Python.
        """
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of escapes, which releases of Python disagree about
                # Bytes are taken as by `compile`.
                symtable.symtable(self.content, self.path, "exec")  # type: ignore[arg-type]
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            # Modules of an archive, one after the other, and code of a notebook may be valid all the same.
            _ = self.tree


@contextmanager
def readable(path: str) -> Iterator[None]:
    """Read a file within: Python's own parser gives up on code that is nested without end, and so does a search.

    Raises:
        UnreadError: it is nested too deeply.
    """
    try:
        yield
    except (RecursionError, MemoryError) as error:
        advice = "split the expression, then run the gates again"
        raise UnreadError(path, "is not valid Python, or nested too deeply to be read", advice) from error


@lru_cache(maxsize=KEPT)
def _parsed(content: bytes, path: str) -> ast.Module:
    """Return the syntax tree, kept for the next gate: parsing is the most of what two gates do with a file."""
    return parsed(content, path)


def modules_of(project: Project, folders: Iterable[str], unread: list[Finding]) -> Iterator[Module]:
    """Yield the Python files below these folders of the project, in order of their paths.

    One that is too large, or cannot be read, is added to the findings `unread` instead.
    """
    return _files(project, folders, (".py",), unread)


def scripts_of(project: Project, folders: Iterable[str], unread: list[Finding]) -> Iterator[Module]:
    """Yield the JavaScript files below these folders; otherwise as `modules_of`."""
    return _files(project, folders, (".js", ".mjs"), unread)


def pages_of(project: Project, folders: Iterable[str], unread: list[Finding]) -> Iterator[Module]:
    """Yield the HTML files below these folders; otherwise as `modules_of`."""
    return _files(project, folders, (".html",), unread)


def _files(
    project: Project, folders: Iterable[str], suffixes: Collection[str], unread: list[Finding]
) -> Iterator[Module]:
    for folder in folders:
        for path in sorted(one for one in (project.root / folder).rglob("*") if one.suffix in suffixes):
            shown = path.relative_to(project.root).as_posix()
            try:
                yield Module(shown, source_of(path))
            except TooLargeError:
                unread.append(too_large(shown))
            except OSError as error:
                unread.append(unreadable(shown, error).finding(shown))
