"""Process that loads the tables of the contract: their code can neither end nor speak for the one that judges them."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from ..errors import ToolError
from ..modules import UnreadError
from ..system.children import CHILDREN

_SERVER = Path(__file__).with_name("table_server.py")
_SECONDS = 120
_AGAIN = "correct it, then run the gates again"
_NAMES = (
    "it defines CONTRACT, ALSO_USED and KEYS, and where they apply OWN, own, HEALTH, MANAGEMENT, PAGE and PAGE_FILES"
)


class TableProcess:
    """The tables as plain data, and their functions, which are asked for one path at a time.

    A process that was forked from this one may ask as well, while this one waits for it.
    """

    def __init__(self, path: Path, shown: str) -> None:
        """Start it; what its code prints goes to standard error. It ends with this object, or at `stop`."""
        self._shown = shown
        self._buffer = b""
        self._known: dict[tuple[str, str], dict[str, Any]] = {}
        self._answers, answering = os.pipe()
        asking, self._questions = os.pipe()
        command = [sys.executable, "-P", "-S", str(_SERVER), str(path), str(answering), str(asking)]
        self._process = CHILDREN.start(
            lambda: subprocess.Popen(
                [*command, json.dumps(sys.path)],
                env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"},
                stdin=subprocess.DEVNULL,
                stdout=2,
                pass_fds=(answering, asking),
            )
        )
        os.close(answering)
        os.close(asking)
        self.stop: Callable[[], object] = weakref.finalize(
            self, _end, self._process, (self._answers, self._questions), os.getpid()
        )

    def tables(self) -> dict[str, Any]:
        """Return the tables.

        Raises:
            UnreadError: the file is not valid Python.
            ToolError: it cannot be run, or lacks a table.
        """
        found = self._next(time.monotonic() + _SECONDS)
        if found.get("missing"):
            raise ToolError(f"{self._shown} has no {', '.join(found['missing'])}", _NAMES)
        if found.get("syntax"):
            reason, line = found["syntax"]
            raise UnreadError(self._shown, f"is not valid Python: {reason}", _AGAIN, line)
        if "tables" not in found:
            raise ToolError(f"{self._shown} cannot be read: {found.get('error')}", _AGAIN)
        tables: dict[str, Any] = found["tables"]
        return tables

    def function(self, name: str) -> Callable[[str], str]:
        """Return what stands for a function of the tables; it raises KeyError for a name that no row has."""
        return partial(self._ask, name)

    def _ask(self, name: str, given: str) -> str:
        found = self._known.get((name, given)) or self._asked(name, given)
        if "error" in found:
            raise ToolError(f"{self._shown}: {name}({given!r}) fails: {found['error']}", _AGAIN)
        if "path" not in found:
            raise KeyError(given)
        return str(found["path"])

    def _asked(self, name: str, given: str) -> dict[str, Any]:
        with suppress(BrokenPipeError):  # a process that has ended gives no answer, which is an error below
            os.write(self._questions, (json.dumps([name, given]) + "\n").encode())
        end = time.monotonic() + _SECONDS
        while (found := self._next(end)).get("asked") != [name, given]:
            pass  # the answer to a forked process that ended before it took it
        self._known[name, given] = found
        return found

    def _next(self, end: float) -> dict[str, Any]:
        while b"\n" not in self._buffer or time.monotonic() > end:
            left = end - time.monotonic()
            if left < 0 or not select.select([self._answers], [], [], left)[0]:
                raise ToolError(f"{self._shown}: no answer within {_SECONDS} seconds", _AGAIN)
            piece = os.read(self._answers, 1 << 16)
            if not piece:
                raise ToolError(f"{self._shown} ends the process that reads it, so that nothing is known of it", _AGAIN)
            self._buffer += piece
        line, _, self._buffer = self._buffer.partition(b"\n")
        try:
            found = json.loads(line)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise ToolError(f"{self._shown} writes where its tables are handed over", _AGAIN)
        return found


def _end(process: subprocess.Popen[bytes], descriptors: tuple[int, ...], owner: int) -> None:
    for one in descriptors:
        os.close(one)
    if os.getpid() == owner:
        process.kill()
        process.wait()
        CHILDREN.forget(process)
