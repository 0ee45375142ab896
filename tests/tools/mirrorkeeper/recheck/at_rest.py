"""Waiting until files are old enough for an answer about them to be kept."""

from __future__ import annotations

import threading
import time
from pathlib import Path

REST_SECONDS = 2


def wait_until_at_rest(folder: Path) -> None:
    """Wait until everything that is in the folder by now was at rest for as long as the program asks."""
    mark = folder / "at-rest"
    mark.touch()
    end = mark.stat().st_ctime + REST_SECONDS
    while time.time() <= end:
        threading.Event().wait(end - time.time() + 0.01)
