"""Source files of the project, read once and parsed on demand."""

from __future__ import annotations

import ast
import io
import tokenize
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from .errors import ToolError
from .findings import Finding
from .project import Project
from .syntax_tree import KEPT
from .text import raw_path

LARGEST = 16_000_000
"""Bytes of the largest file that is read as source: parsing ten of them takes seconds and a gigabyte."""


class TooLargeError(Exception):
    """A file is larger than any source."""


def source_of(path: Path) -> bytes:
    """Return the bytes of a file of source.

    Raises:
        OSError: it cannot be read.
        TooLargeError: it is larger than `LARGEST`, and nothing of it was read.
    """
    with path.open("rb") as file:
        if path.stat().st_size > LARGEST or len(content := file.read(LARGEST + 1)) > LARGEST:
            raise TooLargeError
    return content


def too_large(shown: str) -> Finding:
    """A finding that names a file that was not read."""
    message = f"is larger than {LARGEST // 1_000_000} MB, and was not read"
    return Finding("IMP012", raw_path(shown), message, "split it, remove it, or name it in `exempt` of [boundary]")


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
            ToolError: it is not in the encoding it declares.
        """
        try:
            encoding, _ = tokenize.detect_encoding(io.BytesIO(self.content).readline)
            return unicodedata.normalize("NFKC", self.content.decode(encoding))
        except (SyntaxError, LookupError, ValueError) as error:
            advice = "correct it, then run the gates again"
            raise ToolError(f"{self.path} cannot be decoded: {error}", advice) from error

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree.

        Raises:
            ToolError: it is not valid Python.
        """
        try:
            with readable(self.path):
                return _parsed(self.content, self.path)
        except (SyntaxError, ValueError) as error:
            advice = "correct it, then run the gates again"
            raise ToolError(f"{self.path} is not valid Python: {error}", advice) from error


@contextmanager
def readable(path: str) -> Iterator[None]:
    """Read a file within: Python's own parser gives up on code that is nested without end, and so does a search.

    Raises:
        ToolError: it is nested too deeply.
    """
    try:
        yield
    except (RecursionError, MemoryError) as error:
        advice = "split the expression, then run the gates again"
        raise ToolError(f"{path} is not valid Python, or nested too deeply to be read", advice) from error


@lru_cache(maxsize=KEPT)
def _parsed(content: bytes, path: str) -> ast.Module:
    """Return the syntax tree, kept for the next gate: parsing is the most of what two gates do with a file."""
    return ast.parse(content, path)


def modules_of(project: Project, folders: Iterable[str], larger: list[Finding]) -> Iterator[Module]:
    """Yield the Python files below these folders of the project, in order of their paths.

    One that is too large is added to the findings `larger` instead.

    Raises:
        ToolError: one cannot be read.
    """
    return _files(project, folders, (".py",), larger)


def scripts_of(project: Project, folders: Iterable[str], larger: list[Finding]) -> Iterator[Module]:
    """Yield the JavaScript files below these folders; otherwise as `modules_of`."""
    return _files(project, folders, (".js", ".mjs"), larger)


def pages_of(project: Project, folders: Iterable[str], larger: list[Finding]) -> Iterator[Module]:
    """Yield the HTML files below these folders; otherwise as `modules_of`."""
    return _files(project, folders, (".html",), larger)


def _files(
    project: Project, folders: Iterable[str], suffixes: Collection[str], larger: list[Finding]
) -> Iterator[Module]:
    for folder in folders:
        for path in sorted(one for one in (project.root / folder).rglob("*") if one.suffix in suffixes):
            shown = path.relative_to(project.root).as_posix()
            try:
                yield Module(shown, source_of(path))
            except TooLargeError:
                larger.append(too_large(shown))
            except OSError as error:
                raise ToolError(f"{shown} cannot be read: {error.strerror}") from error
