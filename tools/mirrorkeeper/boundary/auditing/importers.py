"""Importers that were found, those of forked processes included."""

from __future__ import annotations

import json
import os
import tempfile
from typing import NamedTuple


class Importer(NamedTuple):
    """A line of the project that imported a module of the mirrored package; no path where the line is not known."""

    path: str
    line: int
    module: str
    how: str = "imports"

    def __str__(self) -> str:
        """The line for people."""
        if not self.path:
            return (
                f"unknown code imports {self.module}: no line of the project is on its stack, and its thread names none"
            )
        return f"{self.path}:{self.line} {self.how} {self.module}"


class ImporterList:
    """Importers until they are taken. A forked process has a copy of this list, so it writes to a file they share."""

    def __init__(self) -> None:
        """Start with none."""
        self._process = os.getpid()
        self._found: set[Importer] = set()
        self._shared = tempfile.TemporaryFile(mode="ab+", buffering=0)  # noqa: SIM115 - as long as the process
        self._read = 0

    def add(self, one: Importer) -> None:
        """Keep one."""
        if os.getpid() == self._process:
            self._found.add(one)
        else:
            self._shared.write(json.dumps(one).encode() + b"\n")

    def taken(self) -> list[Importer]:
        """Return those since the last time, and forget them."""
        self._shared.seek(self._read)
        lines = self._shared.read()
        self._read += len(lines)
        found = sorted({*self._found, *(Importer(*json.loads(line)) for line in lines.splitlines())})
        self._found.clear()
        return found
