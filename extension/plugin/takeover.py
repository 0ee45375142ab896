"""Requests between processes that want one data folder: the newest asks, and an older holder gives way.

After an upgrade in a running gateway, and after a quick restart, two processes of ours are alive at once. The lock of
the data folder decides which of them runs an engine; the file tells the older one to let go of it.
"""

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from extension.store.regular_file import read_regular_json

NAME: Final = "takeover.json"
_PRIVATE: Final = 0o600


@dataclass(frozen=True, slots=True, order=True)
class Contender:
    """One process that wants the data folder; the later start wins."""

    started_ms: int
    pid: int

    @property
    def lives(self) -> bool:
        """True while the process is there."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return True


class Takeover:
    """The request file of one data folder, seen by one contender."""

    def __init__(self, folder: Path, own: Contender) -> None:
        self._path = folder / NAME
        self._own = own

    def ask(self) -> None:
        """Ask the holder to give way, unless a later contender asks already."""
        asking = self._asking()
        if asking is not None and asking >= self._own and asking.lives:
            return
        draft = self._path.with_name(f".{NAME}.{self._own.pid}")
        with suppress(OSError):
            draft.unlink(missing_ok=True)
            descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _PRIVATE)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump({"started_ms": self._own.started_ms, "pid": self._own.pid}, file)
            draft.replace(self._path)

    @property
    def asked(self) -> bool:
        """True when a later contender that is alive asks."""
        asking = self._asking()
        return asking is not None and asking > self._own and asking.lives

    def _asking(self) -> Contender | None:
        try:
            found = read_regular_json(self._path)
            return Contender(int(found["started_ms"]), int(found["pid"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None
