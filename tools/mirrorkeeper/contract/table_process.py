"""Process that loads the tables of the contract: their code can neither end nor speak for the one that judges them."""

from __future__ import annotations

import json
import os
import select
import signal
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
_LOOK = 0.2
"""Seconds after which a process that says nothing is looked at: one that it forked may hold its pipe open."""
_LONGEST = 8 << 20
"""Bytes of one answer; those of large tables are a hundredth."""
_AGAIN = "correct it, then run the gates again"
_NAMES = (
    "it defines CONTRACT, ALSO_USED and KEYS, and where they apply OWN, own, HEALTH, MANAGEMENT, PAGE and PAGE_FILES"
)


class TableProcess:
    """The tables as plain data, and their functions, which are asked for one path at a time.

    A process that was forked from this one may ask as well, while this one waits for it. The tables have a session of
    their own: a signal to their group reaches no gate, and what they started ends with them.
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
                start_new_session=True,
            )
        )
        os.close(answering)
        os.close(asking)
        self._owner = os.getpid()
        self.stop: Callable[[], object] = weakref.finalize(
            self, _end, self._process, (self._answers, self._questions), self._owner
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
            piece = self._piece(end)
            if not piece:
                raise ToolError(f"{self._shown} ends the process that reads it, so that nothing is known of it", _AGAIN)
            self._buffer += piece
            if len(self._buffer) > _LONGEST:
                raise ToolError(f"{self._shown}: an answer has more than {_LONGEST >> 20} MB", _AGAIN)
        line, _, self._buffer = self._buffer.partition(b"\n")
        try:
            found = json.loads(line)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise ToolError(f"{self._shown} writes where its tables are handed over", _AGAIN)
        return found

    def _piece(self, end: float) -> bytes:
        """Return what the process writes next; nothing when it has ended."""
        while (left := end - time.monotonic()) >= 0:
            ended = self._has_ended()  # before the look, so that its last words are read
            if select.select([self._answers], [], [], 0 if ended else min(left, _LOOK))[0]:
                return os.read(self._answers, 1 << 16)
            if ended:
                return b""
        raise ToolError(f"{self._shown}: no answer within {_SECONDS} seconds", _AGAIN)

    def _has_ended(self) -> bool:
        if os.getpid() != self._owner:  # a fork can wait for no child of this process: the pipe tells
            return False
        if not hasattr(os, "waitid"):  # macOS before Python 3.13
            return self._process.poll() is not None
        # It stays unreaped, and so its number is that of its group until the group is ended.
        return os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _end(process: subprocess.Popen[bytes], descriptors: tuple[int, ...], owner: int) -> None:
    for one in descriptors:
        os.close(one)
    if os.getpid() == owner:
        with suppress(ProcessLookupError, PermissionError):  # an empty group; macOS refuses where all are zombies
            os.killpg(process.pid, signal.SIGKILL)
        process.kill()
        process.wait()
        CHILDREN.forget(process)
