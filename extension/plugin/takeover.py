"""Requests between processes that want one data folder: the newest asks, and an older holder gives way.

After an upgrade in a running gateway, and after a quick restart, two processes of ours are alive at once. The lock of
the data folder decides which of them runs an engine; the file tells the older one to let go of it. A process that
heeds such requests names itself in a second file while it holds the folder, for a service started by hand heeds none.
"""

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from extension.store.regular_file import read_regular_json

NAME: Final = "takeover.json"
HOLDER: Final = "takeover-holder.json"
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

    def __init__(self, folder: Path, contender: Contender) -> None:
        self._path = folder / NAME
        self._holder = folder / HOLDER
        self._contender = contender

    def ask(self) -> None:
        """Ask the holder to give way, unless a later contender asks already."""
        asking = _contender(self._path)
        if asking is None or asking < self._contender or not asking.lives:
            self._write(self._path)

    def hold(self) -> None:
        """Note that this process holds the data folder, and gives way when it is asked."""
        self._write(self._holder)

    def gives_way(self, holder: int) -> bool:
        """Return whether the process that holds the data folder gives way to this one."""
        other = _contender(self._holder)
        return other is not None and other.pid == holder and other < self._contender

    @property
    def asked(self) -> bool:
        """True when a later contender that is alive asks."""
        asking = _contender(self._path)
        return asking is not None and asking > self._contender and asking.lives

    def _write(self, path: Path) -> None:
        draft = path.with_name(f".{path.name}.{self._contender.pid}")
        with suppress(OSError):
            draft.unlink(missing_ok=True)
            descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, _PRIVATE)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump({"started_ms": self._contender.started_ms, "pid": self._contender.pid}, file)
            draft.replace(path)


def _contender(path: Path) -> Contender | None:
    try:
        other = read_regular_json(path)
        return Contender(int(other["started_ms"]), int(other["pid"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
