"""Waiting until files are old enough for an answer about them to be kept."""

from __future__ import annotations

import threading
from pathlib import Path

_REST = 2_000_000_000
_PAUSE_SECONDS = 0.05


def wait_until_at_rest(folder: Path) -> None:
    """Wait until everything that is in the folder by now was at rest for as long as the program asks.

    Times of files are compared with that of a file written now: the program compares them with the same clock.
    """
    mark = folder / "at-rest"
    mark.touch()
    begin = mark.stat().st_ctime_ns
    while mark.stat().st_mtime_ns <= begin + _REST:
        threading.Event().wait(_PAUSE_SECONDS)
        mark.touch()
